//! Beam search: breadth-first search that keeps only the best states of each layer (Lowerre 1976; Bisiani 1987).
//!
//! The states that are kept are those with the least f = g + h. Among equal f, a fixed hash of the key decides: on a
//! plateau, an order such as that of arrival would keep the children of a few parents. A state that was kept before is
//! not kept again, unless it is reached more cheaply.
//!
//! *What it proves.* On a cheapest path, either all states are kept, each at its least cost or less, or the first that
//! is not kept was dropped with an f that is at most the cost of the path, if h is admissible. So the least f that was
//! dropped is a lower bound on the cost of every solution that was not found. If nothing was dropped, the search is
//! complete, and with moves of cost 1 its solution is shortest.

use super::algorithm::{AlgorithmFacts, BeamWidth};
use super::ending::Ending;
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::proof_log::Counts;
use super::random::mixed;
use super::trace::{Child, Nodes, PruneReason, TracedState};
use super::{Algorithm, Found, Stats, Verdict, most_cost};
use crate::space::{Cost, Facts, Key, Ordinal, Weighted};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::slice::from_ref;

/// The facts of beam search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Beam(BeamWidth::DEFAULT),
    name: "beam",
    aliases: &["beam-search"],
    summary: "beam search (Lowerre 1976): breadth-first search that keeps only the `width` states of each \
              layer with the least g + h (default 1000); time and memory are linear in width and depth; no \
              guarantee on the length, and it may miss every solution; if it never drops a state, it is \
              complete, and shortest if moves cost 1",
    help: "beam search; little memory, no guarantee on the length, may find no solution",
    informed: true,
    needs_unit_moves: true,
    ..AlgorithmFacts::NONE
};

/// A state that the current layer has generated, as a node of the table of candidates, in the order of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<C> {
    f: C,
    tie: u64,
    node: Node,
}

/// The states that were dropped.
struct Dropped<C> {
    /// True if some were dropped because of the width.
    by_width: bool,
    /// The least f of all that were dropped.
    least: Option<C>,
}

impl<C: Cost> Dropped<C> {
    fn add(&mut self, f: C) {
        self.least = Some(self.least.map_or(f, |least| least.min(f)));
    }

    /// Returns the lower bound that follows, together with the h of the start.
    fn bound(&self, root_h: C) -> f64 {
        self.least.map_or(root_h, |least| least.max(root_h)).as_f64()
    }
}

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn beam_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    width: BeamWidth,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    limits.begin_proof_log(FACTS.name, Counts::Bounds);
    let root = graph.canonical(start.clone());
    let mut search = Search::new(graph, &root, width, limits);
    let ending = match search.run(root) {
        ControlFlow::Break(ending) => ending,
        ControlFlow::Continue(()) => search.exhausted(),
    };
    if let (Some(trace), Ending::Goal(goal)) = (&mut search.trace, &ending) {
        trace.goal(*goal);
    }
    search.found(start, ending)
}

/// A beam search.
struct Search<'a, K: Key, C: Cost> {
    graph: &'a dyn Weighted<K, C>,
    limits: &'a Limits,
    facts: Facts,
    width: BeamWidth,
    /// The greatest cost of a solution.
    most: u32,
    /// The states that were kept.
    table: NodeTable<K, C>,
    watch: Watch,
    stats: Stats,
    dropped: Dropped<C>,
    /// The h of the start.
    root_h: C,
    /// The number of completed layers.
    layers: f64,
    /// Buffers for the children of a state, and for their h.
    successors: Vec<(C, K)>,
    values: Vec<C>,
    trace: Option<Nodes<C>>,
}

