//! The win conditions.

use super::names::Names;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Place};
use crate::mask::Mask;
use crate::program::{Condition, Operand};

/// Turns the win conditions into masks. One with an unknown name is dropped.
pub(super) fn conditions(game: &Game, names: &Names, diagnostics: &mut Diagnostics) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for condition in &game.conditions {
        let what = operand(&condition.name, condition.at, names, diagnostics);
        let on = match &condition.on {
            Some(on) => operand(on, condition.at, names, diagnostics),
            None => Some(Operand::Anything),
        };
        if let (Some(what), Some(on)) = (what, on) {
            conditions.push(Condition { quantifier: condition.quantifier, what, on });
        }
    }
    conditions
}

fn operand(text: &str, at: Place, names: &Names, diagnostics: &mut Diagnostics) -> Option<Operand> {
    let meanings = names.find(text).map(|name| names.get(name));
    if let Some(mask) = meanings.and_then(|meanings| meanings.mask.as_ref()) {
        return Some(Operand::Any(Mask::sparse(mask)));
    }
    if let Some(mask) = meanings.and_then(|meanings| meanings.all_mask.as_ref()) {
        return Some(Operand::All(Mask::sparse(mask)));
    }
    diagnostics.unknown(at, text, format!("the win condition is left out: `{text}` is not declared"));
    None
}
