//! States that may be met: the ends of random walks from the start, the same on every run.
//!
//! Walks go forth as far as they please, since nothing is known of the distance when they are made. Heuristics are chosen
//! by how well they do there (Haslum, Botea, Helmert, Bonet and Koenig, AAAI 2007); no bound rests on it.

use crate::domain::{BuildContext, SplitMix64};
use crate::task::{Task, Value};

/// How many walks are made.
const WALKS: u64 = 96;

/// The most steps of a walk.
const STEPS: u64 = 64;

/// How many operators are looked at in all.
const LOOKS: u64 = 1 << 21;

/// The ends of some walks, each once, in rising order, without goals.
pub(super) fn states(task: &Task, context: &BuildContext) -> Vec<Vec<Value>> {
    let mut random = SplitMix64::new(0);
    let mut looks = 0;
    let mut ends = Vec::new();
    for _ in 0..WALKS {
        let mut state = task.start.clone();
        for _ in 0..=random.below(STEPS) {
            looks += task.operators.len() as u64;
            let next = step(task, &state, &mut random);
            let Some(next) = next.filter(|_| looks <= LOOKS && !context.should_stop()) else { break };
            state = next;
        }
        ends.push(state);
    }
    ends.retain(|state| !task.is_goal(state));
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// A state after one of the moves, each as likely as any other.
fn step(task: &Task, state: &[Value], random: &mut SplitMix64) -> Option<Vec<Value>> {
    let mut legal: Vec<usize> = (0..task.operators.len()).filter(|&at| task.operators[at].holds(state)).collect();
    while !legal.is_empty() {
        let drawn = legal.swap_remove(random.below(legal.len() as u64) as usize);
        let after = task.operators[drawn].after(state);
        if task.may_be(&after) {
            return Some(after);
        }
    }
    None
}
