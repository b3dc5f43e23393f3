//! A compiled puzzle of domain `rules`: its facts, warnings and state spaces.

use super::analysed_task::AnalysedTask;
use super::board::candidates;
use super::expression::{GRID, Kind};
use super::heuristic;
use super::keys::{Keys, Start};
use super::lurd;
use super::memo::Memo;
use super::model::{Compiled, From, Model, ModelGoal, RewritePattern, Rule, Target, To};
use super::own::OwnOfTask;
use super::packed::{WIDE, Word};
use super::properties::properties;
use super::reduce::{Lifted, Reached, Reduced, lift, reached};
use super::reductions;
use super::refutation::{BACKGROUND, refute};
use super::scramble;
use super::space::RuleSpace;
use super::starts::AnyStart;
use super::strategy::Strategy;
use super::task::{Task, Value};
use super::view::RuleView;
use super::warnings::warnings;
use crate::argument::{Refutation, counted};
use crate::diagnostic::Diagnostic;
use crate::document::{PuzzleText, Spanned};
use crate::domain::{
    BuildContext, Change, Drawn, Edit, HeuristicFacts, Instance, Notation, OwnHeuristic, PartKind, Property, Rules,
    Searchable, Stage, Starts,
};
use crate::domain::{Scrambled, WarningContext, searchable};
use engine_rules_reference::{Player, RuleBook, Unreadable};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A validated puzzle.
pub(super) struct RulesPuzzle {
    /// The keys of the file, for warnings.
    keys: Keys,
    compiled: Arc<Compiled>,
    /// A superset of the values that each variable of the task can have.
    reached: Reached,
    reference: Reference,
    /// The heuristics of the file.
    own: Vec<Arc<OwnHeuristic>>,
    /// What commands ask for beyond that: some only check the file.
    memo: Memo,
}

impl RulesPuzzle {
    /// Finds the values that can be reached. If a limit ends the work, the puzzle must not be used.
    pub fn new(keys: Keys, compiled: Compiled, text: &PuzzleText, context: &BuildContext) -> RulesPuzzle {
        let reached = reached(&compiled.task, context);
        RulesPuzzle {
            keys,
            own: own_heuristics(&compiled.model),
            compiled: Arc::new(compiled),
            reached,
            reference: Reference::new(text),
            memo: Memo::default(),
        }
    }

    /// Returns the reduced task. Unless [`prepare`](Instance::prepare) has made it, this is work without limits.
    fn task(&self) -> Arc<AnalysedTask> {
        self.task_within(&BuildContext::default())
    }

    fn task_within(&self, context: &BuildContext) -> Arc<AnalysedTask> {
        self.memo.get("task", context, || Arc::new(self.reduce(context)))
    }

    /// Returns the task with unique symbols as places, except for these symbols.
    fn lift(&self, in_cells: &[Value], context: &BuildContext) -> Lifted {
        lift(&self.compiled.task, &self.reached, self.compiled.model.world.cells(), in_cells, context)
    }

    /// Returns the task with unique symbols as places.
    fn lifted(&self, context: &BuildContext) -> Arc<Lifted> {
        self.memo.get("lifted", context, || Arc::new(self.lift(&[], context)))
    }

    fn reduce(&self, context: &BuildContext) -> AnalysedTask {
        let compiled = Arc::clone(&self.compiled);
        let world = &compiled.model.world;
        let mut reduced = Reduced::new(Lifted::clone(&self.lifted(context)), context);
        let in_cells = heuristic::with_pieces_in_cells(&reduced, |pieces| self.lift(pieces, context), context);
        let matching = in_cells.map(|(other, matching)| {
            reduced = other;
            matching
        });
        let lifting = Arc::make_mut(&mut reduced.lifting);
        lifting.columns = world.columns;
        lifting.marked = compiled.model.marked();
        let cells = world.cells();
        let candidates = move |task: &Task| candidates(&compiled.model, task);
        let task = AnalysedTask::new(&self.compiled.task, reduced, cells, Box::new(candidates));
        if let Some(matching) = matching {
            heuristic::keep_matching(&task, matching, context);
        }
        task
    }

