//! A transposition table (closed list of bounded length): it forgets some states if it has no space for all. Forgotten
//! states are searched again, so answers stay correct.
//!
//! A state has a bucket of four slots, selected by its hash. If all are occupied, an entry of an earlier iteration is
//! replaced; if there is none, the entry with the greatest g, which has the least work below it (on replacement schemes
//! see Breuker, Uiterwijk and van den Herik 1994).

use super::key_set::{hash, split};
use std::hash::Hash;

/// Slots in the bucket of a state.
const WAYS: usize = 4;

/// States with the least g at which they were reached, in one iteration.
pub(super) struct ClosedList<K, C> {
    places: Vec<Option<Closed<K, C>>>,
    /// The number of occupied slots.
    pub len: usize,
    round: u32,
    /// The number of states inserted in this iteration.
    pub noted: usize,
    /// True if one of them has been replaced since.
    forgot: bool,
}

struct Closed<K, C> {
    key: K,
    round: u32,
    spent: C,
}

impl<K: Eq + Hash, C: Copy + Ord> ClosedList<K, C> {
    /// Returns the bytes of a table of `length` states.
    pub fn bytes_for(length: usize) -> u64 {
        (length as u64).saturating_mul(size_of::<Option<Closed<K, C>>>() as u64)
    }

    /// Creates an empty table of at most `length` states, at least one.
    pub fn new(length: usize) -> Self {
        let length = if length < WAYS { 1 } else { length / WAYS * WAYS };
        ClosedList {
            places: std::iter::repeat_with(|| None).take(length).collect(),
            len: 0,
            round: 0,
            noted: 0,
            forgot: false,
        }
    }

    /// Begins an iteration.
    pub fn begin_round(&mut self) {
        (self.round, self.noted, self.forgot) = (self.round + 1, 0, false);
    }

    /// Returns whether the table knows that a state was reached in this iteration with at most this g.
    #[inline]
    pub fn covers(&self, key: &K, spent: C) -> bool {
        self.find(key).is_some_and(|known| known.spent <= spent)
    }

    /// Returns the states reached in this iteration, if none of them was forgotten.
    pub fn all(&self) -> Option<impl Iterator<Item = &K>> {
        let met = self.places.iter().flatten().filter(|closed| closed.round == self.round);
        (!self.forgot).then(|| met.map(|closed| &closed.key))
    }

    /// Returns whether the table knows that a state was reached in this iteration.
    pub fn has(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    /// Inserts a state that was reached.
    pub fn insert(&mut self, key: K, spent: C) {
        let places = self.places_of(&key);
        let gives_way = |closed: &Option<Closed<K, C>>| match closed {
            Some(known) if known.key == key => (3, None),
            None => (2, None),
            Some(known) if known.round != self.round => (1, None),
            Some(known) => (0, Some(known.spent)),
        };
        let place = places.max_by_key(|&place| gives_way(&self.places[place])).expect("every bucket has a slot");
        let before = self.places[place].replace(Closed { key, round: self.round, spent });
        self.len += usize::from(before.is_none());
        let (was_here, is_other) = before.map_or((false, true), |before| {
            (before.round == self.round, self.places[place].as_ref().is_none_or(|now| now.key != before.key))
        });
        self.noted += usize::from(!was_here || is_other);
        self.forgot |= was_here && is_other;
    }

    fn find(&self, key: &K) -> Option<&Closed<K, C>> {
        let mut places = self.places[self.places_of(key)].iter().flatten();
        places.find(|known| known.round == self.round && known.key == *key)
    }

    fn places_of(&self, key: &K) -> std::ops::Range<usize> {
        let ways = WAYS.min(self.places.len());
        let first = split(hash(key), self.places.len() / ways).0 * ways;
        first..first + ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_claims_what_was_not_said_and_holds_no_more_than_it_may() {
        for length in [1, 3, 4, 10, 64, 1000] {
            let mut list = ClosedList::<u64, u32>::new(length);
            for _ in 0..4 {
                list.begin_round();
                let mut said = std::collections::HashMap::new();
                for number in 0..250_u64 {
                    let (key, spent) = (number * number % 97, (number * 7 % 31) as u32);
                    if !list.covers(&key, spent) {
                        list.insert(key, spent);
                        let least = said.entry(key).or_insert(spent);
                        *least = spent.min(*least);
                    }
                    assert!(list.covers(&key, spent), "the last inserted state is present");
                    for key in 0..97 {
                        let claimed = (0..31).find(|&spent| list.covers(&key, spent));
                        let known = said.get(&key).copied();
                        assert!(claimed.is_none_or(|claimed| known.is_some_and(|known| known <= claimed)));
                    }
                }
                let all: Option<std::collections::HashSet<u64>> = list.all().map(|all| all.copied().collect());
                assert!(all.is_none_or(|all| all == said.keys().copied().collect() && list.noted == all.len()));
                assert!(list.all().is_some() || length < 97, "a table with space for all states forgets none");
            }
            assert!(list.len <= length, "{} states where {length} are allowed", list.len);
        }
    }

    #[test]
    fn what_took_the_most_to_get_to_gives_way_first_and_earlier_rounds_before() {
        let mut list = ClosedList::<u64, u32>::new(4);
        (1..=4).for_each(|key| list.insert(key, key as u32));
        list.insert(5, 9);
        assert!(!list.covers(&4, 9), "it had the greatest g");
        assert!((1..=3).all(|key| list.covers(&key, 9)));
        list.begin_round();
        [(6, 9), (7, 9), (8, 9), (9, 1)].into_iter().for_each(|(key, spent)| list.insert(key, spent));
        assert!((6..=9).all(|key| list.covers(&key, 9)), "all others were of the previous iteration");
    }
}
