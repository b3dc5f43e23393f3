//! The early end of an exploration, for all threads of a process: the first cause counts.

use crate::search::disk::{Abort, DiskError};
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The cause of an early end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub abort: Abort,
    /// The process that reported it, if it was another one.
    pub reported_by: Option<usize>,
}

/// The flag that ends the exploration, with its cause.
#[derive(Default)]
pub(super) struct Halt {
    is_set: AtomicBool,
    cause: Mutex<Option<Cause>>,
    changed: Condvar,
}

impl Halt {
    /// Ends the exploration; keeps an earlier cause if there is one.
    pub fn set(&self, abort: Abort, reported_by: Option<usize>) {
        self.cause.lock().get_or_insert(Cause { abort, reported_by });
        self.is_set.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Acquire)
    }

    pub fn cause(&self) -> Option<Cause> {
        self.cause.lock().clone()
    }

    /// Returns the cause; a generic one if none was recorded.
    pub fn reason(&self) -> Abort {
        self.cause().map_or_else(
            || {
                Abort::Error(DiskError {
                    message: "the exploration ended before this part of it was done".to_owned(),
                    help: "start the same command again".to_owned(),
                })
            },
            |cause| cause.abort,
        )
    }

    /// Waits until a condition holds, the exploration ends, or the time is up; returns whether the condition holds. The
    /// condition is evaluated again after each notification.
    pub fn wait_until(&self, patience: Duration, is_so: impl Fn() -> bool) -> bool {
        let end = Instant::now() + patience;
        let mut cause = self.cause.lock();
        loop {
            if is_so() {
                return true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if cause.is_some() || left.is_zero() {
                return false;
            }
            self.changed.wait_for(&mut cause, left);
        }
    }

    /// Notifies waiting threads that a condition may have changed.
    pub fn notify(&self) {
        // A thread about to wait holds this lock until it waits.
        drop(self.cause.lock());
        self.changed.notify_all();
    }
}

/// A guard for a running worker: when it is dropped, on return or panic, nobody waits for the worker any more.
pub(super) struct WorkerGuard<'a> {
    pub halt: &'a Halt,
    /// The number of running workers.
    pub working: &'a AtomicUsize,
}

impl Drop for WorkerGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.halt.set(self.halt.reason(), None);
        }
        self.working.fetch_sub(1, Ordering::AcqRel);
        self.halt.notify();
    }
}
