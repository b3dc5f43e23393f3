//! Iterative deepening: depth-first searches within a rising threshold, on one in-place state. Only the current path is
//! stored.
//!
//! With a heuristic this is IDA* (Korf 1985), with a threshold on f = g + h; without one it is iterative deepening
//! depth-first search (Slate and Atkin 1977), with a threshold on g. Each threshold is the least cost that exceeded the
//! previous one, so the first solution is a cheapest one. No threshold cuts off part of a solution, so it is the first
//! of the cheapest solutions in the order of the moves, for any admissible heuristic. If there is no solution and moves
//! can repeat for ever, only a limit ends the search.

mod shared;
mod traced;

use super::algorithm::{AlgorithmFacts, Guarantee, Need};
use super::limits::{Limit, Limits, Watch};
use super::path_in_place::Measure;
use super::proof_log::Counts;
use super::thread_pool::LazyPool;
use super::trace::Visits;
use super::{Algorithm, Found, Stats, Verdict, cost_of};
use crate::space::{Cost, InPlace};

/// The reason why it cannot search graphs with cycles of free moves.
const ENDLESS: &str = "it stores no visited states, so moves of cost 0 could lead it into an endless cycle";

/// The facts of iterative deepening without a heuristic.
pub(super) const IDDFS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Iddfs,
    name: "iddfs",
    aliases: &["iterative-deepening"],
    summary: "iterative deepening depth-first search (Slate and Atkin 1977): shortest; memory is linear in the \
              depth; visits a state once for each path to it; without a solution it may not terminate",
    help: "iterative deepening depth-first search; shortest, little memory",
    guarantee: Guarantee::Levels("depth"),
    needs: &[(Need::NoFreeCycles, ENDLESS)],
    in_place: Some(Measure::Costs { informed: false }),
    ..AlgorithmFacts::NONE
};

/// The facts of iterative deepening A*.
pub(super) const IDA_STAR: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::IdaStar,
    name: "ida-star",
    aliases: &["idastar", "ida*"],
    summary: "iterative deepening A* (Korf 1985): shortest with an admissible heuristic; memory is linear in \
              the depth; visits a state once for each path to it; without a solution it may not terminate",
    help: "iterative deepening A*; shortest with an admissible heuristic, little memory",
    informed: true,
    guarantee: Guarantee::Levels("f"),
    needs: &[(Need::NoFreeCycles, ENDLESS)],
    in_place: Some(Measure::Costs { informed: true }),
    ..AlgorithmFacts::NONE
};

/// Searches from a state.
pub(super) fn iterative_deepening<S: InPlace>(
    space: &S,
    informed: bool,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let mut state = start();
    let mut iterations = Iterations::new(space, informed, Watch::new(limits, 0));
    let facts = space.facts();
    // Counts of savings, and moves that are found to be unknown, depend on which states a search visits. Each share has
    // copies of states, which may be large.
    let may_share =
        !facts.transient_keys && !space.counts_savings() && facts.key_heap_bytes <= shared::MOST_BYTES_OF_KEY;
    let pool = LazyPool::new(limits.threads);
    let mut trace = Visits::new(limits.trace.as_ref(), 1);
    let (mut expanded_last, mut pruned) = (0, false);
    let mut completed = S::Cost::ZERO;
    let mut bound = if informed { space.h_in_place(&state) } else { S::Cost::ZERO };
    limits.begin_proof_log(if informed { IDA_STAR.name } else { IDDFS.name }, Counts::Bounds);
    let verdict = loop {
        if bound >= S::Cost::INFINITY {
            pruned = true;
            break Verdict::Unsolvable;
        }
        let before = iterations.expanded;
        limits.reach(completed.as_f64(), bound.as_f64());
        if limits.depth.is_some_and(|depth| bound.exceeds_whole(depth)) {
            break Verdict::Limit { limit: Limit::Depth, lower_bound: bound.as_f64(), best: None };
        }
        let end;
        if let Some(trace) = &mut trace {
            let root = Node { trail: space.trail(&state), budget: bound };
            (state, end) = iterations.search_traced(state, root, trace);
        } else if may_share && shared::is_worth_sharing(expanded_last) && pool.threads() > 1 {
            end = iterations.search_shared(&state, bound, expanded_last, &pool);
        } else {
            let root = Node { trail: space.trail(&state), budget: bound };
            (state, end) = iterations.search(state, root);
        }
        expanded_last = iterations.expanded - before;
        match end {
            IterationEnd::Goal(path) => {
                // Less than the threshold if the heuristic overestimates.
                let cost = cost_of(space, start(), &path).as_f64();
                break Verdict::Solved { path, cost, lower_bound: cost };
            }
            IterationEnd::Limit(limit) => break Verdict::Limit { limit, lower_bound: bound.as_f64(), best: None },
            IterationEnd::Exhausted => {
                limits.complete_step(0, bound.as_f64(), iterations.expanded - before);
                if iterations.next_excess >= no_excess() {
                    break Verdict::Unsolvable;
                }
                // The least f beyond the threshold; if it is infinite, no goal is reachable from what was cut off.
                let least = bound + iterations.next_excess;
                if least >= S::Cost::INFINITY {
                    pruned = true;
                    break Verdict::Unsolvable;
                }
                (completed, bound) = (bound, least);
            }
        }
    };
    let depth = if matches!(verdict, Verdict::Solved { .. }) { bound } else { completed };
    let stats = Stats {
        expanded: iterations.expanded,
        generated: iterations.generated,
        stored: iterations.longest as u64 + 1,
        depth: depth.as_f64(),
        memory: (iterations.longest * size_of::<Frame<S>>()) as u64,
        pruned,
        deepened_after: None,
    };
    Found { verdict, stats }
}

