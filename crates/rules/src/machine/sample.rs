//! Whether the lower bound pays: whether it saves more expansions than its evaluations cost.
//!
//! A search with a bound h leaves out the states whose distance from the start plus h exceeds the cheapest cost. Where
//! the number of states grows by a factor b with each move, a bound of h leaves about one state in b^h (Korf, Reid and
//! Edelkamp 2001). Both are read off the first states of a breadth-first search.

use super::Machine;
use super::relaxed::Buffers;
use super::state::State;
use crate::domain::BuildContext;
use rustc_hash::FxHashSet;

/// The number of states of the sample.
const STATES: usize = 2_000;
/// The most states of the last layer of which the bound is taken.
const BOUNDED: usize = 200;
/// The bound must leave at most one state in this number: its evaluation takes about as long as two expansions.
const WORTH: f64 = 3.0;

/// Returns whether the bound pays. The answer is no if a limit ends the work.
pub(super) fn pays(machine: &Machine, context: &BuildContext) -> bool {
    let Some(relaxed) = &machine.relaxed else { return false };
    let mut buffers = Buffers::default();
    if relaxed.bound(&machine.start, &mut buffers) == Some(0) {
        return false;
    }
    let mut known: FxHashSet<State> = FxHashSet::from_iter([machine.start.clone()]);
    let (mut layer, mut depth) = (vec![machine.start.clone()], 0);
    while known.len() < STATES {
        if context.should_stop() {
            return false;
        }
        let mut next = Vec::new();
        for state in &layer {
            let after = machine.legal_moves(state).into_iter().map(|(_, after)| after);
            next.extend(after.filter(|after| known.insert(after.clone())));
        }
        if next.is_empty() {
            // The whole space is small.
            return false;
        }
        (layer, depth) = (next, depth + 1);
    }
    let growth = root(known.len() as f64, depth);
    let (mut left, mut count) = (0.0, 0.0);
    for state in layer.iter().step_by(layer.len().div_ceil(BOUNDED)) {
        let bound = relaxed.bound(state, &mut buffers);
        left += bound.map_or(0.0, |bound| 1.0 / power(growth, bound));
        count += 1.0;
    }
    left * WORTH < count
}

/// Returns a power, by multiplications alone: the same on all machines.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent.min(1_000)).fold(1.0, |power, _| power * base)
}

/// Returns the root of a number of at least 1, by bisection.
fn root(number: f64, degree: u32) -> f64 {
    let (mut low, mut high) = (1.0, number);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if power(middle, degree) < number {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
