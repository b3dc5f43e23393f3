//! The limits of estimating, asked now and then by whoever works on it, and told how far that is.

use crate::search::gauge::Gauge;
use crate::search::limits::{Limit, Limits, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Looks at the limits of a part of the work, for all threads.
#[derive(Default)]
pub(super) struct Lookout {
    stop: Stop,
    gauge: Option<Arc<Gauge>>,
    expanded: AtomicU64,
}

impl Lookout {
    /// A part of the work begins, with as much time as any other part.
    pub fn new(limits: &Limits, doing: &'static str) -> Lookout {
        limits.begin(doing, None, 0);
        Lookout { stop: limits.stop(), gauge: limits.gauge.clone(), expanded: AtomicU64::new(0) }
    }

    /// So many states more were expanded; why to stop now, if so.
    pub fn look(&self, more: u64) -> Option<Limit> {
        let expanded = self.expanded.fetch_add(more, Ordering::Relaxed) + more;
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, 0);
        }
        self.stop.soon()
    }
}
