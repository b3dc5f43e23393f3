//! Sampled states: the ends of random walks from the start, with a fixed seed.
//!
//! The lengths of the walks are uniform, since no distance is known yet. Samples only guide the choice of heuristics
//! (Haslum, Botea, Helmert, Bonet and Koenig, AAAI 2007); no bound depends on them.

use crate::search::{BuildContext, SplitMix64};
use crate::task::{Task, Value};

/// The number of walks, and of few walks.
const WALKS: u64 = 96;
const FEW_WALKS: u64 = 12;

/// The most steps of a walk.
const STEPS: u64 = 64;

/// The most operators tested over all walks.
const MOST_TESTS: u64 = 1 << 21;

/// The steps of the walk that tests whether moves are undone, and the most operators tested on it.
const UNDONE_STEPS: usize = 16;
const MOST_UNDONE_TESTS: usize = 1 << 18;

/// Returns whether one move undoes each move in the states of a short walk. Guides choices only. If that takes too many
/// tests, it is false.
pub fn moves_are_undone(task: &Task) -> bool {
    let legal = |state: &[Value]| -> Vec<Vec<Value>> {
        let operators = task.operators.iter().filter(|operator| task.holds(operator, state));
        operators.map(|operator| operator.after(state)).filter(|after| task.is_allowed(after)).collect()
    };
    let mut random = SplitMix64::new(0);
    let mut state = task.start.clone();
    let mut tests = 0;
    for _ in 0..UNDONE_STEPS {
        for after in legal(&state) {
            tests += task.operators.len();
            if tests > MOST_UNDONE_TESTS || after != state && !legal(&after).contains(&state) {
                return false;
            }
        }
        let Some(next) = step(task, &state, &mut random) else { return false };
        state = next;
    }
    true
}

/// Returns the distinct ends of the walks in ascending order, without goals.
pub(super) fn states(task: &Task, context: &BuildContext) -> Vec<Vec<Value>> {
    ends_of(WALKS, task, context)
}

/// Returns the ends of a few walks.
pub(super) fn few_states(task: &Task, context: &BuildContext) -> Vec<Vec<Value>> {
    ends_of(FEW_WALKS, task, context)
}

/// Returns the distinct ends of a number of walks in ascending order, without goals.
fn ends_of(walks: u64, task: &Task, context: &BuildContext) -> Vec<Vec<Value>> {
    let mut random = SplitMix64::new(0);
    let mut tests = 0;
    let mut ends = Vec::new();
    for _ in 0..walks {
        let mut state = task.start.clone();
        for _ in 0..=random.below(STEPS) {
            tests += task.operators.len() as u64;
            let next = step(task, &state, &mut random);
            let Some(next) = next.filter(|_| tests <= MOST_TESTS && !context.should_stop()) else { break };
            state = next;
        }
        ends.push(state);
    }
    ends.retain(|state| !task.is_goal(state));
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Returns the state after a uniformly chosen operator that applies and leads to no forbidden state; it may change
/// nothing.
fn step(task: &Task, state: &[Value], random: &mut SplitMix64) -> Option<Vec<Value>> {
    let mut legal: Vec<usize> =
        (0..task.operators.len()).filter(|&at| task.holds(&task.operators[at], state)).collect();
    while !legal.is_empty() {
        let chosen = legal.swap_remove(random.below(legal.len() as u64) as usize);
        let after = task.operators[chosen].after(state);
        if task.is_allowed(&after) {
            return Some(after);
        }
    }
    None
}
