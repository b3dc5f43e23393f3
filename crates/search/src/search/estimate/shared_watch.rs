//! The limits of an estimation phase, checked by all its threads, with its progress.

use crate::search::gauge::Gauge;
use crate::search::limits::{Limit, Limits, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Checks the limits of one phase, for all threads.
#[derive(Default)]
pub(super) struct SharedWatch {
    stop: Stop,
    gauge: Option<Arc<Gauge>>,
    expanded: AtomicU64,
}

impl SharedWatch {
    /// Begins a phase within these limits.
    pub fn new(limits: &Limits, doing: &'static str) -> SharedWatch {
        limits.begin(doing, None, 0);
        SharedWatch { stop: limits.stop(), gauge: limits.gauge.clone(), expanded: AtomicU64::new(0) }
    }

    /// Adds expanded states to the progress; returns the limit that stops the phase now, if any.
    pub fn check(&self, more: u64) -> Option<Limit> {
        let expanded = self.expanded.fetch_add(more, Ordering::Relaxed) + more;
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, 0);
        }
        self.stop.check_cheap()
    }
}
