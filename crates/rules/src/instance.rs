//! A compiled puzzle of domain `rules`: its facts, warnings and state spaces.

use super::board::candidates;
use super::bound;
use super::heuristic::{Disjoint, Heuristic, Kind, Matching, are_goals_disjoint, matching};
use super::keys::Keys;
use super::lurd;
use super::model::{Compiled, Rule};
use super::packed::{Layout, WIDE, Word};
use super::reduce::{Reduced, reduce};
use super::reference::{Player, RuleBook, Unreadable};
use super::refutation::refute;
use super::space::RuleSpace;
use super::symmetry::{Images, Symmetries, symmetries};
use super::task::Value;
use super::view::RuleView;
use super::warnings::warnings;
use crate::argument::Refutation;
use crate::diagnostic::Diagnostic;
use crate::domain::{BuildContext, HeuristicFacts, Instance, Notation, Rules, Searchable, Stage};
use crate::domain::{WarningContext, searchable};
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
    symmetries: OnceLock<Symmetries>,
    /// The symbol that every move moves by one cell, or why there is none. Computed on demand.
    mover: OnceLock<Result<Value, String>>,
    /// The reason why the toggle heuristic does not apply, if so. Computed on demand.
    toggles: OnceLock<Option<String>>,
    /// The matching, or the reason why there is none. Computed on demand.
    matching: OnceLock<Result<Arc<Matching>, String>>,
    /// A proof without a search that there is no solution, if one is found. Computed on demand.
    refuted: OnceLock<Option<Refutation>>,
}

impl RulesPuzzle {
    /// Where `context` end it, the puzzle is not to be used.
    pub fn new(keys: Keys, compiled: Compiled, source: &str, context: &BuildContext) -> RulesPuzzle {
        let mut reduced = reduce(&compiled.task, compiled.model.world.cells(), context);
        Arc::make_mut(&mut reduced.lifting).columns = compiled.model.world.columns;
        RulesPuzzle {
            keys,
            compiled: Arc::new(compiled),
            reduced,
            source: source.to_owned(),
            reference: OnceLock::new(),
            symmetries: OnceLock::new(),
            mover: OnceLock::new(),
            toggles: OnceLock::new(),
            matching: OnceLock::new(),
            refuted: OnceLock::new(),
        }
    }

    fn packed<W: Word>(
        &self,
        name: &'static str,
        heuristic: Option<Heuristic>,
        context: &BuildContext,
    ) -> Box<dyn Searchable> {
        let task = &self.reduced.task;
        let find = || symmetries(task, &candidates(&self.compiled.model, task), context);
        let images = Images::new(task, &cached(&self.symmetries, context, find));
        let space = RuleSpace::<W>::new(&self.reduced, images, name, heuristic, context);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &self.reduced.reached, self.mover().ok()))
    }

    /// Returns the symbol that every move moves by one cell, or why there is none.
    fn mover(&self) -> Result<Value, String> {
        let world = &self.compiled.model.world;
        let find = || lurd::mover(&self.reduced.narrowed, &self.compiled.moves, world.cells(), world.columns);
        self.mover.get_or_init(find).clone()
    }

    /// Returns why the toggle heuristic does not apply, if so.
    fn no_toggles(&self, context: &BuildContext) -> Option<String> {
        cached(&self.toggles, context, || Heuristic::new(Kind::Toggles, &self.reduced.task, context).err())
    }

    /// Returns the matching, or why there is none.
    fn matching(&self, context: &BuildContext) -> Result<Arc<Matching>, String> {
        cached(&self.matching, context, || matching(&self.reduced.task, context))
    }

    /// Returns a proof without a search that there is no solution, if one is found.
    fn refuted(&self, context: &BuildContext) -> Option<Refutation> {
        cached(&self.refuted, context, || refute(&self.compiled.task, &self.reduced, context))
    }
}

/// Returns the cached result; computes it on first use, and caches it unless `context` interrupted the computation.
fn cached<T: Clone>(cell: &OnceLock<T>, context: &BuildContext, find: impl FnOnce() -> T) -> T {
    if let Some(cached) = cell.get() {
        return cached.clone();
    }
    let found = find();
    if context.ended().is_none() {
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

    fn summary(&self) -> Option<String> {
        let bits = Layout::new(&self.reduced.task).bits;
        let (variables, operators) = (self.reduced.task.variables.len(), self.reduced.task.operators.len());
        Some(format!("{variables} variables, {bits} bits a position, {operators} operators"))
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        self.no_toggles(context);
        self.refuted(context);
    }

    fn unsolvable(&self) -> Option<String> {
        self.refuted(&BuildContext::default()).map(|refutation| refutation.reason)
    }

    fn refutation(&self) -> Option<Refutation> {
        self.refuted(&BuildContext::default())
    }

    fn has_spaced_moves(&self) -> bool {
        self.compiled.model.rules.iter().any(Rule::has_spaces)
    }

    fn refuses_notation(&self, notation: Notation) -> Option<String> {
        if notation == Notation::LURD { self.mover().err() } else { None }
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

    fn refuses(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Option<String> {
        match heuristic.name {
            "toggles" => self.no_toggles(context),
            "matching" | "maximum" => self.matching(context).err(),
            _ => None,
        }
    }

    fn schedule(&self) -> Vec<Stage> {
        let stage = |heuristic, size, nodes| Stage { heuristic, size, automaton: false, nodes };
        if self.no_toggles(&BuildContext::default()).is_none() {
            return vec![stage("toggles", 0, u64::MAX)];
        }
        // The tables of the first stage take a few milliseconds, and are better than all other heuristics here.
        if are_goals_disjoint(&self.reduced, &BuildContext::default()) {
            let larger = [(0, 500_000), (1, 5_000_000), (2, u64::MAX)];
            return larger.into_iter().map(|(size, nodes)| stage("disjoint-patterns", size, nodes)).collect();
        }
        // With few states, no heuristic pays for its construction.
        if bound::log2_states(&self.compiled.task, &self.reduced.reached, self.compiled.model.world.cells())
            <= FEW_STATES
        {
            return vec![stage("zero", 0, u64::MAX)];
        }
        if self.matching(&BuildContext::default()).is_ok() {
            return vec![stage("matching", 0, 2_000_000), stage("maximum", 0, u64::MAX)];
        }
        vec![stage("zero", 0, 100_000), stage("potentials", 0, 500_000), stage("pattern-database", 0, u64::MAX)]
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let name = heuristic.name;
        let kind = match name {
            "potentials" => Some(Kind::Potentials),
            "pattern-database" => Some(Kind::PatternDatabase),
            "merged-symbols" => Some(Kind::MergedSymbols),
            "lm-cut" => Some(Kind::LmCut),
            "toggles" => Some(Kind::Toggles),
            _ => None,
        };
        let task = &self.reduced.task;
        let heuristic = match name {
            "matching" => self.matching(context).ok().map(Heuristic::Matching),
            "maximum" => self.matching(context).ok().map(|matching| Heuristic::maximum(matching, task, context)),
            "disjoint-patterns" => Disjoint::new(&self.reduced, context).ok().map(Heuristic::Disjoint),
            _ => kind.and_then(|kind| Heuristic::new(kind, task, context).ok()),
        };
        match Layout::new(&self.reduced.task).bits {
            ..=64 => self.packed::<u64>(name, heuristic, context),
            65..=128 => self.packed::<u128>(name, heuristic, context),
            129..=256 => self.packed::<[u64; WIDE]>(name, heuristic, context),
            _ => self.packed::<Box<[u64]>>(name, heuristic, context),
        }
    }
}
