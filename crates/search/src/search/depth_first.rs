//! Depth-first searches with a transposition table: iterative deepening, with or without a heuristic, and single
//! searches, with or without a depth limit. They use the memory they are given, between that of one solution and that
//! of all states (Reinefeld and Marsland 1994).
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

use super::deepening::apply_within_cost;
use super::limits::{Limit, Limits, Watch};
use super::proof_log::Counts;
use super::transposition_table::TranspositionTable;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Facts, InPlace, Weighted, Whole};
use rustc_hash::FxHashSet;
use std::num::NonZero;

/// The quantity that the threshold bounds.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// Costs, with or without the heuristic: the threshold rises until it admits a solution.
    Costs { informed: bool },
    /// The number of moves, whatever they cost. Without a bound the search takes the first solution, with a bound the
    /// best one.
    Moves,
}

impl Measure {
    fn deepens(self) -> bool {
        matches!(self, Measure::Costs { .. })
    }

    /// Returns the first threshold; none for no threshold.
    fn first_bound<S: InPlace>(self, space: &S, start: &S::State, depth: Option<u32>) -> Option<S::Cost> {
        match self {
            Measure::Costs { informed: true } => Some(space.h_in_place(start)),
            Measure::Costs { informed: false } => Some(S::Cost::ZERO),
            Measure::Moves => depth.map(S::Cost::whole),
        }
    }

    /// Makes a move if its measure is at most `at_most`; otherwise returns a lower bound on the measure.
    fn make<S: InPlace>(
        self,
        space: &S,
        state: &mut S::State,
        action: S::Action,
        at_most: Option<S::Cost>,
    ) -> Result<(S::Cost, S::Undo), S::Cost> {
        let one = S::Cost::whole(1);
        match (self, at_most) {
            (Measure::Costs { informed: true }, Some(at_most)) => space.apply_within(state, action, at_most),
            (Measure::Costs { informed: false }, Some(at_most)) => apply_within_cost(space, state, action, at_most),
            (Measure::Costs { .. }, None) => Ok(space.apply(state, action)),
            (Measure::Moves, Some(at_most)) if at_most < one => Err(one),
            (Measure::Moves, Some(_)) => Ok((one, space.apply(state, action).1)),
            // Without a bound no state need be reached again, even at a smaller depth.
            (Measure::Moves, None) => Ok((S::Cost::ZERO, space.apply(state, action).1)),
        }
    }
}

