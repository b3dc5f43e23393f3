//! Bidirectional breadth-first search: layers from the start and from all goals, always expanding the smaller side,
//! until a state is in both (Pohl 1971).
//!
//! While no state is in both, every path from the start to a goal is longer than the two depths together. So the first
//! state in both is on a shortest path, whichever side generated it.

mod by_cost;

use super::algorithm::{AlgorithmFacts, Guarantee, Need};
use super::best_first::{A_STAR, best_first_search};
use super::breadth_first::{LayersEnd, breadth_first_search, is_layered, search_layers};
use super::frontier::Order;
use super::layers::Layers;
use super::limits::{Limit, Limits, Watch};
use super::proof_log::Counts;
use super::thread_pool::LazyPool;
use super::trace::Side;
use super::{Algorithm, Found, MAX_GOALS, Stats, Verdict};
use crate::space::{Cost, Graph, Key, Ordinal, Weighted, moves_on_path};
use by_cost::bidirectional_search_by_cost;
use rustc_hash::FxHashSet;

/// The facts of bidirectional search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::Bidirectional,
    name: "bidirectional",
    aliases: &["bidirectional-bfs"],
    summary: "search from the start and from all goals, breadth-first or, if moves cost different amounts, by \
              Dijkstra's algorithm, the smaller frontier first, until no shorter path can be missing (Pohl \
              1971): complete, shortest; needs goals that can be enumerated, and moves of which each is \
              undone by one of the same cost",
    help: "breadth-first search from both ends; shortest",
    guarantee: Guarantee::Levels("depth"),
    needs: &[
        (Need::Reversible, "it searches backwards from the goals, and some move has no inverse"),
        (
            Need::SymmetricCosts,
            "it searches backwards from the goals, and some move costs more or less than the one that undoes it",
        ),
        (Need::ListedGoals, "it starts from all goals, which are too many to enumerate"),
    ],
    ..AlgorithmFacts::NONE
};

/// Searches a graph from a state and from the goals; returns a path as the ordinals of its moves. Where it cannot, the
/// search is breadth-first from the start alone.
pub(super) fn bidirectional_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    if is_layered(graph) {
        return search_layers_from_both_ends(graph, start, limits)
            .map(|path| moves_on_path(graph, start.clone(), &path).0);
    }
    let facts = graph.facts();
    let is_symmetric = facts.reversible && facts.has_symmetric_costs();
    let goals = if C::EXACT_BUCKETS && is_symmetric { goals(graph) } else { None };
    match goals {
        // Checkers of recorded counts know no search by cost from the goals: the search from the start alone has the
        // same answer, and the heuristic of an uninformed algorithm is 0.
        Some(_) if limits.proof_log.is_some() => best_first_search(graph, start, A_STAR.name, Order::AStar, limits),
        Some(goals) => bidirectional_search_by_cost(graph, start, goals, limits),
        None => breadth_first_search(graph, start, FACTS.name, limits),
    }
}

/// Searches a space whose moves cost 1 and are reversible; if the goals cannot be listed, from the start alone.
fn search_layers_from_both_ends<K: Key>(graph: &dyn Graph<K>, start: &K, limits: &Limits) -> Found<Vec<K>> {
    let pool = LazyPool::new(limits.threads);
    let mut watch = Watch::new(limits, 0);
    let Some(goals) = goals(graph) else { return search_layers(graph, start, limits) };
    let root = graph.canonical(start.clone());
    let done = |verdict| Found { verdict, stats: Stats { stored: 1, ..Stats::default() } };
    if graph.is_goal(&root) {
        return done(Verdict::Solved { path: Vec::new(), cost: 0.0, lower_bound: 0.0 });
    }
    if goals.is_empty() {
        return done(Verdict::Unsolvable);
    }
    let mut forward = Layers::new(graph, vec![root], &pool, limits);
    let mut backward = Layers::new(graph, goals, &pool, limits);
    forward.trace_from_roots(limits, Some(Side::Forward));
    backward.trace_from_roots(limits, Some(Side::Backward));
    for (number, end) in [(FORWARD, "start"), (BACKWARD, "goals")].into_iter().rev() {
        limits.begin_proof_log(format!("bidirectional, from the {end}"), Counts::Layers);
        let first = if number == FORWARD { &forward } else { &backward };
        limits.complete_step(0, 0.0, first.last().len() as u64);
    }
    let ending = loop {
        let bound = forward.depth() + backward.depth() + 1;
        limits.reach(bound as f64 - 1.0, bound as f64);
        if limits.depth.is_some_and(|depth| bound > depth as usize) {
            let goes_on = forward.has_new_children(&mut watch) && backward.has_new_children(&mut watch);
            break if goes_on { LayersEnd::Limit(Limit::Depth, bound) } else { LayersEnd::Exhausted(bound - 1) };
        }
        (forward.elsewhere, backward.elsewhere) = Default::default();
        let (one, other, end) = if forward.last().len() <= backward.last().len() {
            (&mut forward, &backward, FORWARD)
        } else {
            (&mut backward, &forward, BACKWARD)
        };
        one.elsewhere = other.spent();
        one.trace_layer();
        match one.advance(&mut watch, &|keys| other.first_recent(keys)) {
            Ok(Some(meeting)) => break LayersEnd::Met(meeting),
            Ok(None) if one.last().is_empty() => break LayersEnd::Exhausted(bound - 1),
            Ok(None) => limits.complete_step(end, one.depth() as f64, one.last().len() as u64),
            Err(limit) => break LayersEnd::Limit(limit, bound),
        }
    };
    if let LayersEnd::Met(meeting) = &ending {
        forward.trace_goal(meeting);
        backward.trace_goal(meeting);
    }
    let stats = Stats {
        expanded: forward.expanded + backward.expanded,
        generated: forward.generated() + backward.generated(),
        stored: forward.stored + backward.stored,
        depth: (forward.depth() + backward.depth()) as f64,
        memory: forward.memory.max(backward.memory),
        pruned: false,
        deepened_after: None,
    };
    ending.found(stats, |meeting| {
        // Each path may take as many states again as the search for it, beside what the other side still holds.
        (forward.elsewhere, backward.elsewhere) = Default::default();
        forward.elsewhere.bytes = backward.bytes();
        let mut path = forward.path_to(meeting.clone(), limits, &mut watch)?;
        path.extend(backward.path_to(meeting, limits, &mut watch)?.into_iter().rev().skip(1));
        Ok(path)
    })
}

/// The indices of the two logs, counted from the last that began.
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// Returns the distinct representatives of the goals.
fn goals<K: Key>(graph: &dyn Graph<K>) -> Option<Vec<K>> {
    let mut met = FxHashSet::default();
    let goals = graph.goals(MAX_GOALS)?.into_iter().map(|goal| graph.canonical(goal));
    Some(goals.filter(|goal| met.insert(goal.clone())).collect())
}
