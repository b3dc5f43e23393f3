//! A compiled puzzle of domain `rules`: its facts, warnings and state spaces.

use super::board::candidates;
use super::keys::{Keys, Start};
use super::lurd;
use super::model::{Compiled, Model, Rule};
use super::packed::{WIDE, Word};
use super::planner::{Planner, cached, with_pieces_in_cells};
use super::properties::properties;
use super::reduce::{Lifted, Reduced, lift, reached};
use super::refutation::BACKGROUND;
use super::scramble;
use super::strategy::{self, Strategy};
use super::task::{Task, Value, Values};
use super::view::RuleView;
use super::warnings::warnings;
use crate::argument::{Refutation, counted};
use crate::diagnostic::Diagnostic;
use crate::document::{PuzzleText, Spanned};
use crate::domain::{
    BuildContext, Change, Edit, HeuristicFacts, Instance, Notation, Property, Rules, Searchable, Stage,
};
use crate::domain::{Scrambled, WarningContext, searchable};
use engine_rules_reference::{Player, RuleBook, Unreadable};
use std::sync::{Arc, OnceLock};

/// A validated puzzle.
pub(super) struct RulesPuzzle {
    /// The keys of the file, for warnings.
    keys: Keys,
    compiled: Arc<Compiled>,
    /// A superset of the values that each variable of the task can have.
    reached: Vec<Values>,
    /// Computed on demand.
    lifted: OnceLock<Lifted>,
    /// Computed on demand.
    planner: OnceLock<Planner>,
    /// Decided on demand.
    strategy: OnceLock<Strategy>,
    /// The text of the file, from which the reference rules are read.
    text: PuzzleText,
    /// The reference rules or the reason why the file cannot be read, computed on demand.
    reference: OnceLock<Result<RuleBook, String>>,
    /// The symbol that every move moves by one cell, or why there is none. Computed on demand.
    mover: OnceLock<Result<Value, String>>,
}

impl RulesPuzzle {
    /// Finds the values that can be reached. If a limit ends the work, the puzzle must not be used.
    pub fn new(keys: Keys, compiled: Compiled, text: &PuzzleText, context: &BuildContext) -> RulesPuzzle {
        let reached = reached(&compiled.task, context);
        RulesPuzzle {
            keys,
            compiled: Arc::new(compiled),
            reached,
            lifted: OnceLock::new(),
            planner: OnceLock::new(),
            strategy: OnceLock::new(),
            text: text.clone(),
            reference: OnceLock::new(),
            mover: OnceLock::new(),
        }
    }

    /// Returns the planner. Unless [`prepare`](Instance::prepare) has made it, this is work without limits.
    fn planner(&self) -> &Planner {
        self.planner.get_or_init(|| self.plan(&BuildContext::default()))
    }

    fn reduced(&self) -> &Reduced {
        self.planner().reduced()
    }

    /// Returns the stages of the default search, and why these.
    fn strategy(&self) -> &Strategy {
        self.strategy.get_or_init(|| Strategy::new(self.planner()))
    }

    /// Returns the task with unique symbols as places, except for these symbols.
    fn lift(&self, in_cells: &[Value], context: &BuildContext) -> Lifted {
        lift(&self.compiled.task, &self.reached, self.compiled.model.world.cells(), in_cells, context)
    }

    fn plan(&self, context: &BuildContext) -> Planner {
        let compiled = Arc::clone(&self.compiled);
        let world = &compiled.model.world;
        let lifted = cached(&self.lifted, context, || self.lift(&[], context));
        let mut reduced = Reduced::new(lifted, context);
        if let Some(other) = with_pieces_in_cells(&reduced, |pieces| self.lift(pieces, context), context) {
            reduced = other;
        }
        let lifting = Arc::make_mut(&mut reduced.lifting);
        lifting.columns = world.columns;
        lifting.marked = compiled.model.marked();
        let cells = world.cells();
        let candidates = move |task: &Task| candidates(&compiled.model, task);
        Planner::new(&self.compiled.task, reduced, cells, Box::new(candidates))
    }

    /// Returns the symbol that every move moves by one cell, or why there is none.
    fn mover(&self) -> Result<Value, String> {
        let world = &self.compiled.model.world;
        let find = || lurd::mover(&self.reduced().narrowed, &self.compiled.moves, world.cells(), world.columns);
        self.mover.get_or_init(find).clone()
    }

