//! Exploration and breadth-first search whose layers are in files, or shared by several processes.
//!
//! The implementations are in [`disk`](super::disk) and in [`cluster`](super::cluster). The feature `cluster` enables
//! the second; without it, working together with other processes is an error.

use super::disk::exploration::Aim;
use super::disk::{Coded, DiskError, SingleProcess, coded};
use super::explore::Noted;
use super::limits::Limits;
use super::place::{Cluster, Place};
use crate::space::{Cost, Key, Ordinal, Weighted, moves_on_path};

/// Memory for thread stacks and code not yet loaded, if the whole process has a limit.
const RESERVE: u64 = 1 << 20;

/// Explores from a state, up to the first layer with goals or the whole space, from the point where an earlier run
/// stopped. Up to the goals, the path is that of breadth-first search in memory.
///
/// If a limit ends it, the result covers the complete layers. On disk, the memory budget applies to this function, and
/// must be at least half a MiB.
///
/// # Errors
/// The space is unsuitable, a file cannot be used, is damaged or belongs to another puzzle, or peers are missing or
/// fail.
pub(super) fn explore_layers<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    aim: Aim,
    limits: &Limits,
    place: &Place,
) -> Result<Noted<Vec<Ordinal>>, DiskError> {
    let mut limits = limits.after_reserving(graph.facts().table_bytes);
    let quotient = if aim == Aim::Goal { graph.quotient() } else { None };
    let graph = quotient.as_deref().unwrap_or(graph);
    let (coded, keys) = coded(graph, &graph.canonical(start.clone()), aim)?;
    let (explored, note) = match place {
        Place::Cluster(cluster) => run_together(&coded, &limits, cluster, aim)?,
        Place::Disk(disk) => {
            if limits.resident.is_some() {
                limits.memory = limits.memory.map(|memory| memory.saturating_sub(RESERVE));
            }
            (coded.run(SingleProcess { limits: &limits, disk, aim })?, None)
        }
        Place::Memory => unreachable!("layers in memory need no codes"),
    };
    Ok((explored.map(|path| moves_on_path(graph, start.clone(), &keys(path)).0), note))
}

/// Explores together with the peers; the path is returned as codes.
#[cfg(feature = "cluster")]
fn run_together(coded: &Coded, limits: &Limits, cluster: &Cluster, aim: Aim) -> Result<Noted<Vec<u128>>, DiskError> {
    super::cluster::run(coded, limits, cluster, aim)
}

#[cfg(not(feature = "cluster"))]
fn run_together(_: &Coded, _: &Limits, _: &Cluster, _: Aim) -> Result<Noted<Vec<u128>>, DiskError> {
    Err(DiskError {
        message: "this program was built without exploration by several processes".to_owned(),
        help: "build it with the feature `cluster`".to_owned(),
    })
}
