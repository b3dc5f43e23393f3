//! The context for reading a file and building a state space: options, and the limits of the search that it is for.

use super::{Limit, Limits, Stop, resident};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The assumed memory of the program itself, beside its tables. It is fixed, so that the choice of tables is
/// deterministic.
const PROGRAM_BYTES: u64 = 16 << 20;

/// The number of calls of [`BuildContext::should_stop`] after which the resident memory may be read again.
const CHECK_EVERY: u32 = 64;

/// The time between two reads of the resident memory, which take microseconds.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// The context in which a state space is built.
#[derive(Clone, Default)]
pub struct BuildContext {
    /// The size of the tables in the domain's own measure, if a [`Stage`](super::Stage) sets it.
    pub size: Option<u8>,
    /// True if depth-first searches prune duplicate move sequences with an automaton, if the domain has one.
    pub automaton: bool,
    /// The limits of building.
    pub limits: Limits,
    /// The condition that ends building early.
    pub stop: Stop,
    /// The limit that ended building, if one did.
    pub ended: OnceLock<Limit>,
    /// The calls of [`should_stop`](Self::should_stop).
    pub polls: Arc<Polls>,
    /// The folder that caches large tables between runs.
    pub cache: Option<PathBuf>,
    /// True if the space counts what each technique saves: see [`Saving`](crate::space::Saving).
    pub explain: bool,
    /// The names of the reductions that searches of the space do without.
    pub without: Vec<String>,
    /// The receiver of messages and progress.
    pub observer: Option<Arc<dyn Observer>>,
}

/// Decides how often the resident memory is read.
#[derive(Debug, Default)]
pub struct Polls {
    calls: AtomicU32,
    last: Mutex<Option<Instant>>,
}

impl Polls {
    /// Returns whether the memory is to be read now: at the first call, and then at intervals.
    fn is_due(&self) -> bool {
        if !self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(CHECK_EVERY) {
            return false;
        }
        let mut last = self.last.lock();
        let is_due = last.is_none_or(|last| last.elapsed() >= CHECK_INTERVAL);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

impl BuildContext {
    /// Returns the context for a search within these limits.
    #[must_use]
    pub fn within(limits: &Limits) -> BuildContext {
        BuildContext { limits: limits.clone(), stop: limits.stop(), ..BuildContext::default() }
    }

    /// Returns a context for another build within the same limits.
    #[must_use]
    pub fn for_another_build(&self) -> BuildContext {
        BuildContext { ended: OnceLock::new(), ..self.clone() }
    }

    /// Returns whether building must end now; then the search that it is for does not begin. A call takes well below a
    /// microsecond, so that work can call it at every step of some length.
    pub fn should_stop(&self) -> bool {
        if self.ended.get().is_none()
            && let Some(limit) = if self.polls.is_due() { self.stop.now() } else { self.stop.check_cheap() }
        {
            let _ = self.ended.set(limit);
        }
        self.ended.get().is_some()
    }

    /// Returns whether searches of the space use a reduction of the domain.
    #[must_use]
    pub fn uses(&self, reduction: &str) -> bool {
        !self.without.iter().any(|name| name == reduction)
    }

    /// Returns the part of the memory limit that is left for tables, if there is a limit: the program needs its share,
    /// too.
    pub fn table_memory(&self) -> Option<u64> {
        self.limits.memory.map(|memory| memory.saturating_sub(PROGRAM_BYTES))
    }

    /// Returns whether this many more bytes fit within the limits. If not, building must end now.
    pub fn fits(&self, bytes: u64) -> bool {
        let limit = [self.limits.memory, self.limits.most_resident()].into_iter().flatten().min();
        if limit.is_some_and(|limit| bytes > limit.saturating_sub(self.limits.resident.map_or(0, |_| resident()))) {
            let _ = self.ended.set(Limit::Memory);
        }
        !self.should_stop()
    }

    /// Returns the limit that ended building, if one did.
    #[must_use]
    pub fn ended(&self) -> Option<Limit> {
        self.ended.get().copied()
    }

    /// Sends a message for the user.
    pub fn note(&self, message: &str) {
        if let Some(observer) = &self.observer {
            observer.note(message);
        }
    }

    /// Reports progress.
    pub fn progress(&self, progress: &Progress) {
        if let Some(observer) = &self.observer {
            observer.progress(progress);
        }
    }
}

/// A receiver of messages and progress while a state space is built.
pub trait Observer: Send + Sync {
    /// Receives a message for the user.
    fn note(&self, message: &str);

    /// Receives progress.
    fn progress(&self, progress: &Progress);
}

/// The progress of a long task.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The name of the task.
    pub what: String,
    /// The amount of work done.
    pub done: u64,
    /// The total amount of work; it may grow.
    pub total: u64,
}
