//! Trends: symbols whose number on the grid no move changes, raises or lowers.
//!
//! The number of cells with a symbol is a linear function of the state, and the loss of an operator bounds its change
//! (see [`facts`](super::facts)).

use super::facts::{Facts, Form, losses};
use crate::domain::BuildContext;
use crate::task::{Task, Value};

/// The most sums of weights to evaluate: the symbols times the losses.
const MOST_SUMS: usize = 1 << 18;

/// What moves do to the number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Trend {
    Constant,
    Falls,
    Rises,
}

/// Returns the trend of each symbol of a task whose first variables are the cells of a grid; `None` for a symbol
/// without a trend, or on no cell that changes. The list is empty if there are too many symbols and operators, or if a
/// limit ends the work.
pub(in super::super) fn symbol_trends(task: &Task, cells: usize, context: &BuildContext) -> Vec<Option<Trend>> {
    let symbols = if cells > 0 { task.size(0) } else { 0 };
    let facts = Facts::new(task);
    let losses = losses(task, &facts, context);
    if losses.len() * symbols > MOST_SUMS || context.should_stop() {
        return Vec::new();
    }
    let trend = |symbol: Value| {
        // The first value of a variable has weight 0, so the others get the difference.
        let weight = |fact: usize| match facts.fact(fact) {
            (cell, value) if cell < cells => i64::from(value == symbol) - i64::from(symbol == 0),
            _ => 0,
        };
        let sum = |form: &Form| form.iter().map(|&(fact, count)| weight(fact) * i64::from(count)).sum::<i64>();
        let (mut least, mut most) = (0, 0);
        let mut is_moved = false;
        for (loss, _) in &losses {
            let parts = || loss.parts.iter().map(|part| part.iter().map(sum));
            let constant = sum(&loss.constant);
            least = least.min(constant + parts().filter_map(Iterator::min).sum::<i64>());
            most = most.max(constant + parts().filter_map(Iterator::max).sum::<i64>());
            is_moved |=
                loss.constant.iter().chain(loss.parts.iter().flatten().flatten()).any(|&(fact, _)| weight(fact) != 0);
        }
        match (least, most) {
            _ if !is_moved => None,
            (0, 0) => Some(Trend::Constant),
            (0, _) => Some(Trend::Falls),
            (_, 0) => Some(Trend::Rises),
            _ => None,
        }
    };
    (0..symbols).map(|symbol| trend(symbol as Value)).collect()
}
