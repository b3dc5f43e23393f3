//! A* and its variants: graph search in the order of f, of a weighted f, or of h alone.
//!
//! On grids, A* has loops of its own. If the memory ends, it goes on by iterative deepening with a transposition table.

use super::algorithm::{AlgorithmFacts, Guarantee, Weight};
use super::beyond_memory::search_beyond_memory;
use super::frontier::{Buckets, CalendarFrontier, Order};
use super::graph::graph_search;
use super::grid::grid_a_star;
use super::limits::{Limit, Limits};
use super::{Algorithm, Found, Verdict, most_cost};
use crate::space::{Cost, Key, Ordinal, Weighted};
use std::time::Instant;

/// The facts of A*.
pub(super) const A_STAR: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::AStar,
    name: "a-star",
    aliases: &["astar", "a*"],
    summary: "A* (Hart, Nilsson, Raphael 1968): complete; shortest with an admissible heuristic; expands every \
              state with f below the optimum, and stores every generated state",
    help: "A*; shortest with an admissible heuristic",
    informed: true,
    guarantee: Guarantee::Levels("f"),
    ..AlgorithmFacts::NONE
};

/// The facts of greedy search.
pub(super) const GREEDY: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Greedy,
    name: "greedy",
    aliases: &["greedy-best-first"],
    summary: "greedy best-first search (Doran and Michie 1966): expands a state with the least h first; \
              complete, fast, no guarantee on the length of the solution",
    help: "greedy best-first search; no guarantee on the length",
    informed: true,
    ..AlgorithmFacts::NONE
};

/// The facts of weighted A*.
pub(super) const WEIGHTED_A_STAR: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::WeightedAStar(Weight::DEFAULT),
    name: "weighted-a-star",
    aliases: &["weighted-astar", "wa*"],
    summary: "weighted A* (Pohl 1970): A* with f = g + W h, where W is `weight` (default 2); with an \
              admissible heuristic the solution costs at most W times the optimum; complete; usually expands \
              far fewer states than A*",
    help: "weighted A*; at most W times the least cost",
    informed: true,
    ..AlgorithmFacts::NONE
};

/// In a space with cells, a level of A* is ordered by novelty only once more states than this were expanded.
const RANKS_AFTER: u64 = 1000;

/// Runs A* from a state, on a graph or on the reduced graph of the same space; returns a path as the ordinals of its
/// moves.
pub(super) fn a_star<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    reduced: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    // A depth limit asks what lies beyond it; checkers need the states one by one.
    let is_plain = limits.depth.is_none() && limits.proof_log.is_none();
    let grid = if is_plain { graph.grid(start) } else { None };
    let begun = Instant::now();
    let found = match grid {
        Some(grid) => grid_a_star(grid, limits),
        None => best_first_search(reduced, start, A_STAR.name, Order::AStar, limits),
    };
    match found.verdict {
        // The counts of a proof log are those of one search.
        Verdict::Limit { limit: Limit::Memory, lower_bound, .. }
            if C::EXACT_BUCKETS && limits.deepens && limits.proof_log.is_none() =>
        {
            let within = limits.remaining(&found.stats, begun.elapsed());
            search_beyond_memory(reduced, start, lower_bound, &found.stats, &within).unwrap_or(found)
        }
        _ => found,
    }
}

/// Searches a graph from a state in this order; returns a path as the ordinals of its moves.
pub(super) fn best_first_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    order: Order,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    if !C::EXACT_BUCKETS {
        return graph_search(graph, start, name, CalendarFrontier::new(order, limits.depth), limits);
    }
    // Where moves are dear, a path may cost more than can be counted: it lies beyond a limit, too.
    let most = (limits.depth.is_some() || !graph.facts().unit_cost).then(|| most_cost(limits));
    let open = Buckets::new(order, most);
    let has_cells = matches!(order, Order::AStar) && graph.cell(&graph.canonical(start.clone())).is_some();
    graph_search(graph, start, name, if has_cells { open.with_ranks_after(RANKS_AFTER) } else { open }, limits)
}
