//! The least costs of one task from many starts: the operators are indexed once, and no start is analysed.
//!
//! The search is A* (Hart, Nilsson and Raphael 1968) with a bound that is quick to make for each drawing (`bound`), if the
//! task has one, and else that of Dijkstra (1959). States have a byte for each variable. An operator is looked
//! at only in states in which its *trigger* holds, the rarest of its conditions. So the thousands of operators that fit
//! any drawing of a grid cost as little as those that fit one: in a state, about as many are looked at as apply. Hashes
//! are sums over the variables (Zobrist 1970), so that a successor's follows from its few changes.

mod backwards;
mod bound;
mod shortcut;
mod solutions;

pub use backwards::Wanted;

use super::task::{Condition, Count, CountRange, Goal, Source, Task, Value, Values, Var, all_hold};
use bound::{Bound, Moved, Pieces};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The most values of a variable: a set of them is one word.
const MOST_VALUES: usize = 64;

/// The parent of a start.
const NO_PARENT: (u32, u32) = (u32::MAX, 0);

/// An operator as masks.
struct Indexed {
    cost: u64,
    trigger: Option<(u16, u64)>,
    /// The conditions but the trigger, those that fail most often first.
    conditions: Vec<(u16, u64)>,
    counts: Vec<CountRange>,
    effects: Vec<(u16, Write)>,
    /// Its number in the task, if it has disjunctions.
    disjunctions: Option<usize>,
    /// The values that it takes and puts; all of them if it is not known.
    moved: u64,
}

impl Indexed {
    /// Returns the variables that it writes in a state, and their values.
    #[inline]
    fn writes<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = (usize, u8)> + 'a {
        self.effects.iter().map(|(target, write)| {
            let value = match write {
                Write::Value(value) => *value,
                Write::Table(var, table) => table[usize::from(state[usize::from(*var)])],
            };
            (usize::from(*target), value)
        })
    }
}

/// What an effect writes.
enum Write {
    Value(u8),
    Table(u16, Box<[u8]>),
}

/// A conjunction of conditions and of bounds on counts.
struct Conjunction {
    conditions: Vec<(u16, u64)>,
    counts: Vec<CountRange>,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The least cost in units of the task; `None` if there is no solution.
    pub cost: Option<u64>,
    /// The number of paths of this cost to a goal, if no operator costs nothing.
    pub solutions: Option<u64>,
    /// The number of states whose successors were made.
    pub expanded: u64,
    /// The number of successors.
    pub generated: u64,
}

/// A task that is solved from many starts.
pub struct Starts {
    task: Task,
    operators: Vec<Indexed>,
    /// For each variable and value the operators with this trigger: a range of `triggered`.
    ranges: Vec<(u32, u32)>,
    triggered: Vec<u32>,
    /// The operators without a trigger.
    always: Vec<u32>,
    /// For each variable the number before that of its first value.
    first: Vec<u32>,
    counters: Vec<Vec<(u16, u64)>>,
    never: Vec<Conjunction>,
    has_free_moves: bool,
    /// How pieces move, if that gives a bound.
    pieces: Option<Pieces>,
    /// The task of the inverse moves, built at the first search backwards.
    backwards: OnceLock<Option<Box<Starts>>>,
}

/// Buffers of [`each_successor`](Starts::each_successor), kept from one state to the next.
#[derive(Default)]
struct Scratch {
    next: Vec<u8>,
    counts: Vec<u32>,
    wide: Vec<Value>,
}

/// A search that has ended.
struct Run {
    found: Found,
    known: States,
    /// The goal that was found.
    end: Option<u32>,
    /// False if the states were not enough.
    is_complete: bool,
}

