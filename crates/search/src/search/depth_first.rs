//! Depth-first search: with a stack and all states stored, or with a transposition table.
//!
//! Searches with a transposition table are iterative deepening, with or without a heuristic, and single searches, with
//! or without a depth limit. They use the memory they are given, between that of one solution and that of all states
//! (Reinefeld and Marsland 1994).
//!
//! An iteration is everything searched within one threshold. In it, a state is pruned if it was reached before with at
//! most the same g: everything reachable from here within the threshold was reachable from there. States are inserted
//! when they are expanded, not when their subtree is done, so no entry depends on the path, and none
//! can hide a solution. Forgotten states are searched again. A state on the current path is never expanded twice,
//! whatever the table has forgotten. So there are finitely many paths, and a search ends, if late. Moves back to the
//! parent are pruned because it is on the path. No other move is pruned by preceding moves, since a shorter path might
//! lead through a state that the table holds as searched (Akagi, Kishimoto and Fukunaga 2010).
//!
//! The threshold rises by the least excess. If an iteration reaches no more states than the previous one, and the table
//! holds them all, they are checked: if no child is missing, the whole space has been searched.
//!
//! Packing a state and finding it in the table takes longer than a virtual call. So only the [path](PathInPlace), on which
//! moves are made and undone in place, is compiled for each space, and the search once for each kind of key.

mod traced;

use super::algorithm::{AlgorithmFacts, Guarantee};
use super::deepening::apply_within_cost;
use super::frontier::{BoundedStack, Stack};
use super::graph::graph_search;
use super::limits::{Limit, Limits, Watch};
use super::path_in_place::{Measure, PathInPlace};
use super::proof_log::Counts;
use super::stored::{Searched, Stored};
use super::trace::{TracedState, Visits};
use super::transposition_table::TranspositionTable;
use super::{Algorithm, Found, Stats, Verdict, cost_of};
use crate::space::{Cost, Facts, InPlace, Key, Ordinal, Weighted, Whole};
use rustc_hash::FxHashSet;
use std::num::NonZero;

/// The facts of depth-first search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Dfs,
    name: "dfs",
    aliases: &["depth-first"],
    summary: "depth-first search (Trémaux, in Lucas 1882; Tarjan 1972): returns the first solution it finds, with no \
              guarantee on its length; with a depth limit it searches everything within the limit, and proves \
              its solution shortest if all moves cost the same",
    help: "depth-first search; no guarantee on the length",
    guarantee: Guarantee::WithinDepth,
    counts_moves: true,
    in_place: Some(Measure::Moves),
    ..AlgorithmFacts::NONE
};

/// Searches a graph from a state, and stores all states; returns a path as the ordinals of its moves.
pub(super) fn depth_first_with_stack<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    match limits.depth {
        None => graph_search(graph, start, FACTS.name, Stack::new(), limits),
        Some(depth) => {
            let stack = BoundedStack::new(depth, graph.facts().has_equal_costs());
            graph_search(graph, start, FACTS.name, stack, limits)
        }
    }
}

/// The path of a search of one space.
struct SpacePath<'a, S: InPlace> {
    measure: Measure,
    space: &'a S,
    start: &'a dyn Fn() -> S::State,
    state: S::State,
    /// The states entered, the start first.
    frames: Vec<Frame<'a, S>>,
    /// The move made last, if its state was not entered.
    made: Option<(S::Action, S::Undo)>,
    best: Vec<S::Action>,
}

/// A state that was entered, with the moves not yet tried.
struct Frame<'a, S: InPlace> {
    rest: S::Actions<'a>,
    /// The move that led here, and the data that undoes it; none at the start.
    last_move: Option<(S::Action, S::Undo)>,
}

impl<S: InPlace> SpacePath<'_, S> {
    fn undo_move(&mut self, made: Option<(S::Action, S::Undo)>) {
        if let Some((action, undo)) = made {
            self.space.undo(&mut self.state, action, undo);
        }
    }
}

