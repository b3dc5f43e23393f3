//! Trends: symbols whose number on the grid no move changes, raises or lowers, and what follows for free moves.
//!
//! The number of cells with a symbol is a linear function of the state, and the loss of an operator bounds its change
//! (see [`facts`](super::facts)).

use super::facts::{Facts, Form, Loss, loss, losses};
use crate::search::BuildContext;
use crate::task::{Task, Value, Var};

/// The most sums of weights to evaluate: the symbols times the losses.
const MOST_SUMS: usize = 1 << 18;

/// The effect of all moves on the number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    Constant,
    Falls,
    Rises,
}

/// Returns the trend of each symbol of a task whose first variables are the cells of a grid; `None` for a symbol
/// without a trend, or on no cell that changes. The list is empty if there are too many symbols and operators, or if a
/// limit ends the work.
pub fn symbol_trends(task: &Task, cells: usize, context: &BuildContext) -> Vec<Option<Trend>> {
    let symbols = if cells > 0 { task.size(0) } else { 0 };
    let facts = Facts::new(task);
    let losses = losses(task, &facts, context);
    if losses.len() * symbols > MOST_SUMS || context.should_stop() {
        return Vec::new();
    }
    let trend = |symbol: Value| {
        let weight = weight_of(&facts, move |var, value| var < cells && value == symbol);
        let ranges = losses.iter().map(|(loss, _)| range(loss, &weight));
        let (least, most) = ranges.fold((0, 0), |(least, most), (low, high)| (least.min(low), most.max(high)));
        let forms = losses.iter().flat_map(|(loss, _)| loss.parts.iter().flatten().chain([&loss.constant]));
        match (least, most) {
            _ if !forms.flatten().any(|&(fact, _)| weight(fact) != 0) => None,
            (0, 0) => Some(Trend::Constant),
            (0, _) => Some(Trend::Falls),
            (_, 0) => Some(Trend::Rises),
            _ => None,
        }
    };
    (0..symbols).map(|symbol| trend(symbol as Value)).collect()
}

/// Returns whether moves that cost nothing cannot go on for ever, if that is found out.
///
/// They cannot if some of them raise a number and none lowers it, and the others cannot go on for ever: a lexicographic
/// ranking. The numbers are those of the symbols on the grid, also taken negative, and single facts of other variables.
pub fn free_moves_end(task: &Task, cells: usize, context: &BuildContext) -> bool {
    let facts = Facts::new(task);
    let free = task.operators.iter().filter(|operator| operator.cost == 0);
    let mut open: Vec<Loss> = free.map(|operator| loss(task, &facts, operator)).collect();
    open.sort_unstable();
    open.dedup();
    let symbols = if cells > 0 { task.size(0) } else { 0 };
    let of_symbols = (0..symbols).map(|symbol| (None, symbol as Value));
    let of_variables =
        (cells..task.variables.len()).flat_map(|var| (0..task.size(var)).map(move |value| (Some(var), value as Value)));
    let numbers: Vec<(Option<Var>, Value)> = of_symbols.chain(of_variables).collect();
    if open.len() * numbers.len() > MOST_SUMS || context.should_stop() {
        return false;
    }
    while !open.is_empty() {
        let before = open.len();
        for &(only, wanted) in &numbers {
            let weight =
                weight_of(&facts, |var, value| only.map_or(var < cells, |only| only == var) && value == wanted);
            let ranges: Vec<(i64, i64)> = open.iter().map(|loss| range(loss, &weight)).collect();
            let mut changes = ranges.iter().map(|&(least, most)| least > 0 || most < 0);
            if ranges.iter().all(|&(least, _)| least >= 0) || ranges.iter().all(|&(_, most)| most <= 0) {
                open.retain(|_| !changes.next().expect("one for each"));
            }
        }
        if open.len() == before {
            return false;
        }
    }
    true
}

/// Returns the weight of each fact, if 1 is the weight of those that are counted and 0 that of all others. The first
/// value of a variable has none, so the others get the difference.
fn weight_of(facts: &Facts, counts: impl Fn(Var, Value) -> bool) -> impl Fn(usize) -> i64 {
    move |fact| {
        let (var, value) = facts.fact(fact);
        i64::from(counts(var, value)) - i64::from(counts(var, 0))
    }
}

/// Returns bounds on what a move takes from the sum of weights.
fn range(loss: &Loss, weight: &impl Fn(usize) -> i64) -> (i64, i64) {
    let sum = |form: &Form| form.iter().map(|&(fact, count)| weight(fact) * i64::from(count)).sum::<i64>();
    let parts = || loss.parts.iter().map(|part| part.iter().map(sum));
    let constant = sum(&loss.constant);
    (
        constant + parts().filter_map(Iterator::min).sum::<i64>(),
        constant + parts().filter_map(Iterator::max).sum::<i64>(),
    )
}
