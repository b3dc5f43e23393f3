//! Exploration with all states in a table, for spaces with irreversible moves of cost 1: it reverses the edges for the
//! search from the goals.

use super::{Explored, FROM_GOALS, FROM_START, Hardest};
use crate::search::graph::has_new_children;
use crate::search::limits::{Limit, Limits, Watch};
use crate::search::node_table::{Node, NodeTable};
use crate::space::{Graph, Key};
use std::slice::from_ref;

/// The distance of a state from which no goal was reached yet.
const UNREACHED: u32 = u32::MAX;

/// Explores the whole space reachable from a state.
pub(in super::super) fn explore<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Explored<Vec<K>> {
    limits.begin(FROM_START, Some("depth"), 0);
    let facts = graph.facts();
    let mut table: NodeTable<K, ()> = NodeTable::new(&facts, limits);
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let (by_depth, limit) = reach_all(graph, start, &mut table, limits, &mut watch);
    let goals: Vec<Node> = (0..table.len() as Node).filter(|&node| graph.is_goal(table.key(node))).collect();
    let mut explored = Explored {
        limit,
        costs: None,
        by_depth,
        goals: goals.len() as u64,
        dead_ends: None,
        hardest: None,
        memory: table.bytes() + (table.len() * size_of::<u32>()) as u64,
    };
    if limit.is_some() {
        return explored;
    }
    limits.begin(FROM_GOALS, None, 0);
    let edges = if facts.reversible { Ok(None) } else { Edges::reversed(graph, &table, &mut watch).map(Some) };
    let distances = edges.and_then(|edges| {
        explored.memory += edges.as_ref().map_or(0, Edges::bytes);
        watch.check_memory(explored.memory)?;
        distances(graph, &table, goals, edges.as_ref(), &mut watch)
    });
    let distances = match distances {
        Ok(distances) => distances,
        Err(limit) => {
            explored.limit = Some(limit);
            return explored;
        }
    };
    let reaching = || distances.iter().copied().filter(|&distance| distance != UNREACHED);
    explored.dead_ends = Some((distances.len() - reaching().count()) as u64);
    explored.hardest = reaching().max().map(|cost| {
        let first = distances.iter().position(|&distance| distance == cost).unwrap_or(0);
        let count = reaching().filter(|&distance| distance == cost).count() as u64;
        Hardest { cost: f64::from(cost), count, example: table.path_to(first as Node) }
    });
    explored
}

/// Fills the table, level by level; returns the sizes of the levels, and the limit that ended it.
fn reach_all<K: Key>(
    graph: &dyn Graph<K>,
    start: &K,
    table: &mut NodeTable<K, ()>,
    limits: &Limits,
    watch: &mut Watch,
) -> (Vec<u64>, Option<Limit>) {
    if let Err(limit) = table.reach(start.clone(), 0, ()) {
        return (Vec::new(), Some(limit));
    }
    let mut by_depth = vec![1];
    let (mut next, mut level_end) = (0, 1);
    let mut children = Vec::new();
    loop {
        let mut limit = watch.exceeded(next.into(), || table.bytes());
        if limit.is_none() && limits.depth.is_some_and(|depth| by_depth.len() > depth as usize) {
            if !has_new_children(graph, table, &mut (next..level_end), watch) {
                return (by_depth, None);
            }
            limit = Some(Limit::Depth);
        }
        if limit.is_none() {
            graph.children(from_ref(table.key(next)), &mut children);
            limit = children.drain(..).find_map(|child| table.reach(child, next, ()).err());
            next += 1;
        }
        let reached = table.len() as Node;
        if limit.is_some() || next == level_end {
            by_depth.extend(Some(u64::from(reached - level_end)).filter(|&size| size > 0));
            if limit.is_some() || next == reached {
                return (by_depth, limit);
            }
            level_end = reached;
            limits.reach(by_depth.len() as f64 - 1.0, 0.0);
        }
    }
}

/// Returns for each node the moves to the nearest goal.
fn distances<K: Key>(
    graph: &dyn Graph<K>,
    table: &NodeTable<K, ()>,
    goals: Vec<Node>,
    edges: Option<&Edges>,
    watch: &mut Watch,
) -> Result<Vec<u32>, Limit> {
    let mut distances = vec![UNREACHED; table.len()];
    goals.iter().for_each(|&goal| distances[goal as usize] = 0);
    let (mut level, mut children) = (goals, Vec::new());
    for distance in 1.. {
        let mut next = Vec::new();
        let mut reach = |node: Node| {
            if distances[node as usize] == UNREACHED {
                distances[node as usize] = distance;
                next.push(node);
            }
        };
        for (number, node) in (0_u32..).zip(level) {
            watch.check_at(number)?;
            match edges {
                Some(edges) => edges.incoming(node).iter().copied().for_each(&mut reach),
                None => {
                    graph.children(from_ref(table.key(node)), &mut children);
                    children.drain(..).filter_map(|child| table.find(&child)).for_each(&mut reach);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Ok(distances)
}

/// Every edge, by the state that it leads to.
pub(super) struct Edges {
    /// For each node, the start of its incoming edges; one more entry for the end.
    starts: Vec<u64>,
    from: Vec<Node>,
}

impl Edges {
    /// Reverses the edges between the states of a table.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(super) fn reversed<K: Key, L>(
        graph: &dyn Graph<K>,
        table: &NodeTable<K, L>,
        watch: &mut Watch,
    ) -> Result<Edges, Limit> {
        let each = |watch: &mut Watch, edge: &mut dyn FnMut(Node, Node)| {
            let mut children = Vec::new();
            for node in 0..table.len() as Node {
                watch.check_at(node)?;
                graph.children(from_ref(table.key(node)), &mut children);
                children.drain(..).filter_map(|child| table.find(&child)).for_each(|to| edge(node, to));
            }
            Ok(())
        };
        let mut starts = vec![0; table.len() + 1];
        each(watch, &mut |_, to| starts[to as usize + 1] += 1)?;
        for node in 0..table.len() {
            starts[node + 1] += starts[node];
        }
        let edges = starts[table.len()];
        watch.check_memory(
            table.bytes() + (starts.len() * 2 * size_of::<u64>()) as u64 + edges * size_of::<Node>() as u64,
        )?;
        let mut from = vec![0; edges as usize];
        let mut place = starts.clone();
        each(watch, &mut |node, to| {
            from[place[to as usize] as usize] = node;
            place[to as usize] += 1;
        })?;
        Ok(Edges { starts, from })
    }

    pub(super) fn incoming(&self, node: Node) -> &[Node] {
        &self.from[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.starts.len() * 2 * size_of::<u64>() + self.from.len() * size_of::<Node>()) as u64
    }
}
