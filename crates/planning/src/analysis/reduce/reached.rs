//! The values that can be reached, under the delete relaxation (Bonet and Geffner 2001).
//!
//! A variable keeps every value that it once had. Then an operator has to be tried again only if a variable or a
//! counter that it reads has got a further value.

use crate::search::BuildContext;
use crate::task::{Condition, CountRange, Operator, Task, Values};
use std::collections::VecDeque;
use std::mem::replace;

/// The operators that are tried between two looks at the limits.
const POLL_EVERY: u32 = 64;

/// Returns the values of each variable that are reachable under the delete relaxation.
pub fn reached(task: &Task, context: &BuildContext) -> Vec<Values> {
    let mut reached: Vec<Values> = task.start.iter().map(|&value| Values::one(value)).collect();
    let readers = Readers::new(task);
    let mut bounds = counter_bounds(task, &reached);
    // The operators that may reach a further value.
    let mut open: VecDeque<u32> = (0..task.operators.len() as u32).collect();
    let mut state = vec![State::Open; task.operators.len()];
    for step in 0_u32.. {
        let is_stopped = || step.is_multiple_of(POLL_EVERY) && context.should_stop();
        let Some(number) = open.pop_front().filter(|_| !is_stopped()) else { break };
        let operator = &task.operators[number as usize];
        state[number as usize] = State::Waiting;
        if !can_apply(operator, &reached, &bounds) {
            continue;
        }
        // An operator that applies reaches all its constants at once, but more of a table with more old values.
        let has_tables = operator.effects.iter().any(|effect| effect.source.reads().is_some());
        if !has_tables {
            state[number as usize] = State::Done;
        }
        for effect in &operator.effects {
            let new = effect.source.values(|var| task.allowed(operator, var).and(&reached[var]));
            if new.is_within(&reached[effect.target]) {
                continue;
            }
            let all = reached[effect.target].or(&new);
            let before = replace(&mut reached[effect.target], all);
            let after = &reached[effect.target];
            let mut wake = |readers: &[u32]| {
                for &reader in readers {
                    if state[reader as usize] == State::Waiting {
                        state[reader as usize] = State::Open;
                        open.push_back(reader);
                    }
                }
            };
            wake(&readers.of_variable[effect.target]);
            for &(counter, fact) in &readers.counters[effect.target] {
                let counted = &task.counters[counter][fact].1;
                let share = |values: &Values| (u32::from(values.is_within(counted)), u32::from(values.meets(counted)));
                let ((least, most), (old_least, old_most)) = (share(after), share(&before));
                if (least, most) != (old_least, old_most) {
                    let bound = &mut bounds[counter];
                    *bound = (bound.0 + least - old_least, bound.1 + most - old_most);
                    wake(&readers.of_counter[counter]);
                }
            }
        }
    }
    reached
}

/// Returns the least and the greatest value of each counter.
pub(super) fn counter_bounds(task: &Task, reached: &[Values]) -> Vec<(u32, u32)> {
    (0..task.counters.len()).map(|counter| task.bounds(counter, |var| reached[var].clone())).collect()
}

/// Returns whether an operator can apply under the delete relaxation, given the bounds of the counters.
pub(super) fn can_apply(operator: &Operator, reached: &[Values], bounds: &[(u32, u32)]) -> bool {
    let can_hold = |all: &Vec<Condition>| all.iter().all(|(var, values)| values.meets(&reached[*var]));
    let can_count = |range: &CountRange| {
        let (least, most) = bounds[range.counter];
        range.least <= most && range.most >= least
    };
    can_hold(&operator.conditions)
        && operator.disjunctions.iter().all(|any| any.iter().any(can_hold))
        && operator.counts.iter().all(can_count)
}

/// What an operator can still reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Perhaps something: it is in the queue.
    Open,
    /// Nothing, unless a variable that it reads gets a further value.
    Waiting,
    /// Nothing.
    Done,
}

/// What reads each variable and each counter.
struct Readers {
    /// For each variable, the operators whose conditions or tables read it.
    of_variable: Vec<Vec<u32>>,
    /// For each variable, the counters that read it, with the number of the fact.
    counters: Vec<Vec<(usize, usize)>>,
    /// For each counter, the operators that read it.
    of_counter: Vec<Vec<u32>>,
}

impl Readers {
    fn new(task: &Task) -> Readers {
        let mut readers = Readers {
            of_variable: vec![Vec::new(); task.variables.len()],
            counters: vec![Vec::new(); task.variables.len()],
            of_counter: vec![Vec::new(); task.counters.len()],
        };
        for (number, counter) in task.counters.iter().enumerate() {
            counter.iter().enumerate().for_each(|(fact, (var, _))| readers.counters[*var].push((number, fact)));
        }
        for (number, operator) in (0..).zip(&task.operators) {
            for var in operator.read() {
                if readers.of_variable[var].last() != Some(&number) {
                    readers.of_variable[var].push(number);
                }
            }
            operator.counts.iter().for_each(|range| readers.of_counter[range.counter].push(number));
        }
        readers
    }
}
