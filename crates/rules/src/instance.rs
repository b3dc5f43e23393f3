//! A compiled puzzle of domain `rules`: its facts, warnings and state spaces.

use super::board::candidates;
use super::bound;
use super::heuristic::{Heuristic, Kind};
use super::keys::Keys;
use super::model::{Compiled, Rule};
use super::packed::{Layout, Word};
use super::reduce::{Reduced, reduce};
use super::reference::{Player, RuleBook, Unreadable};
use super::refutation::refute;
use super::space::RuleSpace;
use super::symmetry::{Images, Permutation, symmetries};
use super::view::RuleView;
use super::warnings::warnings;
use crate::argument::Refutation;
use crate::diagnostic::Diagnostic;
use crate::domain::{HeuristicFacts, Instance, Means, Rules, Rung, Searchable, WarningContext, searchable};
use std::sync::{Arc, OnceLock};

/// The base-2 logarithm of the most states that a blind search visits in a moment.
const FEW_STATES: f64 = 20.0;

/// A validated puzzle.
pub(super) struct RulesPuzzle {
    /// The keys of the file, for warnings.
    keys: Keys,
    compiled: Arc<Compiled>,
    reduced: Reduced,
    /// The text of the file, from which the reference rules are read.
    source: String,
    /// The reference rules or the reason why the file cannot be read, computed on demand.
    reference: OnceLock<Result<RuleBook, String>>,
    /// Computed on demand.
    symmetries: OnceLock<Vec<Permutation>>,
    /// The reason why the toggle heuristic does not apply, if so. Computed on demand.
    toggles: OnceLock<Option<String>>,
    /// A proof without a search that there is no solution, if one is found. Computed on demand.
    refuted: OnceLock<Option<Refutation>>,
}

impl RulesPuzzle {
    /// Reduces a compiled puzzle. If a limit ends the work, the result is invalid.
    pub fn new(keys: Keys, compiled: Compiled, source: &str, means: &Means) -> RulesPuzzle {
        let mut reduced = reduce(&compiled.task, compiled.model.world.cells(), means);
        Arc::make_mut(&mut reduced.lifting).columns = compiled.model.world.columns;
        RulesPuzzle {
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

    fn packed<W: Word>(&self, name: &'static str, heuristic: Option<Heuristic>, means: &Means) -> Box<dyn Searchable> {
        let task = &self.reduced.task;
        let find = || symmetries(task, &candidates(&self.compiled.model, task), means);
        // For long words, canonical states cost more than they save.
        let symmetries = if W::MASKS { cached(&self.symmetries, means, find) } else { Vec::new() };
        let images = Images::new(task, &symmetries);
        let space = RuleSpace::<W>::new(&self.reduced, images, name, heuristic, means);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &self.reduced.reached))
    }

    /// Returns why the toggle heuristic does not apply, if so.
    fn no_toggles(&self, means: &Means) -> Option<String> {
        cached(&self.toggles, means, || Heuristic::new(Kind::Toggles, &self.reduced.task, means).err())
    }

    /// Returns a proof without a search that there is no solution, if one is found.
    fn refuted(&self, means: &Means) -> Option<Refutation> {
        cached(&self.refuted, means, || refute(&self.compiled.task, &self.reduced, means))
    }
}

/// Returns a cached value or computes it. The result is cached unless a limit ended the computation.
fn cached<T: Clone>(cell: &OnceLock<T>, means: &Means, find: impl FnOnce() -> T) -> T {
    if let Some(cached) = cell.get() {
        return cached.clone();
    }
    let found = find();
    if means.ended().is_none() {
        let _ = cell.set(found.clone());
    }
    found
}

impl Instance for RulesPuzzle {
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

    fn prepare_to_solve(&self, means: &Means) {
        self.no_toggles(means);
        self.refuted(means);
    }

    fn unsolvable(&self) -> Option<String> {
        self.refuted(&Means::default()).map(|refutation| refutation.reason)
    }

    fn refutation(&self) -> Option<Refutation> {
        self.refuted(&Means::default())
    }

    fn has_spaced_moves(&self) -> bool {
        self.compiled.model.rules.iter().any(Rule::has_spaces)
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

    fn refuses(&self, heuristic: &HeuristicFacts, means: &Means) -> Option<String> {
        if heuristic.name == "toggles" { self.no_toggles(means) } else { None }
    }

    fn ladder(&self) -> Vec<Rung> {
        let rung = |heuristic, size, nodes| Rung { heuristic, size, automaton: false, nodes };
        if self.no_toggles(&Means::default()).is_none() {
            return vec![rung("toggles", 0, u64::MAX)];
        }
        // With few states, no heuristic pays for its construction.
        if bound::log2_states(&self.compiled.task, &self.reduced.reached, self.compiled.model.world.cells())
            <= FEW_STATES
        {
            return vec![rung("zero", 0, u64::MAX)];
        }
        vec![rung("zero", 0, 100_000), rung("potentials", 0, 500_000), rung("pattern-database", 0, u64::MAX)]
    }

    fn space(&self, heuristic: &HeuristicFacts, means: &Means) -> Box<dyn Searchable> {
        let name = heuristic.name;
        let kind = match name {
            "potentials" => Some(Kind::Potentials),
            "pattern-database" => Some(Kind::PatternDatabase),
            "merged-symbols" => Some(Kind::MergedSymbols),
            "lm-cut" => Some(Kind::LmCut),
            "toggles" => Some(Kind::Toggles),
            _ => None,
        };
        let heuristic = kind.and_then(|kind| Heuristic::new(kind, &self.reduced.task, means).ok());
        match Layout::new(&self.reduced.task).bits {
            ..=64 => self.packed::<u64>(name, heuristic, means),
            65..=128 => self.packed::<u128>(name, heuristic, means),
            _ => self.packed::<Box<[u64]>>(name, heuristic, means),
        }
    }
}
