//! Best-first width search: greedy best-first search that prefers states with something new (Lipovetzky and Geffner,
//! Best-first width search: exploration and exploitation in classical planning, 2017).
//!
//! A state has *features*, which the domain names, such as each variable with its value. The *novelty* of a state is 1
//! if its last move has brought a feature that no state with the same h has had, 2 if it has brought a pair of features
//! that none has had together, and 3 otherwise. The search expands the state with the least novelty first, among these
//! one with the least h, then with the least cost so far, then the one that was reached first. So on a plateau of h it
//! tries each value of each variable instead of all combinations, which greedy search would.
//!
//! If the space has *cells*, such as the number of boxes on targets, [each second state](queues) is from one of them in
//! turn: the one with the least novelty among the states of the cell. So progress that h does not see counts.
//!
//! *What it proves.* No state is dropped: if nothing is left, there is no solution. Otherwise nothing but h of the
//! start.
//!
//! Which pairs have been seen is kept as bits, chosen by hashes (Singh, Lipovetzky, Ramírez and Segovia-Aguas,
//! Approximate novelty search, 2021). If two pairs share a bit, a state may pass for less novel than it is, and comes
//! later.

mod queues;

use super::algorithm::{AlgorithmFacts, Need};
use super::breadth_first::breadth_first_search;
use super::ending::Ending;
use super::graph::has_new_children;
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::proof_log::Counts;
use super::random::mixed;
use super::trace::{Child, Nodes, PruneReason, StepKind, TracedState};
use super::{Algorithm, Found, Stats, Verdict, most_cost};
use crate::space::{Cost, Facts, Key, Ordinal, Weighted};
use queues::{Open, Queues};
use std::ops::ControlFlow;
use std::slice::from_ref;

/// The greatest number of pairs of features that are looked at for a state, which takes some 50 ms; if it has more,
/// only its single features count.
const MOST_PAIRS: usize = 1 << 22;

/// The facts of best-first width search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::BestFirstWidth,
    name: "bfws",
    aliases: &["best-first-width"],
    summary: "best-first width search (Lipovetzky and Geffner 2017): expands first a state with something new, \
              such as two values that no state with the same h has had together, and among these \
              one with the least h; complete, often finds a solution where every other algorithm needs too \
              long, no guarantee on its length",
    help: "best-first width search; a solution of hard levels, no guarantee on the length",
    informed: true,
    needs: &[(
        Need::Features,
        "it looks for states with new features, and the positions of this kind of puzzle have none",
    )],
    may_overestimate: true,
    ..AlgorithmFacts::NONE
};

/// Searches a graph from a state; returns a path as the ordinals of its moves. Without features this is breadth-first
/// search.
pub(super) fn best_first_width_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    if !graph.facts().has_features {
        return breadth_first_search(graph, start, FACTS.name, limits);
    }
    limits.begin_proof_log(FACTS.name, Counts::Bounds);
    let root = graph.canonical(start.clone());
    let mut search = Search::new(graph, &root, limits);
    let ending = match search.run(root) {
        ControlFlow::Break(ending) => ending,
        ControlFlow::Continue(()) if search.is_cut() => Ending::Limit(Limit::Depth),
        ControlFlow::Continue(()) => Ending::Exhausted,
    };
    search.trace_goal(&ending);
    search.found(start, ending)
}

/// A best-first width search.
struct Search<'a, K: Key, C: Cost> {
    graph: &'a dyn Weighted<K, C>,
    limits: &'a Limits,
    facts: Facts,
    /// The greatest cost of a solution.
    most: u32,
    table: NodeTable<K, C>,
    watch: Watch,
    open: Queues<C>,
    novelty: Novelty,
    stats: Stats,
    /// The nodes with a child that was new and beyond the depth limit.
    cut: Vec<Node>,
    /// The h of the start.
    root_h: C,
    /// For the state being expanded: its successors, the nodes of the new states among them, and its features.
    successors: Vec<(C, K)>,
    new: Vec<Node>,
    before: Vec<u64>,
    /// The h and the features of a child.
    values: Vec<C>,
    features: Vec<u64>,
    trace: Option<Nodes<C>>,
}