impl Starts {
    /// Indexes the operators of a task, whose own start shows which values are rare. Returns `None` if a variable has too
    /// many values.
    #[must_use]
    pub fn new(task: Task) -> Option<Starts> {
        let fits = task.variables.iter().all(|variable| variable.values.len() <= MOST_VALUES);
        if !fits || task.variables.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut frequency: FxHashMap<(usize, Value), usize> = FxHashMap::default();
        for (variable, value) in task.variables.iter().zip(&task.start) {
            // Cells share their values.
            *frequency.entry((variable.values.as_ptr() as usize, *value)).or_default() += 1;
        }
        let weight = |(var, values): &Condition| -> usize {
            let of = task.variables[*var].values.as_ptr() as usize;
            values.iter().map(|value| frequency.get(&(of, value)).copied().unwrap_or(0)).sum()
        };
        let mut first = Vec::new();
        let mut facts = 0;
        for variable in &task.variables {
            first.push(facts as u32);
            facts += variable.values.len();
        }
        let mut by_fact: Vec<Vec<u32>> = vec![Vec::new(); facts];
        let (mut operators, mut always) = (Vec::new(), Vec::new());
        for (number, operator) in task.operators.iter().enumerate() {
            let mut conditions: Vec<&Condition> = operator.conditions.iter().collect();
            conditions.sort_by_key(|condition| weight(condition));
            let trigger = conditions.first().copied().map(masked);
            match conditions.first() {
                Some((var, values)) => {
                    values.iter().for_each(|value| {
                        by_fact[first[*var] as usize + usize::from(value)].push(number as u32);
                    });
                    conditions.remove(0);
                }
                None => always.push(number as u32),
            }
            let effect = |source: &Source| match source {
                Source::Value(value) => Write::Value(*value as u8),
                Source::Table(var, table) => {
                    Write::Table(*var as u16, table.iter().map(|value| *value as u8).collect())
                }
            };
            operators.push(Indexed {
                cost: operator.cost.into(),
                trigger,
                conditions: conditions.into_iter().map(masked).collect(),
                counts: operator.counts.clone(),
                effects: operator.effects.iter().map(|one| (one.target as u16, effect(&one.source))).collect(),
                disjunctions: (!operator.disjunctions.is_empty()).then_some(number),
                moved: Moved::of(&task, number).map_or(u64::MAX, |moved| moved.values()),
            });
        }
        let (mut ranges, mut triggered) = (Vec::new(), Vec::new());
        for numbers in by_fact {
            let begin = triggered.len() as u32;
            triggered.extend(numbers);
            ranges.push((begin, triggered.len() as u32));
        }
        let counters = task.counters.iter().map(|counter| counter.iter().map(masked).collect()).collect();
        let never = task.never.iter().map(|never| Conjunction {
            conditions: never.conditions.iter().map(masked).collect(),
            counts: never.counts.clone(),
        });
        let never = never.collect();
        let has_free_moves = task.operators.iter().any(|operator| operator.cost == 0);
        let (pieces, backwards) = (Pieces::of(&task), OnceLock::new());
        Some(Starts {
            has_free_moves,
            operators,
            ranges,
            triggered,
            always,
            first,
            counters,
            never,
            pieces,
            backwards,
            task,
        })
    }

    /// Returns the task.
    #[must_use]
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Searches for the least cost from a start to one of these goals. Returns `None` if the start is forbidden, and if
    /// there are more than `most` states to expand.
    #[must_use]
    pub fn search(&self, start: &[Value], goals: &[Goal], most: u64) -> Option<Found> {
        Some(self.searched(start, goals, None, most)?.found)
    }

    /// Searches from one start; `None` as [`search`](Self::search).
    fn searched(&self, start: &[Value], goals: &[Goal], below: Option<u64>, most: u64) -> Option<Run> {
        let goals: Vec<IndexedGoal> = goals.iter().map(IndexedGoal::of).collect();
        let first: Vec<u8> = start.iter().map(|value| *value as u8).collect();
        if self.is_forbidden(&first) {
            return None;
        }
        let conditions: Vec<&[(u16, u64)]> = goals.iter().map(|goal| &goal.conditions[..]).collect();
        let bound = self.pieces.as_ref().map(|pieces| pieces.bound(&first, &conditions));
        Some(self.run(&[first], &goals, bound.as_ref(), below, most)).filter(|run| run.is_complete)
    }

