//! When all threads share the work of a graph search.

use std::time::{Duration, Instant};

/// The number of expansions after which the time of the rounds is looked at first.
const FIRST: u64 = 64;

/// The mean time of a round from which on threads may share it.
const WORTH_THREADS: Duration = Duration::from_micros(20);

/// The time that threads need to begin, and the time that work must be likely to take one of them to be shared.
const BEGINNING: Duration = Duration::from_micros(5);
const WORTH_SHARING: Duration = Duration::from_micros(30);

/// A step of a round.
#[derive(Clone, Copy)]
pub(super) enum Work {
    Expand,
    Evaluate,
    Describe,
}

/// Whether threads share the work. It has no influence on the results, so it may depend on the clock.
pub(super) struct Sharing {
    threads: u32,
    is_on: bool,
    /// The number of expansions after which the rounds since the last look are judged.
    due: u64,
    rounds: u32,
    since: Instant,
    /// By [`Work`], the time for a state on one thread: an average in which the last ones have the most weight.
    each: [Duration; 3],
}

impl Sharing {
    /// Returns the state at the start of a search with this many threads; with one, nothing is shared.
    pub fn new(threads: usize) -> Sharing {
        Sharing {
            threads: threads as u32,
            is_on: false,
            due: if threads > 1 { FIRST } else { u64::MAX },
            rounds: 0,
            since: Instant::now(),
            each: [WORTH_SHARING; 3],
        }
    }

    /// Counts a round; returns whether threads may share the work of all following ones. `expanded` is the number of
    /// expansions.
    #[inline]
    pub fn begins(&mut self, expanded: u64) -> bool {
        self.rounds += 1;
        expanded >= self.due && self.judge()
    }

    #[cold]
    fn judge(&mut self) -> bool {
        let now = Instant::now();
        self.is_on = now - self.since >= WORTH_THREADS * self.rounds;
        self.due = if self.is_on { u64::MAX } else { 2 * self.due };
        (self.rounds, self.since) = (0, now);
        self.is_on
    }

    /// Runs `run`, which works on this number of states, with whether threads share the work.
    #[inline]
    pub fn measure<R>(&mut self, work: Work, states: usize, run: impl FnOnce(bool) -> R) -> R {
        if !self.is_on || states == 0 {
            return run(false);
        }
        let each = &mut self.each[work as usize];
        let states = u32::try_from(states).unwrap_or(u32::MAX);
        let is_shared = states > 1 && *each * states >= WORTH_SHARING;
        let begun = Instant::now();
        let result = run(is_shared);
        let took = match is_shared {
            true => begun.elapsed().saturating_sub(BEGINNING) * self.threads.min(states),
            false => begun.elapsed(),
        };
        *each = (*each * 7 + took / states) / 8;
        result
    }
}
