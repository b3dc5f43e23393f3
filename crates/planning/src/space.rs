//! The packed state space of a puzzle's rules.
//!
//! Successors are generated in the order of the operators: rules in the order of the file, bindings of parameters,
//! places row by row, directions.

mod macro_moves;
mod regions;
mod savings;
mod stable_graph;

use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::free_moves::FreeMoves;
use crate::analysis::mover::Mover;
use crate::analysis::mutex::Mutexes;
use crate::analysis::symmetry::{Images, SYMMETRIES, Symmetries};
use crate::analysis::triggers::Triggers;
use crate::analysis::vanishing::{Recoding, Stable};
use crate::analysis::walks::Walks;
use crate::argument::{DeadSum, Refutation};
use crate::heuristic::{Built, CONFLICTS, DEAD, DEAD_PATTERNS, DeadEnd, Heuristic, Learns, Proofs, STUBBORN_SETS};
use crate::heuristic::{Registration, SimilarStates, free_moves_end};
use crate::packed::operator_index::OperatorIndex;
use crate::packed::{Numbers, Packed, PackedCounters, PackedGoal, StateLayout, Word};
use crate::refutation::explain;
use crate::search::{BuildContext, Named, ProofLog};
use crate::task::lifting::Lifting;
use crate::task::{Goal, Task, Value, Values};
use engine_search::space::{Facts, Guided, InPlace, Ordinal, Parts, Quotient, Saving, StateSpace, Symmetric, Weighted};
pub use macro_moves::MACRO_MOVES;
use macro_moves::MacroMoves;
use regions::Regions;
use savings::Counters;
use stable_graph::StableGraph;
use std::sync::{Arc, OnceLock};

/// The reduction that leaves out operators after which the heuristic proves that no goal can be reached.
pub const DEAD_MOVES: Named =
    Named { name: "dead-moves", summary: "no moves after which a piece never reaches a target" };

/// Up to this many variables are unpacked on the stack.
const BUFFER: usize = 128;

/// The state space, with packed states of type `W`.
pub struct RuleSpace<W> {
    task: Arc<Task>,
    layout: StateLayout,
    operators: Vec<Packed<W>>,
    index: OperatorIndex,
    /// The index of operators that is used instead if it pays.
    triggers: Option<Triggers<W>>,
    /// The action of each operator, and the operator of each action; actions that never apply have none.
    actions: Vec<u32>,
    operator_of: Vec<u32>,
    /// For each operator, the one that undoes it in every state, if there is one.
    inverse: Vec<Option<u32>>,
    /// True if another move of the same cost undoes each. If mutual exclusions are needed for that, it holds in the
    /// states that are consistent with them.
    reversible: bool,
    mutexes: Option<Arc<Mutexes>>,
    /// Those that complete goals, once these are listed.
    goal_mutexes: OnceLock<Option<Mutexes>>,
    unit: bool,
    /// True if all moves cost the same, more than 0.
    equal: bool,
    goals: Vec<PackedGoal<W>>,
    initial: W,
    images: Images<W>,
    /// The walks of a mover, if there is one.
    walks: Option<Walks<W>>,
    mover: Option<Mover>,
    /// True if moves of cost 0 may follow each other for ever.
    free_cycles: bool,
    /// Free moves of several variables, if there is no mover.
    free_moves: Option<FreeMoves>,
    heuristic: Option<Arc<dyn Heuristic>>,
    /// The reason why there is no heuristic although one was chosen.
    no_heuristic: Option<String>,
    uses: Uses,
    /// The stable states, if guided searches store these alone.
    stable: Option<(Arc<Stable>, Recoding<W>)>,
    /// The counts for an explanation, if one is wanted.
    counters: Option<Box<Counters>>,
    /// The name of the heuristic and the translation to the facts of the puzzle, for explanations.
    name: &'static str,
    lifting: Arc<Lifting>,
    /// The receiver of what a certificate is to prove.
    proof_log: Option<Arc<ProofLog>>,
}

/// The most combinations of values that are tried for one goal, and the most pairs of values in all of them.
const MOST_COMBINATIONS: usize = 1 << 16;
const MOST_PAIRS: usize = 1 << 26;

/// Returns all combinations of one value for each variable, unless they are more than `at_most`.
fn combinations(of: &[Values], at_most: usize) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::with_capacity(of.len())];
    for values in of {
        if all.len().saturating_mul(values.len()) > at_most {
            return None;
        }
        let with_each = |before: Vec<Value>| values.iter().map(move |value| [&before[..], &[value]].concat());
        all = all.into_iter().flat_map(with_each).collect();
    }
    Some(all)
}

