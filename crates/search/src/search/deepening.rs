//! Iterative deepening: depth-first searches within a rising threshold, on one in-place state. Only the current path is
//! stored.
//!
//! With a heuristic this is IDA* (Korf 1985), with a threshold on f = g + h; without one it is iterative deepening
//! depth-first search (Slate and Atkin 1977), with a threshold on g. Each threshold is the least cost that exceeded the
//! previous one, so the first solution is a cheapest one. No threshold cuts off part of a solution, so it is the first
//! of the cheapest solutions in the order of the moves, for any admissible heuristic. If there is no solution and moves
//! can repeat for ever, only a limit ends the search.

use super::limits::{Limit, Limits, Watch};
use super::proof_log::Counts;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, InPlace};

/// Searches from a state.
pub(super) fn iterative_deepening<S: InPlace>(
    space: &S,
    informed: bool,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let mut state = start();
    let mut iterations = Iterations {
        space,
        next_excess: None,
        path: Vec::new(),
        watch: Watch::new(limits, 0),
        expanded: 0,
        generated: 0,
        longest: 0,
        pruned: false,
    };
    let mut completed = S::Cost::ZERO;
    let mut bound = if informed { space.h_in_place(&state) } else { S::Cost::ZERO };
    limits.begin_proof_log(if informed { "ida-star" } else { "iddfs" }, Counts::Bounds);
    let verdict = loop {
        if bound >= S::Cost::INFINITY {
            iterations.pruned = true;
            break Verdict::Unsolvable;
        }
        let before = iterations.expanded;
        limits.reach(completed.as_f64(), bound.as_f64());
        if limits.depth.is_some_and(|depth| bound.exceeds_whole(depth)) {
            break Verdict::Limit { limit: Limit::Depth, lower_bound: bound.as_f64(), best: None };
        }
        let end;
        (state, end) =
            if informed { iterations.search::<true>(state, bound) } else { iterations.search::<false>(state, bound) };
        match end {
            IterationEnd::Goal(path) => {
                let cost = bound.as_f64();
                break Verdict::Solved { path, cost, lower_bound: cost };
            }
            IterationEnd::Limit(limit) => break Verdict::Limit { limit, lower_bound: bound.as_f64(), best: None },
            IterationEnd::Exhausted => {
                limits.complete_step(0, bound.as_f64(), iterations.expanded - before);
                match iterations.next_excess.take() {
                    Some(excess) => (completed, bound) = (bound, bound + excess),
                    None => break Verdict::Unsolvable,
                }
            }
        }
    };
    let depth = if matches!(verdict, Verdict::Solved { .. }) { bound } else { completed };
    let stats = Stats {
        expanded: iterations.expanded,
        generated: iterations.generated,
        stored: iterations.longest as u64 + 1,
        depth: depth.as_f64(),
        memory: bytes(&iterations.path),
        pruned: iterations.pruned,
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
    /// The least increase of the threshold that would admit more states; none if nothing was cut off.
    next_excess: Option<S::Cost>,
    path: Vec<Frame<'a, S>>,
    watch: Watch,
    expanded: u64,
    generated: u64,
    longest: usize,
    /// True if a state was pruned because no goal is reachable from it at any threshold.
    pruned: bool,
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
    /// Searches everything within the threshold. Restores the state, unless a goal or a limit ends the search.
    ///
    /// This is the innermost loop of the program. It is a separate function that keeps everything it changes in local
    /// variables, so that they stay in registers.
    #[inline(never)]
    fn search<const INFORMED: bool>(
        &mut self,
        mut state: S::State,
        bound: S::Cost,
    ) -> (S::State, IterationEnd<S::Action>) {
        let space = self.space;
        if space.is_solved(&state) {
            return (state, IterationEnd::Goal(Vec::new()));
        }
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes(&self.path)) {
            return (state, IterationEnd::Limit(limit));
        }
        let mut path = std::mem::take(&mut self.path);
        let (mut expanded, mut generated) = (self.expanded + 1, self.generated);
        let mut next_excess: Option<S::Cost> = None;
        let mut longest = self.longest;
        let mut rest = space.actions(&state);
        let mut trail = space.trail();
        let mut budget = bound;
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
                    let excess = least - budget;
                    // It is seldom less than the previous minimum.
                    if next_excess.is_none_or(|next_excess| excess < next_excess) {
                        record_excess(&mut next_excess, least, excess, &mut self.pruned);
                    }
                }
                Ok((cost, undo)) => {
                    let is_goal = space.is_solved(&state);
                    path.push(Frame { rest, trail, budget, action, undo });
                    if is_goal {
                        break IterationEnd::Goal(path.iter().map(|frame| frame.action).collect());
                    }
                    if let Some(limit) = self.watch.exceeded(expanded, || bytes(&path)) {
                        break IterationEnd::Limit(limit);
                    }
                    expanded += 1;
                    longest = longest.max(path.len());
                    rest = space.actions(&state);
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

/// Returns the bytes that a path occupies.
fn bytes<S: InPlace>(path: &Vec<Frame<S>>) -> u64 {
    (path.capacity() * size_of::<Frame<S>>()) as u64
}

#[cold]
fn record_excess<C: Cost>(next_excess: &mut Option<C>, least: C, excess: C, pruned: &mut bool) {
    if least < C::INFINITY {
        *next_excess = Some(excess);
    } else {
        *pruned = true;
    }
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