impl<'a, K: Key, C: Cost> Search<'a, K, C> {
    fn new(graph: &'a dyn Weighted<K, C>, root: &K, width: BeamWidth, limits: &'a Limits) -> Self {
        // The number of states that are kept is the product of width and depth, far less than that of all keys.
        let facts = Facts { key_limit: 0, ..graph.facts() };
        let mut values = Vec::new();
        graph.h(from_ref(root), &mut values);
        let root_h = values.pop().unwrap_or(C::ZERO);
        Search {
            graph,
            limits,
            width,
            most: most_cost(limits),
            table: NodeTable::new(&facts, limits),
            watch: Watch::new(limits, facts.key_heap_bytes),
            facts,
            stats: Stats { pruned: root_h >= C::INFINITY, ..Stats::default() },
            dropped: Dropped { by_width: false, least: None },
            root_h,
            layers: 0.0,
            successors: Vec::new(),
            values,
            trace: Nodes::new(limits.trace.as_ref(), None),
        }
    }

    /// Searches until something ends the search, or no state is kept.
    fn run(&mut self, root: K) -> ControlFlow<Ending> {
        let is_solved = self.graph.is_goal(&root);
        self.trace.iter_mut().for_each(|trace| trace.begin(Some(self.root_h)));
        let stored = self.table.reach(root, 0, C::ZERO);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            return ControlFlow::Break(Ending::Goal(0));
        }
        Ending::at(stored.err())?;
        let mut layer = vec![0];
        if self.stats.pruned {
            layer.clear();
        } else if self.root_h.exceeds_whole(self.most) {
            self.dropped.add(self.root_h);
            layer.clear();
        }
        while !layer.is_empty() {
            self.trace.iter_mut().for_each(|trace| trace.layer(self.layers));
            let candidates = self.expand(&layer)?;
            layer = self.keep_best(&candidates)?;
            self.layers += 1.0;
            self.limits.reach(self.layers, self.root_h.as_f64());
        }
        ControlFlow::Continue(())
    }

    /// Expands a layer. Returns its children, with nodes of the layer as their parents; ends the search if one of them
    /// is a goal.
    fn expand(&mut self, layer: &[Node]) -> ControlFlow<Ending, NodeTable<K, C>> {
        let memory = self.limits.memory.map(|memory| memory.saturating_sub(self.table.bytes()));
        let mut candidates = NodeTable::new(&self.facts, &Limits { memory, ..self.limits.clone() });
        let mut best: Option<(C, Node)> = None;
        for &node in layer {
            let held = || {
                let bytes = self.table.bytes() + candidates.bytes();
                self.stats.memory = self.stats.memory.max(bytes);
                bytes
            };
            Ending::at(self.watch.exceeded(self.stats.expanded, held))?;
            self.reach_children(node, &mut candidates, &mut best)?;
            self.graph.settle();
            if self.facts.unit_cost && best.is_some() {
                break;
            }
        }
        self.stats.stored = self.stats.stored.max((self.table.len() + candidates.len()) as u64);
        let Some((_, goal)) = best else { return ControlFlow::Continue(candidates) };
        let kept = self.keep(&candidates, goal, None);
        self.trace_unranked(&candidates, goal);
        ControlFlow::Break(kept.map_or_else(Ending::Limit, Ending::Goal))
    }

    /// Reports the candidates besides the goal: the search ends before it has ranked them.
    fn trace_unranked(&mut self, candidates: &NodeTable<K, C>, goal: Node) {
        let Some(trace) = &mut self.trace else { return };
        for (candidate, key) in (0..).zip(candidates.keys()).filter(|(candidate, _)| *candidate != goal) {
            let known = self.table.find(key);
            let node = known.unwrap_or(trace.len() as Node);
            let (parent, g) = (candidates.nodes.parent(candidate), *candidates.nodes.label(candidate));
            let child = Child { node, parent, state: TracedState::Key(key), g, h: None, f: None };
            trace.reached(known.is_none(), &child);
        }
    }

    /// Adds the children of a node to the candidates, unless they were kept at no greater cost. `best` is the cheapest
    /// goal among them, with its cost.
    fn reach_children(
        &mut self,
        node: Node,
        candidates: &mut NodeTable<K, C>,
        best: &mut Option<(C, Node)>,
    ) -> ControlFlow<Ending> {
        self.stats.expanded += 1;
        if let Some(trace) = &mut self.trace {
            trace.expanded(node, self.table.nodes.parent(node), None, |g, h| Some(g + h));
        }
        let g = *self.table.nodes.label(node);
        let back = self.table.key(self.table.nodes.parent(node)).clone();
        self.graph.expand(self.table.key(node), &back, &mut self.successors);
        for (cost, key) in self.successors.drain(..) {
            if key == back {
                continue;
            }
            self.stats.generated += 1;
            let g = g + cost;
            if let Some(known) = self.table.find(&key).filter(|&known| *self.table.nodes.label(known) <= g) {
                self.trace.iter_mut().for_each(|trace| trace.duplicate(known, node, g));
                continue;
            }
            let candidate = match candidates.reach(key, node, g) {
                Ok(Reached::New(new)) => new,
                Ok(Reached::Known(known)) => {
                    if let Some(trace) = &mut self.trace {
                        trace.repeated(node, TracedState::Key(candidates.key(known)), g);
                    }
                    if g >= *candidates.nodes.label(known) {
                        continue;
                    }
                    candidates.nodes.reparent(known, node, g);
                    known
                }
                Err(limit) => return ControlFlow::Break(Ending::Limit(limit)),
            };
            let is_better = !g.exceeds_whole(self.most) && best.is_none_or(|(least, _)| g < least);
            if is_better && self.graph.is_goal(candidates.key(candidate)) {
                *best = Some((g, candidate));
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the next layer: the best candidates.
    fn keep_best(&mut self, candidates: &NodeTable<K, C>) -> ControlFlow<Ending, Vec<Node>> {
        let ranks = candidates.len() * (size_of::<Candidate<C>>() + size_of::<C>());
        Ending::at(self.watch.check_memory(self.table.bytes() + candidates.bytes() + ranks as u64).err())?;
        // Some heuristics take long, so the limits are looked at in between.
        self.values.clear();
        for some in candidates.keys().chunks(CHUNK) {
            self.graph.h(some, &mut self.values);
            self.graph.settle();
            Ending::at(self.watch.check())?;
        }
        let ranked = self.ranked(candidates);
        let kept = ranked.len().min(self.width.get() as usize);
        if let Some(first) = ranked.get(kept) {
            self.dropped.by_width = true;
            self.dropped.add(first.f);
        }
        for candidate in &ranked[kept..] {
            self.trace_pruned(PruneReason::Width, candidates, candidate.node, Some(candidate.f));
        }
        let mut layer = Vec::with_capacity(kept);
        for candidate in &ranked[..kept] {
            match self.keep(candidates, candidate.node, Some(candidate.f)) {
                Ok(node) => layer.push(node),
                Err(limit) => return ControlFlow::Break(Ending::Limit(limit)),
            }
        }
        ControlFlow::Continue(layer)
    }

    /// Returns the candidates within the limit on depth, the best ones first. Their h are in `values`.
    fn ranked(&mut self, candidates: &NodeTable<K, C>) -> Vec<Candidate<C>> {
        let mut ranked: Vec<Candidate<C>> = Vec::with_capacity(candidates.len());
        let mut pruned = Vec::new();
        for ((node, key), &h) in (0..).zip(candidates.keys()).zip(&self.values) {
            if h >= C::INFINITY {
                self.stats.pruned = true;
                if self.trace.is_some() {
                    pruned.push((PruneReason::DeadEnd, node, None));
                }
                continue;
            }
            let f = *candidates.nodes.label(node) + h;
            if f.exceeds_whole(self.most) {
                self.dropped.add(f);
                if self.trace.is_some() {
                    pruned.push((PruneReason::Depth, node, Some(f)));
                }
                continue;
            }
            ranked.push(Candidate { f, tie: mix(key), node });
        }
        for (reason, node, f) in pruned {
            self.trace_pruned(reason, candidates, node, f);
        }
        let bytes = ranked.capacity() * size_of::<Candidate<C>>() + self.values.capacity() * size_of::<C>();
        self.stats.memory = self.stats.memory.max(self.table.bytes() + candidates.bytes() + bytes as u64);
        ranked.sort_unstable();
        ranked
    }

    /// Stores a candidate among the states that are kept; returns its node there.
    /// `f` is known unless it is the goal.
    fn keep(&mut self, candidates: &NodeTable<K, C>, candidate: Node, f: Option<C>) -> Result<Node, Limit> {
        let (parent, g) = (candidates.nodes.parent(candidate), *candidates.nodes.label(candidate));
        let (node, is_new) = match self.table.reach(candidates.key(candidate).clone(), parent, g)? {
            Reached::New(node) => (node, true),
            Reached::Known(node) => {
                self.table.nodes.reparent(node, parent, g);
                (node, false)
            }
        };
        if let Some(trace) = &mut self.trace {
            let state = TracedState::Key(self.table.key(node));
            trace.reached(is_new, &Child { node, parent, state, g, h: f.map(|f| f - g), f });
        }
        Ok(node)
    }

    /// Reports a candidate that is not kept.
    fn trace_pruned(&mut self, reason: PruneReason, candidates: &NodeTable<K, C>, candidate: Node, f: Option<C>) {
        let Some(trace) = &mut self.trace else { return };
        let (parent, g) = (candidates.nodes.parent(candidate), *candidates.nodes.label(candidate));
        let state = TracedState::Key(candidates.key(candidate));
        trace.pruned(reason, &Child { node: 0, parent, state, g, h: f.map(|f| f - g), f });
    }

    /// Returns the end of a search in which no state is kept any more.
    fn exhausted(&self) -> Ending {
        match self.dropped.least {
            None => Ending::Exhausted,
            Some(_) => Ending::Limit(if self.dropped.by_width { Limit::Width } else { Limit::Depth }),
        }
    }

    fn found(self, start: &K, ending: Ending) -> Found<Vec<Ordinal>> {
        let Search { table, dropped, root_h, facts, mut stats, .. } = self;
        stats.memory = stats.memory.max(table.bytes());
        stats.stored = stats.stored.max(table.len() as u64);
        stats.depth = self.layers;
        match ending {
            Ending::Goal(goal) => {
                let (path, cost) = self.graph.moves_on_path(start.clone(), &table.path_to(goal));
                let cost = cost.as_f64();
                // Unless every move costs 1, states that are still open may lead to cheaper goals.
                let lower_bound = match dropped.least {
                    None if facts.unit_cost => cost,
                    Some(_) if facts.unit_cost => cost.min(dropped.bound(root_h)),
                    _ => cost.min(root_h.as_f64()),
                };
                stats.depth = cost;
                Found { verdict: Verdict::Solved { path, cost, lower_bound }, stats }
            }
            Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats },
            Ending::Limit(limit) => {
                let lower_bound = match (limit, self.limits.depth) {
                    (Limit::Depth, Some(depth)) if facts.unit_cost => dropped.bound(root_h).max(f64::from(depth) + 1.0),
                    // Everything that was dropped is known, and nothing else is open.
                    (Limit::Depth | Limit::Width, _) => dropped.bound(root_h),
                    _ => root_h.as_f64(),
                };
                Found { verdict: Verdict::Limit { limit, lower_bound, best: None }, stats }
            }
        }
    }
}

/// States whose h is computed between two looks at the limits.
const CHUNK: usize = 64;

/// Returns a hash of a key that is the same on all machines.
fn mix<K: Hash>(key: &K) -> u64 {
    let mut mixer = Mixer(0);
    key.hash(&mut mixer);
    mixer.finish()
}

/// A hasher of little-endian words.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mixed((self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
