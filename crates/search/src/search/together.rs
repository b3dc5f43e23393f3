//! Exploration and breadth-first search together with other processes: what is asked, and what comes of it.
//!
//! How it is done is [`cluster`](super::cluster)'s business, which is compiled with the feature `cluster` alone; without it, all of
//! this is refused.

use super::disk::walk::Aim;
use super::disk::{Coded, DiskError, coded};
use super::explore::Explored;
use super::hosts::Host;
use super::limits::Limits;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Key, Ordinal, Weighted, moves_along};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// Who works together, and how.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Where each process listens; none, where there is this one alone.
    pub hosts: Vec<Host>,
    /// Which of them this one is.
    pub process: usize,
    /// How many workers each process has, all the same.
    pub workers: NonZero<usize>,
    /// Who is silent for longer is gone.
    pub peer_timeout: Duration,
    /// Who is not there after this time does not come.
    pub start_timeout: Duration,
    /// What all know, and nobody else.
    pub secret: Option<Vec<u8>>,
    /// Where layers are kept, and the bytes that they may take; without it they are held in memory.
    pub disk: Option<(PathBuf, Option<u64>)>,
    /// What tells the puzzle from any other.
    pub fingerprint: String,
}

/// What came of working together.
pub struct Together<T> {
    /// The answer, the same in every process.
    pub answer: T,
    /// Whose limit ended it, if it was that of another process.
    pub note: Option<String>,
}

/// Walks the whole space, as [`explore`](super::explore()) does, together with others.
///
/// # Errors
/// That this space is not for it, that others are not there or fail, or what concerns files: then nothing is told, and
/// with a folder the next run goes on from the last whole layer.
pub fn explore_together<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Together<Explored<Vec<Ordinal>>>, DiskError> {
    let limits = limits.beside(graph.facts().table_bytes);
    let (coded, keys) = coded(graph, start, Aim::Whole)?;
    let Together { answer, note } = run(&coded, &limits, cluster, Aim::Whole)?;
    Ok(Together { answer: answer.map(|way| moves_along(graph, start.clone(), &keys(way)).0), note })
}

/// Breadth-first search together with others: finds the solution that it finds alone.
///
/// # Errors
/// As of [`explore_together`].
pub fn search_together<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Together<Found<Vec<Ordinal>>>, DiskError> {
    let limits = limits.beside(graph.facts().table_bytes);
    let quotient = graph.quotient();
    let graph = quotient.as_deref().unwrap_or(graph);
    let (coded, keys) = coded(graph, &graph.canonical(start.clone()), Aim::Goal)?;
    let Together { answer: explored, note } = run(&coded, &limits, cluster, Aim::Goal)?;
    let layers = explored.by_depth.len();
    let stored = explored.states();
    // The last layer was not expanded where goals were met in it, nor where there is a limit.
    let expanded = stored - explored.by_depth.last().copied().unwrap_or(0);
    let depth = layers.saturating_sub(1) as f64;
    let stats = Stats { expanded, generated: 0, stored, depth, memory: explored.memory, pruned: false };
    let verdict = match (explored.hardest, explored.limit) {
        (Some(goal), _) => {
            let path = moves_along(graph, start.clone(), &keys(goal.example)).0;
            Verdict::Solved { path, cost: goal.cost, lower_bound: goal.cost }
        }
        (None, Some(limit)) => Verdict::Limit { limit, lower_bound: layers as f64, best: None },
        (None, None) => Verdict::Unsolvable,
    };
    Ok(Together { answer: Found { verdict, stats }, note })
}

/// Explores together, and returns codes.
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