impl<'a, K: Key, C: Cost> Search<'a, K, C> {
    fn new(graph: &'a dyn Weighted<K, C>, root: &K, limits: &'a Limits) -> Self {
        let facts = graph.facts();
        let mut values = Vec::new();
        graph.h(from_ref(root), &mut values);
        let root_h = values.pop().unwrap_or(C::ZERO);
        Search {
            graph,
            limits,
            most: most_cost(limits),
            table: NodeTable::new(&facts, limits),
            watch: Watch::new(limits, facts.key_heap_bytes),
            facts,
            open: Queues::new(),
            novelty: Novelty::default(),
            stats: Stats::default(),
            cut: Vec::new(),
            root_h,
            successors: Vec::new(),
            new: Vec::new(),
            before: Vec::new(),
            values,
            features: Vec::new(),
            trace: Nodes::new(limits.trace.as_ref(), None),
        }
    }

    /// Searches until something ends the search, or no state is open.
    fn run(&mut self, root: K) -> ControlFlow<Ending> {
        let is_solved = self.graph.is_goal(&root);
        self.trace.iter_mut().for_each(|trace| trace.begin(Some(self.root_h)));
        self.graph.features(&root, &mut self.features);
        let stored = self.table.reach(root, 0, C::ZERO);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            return ControlFlow::Break(Ending::Goal(0));
        }
        Ending::at(stored.err())?;
        self.stats.pruned = self.root_h >= C::INFINITY;
        if !self.stats.pruned {
            let novelty = self.novelty.of(among(self.root_h), &self.features, &[]);
            let cell = cell(self.graph, self.table.key(0), &mut self.novelty, &self.features, &[]);
            self.open.push(Open { novelty, h: self.root_h, g: C::ZERO, node: 0 }, cell);
        }
        // A cheaper path to a state may have been found, and is open.
        let next = |search: &mut Self| search.open.pop(|open| *search.table.nodes.label(open.node) < open.g);
        while let Some(Open { node, g, novelty, .. }) = next(self) {
            let held = || {
                let lists = self.open.bytes() + self.cut.capacity() * size_of::<Node>();
                self.stats.memory = self.table.bytes() + lists as u64 + self.novelty.bytes();
                self.stats.memory
            };
            Ending::at(self.watch.exceeded(self.stats.expanded, held))?;
            self.trace.iter_mut().for_each(|trace| trace.novelty = Some(novelty));
            self.reach_children(node, g)?;
            self.open_new();
            Ending::at(self.novelty.grow(self.limits, self.table.bytes()))?;
        }
        ControlFlow::Continue(())
    }

    /// Expands a node with this cost: stores its children, and lists those to open.
    fn reach_children(&mut self, node: Node, g: C) -> ControlFlow<Ending> {
        self.stats.expanded += 1;
        if let Some(trace) = &mut self.trace {
            trace.expanded(node, self.table.nodes.parent(node), None, |_, _| None);
            trace.novelty = None;
        }
        self.before.clear();
        self.graph.features(self.table.key(node), &mut self.before);
        let back = self.table.key(self.table.nodes.parent(node)).clone();
        self.graph.expand(self.table.key(node), &back, &mut self.successors);
        self.new.clear();
        let mut is_cut = false;
        for (cost, key) in self.successors.drain(..) {
            if key == back {
                continue;
            }
            self.stats.generated += 1;
            let g = g + cost;
            // h may overestimate, so only g counts.
            if g.exceeds_whole(self.most) {
                is_cut |= self.table.find(&key).is_none();
                if let Some(trace) = &mut self.trace {
                    let state = TracedState::Key(&key);
                    trace.pruned(PruneReason::Depth, &Child { node: 0, parent: node, state, g, h: None, f: None });
                }
                continue;
            }
            match self.table.reach(key, node, g) {
                Ok(Reached::New(child)) => {
                    if self.graph.is_goal(self.table.key(child)) {
                        self.new.push(child);
                        return ControlFlow::Break(Ending::Goal(child));
                    }
                    self.new.push(child);
                }
                // Within a depth limit, what follows a state depends on its cost.
                Ok(Reached::Known(known)) if self.limits.depth.is_some() && g < *self.table.nodes.label(known) => {
                    self.table.nodes.reparent(known, node, g);
                    self.new.push(known);
                }
                Ok(Reached::Known(known)) => {
                    self.trace.iter_mut().for_each(|trace| trace.duplicate(known, node, g));
                }
                Err(limit) => return ControlFlow::Break(Ending::Limit(limit)),
            }
        }
        self.cut.extend(is_cut.then_some(node));
        ControlFlow::Continue(())
    }

    /// Reports the goal, with the children that were reached before it.
    fn trace_goal(&mut self, ending: &Ending) {
        let Ending::Goal(goal) = *ending else { return };
        for &child in &self.new {
            trace_child(&mut self.trace, &self.table, child, None, None);
        }
        self.trace.iter_mut().for_each(|trace| trace.goal(goal));
    }

    /// Returns whether a state beyond the depth limit was not reached within it later.
    fn is_cut(&mut self) -> bool {
        has_new_children(self.graph, &self.table, &mut self.cut.iter().copied(), &mut self.watch)
    }

    /// Evaluates the listed children and opens them.
    fn open_new(&mut self) {
        for &child in &self.new {
            self.values.clear();
            self.graph.h(from_ref(self.table.key(child)), &mut self.values);
            let (h, g) = (self.values[0], *self.table.nodes.label(child));
            if h >= C::INFINITY {
                trace_child(&mut self.trace, &self.table, child, Some(h), None);
                self.stats.pruned = true;
                continue;
            }
            self.features.clear();
            self.graph.features(self.table.key(child), &mut self.features);
            let novelty = self.novelty.of(among(h), &self.features, &self.before);
            trace_child(&mut self.trace, &self.table, child, Some(h), Some(novelty));
            let cell = cell(self.graph, self.table.key(child), &mut self.novelty, &self.features, &self.before);
            self.open.push(Open { novelty, h, g, node: child }, cell);
        }
    }

    fn found(self, start: &K, ending: Ending) -> Found<Vec<Ordinal>> {
        let (mut stats, lower_bound) = (self.stats, self.root_h.as_f64());
        stats.stored = self.table.len() as u64;
        stats.memory = stats.memory.max(self.table.bytes() + self.novelty.bytes());
        match ending {
            Ending::Goal(goal) => {
                let (path, cost) = self.graph.moves_on_path(start.clone(), &self.table.path_to(goal));
                let cost = cost.as_f64();
                stats.depth = cost;
                Found { verdict: Verdict::Solved { path, cost, lower_bound: cost.min(lower_bound) }, stats }
            }
            Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats },
            Ending::Limit(limit) => {
                let lower_bound = match (limit, self.limits.depth) {
                    (Limit::Depth, Some(depth)) if self.facts.unit_cost => lower_bound.max(f64::from(depth) + 1.0),
                    _ => lower_bound,
                };
                Found { verdict: Verdict::Limit { limit, lower_bound, best: None }, stats }
            }
        }
    }
}

