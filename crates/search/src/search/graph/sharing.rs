//! When all threads share the rounds of a graph search.

use std::time::{Duration, Instant};

/// The number of expansions after which the time of the rounds is looked at first.
const FIRST: u64 = 64;

/// Handing a round over takes some microseconds.
const WORTH_SHARING: Duration = Duration::from_micros(20);

/// Whether threads share the rounds. It has no influence on the results, so it may depend on the clock.
pub(super) struct Sharing {
    is_on: bool,
    /// The number of expansions after which the rounds since the last look are judged.
    due: u64,
    rounds: u32,
    since: Instant,
}

impl Sharing {
    /// Returns the state at the start of a search, whose threads can share rounds or not.
    pub fn new(is_possible: bool) -> Sharing {
        Sharing { is_on: false, due: if is_possible { FIRST } else { u64::MAX }, rounds: 0, since: Instant::now() }
    }

    /// Returns whether threads share the rounds.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Counts a round; returns whether threads are to share all following ones. `expanded` is the number of expansions.
    #[inline]
    pub fn begins(&mut self, expanded: u64) -> bool {
        self.rounds += 1;
        expanded >= self.due && self.judge()
    }

    #[cold]
    fn judge(&mut self) -> bool {
        let now = Instant::now();
        self.is_on = now - self.since >= WORTH_SHARING * self.rounds;
        self.due = if self.is_on { u64::MAX } else { 2 * self.due };
        (self.rounds, self.since) = (0, now);
        self.is_on
    }
}
