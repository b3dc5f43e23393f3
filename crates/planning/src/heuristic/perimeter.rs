//! A perimeter around the goals: all states up to some distance from a goal, found by a search backwards.
//!
//! Inside the perimeter h is the exact distance, and outside it is at least the least distance that is not complete
//! (Dillenburg and Nelson, Perimeter search, Artificial Intelligence 65, 1994; the table itself serves as in Felner and
//! Ofek, Combining perimeter search and pattern database abstractions, 2007). A search with this h is a search from
//! both ends: the forward half ends where it meets the perimeter. It pays where the goals are few and other bounds
//! weak.
//!
//! States of the table are stable states, one for each class of symmetric ones. The regression is a superset of the
//! predecessors, so a distance is never too large.

use super::potentials::Potentials;
use super::{DEAD, Heuristic, Proof, Registration, limit_message};
use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::vanishing::Stable;
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::Value;
use crate::task::lifting::FactWeights;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The registration of perimeters.
pub static PERIMETER: Registration = Registration {
    facts: HeuristicFacts {
        name: "perimeter",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "exact distances near the goals, by a search backwards (Dillenburg, Nelson 1994), and `potentials` \
                  outside this perimeter",
        because: "every state that is as near to a goal as the perimeter is wide is in its table",
    },
    build: |task, context| {
        let stable = states_with_goals(task, context).ok_or(NO_GOALS)?;
        let elsewhere = Potentials::new(&task.reduced.task, context).ok();
        Ok(Arc::new(Perimeter::new(&stable, elsewhere, context)?))
    },
    refuses: |task, context| states_with_goals(task, context).is_none().then(|| NO_GOALS.to_owned()),
};

/// The reason why a search backwards cannot begin.
const NO_GOALS: &str = "no search backwards: the goals are too many to list, or a position takes more than 64 bits, or a \
                        move can have too many positions before it";

/// Returns the stable states, or all, if a search backwards can begin at all goals.
fn states_with_goals(task: &AnalysedTask, context: &BuildContext) -> Option<Arc<Stable>> {
    let symmetries = || task.symmetries(context);
    let all = || Stable::of_all_states(&task.reduced.task, symmetries().group(), context).map(Arc::new);
    task.stable(context).or_else(all).filter(|stable| stable.list_goals(MOST_GOALS).is_some())
}

/// The number of states at size 0 with which no further distance is begun. Each further size multiplies it by 8.
const STATES: usize = 1 << 15;

/// To complete a distance, the table may grow to this multiple of that number.
const EXCESS: usize = 4;

/// The most goals.
pub const MOST_GOALS: usize = 1 << 14;

/// The number of states passed through between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 1 << 14;

/// Bytes of an entry, with the slack of the table.
const ENTRY_BYTES: u64 = 34;

/// Distances are stored in a byte.
const MOST_DISTANCE: u32 = 250;

/// A table of distances around the goals, and other weights outside it.
pub struct Perimeter {
    stable: Arc<Stable>,
    distances: FxHashMap<u64, u8>,
    /// A lower bound on the distance of all other states.
    outside: u32,
    elsewhere: Option<Potentials>,
}

impl Perimeter {
    /// Searches backwards from the goals. Outside the perimeter, other weights may give more.
    ///
    /// # Errors
    /// Why there is no perimeter.
    fn new(stable: &Arc<Stable>, elsewhere: Option<Potentials>, context: &BuildContext) -> Result<Perimeter, String> {
        let size = 3 * u32::from(context.size.unwrap_or(0)).min(4);
        let room = context.table_memory().map_or(u64::MAX, |room| room / ENTRY_BYTES / 2);
        let begun = (STATES << size).min(usize::try_from(room).unwrap_or(usize::MAX) / EXCESS);
        Perimeter::with_states(begun, stable, elsewhere, context)
    }

    /// Begins no further distance once the table has `begun` states.
    pub(super) fn with_states(
        begun: usize,
        stable: &Arc<Stable>,
        elsewhere: Option<Potentials>,
        context: &BuildContext,
    ) -> Result<Perimeter, String> {
        let goals = stable.list_goals(MOST_GOALS).ok_or("the goals are too many to list")?;
        let mut distances: FxHashMap<u64, u8> = goals.iter().map(|&goal| (goal, 0)).collect();
        let mut open = BTreeMap::from([(0, goals)]);
        let mut outside = DEAD;
        // The number of states passed through since the last look at the limits.
        let mut passed = 0;
        'search: while let Some((distance, mut now)) = open.pop_first() {
            outside = distance + stable.least_cost();
            if distances.len() >= begun || distance >= MOST_DISTANCE {
                break;
            }
            let mut number = 0;
            // A move of cost 0 may extend this list during the loop.
            while let Some(&code) = now.get(number) {
                number += 1;
                if u32::from(distances[&code]) != distance {
                    continue;
                }
                if passed > STATES_BETWEEN_LOOKS {
                    passed = 0;
                    if context.should_stop() {
                        return Err(limit_message());
                    }
                }
                passed += stable.predecessors(code, |cost, before| {
                    let before = stable.canonical(before);
                    let reached = (distance + cost).min(MOST_DISTANCE);
                    let known = distances.entry(before).or_insert(u8::MAX);
                    if reached < u32::from(*known) {
                        *known = reached as u8;
                        let list = if cost == 0 { &mut now } else { open.entry(reached).or_default() };
                        list.push(before);
                    }
                });
                if distances.len() >= begun.saturating_mul(EXCESS) {
                    break 'search;
                }
            }
            outside = DEAD;
        }
        Ok(Perimeter { stable: Arc::clone(stable), distances, outside, elsewhere })
    }
}

impl Heuristic for Perimeter {
    fn h(&self, state: &[Value]) -> u32 {
        let other = self.elsewhere.as_ref().map_or(0, |other| other.h(state));
        if other == DEAD {
            return DEAD;
        }
        let Some(code) = self.stable.code(state) else { return other };
        let inside = self.distances.get(&self.stable.canonical(code)).map(|&distance| u32::from(distance));
        match inside {
            Some(distance) if distance <= self.outside => distance.max(other),
            _ => self.outside.max(other),
        }
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let words = "a search backwards from the goals finds all states that lead to one, and not this";
        let weights = self.elsewhere.as_ref().and_then(|elsewhere| elsewhere.refutation(state));
        weights.or(Some(Proof::Words(words)))
    }

    fn dead_end_weights(&self) -> Vec<(FactWeights, i64)> {
        self.elsewhere.as_ref().map_or(Vec::new(), Heuristic::dead_end_weights)
    }

    fn bytes(&self) -> u64 {
        self.distances.len() as u64 * ENTRY_BYTES + self.elsewhere.as_ref().map_or(0, Heuristic::bytes)
    }

    fn describe(&self) -> String {
        let (states, outside) = (self.distances.len(), self.outside);
        let elsewhere = self.elsewhere.as_ref().map_or(String::new(), |other| format!(", and {}", other.describe()));
        match outside {
            DEAD => format!("all {states} states from which a goal can be reached{elsewhere}"),
            _ => format!("{states} states around the goals, all others at least {outside} away{elsewhere}"),
        }
    }
}
