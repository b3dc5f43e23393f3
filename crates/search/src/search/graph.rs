//! Graph search: expand an open state, store the children not seen before, repeat. The frontier decides which state is
//! next; this loop is the same for breadth-first search, depth-first search and A*.
//!
//! A state is closed when it is popped, not when it is pushed. A child that undoes the last move is the state's own
//! parent, and is skipped.

pub mod ahead;
mod traced;

use super::ending::Ending;
use super::frontier::{Cut, Frontier};
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::novelty::Novelty;
use super::proof_log::Counts;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Facts, Graph, Key, Ordinal, Weighted};
use ahead::{Ahead, Expansion};
use std::ops::ControlFlow;
use std::slice::from_ref;
use std::time::{Duration, Instant};
use traced::Traced;

/// If more children than this are new, the limits are looked at between their evaluations, after more of them each time
/// while all take less than `SHORT`.
const MANY_CHILDREN: usize = 64;
const SHORT: Duration = Duration::from_millis(2);

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn graph_search<K: Key, C: Cost, F: Frontier<C>>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    frontier: F,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    limits.begin_proof_log(name, if F::INFORMED { Counts::Bounds } else { Counts::Layers });
    let mut search = Search::new(graph, frontier, limits);
    let ending = match search.run(start) {
        ControlFlow::Break(ending) => ending,
        ControlFlow::Continue(()) => search.exhausted(),
    };
    if let (Some(trace), Ending::Goal(goal)) = (&mut search.trace, &ending) {
        trace.nodes.goal(*goal);
    }
    search.found(start, ending)
}

/// A search of a graph.
struct Search<'a, K: Key, C: Cost, F: Frontier<C>> {
    graph: &'a dyn Weighted<K, C>,
    limits: &'a Limits,
    facts: Facts,
    frontier: F,
    table: NodeTable<K, F::Label>,
    ahead: Ahead<'a, K, C>,
    watch: Watch,
    expanded: u64,
    generated: u64,
    /// The most bytes in use when the limits were checked.
    memory: u64,
    /// True if the heuristic has excluded a state.
    pruned: bool,
    /// The current threshold, and the number of expansions when the search entered it, for the proof log.
    step: (f64, u64),
    trace: Option<Traced<K, C>>,
    /// The features that states have had, once the frontier needs ranks.
    novelty: Option<Novelty>,
    /// For the state being expanded: its successors, the nodes to open, and their h values in the same order.
    successors: Vec<(C, K)>,
    opened: Vec<(Node, F::Label)>,
    values: Vec<C>,
}

