//! How fast this machine explores this very space: a real exploration on disk, shared out among as many workers as it has
//! threads, of as many layers as a time allows.

use crate::search::disk::DiskError;
use crate::search::limits::{Limit, Limits};
use crate::search::together::{Cluster, explore_together};
use crate::space::{Cost, Key, Weighted};
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// States that are explored to choose the depth by.
const FIRST: f64 = 3e4;
/// What of the time is to be used: layers that come later are more work a state.
const CAUTION: f64 = 0.7;

/// A bounded exploration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// States that were expanded, with all that is done for their children.
    pub states: u64,
    /// The time it took.
    pub seconds: f64,
    /// The threads that worked on it.
    pub threads: usize,
}

impl Measured {
    /// States expanded in a second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.states as f64 / self.seconds.max(1e-6)
    }
}

/// Explores, in about this time, some of the layers whose sizes are known; none where there is nothing to explore, and with
/// the limit that ended it before.
///
/// # Errors
/// That files cannot be written, or that this space is not for the disk.
pub(super) fn measure<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    limits: &Limits,
    layers: &[f64],
    time: Duration,
) -> Result<(Option<Measured>, Option<Limit>), DiskError> {
    let began = Instant::now();
    let (mut next, mut measured) = (depth_within(layers, FIRST), None);
    while let Some(depth) = next.filter(|_| !time.is_zero()) {
        let (found, limit) = explore(graph, start, limits, depth, time)?;
        if limit.is_some() {
            return Ok((None, limit));
        }
        measured = Some(found).filter(|found| found.states > 0);
        let left = time.saturating_sub(began.elapsed()).as_secs_f64();
        next = depth_within(layers, found.per_second() * left * CAUTION).filter(|&deeper| deeper > depth);
    }
    Ok((measured, None))
}

/// Explores to a depth; tells of a limit only where that was none of ours.
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
    let explored = explore_together(graph, start, &limits, &workers)?.answer;
    let seconds = started.elapsed().as_secs_f64();
    // Where time ran out, the last layer was not expanded, or not whole.
    let last = explored.by_depth.last().filter(|_| explored.limit != Some(Limit::Depth)).copied().unwrap_or(0);
    let states = explored.states() - last;
    let limit = explored.limit.filter(|limit| !matches!(limit, Limit::Depth | Limit::Time));
    Ok((Measured { states, seconds, threads: threads.get() }, limit))
}

/// The greatest depth of which it is known that no more states than that are within, and that there is a layer after it: an
/// exploration that met the end of the space would go on to the way back.
fn depth_within(layers: &[f64], most: f64) -> Option<usize> {
    let mut states = 0.0;
    let within = layers.iter().take_while(|&&layer| {
        states += layer;
        states <= most
    });
    let depth = within.count().clamp(1, layers.len()) - 1;
    (layers.len() > 1).then(|| depth.min(layers.len() - 2))
}
