//! A compiled puzzle of domain `rules`: its facts, warnings and state spaces.

use super::board::candidates;
use super::bound;
use super::heuristic::{
    Disjoint, Heuristic, Kind, MOST_GOALS, Matching, Partitioning, are_goals_disjoint, free_moves_end, matching,
    moves_are_undone, sees_more,
};
use super::keys::{Keys, Start};
use super::lurd;
use super::model::{Compiled, Model, Rule};
use super::mover::Mover;
use super::packed::{Layout, WIDE, Word};
use super::properties::properties;
use super::reduce::{Lifted, Reduced, lift, reached};
use super::reductions;
use super::refutation::{BACKGROUND, refute};
use super::scramble;
use super::space::RuleSpace;
use super::symmetry::{Images, Symmetries, symmetries};
use super::task::{Condition, Value, Values, Var};
use super::vanishing::{Stable, may_vanish};
use super::view::RuleView;
use super::warnings::warnings;
use crate::argument::{Refutation, counted};
use crate::diagnostic::Diagnostic;
use crate::document::{PuzzleText, Spanned};
use crate::domain::{
    BuildContext, Change, Edit, HeuristicFacts, Instance, Notation, Property, Rules, Searchable, Stage,
};
use crate::domain::{Scrambled, WarningContext, searchable};
use crate::search::Algorithm;
use engine_rules_reference::{Player, RuleBook, Unreadable};
use std::sync::{Arc, OnceLock};

/// The base-2 logarithm of the most states that a blind search visits in a moment.
const FEW_STATES: f64 = 20.0;

/// The states that a search from both ends expands, without any table.
const BOTH_ENDS: u64 = 1_000_000;

/// The states that the default search expands without a heuristic at first: for each operator if no operator undoes
/// another, and in all.
const BLIND_PER_OPERATOR: u64 = 256;
const MOST_BLIND: u64 = 100_000;

/// The work of a stage with LM-cut, some seconds, and the most states in it. A state takes time about as the cube of
/// the number of operators: it has more children, and each of them takes more cuts through more operators.
const LANDMARK_WORK: u64 = 1 << 37;
const MOST_LANDMARK_STATES: u64 = 50_000;

