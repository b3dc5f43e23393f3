//! Exploration and breadth-first search by several processes: the interface.
//!
//! The implementation is in [`cluster`](super::cluster), which the feature `cluster` enables; without it, these
//! functions return an error.

use super::Found;
use super::collaboration::{Cluster, Together};
use super::disk::exploration::Aim;
use super::disk::{Coded, DiskError, coded, nearest_goal};
use super::explore::Explored;
use super::limits::Limits;
use crate::space::{Cost, Key, Ordinal, Weighted, moves_on_path};

/// Explores the whole space, as [`explore`](super::explore()) does, together with other processes.
///
/// # Errors
/// The space is unsuitable, peers are missing or fail, or a file operation fails. Then there is no result, and with a
/// folder the next run continues from the last complete layer.
pub fn explore_together<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Together<Explored<Vec<Ordinal>>>, DiskError> {
    let limits = limits.after_reserving(graph.facts().table_bytes);
    let (coded, keys) = coded(graph, start, Aim::Whole)?;
    let Together { answer, note } = run(&coded, &limits, cluster, Aim::Whole)?;
    Ok(Together { answer: answer.map(|path| moves_on_path(graph, start.clone(), &keys(path)).0), note })
}

/// Runs breadth-first search together with other processes; finds the same solution as one process does.
///
/// # Errors
/// The errors of [`explore_together`].
pub fn search_together<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Together<Found<Vec<Ordinal>>>, DiskError> {
    let limits = limits.after_reserving(graph.facts().table_bytes);
    let quotient = graph.quotient();
    let graph = quotient.as_deref().unwrap_or(graph);
    let (coded, keys) = coded(graph, &graph.canonical(start.clone()), Aim::Goal)?;
    let Together { answer: explored, note } = run(&coded, &limits, cluster, Aim::Goal)?;
    let answer = nearest_goal(explored.map(|path| moves_on_path(graph, start.clone(), &keys(path)).0));
    Ok(Together { answer, note })
}

/// Explores together with the peers; the path is returned as codes.
#[cfg(feature = "cluster")]
fn run(
    coded: &Coded,
    limits: &Limits,
    cluster: &Cluster,
    aim: Aim,
) -> Result<Together<Explored<Vec<u128>>>, DiskError> {
    super::cluster::run(coded, limits, cluster, aim)
}

#[cfg(not(feature = "cluster"))]
fn run(_: &Coded, _: &Limits, _: &Cluster, _: Aim) -> Result<Together<Explored<Vec<u128>>>, DiskError> {
    Err(DiskError {
        message: "this program was built without exploration by several processes".to_owned(),
        help: "build it with the feature `cluster`".to_owned(),
    })
}
