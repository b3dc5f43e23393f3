//! Counts of the states that a search meets, as the threads of a round add to them and read them.
//!
//! Threads that share a round meet its states in any order. So a count that decides what is done with a state stands
//! still within the round: what is added takes effect when the round is [settled](RoundCount::settle). With one state
//! to each round, that is right after the state.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering};

/// A count that stands still within a round.
#[derive(Default)]
pub(super) struct RoundCount {
    settled: AtomicU64,
    added: AtomicU64,
}

impl RoundCount {
    /// Adds to the count, with effect from the next round on.
    pub fn add(&self, more: u64) {
        self.added.fetch_add(more, Ordering::Relaxed);
    }

    /// Returns the count as of the last settled round.
    pub fn get(&self) -> u64 {
        self.settled.load(Ordering::Relaxed)
    }

    /// Puts what was added into effect, and returns it. No thread may use the count meanwhile.
    pub fn settle(&self) -> u64 {
        let added = self.added.swap(0, Ordering::Relaxed);
        self.settled.fetch_add(added, Ordering::Relaxed);
        added
    }
}

/// A count of states, and the size of the last round.
#[derive(Default)]
pub(super) struct StateCount {
    states: RoundCount,
    round: AtomicU64,
}

impl StateCount {
    /// Counts a state.
    pub fn add(&self) {
        self.states.add(1);
    }

    /// Returns the number of states before this round.
    pub fn before(&self) -> u64 {
        self.states.get()
    }

    /// Returns the number that a state takes within the round, from 0: drawn by its hash as if the round were as large
    /// as the last one. So some states can be singled out of a round, whichever comes first.
    pub fn number_in_round(&self, state: &impl Hash) -> u64 {
        match self.round.load(Ordering::Relaxed) {
            ..2 => 0,
            round => ((u128::from(FxBuildHasher.hash_one(state)) * u128::from(round)) >> 64) as u64,
        }
    }

    /// Puts the states of a round into effect. No thread may use the count meanwhile.
    pub fn settle(&self) {
        self.round.store(self.states.settle(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stand_still_within_a_round() {
        let (count, states) = (RoundCount::default(), StateCount::default());
        for round in 0..3 {
            for _ in 0..5 {
                count.add(2);
                states.add();
                assert_eq!((count.get(), states.before()), (10 * round, 5 * round), "within round {round}");
            }
            count.settle();
            states.settle();
        }
        assert_eq!((count.get(), states.before()), (30, 15));
    }

    #[test]
    fn states_of_a_round_have_numbers_that_do_not_depend_on_their_order() {
        let states = StateCount::default();
        let number = |state: u64| states.number_in_round(&state);
        assert_eq!(number(7), 0, "a search that expands one state a round");
        (0..100).for_each(|_| states.add());
        states.settle();
        let numbers: Vec<u64> = (0..100).map(number).collect();
        let again: Vec<u64> = (0..100).rev().map(number).collect();
        assert!(numbers.iter().eq(again.iter().rev()) && numbers.iter().all(|&number| number < 100));
        assert!(numbers.iter().any(|&number| number != numbers[0]), "different states have different numbers");
    }
}
