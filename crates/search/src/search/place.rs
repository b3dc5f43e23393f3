//! The places of states: the memory of this process, a folder, or several processes.

use super::disk::OnDisk;
use super::hosts::Host;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

/// The place of the states of a search or an exploration.
#[derive(Clone, Debug, Default)]
pub enum Place {
    /// The memory of this process.
    #[default]
    Memory,
    /// A folder. An earlier run there is resumed.
    Disk(OnDisk),
    /// Several processes or workers.
    Cluster(Cluster),
}

/// The configuration of a cluster of processes.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The listening address of each process; empty if this is the only one.
    pub hosts: Vec<Host>,
    /// The index of this process.
    pub process: usize,
    /// Workers in each process, the same number everywhere.
    pub workers: NonZero<usize>,
    /// The silence after which a peer counts as failed.
    pub peer_timeout: Duration,
    /// The time within which all peers must connect.
    pub start_timeout: Duration,
    /// The shared secret.
    pub secret: Option<Vec<u8>>,
    /// The folder for layers, and its size limit in bytes; without it, layers are held in memory.
    pub disk: Option<(PathBuf, Option<u64>)>,
    /// The fingerprint that identifies the puzzle.
    pub fingerprint: String,
}