/// Reports a child that is to be opened with this novelty, unless it is a dead end.
fn trace_child<K: Key, C: Cost>(
    trace: &mut Option<Nodes<C>>,
    table: &NodeTable<K, C>,
    node: Node,
    h: Option<C>,
    novelty: Option<u8>,
) {
    let Some(trace) = trace else { return };
    let (parent, g) = (table.nodes.parent(node), *table.nodes.label(node));
    let child = Child { node, parent, state: TracedState::Key(table.key(node)), g, h, f: None };
    let is_new = node as usize >= trace.len();
    trace.novelty = novelty;
    match h.is_some_and(|h| h >= C::INFINITY) {
        true if is_new => trace.add(StepKind::Pruned(PruneReason::DeadEnd), &child),
        true => trace.change(StepKind::Pruned(PruneReason::DeadEnd), &child),
        false => trace.reached(is_new, &child),
    }
    trace.novelty = None;
}

/// Returns the cell of a state with these features, and its novelty there.
fn cell<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    key: &K,
    novelty: &mut Novelty,
    features: &[u64],
    before: &[u64],
) -> Option<(u64, u8)> {
    let cell = graph.cell(key)?;
    Some((cell, novelty.of(mixed(!cell), features, before)))
}

/// The features, and pairs of features, that states have had, for each h and each cell.
struct Novelty {
    /// Sets of bits; new features are added to the last. When it is a quarter full, a larger one follows.
    sets: Vec<Vec<u64>>,
    /// The bits that are set in the last of them.
    filled: usize,
}