    /// Returns a proof without a search that there is no solution, if one is found.
    fn refuted(&self, context: &BuildContext) -> Option<Refutation> {
        self.planner().refuted(&self.compiled.task, context)
    }

    fn packed<W: Word>(&self, heuristic: &'static str, context: &BuildContext) -> Box<dyn Searchable> {
        let space = self.planner().space::<W>(heuristic, context);
        searchable(space, RuleView::new(Arc::clone(&self.compiled), self.reduced(), self.mover().ok()))
    }
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
        let bits = self.planner().bits();
        let (variables, operators) = (self.reduced().task.variables.len(), self.reduced().task.operators.len());
        let [variables, operators] = [counted(variables, "variable"), counted(operators, "operator")];
        Some(format!("{variables}, {} a position, {operators}", counted(bits, "bit")))
    }

    fn properties(&self, context: &BuildContext) -> Vec<Property> {
        let planner = self.planner();
        let matching = planner.matching(context).ok();
        let toggles = planner.no_toggles(context).is_none();
        let symmetries = planner.symmetries(context);
        properties(&self.compiled.model, planner.reduced(), matching.as_deref(), &symmetries, toggles, context)
    }

    fn prepare(&self, context: &BuildContext) {
        if self.planner.get().is_none() {
            let planner = self.plan(context);
            if context.ended().is_none() {
                let _ = self.planner.set(planner);
            }
        }
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        self.prepare(context);
        if context.ended().is_some() {
            return;
        }
        let planner = self.planner();
        planner.no_toggles(context);
        planner.breakpoints(context);
        planner.stable(context);
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
        let lifted = self.lifted.get_or_init(|| self.lift(&[], &BuildContext::default()));
        warnings(&self.keys, &self.compiled, lifted, context)
    }

    /// Each symbol of the grid gives way to the empty one.
    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        let Model { world, start, symbols, drawn_symbols, .. } = &self.compiled.model;
        let drawn = symbols[..*drawn_symbols].iter().map(char::to_string);
        let drawn: Vec<String> = drawn.filter(|symbol| BACKGROUND.contains(&symbol.as_str())).collect();
        let Some(empty) = BACKGROUND.iter().find(|name| drawn.iter().any(|symbol| symbol == *name)) else {
            return Box::new(std::iter::empty());
        };
        let key: &[&str] = match self.keys.start.as_ref().map(Spanned::get_ref) {
            Some(Start::Table(_)) => &["start", "drawing"],
            _ => &["start"],
        };
        Box::new((0..world.cells()).filter_map(move |cell| {
            let symbol = world.values[cell][usize::from(start[cell])].to_string();
            let (row, column) = (cell / world.columns, cell % world.columns);
            let words =
                || format!("with `{empty}` in place of the `{symbol}` at row {}, column {}", row + 1, column + 1);
            let edit =
                || Edit::Cells { key, line: None, cells: vec![(row, column, (*empty).to_owned())], has_words: false };
            (!drawn.contains(&symbol)).then(|| Change { words: words(), edit: edit() })
        }))
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        let read = || {
            RuleBook::read(&self.text.text()).map_err(|why| format!("the reference rules cannot read the file: {why}"))
        };
        Some(match self.reference.get_or_init(read) {
            Ok(book) => Box::new(Player::new(book)),
            Err(why) => Box::new(Unreadable(why)),
        })
    }

    fn walked(&self, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        scramble::walked(&self.compiled, moves, seed, context)
    }

    fn refuses(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Option<String> {
        self.prepare(context);
        if context.ended().is_some() {
            return None;
        }
        self.planner().refuses(heuristic.name, context)
    }

    fn schedule(&self) -> Vec<Stage> {
        self.strategy().stages.clone()
    }

    fn skips(&self, stage: &Stage, context: &BuildContext) -> bool {
        strategy::skips(self.planner(), stage, context)
    }

    fn schedule_reason(&self) -> Option<String> {
        Some(self.strategy().reason.to_string())
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        match self.planner().bits() {
            ..=64 => self.packed::<u64>(heuristic.name, context),
            65..=128 => self.packed::<u128>(heuristic.name, context),
            129..=256 => self.packed::<[u64; WIDE]>(heuristic.name, context),
            _ => self.packed::<Box<[u64]>>(heuristic.name, context),
        }
    }
}
