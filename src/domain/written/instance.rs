//! A puzzle of written rules, compiled: what can be said of it, and the state spaces that it is searched in.

use super::board::candidates;
use super::bound;
use super::heuristic::{Heuristic, Kind, refuted};
use super::keys::Keys;
use super::model::Compiled;
use super::packed::{Layout, Word};
use super::reduce::{Reduced, reduce};
use super::reference::{Player, RuleBook, Unreadable};
use super::space::RuleSpace;
use super::symmetry::{Images, Permutation, symmetries};
use super::view::RuleView;
use super::warnings::warnings;
use crate::diagnostic::Diagnostic;
use crate::domain::{HeuristicFacts, Instance, Means, Rules, Rung, Searchable, WarningContext, searchable};
use std::sync::{Arc, OnceLock};

/// The logarithm of so many states that a search without a heuristic goes through all of them in a moment.
const FEW_STATES: f64 = 20.0;

/// A validated puzzle.
pub(super) struct Written {
    /// What the file says, for warnings.
    keys: Keys,
    compiled: Arc<Compiled>,
    reduced: Reduced,
    /// The text of the file, which the reference rules are read from.
    source: String,
    /// The reference rules, once somebody asked; or why they cannot be read.
    reference: OnceLock<Result<RuleBook, String>>,
    /// Once somebody asked.
    symmetries: OnceLock<Vec<Permutation>>,
    /// Why the moves do not just add, if they do not.
    toggles: OnceLock<Option<String>>,
    /// Why there is no solution, once somebody asked.
    refuted: OnceLock<Option<String>>,
}

impl Written {
    pub fn new(keys: Keys, compiled: Compiled, source: &str) -> Written {
        let reduced = reduce(&compiled.task, compiled.model.world.cells());
        Written {
            keys,
            compiled: Arc::new(compiled),
            reduced,
            source: source.to_owned(),
            reference: OnceLock::new(),
            symmetries: OnceLock::new(),
            toggles: OnceLock::new(),
            refuted: OnceLock::new(),
        }
    }

    fn packed<W: Word>(&self, heuristic: Option<Heuristic>) -> Box<dyn Searchable> {
        let find = || symmetries(&self.reduced.task, &candidates(&self.compiled.model, &self.reduced.task));
        // Images of long words would take more than they save.
        let symmetries = if W::MASKS { self.symmetries.get_or_init(find) } else { &Vec::new() };
        let images = Images::new(&self.reduced.task, symmetries);
        let space = RuleSpace::<W>::new(&self.reduced, images, heuristic);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &self.reduced.reached))
    }

    /// Why the heuristic of toggles says nothing here, if it does not.
    fn no_toggles(&self) -> Option<&String> {
        let find = || Heuristic::new(Kind::Toggles, &self.reduced.task, &Means::default()).err();
        self.toggles.get_or_init(find).as_ref()
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
        let bits = Layout::new(&self.reduced.task).bits;
        let (variables, operators) = (self.reduced.task.variables.len(), self.reduced.task.operators.len());
        Some(format!("{variables} variables, {bits} bits a position, {operators} operators"))
    }

    fn unsolvable(&self) -> Option<String> {
        let find = || {
            if self.compiled.task.is_goal(&self.compiled.task.start) {
                None
            } else if self.reduced.task.goals.is_empty() {
                Some("no goal can be reached, even if nothing that was there were ever lost".to_owned())
            } else {
                refuted(&self.reduced.task)
            }
        };
        self.refuted.get_or_init(find).clone()
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        warnings(&self.keys, &self.compiled, &self.reduced, context)
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        let read =
            || RuleBook::read(&self.source).map_err(|why| format!("the reference rules cannot read the file: {why}"));
        Some(match self.reference.get_or_init(read) {
            Ok(book) => Box::new(Player::new(book)),
            Err(why) => Box::new(Unreadable(why)),
        })
    }

    fn refuses(&self, heuristic: &HeuristicFacts) -> Option<String> {
        (heuristic.name == "toggles").then(|| self.no_toggles().cloned()).flatten()
    }

    fn ladder(&self) -> Vec<Rung> {
        let rung = |heuristic, size, nodes| Rung { heuristic, size, automaton: false, nodes };
        if self.no_toggles().is_none() {
            return vec![rung("toggles", 0, u64::MAX)];
        }
        // Where the states are few, nothing that is built pays.
        if bound::states(&self.compiled.task, &self.reduced.reached, self.compiled.model.world.cells()) <= FEW_STATES {
            return vec![rung("zero", 0, u64::MAX)];
        }
        vec![rung("zero", 0, 100_000), rung("potentials", 0, 500_000), rung("pattern-database", 0, u64::MAX)]
    }

    fn space(&self, heuristic: &HeuristicFacts, means: &Means) -> Box<dyn Searchable> {
        let kind = match heuristic.name {
            "potentials" => Some(Kind::Potentials),
            "pattern-database" => Some(Kind::PatternDatabase),
            "merged-symbols" => Some(Kind::MergedSymbols),
            "lm-cut" => Some(Kind::LmCut),
            "toggles" => Some(Kind::Toggles),
            _ => None,
        };
        let heuristic = kind.and_then(|kind| Heuristic::new(kind, &self.reduced.task, means).ok());
        match Layout::new(&self.reduced.task).bits {
            ..=64 => self.packed::<u64>(heuristic),
            65..=128 => self.packed::<u128>(heuristic),
            _ => self.packed::<Box<[u64]>>(heuristic),
        }
    }
}