impl<S: InPlace> PathInPlace<S::Key, S::Cost> for SpacePath<'_, S> {
    fn key(&self) -> S::Key {
        self.space.pack(&self.state)
    }

    fn is_solved(&self) -> bool {
        self.space.is_solved(&self.state)
    }

    fn enter(&mut self) {
        self.frames.push(Frame { rest: self.space.actions(&self.state), last_move: self.made.take() });
    }

    fn make_next(&mut self, at_most: Option<S::Cost>) -> Option<Result<S::Cost, S::Cost>> {
        let action = self.frames.last_mut()?.rest.next()?;
        let (space, state, one) = (self.space, &mut self.state, S::Cost::whole(1));
        let made = match (self.measure, at_most) {
            (Measure::Costs { informed }, at_most) => {
                let at_most = at_most.expect("costs always have a threshold");
                if informed {
                    space.apply_within(state, action, at_most)
                } else {
                    apply_within_cost(space, state, action, at_most)
                }
            }
            (Measure::Moves, Some(at_most)) if at_most < one => Err(one),
            // Without a bound no state need be reached again, even at a smaller depth.
            (Measure::Moves, at_most) => Ok((at_most.map_or(S::Cost::ZERO, |_| one), space.apply(state, action).1)),
        };
        Some(made.map(|(amount, undo)| {
            self.made = Some((action, undo));
            amount
        }))
    }

    fn undo(&mut self) {
        let made = self.made.take();
        self.undo_move(made);
    }

    fn leave(&mut self) {
        let left = self.frames.pop().and_then(|frame| frame.last_move);
        self.undo_move(left);
    }

    fn keep(&mut self) {
        let moves = self.frames.iter().map(|frame| &frame.last_move).chain([&self.made]);
        self.best = moves.flatten().map(|&(action, _)| action).collect();
    }

    fn best_cost(&self) -> f64 {
        cost_of(self.space, (self.start)(), &self.best).as_f64()
    }

    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<S>>()
    }
}

/// Searches from a state, with a transposition table of the length in the limits.
pub(super) fn depth_first<S: Searched>(
    measure: Measure,
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let state = start();
    let bound = measure.first_bound(space, &state, limits.depth);
    let mut path = SpacePath { measure, space, start, state, frames: Vec::new(), made: None, best: Vec::new() };
    let whole = Whole(space);
    let quotient = space.quotient();
    let graph = quotient.as_deref().unwrap_or(&whole);
    let found = (S::Key::searches().depth_first)(&mut path, graph, measure, bound, limits);
    found.map(|()| path.best)
}

