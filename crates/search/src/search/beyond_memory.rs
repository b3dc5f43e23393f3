//! Iterative deepening A* on a graph with a transposition table, which takes over when A* reaches its memory limit
//! (Reinefeld and Marsland, Enhanced iterative-deepening search, 1994).
//!
//! It searches the graph that A* searched, with its symmetries, macro moves and learned dead patterns, from the bound
//! that A* has proven. The argument of the [depth-first searches](super::depth_first) over spaces holds here, too: in
//! one iteration, a state that the table knows with at most the same g is pruned, since everything reachable from here
//! within the threshold is reached from there. Let n be a state that was expanded at g with g + h*(n) within the
//! threshold, of all such states one with the least h*(n), and of these one with the fewest edges to a goal. A graph
//! keeps the first edge of some cheapest path from n, so its end was generated within the threshold. It was expanded,
//! or known with at most the same g: against the choice of n. So an iteration misses no solution within its threshold.
//! States on the current path are never expanded twice, so free edges cause no endless loop.
//!
//! The threshold rises by the least excess, so the first solution is a cheapest one. Children are tried in the order of
//! their h, the least first, since in the last iteration that finds a goal earlier.

use super::limits::{Limit, Limits, Watch};
use super::trace::{Costs, PruneReason, TracedState, Visits};
use super::transposition_table::TranspositionTable;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Facts, Key, Ordinal, Weighted};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::mem::take;
use std::slice::from_ref;

/// The share of the memory that the table takes. The rest is for the path, and for what the allocator has not given
/// back.
const TABLE_SHARE: u64 = 2;

/// With a table of fewer states, most states would be searched many times.
const FEWEST: usize = 1 << 10;

/// Goes on after A* ended for lack of memory with these statistics, having proven a lower bound; none if the memory
/// holds no table worth having.
pub(super) fn search_beyond_memory<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    lower_bound: f64,
    spent: &Stats,
    limits: &Limits,
) -> Option<Found<Vec<Ordinal>>> {
    let length = (limits.memory? / TABLE_SHARE / entry_bytes::<K, C>(&graph.facts())) as usize;
    if length < FEWEST {
        return None;
    }
    // A* in buckets of whole costs has proven a whole bound.
    let found = deepen(graph, start, C::whole(lower_bound as u32), length, spent.stored, limits);
    let stats = Stats {
        deepened_after: Some(spent.expanded),
        pruned: spent.pruned || found.stats.pruned,
        depth: spent.depth.max(found.stats.depth),
        ..spent.and(&found.stats)
    };
    Some(Found { stats, ..found })
}

/// Returns the bytes of a state in the table.
fn entry_bytes<K: Key, C: Cost>(facts: &Facts) -> u64 {
    TranspositionTable::<K, C>::bytes_for(1) + facts.key_heap_bytes as u64
}

/// Deepens from a lower bound, with a table of `length` states. `numbered` nodes of a trace come before.
pub(super) fn deepen<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    mut bound: C,
    length: usize,
    numbered: u64,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let facts = graph.facts();
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let table = match TranspositionTable::new(length, || watch.check().map_or(Ok(()), Err)) {
        Ok(table) => table,
        Err(limit) => {
            let verdict = Verdict::Limit { limit, lower_bound: bound.as_f64(), best: None };
            return Found { verdict, stats: Stats::default() };
        }
    };
    let mut search = Search {
        graph,
        watch,
        table,
        bytes: length as u64 * entry_bytes::<K, C>(&facts),
        path: Vec::new(),
        on_path: FxHashSet::default(),
        next: None,
        expanded: 0,
        generated: 0,
        longest: 0,
        pruned: false,
        successors: Vec::new(),
        fresh: Vec::new(),
        values: Vec::new(),
        trace: Visits::new(limits.trace.as_ref(), numbered),
    };
    let mut completed = C::ZERO;
    let root = graph.canonical(start.clone());
    let verdict = loop {
        limits.reach(completed.as_f64(), bound.as_f64());
        if limits.depth.is_some_and(|depth| bound.exceeds_whole(depth)) {
            break Verdict::Limit { limit: Limit::Depth, lower_bound: bound.as_f64(), best: None };
        }
        match search.iterate(&root, bound) {
            Ok(true) => {
                let keys: Vec<K> = search.path.drain(..).skip(1).map(|frame| frame.key).collect();
                let (path, cost) = graph.moves_on_path(start.clone(), &keys);
                break Verdict::Solved { path, cost: cost.as_f64(), lower_bound: cost.as_f64() };
            }
            Ok(false) => match search.next.take() {
                Some(least) => (completed, bound) = (bound, least),
                None => break Verdict::Unsolvable,
            },
            Err(limit) => break Verdict::Limit { limit, lower_bound: bound.as_f64(), best: None },
        }
    };
    let depth = if let Verdict::Solved { cost, .. } = verdict { cost } else { completed.as_f64() };
    let stats = Stats {
        expanded: search.expanded,
        generated: search.generated,
        stored: search.table.len as u64 + search.longest as u64,
        depth,
        memory: search.bytes,
        pruned: search.pruned || graph.has_pruned(),
        deepened_after: None,
    };
    Found { verdict, stats }
}

