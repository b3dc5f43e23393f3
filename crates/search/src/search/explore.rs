//! Exploration: the whole reachable space, the number of states by depth, and the distance of each from a goal.
//!
//! A breadth-first search that does not stop at goals counts the states by depth. A second search, from all goals and
//! against the moves, finds the distances to the nearest goal. If every move costs 1 and is reversible, both searches
//! follow the moves: over a perfect index if the space has one (`by_index`), otherwise by layers. In other spaces a
//! table holds all states (`by_table`), and if moves have other costs than 1, the cheapest are expanded first
//! (`by_cost`).
//!
//! All implementations return the same result. The example is the hardest state that breadth-first search from the
//! start reaches first.

mod by_cost;
pub(super) mod by_index;
pub(super) mod by_table;

use super::breadth_first::is_layered;
use super::layers::Layers;
use super::limits::{Limit, Limits, Watch};
use super::thread_pool::LazyPool;
use crate::space::{Cost, CostUnit, Graph, Key, Ordinal, Weighted, moves_on_path};
use rustc_hash::FxHashSet;

/// The phases of an exploration, as a gauge shows them.
pub(super) const FROM_START: &str = "exploring from the start";
pub(super) const FROM_GOALS: &str = "exploring from the goals";
pub(super) const TO_HARDEST: &str = "searching for a path to the hardest state";

/// The result of an exploration; `P` represents a path to a state.
pub struct Explored<P> {
    /// The limit that ended it, if one did: then the counts cover the states reached until then.
    pub limit: Option<Limit>,
    /// The number of states at each distance from the start.
    pub by_depth: Vec<u64>,
    /// The distances at which `by_depth` counts, ascending, if moves have other costs than 1: the costs of reaching the
    /// states, rounded down. Without them, distances are in moves, from 0 on.
    pub costs: Option<Vec<u64>>,
    /// The number of states that are goals.
    pub goals: u64,
    /// The number of states that cannot reach a goal; known only if nothing was cut off.
    pub dead_ends: Option<u64>,
    /// The states farthest from a goal, among those that can reach one.
    pub hardest: Option<Hardest<P>>,
    /// The maximum number of bytes that the tables occupied.
    pub memory: u64,
}

/// An exploration, and the process whose limit ended it, if it was another one.
pub(super) type Noted<P> = (Explored<P>, Option<String>);

/// The states farthest from a goal.
pub struct Hardest<P> {
    /// The cost of the path to the nearest goal: its moves, if each costs 1.
    pub cost: f64,
    /// The number of states at that distance.
    pub count: u64,
    /// A path to the first of them.
    pub example: P,
}

impl<P> Explored<P> {
    /// Returns the result of an exploration that a limit ended before it reached any state.
    pub fn unfinished(limit: Limit) -> Self {
        let (by_depth, costs, goals, dead_ends, hardest, memory) = Default::default();
        Explored { limit: Some(limit), by_depth, costs, goals, dead_ends, hardest, memory }
    }

    /// Returns the number of states reached.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.by_depth.iter().sum()
    }

    /// Returns whether distances are in moves, each of which costs 1.
    #[must_use]
    pub fn is_in_moves(&self) -> bool {
        self.costs.is_none()
    }

    /// Returns the distances at which there are states, with their numbers.
    pub fn by_distance(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let distance = |depth: usize| self.costs.as_ref().map_or(depth as u64, |costs| costs[depth]);
        self.by_depth.iter().enumerate().map(move |(depth, &states)| (distance(depth), states))
    }

    /// Converts costs in units to those that people see.
    #[must_use]
    pub fn in_unit(mut self, unit: CostUnit) -> Explored<P> {
        if unit != CostUnit::default() {
            let distances = self.by_distance().map(|(distance, _)| unit.whole_cost(distance));
            self.costs = Some(distances.collect());
            self.hardest.iter_mut().for_each(|hardest| hardest.cost = unit.cost(hardest.cost));
        }
        self
    }

    /// Converts the path.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> Explored<Q> {
        let mut convert = Some(convert);
        self.map_once(&mut |example| convert.take().expect("there is one path")(example))
    }

    /// Implements [`map`](Self::map); compiled once for each pair of types.
    pub(super) fn map_once<Q>(self, convert: &mut dyn FnMut(P) -> Q) -> Explored<Q> {
        let Explored { limit, by_depth, costs, goals, dead_ends, hardest, memory } = self;
        let hardest =
            hardest.map(|Hardest { cost, count, example }| Hardest { cost, count, example: convert(example) });
        Explored { limit, by_depth, costs, goals, dead_ends, hardest, memory }
    }
}

