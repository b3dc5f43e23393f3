//! The limits of a search, as options of every command that searches, and Ctrl-C.

use super::machine::safe_memory;
use super::{Status, output, progress};
use crate::search::Limits;
use bytesize::ByteSize;
use clap::Args;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Options that limit a search.
#[derive(Args)]
pub(super) struct LimitOptions {
    /// The most moves to go from the start
    #[arg(long, value_name = "N")]
    depth_limit: Option<u32>,
    /// Stop after this time, reading the file included: 10s, 500ms, 2m, or `none`
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    time_limit: Option<TimeLimit>,
    /// Stop before the program takes more memory than this in total: 512MiB, 2GiB [default: three quarters of what is free on
    /// the machine, or in its control group]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Stop after this many expanded states
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// Threads that may work at once; what is printed does not depend on it [default: one a processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

/// A value of `--time-limit`.
#[derive(Clone, Copy)]
enum TimeLimit {
    None,
    After(Duration),
}

fn time_limit(text: &str) -> Result<TimeLimit, String> {
    if text == "none" {
        return Ok(TimeLimit::None);
    }
    humantime::parse_duration(text).map(TimeLimit::After).map_err(|error| error.to_string())
}

impl LimitOptions {
    /// Whether they limit the depth.
    pub fn bounds_depth(&self) -> bool {
        self.depth_limit.is_some()
    }

    /// Whether they limit the states that are expanded.
    pub fn bounds_nodes(&self) -> bool {
        self.node_limit.is_some()
    }

    /// The limits, with a default limit on time.
    pub fn limits_or(&self, time: Duration, interrupt: &Arc<AtomicBool>) -> Limits {
        let time = if self.time_limit.is_none() { Some(time) } else { None };
        let limits = self.limits(interrupt);
        Limits { time: limits.time.or(time), ..limits }
    }

    pub fn limits(&self, interrupt: &Arc<AtomicBool>) -> Limits {
        let time = match self.time_limit {
            Some(TimeLimit::After(time)) => Some(time),
            Some(TimeLimit::None) | None => None,
        };
        Limits {
            time,
            memory: self.memory_limit.map(|size| size.as_u64()),
            resident: self.memory_limit.map(|size| size.as_u64()).or_else(safe_memory),
            nodes: self.node_limit,
            depth: self.depth_limit,
            closed: None,
            threads: self.threads,
            interrupt: Some(Arc::clone(interrupt)),
            gauge: None,
            proof_log: None,
        }
    }
}

/// Whether nothing polls the interrupt any more.
static UNPOLLED: AtomicBool = AtomicBool::new(false);

/// Returns a flag set by the first Ctrl-C or termination signal, which stops the search; the second ends the program.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&interrupt);
    let listening = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) || UNPOLLED.load(Ordering::Relaxed) {
            progress::wipe();
            output::forget_unfinished();
            std::process::exit(Status::Interrupted as i32);
        }
    });
    // Where signals cannot be heard, they end the program as they always do.
    drop(listening);
    interrupt
}

/// Lets the next signal end the program: from here on nothing polls the interrupt.
pub(super) fn end_at_once() {
    UNPOLLED.store(true, Ordering::Relaxed);
}
