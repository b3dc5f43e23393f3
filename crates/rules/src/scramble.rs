//! Random starts: by a random walk from the start, over the operators of the compiled task.
//!
//! The result for a seed is part of the file format, so it never changes as long as the rules compile to the same
//! operators.

use super::expression::{Array, Item, Term};
use super::model::{Compiled, Model};
use super::task::{Value, Var};
use crate::domain::import::escaped;
use crate::domain::{BuildContext, Scrambled, SplitMix64};

/// Returns the keys of the start after a random walk; `None` if a symbol left the grid whose character would then name
/// a parameter, or a limit ended the walk.
pub(super) fn walked(compiled: &Compiled, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
    let Compiled { model, task, .. } = compiled;
    let next = |state: &Vec<Value>| {
        let legal = task.operators.iter().filter(|operator| task.holds(operator, state));
        let mut next: Vec<Vec<Value>> = legal.map(|operator| operator.after(state)).collect();
        next.retain(|after| after != state && task.is_allowed(after));
        next
    };
    scrambled(model, &walk(task.start.clone(), next, moves, seed, context)?, &[])
}

/// Returns the keys of a start; `None` if a symbol is not on the grid whose character would then name a parameter.
pub(super) fn scrambled(model: &Model, state: &[Value], piles: &[Vec<Item>]) -> Option<Scrambled> {
    let symbol = |cell: usize, state: &[Value]| model.world.values[cell][usize::from(state[cell])].to_string();
    let cells = model.world.cells();
    let after: Vec<String> = (0..cells).map(|cell| symbol(cell, state)).collect();
    let is_parameter =
        |name: &String| model.rules.iter().any(|rule| rule.parameters.iter().any(|(known, _)| known == name));
    let is_lost = |name: &String| !after.contains(name) && is_parameter(name);
    if (0..cells).any(|cell| is_lost(&symbol(cell, &model.start))) {
        return None;
    }
    let rows: Vec<String> = after.chunks(model.world.columns.max(1)).map(|row| row.concat() + "\n").collect();
    let drawing = (cells > 0).then(|| format!("\"\"\"\n{}\"\"\"", escaped(&rows.concat())));
    // The cells are an array of variables, too.
    let named = model.world.arrays.iter().filter(|array| array.first >= cells);
    let variables = named.map(|array| (array.name.clone(), nested(array, |var| value(model, var, state))));
    let items = |pile: usize| {
        let items = piles[pile].iter().map(|item| model.world.items[usize::from(*item)].to_string());
        format!("\"{}\"", escaped(&items.collect::<Vec<_>>().join(" ")))
    };
    let piles = model.world.piles.iter().map(|piles| (piles.array.name.clone(), nested(&piles.array, items)));
    let drawn = drawing.clone().map(|drawing| ("drawing".to_owned(), drawing));
    let entries: Vec<(String, String)> = drawn.into_iter().chain(variables).chain(piles).collect();
    let start = match (&entries[..], drawing) {
        ([_], Some(drawing)) => drawing,
        _ => {
            let entries: Vec<String> = entries.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    };
    Some(Scrambled { replaced: &["start"], keys: format!("start = {start}\n") })
}

/// Returns the state after a walk; `next` returns the states after legal moves. A move that leads back to the state
/// before the last one is made only if there is no other; the walk ends where no move is legal. Returns `None` at a
/// limit.
pub(super) fn walk<S: Clone + PartialEq>(
    start: S,
    next: impl Fn(&S) -> Vec<S>,
    moves: u32,
    seed: u64,
    context: &BuildContext,
) -> Option<S> {
    let random = &mut SplitMix64::new(seed);
    let (mut here, mut before) = (start, None);
    for _ in 0..moves {
        if context.should_stop() {
            return None;
        }
        let next = next(&here);
        let onward: Vec<S> = next.iter().filter(|after| Some(*after) != before.as_ref()).cloned().collect();
        let choices = if onward.is_empty() { next } else { onward };
        if choices.is_empty() {
            break;
        }
        let chosen = random.below(choices.len() as u64) as usize;
        before = Some(std::mem::replace(&mut here, choices[chosen].clone()));
    }
    Some(here)
}

/// Returns the value of a variable in TOML.
fn value(model: &Model, var: Var, state: &[Value]) -> String {
    match &model.world.values[var][usize::from(state[var])] {
        Term::Number(number) => number.to_string(),
        Term::Truth(truth) => truth.to_string(),
        other => format!("\"{}\"", escaped(&other.to_string())),
    }
}

/// Returns the elements of an array in TOML: one value, or nested arrays.
fn nested(array: &Array, element: impl Fn(usize) -> String) -> String {
    let mut values: Vec<String> = (array.first..array.first + array.len()).map(element).collect();
    for &(least, most) in array.bounds.iter().rev() {
        values = values.chunks((most - least + 1) as usize).map(|part| format!("[{}]", part.join(", "))).collect();
    }
    values.concat()
}