/// The reductions of guided searches that are not turned off.
struct Uses {
    macro_moves: bool,
    learns: Learns,
}

impl<W: Word> RuleSpace<W> {
    /// Builds the space of a task with a heuristic. If that cannot be built, h is 0.
    pub fn new(analysed: &AnalysedTask, named: Option<&'static Registration>, context: &BuildContext) -> RuleSpace<W> {
        let built = named.map(|named| (named.facts.name, named.build(analysed, context)));
        RuleSpace::guided(analysed, built, context)
    }

    /// Builds the space of a task with a heuristic that was built, given its name. If it was not, h is 0.
    pub fn guided(
        analysed: &AnalysedTask,
        built: Option<(&'static str, Built)>,
        context: &BuildContext,
    ) -> RuleSpace<W> {
        let reduced = &analysed.reduced;
        let task = &reduced.task;
        let (name, heuristic, no_heuristic) = match built {
            Some((name, Ok(heuristic))) => (name, Some(heuristic), None),
            Some((name, Err(reason))) => (name, None, Some(reason)),
            None => ("", None, None),
        };
        let stable = analysed.stable(context);
        let uses_symmetries = context.uses(SYMMETRIES.name);
        let symmetries = if uses_symmetries { analysed.symmetries(context) } else { Arc::new(Symmetries::default()) };
        let images = Images::new(task, &symmetries);
        let layout = StateLayout::new(task);
        let counters = PackedCounters::new(task, &layout);
        let operators: Vec<Packed<W>> =
            (0..task.operators.len()).map(|number| Packed::new(task, &layout, &counters, number)).collect();
        let dead_ends = heuristic.as_ref().filter(|_| context.uses(DEAD_MOVES.name));
        let dead_ends = dead_ends.and_then(|heuristic| heuristic.dead_ends());
        let dead_ends = dead_ends.unwrap_or_default();
        let most = reduced.origin.iter().max().map_or(0, |&most| most as usize + 1);
        let mut operator_of = vec![u32::MAX; most];
        (0..).zip(&reduced.origin).for_each(|(number, &action)| operator_of[action as usize] = number);
        let mover = Mover::find(reduced, images.generators());
        let free_moves = if mover.is_none() { FreeMoves::find(reduced, images.generators(), &dead_ends) } else { None };
        // Only graphs of macro moves and regions leave them out.
        let is_plain = mover.is_none() && free_moves.is_none() || !context.uses(MACRO_MOVES.name);
        let left_out = if is_plain { 0 } else { dead_ends.iter().filter(|dead| **dead).count() as u64 };
        let walks = mover.as_ref().map(|mover| Walks::new(task, &layout, &images, mover, &dead_ends));
        let index = OperatorIndex::new(task, &layout, context);
        let triggers = Triggers::new(task, &layout, 0..task.operators.len() as u32, None);
        let triggers = triggers.filter(|triggers| triggers.pay(index.average()));
        if let (Some(log), Some(heuristic)) = (&context.limits.proof_log, &heuristic) {
            let mut pruned = log.pruned();
            for (weights, goal) in heuristic.dead_end_weights() {
                let sum = DeadSum { weights: reduced.lifting.by_name(&reduced.lifting.weights(&weights)), goal };
                if !pruned.sums.contains(&sum) {
                    pruned.sums.push(sum);
                }
            }
        }
        let moves_end = || free_moves_end(&reduced.narrowed, analysed.cells, context);
        let free_cycles = task.operators.iter().any(|operator| operator.cost == 0)
            && !analysed.memo.get("free moves end", context, moves_end);
        RuleSpace {
            task: Arc::clone(task),
            index,
            triggers,
            actions: reduced.origin.clone(),
            operator_of,
            reversible: reduced.is_reversible,
            mutexes: reduced.mutexes.clone(),
            goal_mutexes: OnceLock::new(),
            inverse: reduced.inverse.clone(),
            unit: task.operators.iter().all(|operator| operator.cost == 1),
            equal: task.operators.iter().all(|operator| operator.cost == task.operators[0].cost.max(1)),
            free_cycles,
            goals: task.goals.iter().map(|goal| PackedGoal::new(task, &layout, goal)).collect(),
            initial: layout.pack(&task.start),
            images,
            operators,
            heuristic,
            no_heuristic,
            stable: stable.map(|stable| (Arc::clone(&stable), stable.recoding(&layout))),
            name,
            lifting: Arc::clone(&reduced.lifting),
            proof_log: context.limits.proof_log.clone(),
            free_moves,
            uses: Uses {
                macro_moves: context.uses(MACRO_MOVES.name),
                learns: Learns {
                    patterns: context.uses(DEAD_PATTERNS.name),
                    stubborn: context.uses(STUBBORN_SETS.name),
                    conflicts: context.uses(CONFLICTS.name),
                },
            },
            counters: context.explain.then(|| Box::new(Counters::new(left_out))),
            walks,
            mover,
            layout,
        }
    }

    /// Calls `each` with the applicable operators and their successors.
    #[inline]
    pub fn for_each_successor(&self, word: &W, mut each: impl FnMut(u32, &Packed<W>, W)) {
        self.for_each_applicable(word, |number| {
            let operator = &self.operators[number as usize];
            if let Some(after) = operator.apply(word) {
                each(number, operator, after);
            }
        });
    }

    /// Calls `each` with the operators whose preconditions hold, in order.
    #[inline]
    fn for_each_applicable(&self, word: &W, each: impl FnMut(u32)) {
        let mut numbers = Numbers::new();
        let mut holds = |number: u32| self.operators[number as usize].holds(word, &mut numbers);
        let Some(triggers) = &self.triggers else {
            return self.index.candidates(word).iter().copied().filter(|&number| holds(number)).for_each(each);
        };
        let mut found = Vec::with_capacity(64);
        triggers.for_each(word, |number| {
            if holds(number) {
                found.push(number);
            }
        });
        found.sort_unstable();
        found.into_iter().for_each(each);
    }

    #[inline]
    pub fn packed(&self, number: u32) -> &Packed<W> {
        &self.operators[number as usize]
    }

    /// Appends the moves of operators to a path of ordinals; returns their total cost.
    pub fn append_moves(&self, at: &mut W, operators: &[u32], ordinals: &mut Vec<Ordinal>) -> u32 {
        let mut total = 0;
        for &number in operators {
            let mut moves = Vec::new();
            self.for_each_successor(at, |other, operator, after| moves.push((other, operator.cost, after)));
            let ordinal = moves.iter().position(|(other, ..)| *other == number).expect("the move is legal");
            let (_, cost, after) = moves.swap_remove(ordinal);
            ordinals.push(ordinal as Ordinal);
            (*at, total) = (after, total + cost);
        }
        total
    }

    pub fn images(&self) -> &Images<W> {
        &self.images
    }

    /// Returns the values of a state's variables.
    fn values(&self, word: &W) -> Vec<Value> {
        let mut values = vec![0; self.task.variables.len()];
        self.layout.unpack(word, &mut values);
        values
    }

    /// Calls `read` with the values of a state's variables.
    #[inline]
    pub fn with_values<T>(&self, state: &W, read: impl FnOnce(&[Value]) -> T) -> T {
        let mut buffer = [0; BUFFER];
        let variables = self.task.variables.len();
        if variables <= BUFFER {
            self.layout.unpack(state, &mut buffer[..variables]);
            return read(&buffer[..variables]);
        }
        read(&self.values(state))
    }

    /// Returns the values of all variables of the puzzle in a state, those that were left out of the task included.
    pub fn lifted(&self, state: &W) -> Vec<Value> {
        self.with_values(state, |values| self.lifting.state(values))
    }

    /// Returns whether the heuristic is a matching and nothing else.
    pub fn is_matching(&self) -> bool {
        self.heuristic.as_ref().is_some_and(|heuristic| heuristic.is_matching())
    }

    pub fn counters(&self) -> Option<&Counters> {
        self.counters.as_deref()
    }

    /// Returns h of unpacked values.
    #[inline]
    fn h_of_values(&self, heuristic: &dyn Heuristic, values: &[Value]) -> u32 {
        let h = heuristic.h(values);
        if let Some(counters) = self.counters.as_ref().filter(|_| h == DEAD) {
            counters.dead_end(heuristic.dead_end(values));
        }
        h
    }

    fn operator(&self, action: u32) -> &Packed<W> {
        &self.operators[self.operator_of[action as usize] as usize]
    }
}

impl<W: Word> StateSpace for RuleSpace<W> {
    type Key = W;
    /// The number of an operator of the whole task.
    type Action = u32;
    type Cost = u32;

