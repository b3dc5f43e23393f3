//! Pattern databases, and sums of those that no move changes together.
//!
//! A table alone never says too much (see [`abstraction`](super::abstraction)). Two may be added where no move that costs
//! something changes the abstract states of both (Korf and Felner, Disjoint pattern database heuristics, 2002; Edelkamp
//! 2001): then each move pays in one of them at most. h is the maximum of the sums over all maximal sets of tables of
//! which any two may be added: the canonical heuristic (Haslum, Botea, Helmert, Bonet and Koenig, Domain-independent
//! construction of pattern database heuristics for cost-optimal planning, AAAI 2007). It is consistent, as each table is.
//! Whether two may be added is asked for each operator and the old values of its variables, so that one operator may move
//! a tile of one pattern in one state, and of another in another.

mod choice;

use super::DEAD;
use super::abstraction::Abstraction;
use super::database::Database;
use crate::domain::BuildContext;
use crate::task::{Task, Value, Values, Var};
pub(super) use choice::Atoms;
use choice::Choice;

/// The most tables.
const MOST_TABLES: usize = 32;

/// The most sets of tables that are added.
const MOST_SETS: usize = 64;

/// Some tables, and which of them are added.
pub(in super::super) struct Patterns {
    tables: Vec<Database>,
    /// The sets of tables, a bit for each.
    sets: Vec<u32>,
    /// What was chosen.
    text: String,
}

impl Patterns {
    pub(super) fn new(atoms: Atoms, task: &Task, context: &BuildContext) -> Result<Patterns, String> {
        let choice = Choice::new(atoms, task, context)?;
        let entries: u64 = choice.tables().map(Database::entries).sum();
        let (count, sets) = (choice.tables().count(), choice.sets.len());
        let text = format!("{count} tables with {entries} entries, {sets} sums of them: {}", choice.describe());
        let sets = choice.sets.clone();
        Ok(Patterns { tables: choice.into_tables(), sets, text })
    }

    #[inline]
    pub fn h(&self, state: &[Value]) -> u32 {
        let mut each = [0; MOST_TABLES];
        for (h, table) in each.iter_mut().zip(&self.tables) {
            *h = table.h(state);
            if *h == DEAD {
                return DEAD;
            }
        }
        self.sets.iter().map(|&set| sum(set, &each)).max().unwrap_or(0)
    }

    /// The classes of values by which a table proves that a state is dead.
    pub fn refutation(&self, state: &[Value]) -> Option<Vec<(Var, Vec<u32>)>> {
        self.tables.iter().find(|table| table.h(state) == DEAD).map(Database::classes)
    }

    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(Database::bytes).sum()
    }

    pub fn describe(&self) -> String {
        self.text.clone()
    }
}

/// The sum of the numbers in a set.
#[inline]
fn sum(mut set: u32, each: &[u32]) -> u32 {
    let mut sum = 0;
    while set != 0 {
        sum += each[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    sum
}

/// When operators that cost something may change an abstract state: for each operator some old values of some
/// variables, all of them at once.
struct Events(Vec<Vec<Vec<(Var, Values)>>>);

impl Events {
    fn new(task: &Task, abstraction: &Abstraction) -> Events {
        let costly = task.operators.iter().filter(|operator| operator.cost > 0);
        Events(costly.map(|operator| abstraction.changed_by(task, operator)).collect())
    }

    /// Whether no move changes both.
    fn are_apart(&self, other: &Events) -> bool {
        let exclude = |event: &Vec<(Var, Values)>, other: &Vec<(Var, Values)>| {
            event
                .iter()
                .any(|(var, values)| other.iter().any(|(other, others)| var == other && values.and(others).is_empty()))
        };
        let mut operators = self.0.iter().zip(&other.0);
        operators.all(|(events, others)| events.iter().all(|event| others.iter().all(|other| exclude(event, other))))
    }
}

/// All maximal sets of which any two may be added, as far as they are not too many (Bron and Kerbosch 1973).
fn maximal_sets(apart: &[u32]) -> Vec<u32> {
    fn grow(set: u32, mut open: u32, mut done: u32, apart: &[u32], all: &mut Vec<u32>) {
        if open == 0 {
            if done == 0 && all.len() < MOST_SETS {
                all.push(set);
            }
            return;
        }
        let pivot = (open | done).trailing_zeros() as usize;
        let mut tried = open & !apart[pivot];
        while tried != 0 && all.len() < MOST_SETS {
            let at = tried.trailing_zeros() as usize;
            grow(set | 1 << at, open & apart[at], done & apart[at], apart, all);
            open &= !(1 << at);
            done |= 1 << at;
            tried &= tried - 1;
        }
    }
    let mut all = Vec::new();
    let open = (0..apart.len()).fold(0, |open, at| open | 1 << at);
    grow(0, open, 0, apart, &mut all);
    all
}
