//! Options of searches on disk and by several processes.

use super::failure::Failure;
use super::groups::CLUSTER;
use super::limits::{LimitOptions, at_least_one, duration, size};
use crate::diagnostic::Report;
use crate::puzzle::{Puzzle, read_text};
use crate::search::{Cluster, Limits, OnDisk, Place, read_hosts};
use bytesize::ByteSize;
use clap::Args;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The least size of a secret, in bytes: a shorter one can be guessed.
const LEAST_SECRET: usize = 16;
/// The greatest size of a secret file, in bytes.
const MOST_SECRET: u64 = 1 << 16;

/// The folder of layers, and the processes that share the states.
#[derive(Args)]
pub(super) struct ClusterOptions {
    /// Keep the layers of the search in this folder instead of memory
    ///
    /// A layer holds all states at one depth. After a stop or a crash, the same command continues from the last
    /// complete layer.
    #[arg(long, value_name = "DIR", help_heading = CLUSTER)]
    disk: Option<PathBuf>,
    /// Stop before the files below --disk take more, such as 500MiB or 20GiB [default: no limit]
    #[arg(long, value_name = "SIZE", requires = "disk", value_parser = size, help_heading = CLUSTER)]
    disk_limit: Option<ByteSize>,
    /// Share the states with the processes in this file, one line for each
    ///
    /// A line is the address on which a process listens, such as 10.0.0.5:7000. Start the same command once for each
    /// line, each time with another --process. Every process prints the result.
    #[arg(long, value_name = "FILE", requires = "process", help_heading = CLUSTER)]
    hosts: Option<PathBuf>,
    /// Run as process I of the --hosts file; the first line is 0
    #[arg(long, value_name = "I", requires = "hosts", help_heading = CLUSTER)]
    process: Option<usize>,
    /// Share the states of each process among N workers [default with --hosts: 1]
    ///
    /// All processes need the same number. Without --hosts, this process shares the states among its own workers.
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = CLUSTER)]
    workers: Option<NonZero<usize>>,
    /// Stop when another process has been silent for this time
    #[arg(
        long,
        value_name = "TIME",
        value_parser = duration,
        default_value = "10s",
        requires = "hosts",
        help_heading = CLUSTER
    )]
    peer_timeout: Duration,
    /// Stop when another process has not connected within this time
    #[arg(
        long,
        value_name = "TIME",
        value_parser = duration,
        default_value = "2m",
        requires = "hosts",
        help_heading = CLUSTER
    )]
    start_timeout: Duration,
    /// Accept only processes with the same secret file, of at least 16 bytes; required beyond this machine
    #[arg(long, value_name = "FILE", requires = "hosts", help_heading = CLUSTER)]
    secret: Option<PathBuf>,
    /// Allow addresses outside this machine and private networks; the traffic is not encrypted
    #[arg(long, requires = "hosts", help_heading = CLUSTER)]
    allow_network: bool,
}

impl ClusterOptions {
    /// Returns the limits on reading the puzzle file. With --hosts, the time does not count before all processes have
    /// connected: a process that ends earlier cannot inform the others.
    pub fn on_reading(&self, limits: &Limits) -> Limits {
        let time = limits.time.filter(|_| self.hosts.is_none());
        Limits { time, ..limits.clone() }
    }

    /// Returns the folder of --disk.
    pub fn disk(&self) -> Option<&Path> {
        self.disk.as_deref()
    }

    /// Returns the limit on the files in that folder, in bytes.
    pub fn disk_limit(&self) -> Option<u64> {
        self.disk_limit.map(|size| size.as_u64())
    }

    /// Returns whether several processes or workers share the states.
    pub fn is_shared(&self) -> bool {
        self.hosts.is_some() || self.workers.is_some()
    }

    /// Returns the place of the states of a puzzle.
    ///
    /// # Errors
    /// A file or the number of the process is wrong, or a file that the puzzle names cannot be read.
    pub fn place(&self, puzzle: &Puzzle, limits: &LimitOptions) -> Result<Place, Failure> {
        let fingerprint = || puzzle.fingerprint().map_err(|error| Failure::refused(error.to_string(), ""));
        if !self.is_shared() {
            let Some(folder) = self.disk.clone() else { return Ok(Place::Memory) };
            return Ok(Place::Disk(OnDisk { folder, limit: self.disk_limit(), fingerprint: fingerprint()? }));
        }
        if limits.bounds_nodes() {
            let help = "use `--depth-limit`, which ends all processes at the same layer";
            let message = "`--node-limit` does not work with several processes: none of them counts all states";
            return Err(Failure::refused(message, help));
        }
        let hosts = match &self.hosts {
            Some(file) => {
                let name = file.display().to_string();
                let text = read_text(file, "a file of hosts").map_err(|message| Report::unreadable(&name, message))?;
                read_hosts(&name, &text, self.allow_network, self.secret.is_some())?
            }
            None => Vec::new(),
        };
        let process = self.process.unwrap_or(0);
        if process > 0 && process >= hosts.len() {
            let file = self.hosts.as_deref().unwrap_or(Path::new("")).display();
            let last = hosts.len() - 1;
            let all = if last == 0 { "one process".to_owned() } else { format!("{} processes", hosts.len()) };
            let message = format!("invalid value `{process}` for `--process`: {file} names {all}");
            return Err(Failure::refused(message, format!("expected a number from 0 to {last}")));
        }
        if self.peer_timeout < Duration::from_millis(100) {
            let help = "a process sends five heartbeats within this time";
            return Err(Failure::refused("invalid value for `--peer-timeout`: expected at least 100ms", help));
        }
        let fingerprint = fingerprint()?;
        Ok(Place::Cluster(Cluster {
            hosts,
            process,
            workers: self.workers.unwrap_or(NonZero::<usize>::MIN),
            peer_timeout: self.peer_timeout,
            start_timeout: self.start_timeout,
            secret: self.secret.as_deref().map(secret_in).transpose()?,
            disk: self.disk.clone().map(|folder| (folder, self.disk_limit())),
            fingerprint,
        }))
    }
}

/// Reads a secret, without white space around it.
///
/// # Errors
/// The file cannot be read, is too short, or too long.
fn secret_in(file: &Path) -> Result<Vec<u8>, Report> {
    let name = file.display().to_string();
    let wrong = |message: String| Report::unreadable(&name, message);
    let length = fs::metadata(file).map_err(|error| wrong(format!("cannot be read: {error}")))?.len();
    if length > MOST_SECRET {
        return Err(wrong("is too long for a secret: expected at most 64 KiB".to_owned()));
    }
    let secret = fs::read(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let secret = secret.trim_ascii();
    if secret.len() < LEAST_SECRET {
        return Err(wrong(format!(
            "is too short for a secret: expected at least {LEAST_SECRET} bytes, such as 32 random hex digits"
        )));
    }
    Ok(secret.to_vec())
}
