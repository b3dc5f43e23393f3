//! The thread pool of one search, which starts its threads only when there is enough work for them.

use parking_lot::Mutex;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder, Yield};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

/// A thread pool that starts its threads on first use.
pub struct LazyPool {
    requested: Option<NonZero<usize>>,
    pool: OnceLock<Option<ThreadPool>>,
}

impl LazyPool {
    /// Returns a pool of `requested` threads; by default one for each processor.
    pub fn new(requested: Option<NonZero<usize>>) -> LazyPool {
        LazyPool { requested, pool: OnceLock::new() }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.requested.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get)
    }

    /// Runs work on the pool; parallel sections within it then use all threads at little cost. One caller at a time: a thread
    /// that waits for its own work may otherwise stay ready for the other caller's.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let mut work = Some(work);
        let mut result = None;
        self.install(&mut || result = work.take().map(|work| work()));
        result.expect("`install` runs the work exactly once")
    }

    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        match self.pool.get_or_init(|| self.start()) {
            // A thread of another pool would meanwhile run other tasks of that pool, which may need a lock that this
            // task holds. So another thread waits in its place.
            Some(pool) if rayon::current_thread_index().is_some() && pool.current_thread_index().is_none() => {
                thread::scope(|scope| scope.spawn(|| pool.install(work)).join())
                    .unwrap_or_else(|panic| resume_unwind(panic));
            }
            Some(_) if rayon::current_thread_index().is_some() => work(),
            Some(pool) => pool.install(|| run_with_ready_threads(work)),
            None => work(),
        }
    }

    /// Returns none if the system provides no more threads. One thread still makes a pool: without one, parallel work
    /// would use rayon's global pool, with all processors.
    fn start(&self) -> Option<ThreadPool> {
        ThreadPoolBuilder::new().num_threads(self.threads()).build().ok()
    }
}

/// How long a thread without work looks for some before it naps, and how long it naps: first, and then at most.
const READY: Duration = Duration::from_micros(200);
const NAP: Duration = Duration::from_micros(100);
const MOST_NAP: Duration = Duration::from_millis(1);

/// Runs work on a thread of a pool. Between its parallel sections the other threads stay ready: to wake one takes some 50
/// microseconds, as long as dozens of expansions.
fn run_with_ready_threads(work: &mut (dyn FnMut() + Send)) {
    let own = rayon::current_thread_index();
    let has_ended = AtomicBool::new(false);
    rayon::scope(|scope| {
        scope.spawn_broadcast(|_, thread| {
            if Some(thread.index()) != own {
                stay_ready(&has_ended);
            }
        });
        let _end = SetOnDrop(&has_ended);
        work();
    });
}

/// Runs tasks of the pool as they come, until the flag is set.
fn stay_ready(has_ended: &AtomicBool) {
    let (mut idle_since, mut nap) = (Instant::now(), NAP);
    while !has_ended.load(Ordering::Relaxed) {
        match rayon::yield_now() {
            Some(Yield::Executed) => (idle_since, nap) = (Instant::now(), NAP),
            _ if idle_since.elapsed() < READY => thread::yield_now(),
            _ => {
                // The pool takes this thread for busy, so nothing wakes it: it has to look again by itself.
                thread::sleep(nap);
                nap = (2 * nap).min(MOST_NAP);
            }
        }
    }
}

/// Sets a flag when it is dropped, also by a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Applies `work` to each chunk of some items and returns the results in order; within [`LazyPool::run`], on all
/// threads.
pub(super) fn map_parts<T: Sync, R: Send>(items: &[T], part: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() || items.len() <= part {
        return items.chunks(part).map(work).collect();
    }
    let parts: Vec<Mutex<(&[T], Option<R>)>> = items.chunks(part).map(|part| Mutex::new((part, None))).collect();
    run_tasks(parts.len(), &|number| {
        let (part, result) = &mut *parts[number].lock();
        *result = Some(work(part));
    });
    parts.into_iter().map(|part| part.into_inner().1.expect("`work` has run for every part")).collect()
}

/// The number of parts for each thread, so that none waits long for the last.
const PARTS_PER_THREAD: usize = 8;

/// Returns the length of the parts into which this number of items is divided for the threads of the current pool.
pub(super) fn part_for_threads(items: usize) -> usize {
    items.div_ceil(PARTS_PER_THREAD * rayon::current_num_threads()).max(1)
}

/// Applies `work` to equal shares of some items, one for each thread, with the number of the first item; returns the
/// results in order. Runs in parallel as [`map_parts`] does.
pub(super) fn map_shares<T: Send, R: Send>(items: &mut [T], work: impl Fn(usize, &mut [T]) -> R + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() || items.len() <= 1 {
        return vec![work(0, items)];
    }
    let share = items.len().div_ceil(rayon::current_num_threads());
    let shares = items.chunks_mut(share).map(|share| Mutex::new((share, None)));
    let shares: Vec<Mutex<(&mut [T], Option<R>)>> = shares.collect();
    run_tasks(shares.len(), &|number| {
        let (items, result) = &mut *shares[number].lock();
        *result = Some(work(number * share, items));
    });
    shares.into_iter().map(|share| share.into_inner().1.expect("`work` has run for every share")).collect()
}

/// Runs tasks by number, in parallel. References and locks around tasks and results cost little compared with a task,
/// and the parallel code is compiled once, not for each space.
pub(super) fn run_tasks(tasks: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().with_max_len(1).for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn pool() -> LazyPool {
        LazyPool::new(NonZero::new(3))
    }

    #[test]
    fn threads_that_napped_take_their_part() {
        let ran_on = pool().run(|| {
            // Longer than they stay ready.
            let begun = Instant::now();
            while begun.elapsed() < 5 * READY {}
            let numbers: Vec<usize> = (0..64).collect();
            map_parts(&numbers, 1, |_| {
                let begun = Instant::now();
                while begun.elapsed() < NAP {}
                rayon::current_thread_index()
            })
        });
        assert_eq!(ran_on.len(), 64);
        assert!(ran_on.iter().any(|thread| *thread != ran_on[0]), "one thread did everything");
    }

    #[test]
    fn work_within_work_runs_and_a_panic_in_it_reaches_the_caller() {
        let pool = pool();
        assert_eq!(pool.run(|| pool.run(|| 5)), 5);
        let ended = catch_unwind(AssertUnwindSafe(|| pool.run(|| pool.run(|| panic!("the work fails")))));
        assert!(ended.is_err());
        assert_eq!(pool.run(|| 7), 7, "the pool works on after a panic");
    }
}