/// The state that the iterations share.
struct Search<'a, K, C> {
    graph: &'a dyn Weighted<K, C>,
    watch: Watch,
    table: TranspositionTable<K, C>,
    /// The bytes of the table.
    bytes: u64,
    path: Vec<Frame<K, C>>,
    on_path: FxHashSet<K>,
    /// The least f above the threshold that was met.
    next: Option<C>,
    expanded: u64,
    generated: u64,
    longest: usize,
    pruned: bool,
    /// Workspaces of one expansion.
    successors: Vec<(C, K)>,
    fresh: Vec<(C, K)>,
    values: Vec<C>,
    trace: Option<Visits>,
}

/// A state on the path, with its children not yet tried, the next one last.
struct Frame<K, C> {
    key: K,
    rest: Vec<(C, K)>,
}

impl<K: Key, C: Cost> Search<'_, K, C> {
    /// Searches everything within the threshold. Returns whether the path ends at a goal.
    fn iterate(&mut self, root: &K, bound: C) -> Result<bool, Limit> {
        self.table.begin_iteration();
        self.trace.iter_mut().for_each(|trace| trace.iteration(Some(bound)));
        if self.reach(root.clone(), C::ZERO, bound)? {
            return Ok(true);
        }
        while let Some(frame) = self.path.last_mut() {
            let Some((g, key)) = frame.rest.pop() else {
                let frame = self.path.pop().expect("the path is not empty");
                self.on_path.remove(&frame.key);
                self.trace.iter_mut().for_each(Visits::leave);
                continue;
            };
            // It may have been reached since it was generated.
            if !self.on_path.contains(&key) && !self.table.covers(&key, g) && self.reach(key, g, bound)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Appends a state to the path. Returns whether it is a goal; otherwise it is expanded.
    fn reach(&mut self, key: K, g: C, bound: C) -> Result<bool, Limit> {
        let is_goal = self.graph.is_goal(&key);
        if let Some(trace) = self.trace.as_mut().filter(|_| is_goal) {
            trace.goal((!self.path.is_empty()).then_some(TracedState::Key(&key)), Some(g));
        }
        let rest = if is_goal { Vec::new() } else { self.expand(&key, g, bound)? };
        self.table.insert(key.clone(), g);
        self.on_path.insert(key.clone());
        self.path.push(Frame { key, rest });
        self.longest = self.longest.max(self.path.len());
        Ok(is_goal)
    }

    /// Returns the children of a state within the threshold, the one to be tried first last.
    fn expand(&mut self, key: &K, g: C, bound: C) -> Result<Vec<(C, K)>, Limit> {
        let held = self.bytes + (self.path.capacity() * size_of::<Frame<K, C>>()) as u64;
        if let Some(limit) = self.watch.exceeded(self.expanded, || held) {
            return Err(limit);
        }
        self.expanded += 1;
        if let Some(trace) = &mut self.trace {
            self.graph.h(from_ref(key), &mut self.values);
            let state = (!self.path.is_empty()).then_some(TracedState::Key(key));
            trace.expanded(state, Costs { g: Some(g), h: self.values.pop() });
        }
        // As at a root, no successor is left out for being reachable from the parent, too.
        self.graph.expand(key, key, &mut self.successors);
        let parent = self.path.last().map(|frame| &frame.key);
        for (cost, child) in self.successors.drain(..) {
            if parent == Some(&child) {
                continue;
            }
            self.generated += 1;
            let g = g + cost;
            if child != *key && !self.on_path.contains(&child) && !self.table.covers(&child, g) {
                self.fresh.push((g, child));
            } else if let Some(trace) = &mut self.trace {
                trace.duplicate(TracedState::Key(&child), Some(g));
            }
        }
        let keys: Vec<K> = self.fresh.iter().map(|(_, key)| key.clone()).collect();
        self.graph.h(&keys, &mut self.values);
        self.graph.settle();
        let mut rest: Vec<(C, (C, K))> = Vec::new();
        for ((g, child), h) in take(&mut self.fresh).into_iter().zip(take(&mut self.values)) {
            if h >= C::INFINITY {
                self.pruned = true;
                self.trace_pruned(PruneReason::DeadEnd, &child, g, h);
            } else if g + h > bound {
                self.trace_pruned(PruneReason::Threshold, &child, g, h);
                self.next = Some(self.next.map_or(g + h, |next| next.min(g + h)));
            } else {
                rest.push((h, (g, child)));
            }
        }
        rest.reverse();
        rest.sort_by_key(|&(h, _)| Reverse(h));
        Ok(rest.into_iter().map(|(_, child)| child).collect())
    }

    /// Reports a child of the end of the path that is left out.
    fn trace_pruned(&mut self, reason: PruneReason, key: &K, g: C, h: C) {
        if let Some(trace) = &mut self.trace {
            let f = (h < C::INFINITY).then(|| g + h);
            trace.pruned(reason, TracedState::Key(key), Costs { g: Some(g), h: f.map(|_| h) }, f);
        }
    }
}
