//! Bidirectional search by cost: Dijkstra's algorithm (1959) from the start and from all goals, the side with fewer
//! open states first (Nicholson 1966; Pohl 1971).
//!
//! The costs of the moves form an undirected graph: a move and the one that undoes it cost the same. The first state on
//! both sides need not be on a cheapest path. So the search goes on until the least costs of open states, g on the one
//! side and g' on the other, add up to at least the cost of the best path found. Then no other path is cheaper: such a
//! path would have a move from a state that the one side has closed to one that the other side has closed, and the side
//! that closed its end last has seen it.

use crate::search::frontier::{Buckets, Frontier, Order};
use crate::search::limits::{Limit, Limits, Watch};
use crate::search::node_table::{Node, NodeTable, Reached};
use crate::search::trace::{Child, Nodes, Side as End, TracedState};
use crate::search::{Found, MOST_COST, Stats, Verdict};
use crate::space::{Cost, Facts, Key, Ordinal, Weighted};

/// Searches a graph from its start and its goals, which must be all different.
pub(in crate::search) fn bidirectional_search_by_cost<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    goals: Vec<K>,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let facts = graph.facts();
    let half = Limits { memory: limits.memory.map(|memory| memory / 2), ..limits.clone() };
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let mut sides = [End::Forward, End::Backward].map(|end| Side::new(&facts, &half, end));
    let mut best: Option<Meeting<C>> = None;
    let mut memory = 0_u64;
    let ending = 'search: {
        for (side, roots) in sides.iter_mut().zip([vec![graph.canonical(start.clone())], goals]) {
            if let Err(limit) = side.begin(roots) {
                break 'search Some(limit);
            }
        }
        let [forward, backward] = &sides;
        if let Some(goal) = backward.table.find(forward.table.key(0)) {
            best = Some(Meeting { nodes: [0, goal], cost: C::ZERO });
        }
        loop {
            let bound = bound(&sides, best.as_ref());
            limits.reach(sides.iter().map(Side::completed).sum(), bound.min(f64::MAX));
            if bound.is_finite() && limits.depth.is_some_and(|depth| bound > f64::from(depth)) {
                break Some(Limit::Depth);
            }
            if best.as_ref().map_or(bound.is_infinite(), |best| bound >= best.cost.as_f64()) {
                break None;
            }
            let expanded = sides[0].expanded + sides[1].expanded;
            let held = || {
                memory = memory.max(sides.iter().map(Side::bytes).sum());
                memory
            };
            if let Some(limit) = watch.exceeded(expanded, held) {
                break Some(limit);
            }
            let at = usize::from(sides[1].open() < sides[0].open());
            let [forward, backward] = &mut sides;
            let (side, other) = if at == 0 { (forward, backward) } else { (backward, forward) };
            if let Err(limit) = side.expand(graph, at, other, &mut best) {
                break Some(limit);
            }
        }
    };
    if let (None, Some(best)) = (ending, &best) {
        for (side, node) in sides.iter_mut().zip(best.nodes) {
            side.trace.iter_mut().for_each(|trace| trace.goal(node));
        }
    }
    let lower_bound = bound(&sides, best.as_ref());
    let path = best.map(|best| {
        let [forward, backward] = &sides;
        let mut path = forward.path(best.nodes[0]);
        path.reverse();
        path.extend(backward.path(best.nodes[1]).into_iter().skip(1));
        let (path, cost) = graph.moves_on_path(start.clone(), &path[1..]);
        (path, cost.as_f64())
    });
    let stats = |depth| Stats {
        expanded: sides.iter().map(|side| side.expanded).sum(),
        generated: sides.iter().map(|side| side.generated).sum(),
        stored: sides.iter().map(|side| side.table.len() as u64).sum(),
        depth,
        memory: memory.max(sides.iter().map(Side::bytes).sum()),
        pruned: false,
        deepened_after: None,
    };
    let completed: f64 = sides.iter().map(Side::completed).sum();
    match (ending, path) {
        (None, Some((path, cost))) => {
            Found { verdict: Verdict::Solved { path, cost, lower_bound: cost }, stats: stats(cost) }
        }
        (None, None) => Found { verdict: Verdict::Unsolvable, stats: stats(completed) },
        (Some(limit), best) => {
            let best = best.filter(|(_, cost)| limits.depth.is_none_or(|depth| *cost <= f64::from(depth)));
            Found { verdict: Verdict::Limit { limit, lower_bound, best }, stats: stats(completed) }
        }
    }
}