/// Searches along a path within thresholds that begin with `bound`. The graph is the space of the path, or its quotient by
/// symmetry. The path keeps the solution.
pub(super) fn depth_first_search<K: Key, C: Cost>(
    path: &mut dyn PathInPlace<K, C>,
    graph: &dyn Weighted<K, C>,
    measure: Measure,
    mut bound: Option<C>,
    limits: &Limits,
) -> Found<()> {
    let length = limits.closed.map_or(usize::MAX, NonZero::get);
    let facts = graph.facts();
    let fits = limits.memory.is_none_or(|memory| TranspositionTable::<K, C>::bytes_for(length) <= memory);
    let mut search = match Search::new(measure, path, graph, if fits { length } else { 1 }, limits) {
        Ok(search) => search,
        Err(limit) => {
            let lower_bound = bound.filter(|_| measure.deepens()).map_or(0.0, Cost::as_f64);
            let verdict = Verdict::Limit { limit, lower_bound, best: None };
            return Found { verdict, stats: Stats::default() };
        }
    };
    let mut completed = 0.0;
    limits.begin_proof_log("depth-first with a closed list", Counts::Bounds);
    let verdict = loop {
        if measure.deepens() && bound.is_some_and(|bound| bound >= C::INFINITY) {
            search.pruned = true;
            break Verdict::Unsolvable;
        }
        let before = search.expanded;
        let proven_bound = bound.filter(|_| measure.deepens()).map_or(0.0, Cost::as_f64);
        limits.reach(completed, proven_bound);
        if let Some((bound, depth)) = bound.zip(limits.depth).filter(|_| measure.deepens())
            && bound.exceeds_whole(depth)
        {
            break Verdict::Limit { limit: Limit::Depth, lower_bound: proven_bound, best: None };
        }
        search.trace.iter_mut().for_each(|trace| trace.iteration(bound));
        let ended = if fits { search.iterate(&mut bound) } else { Some(Limit::Memory) };
        if let (None, false, Some(bound)) = (ended, search.is_solved, bound) {
            limits.complete_step(0, bound.as_f64(), search.expanded - before);
        }
        let has_reached_all = match (ended, search.is_solved) {
            (None, false) => search.has_reached_all(),
            _ => Ok(false),
        };
        let ended = ended.or(has_reached_all.err());
        let best = search.is_solved.then(|| ((), search.path.best_cost()));
        match (ended, best) {
            (Some(limit), best) => break Verdict::Limit { limit, lower_bound: proven_bound, best },
            (None, Some((path, cost))) => {
                let proven =
                    if measure.deepens() || facts.has_equal_costs() && limits.depth.is_some() { cost } else { 0.0 };
                break Verdict::Solved { path, cost, lower_bound: proven };
            }
            (None, None) if has_reached_all == Ok(true) => break Verdict::Unsolvable,
            (None, None) => match search.next.take().zip(bound) {
                Some((excess, least)) if measure.deepens() => (completed, bound) = (proven_bound, Some(least + excess)),
                Some((_, depth)) => {
                    let lower_bound = if facts.unit_cost { depth.as_f64() + 1.0 } else { 0.0 };
                    break Verdict::Limit { limit: Limit::Depth, lower_bound, best: None };
                }
                None => break Verdict::Unsolvable,
            },
        }
    };
    let depth = if let Verdict::Solved { cost, .. } = &verdict { *cost } else { completed };
    let stats = Stats {
        expanded: search.expanded,
        generated: search.generated,
        stored: search.closed.len as u64 + search.longest as u64 + 1,
        depth,
        memory: search.bytes(),
        pruned: search.pruned,
        deepened_after: None,
    };
    Found { verdict, stats }
}

/// The state that the iterations share.
struct Search<'a, K: Key, C: Cost> {
    measure: Measure,
    path: &'a mut dyn PathInPlace<K, C>,
    /// The space, or its quotient by symmetry.
    graph: &'a dyn Weighted<K, C>,
    facts: Facts,
    watch: Watch,
    closed: TranspositionTable<K, C>,
    length: usize,
    /// The number of states that the previous iteration reached.
    reached_before: usize,
    /// The states entered on the path, with their g.
    entered: Vec<(K, C)>,
    /// The keys of these states.
    on_path: FxHashSet<K>,
    /// True if this iteration has found a solution.
    is_solved: bool,
    /// The least increase of the threshold that would admit more states; none if nothing was cut off.
    next: Option<C>,
    expanded: u64,
    generated: u64,
    longest: usize,
    /// True if a state was pruned because no goal is reachable from it at any threshold.
    pruned: bool,
    trace: Option<Visits>,
}

impl<'a, K: Key, C: Cost> Search<'a, K, C> {
    fn new(
        measure: Measure,
        path: &'a mut dyn PathInPlace<K, C>,
        graph: &'a dyn Weighted<K, C>,
        length: usize,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let facts = graph.facts();
        let mut watch = Watch::new(limits, facts.key_heap_bytes);
        let closed = TranspositionTable::new(length, || watch.check().map_or(Ok(()), Err))?;
        Ok(Search {
            measure,
            path,
            graph,
            facts,
            watch,
            closed,
            length,
            reached_before: 0,
            entered: Vec::new(),
            on_path: FxHashSet::default(),
            is_solved: false,
            next: None,
            expanded: 0,
            generated: 0,
            longest: 0,
            pruned: false,
            trace: Visits::new(limits.trace.as_ref(), 1),
        })
    }