impl<'a, K: Key, C: Cost, F: Frontier<C>> Search<'a, K, C, F> {
    fn new(graph: &'a dyn Weighted<K, C>, frontier: F, limits: &'a Limits) -> Self {
        let facts = graph.facts();
        Search {
            graph,
            limits,
            frontier,
            table: NodeTable::new(&facts, limits),
            ahead: Ahead::new(graph, F::INFORMED, limits),
            watch: Watch::new(limits, facts.key_heap_bytes),
            facts,
            expanded: 0,
            generated: 0,
            memory: 0,
            pruned: false,
            step: (f64::NEG_INFINITY, 0),
            trace: Traced::new(limits),
            novelty: None,
            successors: Vec::new(),
            opened: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Searches until something ends the search, or no state is open.
    fn run(&mut self, start: &K) -> ControlFlow<Ending> {
        self.open_start(start)?;
        loop {
            self.rank_open()?;
            let Some(node) = self.frontier.pop(&mut self.table.nodes) else { return ControlFlow::Continue(()) };
            let label = *self.table.nodes.label(node);
            if !F::FIRST_IS_SHORTEST && self.graph.is_goal(self.table.key(node)) {
                if self.frontier.accepts(node, label) {
                    return ControlFlow::Break(Ending::Goal(node));
                }
                continue;
            }
            if self.frontier.may_expand(label) {
                self.check_limits()?;
                self.log_step();
                self.expand(node, label)?;
            } else {
                self.trace_cut(node);
            }
        }
    }

    /// Ranks the open states that the frontier wants to be ranked.
    #[inline]
    fn rank_open(&mut self) -> ControlFlow<Ending> {
        match self.frontier.unranked() {
            Some((node, h)) => self.rank_from(node, h),
            None => ControlFlow::Continue(()),
        }
    }

    fn rank_from(&mut self, mut node: Node, mut h: C) -> ControlFlow<Ending> {
        let novelty = self.novelty.get_or_insert_default();
        let mut followed = None;
        for number in 1.. {
            let parent = self.table.nodes.parent(node);
            if followed.replace(parent) != Some(parent) {
                novelty.follow(self.graph, (parent != node).then(|| self.table.key(parent)));
            }
            let rank = novelty.rank(self.graph, self.table.key(node), h);
            if let Some(trace) = &mut self.trace {
                trace.novelties.push(rank.novelty);
            }
            self.frontier.rank(rank);
            Ending::at(novelty.grow(self.limits, self.table.bytes()))?;
            Ending::at(self.watch.check_at(number).err())?;
            match self.frontier.unranked() {
                Some(next) => (node, h) = next,
                None => break,
            }
        }
        ControlFlow::Continue(())
    }

    fn open_start(&mut self, start: &K) -> ControlFlow<Ending> {
        let root = self.graph.canonical(start.clone());
        let is_solved = self.graph.is_goal(&root);
        let label = self.frontier.root();
        if F::INFORMED {
            self.graph.h(from_ref(&root), &mut self.values);
        }
        let h = self.values.pop().unwrap_or(C::ZERO);
        self.pruned |= h >= C::INFINITY;
        if let Some(trace) = &mut self.trace {
            trace.nodes.begin(F::INFORMED.then_some(h));
        }
        self.frontier.push(0, label, h);
        let stored = self.table.reach(root, 0, label);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            return ControlFlow::Break(Ending::Goal(0));
        }
        Ending::at(stored.err())
    }

    #[inline]
    fn check_limits(&mut self) -> ControlFlow<Ending> {
        let held = || {
            let (level, bound) = self.frontier.proven();
            self.limits.reach(level, bound);
            self.memory = self.memory.max(held_bytes(&self.table, &self.frontier, self.novelty.as_ref()));
            self.memory
        };
        Ending::at(self.watch.exceeded(self.expanded, held))
    }

    /// Adds a completed threshold to the proof log, if there is one.
    #[inline]
    fn log_step(&mut self) {
        if self.limits.proof_log.is_none() {
            return;
        }
        let (level, bound) = self.frontier.proven();
        let now = if F::INFORMED { bound } else { level };
        let (within, before) = self.step;
        if now > within {
            if self.expanded > before {
                self.limits.complete_step(0, within, self.expanded - before);
            }
            self.step = (now, self.expanded);
        }
    }

    /// Expands a node: stores its children and opens those that are new or cheaper than before.
    #[inline]
    fn expand(&mut self, node: Node, label: F::Label) -> ControlFlow<Ending> {
        let computed =
            if self.ahead.is_on() { expansion(&mut self.ahead, &self.table, &self.frontier, node) } else { None };
        let begun = if computed.is_none() { self.ahead.begin(self.expanded) } else { None };
        self.expanded += 1;
        let values = match computed {
            Some(Expansion { successors, values }) => {
                self.successors = successors;
                Some(values)
            }
            None => {
                let back = self.table.key(self.table.nodes.parent(node));
                self.graph.expand(self.table.key(node), back, &mut self.successors);
                None
            }
        };
        if self.trace.is_some() {
            self.trace_expansion(node);
        }
        let first_new = self.table.len();
        let reached = self.reach_children(node, label, values.as_deref());
        if F::INFORMED {
            self.evaluate_new(first_new)?;
            self.evaluate_known(first_new);
        }
        self.open_children(first_new);
        if self.trace.is_some() {
            if self.frontier.novelty().is_some() {
                self.rank_open()?;
            }
            self.trace_children(node, first_new);
        }
        self.values.clear();
        self.opened.clear();
        self.graph.settle();
        if let Some(begun) = begun {
            self.ahead.end(begun);
        }
        reached?;
        self.frontier.expanded();
        ControlFlow::Continue(())
    }

    /// Stores the successors of a node, and lists those to open. `computed` holds the h of each successor, if it was
    /// computed ahead.
    #[inline]
    fn reach_children(&mut self, node: Node, label: F::Label, computed: Option<&[C]>) -> ControlFlow<Ending> {
        let back = self.table.key(self.table.nodes.parent(node)).clone();
        for (number, (cost, key)) in self.successors.drain(..).enumerate() {
            if key == back {
                continue;
            }
            self.generated += 1;
            let label = self.frontier.child(label, cost);
            match self.table.reach(key, node, label) {
                Ok(Reached::New(new)) => {
                    self.values.extend(computed.map(|values| values[number]));
                    if self.frontier.ends_at(label) && self.graph.is_goal(self.table.key(new)) {
                        return ControlFlow::Break(Ending::Goal(new));
                    }
                    self.opened.push((new, label));
                }
                Ok(Reached::Known(known)) if self.frontier.replaces(known, &label, self.table.nodes.label(known)) => {
                    self.table.nodes.reparent(known, node, label);
                    self.opened.push((known, label));
                }
                Ok(Reached::Known(_)) => {}
                Err(limit) => return ControlFlow::Break(Ending::Limit(limit)),
            }
        }
        ControlFlow::Continue(())
    }

    /// Evaluates the new children, which are contiguous in the table, except those with values computed ahead.
    #[inline]
    fn evaluate_new(&mut self, first_new: usize) -> ControlFlow<Ending> {
        let mut new = &self.table.keys()[first_new + self.values.len()..];
        // Some heuristics take long for each of many children.
        let mut together = 1;
        while new.len() > MANY_CHILDREN {
            let (some, rest) = new.split_at(together.min(new.len()));
            let begun = Instant::now();
            self.graph.h(some, &mut self.values);
            new = rest;
            Ending::at(self.watch.check())?;
            together = if begun.elapsed() < SHORT { 2 * together } else { 1 };
        }
        if !new.is_empty() {
            self.graph.h(new, &mut self.values);
        }
        self.pruned |= self.values.iter().any(|&h| h >= C::INFINITY);
        ControlFlow::Continue(())
    }

    /// Evaluates the children to open again: they are in the table, but their h is not.
    #[inline]
    fn evaluate_known(&mut self, first_new: usize) {
        for (known, _) in self.opened.iter().filter(|(node, _)| (*node as usize) < first_new) {
            let key = self.table.key(*known);
            match if self.ahead.is_on() { self.ahead.value(key) } else { None } {
                Some(value) => self.values.push(value),
                None => self.graph.h(from_ref(key), &mut self.values),
            }
        }
    }

    #[inline]
    fn open_children(&mut self, first_new: usize) {
        if F::INFORMED {
            let (new, known) = self.values.split_at(self.table.len() - first_new);
            let mut known = known.iter();
            for &(node, label) in &self.opened {
                let h = match (node as usize).checked_sub(first_new) {
                    Some(number) => new[number],
                    None => *known.next().expect("every opened node has an h value"),
                };
                self.frontier.push(node, label, h);
            }
        } else {
            self.opened.iter().for_each(|&(node, label)| self.frontier.push(node, label, C::ZERO));
        }
    }

    /// Returns the end of a search in which no state is open any more.
    fn exhausted(&mut self) -> Ending {
        if let Some(goal) = self.frontier.best() {
            return Ending::Goal(goal);
        }
        let is_cut = match self.frontier.cut(&self.table.nodes) {
            Cut::Nothing => false,
            Cut::Something => true,
            Cut::Beyond(mut nodes) => has_new_children(self.graph, &self.table, &mut nodes, &mut self.watch),
        };
        if is_cut { Ending::Limit(Limit::Depth) } else { Ending::Exhausted }
    }

    fn found(&self, start: &K, ending: Ending) -> Found<Vec<Ordinal>> {
        let (level, bound) = self.frontier.proven();
        let pruned = self.pruned || self.graph.has_pruned();
        let memory = self.memory.max(held_bytes(&self.table, &self.frontier, self.novelty.as_ref()));
        let (expanded, generated, stored) = (self.expanded, self.generated, self.table.len() as u64);
        let stats = |depth| Stats { expanded, generated, stored, depth, memory, pruned, deepened_after: None };
        let path_to = |goal| {
            let (path, cost) = self.graph.moves_on_path(start.clone(), &self.table.path_to(goal));
            (path, cost.as_f64())
        };
        match ending {
            Ending::Goal(goal) => {
                let (path, cost) = path_to(goal);
                let lower_bound = self.frontier.lower_bound(cost);
                Found { verdict: Verdict::Solved { path, cost, lower_bound }, stats: stats(cost) }
            }
            Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats: stats(level) },
            Ending::Limit(limit) => {
                let lower_bound = match (limit, self.limits.depth) {
                    (Limit::Depth, Some(depth)) if self.facts.unit_cost => bound.max(f64::from(depth) + 1.0),
                    _ => bound,
                };
                let best = self.frontier.best().map(path_to);
                Found { verdict: Verdict::Limit { limit, lower_bound, best }, stats: stats(level) }
            }
        }
    }
}

