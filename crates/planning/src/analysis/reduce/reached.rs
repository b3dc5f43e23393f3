//! The values that can be reached, under the delete relaxation (Bonet and Geffner 2001).
//!
//! A variable keeps every value that it once had. Then an operator has to be tried again only if it gets the value that it
//! waits for, or if a counter that it reads has got a further value.

use crate::search::BuildContext;
use crate::task::{Condition, CountRange, Effect, Operator, Source, Task, Values, Var};
use std::collections::VecDeque;
use std::mem::{replace, take};
use std::sync::Arc;

/// The end of a list of operators.
const NONE: u32 = u32::MAX;

/// The operators that are tried between two looks at the limits.
const POLL_EVERY: u32 = 64;

/// The values of each variable that are reachable under the delete relaxation.
#[derive(Clone, Debug)]
pub struct Reached {
    pub values: Arc<[Values]>,
    /// The operators in the order in which they could first be applied.
    order: Arc<[u32]>,
}

/// Returns the values that are reachable. If a limit ends the work, the result is invalid.
pub fn reached(task: &Task, context: &BuildContext) -> Reached {
    let mut order = Vec::with_capacity(task.operators.len());
    let values = found(task, (0..task.operators.len() as u32).collect(), context, |number| order.push(number));
    Reached { values: values.into(), order: order.into() }
}

impl Reached {
    /// Returns the values that are reachable in a task made of this one. `numbers` holds, for each operator, its number
    /// here. Operators in their order here seldom wait.
    pub(super) fn again(&self, task: &Task, numbers: &[u32], context: &BuildContext) -> Vec<Values> {
        let mut number_of = vec![NONE; self.order.iter().chain(numbers).max().map_or(0, |most| *most as usize + 1)];
        (0..).zip(numbers).for_each(|(number, &old)| number_of[old as usize] = number);
        let mut open = VecDeque::with_capacity(numbers.len());
        for old in self.order.iter().chain(numbers) {
            let number = replace(&mut number_of[*old as usize], NONE);
            if number != NONE {
                open.push_back(number);
            }
        }
        found(task, open, context, |_| ())
    }
}

