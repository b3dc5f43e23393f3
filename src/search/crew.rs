//! The threads that work for one search: none are started before there is enough for them to do.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// Threads, started when they are first needed.
pub(super) struct Crew {
    threads: usize,
    pool: OnceLock<Option<ThreadPool>>,
}

impl Crew {
    /// As many threads as asked for; otherwise one for each processor.
    pub(super) fn new(threads: Option<NonZero<usize>>) -> Crew {
        let threads = threads.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
        Crew { threads, pool: OnceLock::new() }
    }

    /// How many there are, once they are started.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Does some work that calls for all threads now and then: handing over to them is cheap within it.
    pub(super) fn together<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let start = || ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        // Where the system gives no threads, one does it all.
        match self.pool.get_or_init(|| if self.threads > 1 { start() } else { None }) {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// What `work` makes of each part of some items, in the order of the parts; within [`Crew::together`] all threads
/// take their share.
pub(super) fn map_parts<T: Sync, R: Send>(items: &[T], part: usize, work: impl Fn(&[T]) -> R + Sync + Send) -> Vec<R> {
    if rayon::current_thread_index().is_some() && items.len() > part {
        items.par_chunks(part).map(work).collect()
    } else {
        items.chunks(part).map(work).collect()
    }
}

/// What `work` makes of each item and its number, in the order of the items; shared out likewise.
pub(super) fn map_each<T: Send, R: Send>(items: &mut [T], work: impl Fn(usize, &mut T) -> R + Sync + Send) -> Vec<R> {
    if rayon::current_thread_index().is_some() && items.len() > 1 {
        items.par_iter_mut().enumerate().map(|(number, item)| work(number, item)).collect()
    } else {
        items.iter_mut().enumerate().map(|(number, item)| work(number, item)).collect()
    }
}