/// Words of the first set of bits, and how many times larger each further one is.
const FIRST: usize = 1 << 14;
const GROWTH: usize = 16;

/// Returns a hash of what states with this h have in common.
fn among<C: Cost>(h: C) -> u64 {
    mixed(h.narrow_bucket() as u64 + 1)
}

impl Default for Novelty {
    fn default() -> Novelty {
        Novelty { sets: vec![vec![0; FIRST]], filled: 0 }
    }
}

impl Novelty {
    /// Returns the novelty of a state among those with the same hash, by its features and those of the state before it,
    /// each in ascending order.
    fn of(&mut self, among: u64, features: &[u64], before: &[u64]) -> u8 {
        let mut old = before.iter().peekable();
        let is_new = |feature: &&u64| {
            while old.next_if(|old| *old < feature).is_some() {}
            old.peek() != Some(feature)
        };
        let new: Vec<u64> = features.iter().filter(is_new).copied().collect();
        let others = if new.len().saturating_mul(features.len()) <= MOST_PAIRS { features } else { &[] };
        let mut novelty = 3;
        for feature in new {
            if self.insert(mixed(among ^ feature)) {
                novelty = 1;
            }
            for &other in others.iter().filter(|&&other| other != feature) {
                let pair = feature.min(other).rotate_left(32) ^ feature.max(other);
                if self.insert(mixed(among.wrapping_add(mixed(pair)))) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }

    /// Adds a hash; returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        let place = |set: &Vec<u64>| ((hash >> 6) as usize & (set.len() - 1), 1 << (hash & 63));
        let is_known = |set: &Vec<u64>| {
            let (word, bit) = place(set);
            set[word] & bit != 0
        };
        if self.sets.iter().any(is_known) {
            return false;
        }
        let last = self.sets.last_mut().expect("there is a set");
        let (word, bit) = place(last);
        last[word] |= bit;
        self.filled += 1;
        true
    }

    /// Adds a larger set if the last is a quarter full; returns [`Limit::Memory`] if there is no memory for it.
    fn grow(&mut self, limits: &Limits, others: u64) -> Option<Limit> {
        let words = self.sets.last().expect("there is a set").len();
        if self.filled < words * 16 {
            return None;
        }
        let more = (words * GROWTH * size_of::<u64>()) as u64;
        let held = self.bytes() + others;
        if limits.memory.is_some_and(|memory| held + more > memory) || !limits.stop().allows(more) {
            return Some(Limit::Memory);
        }
        self.sets.push(vec![0; words * GROWTH]);
        self.filled = 0;
        None
    }

    fn bytes(&self) -> u64 {
        self.sets.iter().map(|set| (set.len() * size_of::<u64>()) as u64).sum()
    }
}
