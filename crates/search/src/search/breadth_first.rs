//! Breadth-first search: over [`Layers`], from the start until a layer contains a goal, or with a queue where a graph
//! has no layers.

use super::algorithm::{AlgorithmFacts, Guarantee};
use super::frontier::Queue;
use super::graph::graph_search;
use super::layers::Layers;
use super::limits::{Limit, Limits, Watch};
use super::proof_log::Counts;
use super::thread_pool::LazyPool;
use super::{Algorithm, Found, Stats, Verdict};
use crate::space::{Cost, Graph, Key, Ordinal, Weighted, moves_on_path};
use std::mem::needs_drop;

/// Returns whether a graph can be searched by layers: each move costs 1 and is reversible, and keys own nothing on the
/// heap.
pub(super) fn is_layered<K: Key>(graph: &dyn Graph<K>) -> bool {
    let facts = graph.facts();
    // A type that owns no heap memory needs no drop.
    !needs_drop::<K>() && facts.unit_cost && facts.reversible
}

/// The facts of breadth-first search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Bfs,
    name: "bfs",
    aliases: &["breadth-first"],
    summary: "breadth-first search (Moore 1959): complete; shortest if all moves cost the same; time and \
              memory grow with the number of states up to the depth of the solution",
    help: "breadth-first search; shortest if all moves cost the same",
    guarantee: Guarantee::Levels("depth"),
    counts_moves: true,
    leaves_memory: true,
    ..AlgorithmFacts::NONE
};

/// Searches a graph from a state by layers, or with a queue if it has none; returns a path as the ordinals of its moves.
/// `name` is that of the algorithm for proof logs of the queue.
pub(super) fn breadth_first_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    if !is_layered(graph) {
        return graph_search(graph, start, name, Queue::new(limits.depth, &graph.facts()), limits);
    }
    search_layers(graph, start, limits).map(|path| moves_on_path(graph, start.clone(), &path).0)
}

/// Searches from a state, layer by layer; returns the states after it on the path.
pub(super) fn search_layers<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Found<Vec<K>> {
    let pool = LazyPool::new(limits.threads);
    let mut watch = Watch::new(limits, 0);
    let root = graph.canonical(start.clone());
    if graph.is_goal(&root) {
        let verdict = Verdict::Solved { path: Vec::new(), cost: 0.0, lower_bound: 0.0 };
        return Found { verdict, stats: Stats { stored: 1, ..Stats::default() } };
    }
    let mut layers = Layers::new(graph, vec![root], &pool, limits);
    layers.trace_from_roots(limits, None);
    limits.begin_proof_log(FACTS.name, Counts::Layers);
    let ending = loop {
        limits.reach(layers.depth() as f64, layers.depth() as f64 + 1.0);
        limits.complete_step(0, layers.depth() as f64, layers.last().len() as u64);
        if limits.depth.is_some_and(|depth| layers.depth() >= depth as usize) {
            break if layers.has_new_children(&mut watch) {
                LayersEnd::Limit(Limit::Depth, layers.depth() + 1)
            } else {
                LayersEnd::Exhausted(layers.depth())
            };
        }
        layers.trace_layer();
        match layers.advance(&mut watch, &|keys| keys.iter().position(|key| graph.is_goal(key))) {
            Ok(Some(goal)) => {
                layers.trace_goal(&goal);
                break LayersEnd::Met(goal);
            }
            Ok(None) if layers.last().is_empty() => break LayersEnd::Exhausted(layers.depth() - 1),
            Ok(None) => {}
            Err(limit) => break LayersEnd::Limit(limit, layers.depth()),
        }
    };
    let stats = Stats {
        expanded: layers.expanded,
        generated: layers.generated(),
        stored: layers.stored,
        depth: layers.depth() as f64,
        memory: layers.memory,
        pruned: false,
        deepened_after: None,
    };
    ending.found(stats, |goal| layers.path_to(goal, limits, &mut watch))
}

/// The end of a search by layers.
pub(super) enum LayersEnd<K> {
    /// A state on a shortest path was found.
    Met(K),
    /// All states were found, the deepest at this depth.
    Exhausted(usize),
    /// This limit was reached, with this lower bound.
    Limit(Limit, usize),
}

impl<K> LayersEnd<K> {
    /// Converts the ending to a result; `path` returns the path through the state that was found, including the start.
    pub(super) fn found(self, stats: Stats, path: impl FnOnce(K) -> Result<Vec<K>, Limit>) -> Found<Vec<K>> {
        match self {
            LayersEnd::Met(state) => {
                let cost = stats.depth;
                let verdict = match path(state) {
                    Ok(mut path) => {
                        path.remove(0);
                        Verdict::Solved { path, cost, lower_bound: cost }
                    }
                    Err(limit) => Verdict::Limit { limit, lower_bound: cost, best: None },
                };
                Found { verdict, stats }
            }
            LayersEnd::Exhausted(depth) => {
                Found { verdict: Verdict::Unsolvable, stats: Stats { depth: depth as f64, ..stats } }
            }
            LayersEnd::Limit(limit, bound) => {
                let lower_bound = bound as f64;
                let verdict = Verdict::Limit { limit, lower_bound, best: None };
                Found { verdict, stats: Stats { depth: lower_bound - 1.0, ..stats } }
            }
        }
    }
}
