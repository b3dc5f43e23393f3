//! Exploration with other costs than 1: Dijkstra's algorithm from the start, then from all goals against the moves
//! (Dijkstra, A note on two problems in connexion with graphs, 1959).
//!
//! Distances are exact costs. States are counted by distances rounded down, which is exact for whole costs. The example
//! is the hardest state nearest to the start; among several, the one reached first.

use super::by_table::Edges;
use super::{Explored, FROM_GOALS, FROM_START, Hardest};
use crate::search::MOST_COST;
use crate::search::frontier::Calendar;
use crate::search::limits::{Limit, Limits, Watch};
use crate::search::node_table::{Node, NodeTable, Reached};
use crate::space::{Cost, Key, Weighted};
use std::mem::size_of;

/// Explores the whole space reachable from a state.
pub(super) fn explore<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> Explored<Vec<K>> {
    limits.begin(FROM_START, Some("cost"), 0);
    let facts = graph.facts();
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let mut table: NodeTable<K, C> = NodeTable::new(&facts, limits);
    let mut search = ForwardSearch { by_depth: Vec::new(), costs: Vec::new(), settled: Vec::new(), memory: 0 };
    let limit = search.settle_all(graph, start, &mut table, limits, &mut watch).err();
    let goals: Vec<Node> = search.settled.iter().copied().filter(|&node| graph.is_goal(table.key(node))).collect();
    let mut explored = Explored {
        limit,
        by_depth: search.by_depth,
        costs: Some(search.costs),
        goals: goals.len() as u64,
        dead_ends: None,
        hardest: None,
        memory: search.memory,
    };
    if limit.is_some() {
        return explored;
    }
    limits.begin(FROM_GOALS, None, 0);
    let edges = if facts.reversible { Ok(None) } else { Edges::reversed(graph, &table, &mut watch).map(Some) };
    let from_goals = edges.and_then(|edges| {
        let held = table.bytes() + edges.as_ref().map_or(0, Edges::bytes);
        Distances::from_goals(graph, &table, goals, edges.as_ref(), held, limits)
    });
    let (distances, memory) = match from_goals {
        Ok(distances) => (distances.to_goal, distances.memory),
        Err(limit) => {
            explored.limit = Some(limit);
            return explored;
        }
    };
    explored.memory = explored.memory.max(memory);
    let reaching = || distances.iter().flatten().copied();
    explored.dead_ends = Some((distances.len() - reaching().count()) as u64);
    explored.hardest = reaching().max().and_then(|cost| {
        let hardest = |node: &Node| distances[*node as usize] == Some(cost);
        let example = (0..table.len() as Node).filter(hardest).min_by_key(|&node| *table.nodes.label(node))?;
        let count = reaching().filter(|&distance| distance == cost).count() as u64;
        Some(Hardest { cost: cost.as_f64(), count, example: table.path_to(example) })
    });
    explored
}

/// The search from the start.
struct ForwardSearch {
    by_depth: Vec<u64>,
    /// The costs at which `by_depth` counts: those that occur, rounded down.
    costs: Vec<u64>,
    /// The states whose distance is known, nearest first.
    settled: Vec<Node>,
    memory: u64,
}

impl ForwardSearch {
    /// Reaches all states, and labels them with their distances.
    fn settle_all<K: Key, C: Cost>(
        &mut self,
        graph: &dyn Weighted<K, C>,
        start: &K,
        table: &mut NodeTable<K, C>,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Result<(), Limit> {
        let (mut queue, mut children) = (Calendar::new(1), Vec::new());
        table.reach(start.clone(), 0, C::ZERO)?;
        queue.push(C::ZERO, 0, 0);
        while let Some((g, node)) = queue.pop() {
            // A state that was reached more cheaply since is already settled.
            if g != *table.nodes.label(node) {
                continue;
            }
            if limits.depth.is_some_and(|depth| g.exceeds_whole(depth)) {
                return Err(Limit::Depth);
            }
            let bytes = |search: &ForwardSearch| {
                let lists = search.settled.capacity() * 4 + (search.by_depth.capacity() + search.costs.capacity()) * 8;
                table.bytes() + queue.bytes() + lists as u64
            };
            self.memory = self.memory.max(bytes(self));
            let held = || {
                limits.reach(limits.cost_unit.cost(g.as_f64()), 0.0);
                bytes(self)
            };
            if let Some(limit) = watch.exceeded(self.settled.len() as u64, held) {
                return Err(limit);
            }
            self.settled.push(node);
            let cost = g.bucket() as u64;
            match self.by_depth.last_mut().filter(|_| self.costs.last() == Some(&cost)) {
                Some(states) => *states += 1,
                None => {
                    self.costs.push(cost);
                    self.by_depth.push(1);
                }
            }
            graph.moves(table.key(node), &mut children);
            for (cost, child) in children.drain(..) {
                let g = g + cost;
                if g.exceeds_whole(MOST_COST) {
                    return Err(Limit::Depth);
                }
                match table.reach(child, node, g)? {
                    Reached::New(new) => queue.push(g, 0, new),
                    Reached::Known(known) if g < *table.nodes.label(known) => {
                        table.nodes.reparent(known, node, g);
                        queue.push(g, 0, known);
                    }
                    Reached::Known(_) => {}
                }
            }
        }
        Ok(())
    }
}

/// For each node, the cost of the cheapest path to a goal, if there is one.
struct Distances<C> {
    to_goal: Vec<Option<C>>,
    memory: u64,
}

impl<C: Cost> Distances<C> {
    fn from_goals<K: Key>(
        graph: &dyn Weighted<K, C>,
        table: &NodeTable<K, C>,
        goals: Vec<Node>,
        edges: Option<&Edges>,
        held: u64,
        limits: &Limits,
    ) -> Result<Distances<C>, Limit> {
        // The states were counted on the way from the start.
        let limits = Limits { nodes: None, ..limits.clone() };
        let mut watch = Watch::new(&limits, graph.facts().key_heap_bytes);
        let mut to_goal: Vec<Option<C>> = vec![None; table.len()];
        let mut queue = Calendar::new(1);
        for goal in goals {
            to_goal[goal as usize] = Some(C::ZERO);
            queue.push(C::ZERO, 0, goal);
        }
        let held = held + (to_goal.capacity() * size_of::<Option<C>>()) as u64;
        watch.check_memory(held)?;
        let mut memory = held;
        let mut settled = 0;
        let (mut before, mut children) = (Vec::new(), Vec::new());
        while let Some((distance, node)) = queue.pop() {
            if to_goal[node as usize] != Some(distance) {
                continue;
            }
            memory = memory.max(held + queue.bytes());
            if let Some(limit) = watch.exceeded(settled, || memory) {
                return Err(limit);
            }
            settled += 1;
            match edges {
                Some(edges) => before.extend(edges.incoming(node)),
                None => {
                    graph.moves(table.key(node), &mut children);
                    before.extend(children.drain(..).filter_map(|(_, child)| table.find(&child)));
                }
            }
            for from in before.drain(..) {
                let key = table.key(node);
                graph.moves(table.key(from), &mut children);
                let least = children.drain(..).filter(|(_, child)| child == key).map(|(cost, _)| cost).min();
                let Some(least) = least else { continue };
                let known = &mut to_goal[from as usize];
                if known.is_none_or(|known| distance + least < known) {
                    *known = Some(distance + least);
                    queue.push(distance + least, 0, from);
                }
            }
        }
        Ok(Distances { to_goal, memory })
    }
}
