//! The options for several processes that work together, and for the folder that layers are kept in.

use super::failure::Failure;
use super::limits::LimitOptions;
use crate::diagnostic::Report;
use crate::puzzle::{Puzzle, read_text};
use crate::search::{Cluster, Limits, read_hosts};
use bytesize::ByteSize;
use clap::Args;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A secret that can be guessed is none.
const LEAST_SECRET: usize = 16;
const MOST_SECRET: u64 = 1 << 16;

/// The folder of layers, and the processes that work on them.
#[derive(Args)]
pub(super) struct ClusterOptions {
    /// Keep layers in this folder instead of memory; stopped or killed, the same command goes on where it was
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Stop before the files in that folder take more than this: 500MiB, 20GiB
    #[arg(long, value_name = "SIZE", requires = "disk")]
    disk_limit: Option<ByteSize>,
    /// Work together with the processes that this file names, a line for each with the address that it listens on:
    /// 10.0.0.5:7000. Start the same command for each, with another --process; all of them print the answer
    #[arg(long, value_name = "FILE", requires = "process")]
    hosts: Option<PathBuf>,
    /// Which of them this one is: 0 is the first line
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// Share the states out among this many workers in each process; the same number everywhere [default with --hosts: 1]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,
    /// Stop when another process has not been heard of for so long
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "10s", requires = "hosts")]
    peer_timeout: Duration,
    /// Stop when another process has not come by then
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "2m", requires = "hosts")]
    start_timeout: Duration,
    /// Work only with processes that have a file with the same secret, of 16 bytes at least
    #[arg(long, value_name = "FILE", requires = "hosts")]
    secret: Option<PathBuf>,
    /// Allow addresses that are neither on this machine nor in a private network: what travels is not encrypted
    #[arg(long, requires = "hosts")]
    allow_network: bool,
}

impl ClusterOptions {
    /// Returns the limits on reading a file. With other processes the time does not count before all have met: a process
    /// that ends before cannot inform them.
    pub fn on_reading(&self, limits: &Limits) -> Limits {
        let time = limits.time.filter(|_| self.hosts.is_none());
        Limits { time, ..limits.clone() }
    }

    /// The folder alone, where one machine works by itself.
    pub fn disk(&self) -> Option<&Path> {
        self.disk.as_deref()
    }

    pub fn disk_limit(&self) -> Option<u64> {
        self.disk_limit.map(|size| size.as_u64())
    }

    /// Whether states are shared out.
    pub fn shares_out(&self) -> bool {
        self.hosts.is_some() || self.workers.is_some()
    }

    /// Returns the processes that work together on a puzzle, if states are shared out.
    ///
    /// # Errors
    /// A file is wrong, or the number of the process.
    pub fn cluster(&self, puzzle: &Puzzle, limits: &LimitOptions) -> Result<Option<Cluster>, Failure> {
        if !self.shares_out() {
            return Ok(None);
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
                read_hosts(&name, &text, self.allow_network)?
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
        let fingerprint = puzzle.fingerprint().map_err(|error| Failure::refused(error.to_string(), ""))?;
        Ok(Some(Cluster {
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