    /// Returns the symbol that every move moves by one cell, or why there is none.
    fn mover(&self) -> Result<Value, String> {
        let world = &self.compiled.model.world;
        self.memo.get("mover", &BuildContext::default(), || {
            lurd::mover(&self.task().reduced.narrowed, &self.compiled.moves, world.cells(), world.columns)
        })
    }

    /// Returns a proof without a search that there is no solution, if one is found.
    fn refuted(&self, context: &BuildContext) -> Option<Refutation> {
        let find = || refute(&self.compiled.task, &self.task().reduced, context);
        self.memo.get("refutation", context, find)
    }

    fn packed<W: Word>(&self, heuristic: &str, context: &BuildContext) -> Box<dyn Searchable> {
        let task = self.task();
        let space = match self.compiled.model.own.iter().find(|own| own.heuristic.facts.name == heuristic) {
            Some(own) => {
                let built = OwnOfTask::new(own, &self.compiled, &task.reduced.lifting);
                // Its value may differ in states that reductions merge.
                let without = reductions::ALL.iter().map(|reduction| reduction.name.to_owned()).collect();
                let plain = BuildContext { without, ..context.for_another_build() };
                let built = Some((own.heuristic.facts.name, Ok(Arc::new(built) as Arc<dyn heuristic::Heuristic>)));
                let space = RuleSpace::<W>::guided(&task, built, &plain);
                if let Some(limit) = plain.ended() {
                    let _ = context.ended.set(limit);
                }
                space
            }
            None => RuleSpace::<W>::new(&task, heuristic::named(heuristic), context),
        };
        searchable(space, RuleView::new(Arc::clone(&self.compiled), &task.reduced))
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
        let analysed = self.task();
        let (task, bits) = (&analysed.reduced.task, analysed.bits());
        let (variables, operators) = (task.variables.len(), task.operators.len());
        let [variables, operators] = [counted(variables, "variable"), counted(operators, "operator")];
        Some(format!("{variables}, {} a position, {operators}", counted(bits, "bit")))
    }

    fn properties(&self, context: &BuildContext) -> Vec<Property> {
        properties(&self.compiled.model, &self.task(), context)
    }

    fn prepare(&self, context: &BuildContext) {
        self.task_within(context);
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        self.prepare(context);
        if context.ended().is_some() {
            return;
        }
        Strategy::prepare(&self.task(), context);
        self.refuted(context);
    }

    fn unsolvable(&self) -> Option<String> {
        self.refuted(&BuildContext::default()).map(|refutation| refutation.reason)
    }

    fn refutation(&self) -> Option<Refutation> {
        self.refuted(&BuildContext::default())
    }

    fn has_spaced_moves(&self) -> bool {
        let model = &self.compiled.model;
        model.rules.iter().any(|rule| rule.has_spaces(&model.world))
    }

    fn refuses_notation(&self, notation: Notation) -> Option<String> {
        if notation == Notation::LURD { self.mover().err() } else { None }
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let lifted = self.lifted(context.limits);
        if context.limits.ended().is_some() {
            return Vec::new();
        }
        warnings(&self.keys, &self.compiled, &lifted, context)
    }

    fn drawn(&self) -> Vec<Drawn> {
        drawn(&self.keys, &self.compiled.model)
    }

