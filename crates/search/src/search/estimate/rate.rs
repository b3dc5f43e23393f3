//! Measures how fast this machine explores this particular space: a real exploration on disk of as many layers as the
//! time allows, partitioned among as many workers as there are threads.

use crate::search::disk::DiskError;
use crate::search::disk::exploration::Aim;
use crate::search::layer_store::explore_layers;
use crate::search::limits::{Limit, Limits};
use crate::search::place::{Cluster, Place};
use crate::space::{Cost, Key, Weighted};
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// States explored to choose the depth.
const DEPTH_SAMPLE: f64 = 3e4;
/// The fraction of the time to use: later layers need more work per state.
const TIME_FRACTION: f64 = 0.7;

/// The measurement of a bounded exploration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Expanded states, including all work for their children.
    pub states: u64,
    /// The elapsed time, in seconds.
    pub seconds: f64,
    /// The number of threads.
    pub threads: usize,
}

impl Measured {
    /// Returns the states expanded per second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.states as f64 / self.seconds.max(1e-6)
    }
}

/// Explores some of the layers with known sizes, in about this time. Returns none if there is nothing to explore, or
/// with the limit that ended it.
///
/// # Errors
/// Files cannot be written, or the space does not support exploration on disk.
pub(super) fn measure<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    layers: &[u64],
    time: Duration,
) -> Result<(Option<Measured>, Option<Limit>), DiskError> {
    let began = Instant::now();
    let (mut next, mut measured) = (depth_within(layers, DEPTH_SAMPLE), None);
    while let Some(depth) = next.filter(|_| !time.is_zero()) {
        let (found, limit) = explore(graph, start, limits, depth, time)?;
        if limit.is_some() {
            return Ok((None, limit));
        }
        measured = Some(found).filter(|found| found.states > 0);
        let left = time.saturating_sub(began.elapsed()).as_secs_f64();
        next = depth_within(layers, found.per_second() * left * TIME_FRACTION).filter(|&deeper| deeper > depth);
    }
    Ok((measured, None))
}

/// Explores to a depth; returns a limit only if the caller set it.
fn explore<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    depth: usize,
    time: Duration,
) -> Result<(Measured, Option<Limit>), DiskError> {
    let folder = tempfile::tempdir().map_err(|error| DiskError {
        message: format!("{}: {error}", std::env::temp_dir().display()),
        help: "the measurement needs a temporary folder: set TMPDIR to choose another place".to_owned(),
    })?;
    let threads = limits.threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let workers = Cluster {
        hosts: Vec::new(),
        process: 0,
        workers: threads,
        peer_timeout: time,
        start_timeout: time,
        secret: None,
        disk: Some((folder.path().to_owned(), None)),
        fingerprint: String::new(),
    };
    let depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
    let limits = Limits { time: Some(time), depth, threads: Some(NonZero::<usize>::MIN), ..limits.clone() };
    let started = Instant::now();
    let (explored, _) = explore_layers(graph, start, Aim::Whole, &limits, &Place::Cluster(workers))?;
    let seconds = started.elapsed().as_secs_f64();
    // If time ran out, the last layer was not expanded, or only partly.
    let last = explored.by_depth.last().filter(|_| explored.limit != Some(Limit::Depth)).copied().unwrap_or(0);
    let states = explored.states() - last;
    let limit = explored.limit.filter(|limit| !matches!(limit, Limit::Depth | Limit::Time));
    Ok((Measured { states, seconds, threads: threads.get() }, limit))
}

/// Returns the greatest depth within which there are known to be at most `most` states, with a known layer after it: an
/// exploration that reached the end of the space would continue with the pass from the goals.
fn depth_within(layers: &[u64], most: f64) -> Option<usize> {
    let mut states = 0.0;
    let within = layers.iter().take_while(|&&layer| {
        states += layer as f64;
        states <= most
    });
    let depth = within.count().clamp(1, layers.len()) - 1;
    (layers.len() > 1).then(|| depth.min(layers.len() - 2))
}
