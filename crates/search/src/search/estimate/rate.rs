//! Measures how fast this machine explores this particular space: a real exploration on disk of some of the counted
//! layers, distributed among as many workers as there are threads.

use crate::search::disk::DiskError;
use crate::search::disk::exploration::Aim;
use crate::search::layer_store::explore_layers;
use crate::search::limits::{Limit, Limits};
use crate::search::place::{Cluster, Place};
use crate::space::{Cost, Key, Weighted};
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// The states that are explored at most: some tenths of a second for most spaces.
const MOST: u64 = 200_000;
/// How long workers wait for each other.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the states that a worker expands per second, with all work for their children. Returns none if there is
/// nothing to expand, or with the limit that came first.
///
/// # Errors
/// Files cannot be written, or the space does not support exploration on disk.
pub(super) fn measure<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    layers: &[u64],
) -> Result<(Option<f64>, Option<Limit>), DiskError> {
    // An exploration that reached the end of the space would go on with the pass from the goals.
    let Some(last) = layers.len().checked_sub(2) else { return Ok((None, None)) };
    let mut sum = 0;
    let within = layers.iter().take_while(|&&layer| {
        sum += layer;
        sum <= MOST
    });
    let depth = within.count().saturating_sub(1).min(last);
    let folder = tempfile::tempdir().map_err(|error| DiskError {
        message: format!("{}: {error}", std::env::temp_dir().display()),
        help: "the measurement needs a temporary folder: set TMPDIR to choose another place".to_owned(),
    })?;
    let threads = limits.threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let workers = Cluster {
        hosts: Vec::new(),
        process: 0,
        workers: threads,
        peer_timeout: PATIENCE,
        start_timeout: PATIENCE,
        secret: None,
        disk: Some((folder.path().to_owned(), None)),
        fingerprint: String::new(),
    };
    let limits = Limits { depth: Some(depth as u32), threads: Some(NonZero::<usize>::MIN), ..limits.clone() };
    let started = Instant::now();
    let (explored, _) = explore_layers(graph, start, Aim::Whole, &limits, &Place::Cluster(workers))?;
    let seconds = started.elapsed().as_secs_f64().max(1e-6);
    let limit = explored.limit.filter(|&limit| limit != Limit::Depth);
    let expanded = layers[..=depth].iter().sum::<u64>() as f64;
    Ok((limit.is_none().then_some(expanded / seconds / threads.get() as f64), limit))
}
