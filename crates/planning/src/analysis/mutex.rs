//! Pairs of facts that no reachable state has: mutual exclusions, by the heuristic h² (Haslum and Geffner 2000).
//!
//! A pair of facts is possible if it holds at the start, or if an operator all of whose pairs of conditions are
//! possible makes one of them or both, and each of its conditions is possible with the other. So the states whose pairs
//! are all possible, the *consistent* ones, include the start, and every operator leads from a consistent state to
//! another one.

use crate::search::BuildContext;
use crate::task::{Condition, Operator, Source, Task, Value, Values, Var};
use engine_search::bit_set::BitSet;

/// The most steps of finding pairs.
const MOST_STEPS: usize = 10_000_000;

/// The most facts times variables.
const MOST_ENTRIES: usize = 1 << 20;

/// The most pairs of facts: some 32 MiB, a bit for each.
const MOST_PAIRS: usize = 1 << 28;

/// The most pairs of facts that exclude each other to be put into groups.
const MOST_EXCLUSIONS: usize = 1 << 16;

/// The product of an effect: its target, the fact that it comes from if it reads one, and the new value.
type Made = (Var, Option<(Var, Value)>, Value);

/// The pairs of facts of a task that are possible.
#[derive(Clone, Debug)]
pub struct Mutexes {
    /// For each fact, the facts that are possible with it.
    together: Vec<BitSet<usize>>,
    /// The number of the first fact of each variable, and of all facts.
    first: Vec<usize>,
}

/// The facts that are possible with one.
#[derive(Clone, Copy)]
pub struct With<'a> {
    facts: &'a BitSet<usize>,
    first: &'a [usize],
}

impl With<'_> {
    /// Returns the possible values of a variable.
    pub fn values(&self, var: Var) -> Values {
        let (first, end) = (self.first[var], self.first[var + 1]);
        self.facts.range(first..end).map(|fact| (fact - first) as Value).collect()
    }

    /// Returns whether a fact is possible.
    fn has(&self, (var, value): (Var, Value)) -> bool {
        self.facts.contains(self.first[var] + usize::from(value))
    }
}

impl Mutexes {
    /// Finds the possible pairs; none if that takes too long.
    pub fn new(task: &Task, context: &BuildContext) -> Option<Mutexes> {
        let mut first = vec![0];
        let mut facts = 0;
        for variable in &task.variables {
            facts += variable.values.len();
            first.push(facts);
        }
        let variables = task.variables.len();
        if facts * variables > MOST_ENTRIES || facts * facts > MOST_PAIRS {
            return None;
        }
        let mut mutexes = Mutexes { together: vec![BitSet::NONE; facts], first };
        for (var, &value) in task.start.iter().enumerate() {
            for (other, &held) in task.start.iter().enumerate() {
                mutexes.insert((var, value), (other, held));
            }
        }
        let mut steps = 0;
        loop {
            let mut has_grown = false;
            for operator in &task.operators {
                steps += variables * (1 + operator.conditions.len()) * (1 + operator.effects.len());
                if steps > MOST_STEPS || context.should_stop() {
                    return None;
                }
                has_grown |= mutexes.apply(task, operator);
            }
            if !has_grown {
                return Some(mutexes);
            }
        }
    }

    /// Returns whether all pairs of facts of a state are possible.
    pub fn is_consistent(&self, state: &[Value]) -> bool {
        let with = |var: Var| self.with((var, state[var]));
        (0..state.len()).all(|var| (0..=var).all(|other| with(var).has((other, state[other]))))
    }

    /// Returns the values that each variable may have in a consistent state in which conditions hold.
    pub fn allowed(&self, task: &Task, conditions: &[Condition]) -> Vec<Values> {
        let possible =
            |var: Var| (0..task.size(var)).map(|at| at as Value).filter(move |&at| self.is_possible((var, at)));
        let mut all: Vec<Values> = (0..task.variables.len()).map(|var| possible(var).collect()).collect();
        for (var, allowed) in conditions {
            all[*var] = all[*var].and(allowed);
            let with = self.with_any(task, *var, allowed);
            all.iter_mut().zip(&with).for_each(|(values, with)| *values = values.and(with));
        }
        all
    }

