//! How many states there can be at most, told without a search.

use super::task::{Operator, Source, Task, Value, Var};
use std::collections::BTreeMap;

/// The logarithm to base 2 of a number that the states of a task are no more than; the task is not reduced, and its first
/// variables are the cells of a grid.
///
/// Each variable has some value. Where every operator puts on the cells that it changes what it took from them, in whatever
/// order, the cells hold the same symbols for ever: then only their order counts.
pub(super) fn states(task: &Task, reached: &[usize], cells: usize) -> f64 {
    let free = |vars: std::ops::Range<Var>| vars.map(|var| (reached[var] as f64).log2()).sum::<f64>();
    let mut on_cells = free(0..cells);
    if cells > 0 && task.operators.iter().all(|operator| keeps(task, operator, cells)) {
        let moving: Vec<Var> = (0..cells).filter(|&cell| reached[cell] > 1).collect();
        let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
        moving.iter().for_each(|&cell| *counts.entry(task.start[cell]).or_default() += 1);
        let factorial = |count: usize| (1..=count).map(|factor| (factor as f64).log2()).sum::<f64>();
        let orders = factorial(moving.len()) - counts.values().map(|&count| factorial(count)).sum::<f64>();
        on_cells = on_cells.min(orders);
    }
    on_cells + free(cells..task.variables.len())
}

/// Whether an operator puts on cells what it took from cells.
fn keeps(task: &Task, operator: &Operator, cells: usize) -> bool {
    // What a cell held: a value that is known, or whatever it was.
    let held = |cell: Var| match task.allowed(operator, cell).only() {
        Some(value) => (true, usize::from(value)),
        None => (false, cell),
    };
    let mut taken = Vec::new();
    let mut put = Vec::new();
    for effect in operator.effects.iter().filter(|effect| effect.target < cells) {
        taken.push(held(effect.target));
        put.push(match &effect.source {
            Source::Value(value) => (true, usize::from(*value)),
            Source::Of(var, table) => {
                let same = task.allowed(operator, *var).iter().all(|value| table[usize::from(value)] == value);
                if *var >= cells || !same {
                    return false;
                }
                held(*var)
            }
        });
    }
    taken.sort_unstable();
    put.sort_unstable();
    taken == put
}