    fn facts(&self) -> Facts {
        let (rows, entries) = self.index.size();
        let operators = self.operators.len() * size_of::<Packed<W>>();
        Facts {
            unit_cost: self.unit,
            equal_cost: self.equal,
            reversible: self.reversible,
            symmetric_costs: self.reversible,
            free_moves: self.task.operators.iter().any(|operator| operator.cost == 0),
            free_cycles: self.free_cycles,
            key_heap_bytes: self.initial.heap_bytes(),
            table_bytes: ((rows + entries + self.triggers.as_ref().map_or(0, Triggers::len)) * 4 + operators) as u64
                + self.heuristic.as_ref().map_or(0, |heuristic| heuristic.bytes()),
            has_features: true,
            slow_heuristic: self.heuristic.as_ref().is_some_and(|heuristic| heuristic.is_slow()),
            cost_unit: self.task.cost_unit,
            ..Facts::default()
        }
    }

    /// Each variable has a feature: its value.
    fn features(&self, key: &W, features: &mut Vec<u64>) {
        self.with_values(key, |values| {
            let mut first = 0;
            for (var, &value) in values.iter().enumerate() {
                features.push(u64::from(first + u32::from(value)));
                first += self.task.size(var) as u32;
            }
        });
    }

    fn is_goal(&self, state: &W) -> bool {
        self.goals.iter().any(|goal| goal.holds(state))
    }