/// Finds the values that are reachable. All operators are tried in this order; `apply` is called with each that applies,
/// once or more.
fn found(task: &Task, open: VecDeque<u32>, context: &BuildContext, mut apply: impl FnMut(u32)) -> Vec<Values> {
    let mut reached: Vec<Values> = task.start.iter().map(|&value| Values::one(value)).collect();
    let counters = Counters::new(task);
    let mut bounds = counter_bounds(task, &reached);
    let mut agenda = Agenda::new(task, open);
    for step in 0_u32.. {
        let is_stopped = || step.is_multiple_of(POLL_EVERY) && context.should_stop();
        let Some(number) = agenda.open.pop_front().filter(|_| !is_stopped()) else { break };
        let operator = &task.operators[number as usize];
        // Most conditions exclude few of thousands of places, and not the one at the start.
        let can_hold = |(var, values): &Condition| values.contains(task.start[*var]) || values.meets(&reached[*var]);
        if let Some(unmet) = operator.conditions.iter().find(|condition| !can_hold(condition)) {
            agenda.wait_for(number, unmet);
            continue;
        }
        // An operator that applies reaches all its constants at once, but more of a table with more old values.
        let applies = extras_can_hold(operator, &reached, &bounds);
        let has_tables = operator.effects.iter().any(|effect| effect.source.reads().is_some());
        agenda.state[number as usize] = if applies && !has_tables { State::Done } else { State::Waiting };
        if !applies {
            continue;
        }
        apply(number);
        for Effect { target, source } in &operator.effects {
            let new = match source {
                Source::Value(value) if reached[*target].contains(*value) => continue,
                Source::Value(value) => Values::one(*value),
                Source::Table(var, _) => {
                    source.values(|_| task.allowed(operator, *var).and(&reached[*var])).without(&reached[*target])
                }
            };
            if new.is_empty() {
                continue;
            }
            let counts = &counters.of_variable[*target];
            let share = |&(counter, fact): &(usize, usize), values: &Values| {
                let counted = &task.counters[counter][fact].1;
                (u32::from(values.is_within(counted)), u32::from(values.meets(counted)))
            };
            let before: Vec<(u32, u32)> = counts.iter().map(|fact| share(fact, &reached[*target])).collect();
            reached[*target].extend(new.iter());
            agenda.wake_for(*target, &new);
            for (fact, (old_least, old_most)) in counts.iter().zip(before) {
                let (least, most) = share(fact, &reached[*target]);
                if (least, most) != (old_least, old_most) {
                    let bound = &mut bounds[fact.0];
                    *bound = (bound.0 + least - old_least, bound.1 + most - old_most);
                    agenda.wake(&counters.readers[fact.0]);
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
    can_hold(&operator.conditions, reached) && extras_can_hold(operator, reached, bounds)
}

/// Returns whether conditions can hold.
fn can_hold(all: &[Condition], reached: &[Values]) -> bool {
    all.iter().all(|(var, values)| values.meets(&reached[*var]))
}

/// Returns whether the disjunctions and counters of an operator allow it to apply.
fn extras_can_hold(operator: &Operator, reached: &[Values], bounds: &[(u32, u32)]) -> bool {
    let can_count = |range: &CountRange| {
        let (least, most) = bounds[range.counter];
        range.least <= most && range.most >= least
    };
    operator.disjunctions.iter().all(|any| any.iter().any(|all| can_hold(all, reached)))
        && operator.counts.iter().all(can_count)
}

/// What an operator can still reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Perhaps something: it is in the queue.
    Open,
    /// Nothing, until one of its conditions can hold: it is in one list of operators that wait for a value.
    Unmet,
    /// Nothing, unless a counter, or a variable of a disjunction or a table, gets a further value.
    Waiting,
    /// Nothing.
    Done,
}

/// The operators that may reach a further value, and those that wait. A condition that can hold is looked at no more,
/// since values stay: so an operator waits for one value at a time, however often the variables it reads get others.
struct Agenda {
    open: VecDeque<u32>,
    state: Vec<State>,
    /// The number of each variable's first value as a fact.
    facts: Vec<usize>,
    /// For each fact, the first of the operators that wait for it.
    for_fact: Vec<u32>,
    /// For each variable, the first of the operators that wait for one of several values of it.
    for_variable: Vec<u32>,
    /// For each operator, the next of the same list. An operator is in one list at most.
    next: Vec<u32>,
    /// For each variable, the operators whose disjunctions or tables read it.
    readers: Vec<Vec<u32>>,
}

impl Agenda {
    fn new(task: &Task, open: VecDeque<u32>) -> Agenda {
        let mut readers = vec![Vec::new(); task.variables.len()];
        for (number, operator) in (0..).zip(&task.operators) {
            let in_disjunctions = operator.disjunctions.iter().flatten().flatten().map(|(var, _)| *var);
            for var in in_disjunctions.chain(operator.effects.iter().filter_map(|effect| effect.source.reads())) {
                let readers: &mut Vec<u32> = &mut readers[var];
                if readers.last() != Some(&number) {
                    readers.push(number);
                }
            }
        }
        let mut all = 0;
        let first = |var: Var| {
            all += task.size(var);
            all - task.size(var)
        };
        let facts = (0..task.variables.len()).map(first).collect();
        Agenda {
            facts,
            for_fact: vec![NONE; all],
            next: vec![NONE; task.operators.len()],
            open,
            state: vec![State::Open; task.operators.len()],
            for_variable: vec![NONE; task.variables.len()],
            readers,
        }
    }

    fn wait_for(&mut self, number: u32, (var, values): &Condition) {
        self.state[number as usize] = State::Unmet;
        let first = match values.only() {
            Some(value) => &mut self.for_fact[self.facts[*var] + usize::from(value)],
            None => &mut self.for_variable[*var],
        };
        self.next[number as usize] = replace(first, number);
    }

    /// Opens the operators that a variable's new values concern.
    fn wake_for(&mut self, var: Var, new: &Values) {
        let of_variable = replace(&mut self.for_variable[var], NONE);
        self.open_all(of_variable);
        for value in new.iter() {
            let of_fact = replace(&mut self.for_fact[self.facts[var] + usize::from(value)], NONE);
            self.open_all(of_fact);
        }
        let readers = take(&mut self.readers[var]);
        self.wake(&readers);
        self.readers[var] = readers;
    }

    /// Opens the operators of a list.
    fn open_all(&mut self, mut number: u32) {
        while number != NONE {
            self.state[number as usize] = State::Open;
            self.open.push_back(number);
            number = self.next[number as usize];
        }
    }

    fn wake(&mut self, readers: &[u32]) {
        for &number in readers {
            if self.state[number as usize] == State::Waiting {
                self.state[number as usize] = State::Open;
                self.open.push_back(number);
            }
        }
    }
}

/// The variables that counters read, and the operators that read counters.
struct Counters {
    /// For each variable, the counters that read it, with the number of the fact.
    of_variable: Vec<Vec<(usize, usize)>>,
    /// For each counter, the operators that read it.
    readers: Vec<Vec<u32>>,
}

impl Counters {
    fn new(task: &Task) -> Counters {
        let mut of_variable = vec![Vec::new(); task.variables.len()];
        for (number, counter) in task.counters.iter().enumerate() {
            counter.iter().enumerate().for_each(|(fact, (var, _))| of_variable[*var].push((number, fact)));
        }
        let mut readers = vec![Vec::new(); task.counters.len()];
        for (number, operator) in (0..).zip(&task.operators) {
            operator.counts.iter().for_each(|range| readers[range.counter].push(number));
        }
        Counters { of_variable, readers }
    }
}