/// The best path found: its nodes on the two sides, which are the same state.
struct Meeting<C> {
    nodes: [Node; 2],
    cost: C,
}

/// Returns a lower bound on the cost of every path: that of the best one, or that of those not found yet.
fn bound<K: Key, C: Cost>(sides: &[Side<K, C>; 2], best: Option<&Meeting<C>>) -> f64 {
    let open: f64 = sides.iter().map(Side::bound).sum();
    best.map_or(open, |best| open.min(best.cost.as_f64()))
}

/// The search from one end.
struct Side<K, C: Cost> {
    table: NodeTable<K, C>,
    frontier: Buckets<C>,
    expanded: u64,
    generated: u64,
    /// True if no state is open.
    is_done: bool,
    successors: Vec<(C, K)>,
    trace: Option<Nodes<C>>,
}

impl<K: Key, C: Cost> Side<K, C> {
    fn new(facts: &Facts, limits: &Limits, end: End) -> Self {
        Side {
            table: NodeTable::new(facts, limits),
            frontier: Buckets::new(Order::AStar, None),
            expanded: 0,
            generated: 0,
            is_done: false,
            successors: Vec::new(),
            trace: Nodes::new(limits.trace.as_ref(), Some(end)),
        }
    }

    /// Opens the states at this end.
    fn begin(&mut self, roots: Vec<K>) -> Result<(), Limit> {
        self.is_done = roots.is_empty();
        for root in roots {
            let node = self.table.len() as Node;
            if let Some(trace) = &mut self.trace {
                if trace.is_forward() { trace.begin(None) } else { trace.root(&root) }
            }
            self.table.reach(root, node, C::ZERO)?;
            self.frontier.push(node, C::ZERO, C::ZERO);
        }
        Ok(())
    }

    /// Expands the next state, and notes the best path through states that the other side has reached.
    fn expand(
        &mut self,
        graph: &dyn Weighted<K, C>,
        at: usize,
        other: &Self,
        best: &mut Option<Meeting<C>>,
    ) -> Result<(), Limit> {
        let Some(node) = self.frontier.pop(&mut self.table.nodes) else {
            self.is_done = true;
            return Ok(());
        };
        self.expanded += 1;
        if let Some(trace) = &mut self.trace {
            trace.expanded(node, self.table.nodes.parent(node), None, |_, _| None);
        }
        let g = *self.table.nodes.label(node);
        let back = self.table.key(self.table.nodes.parent(node)).clone();
        let mut successors = std::mem::take(&mut self.successors);
        graph.expand(self.table.key(node), &back, &mut successors);
        for (cost, key) in successors.drain(..) {
            if key == back {
                continue;
            }
            self.generated += 1;
            let label = g + cost;
            if label.exceeds_whole(MOST_COST) {
                return Err(Limit::Depth);
            }
            let (child, is_new) = match self.table.reach(key, node, label)? {
                Reached::New(child) => (child, true),
                Reached::Known(child) if label < *self.table.nodes.label(child) => {
                    self.table.nodes.reparent(child, node, label);
                    (child, false)
                }
                Reached::Known(child) => {
                    self.trace.iter_mut().for_each(|trace| trace.duplicate(child, node, label));
                    continue;
                }
            };
            if let Some(trace) = &mut self.trace {
                let state = TracedState::Key(self.table.key(child));
                trace.reached(is_new, &Child { node: child, parent: node, state, g: label, h: None, f: None });
            }
            self.frontier.push(child, label, C::ZERO);
            if let Some(met) = other.table.find(self.table.key(child)) {
                let cost = label + *other.table.nodes.label(met);
                if best.as_ref().is_none_or(|best| cost < best.cost) {
                    *best = Some(Meeting { nodes: if at == 0 { [child, met] } else { [met, child] }, cost });
                }
            }
        }
        self.successors = successors;
        Ok(())
    }

    /// Returns the keys from a node to the end of this side, both included.
    fn path(&self, mut node: Node) -> Vec<K> {
        let mut path = vec![self.table.key(node).clone()];
        while self.table.nodes.parent(node) != node {
            node = self.table.nodes.parent(node);
            path.push(self.table.key(node).clone());
        }
        path
    }

    /// Returns a lower bound on the cost of open states.
    fn bound(&self) -> f64 {
        if self.is_done { f64::INFINITY } else { self.frontier.proven().1 }
    }

    fn completed(&self) -> f64 {
        self.frontier.proven().0
    }

    fn open(&self) -> u64 {
        self.table.len() as u64 - self.expanded
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.frontier.bytes()
    }
}