/// The states that iterative deepening expands before a search that stores them, since that ends if there is no
/// solution.
const DEEPENING: u64 = 1 << 31;

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
    reduced: OnceLock<Reduced>,
    /// The text of the file, from which the reference rules are read.
    text: PuzzleText,
    /// The reference rules or the reason why the file cannot be read, computed on demand.
    reference: OnceLock<Result<RuleBook, String>>,
    /// Computed on demand.
    symmetries: OnceLock<Symmetries>,
    /// The symbol that every move moves by one cell, or why there is none. Computed on demand.
    mover: OnceLock<Result<Value, String>>,
    /// True if moves that cost nothing cannot go on for ever. Computed on demand.
    free_moves_end: OnceLock<bool>,
    /// The reason why the toggle heuristic does not apply, if so. Computed on demand.
    toggles: OnceLock<Option<String>>,
    /// The matching, or the reason why there is none. Computed on demand.
    matching: OnceLock<Result<Arc<Matching>, String>>,
    /// The stable states, if others vanish. Computed on demand.
    stable: OnceLock<Option<Arc<Stable>>>,
    /// True if the heuristic of breakpoints has forecasts; none if it does not apply. Computed on demand.
    breakpoints: OnceLock<Option<bool>>,
    /// The tables of size 0 that share the costs of operators, or why there are none. Computed on demand.
    partitioning: OnceLock<Result<Arc<Partitioning>, String>>,
    /// True if they see more than pattern databases that are added where no operator changes two. Computed on demand.
    shares_costs: OnceLock<bool>,
    /// A proof without a search that there is no solution, if one is found. Computed on demand.
    refuted: OnceLock<Option<Refutation>>,
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
            reduced: OnceLock::new(),
            text: text.clone(),
            reference: OnceLock::new(),
            symmetries: OnceLock::new(),
            mover: OnceLock::new(),
            free_moves_end: OnceLock::new(),
            toggles: OnceLock::new(),
            matching: OnceLock::new(),
            stable: OnceLock::new(),
            breakpoints: OnceLock::new(),
            partitioning: OnceLock::new(),
            shares_costs: OnceLock::new(),
            refuted: OnceLock::new(),
        }
    }

    /// Returns the reduced task. Unless [`prepare`](Instance::prepare) has computed it, this is work without limits.
    fn reduced(&self) -> &Reduced {
        self.reduced.get_or_init(|| self.reduce(&BuildContext::default()))
    }

    /// Returns the task with unique symbols as places, except for these symbols.
    fn lift(&self, in_cells: &[Value], context: &BuildContext) -> Lifted {
        lift(&self.compiled.task, &self.reached, self.compiled.model.world.cells(), in_cells, context)
    }

    fn reduce(&self, context: &BuildContext) -> Reduced {
        let world = &self.compiled.model.world;
        let lifted = cached(&self.lifted, context, || self.lift(&[], context));
        let mut reduced = Reduced::new(lifted, context);
        if let Some(other) = self.with_pieces_in_cells(&reduced, context) {
            reduced = other;
        }
        let lifting = Arc::make_mut(&mut reduced.lifting);
        lifting.columns = world.columns;
        lifting.marked = self.compiled.model.marked();
        reduced
    }

    /// Returns the reduced task in which pieces of which each occurs once, such as boxes with numbers, stay in their cells,
    /// so that a matching sees how they bar each other's way; none if there are no such pieces, or if it sees no more then.
    fn with_pieces_in_cells(&self, reduced: &Reduced, context: &BuildContext) -> Option<Reduced> {
        let mover = Mover::find(reduced, &[])?;
        let is_in_goals =
            |var: Var| reduced.task.goals.iter().any(|goal| goal.conditions.iter().any(|(of, _)| *of == var));
        let places = reduced.lifting.place_variables.iter().zip(reduced.lifting.variables.len()..);
        let variable_of = |number: usize| reduced.lifting.origin.iter().position(|(from, _)| *from == number);
        let pieces: Vec<Value> = places
            .filter(|(_, number)| variable_of(*number).is_some_and(|var| var != mover.var && is_in_goals(var)))
            .map(|(place, _)| place.symbol)
            .collect();
        // A single piece bars no other's way. Other pieces are in cells.
        let is_in_cell = |(var, _): &Condition| reduced.task.variables[*var].place_of().is_none();
        let has_others = || reduced.task.goals.iter().flat_map(|goal| &goal.conditions).any(is_in_cell);
        if pieces.is_empty() || pieces.len() == 1 && !has_others() {
            return None;
        }
        let other = Reduced::new(self.lift(&pieces, context), context);
        let is_better = matching(&other.task, context).is_ok_and(|matching| matching.sees_kinds_together());
        is_better.then_some(other)
    }

    fn packed<W: Word>(
        &self,
        name: &'static str,
        heuristic: Result<Option<Heuristic>, String>,
        context: &BuildContext,
    ) -> Box<dyn Searchable> {
        let reason = heuristic.as_ref().err().cloned();
        let stable = self.stable(context);
        let uses_symmetries = context.uses(reductions::SYMMETRIES);
        let symmetries = if uses_symmetries { self.symmetries(context) } else { Symmetries::default() };
        let images = Images::new(&self.reduced().task, &symmetries);
        let space = RuleSpace::<W>::new(self.reduced(), images, name, heuristic.unwrap_or(None), context)
            .without_heuristic(reason)
            .with_stable(stable.as_ref())
            .without_free_cycles(self.free_moves_end(context));
        searchable(space, RuleView::new(Arc::clone(&self.compiled), self.reduced(), self.mover().ok()))
    }

    /// Returns whether moves that cost nothing cannot go on for ever, if that is found out.
    fn free_moves_end(&self, context: &BuildContext) -> bool {
        let find = || free_moves_end(&self.reduced().narrowed, self.compiled.model.world.cells(), context);
        cached(&self.free_moves_end, context, find)
    }

    /// Returns the symbol that every move moves by one cell, or why there is none.
    fn mover(&self) -> Result<Value, String> {
        let world = &self.compiled.model.world;
        let find = || lurd::mover(&self.reduced().narrowed, &self.compiled.moves, world.cells(), world.columns);
        self.mover.get_or_init(find).clone()
    }

    fn symmetries(&self, context: &BuildContext) -> Symmetries {
        let task = &self.reduced().task;
        cached(&self.symmetries, context, || symmetries(task, &candidates(&self.compiled.model, task), context))
    }

    /// Returns the stable states, if others vanish.
    fn stable(&self, context: &BuildContext) -> Option<Arc<Stable>> {
        let task = &self.reduced().task;
        let find = || Stable::new(task, self.symmetries(context).group(), context).map(Arc::new);
        cached(&self.stable, context, || may_vanish(task).then(find)?)
    }

    /// Returns the stable states, or all, if a search backwards can begin at all goals.
    fn goals_listed(&self, context: &BuildContext) -> Option<Arc<Stable>> {
        let task = &self.reduced().task;
        let all = || Stable::of_all_states(task, self.symmetries(context).group(), context).map(Arc::new);
        self.stable(context).or_else(all).filter(|stable| stable.list_goals(MOST_GOALS).is_some())
    }

    /// Returns why the task is too large for a heuristic, if no limit ended its building.
    fn too_large_for(&self, kind: Kind, context: &BuildContext) -> Option<String> {
        let context = context.for_another_build();
        Heuristic::new(kind, &self.reduced().task, &context).err().filter(|_| context.ended().is_none())
    }

    /// Returns why the toggle heuristic does not apply, if so.
    fn no_toggles(&self, context: &BuildContext) -> Option<String> {
        cached(&self.toggles, context, || Heuristic::new(Kind::Toggles, &self.reduced().task, context).err())
    }

    /// Returns the matching, or why there is none.
    fn matching(&self, context: &BuildContext) -> Result<Arc<Matching>, String> {
        if [reductions::DEAD_PAIRS, reductions::FROZEN].iter().any(|reduction| !context.uses(reduction)) {
            return matching(&self.reduced().task, context);
        }
        cached(&self.matching, context, || matching(&self.reduced().task, context))
    }

    /// Returns, if moves carry neighbouring values along together, whether the heuristic has forecasts.
    fn breakpoints(&self, context: &BuildContext) -> Option<bool> {
        let build = || Heuristic::new(Kind::Breakpoints, &self.reduced().task, context).ok();
        let find = || build().map(|heuristic| heuristic.has_forecast());
        cached(&self.breakpoints, context, find)
    }

    /// Returns the tables of size 0 that share the costs of operators, or why there are none.
    fn partitioning(&self, context: &BuildContext) -> Result<Arc<Partitioning>, String> {
        let context = small(context);
        cached(&self.partitioning, &context, || Partitioning::new(&self.reduced().task, &context).map(Arc::new))
    }

    /// Returns whether these see more than the pattern databases of size 0.
    fn shares_costs(&self, context: &BuildContext) -> bool {
        let context = small(context);
        cached(&self.shares_costs, &context, || {
            let patterns = Heuristic::new(Kind::PatternDatabase, &self.reduced().task, &context).ok();
            self.partitioning(&context).map(Heuristic::Partitioning).is_ok_and(|shared| {
                patterns.is_none_or(|patterns| sees_more(&shared, &patterns, &self.reduced().task, &context))
            })
        })
    }

    /// Returns whether landmarks see more than tables of size 0; they take some hundred times as long.
    fn landmarks_pay(&self, context: &BuildContext) -> bool {
        let (task, context) = (&self.reduced().task, small(context));
        let tables = if self.shares_costs(&context) {
            self.partitioning(&context).map(Heuristic::Partitioning).ok()
        } else {
            Heuristic::new(Kind::PatternDatabase, task, &context).ok()
        };
        let landmarks = Heuristic::new(Kind::LmCut, task, &context).ok();
        landmarks.zip(tables).is_some_and(|(landmarks, tables)| sees_more(&landmarks, &tables, task, &context))
    }

    /// Returns an upper bound on the base-2 logarithm of the number of states.
    fn log2_states(&self) -> f64 {
        bound::log2_states(&self.compiled.task, &self.reduced().reached, self.compiled.model.world.cells())
    }

    /// Returns a proof without a search that there is no solution, if one is found.
    fn refuted(&self, context: &BuildContext) -> Option<Refutation> {
        cached(&self.refuted, context, || refute(&self.compiled.task, self.reduced(), context))
    }
}

