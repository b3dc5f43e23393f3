//! The limits of a search, as options of every command that searches, and interrupts by Ctrl-C.

use super::groups::LIMITS;
use super::machine::safe_memory;
use super::{Status, progress, wall};
use crate::domain::remove_unfinished;
use crate::search::Limits;
use bytesize::ByteSize;
use clap::Args;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The help of `--depth-limit` in commands that solve puzzles: they look at the file's own limit, too.
pub(super) const DEPTH_OR_FILE: &str =
    "Search at most N moves deep from the start [default: the file's, otherwise no limit]";

/// Options that limit a search.
#[derive(Args)]
pub(super) struct LimitOptions {
    /// Search at most N moves deep from the start [default: no limit]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    depth_limit: Option<u32>,
    /// Stop after this time, such as 500ms, 10s or 2m; `none` sets no limit [default: none]
    ///
    /// The time includes reading the puzzle file.
    #[arg(long, alias = "timeout", value_name = "TIME", value_parser = time_limit, help_heading = LIMITS)]
    time_limit: Option<TimeLimit>,
    /// Stop before the program uses more memory, such as 512MiB or 2GiB [default: 3/4 of what is free]
    ///
    /// The limit holds for all memory of the program. Free memory is that of the machine or of the control group of the
    /// program, whichever is less.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = LIMITS)]
    memory_limit: Option<ByteSize>,
    /// Stop after expanding N states [default: no limit]
    ///
    /// To expand a state is to generate all states that one move leads to from it.
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    node_limit: Option<u64>,
    /// Use at most N threads; the result is the same for every N [default: one per processor]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = LIMITS)]
    threads: Option<NonZero<usize>>,
}

/// The limits of reading a file that may come from a stranger.
const READING_TIME: Duration = Duration::from_secs(10);
const READING_MEMORY: u64 = 1 << 30;

/// Options of commands that read puzzle files and search nothing.
#[derive(Args)]
pub(super) struct ReadingLimits {
    /// Stop after this time for each file, such as 500ms, 10s or 2m; `none` sets no limit [default: 10s]
    #[arg(long, alias = "timeout", value_name = "TIME", value_parser = time_limit, help_heading = LIMITS)]
    time_limit: Option<TimeLimit>,
    /// Stop before the program uses more memory, such as 512MiB or 2GiB [default: 1GiB]
    ///
    /// By default, a board of tiles may take eight bytes a cell beyond it.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = LIMITS)]
    memory_limit: Option<ByteSize>,
}

impl ReadingLimits {
    /// Returns the limits on one file that is also searched, without a default limit on time.
    pub fn searching(&self) -> Limits {
        let time = if self.time_limit.is_none() { None } else { self.limits().time };
        Limits { time, ..self.limits() }
    }

    /// Returns the limits on one file.
    pub fn limits(&self) -> Limits {
        reading(self.time_limit, self.memory_limit)
    }
}

/// Returns limits on reading: the given ones, otherwise the default.
fn reading(time: Option<TimeLimit>, memory: Option<ByteSize>) -> Limits {
    let time = match time {
        Some(TimeLimit::None) => None,
        Some(TimeLimit::After(time)) => Some(time),
        None => Some(READING_TIME),
    };
    let declared = memory.is_none().then(wall::declared);
    Limits { time, resident: Some(memory.map_or(READING_MEMORY, |size| size.as_u64())), declared, ..Limits::default() }
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
    duration(text).map(TimeLimit::After).map_err(|message| format!("{message}, or `none`"))
}

/// Reads a time. A number without a unit is in seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = seconds.or_else(|| humantime::parse_duration(text).ok());
    time.ok_or_else(|| "expected a time such as 10s, 500ms or 2m".to_owned())
}

/// Reads a size in bytes.
pub(super) fn size(text: &str) -> Result<ByteSize, String> {
    text.parse().map_err(|_| "expected a size such as 512MiB or 2GiB".to_owned())
}

/// Reads a number of things of which there is at least one.
pub(super) fn at_least_one(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "expected a whole number of at least 1".to_owned())
}

impl LimitOptions {
    /// Returns whether the depth is limited.
    pub fn bounds_depth(&self) -> bool {
        self.depth_limit.is_some()
    }

    /// Returns whether the number of expanded states is limited.
    pub fn bounds_nodes(&self) -> bool {
        self.node_limit.is_some()
    }

    /// Returns the limits of reading a file before it is searched or played.
    pub fn reading(&self) -> Limits {
        reading(self.time_limit, self.memory_limit)
    }

    /// Returns the limits, with a default limit on time.
    pub fn limits_or(&self, time: Duration, interrupt: &Arc<AtomicBool>) -> Limits {
        let time = if self.time_limit.is_none() { Some(time) } else { None };
        let limits = self.limits(interrupt);
        Limits { time: limits.time.or(time), ..limits }
    }

    /// Returns the limits; setting `interrupt` ends the search, too.
    pub fn limits(&self, interrupt: &Arc<AtomicBool>) -> Limits {
        let time = match self.time_limit {
            Some(TimeLimit::After(time)) => Some(time),
            Some(TimeLimit::None) | None => None,
        };
        Limits {
            time,
            memory: self.memory_limit.map(|size| size.as_u64()),
            resident: self.memory_limit.map(|size| size.as_u64()).or_else(safe_memory),
            declared: None,
            nodes: self.node_limit,
            depth: self.depth_limit,
            closed: None,
            deepens: false,
            threads: self.threads,
            interrupt: Some(Arc::clone(interrupt)),
            gauge: None,
            proof_log: None,
            ..Limits::default()
        }
    }
}

/// True once nothing polls the interrupt any more.
static UNPOLLED: AtomicBool = AtomicBool::new(false);

/// Returns a flag that the first Ctrl-C or termination signal sets, to stop the search. The second ends the program.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&interrupt);
    let listening = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) || UNPOLLED.load(Ordering::Relaxed) {
            progress::wipe();
            remove_unfinished();
            std::process::exit(Status::Interrupted as i32);
        }
    });
    // Without a handler, signals end the program, as they do by default.
    drop(listening);
    interrupt
}

/// Lets the next signal end the program: from here on nothing polls the interrupt.
pub(super) fn end_at_once() {
    UNPOLLED.store(true, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::{Duration, duration};

    #[test]
    fn a_time_without_a_unit_is_in_seconds() {
        for (text, milliseconds) in [("10", 10_000), ("0.5", 500), ("10s", 10_000), ("1m 5s", 65_000), ("0", 0)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "-1", "nan", "inf", "1e300", "10 parsecs"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