    fn starts(&self, context: &BuildContext) -> Option<Box<dyn Starts>> {
        let model = &self.compiled.model;
        let marks = kinds_of_mark(model).collect();
        AnyStart::of(model, marks, context).map(|starts| Box::new(starts) as Box<dyn Starts>)
    }

    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        changes(&self.keys, &self.compiled.model)
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(self.reference.rules())
    }

    fn walked(&self, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        scramble::walked(&self.compiled, moves, seed, context)
    }

    fn retreated(
        &self,
        to_goal: &[String],
        moves: u32,
        seed: u64,
        context: &BuildContext,
    ) -> Result<Option<Scrambled>, String> {
        scramble::retreated(&self.compiled, to_goal, moves, seed, context)
    }

    fn concerns(&self, heuristic: &HeuristicFacts) -> bool {
        heuristic.name == "zero" || heuristic::named(heuristic.name).is_some()
    }

    fn refuses(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Option<String> {
        if heuristic.is_of_file() {
            return None;
        }
        if !self.concerns(heuristic) {
            return Some("it is for rules with consequences, bodies or piles".to_owned());
        }
        self.prepare(context);
        if context.ended().is_some() {
            return None;
        }
        heuristic::named(heuristic.name)?.refuses(&self.task(), context)
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn schedule(&self) -> Vec<Stage> {
        Strategy::of(&self.task()).stages.iter().map(|planned| planned.stage).collect()
    }

    fn skips(&self, stage: &Stage, context: &BuildContext) -> bool {
        let task = self.task();
        Strategy::of(&task).skips(stage, &task, context)
    }

    fn schedule_reason(&self) -> Option<String> {
        Some(Strategy::of(&self.task()).reason.to_string())
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        match self.task().bits() {
            ..=64 => self.packed::<u64>(heuristic.name, context),
            65..=128 => self.packed::<u128>(heuristic.name, context),
            129..=256 => self.packed::<[u64; WIDE]>(heuristic.name, context),
            _ => self.packed::<Box<[u64]>>(heuristic.name, context),
        }
    }
}

/// Returns the heuristics of the file.
pub(super) fn own_heuristics(model: &Model) -> Vec<Arc<OwnHeuristic>> {
    model.own.iter().map(|own| Arc::clone(&own.heuristic)).collect()
}

/// The reference rules of a puzzle, read from its text when they are needed.
pub(super) struct Reference {
    text: PuzzleText,
    /// The rules, from which players borrow, or the reason why the file cannot be read.
    book: OnceLock<Result<RuleBook, String>>,
}

impl Reference {
    pub fn new(text: &PuzzleText) -> Reference {
        Reference { text: text.clone(), book: OnceLock::new() }
    }

    pub fn rules(&self) -> Box<dyn Rules + '_> {
        let read = || {
            RuleBook::read(&self.text.text()).map_err(|why| format!("the reference rules cannot read the file: {why}"))
        };
        match self.book.get_or_init(read) {
            Ok(book) => Box::new(Player::new(book)),
            Err(why) => Box::new(Unreadable(why)),
        }
    }
}

/// Returns the drawings that may be varied: the grid, and its marks.
pub(super) fn drawn(keys: &Keys, model: &Model) -> Vec<Drawn> {
    let Model { world, symbols, drawn_symbols, .. } = model;
    if world.cells() == 0 {
        return Vec::new();
    }
    let moving = moving(model);
    let mut grid = Drawn::new(grid_key(keys));
    let symbols = &symbols[..*drawn_symbols];
    let empty = BACKGROUND.iter().find_map(|name| symbols.iter().find(|symbol| symbol.to_string() == **name));
    for (number, symbol) in symbols.iter().enumerate() {
        let kind = match moving.contains(&number) {
            true => PartKind::Piece,
            false if empty.is_some_and(|empty| is_obstacle(keys, model, number, *empty)) => PartKind::Obstacle,
            false => PartKind::Ground,
        };
        let name = symbol.to_string();
        let parts = [(name.as_str(), kind)];
        grid.add(&*name, if Some(symbol) == empty { &[] } else { &parts });
    }
    let mut all = vec![grid];
    if keys.marks.is_some() {
        let mut marks = Drawn::new(&["marks"]);
        for mark in kinds_of_mark(model) {
            let name = mark.to_string();
            let parts = [(name.as_str(), PartKind::Piece)];
            marks.add(&*name, if mark == '.' { &[] } else { &parts });
        }
        all.push(marks);
    }
    all
}

/// Returns the marks by the numbers that [`drawn`] gives them.
fn kinds_of_mark(model: &Model) -> impl Iterator<Item = char> {
    let mut known = BTreeSet::from(['.']);
    let others = model.world.marks.iter().copied().filter(move |mark| known.insert(*mark));
    std::iter::once('.').chain(others)
}

