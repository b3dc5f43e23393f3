//! Exploration: the whole reachable space, how deep its states lie, and how far each is from a goal.
//!
//! A breadth-first search that stops at no goal counts the states by depth. Then the distances to the nearest goal are
//! found by a second one, from all goals at once and against the moves. Where every move costs 1 and can be taken back,
//! going against the moves is going along them: both searches go over a perfect index, where the space has one
//! (`by_index`), else by layers. Elsewhere all states are kept in a table (`by_table`), and where moves have other costs
//! than 1 they are taken cheapest first (`by_cost`).
//!
//! Whichever way it goes, it finds the same. Of the hardest states the example is the one that breadth-first search from
//! the start meets first.

mod by_cost;
pub(super) mod by_index;
pub(super) mod by_table;

use super::breadth_first::is_layered;
use super::crew::Crew;
use super::layers::Layers;
use super::limits::{Limit, Limits, Watch};
use crate::space::{Cost, Graph, Key, Ordinal, Weighted, moves_along};
use rustc_hash::FxHashSet;

/// What a gauge is told of the parts of an exploration.
pub(super) const FROM_START: &str = "exploring from the start";
pub(super) const FROM_GOALS: &str = "exploring from the goals";
pub(super) const TO_HARDEST: &str = "looking for the way to the hardest";

/// What exploration found; `P` is how a way to a state is told.
pub struct Explored<P> {
    /// The limit that ended it, if one did: then the counts are those of what was met.
    pub limit: Option<Limit>,
    /// Whether distances are counted in moves, each of which costs 1.
    pub in_moves: bool,
    /// How many states there are at each distance from the start, in moves; where moves cost other than 1, at each cost of
    /// getting there, rounded down.
    pub by_depth: Vec<u64>,
    /// How many states are goals.
    pub goals: u64,
    /// How many states cannot reach a goal; known only where nothing was cut off.
    pub dead_ends: Option<u64>,
    /// The states farthest from a goal, of those that can reach one.
    pub hardest: Option<Hardest<P>>,
    /// The most bytes that the tables took.
    pub memory: u64,
}

/// The states farthest from a goal.
pub struct Hardest<P> {
    /// What the way to the nearest goal costs: its moves, where each costs 1.
    pub cost: f64,
    /// How many states are that far.
    pub count: u64,
    /// A way to the first of them.
    pub example: P,
}

impl<P> Explored<P> {
    /// A limit was reached before anything was met.
    pub fn unfinished(limit: Limit) -> Self {
        let (by_depth, goals, dead_ends, hardest, memory) = Default::default();
        Explored { limit: Some(limit), in_moves: true, by_depth, goals, dead_ends, hardest, memory }
    }

    /// How many states were met.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.by_depth.iter().sum()
    }

    /// Converts the path.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> Explored<Q> {
        let mut convert = Some(convert);
        self.map_once(&mut |example| convert.take().expect("there is one path")(example))
    }

    /// [`map`](Self::map), compiled once for each pair of types.
    fn map_once<Q>(self, convert: &mut dyn FnMut(P) -> Q) -> Explored<Q> {
        let Explored { limit, in_moves, by_depth, goals, dead_ends, hardest, memory } = self;
        let hardest =
            hardest.map(|Hardest { cost, count, example }| Hardest { cost, count, example: convert(example) });
        Explored { limit, in_moves, by_depth, goals, dead_ends, hardest, memory }
    }
}

/// Walks the whole space that can be reached from a state. Distances are costs: moves, where each costs 1.
pub fn explore<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: &K, limits: &Limits) -> Explored<Vec<Ordinal>> {
    let facts = graph.facts();
    let limits = &limits.beside(facts.table_bytes);
    let explored = match by_index::explore(graph, start, limits) {
        Some(explored) => explored,
        None if is_layered(graph) => by_layers(graph, start, limits),
        None if facts.unit_cost => by_table::explore(graph, start, limits),
        None => by_cost::explore(graph, start, limits),
    };
    explored.map(|way| moves_along(graph, start.clone(), &way).0)
}

/// Images of a state count as states of their own here, and only those that can be reached.
pub(super) fn by_layers<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Explored<Vec<K>> {
    limits.begin(FROM_START, Some("depth"), 0);
    let crew = Crew::new(limits.threads);
    let mut watch = Watch::new(limits, 0);
    let mut forward = Layers::new(graph, vec![start.clone()], &crew, limits);
    let mut by_depth = Vec::new();
    let mut goals: Vec<K> = Vec::new();
    let limit = loop {
        by_depth.push(forward.last().len() as u64);
        limits.reach(forward.depth() as f64, 0.0);
        goals.extend(forward.last().iter().filter(|key| graph.is_goal(key)).cloned());
        forward.beside.bytes = (goals.capacity() * size_of::<K>()) as u64;
        if limits.depth.is_some_and(|depth| forward.depth() >= depth as usize) && forward.leads_out(&mut watch) {
            break Some(Limit::Depth);
        }
        match forward.advance(&mut watch, &|_| false) {
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
    let mut explored =
        Explored { limit, in_moves: true, by_depth, goals: count, dead_ends: None, hardest: None, memory };
    if limit.is_some() || goals.is_empty() {
        explored.dead_ends = limit.is_none().then_some(states);
        return explored;
    }

    // A goal's component is that of the start, so all states can reach one.
    explored.dead_ends = Some(0);
    if limits.memory.is_some_and(|budget| forward.bytes() > budget / 2) {
        forward.forget();
    }
    limits.begin(FROM_GOALS, Some("distance"), 0);
    let mut backward = Layers::new(graph, goals, &crew, limits);
    forward.beside.bytes = 0;
    backward.beside = forward.spent();
    let farthest = loop {
        limits.reach(backward.depth() as f64, 0.0);
        match backward.advance(&mut watch, &|_| false) {
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
    match forward.way_to_first(|key| hardest.contains(key), limits, &mut watch) {
        Ok(mut way) => {
            way.remove(0);
            explored.hardest = Some(Hardest { cost: farthest as f64, count: hardest.len() as u64, example: way });
        }
        Err(limit) => explored.limit = Some(limit),
    }
    explored
}
