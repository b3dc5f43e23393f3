//! The threads that work for one search: none are started before there is enough for them to do.

use parking_lot::Mutex;
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
        let mut work = Some(work);
        let mut result = None;
        self.install(&mut || result = work.take().map(|work| work()));
        result.expect("work is done once")
    }

    fn install(&self, work: &mut (dyn FnMut() + Send)) {
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
pub(super) fn map_parts<T: Sync, R: Send>(items: &[T], part: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() || items.len() <= part {
        return items.chunks(part).map(work).collect();
    }
    let parts: Vec<Mutex<(&[T], Option<R>)>> = items.chunks(part).map(|part| Mutex::new((part, None))).collect();
    share_out(parts.len(), &|number| {
        let (part, result) = &mut *parts[number].lock();
        *result = Some(work(part));
    });
    parts.into_iter().map(|part| part.into_inner().1.expect("every part is worked on")).collect()
}

/// What `work` makes of equal shares of some items, given with the number of the first, in order; shared out likewise,
/// one share for each thread.
pub(super) fn map_shares<T: Send, R: Send>(items: &mut [T], work: impl Fn(usize, &mut [T]) -> R + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() || items.len() <= 1 {
        return vec![work(0, items)];
    }
    let share = items.len().div_ceil(rayon::current_num_threads());
    let shares = items.chunks_mut(share).map(|share| Mutex::new((share, None)));
    let shares: Vec<Mutex<(&mut [T], Option<R>)>> = shares.collect();
    share_out(shares.len(), &|number| {
        let (items, result) = &mut *shares[number].lock();
        *result = Some(work(number * share, items));
    });
    shares.into_iter().map(|share| share.into_inner().1.expect("every share is worked on")).collect()
}

/// Does so many tasks, by number. That tasks and results are behind references and locks costs little beside a task;
/// the machinery of threads is compiled once, and not for each space that is searched.
fn share_out(tasks: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().with_max_len(1).for_each(work);
}