    /// Searches from all these starts at once; without goals, expands all states.
    fn run(
        &self,
        starts: &[Vec<u8>],
        goals: &[IndexedGoal],
        bound: Option<&Bound>,
        below: Option<u64>,
        most: u64,
    ) -> Run {
        let mut known = States::new(self.task.variables.len());
        let mut found = Found { cost: None, solutions: None, expanded: 0, generated: 0 };
        // By the sum of cost and bound. Among equal sums, solutions can be counted if lower costs come first; otherwise
        // states near to a goal do.
        let mut open: BTreeMap<(u64, u64), Vec<u32>> = BTreeMap::new();
        let key = |cost: u64, more: u64| (cost + more, if self.has_free_moves { u64::MAX - cost } else { cost });
        let is_below = |sum: u64| below.is_none_or(|below| sum < below);
        // The bounds of the states known; `None` for a dead end.
        let mut bounds: Vec<Option<u64>> = Vec::new();
        for first in starts {
            let Some(number) = known.add(first, state_hash(first), 0, 1, NO_PARENT) else { continue };
            let more = bound.map_or(Some(0), |bound| bound.of(first));
            bounds.push(more);
            if let Some(more) = more.filter(|more| is_below(*more)) {
                open.entry(key(0, more)).or_default().push(number);
            }
        }
        let active = starts.first().map_or_else(Vec::new, |start| self.active(start));
        let mut scratch = Scratch::default();
        let (mut state, mut solutions) = (vec![0; self.task.variables.len()], 0_u64);
        let mut end = None;
        while let Some(((sum, _), numbers)) = open.pop_first() {
            for number in numbers {
                let cost = known.costs[number as usize];
                let more = bounds[number as usize];
                if more.is_none_or(|more| cost + more != sum) || !known.close(number) {
                    continue;
                }
                state.copy_from_slice(known.state(number));
                let paths = known.paths[number as usize];
                if more == Some(0) && goals.iter().any(|goal| goal.holds(&state, &mut scratch.wide)) {
                    (found.cost, end) = (Some(cost), end.or(Some(number)));
                    solutions = solutions.saturating_add(paths);
                }
                if found.cost.is_some() {
                    continue;
                }
                if found.expanded == most {
                    return Run { found, known, end, is_complete: false };
                }
                found.expanded += 1;
                let hash = known.hashes[number as usize];
                self.each_successor(&active, &state, hash, &mut scratch, |by, next, hash| {
                    found.generated += 1;
                    let operator = &self.operators[by as usize];
                    let cost = cost + operator.cost;
                    let Some(number) = known.add(next, hash, cost, paths, (number, by)) else { return };
                    if number as usize == bounds.len() {
                        let same = bound.is_none_or(|bound| operator.moved & bound.values == 0);
                        bounds.push(if same { more } else { bound.and_then(|bound| bound.of(next)) });
                    }
                    if let Some(more) = bounds[number as usize].filter(|more| is_below(cost + *more)) {
                        open.entry(key(cost, more)).or_default().push(number);
                    }
                });
            }
            if found.cost.is_some() {
                found.solutions = (!self.has_free_moves).then_some(solutions);
                break;
            }
        }
        Run { found, known, end, is_complete: true }
    }

