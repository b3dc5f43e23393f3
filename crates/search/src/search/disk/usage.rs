//! The disk space that the files of an exploration occupy, and its limit.

use super::{Abort, StepResult};
use crate::search::Limit;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes in files. A file counts until it is removed.
pub(in crate::search) struct Usage {
    used: AtomicU64,
    limit: u64,
    /// The limit to report when it is reached.
    of: Limit,
}

impl Usage {
    pub fn new(used: u64, limit: Option<u64>, of: Limit) -> Usage {
        Usage { used: AtomicU64::new(used), limit: limit.unwrap_or(u64::MAX), of }
    }

    /// Adds bytes that are about to be written.
    ///
    /// # Errors
    /// The limit, if it would be exceeded: then the bytes do not count.
    pub fn reserve(&self, bytes: u64) -> StepResult<()> {
        if self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > self.limit {
            self.release(bytes);
            return Err(Abort::Limit(self.of));
        }
        Ok(())
    }

    /// Subtracts bytes of removed files.
    pub fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns whether more than half of the limit is in use.
    pub fn is_tight(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.limit / 2
    }
}
