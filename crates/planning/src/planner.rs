//! The analyses of a reduced task, each computed on demand, and the heuristics and state spaces that rest on them.
//!
//! Each result is computed once, unless a limit ends the work; then it is computed again at the next call.

use crate::analysis::bound;
use crate::analysis::mover::Mover;
use crate::analysis::reduce::{Lifted, Reduced};
use crate::analysis::symmetry::{Images, Permutation, Symmetries, symmetries};
use crate::analysis::vanishing::{Stable, may_vanish};
use crate::argument::Refutation;
use crate::heuristic::{
    Disjoint, Heuristic, Kind, MOST_GOALS, Matching, Partitioning, are_goals_disjoint, free_moves_end, matching,
    sees_more,
};
use crate::packed::{Layout, Word};
use crate::reductions;
use crate::refutation::refute;
use crate::search::BuildContext;
use crate::space::RuleSpace;
use crate::task::{Condition, Task, Value, Var};
use std::sync::{Arc, OnceLock};

/// Returns the permutations of a reduced task's variables that may be symmetries, as its language knows them.
pub type Candidates = Box<dyn Fn(&Task) -> Vec<Permutation> + Send + Sync>;

/// A reduced task with its analyses.
pub struct Planner {
    reduced: Reduced,
    /// The number of the first variables of the whole task that are the cells of a grid.
    cells: usize,
    candidates: Candidates,
    /// An upper bound on the base-2 logarithm of the number of states.
    log2_states: f64,
    symmetries: OnceLock<Symmetries>,
    /// True if moves that cost nothing cannot go on for ever.
    free_moves_end: OnceLock<bool>,
    /// The reason why the toggle heuristic does not apply, if so.
    toggles: OnceLock<Option<String>>,
    /// The matching, or the reason why there is none.
    matching: OnceLock<Result<Arc<Matching>, String>>,
    /// The stable states, if others vanish.
    stable: OnceLock<Option<Arc<Stable>>>,
    /// True if the heuristic of breakpoints has forecasts; none if it does not apply.
    breakpoints: OnceLock<Option<bool>>,
    /// The tables of size 0 that share the costs of operators, or why there are none.
    partitioning: OnceLock<Result<Arc<Partitioning>, String>>,
    /// True if they see more than pattern databases that are added where no operator changes two.
    shares_costs: OnceLock<bool>,
    /// A proof without a search that there is no solution, if one is found.
    refuted: OnceLock<Option<Refutation>>,
}