/// Returns whether a symbol in place of the empty one only takes moves and goals away. Of files with expressions, nothing
/// is claimed.
fn is_obstacle(keys: &Keys, model: &Model, symbol: usize, empty: char) -> bool {
    let is_inert = |rule: &Rule| {
        let is_named = |value: &Value| usize::from(*value) == symbol;
        let in_drawing = |drawing: &RewritePattern| {
            let sets = drawing.sets.iter().any(|(_, values)| values.iter().any(is_named));
            let from = drawing.from.iter().any(|from| matches!(from, From::Symbol(value) if is_named(value)));
            // A slide ends where something is in its way.
            sets || from || drawing.repeat || drawing.run.is_some()
        };
        let is_constant = rule.when.is_empty()
            && rule.then.is_empty()
            && matches!(rule.cost.expr.kind, Kind::Term(_) | Kind::Parameter(_));
        is_constant && rule.shift.is_none() && rule.carry.is_none() && !rule.drawings().any(in_drawing)
    };
    let is_other = |values: &[Value]| {
        let symbols = values.iter().map(|value| usize::from(*value));
        symbols.clone().all(|value| value != symbol && model.symbols.get(value) != Some(&empty))
    };
    let demands_it = |goal: &ModelGoal| {
        let counts = goal.counts.iter().all(|(values, ..)| is_other(values));
        let places = goal.places.iter().all(|(_, values)| values.iter().all(|value| usize::from(*value) != symbol));
        let every = goal.every.iter().all(|(value, _)| is_other(&[*value]));
        !(counts && places && every && goal.when.is_empty() && goal.anywhere.is_none())
    };
    let no_expressions = model.never.is_empty() && keys.maps.iter().next().is_none() && !model.needs_machine();
    no_expressions && model.rules.iter().all(is_inert) && !model.goals.iter().any(demands_it)
}

/// Returns the path to the drawing of the grid.
fn grid_key(keys: &Keys) -> &'static [&'static str] {
    match keys.start.as_ref().map(Spanned::get_ref) {
        Some(Start::Table(_)) => &["start", "drawing"],
        _ => &["start"],
    }
}

/// Returns the symbols that a move may put into a cell or take from one, by number.
fn moving(model: &Model) -> BTreeSet<usize> {
    let mut moving = BTreeSet::new();
    for rule in model.rules.iter().chain(&model.after) {
        for drawing in rule.drawings() {
            let values = |set: usize| drawing.sets[set].1.iter().map(|value| usize::from(*value));
            for (from, to) in drawing.from.iter().zip(&drawing.to) {
                match to {
                    To::Same => continue,
                    To::Symbol(value) => _ = moving.insert(usize::from(*value)),
                    To::Set(set) => moving.extend(values(*set)),
                    To::Map(_) => moving.extend(0..model.drawn_symbols),
                }
                match from {
                    From::Symbol(value) => _ = moving.insert(usize::from(*value)),
                    From::Set(set) => moving.extend(values(*set)),
                    From::Anything => {}
                }
            }
        }
        if let Some(shift) = &rule.shift {
            moving.extend(shift.moved.iter().chain(&shift.push).map(|value| usize::from(*value)));
        }
        // An assignment may name any cell.
        if rule
            .then
            .iter()
            .any(|then| matches!(then.target, Target::Element(array, _) if model.world.arrays[array].name == GRID))
        {
            moving.extend(0..model.drawn_symbols);
        }
    }
    moving
}

/// Returns the changes of a start: each symbol of the grid gives way to the empty one.
pub(super) fn changes<'a>(keys: &'a Keys, model: &'a Model) -> Box<dyn Iterator<Item = Change> + 'a> {
    let Model { world, start, symbols, drawn_symbols, .. } = model;
    let drawn = symbols[..*drawn_symbols].iter().map(char::to_string);
    let drawn: Vec<String> = drawn.filter(|symbol| BACKGROUND.contains(&symbol.as_str())).collect();
    let Some(empty) = BACKGROUND.iter().find(|name| drawn.iter().any(|symbol| symbol == *name)) else {
        return Box::new(std::iter::empty());
    };
    let key = grid_key(keys);
    Box::new((0..world.cells()).filter_map(move |cell| {
        let symbol = world.values[cell][usize::from(start[cell])].to_string();
        let (row, column) = (cell / world.columns, cell % world.columns);
        let words = || format!("with `{empty}` in place of the `{symbol}` at row {}, column {}", row + 1, column + 1);
        let edit =
            || Edit::Cells { key, line: None, cells: vec![(row, column, (*empty).to_owned())], has_words: false };
        (!drawn.contains(&symbol)).then(|| Change { words: words(), edit: edit() })
    }))
}
