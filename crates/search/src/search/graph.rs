//! Graph search: expand some open states, store the children not seen before, repeat. The frontier decides which states
//! are next; this loop is the same for breadth-first search, depth-first search and A*.
//!
//! A search goes in rounds. A round expands one state, and in A* more of the same f once there are many open ones (the k
//! best: Felner, Kraus and Korf 2003; here for the sake of the threads). How many depends on the counts alone, so all
//! threads can share a round without any influence on the result: they generate the children, then they evaluate the
//! new ones. In between one thread stores them, in the order in which it would have generated them.
//!
//! A state is closed when it is popped, not when it is pushed. A child that undoes the last move is the state's own
//! parent, and is skipped.

mod ranking;
mod round;
mod sharing;
mod traced;

use super::ending::Ending;
use super::frontier::{Cut, Frontier};
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable};
use super::novelty::Novelty;
use super::proof_log::Counts;
use super::thread_pool::LazyPool;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Facts, Graph, Key, Ordinal, Weighted};
use round::Round;
use sharing::Sharing;
use std::ops::ControlFlow;
use std::slice::from_ref;
use traced::Traced;

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn graph_search<K: Key, C: Cost, F: Frontier<C>>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    frontier: F,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    limits.begin_proof_log(name, if F::INFORMED { Counts::Bounds } else { Counts::Layers });
    let pool = LazyPool::new(limits.threads);
    let mut search = Search::new(graph, frontier, limits, pool.threads());
    let ending = match search.run(start, &pool) {
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
    round: Round<K, C, F::Label>,
    sharing: Sharing,
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
    /// States that wait for their rank, with their h; a buffer.
    unranked: Vec<(Node, C)>,
}

/// Why a search pauses.
enum Pause {
    /// No state is open.
    Exhausted,
    /// All threads should go on with it.
    ToShare,
}

impl<'a, K: Key, C: Cost, F: Frontier<C>> Search<'a, K, C, F> {
    fn new(graph: &'a dyn Weighted<K, C>, frontier: F, limits: &'a Limits, threads: usize) -> Self {
        let facts = graph.facts();
        let trace = Traced::new(limits);
        let can_share = F::INFORMED && graph.is_order_independent() && trace.is_none();
        Search {
            graph,
            limits,
            frontier,
            table: NodeTable::new(&facts, limits),
            round: Round::default(),
            sharing: Sharing::new(if can_share { threads } else { 1 }),
            watch: Watch::new(limits, facts.key_heap_bytes),
            facts,
            expanded: 0,
            generated: 0,
            memory: 0,
            pruned: false,
            step: (f64::NEG_INFINITY, 0),
            trace,
            novelty: None,
            unranked: Vec::new(),
        }
    }

    /// Searches until something ends the search, or no state is open.
    fn run(&mut self, start: &K, pool: &LazyPool) -> ControlFlow<Ending> {
        self.begin(start)?;
        if let Pause::ToShare = self.advance()? {
            pool.run(|| self.advance())?;
        }
        ControlFlow::Continue(())
    }

    /// Searches until something ends the search, no state is open, or all threads should share it.
    fn advance(&mut self) -> ControlFlow<Ending, Pause> {
        loop {
            self.rank_open()?;
            self.pop_round()?;
            if self.round.states.is_empty() {
                return ControlFlow::Continue(Pause::Exhausted);
            }
            self.expand_round()?;
            if self.sharing.begins(self.expanded) {
                return ControlFlow::Continue(Pause::ToShare);
            }
        }
    }

    /// Pops the states of the next round; none if no state is open.
    fn pop_round(&mut self) -> ControlFlow<Ending> {
        let mut most = 1;
        let mut next = self.frontier.pop(&mut self.table.nodes);
        while let Some(node) = next {
            let label = *self.table.nodes.label(node);
            if !F::FIRST_IS_SHORTEST && self.graph.is_goal(self.table.key(node)) {
                if self.frontier.accepts(node, label) {
                    return ControlFlow::Break(Ending::Goal(node));
                }
            } else if !self.frontier.may_expand(label) {
                self.trace_cut(node);
            } else {
                if self.round.states.is_empty() {
                    self.check_limits()?;
                    self.log_step();
                    let size = self.frontier.round_size(self.facts.slow_heuristic, self.expanded, self.generated);
                    most = size.min(self.watch.nodes_left(self.expanded)) as usize;
                }
                self.round.states.push((node, label));
            }
            next = match self.round.states.len() {
                0 => self.frontier.pop(&mut self.table.nodes),
                states if states < most => self.frontier.pop_equal(&mut self.table.nodes),
                _ => None,
            };
        }
        ControlFlow::Continue(())
    }

    /// Opens the start.
    fn begin(&mut self, start: &K) -> ControlFlow<Ending> {
        let root = self.graph.canonical(start.clone());
        let is_solved = self.graph.is_goal(&root);
        let label = self.frontier.root();
        let mut values = Vec::new();
        if F::INFORMED {
            self.graph.h(from_ref(&root), &mut values);
        }
        let h = values.pop().unwrap_or(C::ZERO);
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
