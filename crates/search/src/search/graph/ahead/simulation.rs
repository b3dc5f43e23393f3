//! A simulation of A* on more processors than there are: the search runs on one thread, and counts the work of each of
//! many.
//!
//! Each expansion that threads would compute ahead is one unit of work, and a thread that is free takes the next state.
//! So the counts are those of threads that all run equally fast, whatever machine counts them.

use parking_lot::Mutex;
use std::num::NonZero;
use std::time::Duration;

/// Counts for a search by [`Limits::simulation`](crate::search::Limits::simulation) how its expansions would spread
/// over threads.
#[derive(Debug)]
pub struct Simulation {
    threads: NonZero<usize>,
    counted: Mutex<Spread>,
}

/// The distribution of expansions over threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// The number of times that threads computed expansions while the search waited.
    pub batches: u64,
    /// The expansions that threads computed.
    pub computed: u64,
    /// Those of them that the search took.
    pub taken: u64,
    /// For each batch the number of expansions of the thread that computed the most, added up.
    pub longest: u64,
    /// The expansions that the search computed itself, while all other threads waited.
    pub alone: u64,
    /// The time of all expansions that threads computed, on one thread.
    pub time: Duration,
}

impl Simulation {
    /// Returns a simulation of this many threads.
    #[must_use]
    pub fn new(threads: NonZero<usize>) -> Simulation {
        Simulation { threads, counted: Mutex::default() }
    }

    /// Returns what was counted so far.
    #[must_use]
    pub fn spread(&self) -> Spread {
        *self.counted.lock()
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.get()
    }

    pub(super) fn take(&self) {
        self.counted.lock().taken += 1;
    }

    pub(super) fn expand_alone(&self) {
        self.counted.lock().alone += 1;
    }

    /// Runs the tasks of a batch. `run` takes a task and a maximum number of expansions to compute, and returns how
    /// many it computed. A thread begins no further task after `longest`.
    pub(super) fn run(&self, tasks: usize, longest: Duration, mut run: impl FnMut(usize, usize) -> usize) {
        let mut counted = self.counted.lock();
        let each = counted.time.checked_div(counted.computed as u32).unwrap_or_default();
        let most = longest.as_nanos().checked_div(each.as_nanos()).map_or(usize::MAX, |most| most as usize + 1);
        let begun = std::time::Instant::now();
        let mut done = vec![0; self.threads()];
        for task in 0..tasks {
            let first_free = done.iter_mut().min().expect("there is a thread");
            if *first_free < most {
                *first_free += run(task, most - *first_free);
            }
        }
        counted.batches += 1;
        counted.computed += done.iter().sum::<usize>() as u64;
        counted.longest += done.into_iter().max().unwrap_or_default() as u64;
        counted.time += begun.elapsed();
    }
}
