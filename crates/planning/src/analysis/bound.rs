//! An upper bound on the number of states, found without a search.

use crate::task::{Operator, Source, Task, Var};

/// Returns the base-2 logarithm of an upper bound on the number of states. The task is not reduced; its first variables
/// are the cells of a grid.
///
/// The basic bound is the product of the numbers of values. If every operator only permutes the symbols of the cells
/// that it changes, the multiset of symbols is invariant. Then the bound on the cells is a multinomial coefficient.
pub(crate) fn log2_states(task: &Task, reached: &[usize], cells: usize) -> f64 {
    let free = |vars: std::ops::Range<Var>| vars.map(|var| (reached[var] as f64).log2()).sum::<f64>();
    let mut on_cells = free(0..cells);
    if cells > 0 && task.operators.iter().all(|operator| permutes_symbols(task, operator, cells)) {
        let moving: Vec<Var> = (0..cells).filter(|&cell| reached[cell] > 1).collect();
        let mut counts = vec![0; task.size(0)];
        moving.iter().for_each(|&cell| counts[usize::from(task.start[cell])] += 1);
        let factorial = |count: usize| (1..=count).map(|factor| (factor as f64).log2()).sum::<f64>();
        let orders = factorial(moving.len()) - counts.into_iter().map(factorial).sum::<f64>();
        on_cells = on_cells.min(orders);
    }
    on_cells + free(cells..task.variables.len())
}

/// Returns whether an operator only permutes the symbols of the cells that it changes.
fn permutes_symbols(task: &Task, operator: &Operator, cells: usize) -> bool {
    // The content of a cell: a known value, or the unknown value of that cell.
    let content = |cell: Var| match task.allowed(operator, cell).only() {
        Some(value) => (true, usize::from(value)),
        None => (false, cell),
    };
    let mut read = Vec::new();
    let mut written = Vec::new();
    for effect in operator.effects.iter().filter(|effect| effect.target < cells) {
        read.push(content(effect.target));
        written.push(match effect.source {
            Source::Value(value) => (true, usize::from(value)),
            Source::Table(..) => match effect.source.copied(|var| task.allowed(operator, var)) {
                Some(var) if var < cells => content(var),
                _ => return false,
            },
        });
    }
    read.sort_unstable();
    written.sort_unstable();
    read == written
}
