//! Random starts: by a random walk from the start, over the operators of the compiled task.
//!
//! The result for a seed is part of the file format, so it never changes as long as the rules compile to the same
//! operators.

use super::expression::{Array, Term};
use super::model::{Compiled, Model};
use super::task::{Task, Value};
use crate::domain::import::escaped;
use crate::domain::{BuildContext, Scrambled, SplitMix64};

/// Returns the keys of the start after a random walk; `None` if a symbol left the grid whose character would then name
/// a parameter, or a limit ended the walk.
pub(super) fn walked(compiled: &Compiled, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
    let Compiled { model, task, .. } = compiled;
    let state = walk(task, moves, seed, context)?;
    let symbol = |cell: usize, state: &[Value]| model.world.values[cell][usize::from(state[cell])].to_string();
    let cells = model.world.cells();
    let after: Vec<String> = (0..cells).map(|cell| symbol(cell, &state)).collect();
    let is_parameter =
        |name: &String| model.rules.iter().any(|rule| rule.parameters.iter().any(|(known, _)| known == name));
    let is_lost = |name: &String| !after.contains(name) && is_parameter(name);
    if (0..cells).any(|cell| is_lost(&symbol(cell, &task.start))) {
        return None;
    }
    let rows: Vec<String> = after.chunks(model.world.columns.max(1)).map(|row| row.concat() + "\n").collect();
    let drawing = (cells > 0).then(|| format!("\"\"\"\n{}\"\"\"", escaped(&rows.concat())));
    // The cells are an array of variables, too.
    let named = model.world.arrays.iter().filter(|array| array.first >= cells);
    let variables = named.map(|array| (array.name.clone(), value(model, array, &state)));
    let entries: Vec<(String, String)> =
        drawing.clone().map(|drawing| ("drawing".to_owned(), drawing)).into_iter().chain(variables).collect();
    let start = match (&entries[..], drawing) {
        ([_], Some(drawing)) => drawing,
        _ => {
            let entries: Vec<String> = entries.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    };
    Some(Scrambled { replaced: &["start"], keys: format!("start = {start}\n") })
}

/// Returns the state after a walk. A move that leads back to the state before the last one is made only if there is no
/// other; the walk ends where no move is legal. Returns `None` at a limit.
fn walk(task: &Task, moves: u32, seed: u64, context: &BuildContext) -> Option<Vec<Value>> {
    let random = &mut SplitMix64::new(seed);
    let (mut here, mut before) = (task.start.clone(), None);
    for _ in 0..moves {
        if context.should_stop() {
            return None;
        }
        let legal = task.operators.iter().filter(|operator| task.holds(operator, &here));
        let mut next: Vec<Vec<Value>> = legal.map(|operator| operator.after(&here)).collect();
        next.retain(|after| *after != here && task.is_allowed(after));
        let onward: Vec<Vec<Value>> = next.iter().filter(|after| Some(*after) != before.as_ref()).cloned().collect();
        let choices = if onward.is_empty() { next } else { onward };
        if choices.is_empty() {
            break;
        }
        let chosen = random.below(choices.len() as u64) as usize;
        before = Some(std::mem::replace(&mut here, choices[chosen].clone()));
    }
    Some(here)
}

/// Returns the value of a variable, or the nested values of an array, in TOML.
fn value(model: &Model, array: &Array, state: &[Value]) -> String {
    let mut values: Vec<String> = (array.first..array.first + array.len())
        .map(|var| match &model.world.values[var][usize::from(state[var])] {
            Term::Number(number) => number.to_string(),
            Term::Truth(truth) => truth.to_string(),
            other => format!("\"{}\"", escaped(&other.to_string())),
        })
        .collect();
    for &(least, most) in array.bounds.iter().rev() {
        values = values.chunks((most - least + 1) as usize).map(|part| format!("[{}]", part.join(", "))).collect();
    }
    values.concat()
}
