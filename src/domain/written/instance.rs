//! A puzzle of written rules, compiled: what can be said of it, and the state spaces that it is searched in.

use super::board::candidates;
use super::bound;
use super::heuristic::{Heuristic, Kind, refuted};
use super::inverse::inverses;
use super::model::Compiled;
use super::packed::{Layout, Word};
use super::reduce::{Reduced, reduce};
use super::rules::RuleBook;
use super::space::RuleSpace;
use super::symmetry::{Images, Permutation, symmetries};
use super::task::Task;
use super::view::RuleView;
use crate::domain::{HeuristicFacts, Instance, Means, Rules, Rung, Searchable, searchable};
use std::sync::{Arc, OnceLock};

/// The logarithm of so many states that a search without a heuristic goes through all of them in a moment.
const FEW_STATES: f64 = 20.0;

/// A validated puzzle.
pub(super) struct Written {
    compiled: Arc<Compiled>,
    reduced: Reduced,
    task: Arc<Task>,
    /// What takes each operator back, and the symmetries, once somebody asked.
    found: OnceLock<Found>,
    /// Why there is no solution, once somebody asked.
    refuted: OnceLock<Option<String>>,
}

/// What is found out about a task for searches.
struct Found {
    inverse: Arc<Vec<Option<u32>>>,
    symmetries: Vec<Permutation>,
}

impl Written {
    pub fn new(compiled: Compiled) -> Written {
        let reduced = reduce(&compiled.task, compiled.model.world.cells());
        let task = Arc::new(reduced.task.clone());
        Written { compiled: Arc::new(compiled), reduced, task, found: OnceLock::new(), refuted: OnceLock::new() }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| Found {
            inverse: Arc::new(inverses(&self.task)),
            symmetries: symmetries(&self.task, &candidates(&self.compiled.model, &self.task)),
        })
    }

    fn packed<W: Word>(&self, heuristic: Option<Heuristic>) -> Box<dyn Searchable> {
        let found = self.found();
        let images = Images::new(&self.task, &found.symmetries);
        let space = RuleSpace::<W>::new(&self.reduced, &self.task, &found.inverse, images, heuristic);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &self.reduced.reached))
    }
}

impl Instance for Written {
    fn size(&self) -> String {
        let world = &self.compiled.model.world;
        match world.rows {
            0 => format!("{} variables", world.values.len()),
            rows => format!("{rows}x{}", world.columns),
        }
    }

    fn became(&self) -> Option<String> {
        let bits = Layout::new(&self.task).bits;
        let (variables, operators) = (self.task.variables.len(), self.task.operators.len());
        Some(format!("{variables} variables, {bits} bits a position, {operators} operators"))
    }

    fn unsolvable(&self) -> Option<String> {
        let find = || {
            if self.compiled.task.is_goal(&self.compiled.task.start) {
                None
            } else if self.task.goals.is_empty() {
                Some("no goal can be reached, even if nothing that was there were ever lost".to_owned())
            } else {
                refuted(&self.task)
            }
        };
        self.refuted.get_or_init(find).clone()
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(RuleBook::new(&self.compiled.model)))
    }

    fn ladder(&self) -> Vec<Rung> {
        let rung = |heuristic, size, nodes| Rung { heuristic, size, automaton: false, nodes };
        // Where the states are few, nothing that is built pays.
        if bound::states(&self.compiled.task, &self.reduced.reached, self.compiled.model.world.cells()) <= FEW_STATES {
            return vec![rung("zero", 0, u64::MAX)];
        }
        vec![rung("zero", 0, 50_000), rung("potentials", 0, 500_000), rung("pattern-database", 0, u64::MAX)]
    }

    fn space(&self, heuristic: &HeuristicFacts, means: &Means) -> Box<dyn Searchable> {
        let kind = match heuristic.name {
            "potentials" => Some(Kind::Potentials),
            "pattern-database" => Some(Kind::PatternDatabase),
            "merged-symbols" => Some(Kind::MergedSymbols),
            _ => None,
        };
        let heuristic = kind.and_then(|kind| Heuristic::new(kind, &self.task, means).ok());
        match Layout::new(&self.task).bits {
            ..=64 => self.packed::<u64>(heuristic),
            ..=128 => self.packed::<u128>(heuristic),
            _ => self.packed::<Box<[u64]>>(heuristic),
        }
    }
}
