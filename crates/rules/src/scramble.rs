//! Random starts: by a random walk from the start, or backwards from a goal, over the operators of the compiled task.
//!
//! The result for a seed is part of the file format, so it never changes as long as the rules compile to the same
//! operators.

use super::expression::{Array, Item, Term};
use super::model::{Compiled, Model, MovePart};
use super::task::{Operator, Source, Task, Value, Var};
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

/// The most states from which one operator may lead to a state.
const MOST_BEFORE: usize = 64;

/// The most moves backwards that cost nothing between two that cost something, on average.
const FREE_MOVES: u32 = 16;

/// Returns the keys of the start after moves to a goal, and then a random walk backwards; `Ok(None)` as [`walked`].
///
/// # Errors
/// Why there is no such walk.
pub(super) fn retreated(
    compiled: &Compiled,
    to_goal: &[String],
    moves: u32,
    seed: u64,
    context: &BuildContext,
) -> Result<Option<Scrambled>, String> {
    let Compiled { model, task, .. } = compiled;
    if let Some(operator) = task.operators.iter().find(|operator| targets(task, operator).1 > MOST_BEFORE) {
        let name = name(compiled, operator, &task.start);
        return Err(format!(
            "the move `{name}` can have too many positions before it: its `from` leaves too much open"
        ));
    }
    let mut here = after(compiled, to_goal).ok_or("its solution cannot be replayed")?;
    let random = &mut SplitMix64::new(seed);
    let (mut left, mut last) = (moves, None);
    for _ in 0..moves.saturating_mul(FREE_MOVES) {
        if context.should_stop() {
            return Ok(None);
        }
        let mut next: Vec<(u32, Vec<Value>)> = Vec::new();
        for operator in &task.operators {
            next.extend(before(task, operator, &here).into_iter().map(|state| (operator.cost, state)));
        }
        // As in a walk onwards, straight back only where nothing else is left.
        if next.iter().any(|(_, state)| Some(state) != last.as_ref()) {
            next.retain(|(_, state)| Some(state) != last.as_ref());
        }
        let pays = random.below(2) == 0 && next.iter().any(|(cost, _)| *cost > 0);
        next.retain(|(cost, _)| !pays || *cost > 0);
        if next.is_empty() || left == 0 {
            break;
        }
        let (cost, state) = next.swap_remove(random.below(next.len() as u64) as usize);
        left -= u32::from(cost > 0);
        last = Some(std::mem::replace(&mut here, state));
    }
    Ok(scrambled(model, &here, &[]))
}

/// Returns the variables that an operator writes, each with the values that it may have before, and their combinations.
fn targets(task: &Task, operator: &Operator) -> (Vec<(Var, Vec<Value>)>, usize) {
    let open = |var: Var| match operator.condition(var) {
        Some(values) => values.iter().collect(),
        None => (0..task.size(var)).map(|value| value as Value).collect::<Vec<Value>>(),
    };
    let all: Vec<(Var, Vec<Value>)> =
        operator.effects.iter().map(|effect| (effect.target, open(effect.target))).collect();
    let combinations = all.iter().fold(1_usize, |product, (_, values)| product.saturating_mul(values.len()));
    (all, combinations)
}

/// Returns the states from which an operator leads to this one.
fn before(task: &Task, operator: &Operator, state: &[Value]) -> Vec<Vec<Value>> {
    let writes = |(target, source): (Var, &Source)| !matches!(source, Source::Value(value) if *value != state[target]);
    if !operator.effects.iter().all(|effect| writes((effect.target, &effect.source))) {
        return Vec::new();
    }
    let mut all = vec![state.to_vec()];
    for (var, values) in targets(task, operator).0 {
        let with = |old: &Vec<Value>, value: Value| {
            let mut new = old.clone();
            new[var] = value;
            new
        };
        all = all.iter().flat_map(|old| values.iter().map(move |&value| with(old, value))).collect();
    }
    let leads = |old: &Vec<Value>| {
        old != state && task.is_allowed(old) && task.holds(operator, old) && operator.after(old) == state
    };
    all.retain(leads);
    all
}

/// Returns the name of a move, without a number.
fn name(compiled: &Compiled, operator: &Operator, state: &[Value]) -> String {
    let part = |part: &MovePart| match part {
        MovePart::Text(text) => text.clone(),
        MovePart::Symbol(var) => compiled.model.world.values[*var][usize::from(state[*var])].to_string(),
    };
    compiled.moves[operator.action as usize].iter().map(part).collect()
}

/// Returns the state after these moves from the start; `None` if one is not legal.
fn after(compiled: &Compiled, moves: &[String]) -> Option<Vec<Value>> {
    let task = &compiled.task;
    moves.iter().try_fold(task.start.clone(), |state, wanted| {
        // Where legal moves have the same name, they are numbered.
        let (plain, number) = wanted.rsplit_once(" #").unwrap_or((wanted, "1"));
        let number: usize = number.parse().ok()?;
        let legal = task.operators.iter().filter(|operator| task.holds(operator, &state));
        let named = legal.filter(|operator| name(compiled, operator, &state) == plain);
        let mut next = named.map(|operator| operator.after(&state));
        next.by_ref().filter(|after| *after != state && task.is_allowed(after)).nth(number.checked_sub(1)?)
    })
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
