//! Exploration where moves cost other than 1: from the start, cheapest first, and then from all goals against the moves
//! (Dijkstra, A note on two problems in connexion with graphs, 1959).
//!
//! Distances are exact costs. States are counted by them rounded down, which says all where costs are whole. Of the
//! hardest states the example is the nearest to the start, and of several the one that was reached first.

use super::by_table::Edges;
use super::{Explored, FROM_GOALS, FROM_START, Hardest};
use crate::search::frontier::Calendar;
use crate::search::limits::{Limit, Limits, Watch};
use crate::search::node_table::{Node, NodeTable, Reached};
use crate::search::path::actions_along;
use crate::space::{Cost, StateSpace};
use std::mem::size_of;

/// Walks the whole space that can be reached from a state.
pub(super) fn explore<S: StateSpace>(
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Explored<Vec<S::Action>> {
    limits.begin(FROM_START, Some("cost"), 0);
    let mut watch = Watch::new(limits, space.key_heap_bytes());
    let mut table: NodeTable<S, S::Cost> = NodeTable::new(space, limits);
    let mut walk = Walk { by_depth: Vec::new(), settled: Vec::new(), memory: 0 };
    let limit = walk.settle_all(space, start, &mut table, limits, &mut watch).err();
    let goals: Vec<Node> = walk.settled.iter().copied().filter(|&node| space.is_goal_key(table.key(node))).collect();
    let mut explored = Explored {
        limit,
        in_moves: false,
        by_depth: walk.by_depth,
        goals: goals.len() as u64,
        dead_ends: None,
        hardest: None,
        memory: walk.memory,
    };
    if limit.is_some() {
        return explored;
    }
    limits.begin(FROM_GOALS, None, 0);
    let edges =
        if space.is_reversible() { Ok(None) } else { Edges::turned_around(space, &table, &mut watch).map(Some) };
    let from_goals = edges.and_then(|edges| {
        let held = table.bytes() + edges.as_ref().map_or(0, Edges::bytes);
        Distances::from_goals(space, &table, goals, edges.as_ref(), held, &mut watch)
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
        let example = (0..table.len() as Node).filter(hardest).min_by_key(|&node| *table.label(node))?;
        let count = reaching().filter(|&distance| distance == cost).count() as u64;
        Some(Hardest { cost: cost.as_f64(), count, example: actions_along(space, start, &table.way_to(example)).0 })
    });
    explored
}

/// The way out from the start.
struct Walk {
    by_depth: Vec<u64>,
    /// The states whose distance is known, nearest first.
    settled: Vec<Node>,
    memory: u64,
}

impl Walk {
    /// Reaches all states, and labels them with their distances.
    fn settle_all<S: StateSpace>(
        &mut self,
        space: &S,
        start: &dyn Fn() -> S::State,
        table: &mut NodeTable<S, S::Cost>,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Result<(), Limit> {
        let mut queue = Calendar::new(1);
        table.reach(space.pack(&start()), 0, S::Cost::ZERO)?;
        queue.push(S::Cost::ZERO, 0, 0);
        while let Some((g, node)) = queue.pop() {
            // Who was reached more cheaply since has been settled.
            if g != *table.label(node) {
                continue;
            }
            if limits.depth.is_some_and(|depth| g.exceeds(depth)) {
                return Err(Limit::Depth);
            }
            let bytes = |walk: &Walk| {
                let lists = walk.settled.capacity() * 4 + walk.by_depth.capacity() * 8;
                table.bytes() + queue.bytes() + lists as u64
            };
            self.memory = self.memory.max(bytes(self));
            let held = || {
                limits.reach(g.as_f64(), 0.0);
                bytes(self)
            };
            if let Some(limit) = watch.exceeded(self.settled.len() as u64, held) {
                return Err(limit);
            }
            self.settled.push(node);
            let depth = g.bucket();
            if self.by_depth.len() <= depth {
                // Great costs lie far apart.
                watch.room_for(bytes(self) + 8 * (depth + 1 - self.by_depth.len()) as u64)?;
                self.by_depth.resize(depth + 1, 0);
            }
            self.by_depth[depth] += 1;
            let key = table.key(node).clone();
            let mut ended = Ok(());
            space.expand(&key, |_, cost, child| {
                let g = g + cost;
                match table.reach(child, node, g) {
                    Ok(Reached::New(new)) => queue.push(g, 0, new),
                    Ok(Reached::Known(known)) if g < *table.label(known) => {
                        table.reparent(known, node, g);
                        queue.push(g, 0, known);
                    }
                    Ok(Reached::Known(_)) => {}
                    Err(limit) => ended = Err(limit),
                }
            });
            ended?;
        }
        Ok(())
    }
}

/// By node, the cost of the cheapest way to a goal, where there is one.
struct Distances<C> {
    to_goal: Vec<Option<C>>,
    memory: u64,
}

impl<C: Cost> Distances<C> {
    fn from_goals<S: StateSpace<Cost = C>>(
        space: &S,
        table: &NodeTable<S, C>,
        goals: Vec<Node>,
        edges: Option<&Edges>,
        held: u64,
        watch: &mut Watch,
    ) -> Result<Distances<C>, Limit> {
        let mut to_goal: Vec<Option<C>> = vec![None; table.len()];
        let mut queue = Calendar::new(1);
        for goal in goals {
            to_goal[goal as usize] = Some(C::ZERO);
            queue.push(C::ZERO, 0, goal);
        }
        let held = held + (to_goal.capacity() * size_of::<Option<C>>()) as u64;
        watch.room_for(held)?;
        let mut memory = held;
        let mut settled = 0;
        let mut before = Vec::new();
        while let Some((distance, node)) = queue.pop() {
            if to_goal[node as usize] != Some(distance) {
                continue;
            }
            memory = memory.max(held + queue.bytes());
            if settled % 2048 == 0
                && let Some(limit) = watch.poll(table.len() as u64, memory).filter(|limit| *limit != Limit::Nodes)
            {
                return Err(limit);
            }
            settled += 1;
            match edges {
                Some(edges) => before.extend(edges.into(node)),
                None => space.expand(table.key(node), |_, _, child| before.extend(table.find(&child))),
            }
            for from in before.drain(..) {
                let key = table.key(node);
                let mut least: Option<C> = None;
                space.expand(table.key(from), |_, cost, child| {
                    if child == *key && least.is_none_or(|least| cost < least) {
                        least = Some(cost);
                    }
                });
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