    /// Calls `each` with the operators that apply in a state with this hash, the states after them, and their hashes.
    /// `active` is of a state with the same pieces.
    #[inline]
    fn each_successor(
        &self,
        active: &[usize],
        state: &[u8],
        hash: u64,
        scratch: &mut Scratch,
        mut each: impl FnMut(u32, &[u8], u64),
    ) {
        let Scratch { next, counts, wide } = scratch;
        self.count(state, counts);
        let of_facts = active.iter().flat_map(|&var| {
            let (begin, end) = self.ranges[self.first[var] as usize + usize::from(state[var])];
            &self.triggered[begin as usize..end as usize]
        });
        for &by in of_facts.chain(&self.always) {
            let operator = &self.operators[by as usize];
            if !self.applies(operator, state, counts, wide) {
                continue;
            }
            next.clear();
            next.extend_from_slice(state);
            let mut hash = hash;
            for (target, value) in operator.writes(state) {
                hash ^= fact_hash(target, state[target]) ^ fact_hash(target, value);
                next[target] = value;
            }
            if self.never.is_empty() || !self.is_forbidden(next) {
                each(by, next, hash);
            }
        }
    }

    /// Returns whether an operator applies in a state in which its trigger holds.
    #[inline]
    fn applies(&self, operator: &Indexed, state: &[u8], counts: &[u32], wide: &mut Vec<Value>) -> bool {
        hold(&operator.conditions, state)
            && operator.counts.iter().all(|range| range.contains(counts[range.counter]))
            && operator.disjunctions.is_none_or(|number| self.is_open(number, state, wide))
    }

    /// Returns the variables that may trigger operators in the room of a start.
    fn active(&self, start: &[u8]) -> Vec<usize> {
        let triggers = |var: usize, value: usize| {
            let (begin, end) = self.ranges[self.first[var] as usize + value];
            begin < end
        };
        let possible = |var: usize| self.pieces.as_ref().map_or(u64::MAX, |pieces| pieces.possible(start[var]));
        let values = |var: usize| 0..self.task.variables[var].values.len();
        let is_active =
            |var: &usize| values(*var).any(|value| possible(*var) >> value & 1 == 1 && triggers(*var, value));
        (0..start.len()).filter(is_active).collect()
    }

    /// Counts the facts of each counter.
    fn count(&self, state: &[u8], counts: &mut Vec<u32>) {
        counts.clear();
        counts.extend(self.counters.iter().map(|counter| counted(counter, state)));
    }

    /// Returns whether a state is forbidden.
    fn is_forbidden(&self, state: &[u8]) -> bool {
        let in_range = |range: &CountRange| range.contains(counted(&self.counters[range.counter], state));
        self.never.iter().any(|never| hold(&never.conditions, state) && never.counts.iter().all(in_range))
    }

    /// Returns whether the disjunctions of an operator hold.
    fn is_open(&self, number: usize, state: &[u8], wide: &mut Vec<Value>) -> bool {
        widen(state, wide);
        let disjunctions = &self.task.operators[number].disjunctions;
        disjunctions.iter().all(|any| any.iter().any(|conditions| all_hold(conditions, wide)))
    }
}

/// A goal as masks.
struct IndexedGoal<'a> {
    conditions: Vec<(u16, u64)>,
    counts: Vec<(Vec<(u16, u64)>, &'a Count)>,
    whole: &'a Goal,
}

impl<'a> IndexedGoal<'a> {
    fn of(goal: &'a Goal) -> IndexedGoal<'a> {
        let counts = goal.counts.iter().map(|count| (count.of.iter().map(masked).collect(), count)).collect();
        IndexedGoal { conditions: goal.conditions.iter().map(masked).collect(), counts, whole: goal }
    }

    fn holds(&self, state: &[u8], wide: &mut Vec<Value>) -> bool {
        if !hold(&self.conditions, state) {
            return false;
        }
        let in_range = |(of, count): &(Vec<_>, &Count)| (count.least..=count.most).contains(&counted(of, state));
        self.counts.iter().all(in_range)
            && (self.whole.disjunctions.is_empty() || {
                widen(state, wide);
                self.whole.holds(wide)
            })
    }
}

/// The states found so far, in a hash table with linear probing.
struct States {
    width: usize,
    bytes: Vec<u8>,
    hashes: Vec<u64>,
    costs: Vec<u64>,
    /// The number of paths of this cost.
    paths: Vec<u64>,
    /// The state before on a cheapest path, and the operator.
    parents: Vec<(u32, u32)>,
    is_closed: Vec<bool>,
    /// The numbers of states, plus 1; 0 for an empty place. The length is a power of 2.
    table: Vec<u32>,
}

impl States {
    fn new(width: usize) -> States {
        let table = vec![0; 256];
        let (bytes, hashes, costs, paths, parents, is_closed) = Default::default();
        States { width, bytes, hashes, costs, paths, parents, is_closed, table }
    }