impl Planner {
    /// Creates a planner of a reduced task. The first `cells` variables of the whole task are the cells of a grid.
    pub fn new(whole: &Task, reduced: Reduced, cells: usize, candidates: Candidates) -> Planner {
        Planner {
            log2_states: bound::log2_states(whole, &reduced.reached, cells),
            reduced,
            cells,
            candidates,
            symmetries: OnceLock::new(),
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

    /// Returns the reduced task.
    pub fn reduced(&self) -> &Reduced {
        &self.reduced
    }

    /// Returns the number of bits of a packed state.
    pub fn bits(&self) -> usize {
        Layout::new(&self.reduced.task).bits
    }

    /// Returns an upper bound on the base-2 logarithm of the number of states.
    pub fn log2_states(&self) -> f64 {
        self.log2_states
    }

    /// Returns whether moves that cost nothing cannot go on for ever, if that is found out.
    fn free_moves_end(&self, context: &BuildContext) -> bool {
        cached(&self.free_moves_end, context, || free_moves_end(&self.reduced.narrowed, self.cells, context))
    }

    /// Returns the symmetries of the task.
    pub fn symmetries(&self, context: &BuildContext) -> Symmetries {
        let task = &self.reduced.task;
        cached(&self.symmetries, context, || symmetries(task, &(self.candidates)(task), context))
    }

    /// Returns the stable states, if others vanish.
    pub fn stable(&self, context: &BuildContext) -> Option<Arc<Stable>> {
        let task = &self.reduced.task;
        let find = || Stable::new(task, self.symmetries(context).group(), context).map(Arc::new);
        cached(&self.stable, context, || may_vanish(task).then(find)?)
    }

    /// Returns the stable states, or all, if a search backwards can begin at all goals.
    fn goals_listed(&self, context: &BuildContext) -> Option<Arc<Stable>> {
        let task = &self.reduced.task;
        let all = || Stable::of_all_states(task, self.symmetries(context).group(), context).map(Arc::new);
        self.stable(context).or_else(all).filter(|stable| stable.list_goals(MOST_GOALS).is_some())
    }

    /// Returns why the task is too large for a heuristic, if no limit ended its building.
    fn too_large_for(&self, kind: Kind, context: &BuildContext) -> Option<String> {
        let context = context.for_another_build();
        Heuristic::new(kind, &self.reduced.task, &context).err().filter(|_| context.ended().is_none())
    }

    /// Returns why the toggle heuristic does not apply, if so.
    pub fn no_toggles(&self, context: &BuildContext) -> Option<String> {
        cached(&self.toggles, context, || Heuristic::new(Kind::Toggles, &self.reduced.task, context).err())
    }

    /// Returns whether the goals are about symbols that occur once and move one by one.
    pub fn are_goals_disjoint(&self, context: &BuildContext) -> bool {
        are_goals_disjoint(&self.reduced, context)
    }

    /// Returns the matching, or why there is none.
    pub fn matching(&self, context: &BuildContext) -> Result<Arc<Matching>, String> {
        if [reductions::DEAD_PAIRS, reductions::FROZEN].iter().any(|reduction| !context.uses(reduction)) {
            return matching(&self.reduced.task, context);
        }
        cached(&self.matching, context, || matching(&self.reduced.task, context))
    }

    /// Returns, if moves carry neighbouring values along together, whether the heuristic has forecasts.
    pub fn breakpoints(&self, context: &BuildContext) -> Option<bool> {
        let build = || Heuristic::new(Kind::Breakpoints, &self.reduced.task, context).ok();
        let find = || build().map(|heuristic| heuristic.has_forecast());
        cached(&self.breakpoints, context, find)
    }

    /// Returns the tables of size 0 that share the costs of operators, or why there are none.
    fn partitioning(&self, context: &BuildContext) -> Result<Arc<Partitioning>, String> {
        let context = small(context);
        cached(&self.partitioning, &context, || Partitioning::new(&self.reduced.task, &context).map(Arc::new))
    }

    /// Returns whether these see more than the pattern databases of size 0.
    pub fn shares_costs(&self, context: &BuildContext) -> bool {
        let context = small(context);
        cached(&self.shares_costs, &context, || {
            let patterns = Heuristic::new(Kind::PatternDatabase, &self.reduced.task, &context).ok();
            self.partitioning(&context).map(Heuristic::Partitioning).is_ok_and(|shared| {
                patterns.is_none_or(|patterns| sees_more(&shared, &patterns, &self.reduced.task, &context))
            })
        })
    }

    /// Returns whether landmarks see more than tables of size 0; they take some hundred times as long.
    pub fn landmarks_pay(&self, context: &BuildContext) -> bool {
        let (task, context) = (&self.reduced.task, small(context));
        let tables = if self.shares_costs(&context) {
            self.partitioning(&context).map(Heuristic::Partitioning).ok()
        } else {
            Heuristic::new(Kind::PatternDatabase, task, &context).ok()
        };
        let landmarks = Heuristic::new(Kind::LmCut, task, &context).ok();
        landmarks.zip(tables).is_some_and(|(landmarks, tables)| sees_more(&landmarks, &tables, task, &context))
    }

    /// Returns a proof without a search that the whole task has no solution, if one is found.
    pub fn refuted(&self, whole: &Task, context: &BuildContext) -> Option<Refutation> {
        cached(&self.refuted, context, || refute(whole, &self.reduced, context))
    }

    /// Returns why a heuristic does not apply to the task, if that is found out. The answer is meaningless if a limit
    /// of `context` ended the check.
    pub fn refuses(&self, heuristic: &str, context: &BuildContext) -> Option<String> {
        match heuristic {
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

    /// Builds a heuristic by its name; none for `zero`.
    ///
    /// # Errors
    /// Why it does not apply, or that a limit ended its construction.
    fn heuristic(&self, name: &str, context: &BuildContext) -> Result<Option<Heuristic>, String> {
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
        let task = &self.reduced.task;
        let heuristic = match name {
            "matching" => Some(self.matching(context).map(Heuristic::Matching)),
            "maximum" => Some(self.matching(context).map(|matching| Heuristic::maximum(matching, task, context))),
            "disjoint-patterns" => Some(Disjoint::new(&self.reduced, context).map(Heuristic::Disjoint)),
            "perimeter" => self.goals_listed(context).map(|stable| Heuristic::perimeter(&stable, task, context)),
            "cost-partitioning" if context.size.unwrap_or(0) == 0 => {
                Some(self.partitioning(context).map(Heuristic::Partitioning))
            }
            _ => kind.map(|kind| Heuristic::new(kind, task, context)),
        };
        heuristic.transpose()
    }

    /// Builds the state space with a heuristic, by its name. States have [`bits`](Self::bits) bits.
    pub fn space<W: Word>(&self, heuristic: &'static str, context: &BuildContext) -> RuleSpace<W> {
        let built = self.heuristic(heuristic, context);
        let reason = built.as_ref().err().cloned();
        let stable = self.stable(context);
        let uses_symmetries = context.uses(reductions::SYMMETRIES);
        let symmetries = if uses_symmetries { self.symmetries(context) } else { Symmetries::default() };
        let images = Images::new(&self.reduced.task, &symmetries);
        RuleSpace::<W>::new(&self.reduced, images, heuristic, built.unwrap_or(None), context)
            .without_heuristic(reason)
            .with_stable(stable.as_ref())
            .without_free_cycles(self.free_moves_end(context))
    }
}

/// Returns the reduced task in which pieces of which each occurs once, such as boxes with numbers, stay in their cells,
/// so that a matching sees how they bar each other's way; none if there are no such pieces, or if it sees no more then.
/// `lift` lifts the whole task's unique symbols to places, except for some.
pub fn with_pieces_in_cells(
    reduced: &Reduced,
    lift: impl FnOnce(&[Value]) -> Lifted,
    context: &BuildContext,
) -> Option<Reduced> {
    let mover = Mover::find(reduced, &[])?;
    let is_in_goals = |var: Var| reduced.task.goals.iter().any(|goal| goal.conditions.iter().any(|(of, _)| *of == var));
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
    let other = Reduced::new(lift(&pieces), context);
    let is_better = matching(&other.task, context).is_ok_and(|matching| matching.sees_kinds_together());
    is_better.then_some(other)
}

/// Returns a context for tables of size 0 that are not those of the search which is being built.
fn small(context: &BuildContext) -> BuildContext {
    BuildContext { size: Some(0), ..context.for_another_build() }
}

/// Returns the cached result; computes it on first use, and caches it unless `context` interrupted the computation.
pub fn cached<T: Clone>(cell: &OnceLock<T>, context: &BuildContext, find: impl FnOnce() -> T) -> T {
    if let Some(cached) = cell.get() {
        return cached.clone();
    }
    let found = find();
    if context.ended().is_none() {
        let _ = cell.set(found.clone());
    }
    found
}