    /// Returns the facts that hold in no consistent state.
    pub fn impossible(&self) -> Vec<(Var, Value)> {
        self.facts().filter(|&fact| !self.is_possible(fact)).collect()
    }

    fn facts(&self) -> impl Iterator<Item = (Var, Value)> {
        let values = |var: Var| (0..self.first[var + 1] - self.first[var]).map(move |value| (var, value as Value));
        (0..self.first.len() - 1).flat_map(values)
    }

    /// Returns groups of facts, at most one of each of which holds in a consistent state. Each pair of facts of
    /// different variables that are possible, but not together, is in a group; none if there are too many such pairs.
    pub fn groups(&self) -> Option<Vec<Vec<(Var, Value)>>> {
        let facts: Vec<(Var, Value)> = self.facts().filter(|&fact| self.is_possible(fact)).collect();
        let exclude = |one: (Var, Value), other: (Var, Value)| one != other && !self.with(one).has(other);
        let mut open: Vec<((Var, Value), (Var, Value))> = Vec::new();
        for (at, &one) in facts.iter().enumerate() {
            open.extend(
                facts[at + 1..]
                    .iter()
                    .filter(|other| other.0 != one.0 && exclude(one, **other))
                    .map(|&other| (one, other)),
            );
            if open.len() > MOST_EXCLUSIONS {
                return None;
            }
        }
        let mut groups = Vec::new();
        while let Some(&(one, other)) = open.first() {
            let mut group = vec![one, other];
            for &fact in &facts {
                if group.iter().all(|&member| exclude(fact, member)) {
                    group.push(fact);
                }
            }
            group.sort_unstable();
            open.retain(|(one, other)| group.binary_search(one).is_err() || group.binary_search(other).is_err());
            groups.push(group);
        }
        Some(groups)
    }

    /// Returns what is possible with a fact.
    pub fn with(&self, (var, value): (Var, Value)) -> With<'_> {
        With { facts: &self.together[self.first[var] + usize::from(value)], first: &self.first }
    }

    /// Returns the possible values of all variables together with any of some values of one.
    fn with_any(&self, task: &Task, var: Var, values: &Values) -> Vec<Values> {
        let any = values.iter().fold(BitSet::NONE, |any, value| any.or(self.with((var, value)).facts));
        let any = With { facts: &any, first: &self.first };
        (0..task.variables.len()).map(|var| any.values(var)).collect()
    }

    /// Adds a pair; returns whether it is new.
    fn insert(&mut self, one: (Var, Value), other: (Var, Value)) -> bool {
        let is_new = !self.with(one).has(other);
        let number = |(var, value): (Var, Value)| self.first[var] + usize::from(value);
        let (one, other) = (number(one), number(other));
        self.together[one].insert(other);
        self.together[other].insert(one);
        is_new
    }

    /// Adds the pairs that an operator makes possible; returns whether there are new ones.
    fn apply(&mut self, task: &Task, operator: &Operator) -> bool {
        // The values of each variable that are possible with the conditions, each condition by itself.
        let before = self.allowed(task, &operator.conditions);
        if before.iter().any(Values::is_empty) {
            return false;
        }
        let mut made: Vec<Made> = Vec::new();
        for effect in &operator.effects {
            match &effect.source {
                Source::Value(value) => made.push((effect.target, None, *value)),
                Source::Table(of, table) => {
                    let from = before[*of].iter();
                    made.extend(from.map(|old| (effect.target, Some((*of, old)), table[usize::from(old)])));
                }
            }
        }
        let mut has_grown = false;
        for &(target, from, value) in &made {
            has_grown |= self.insert((target, value), (target, value));
            for (other, before) in before.iter().enumerate().filter(|(other, _)| operator.effect(*other).is_none()) {
                let with = from.map_or_else(|| before.clone(), |from| before.and(&self.with(from).values(other)));
                for held in with.iter() {
                    has_grown |= self.insert((target, value), (other, held));
                }
            }
            for &(other, source, held) in made.iter().filter(|(other, ..)| *other != target) {
                let meet = match (from, source) {
                    (Some(one), Some(two)) => self.with(one).has(two),
                    _ => true,
                };
                if meet {
                    has_grown |= self.insert((target, value), (other, held));
                }
            }
        }
        has_grown
    }

    fn is_possible(&self, fact: (Var, Value)) -> bool {
        self.with(fact).has(fact)
    }
}