    #[inline]
    fn expand(&self, key: &W, mut child: impl FnMut(u32, u32, W)) {
        self.for_each_successor(key, |number, operator, after| {
            child(self.actions[number as usize], operator.cost, after)
        });
    }

    fn goals(&self, at_most: usize) -> Option<Vec<W>> {
        let mut goals = Vec::new();
        // Whether a combination is consistent depends on all pairs of variables.
        let most = (MOST_PAIRS / self.task.variables.len().pow(2).max(1)).clamp(1, MOST_COMBINATIONS).min(at_most);
        for (goal, packed) in self.task.goals.iter().zip(&self.goals) {
            let (all, mutexes) = self.goal_values(goal)?;
            // In an inconsistent state, which cannot be reached, moves may not be undone.
            let is_consistent = |values: &[Value]| mutexes.is_none_or(|mutexes| mutexes.is_consistent(values));
            for values in combinations(&all, most)? {
                let word = self.layout.pack(&values);
                if is_consistent(&values) && self.task.is_allowed(&values) && packed.holds(&word) {
                    goals.push(word);
                }
            }
        }
        goals.sort_unstable();
        goals.dedup();
        (goals.len() <= at_most && !goals.is_empty()).then_some(goals)
    }

    fn quotient(&self) -> Option<Box<dyn Weighted<W, u32> + '_>> {
        if self.images.is_empty() { None } else { Some(Box::new(Quotient(self))) }
    }

    fn jump_graph(&self) -> Option<Box<dyn Weighted<W, u32> + '_>> {
        if self.uses.macro_moves { self.macro_graph() } else { None }
    }
}

impl<W: Word> RuleSpace<W> {
    /// Returns the values that each variable may have in a goal: those that mutexes leave, if the goal does not name
    /// all.
    fn goal_values(&self, goal: &Goal) -> Option<(Vec<Values>, Option<&Mutexes>)> {
        let known = self.mutexes.as_deref();
        if goal.conditions.len() == self.task.variables.len() {
            return Some((goal.conditions.iter().map(|(_, values)| values.clone()).collect(), known));
        }
        let find = || Mutexes::new(&self.task, &BuildContext::default());
        let mutexes = known.or_else(|| self.goal_mutexes.get_or_init(find).as_ref())?;
        Some((mutexes.allowed(&self.task, &goal.conditions), Some(mutexes)))
    }

    /// Returns the graph whose edges are chains of moves, if there is one.
    fn macro_graph(&self) -> Option<Box<dyn Weighted<W, u32> + '_>> {
        // Without a heuristic that relies on stable states, the region of a mover joins more of them.
        let is_region = self.heuristic.is_none() && self.walks.as_ref().is_some_and(|walks| walks.has_regions);
        if let Some((stable, recoding)) = self.stable.as_ref().filter(|_| !is_region) {
            return Some(Box::new(StableGraph { space: self, stable, recoding }));
        }
        if let Some(walks) = &self.walks {
            let matching = self.heuristic.as_ref().and_then(|heuristic| heuristic.matching());
            let corrals = match (matching, &self.mover) {
                (Some(matching), Some(mover)) => {
                    let proofs = self.proof_log.clone().map(|log| Proofs { log, lifting: &self.lifting });
                    matching.corrals(&self.task, &self.layout, mover, self.uses.learns, proofs.as_ref())
                }
                _ => None,
            };
            return Some(Box::new(MacroMoves { space: self, walks, corrals }));
        }
        // Without a heuristic, a plain search of few states takes less time than the regions.
        self.heuristic.as_ref()?;
        let regions = Regions { space: self, free: self.free_moves.as_ref()? };
        if regions.are_small(&self.initial) { Some(Box::new(regions)) } else { None }
    }
}