/// Returns the bytes that a search holds.
fn held_bytes<K: Key, C, F: Frontier<C>>(
    table: &NodeTable<K, F::Label>,
    frontier: &F,
    novelty: Option<&Novelty>,
) -> u64 {
    table.bytes() + frontier.bytes() + novelty.map_or(0, Novelty::bytes)
}

/// Returns the expansion of a node if it was computed ahead, after computing it with others where that is worth it.
fn expansion<K: Key, C: Cost, F: Frontier<C>>(
    ahead: &mut Ahead<K, C>,
    table: &NodeTable<K, F::Label>,
    frontier: &F,
    node: Node,
) -> Option<Expansion<K, C>> {
    let key = table.key(node);
    if !ahead.has(key) {
        let most = ahead.roots();
        let next = frontier.next().map(|node| table.key(node)).filter(|key| !ahead.has(key));
        let roots: Vec<&K> = std::iter::once(key).chain(next).take(most).collect();
        if roots.len() > 1 {
            ahead.compute(&roots, &|key| table.find(key).is_some());
        }
    }
    ahead.take(key)
}

/// Returns whether a child of any of these states is missing from the table, or a limit was reached before all were
/// checked.
pub(super) fn has_new_children<K: Key, L>(
    graph: &dyn Graph<K>,
    table: &NodeTable<K, L>,
    nodes: &mut dyn Iterator<Item = Node>,
    watch: &mut Watch,
) -> bool {
    let mut children = Vec::new();
    for node in nodes {
        children.clear();
        graph.children(from_ref(table.key(node)), &mut children);
        if watch.check_at(node).is_err() || children.iter().any(|child| table.find(child).is_none()) {
            return true;
        }
    }
    false
}
