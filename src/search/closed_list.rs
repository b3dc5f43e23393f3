//! A closed list of bounded length: a transposition table, which forgets some states where it has no room for all. What
//! it forgets is searched again; what it says is true.
//!
//! A state has four places, told by its hash. Where all are taken, the state gives way that was met in an earlier round,
//! and if there is none, the one that the most was spent on: below it lies the least work (for replacement schemes see
//! Breuker, Uiterwijk and van den Herik 1994).

use super::key_set::{hash, split};
use std::hash::Hash;

/// The places that a state may take.
const WAYS: usize = 4;

/// States with the least that was spent on getting there, in a round.
pub(super) struct ClosedList<K, C> {
    places: Vec<Option<Closed<K, C>>>,
    /// How many are taken.
    pub len: usize,
}

struct Closed<K, C> {
    key: K,
    round: u32,
    spent: C,
}

impl<K: Eq + Hash, C: Copy + Ord> ClosedList<K, C> {
    /// Bytes that a list of so many states takes.
    pub fn bytes_for(length: usize) -> u64 {
        (length as u64).saturating_mul(size_of::<Option<Closed<K, C>>>() as u64)
    }

    /// An empty list of at most so many states, at least one.
    pub fn new(length: usize) -> Self {
        let length = if length < WAYS { 1 } else { length / WAYS * WAYS };
        ClosedList { places: std::iter::repeat_with(|| None).take(length).collect(), len: 0 }
    }

    /// Whether a state is known to have been met in this round, with no more spent.
    #[inline]
    pub fn covers(&self, key: &K, round: u32, spent: C) -> bool {
        let places = &self.places[self.places_of(key)];
        places.iter().flatten().any(|known| known.round == round && known.spent <= spent && known.key == *key)
    }

    /// Notes that a state is met.
    pub fn insert(&mut self, key: K, round: u32, spent: C) {
        let places = self.places_of(&key);
        let gives_way = |closed: &Option<Closed<K, C>>| match closed {
            Some(known) if known.key == key => (3, None),
            None => (2, None),
            Some(known) if known.round != round => (1, None),
            Some(known) => (0, Some(known.spent)),
        };
        let place = places.max_by_key(|&place| gives_way(&self.places[place])).expect("a state has a place");
        self.len += usize::from(self.places[place].is_none());
        self.places[place] = Some(Closed { key, round, spent });
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
        for length in [1, 3, 4, 10, 64] {
            let mut list = ClosedList::<u64, u32>::new(length);
            let mut said = std::collections::HashMap::new();
            for number in 0..1000_u64 {
                let (key, spent, round) = (number * number % 97, (number * 7 % 31) as u32, (number / 250) as u32);
                if !list.covers(&key, round, spent) {
                    list.insert(key, round, spent);
                    let least = said.entry((key, round)).or_insert(spent);
                    *least = spent.min(*least);
                }
                assert!(list.covers(&key, round, spent), "what was said last is there");
                for key in 0..97 {
                    let known = said.get(&(key, round)).copied();
                    let claimed = (0..31).find(|&spent| list.covers(&key, round, spent));
                    assert!(claimed.is_none_or(|claimed| known.is_some_and(|known| known <= claimed)));
                }
            }
            assert!(list.len <= length, "{} states where {length} are allowed", list.len);
        }
    }

    #[test]
    fn what_took_the_most_to_get_to_gives_way_first_and_earlier_rounds_before() {
        let mut list = ClosedList::<u64, u32>::new(4);
        (1..=4).for_each(|key| list.insert(key, 0, key as u32));
        list.insert(5, 0, 9);
        assert!(!list.covers(&4, 0, 9), "it had the most spent");
        assert!((1..=3).all(|key| list.covers(&key, 0, 9)));
        list.insert(6, 1, 9);
        list.insert(7, 1, 9);
        list.insert(8, 1, 9);
        list.insert(9, 1, 1);
        assert!((6..=9).all(|key| list.covers(&key, 1, 9)), "all others were of the round before");
    }
}