/// The end of one iteration.
enum IterationEnd<A> {
    Goal(Vec<A>),
    Exhausted,
    Limit(Limit),
}

/// The state that the iterations share.
struct Iterations<'a, S: InPlace> {
    space: &'a S,
    informed: bool,
    /// The least increase of the threshold that would admit more states: [`no_excess`] if nothing was cut off.
    next_excess: S::Cost,
    path: Vec<Frame<'a, S>>,
    watch: Watch,
    expanded: u64,
    generated: u64,
    longest: usize,
}

/// A state within the threshold, without the state itself.
struct Node<S: InPlace> {
    trail: S::Trail,
    /// The budget that remains from here.
    budget: S::Cost,
}

/// A state on the path, with the move that left it.
struct Frame<'a, S: InPlace> {
    /// The moves not yet tried.
    rest: S::Actions<'a>,
    trail: S::Trail,
    /// The budget that remains from here.
    budget: S::Cost,
    action: S::Action,
    undo: S::Undo,
}

impl<'a, S: InPlace> Iterations<'a, S> {
    fn new(space: &'a S, informed: bool, watch: Watch) -> Self {
        Iterations {
            space,
            informed,
            next_excess: no_excess(),
            path: Vec::new(),
            watch,
            expanded: 0,
            generated: 0,
            longest: 0,
        }
    }

    /// Searches everything from a state within the threshold. Restores the state, unless a goal or a limit ends the
    /// search.
    fn search(&mut self, state: S::State, node: Node<S>) -> (S::State, IterationEnd<S::Action>) {
        if self.informed { self.search_from::<true>(state, node) } else { self.search_from::<false>(state, node) }
    }

    /// Makes a move within the budget.
    fn apply_within(
        &self,
        state: &mut S::State,
        action: S::Action,
        budget: S::Cost,
    ) -> Result<(S::Cost, S::Undo), S::Cost> {
        if self.informed {
            self.space.apply_within(state, action, budget)
        } else {
            apply_within_cost(self.space, state, action, budget)
        }
    }

    /// Implements [`search`](Self::search).
    ///
    /// This is the innermost loop of the program. It is a separate function that keeps everything it changes in local
    /// variables, so that they stay in registers.
    #[inline(never)]
    fn search_from<const INFORMED: bool>(
        &mut self,
        state: S::State,
        node: Node<S>,
    ) -> (S::State, IterationEnd<S::Action>) {
        let space = self.space;
        // A parameter is in memory, a variable in registers.
        let mut state = state;
        if space.is_solved(&state) {
            return (state, IterationEnd::Goal(Vec::new()));
        }
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes(&self.path)) {
            return (state, IterationEnd::Limit(limit));
        }
        let mut path = std::mem::take(&mut self.path);
        let (mut expanded, mut generated) = (self.expanded + 1, self.generated);
        let mut next_excess = no_excess::<S::Cost>();
        let mut longest = self.longest;
        let Node { mut trail, mut budget } = node;
        let mut rest = space.actions_after(&state, &trail);
        let end = loop {
            let Some(action) = rest.next() else {
                let Some(frame) = path.pop() else { break IterationEnd::Exhausted };
                space.undo(&mut state, frame.action, frame.undo);
                (rest, trail, budget) = (frame.rest, frame.trail, frame.budget);
                continue;
            };
            let Some(next_trail) = space.follow(&trail, &state, action) else { continue };
            generated += 1;
            let applied = if INFORMED {
                space.apply_within(&mut state, action, budget)
            } else {
                apply_within_cost(space, &mut state, action, budget)
            };
            match applied {
                Err(least) => {
                    next_excess = next_excess.min(least - budget);
                }
                Ok((cost, undo)) => {
                    // A loop and not an `if`, so that the compiler knows that there is room.
                    while path.len() == path.capacity() {
                        path = with_room(path);
                    }
                    path.push(Frame { rest, trail, budget, action, undo });
                    if space.is_solved(&state) {
                        break IterationEnd::Goal(path.iter().map(|frame| frame.action).collect());
                    }
                    if let Some(limit) = self.watch.exceeded(expanded, || bytes(&path)) {
                        break IterationEnd::Limit(limit);
                    }
                    expanded += 1;
                    if path.len() > longest {
                        longest = path.len();
                    }
                    rest = space.actions_after(&state, &next_trail);
                    trail = next_trail;
                    budget = budget - cost;
                }
            }
        };
        self.longest = longest.max(path.len());
        path.clear();
        self.path = path;
        (self.expanded, self.generated, self.next_excess) = (expanded, generated, next_excess);
        (state, end)
    }
}

/// Makes room for at least one more frame. Passed by value, the path can stay in registers.
#[cold]
#[inline(never)]
fn with_room<S: InPlace>(mut path: Vec<Frame<'_, S>>) -> Vec<Frame<'_, S>> {
    path.reserve(1);
    path
}

/// Returns more than any excess, even than that of a state from which no goal is reachable.
fn no_excess<C: Cost>() -> C {
    C::INFINITY + C::INFINITY
}

/// Returns the bytes that a path occupies.
fn bytes<S: InPlace>(path: &Vec<Frame<S>>) -> u64 {
    (path.capacity() * size_of::<Frame<S>>()) as u64
}

/// Makes a move if it costs at most `at_most`.
pub(super) fn apply_within_cost<S: InPlace>(
    space: &S,
    state: &mut S::State,
    action: S::Action,
    at_most: S::Cost,
) -> Result<(S::Cost, S::Undo), S::Cost> {
    let (cost, undo) = space.apply(state, action);
    if cost > at_most {
        space.undo(state, action, undo);
        return Err(cost);
    }
    Ok((cost, undo))
}
