//! Best-first width search: greedy best-first search that prefers states with something new (Lipovetzky and Geffner,
//! Best-first width search: exploration and exploitation in classical planning, 2017).
//!
//! A state has *features*, which the domain names, such as each variable with its value. The *novelty* of a state is 1
//! if its last move has brought a feature that no state with the same h has had, 2 if it has brought a pair of features
//! that none has had together, and 3 otherwise. The search expands the state with the least novelty first, among these
//! one with the least h, then with the least cost so far, then the one that was reached first. So on a plateau of h it
//! tries each value of each variable instead of all combinations, which greedy search would.
//!
//! If the space has *cells*, such as the number of boxes on targets, each second state is from one of them in turn: the
//! one with the least novelty among the states of the cell. So progress that h does not see counts.
//!
//! *What it proves.* No state is dropped: if nothing is left, there is no solution. Otherwise nothing but h of the
//! start.

use super::algorithm::{AlgorithmFacts, Need};
use super::breadth_first::breadth_first_search;
use super::frontier::NoveltyFrontier;
use super::graph::graph_search;
use super::limits::Limits;
use super::{Algorithm, Found, most_cost};
use crate::space::{Cost, Key, Ordinal, Weighted};

/// The facts of best-first width search.
pub(super) const FACTS: AlgorithmFacts = AlgorithmFacts {
    algorithm: Algorithm::BestFirstWidth,
    name: "bfws",
    aliases: &["best-first-width"],
    summary: "best-first width search (Lipovetzky and Geffner 2017): expands first a state with something new, \
              such as two values that no state with the same h has had together, and among these \
              one with the least h; complete, often finds a solution where every other algorithm needs too \
              long, no guarantee on its length",
    help: "best-first width search; a solution of hard levels, no guarantee on the length",
    informed: true,
    needs: &[(
        Need::Features,
        "it looks for states with new features, and the positions of this kind of puzzle have none",
    )],
    may_overestimate: true,
    ..AlgorithmFacts::NONE
};

/// Searches a graph from a state; returns a path as the ordinals of its moves. Without features this is breadth-first
/// search.
pub(super) fn best_first_width_search<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    if !graph.facts().has_features {
        return breadth_first_search(graph, start, FACTS.name, limits);
    }
    graph_search(graph, start, FACTS.name, NoveltyFrontier::new(most_cost(limits)), limits)
}
