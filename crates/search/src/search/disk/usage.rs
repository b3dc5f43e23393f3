//! The room that the files of an exploration take, and may take.

use super::{Step, Stop};
use crate::search::Limit;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes in files. Every file counts as long as it lies there.
pub(in crate::search) struct Usage {
    used: AtomicU64,
    limit: u64,
    /// What there is too little of where it is reached.
    of: Limit,
}

impl Usage {
    pub fn new(used: u64, limit: Option<u64>, of: Limit) -> Usage {
        Usage { used: AtomicU64::new(used), limit: limit.unwrap_or(u64::MAX), of }
    }

    /// So many bytes are about to be written.
    ///
    /// # Errors
    /// That they may not: then they do not count.
    pub fn take(&self, bytes: u64) -> Step<()> {
        if self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > self.limit {
            self.give_back(bytes);
            return Err(Stop::Limit(self.of));
        }
        Ok(())
    }

    /// So many bytes are no more.
    pub fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether less is left than is used.
    pub fn is_tight(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.limit / 2
    }
}
