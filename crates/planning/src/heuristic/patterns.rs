//! Pattern databases, and sums of those that no move changes together.
//!
//! Each table is admissible (see [`abstraction`](super::abstraction)). Two are additive if no move with a cost changes
//! the abstract states of both (Korf and Felner, Disjoint pattern database heuristics, 2002; Edelkamp 2001): then each
//! move counts in at most one of them. h is the maximum, over all maximal additive sets of tables, of the sum over the
//! set: the canonical heuristic (Haslum, Botea, Helmert, Bonet and Koenig, Domain-independent construction of pattern
//! database heuristics for cost-optimal planning, AAAI 2007). It is consistent, as each table is. Additivity is tested
//! per operator and old values, so one operator may move tiles of different patterns in different states.

mod selection;

use super::abstraction::Abstraction;
use super::database::Database;
use super::{DEAD, Heuristic, LANES, Proof, Registration};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Task, Value, Values, Var, Variable};
use engine_search::argument::listed;
use engine_search::space::Parts;
use selection::Selection;
pub(super) use selection::in_goals;
use std::sync::Arc;

/// The registration of pattern databases.
pub static PATTERN_DATABASE: Registration = Registration {
    facts: HeuristicFacts {
        name: "pattern-database",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "exact distances in projections to groups of variables, added if no move changes two groups \
                  (Culberson, Schaeffer 1998; Edelkamp 2001; Haslum and others 2007)",
        because: "every solution is a solution of each projection, and a move that counts in one group changes no \
                  other",
    },
    build: |task, context| Ok(Arc::new(Patterns::new(&task.reduced.task, context)?)),
    refuses: |_, _| None,
};

/// The most tables.
const MOST_TABLES: usize = 32;

/// The most variables of a table that are named in the parts of h.
const MOST_NAMED: usize = 4;

/// The most additive sets.
const MOST_SETS: usize = 64;

/// Pattern databases, and their additive sets.
pub struct Patterns {
    /// The tables, each with the additive sets that it is in: for each set all bits or none, then none up to a multiple
    /// of [`LANES`].
    tables: Vec<(Database, Box<[u32]>)>,
    /// A description of the tables.
    text: String,
}

impl Patterns {
    pub(super) fn new(task: &Task, context: &BuildContext) -> Result<Patterns, String> {
        let selection = Selection::new(task, context)?;
        let entries: u64 = selection.tables().map(Database::entries).sum();
        let (count, sets) = (selection.tables().count(), selection.sets.len());
        let text = format!("{count} tables with {entries} entries, {sets} additive sets: {}", selection.describe());
        let sets = selection.sets.clone();
        let width = sets.len().next_multiple_of(LANES);
        let bits =
            |set: usize, table: usize| if sets.get(set).is_some_and(|set| set >> table & 1 > 0) { !0 } else { 0 };
        let tables = selection.into_tables().into_iter().enumerate();
        let tables = tables.map(|(at, table)| (table, (0..width).map(|set| bits(set, at)).collect()));
        Ok(Patterns { tables: tables.collect(), text })
    }
}

impl Heuristic for Patterns {
    fn h(&self, state: &[Value]) -> u32 {
        let mut sums = [0; MOST_SETS];
        for (table, sets) in &self.tables {
            let h = table.h(state);
            if h == DEAD {
                return DEAD;
            }
            for (sums, sets) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(sets.as_chunks::<LANES>().0) {
                (0..LANES).for_each(|at| sums[at] += h & sets[at]);
            }
        }
        sums.into_iter().max().unwrap_or(0)
    }

    fn parts(&self, task: &Task, state: &[Value]) -> Parts {
        let sets = || 0..self.tables.first().map_or(0, |(_, sets)| sets.len());
        let in_set = |set: usize| self.tables.iter().filter(move |(_, sets)| sets[set] != 0).map(|(table, _)| table);
        let sum = |set: &usize| in_set(*set).map(|table| table.h(state)).sum::<u32>();
        let Some(greatest) = sets().rev().max_by_key(sum) else { return Parts::default() };
        let part = |table: &Database| {
            let variables: Vec<&Variable> = table.classes().iter().map(|(var, _)| &task.variables[*var]).collect();
            let names: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
            Variable::part(listed(&names, MOST_NAMED), table.h(state).into(), variables)
        };
        let count = sets().filter(|&set| in_set(set).next().is_some()).count();
        Parts::sum(in_set(greatest).map(part)).greatest_of(count, "sums of tables")
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let (table, _) = self.tables.iter().find(|(table, _)| table.h(state) == DEAD)?;
        Some(Proof::Abstraction(table.classes()))
    }

    fn bytes(&self) -> u64 {
        self.tables.iter().map(|(table, sets)| table.bytes() + sets.len() as u64 * 4).sum()
    }

    fn describe(&self) -> String {
        self.text.clone()
    }
}

/// For each operator with a cost, the events in which it may change the abstract state. An event is a conjunction of
/// sets of old values.
struct Events(Vec<Vec<Vec<(Var, Values)>>>);

impl Events {
    fn new(task: &Task, abstraction: &Abstraction) -> Events {
        let costly = task.operators.iter().filter(|operator| operator.cost > 0);
        Events(costly.map(|operator| abstraction.changed_by(task, operator)).collect())
    }

    /// Returns whether no move changes both abstract states.
    fn are_additive(&self, other: &Events) -> bool {
        let exclude = |event: &Vec<(Var, Values)>, other: &Vec<(Var, Values)>| {
            event
                .iter()
                .any(|(var, values)| other.iter().any(|(other, others)| var == other && values.and(others).is_empty()))
        };
        let mut operators = self.0.iter().zip(&other.0);
        operators.all(|(events, others)| events.iter().all(|event| others.iter().all(|other| exclude(event, other))))
    }
}

/// Returns the maximal additive sets, up to a limit (Bron and Kerbosch 1973).
fn maximal_sets(additive: &[u32]) -> Vec<u32> {
    fn grow(set: u32, mut open: u32, mut done: u32, additive: &[u32], all: &mut Vec<u32>) {
        if open == 0 {
            if done == 0 && all.len() < MOST_SETS {
                all.push(set);
            }
            return;
        }
        let pivot = (open | done).trailing_zeros() as usize;
        let mut tried = open & !additive[pivot];
        while tried != 0 && all.len() < MOST_SETS {
            let at = tried.trailing_zeros() as usize;
            grow(set | 1 << at, open & additive[at], done & additive[at], additive, all);
            open &= !(1 << at);
            done |= 1 << at;
            tried &= tried - 1;
        }
    }
    let mut all = Vec::new();
    let open = (0..additive.len()).fold(0, |open, at| open | 1 << at);
    grow(0, open, 0, additive, &mut all);
    all
}