/// Searches from a state, with a transposition table of the length in the limits.
pub(super) fn depth_first_search<S: InPlace>(
    measure: Measure,
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let length = limits.closed.map_or(usize::MAX, NonZero::get);
    let facts = space.facts();
    let whole = Whole(space);
    let quotient = space.quotient();
    let mut state = start();
    let mut bound = measure.first_bound(space, &state, limits.depth);
    let fits = limits.memory.is_none_or(|memory| TranspositionTable::<S::Key, S::Cost>::bytes_for(length) <= memory);
    let graph = quotient.as_deref().unwrap_or(&whole);
    let mut search = match Search::new(measure, space, graph, if fits { length } else { 1 }, limits) {
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
        if measure.deepens() && bound.is_some_and(|bound| bound >= S::Cost::INFINITY) {
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
        let ended = if fits { search.iterate(&mut state, &mut bound) } else { Some(Limit::Memory) };
        if let (None, None, Some(bound)) = (ended, &search.best, bound) {
            limits.complete_step(0, bound.as_f64(), search.expanded - before);
        }
        let has_reached_all = match (ended, &search.best) {
            (None, None) => search.has_reached_all(),
            _ => Ok(false),
        };
        let ended = ended.or(has_reached_all.err());
        let best = search.best.take().map(|path| {
            let cost = cost_of(space, start, &path);
            (path, cost)
        });
        match (ended, best) {
            (Some(limit), best) => break Verdict::Limit { limit, lower_bound: proven_bound, best },
            (None, Some((path, cost))) => {
                let proven = if measure.deepens() || facts.unit_cost && limits.depth.is_some() { cost } else { 0.0 };
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

fn cost_of<S: InPlace>(space: &S, start: &dyn Fn() -> S::State, path: &[S::Action]) -> f64 {
    let mut state = start();
    path.iter().fold(S::Cost::ZERO, |cost, &action| cost + space.apply(&mut state, action).0).as_f64()
}

/// The state that the iterations share.
struct Search<'a, S: InPlace> {
    measure: Measure,
    space: &'a S,
    /// The space, or its quotient by symmetry.
    graph: &'a dyn Weighted<S::Key, S::Cost>,
    facts: Facts,
    watch: Watch,
    closed: TranspositionTable<S::Key, S::Cost>,
    length: usize,
    /// The number of states that the previous iteration reached.
    reached_before: usize,
    path: Vec<Frame<'a, S>>,
    /// The states on the path.
    on_path: FxHashSet<S::Key>,
    /// The best solution of this iteration.
    best: Option<Vec<S::Action>>,
    /// The least increase of the threshold that would admit more states; none if nothing was cut off.
    next: Option<S::Cost>,
    expanded: u64,
    generated: u64,
    longest: usize,
    /// True if a state was pruned because no goal is reachable from it at any threshold.
    pruned: bool,
}

/// A state on the path, with the moves not yet tried.
struct Frame<'a, S: InPlace> {
    key: S::Key,
    rest: S::Actions<'a>,
    g: S::Cost,
    /// The move that led here, and the data that undoes it; none at the start.
    last_move: Option<(S::Action, S::Undo)>,
}

impl<'a, S: InPlace> Search<'a, S> {
    fn new(
        measure: Measure,
        space: &'a S,
        graph: &'a dyn Weighted<S::Key, S::Cost>,
        length: usize,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let facts = space.facts();
        let mut watch = Watch::new(limits, facts.key_heap_bytes);
        let closed = TranspositionTable::new(length, || watch.check().map_or(Ok(()), Err))?;
        Ok(Search {
            measure,
            space,
            graph,
            facts,
            watch,
            closed,
            length,
            reached_before: 0,
            path: Vec::new(),
            on_path: FxHashSet::default(),
            best: None,
            next: None,
            expanded: 0,
            generated: 0,
            longest: 0,
            pruned: false,
        })
    }

    /// Searches everything within the threshold, which solutions may lower. Restores the state, unless a limit, which
    /// is returned, or a first solution ended the search.
    fn iterate(&mut self, state: &mut S::State, bound: &mut Option<S::Cost>) -> Option<Limit> {
        let space = self.space;
        self.closed.begin_iteration();
        if space.is_solved(state) {
            self.best = Some(Vec::new());
            return None;
        }
        let key = self.key_of(state);
        if let Some(limit) = self.expand(state, key, S::Cost::ZERO, None) {
            return Some(limit);
        }
        while let Some(frame) = self.path.last_mut() {
            let g = frame.g;
            // A solution may have lowered the threshold below the g of this state.
            let left = bound.map(|bound| (g <= bound).then(|| bound - g));
            let Some(action) = frame.rest.next().filter(|_| left != Some(None)) else {
                let frame = self.path.pop().expect("the path is not empty");
                self.on_path.remove(&frame.key);
                if let Some((action, undo)) = frame.last_move {
                    space.undo(state, action, undo);
                }
                continue;
            };
            match self.measure.make(space, state, action, left.flatten()) {
                Err(least) => {
                    self.generated += 1;
                    let excess = left.flatten().map_or(least, |left| least - left);
                    if least >= S::Cost::INFINITY {
                        self.pruned = true;
                    } else {
                        self.next = Some(self.next.map_or(excess, |next| excess.min(next)));
                    }
                }
                Ok((amount, undo)) => {
                    let key = self.key_of(state);
                    let g = g + amount;
                    let is_back = self.path.iter().nth_back(1).is_some_and(|before| before.key == key);
                    self.generated += u64::from(!is_back);
                    if space.is_solved(state) {
                        let before =
                            self.path.iter().filter_map(|frame| frame.last_move.as_ref().map(|(action, _)| *action));
                        self.best = Some(before.chain([action]).collect());
                        match bound {
                            Some(most) if !self.measure.deepens() => *most = g - S::Cost::whole(1),
                            // The first solution suffices.
                            _ => return None,
                        }
                        space.undo(state, action, undo);
                    } else if self.on_path.contains(&key) || self.closed.covers(&key, g) {
                        space.undo(state, action, undo);
                    } else if let Some(limit) = self.expand(state, key, g, Some((action, undo))) {
                        return Some(limit);
                    }
                }
            }
        }
        None
    }

    /// Expands a state.
    fn expand(
        &mut self,
        state: &S::State,
        key: S::Key,
        g: S::Cost,
        last_move: Option<(S::Action, S::Undo)>,
    ) -> Option<Limit> {
        let bytes = self.bytes();
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes) {
            return Some(limit);
        }
        self.expanded += 1;
        self.closed.insert(key.clone(), g);
        self.on_path.insert(key.clone());
        self.path.push(Frame { key, rest: self.space.actions(state), g, last_move });
        self.longest = self.longest.max(self.path.len());
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

    /// Returns the canonical representative of a state.
    fn key_of(&self, state: &S::State) -> S::Key {
        self.graph.canonical(self.space.pack(state))
    }

    fn bytes(&self) -> u64 {
        let path = self.path.capacity() * size_of::<Frame<S>>() + self.on_path.capacity() * 2 * size_of::<S::Key>();
        let heap = (self.closed.len + 2 * self.path.len()) * self.facts.key_heap_bytes;
        TranspositionTable::<S::Key, S::Cost>::bytes_for(self.length) + (path + heap) as u64
    }
}
