//! The end of an exploration before its own, for all threads of a process: the first cause is the one that counts.

use crate::search::disk::{DiskError, Stop};
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Why all of it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub stop: Stop,
    /// In another process: who says so.
    pub said_by: Option<usize>,
}

/// Whether all of it is to end, and why.
#[derive(Default)]
pub(super) struct Halt {
    is_set: AtomicBool,
    cause: Mutex<Option<Cause>>,
    changed: Condvar,
}

impl Halt {
    /// Ends all of it, unless something else has done so before.
    pub fn set(&self, stop: Stop, said_by: Option<usize>) {
        self.cause.lock().get_or_insert(Cause { stop, said_by });
        self.is_set.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Acquire)
    }

    pub fn cause(&self) -> Option<Cause> {
        self.cause.lock().clone()
    }

    /// The cause for one who was told by nothing else that all of it ends.
    pub fn stop(&self) -> Stop {
        self.cause().map_or_else(
            || {
                Stop::Trouble(DiskError {
                    message: "the exploration ended before this part of it was done".to_owned(),
                    help: "start the same command again".to_owned(),
                })
            },
            |cause| cause.stop,
        )
    }

    /// Waits until something is so, all of it ends, or time is up; asked anew whenever something may have changed.
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

    /// Something has changed that somebody may wait for.
    pub fn ring(&self) {
        // Who is about to wait holds this until it does.
        drop(self.cause.lock());
        self.changed.notify_all();
    }
}

/// A worker that has not ended yet: whatever it ends by, nobody waits for it after.
pub(super) struct Leaving<'a> {
    pub halt: &'a Halt,
    /// How many work.
    pub working: &'a AtomicUsize,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.halt.set(self.halt.stop(), None);
        }
        self.working.fetch_sub(1, Ordering::AcqRel);
        self.halt.ring();
    }
}