/// Returns a context for tables of size 0 that are not those of the search which is being built.
fn small(context: &BuildContext) -> BuildContext {
    BuildContext { size: Some(0), ..context.for_another_build() }
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
        let bits = Layout::new(&self.reduced().task).bits;
        let (variables, operators) = (self.reduced().task.variables.len(), self.reduced().task.operators.len());
        let [variables, operators] = [counted(variables, "variable"), counted(operators, "operator")];
        Some(format!("{variables}, {} a position, {operators}", counted(bits, "bit")))
    }

    fn properties(&self, context: &BuildContext) -> Vec<Property> {
        let matching = self.matching(context).ok();
        let toggles = self.no_toggles(context).is_none();
        let symmetries = self.symmetries(context);
        properties(&self.compiled.model, self.reduced(), matching.as_deref(), &symmetries, toggles, context)
    }

    fn prepare(&self, context: &BuildContext) {
        if self.reduced.get().is_none() {
            let reduced = self.reduce(context);
            if context.ended().is_none() {
                let _ = self.reduced.set(reduced);
            }
        }
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        self.prepare(context);
        if context.ended().is_some() {
            return;
        }
        self.no_toggles(context);
        self.breakpoints(context);
        self.stable(context);
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

    fn walked(&self, moves: u32, seed: u64) -> Option<Scrambled> {
        scramble::walked(&self.compiled, moves, seed)
    }

    fn refuses(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Option<String> {
        self.prepare(context);
        if context.ended().is_some() {
            return None;
        }
        match heuristic.name {
            "toggles" => self.no_toggles(context),
            "matching" | "maximum" => self.matching(context).err(),
            "breakpoints" if self.breakpoints(context).is_none() => {
                Some("no moves carry neighbouring values along together".to_owned())
            }
            "perimeter" if self.goals_listed(context).is_none() => Some(
                "no search backwards: the goals are too many to list, or a position takes more than 64 bits, or a move \
                 can have too many positions before it"
                    .to_owned(),
            ),
            // These are built in milliseconds.
            "lm-cut" => self.too_large_for(Kind::LmCut, context),
            "operator-counting" => self.too_large_for(Kind::OperatorCounting, context),
            _ => None,
        }
    }

    fn schedule(&self) -> Vec<Stage> {
        let stage = |heuristic, size, nodes| Stage { heuristic, size, automaton: false, nodes, algorithm: None };
        // Half of the depth from both ends; left out unless the goals can be listed.
        let both_ends = Stage { algorithm: Some(Algorithm::Bidirectional), ..stage("zero", 0, BOTH_ENDS) };
        // With free moves, few of the solutions of the equations are ruled out early, and one value may take seconds.
        let has_free_moves = self.reduced().task.operators.iter().any(|operator| operator.cost == 0);
        if !has_free_moves && self.no_toggles(&BuildContext::default()).is_none() {
            return vec![stage("toggles", 0, u64::MAX)];
        }
        // The tables of the first stage take a few milliseconds, and are better than all other heuristics here.
        let matching = self.matching(&BuildContext::default()).ok();
        if are_goals_disjoint(self.reduced(), &BuildContext::default()) {
            // Pieces that a mover pushes bar each other's way: the more of them there are, the more do these tables miss.
            // Tiles that slide into a blank do not.
            let bar_each_other = matching.as_ref().is_some_and(|matching| matching.sees_kinds_together());
            if bar_each_other && Mover::find(self.reduced(), &[]).is_some() {
                return vec![
                    stage("disjoint-patterns", 0, 10_000),
                    stage("matching", 0, 2_000_000),
                    stage("maximum", 0, u64::MAX),
                ];
            }
            let larger = [(0, 500_000), (1, 5_000_000), (2, u64::MAX)];
            return larger.into_iter().map(|(size, nodes)| stage("disjoint-patterns", size, nodes)).collect();
        }
        // With few states, no heuristic pays for its construction.
        if self.log2_states() <= FEW_STATES {
            return vec![stage("zero", 0, u64::MAX)];
        }
        if matching.is_some_and(|matching| !matching.leaves_out_most()) {
            return vec![stage("matching", 0, 2_000_000), stage("maximum", 0, u64::MAX)];
        }
        if let Some(has_forecast) = self.breakpoints(&BuildContext::default()) {
            let second = match has_forecast {
                // Few paths meet again, and without stored states a forecast is all that most children need.
                true => Stage { algorithm: Some(Algorithm::IdaStar), ..stage("breakpoints", 0, DEEPENING) },
                false => both_ends,
            };
            return vec![stage("breakpoints", 0, 500_000), second, stage("breakpoints", 1, u64::MAX)];
        }
        // Where no move can be taken back, weights measure progress, and are worth finding early; many take longer.
        let operators = self.reduced().task.operators.len() as u64;
        let is_one_way = self.reduced().inverse.iter().all(Option::is_none);
        let blind = if is_one_way { (BLIND_PER_OPERATOR * operators).min(MOST_BLIND) } else { MOST_BLIND };
        let blind = stage("zero", 0, blind);
        match self.stable(&BuildContext::default()) {
            // Patterns cannot tell in which vanishing state the other variables are, so free moves may come from
            // anywhere. A perimeter contains about as many states as the search expands with it.
            Some(stable) if stable.list_goals(MOST_GOALS).is_some() => vec![
                blind,
                stage("perimeter", 0, 150_000),
                stage("perimeter", 1, 1_000_000),
                stage("perimeter", 2, 8_000_000),
                stage("perimeter", 3, u64::MAX),
            ],
            // Where moves are reversible, weights prove no dead ends, and exact distances in parts of the puzzle see
            // more. Those that share the costs of moves take longer to find.
            _ if moves_are_undone(&self.reduced().task) => vec![
                blind,
                stage("pattern-database", 0, 50_000),
                both_ends,
                stage("cost-partitioning", 0, 2_000_000),
                stage("lm-cut", 0, (LANDMARK_WORK / operators.pow(3).max(1)).min(MOST_LANDMARK_STATES)),
                stage("pattern-database", 1, 5_000_000),
                stage("cost-partitioning", 1, 10_000_000),
                stage("pattern-database", 2, u64::MAX),
            ],
            _ => vec![blind, stage("potentials", 0, 500_000), stage("pattern-database", 0, u64::MAX)],
        }
    }

    fn skips(&self, stage: &Stage, context: &BuildContext) -> bool {
        match (stage.heuristic, stage.size) {
            ("cost-partitioning", _) => !self.shares_costs(context),
            ("pattern-database", 1) => self.shares_costs(context),
            ("lm-cut", _) => stage.nodes == 0 || !self.landmarks_pay(context),
            _ => false,
        }
    }

    fn schedule_reason(&self) -> Option<String> {
        let log2_states = self.log2_states();
        Some(if self.no_toggles(&BuildContext::default()).is_none() {
            "linear equations give the exact distance".to_owned()
        } else if are_goals_disjoint(self.reduced(), &BuildContext::default()) {
            "the goals are about symbols that occur once and move one by one".to_owned()
        } else if log2_states <= FEW_STATES {
            format!("there are at most 2^{log2_states:.1} states, so no heuristic pays for its tables")
        } else if self.matching(&BuildContext::default()).is_ok_and(|matching| !matching.leaves_out_most()) {
            "like symbols keep their number and have their places in the goal".to_owned()
        } else if self.breakpoints(&BuildContext::default()).is_some() {
            "moves carry neighbouring values along together".to_owned()
        } else {
            "cheap heuristics come first, since an easy puzzle needs no tables".to_owned()
        })
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let name = heuristic.name;
        let kind = match name {
            "potentials" => Some(Kind::Potentials),
            "pattern-database" => Some(Kind::PatternDatabase),
            "cost-partitioning" => Some(Kind::CostPartitioning),
            "cartesian" => Some(Kind::Cartesian),
            "merged-symbols" => Some(Kind::MergedSymbols),
            "lm-cut" => Some(Kind::LmCut),
            "operator-counting" => Some(Kind::OperatorCounting),
            "toggles" => Some(Kind::Toggles),
            "breakpoints" => Some(Kind::Breakpoints),
            _ => None,
        };
        let task = &self.reduced().task;
        let heuristic = match name {
            "matching" => Some(self.matching(context).map(Heuristic::Matching)),
            "maximum" => Some(self.matching(context).map(|matching| Heuristic::maximum(matching, task, context))),
            "disjoint-patterns" => Some(Disjoint::new(self.reduced(), context).map(Heuristic::Disjoint)),
            "perimeter" => self.goals_listed(context).map(|stable| Heuristic::perimeter(&stable, task, context)),
            "cost-partitioning" if context.size.unwrap_or(0) == 0 => {
                Some(self.partitioning(context).map(Heuristic::Partitioning))
            }
            _ => kind.map(|kind| Heuristic::new(kind, task, context)),
        };
        let heuristic = heuristic.transpose();
        match Layout::new(&self.reduced().task).bits {
            ..=64 => self.packed::<u64>(name, heuristic, context),
            65..=128 => self.packed::<u128>(name, heuristic, context),
            129..=256 => self.packed::<[u64; WIDE]>(name, heuristic, context),
            _ => self.packed::<Box<[u64]>>(name, heuristic, context),
        }
    }
}
