//! A puzzle of written rules, compiled: what can be said of it, and the state spaces that it is searched in.

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
use crate::domain::{BuildContext, HeuristicFacts, Instance, Rules, Searchable, Stage, WarningContext, searchable};
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
    refuted: OnceLock<Option<Refutation>>,
}

impl Written {
    /// Where `context` end it, the puzzle is not to be used.
    pub fn new(keys: Keys, compiled: Compiled, source: &str, context: &BuildContext) -> Written {
        let mut reduced = reduce(&compiled.task, compiled.model.world.cells(), context);
        Arc::make_mut(&mut reduced.lifting).columns = compiled.model.world.columns;
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

    fn packed<W: Word>(
        &self,
        name: &'static str,
        heuristic: Option<Heuristic>,
        context: &BuildContext,
    ) -> Box<dyn Searchable> {
        let task = &self.reduced.task;
        let find = || symmetries(task, &candidates(&self.compiled.model, task), context);
        // Images of long words would take more than they save.
        let symmetries = if W::MASKS { known(&self.symmetries, context, find) } else { Vec::new() };
        let images = Images::new(task, &symmetries);
        let space = RuleSpace::<W>::new(&self.reduced, images, name, heuristic, context);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &self.reduced.reached))
    }

    /// Why the heuristic of toggles says nothing here, if it does not.
    fn no_toggles(&self, context: &BuildContext) -> Option<String> {
        known(&self.toggles, context, || Heuristic::new(Kind::Toggles, &self.reduced.task, context).err())
    }

    /// Why there is no solution, where that is known without a search.
    fn refuted(&self, context: &BuildContext) -> Option<Refutation> {
        known(&self.refuted, context, || refute(&self.compiled.task, &self.reduced, context))
    }
}

/// What is found out once, and kept if `context` did not end that.
fn known<T: Clone>(kept: &OnceLock<T>, context: &BuildContext, find: impl FnOnce() -> T) -> T {
    if let Some(known) = kept.get() {
        return known.clone();
    }
    let found = find();
    if context.ended().is_none() {
        let _ = kept.set(found.clone());
    }
    found
}

impl Instance for Written {
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
        if heuristic.name == "toggles" { self.no_toggles(context) } else { None }
    }

    fn schedule(&self) -> Vec<Stage> {
        let stage = |heuristic, size, nodes| Stage { heuristic, size, automaton: false, nodes };
        if self.no_toggles(&BuildContext::default()).is_none() {
            return vec![stage("toggles", 0, u64::MAX)];
        }
        // Where the states are few, nothing that is built pays.
        if bound::states(&self.compiled.task, &self.reduced.reached, self.compiled.model.world.cells()) <= FEW_STATES {
            return vec![stage("zero", 0, u64::MAX)];
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
        let heuristic = kind.and_then(|kind| Heuristic::new(kind, &self.reduced.task, context).ok());
        match Layout::new(&self.reduced.task).bits {
            ..=64 => self.packed::<u64>(name, heuristic, context),
            65..=128 => self.packed::<u128>(name, heuristic, context),
            _ => self.packed::<Box<[u64]>>(name, heuristic, context),
        }
    }
}