    fn state(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.width..][..self.width]
    }

    /// Returns the number of a state, if it is known.
    fn find(&self, state: &[u8], hash: u64) -> Option<u32> {
        let mut at = self.place(hash);
        while let Some(number) = self.table[at].checked_sub(1) {
            if self.hashes[number as usize] == hash && self.state(number) == state {
                return Some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
        None
    }

    /// Marks a state as expanded; returns false if it was.
    fn close(&mut self, number: u32) -> bool {
        !std::mem::replace(&mut self.is_closed[number as usize], true)
    }

    /// Adds a state that this many paths of this cost lead to, or lowers its cost. Returns its number unless it is known at
    /// no greater cost.
    fn add(&mut self, state: &[u8], hash: u64, cost: u64, paths: u64, parent: (u32, u32)) -> Option<u32> {
        let mut at = self.place(hash);
        while let Some(number) = self.table[at].checked_sub(1) {
            if self.hashes[number as usize] == hash && self.state(number) == state {
                let (known, all) = (&mut self.costs[number as usize], &mut self.paths[number as usize]);
                let order = cost.cmp(known);
                match order {
                    Ordering::Less => {
                        (*known, *all) = (cost, paths);
                        self.parents[number as usize] = parent;
                    }
                    Ordering::Equal => *all = all.saturating_add(paths),
                    Ordering::Greater => {}
                }
                return (order == Ordering::Less).then_some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
        let number = self.hashes.len() as u32;
        self.table[at] = number + 1;
        self.bytes.extend_from_slice(state);
        self.hashes.push(hash);
        self.costs.push(cost);
        self.paths.push(paths);
        self.parents.push(parent);
        self.is_closed.push(false);
        if self.hashes.len() * 2 > self.table.len() {
            self.grow();
        }
        Some(number)
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 4];
        for (number, hash) in (1..).zip(&self.hashes) {
            let mut at = self.place(*hash);
            while self.table[at] != 0 {
                at = (at + 1) & (self.table.len() - 1);
            }
            self.table[at] = number;
        }
    }

    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.table.len() - 1)
    }
}

/// Returns the hash of a state.
fn state_hash(state: &[u8]) -> u64 {
    state.iter().enumerate().fold(0, |hash, (var, value)| hash ^ fact_hash(var, *value))
}

/// Returns the part of a hash that a fact contributes.
#[inline]
fn fact_hash(var: usize, value: u8) -> u64 {
    let fact = (var as u64) << 8 | u64::from(value);
    let mixed = (fact + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn masked((var, values): &(Var, Values)) -> (u16, u64) {
    (*var as u16, values.iter().fold(0, |mask, value| mask | 1 << value))
}

#[inline]
fn hold(conditions: &[(u16, u64)], state: &[u8]) -> bool {
    conditions.iter().all(|(var, mask)| mask >> state[usize::from(*var)] & 1 == 1)
}

fn counted(of: &[(u16, u64)], state: &[u8]) -> u32 {
    of.iter().filter(|(var, mask)| mask >> state[usize::from(*var)] & 1 == 1).count() as u32
}

fn widen(state: &[u8], wide: &mut Vec<Value>) {
    wide.clear();
    wide.extend(state.iter().map(|value| Value::from(*value)));
}