    /// Searches everything within the threshold, which solutions may lower. The path is at its start again at the end,
    /// unless a limit, which is returned, or a first solution ended the search.
    fn iterate(&mut self, bound: &mut Option<C>) -> Option<Limit> {
        self.closed.begin_iteration();
        if self.path.is_solved() {
            self.keep();
            self.trace.iter_mut().for_each(|trace| trace.goal(None, Some(C::ZERO)));
            return None;
        }
        let key = self.key();
        if let Some(limit) = self.expand(key, C::ZERO, None) {
            return Some(limit);
        }
        while let Some(&(_, g)) = self.entered.last() {
            // A solution may have lowered the threshold below the g of this state.
            let left = bound.map(|bound| (g <= bound).then(|| bound - g));
            let made = if left == Some(None) { None } else { self.path.make_next(left.flatten()) };
            let to = match &mut self.trace {
                Some(trace) if made.is_some() => Some(trace.next_move()),
                _ => None,
            };
            match made {
                None => {
                    self.trace.iter_mut().for_each(Visits::leave);
                    let (key, _) = self.entered.pop().expect("a state was entered");
                    self.on_path.remove(&key);
                    self.path.leave();
                }
                Some(Err(least)) => {
                    self.generated += 1;
                    self.trace_pruned(to, g, least);
                    let excess = left.flatten().map_or(least, |left| least - left);
                    if least >= C::INFINITY {
                        self.pruned = true;
                    } else {
                        self.next = Some(self.next.map_or(excess, |next| excess.min(next)));
                    }
                }
                Some(Ok(amount)) => {
                    let key = self.key();
                    let g = g + amount;
                    let is_back = self.entered.iter().nth_back(1).is_some_and(|(before, _)| *before == key);
                    self.generated += u64::from(!is_back);
                    if self.path.is_solved() {
                        self.keep();
                        self.trace_goal(to, g);
                        match bound {
                            Some(most) if !self.measure.deepens() => *most = g - C::whole(1),
                            // The first solution suffices.
                            _ => return None,
                        }
                        self.path.undo();
                    } else if self.on_path.contains(&key) || self.closed.covers(&key, g) {
                        self.path.undo();
                        if !is_back {
                            self.trace_duplicate(to, g);
                        }
                    } else if let Some(limit) = self.expand(key, g, to) {
                        return Some(limit);
                    }
                }
            }
        }
        None
    }

    fn keep(&mut self) {
        self.path.keep();
        self.is_solved = true;
    }

    /// Expands the state at the end of the path; a trace needs the move to it.
    fn expand(&mut self, key: K, g: C, to: Option<TracedState>) -> Option<Limit> {
        let bytes = self.bytes();
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes) {
            return Some(limit);
        }
        self.expanded += 1;
        self.trace_expansion(&key, g, to);
        self.closed.insert(key.clone(), g);
        self.on_path.insert(key.clone());
        self.entered.push((key, g));
        self.path.enter();
        self.longest = self.longest.max(self.entered.len());
        None
    }

    /// Returns whether this iteration reached all children of the states that it reached. With a rising threshold this
    /// is checked only if the iteration reached as many states as the previous one.
    ///
    /// # Errors
    /// The limit that ended the check.
    fn has_reached_all(&mut self) -> Result<bool, Limit> {
        let before = std::mem::replace(&mut self.reached_before, self.closed.inserted);
        if self.measure.deepens() && before != self.closed.inserted {
            return Ok(false);
        }
        let Some(all) = self.closed.all() else { return Ok(false) };
        let mut children = Vec::new();
        for (number, key) in (0..).zip(all) {
            self.watch.check_at(number)?;
            children.clear();
            self.graph.children(std::slice::from_ref(key), &mut children);
            if !children.iter().all(|child| self.closed.contains(child)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the canonical representative of the state at the end of the path.
    fn key(&self) -> K {
        self.graph.canonical(self.path.key())
    }

    fn bytes(&self) -> u64 {
        let keys = self.entered.capacity() * size_of::<(K, C)>() + self.on_path.capacity() * 2 * size_of::<K>();
        let heap = (self.closed.len + 2 * self.entered.len()) * self.facts.key_heap_bytes;
        TranspositionTable::<K, C>::bytes_for(self.length) + (self.path.bytes() + keys + heap) as u64
    }
}