impl<W: Word> Guided for RuleSpace<W> {
    fn h(&self, state: &W) -> u32 {
        let Some(heuristic) = &self.heuristic else { return 0 };
        self.with_values(state, |values| self.h_of_values(&**heuristic, values))
    }

    fn h_of(&self, keys: &[W], values: &mut Vec<u32>) {
        let Some(incremental) = self.heuristic.as_ref().and_then(|heuristic| heuristic.incremental()) else {
            return values.extend(keys.iter().map(|key| self.h(key)));
        };
        let Some(states) = SimilarStates::new(&self.layout, keys) else { return };
        let before = values.len();
        incremental.h_of(&states, values);
        if let Some(counters) = &self.counters {
            values[before..].iter().filter(|&&h| h == DEAD).for_each(|_| counters.dead_end(DeadEnd::Other));
        }
    }

    fn parts(&self, state: &W) -> Parts {
        let parts = |heuristic: &Arc<dyn Heuristic>| {
            self.with_values(state, |values| match heuristic.h(values) {
                DEAD => Parts::default(),
                _ => heuristic.parts(&self.task, values),
            })
        };
        self.heuristic.as_ref().map_or_else(Parts::default, parts)
    }

    fn guidance(&self) -> Option<String> {
        let missing = || self.no_heuristic.as_ref().map(|reason| format!("none, so h is 0: {reason}"));
        self.heuristic.as_ref().map(|heuristic| heuristic.describe()).or_else(missing)
    }

    fn no_heuristic(&self) -> Option<String> {
        self.no_heuristic.clone()
    }

    fn counts_savings(&self) -> bool {
        self.counters.is_some()
    }

    fn savings(&self) -> Vec<Saving> {
        let has_regions = self.walks.as_ref().is_none_or(|walks| walks.has_regions);
        self.counters.as_ref().map_or(Vec::new(), |counters| counters.savings(has_regions))
    }

    fn refutation(&self, state: &W) -> Option<Refutation> {
        let mut values: Vec<Value> = vec![0; self.task.variables.len()];
        self.layout.unpack(state, &mut values);
        let proof = self.heuristic.as_ref()?.refutation(&values)?;
        Some(explain(&self.lifting, self.name, &proof, &values))
    }
}

impl<W: Word> InPlace for RuleSpace<W> {
    type State = W;
    type Undo = W;
    /// The last operator.
    type Trail = Option<u32>;
    type Actions<'a> = std::vec::IntoIter<u32>;

    fn initial(&self) -> W {
        self.initial.clone()
    }

    fn pack(&self, state: &W) -> W {
        state.clone()
    }

    fn unpack(&self, key: &W) -> W {
        key.clone()
    }

    // The default ones clone the state, which may be long.
    fn is_solved(&self, state: &W) -> bool {
        self.is_goal(state)
    }

    fn h_in_place(&self, state: &W) -> u32 {
        self.h(state)
    }

    #[inline]
    fn actions(&self, state: &W) -> Self::Actions<'_> {
        let mut actions = Vec::new();
        self.for_each_successor(state, |number, _, _| actions.push(self.actions[number as usize]));
        actions.into_iter()
    }

    fn apply(&self, state: &mut W, action: u32) -> (u32, W) {
        let operator = self.operator(action);
        let after = operator.apply(state).expect("the action is legal");
        (operator.cost, std::mem::replace(state, after))
    }

    fn undo(&self, state: &mut W, _action: u32, before: W) {
        *state = before;
    }

    fn trail(&self, _state: &Self::State) -> Option<u32> {
        None
    }

    fn follow(&self, trail: &Option<u32>, _state: &W, action: u32) -> Option<Option<u32>> {
        let number = self.operator_of[action as usize];
        let takes_back = trail.is_some_and(|last| self.inverse[last as usize] == Some(number));
        (!takes_back).then_some(Some(number))
    }
}

impl<W: Word> Symmetric for RuleSpace<W> {
    #[inline]
    fn canonical(&self, key: W) -> W {
        let Some(counters) = &self.counters else { return self.images.canonical(key) };
        counters.image(key.clone(), self.images.canonical(key))
    }

    /// Leaves out children that an earlier move leads to, too, since it does the same with an equal block of variables.
    fn expand_canonical(&self, key: &W, mut child: impl FnMut(u32, W)) {
        let equal = self.images.equal_blocks(key);
        self.for_each_successor(key, |number, operator, after| {
            if !self.images.has_twin(number, equal) {
                child(operator.cost, self.canonical(after));
            } else if let Some(counters) = &self.counters {
                counters.twin();
            }
        });
    }
}