/// Explores the whole space reachable from a state. Distances are costs: moves, if each costs 1.
pub fn explore<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> Explored<Vec<Ordinal>> {
    let facts = graph.facts();
    let limits = &limits.after_reserving(facts.table_bytes);
    let explored = match by_index::explore(graph, start, limits) {
        Some(explored) => explored,
        None if is_layered(graph) => by_layers(graph, start, limits),
        None if facts.unit_cost => by_table::explore(graph, start, limits),
        None => by_cost::explore(graph, start, limits),
    };
    explored.map(|path| moves_on_path(graph, start.clone(), &path).0)
}

/// Explores by layers, without symmetry reduction; goals count only if they are reachable.
pub(super) fn by_layers<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Explored<Vec<K>> {
    limits.begin(FROM_START, Some("depth"), 0);
    let pool = LazyPool::new(limits.threads);
    let mut watch = Watch::new(limits, 0);
    let mut forward = Layers::new(graph, vec![start.clone()], &pool, limits);
    let mut by_depth = Vec::new();
    let mut goals: Vec<K> = Vec::new();
    let limit = loop {
        by_depth.push(forward.last().len() as u64);
        limits.reach(forward.depth() as f64, 0.0);
        goals.extend(forward.last().iter().filter(|key| graph.is_goal(key)).cloned());
        forward.elsewhere.bytes = (goals.capacity() * size_of::<K>()) as u64;
        if limits.depth.is_some_and(|depth| forward.depth() >= depth as usize) && forward.has_new_children(&mut watch) {
            break Some(Limit::Depth);
        }
        match forward.advance(&mut watch, &|_| None) {
            Ok(_) if forward.last().is_empty() => break None,
            Ok(_) => {}
            Err(limit) => {
                by_depth.extend(Some(forward.last().len() as u64).filter(|&states| states > 0));
                goals.extend(forward.last().iter().filter(|key| graph.is_goal(key)).cloned());
                break Some(limit);
            }
        }
    };
    let states: u64 = by_depth.iter().sum();
    let count = goals.len() as u64;
    let memory = forward.memory;
    let mut explored = Explored { limit, by_depth, costs: None, goals: count, dead_ends: None, hardest: None, memory };
    if limit.is_some() || goals.is_empty() {
        explored.dead_ends = limit.is_none().then_some(states);
        return explored;
    }

    // The graph is undirected, so a reachable goal is reachable from every state.
    explored.dead_ends = Some(0);
    if limits.memory.is_some_and(|budget| forward.bytes() > budget / 2) {
        forward.release_memory();
    }
    limits.begin(FROM_GOALS, Some("distance"), 0);
    let mut backward = Layers::new(graph, goals, &pool, limits);
    forward.elsewhere.bytes = 0;
    backward.elsewhere = forward.spent();
    let farthest = loop {
        limits.reach(backward.depth() as f64, 0.0);
        match backward.advance(&mut watch, &|_| None) {
            Ok(_) if backward.last().is_empty() => break backward.depth() - 1,
            Ok(_) => {}
            Err(limit) => {
                explored.limit = Some(limit);
                return explored;
            }
        }
    };
    explored.memory = explored.memory.max(backward.memory);
    let hardest: FxHashSet<K> = backward.layer(farthest).iter().cloned().collect();
    drop(backward);
    limits.begin(TO_HARDEST, None, 0);
    match forward.path_to_first(|key| hardest.contains(key), limits, &mut watch) {
        Ok(mut path) => {
            path.remove(0);
            explored.hardest = Some(Hardest { cost: farthest as f64, count: hardest.len() as u64, example: path });
        }
        Err(limit) => explored.limit = Some(limit),
    }
    explored
}
