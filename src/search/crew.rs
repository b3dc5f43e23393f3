//! The threads that work for one search: none are started before there is enough for them to do.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// Threads, started when they are first needed.
pub(crate) struct Crew {
    asked: Option<NonZero<usize>>,
    pool: OnceLock<Option<ThreadPool>>,
}

impl Crew {
    /// As many threads as asked for; otherwise one for each processor.
    pub(crate) fn new(asked: Option<NonZero<usize>>) -> Crew {
        Crew { asked, pool: OnceLock::new() }
    }

    /// Does some work that calls for all threads now and then: handing over to them is cheap within it.
    pub(crate) fn together<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self.pool.get_or_init(|| self.start()) {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// None where the system gives no more. One thread is a crew, too: work that is shared out without one goes to all
    /// processors.
    fn start(&self) -> Option<ThreadPool> {
        let threads = self.asked.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
        ThreadPoolBuilder::new().num_threads(threads).build().ok()
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

/// What `work` makes of equal shares of some items, given with the number of the first, in order; shared out likewise,
/// one share for each thread.
pub(super) fn map_shares<T: Send, R: Send>(
    items: &mut [T],
    work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    if rayon::current_thread_index().is_some() && items.len() > 1 {
        let share = items.len().div_ceil(rayon::current_num_threads());
        items.par_chunks_mut(share).enumerate().map(|(number, items)| work(number * share, items)).collect()
    } else {
        vec![work(0, items)]
    }
}
