//! A transposition table (closed list of bounded length): it forgets some states if it has no space for all. Forgotten
//! states are searched again, so answers stay correct.
//!
//! A state has a bucket of four slots, selected by its hash. If all are occupied, an entry of an earlier iteration is
//! replaced; if there is none, the entry with the greatest g, which has the least work below it (on replacement schemes
//! see Breuker, Uiterwijk and van den Herik 1994).

use super::key_set::{FILL_CHUNK, hash, split};
use super::limits::Limit;
use std::hash::Hash;

/// Slots in the bucket of a state.
const BUCKET_SLOTS: usize = 4;

/// States with the least g at which they were reached, in one iteration.
pub(super) struct TranspositionTable<K, C> {
    slots: Vec<Option<Entry<K, C>>>,
    /// The number of occupied slots.
    pub len: usize,
    iteration: u32,
    /// The number of states inserted in this iteration.
    pub inserted: usize,
    /// True if one of them has been replaced since.
    has_forgotten: bool,
}

struct Entry<K, C> {
    key: K,
    iteration: u32,
    g: C,
}

impl<K: Eq + Hash, C: Copy + Ord> TranspositionTable<K, C> {
    /// Returns the bytes of a table of `length` states.
    pub fn bytes_for(length: usize) -> u64 {
        (length as u64).saturating_mul(size_of::<Option<Entry<K, C>>>() as u64)
    }

    /// Creates an empty table of at most `length` states, at least one. Filling a large one takes seconds, so it calls
    /// `may_go_on` in between.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(length: usize, mut may_go_on: impl FnMut() -> Result<(), Limit>) -> Result<Self, Limit> {
        let length = if length < BUCKET_SLOTS { 1 } else { length / BUCKET_SLOTS * BUCKET_SLOTS };
        let mut slots = Vec::with_capacity(length);
        while slots.len() < length {
            may_go_on()?;
            slots.resize_with(length.min(slots.len() + FILL_CHUNK), || None);
        }
        Ok(TranspositionTable { slots, len: 0, iteration: 0, inserted: 0, has_forgotten: false })
    }

    /// Begins an iteration.
    pub fn begin_iteration(&mut self) {
        (self.iteration, self.inserted, self.has_forgotten) = (self.iteration + 1, 0, false);
    }

    /// Returns whether the table knows that a state was reached in this iteration with at most this g.
    #[inline]
    pub fn covers(&self, key: &K, g: C) -> bool {
        self.find(key).is_some_and(|known| known.g <= g)
    }

    /// Returns the states reached in this iteration, if none of them was forgotten.
    pub fn all(&self) -> Option<impl Iterator<Item = &K>> {
        let met = self.slots.iter().flatten().filter(|entry| entry.iteration == self.iteration);
        (!self.has_forgotten).then(|| met.map(|entry| &entry.key))
    }

    /// Returns whether the table knows that a state was reached in this iteration.
    pub fn contains(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    /// Inserts a state that was reached.
    pub fn insert(&mut self, key: K, g: C) {
        let slots = self.bucket_of(&key);
        let priority = |entry: &Option<Entry<K, C>>| match entry {
            Some(known) if known.key == key => (3, None),
            None => (2, None),
            Some(known) if known.iteration != self.iteration => (1, None),
            Some(known) => (0, Some(known.g)),
        };
        let slot = slots.max_by_key(|&slot| priority(&self.slots[slot])).expect("every bucket has a slot");
        let before = self.slots[slot].replace(Entry { key, iteration: self.iteration, g });
        self.len += usize::from(before.is_none());
        let (was_here, is_other) = before.map_or((false, true), |before| {
            (before.iteration == self.iteration, self.slots[slot].as_ref().is_none_or(|now| now.key != before.key))
        });
        self.inserted += usize::from(!was_here || is_other);
        self.has_forgotten |= was_here && is_other;
    }

    fn find(&self, key: &K) -> Option<&Entry<K, C>> {
        let mut slots = self.slots[self.bucket_of(key)].iter().flatten();
        slots.find(|known| known.iteration == self.iteration && known.key == *key)
    }

    fn bucket_of(&self, key: &K) -> std::ops::Range<usize> {
        let bucket_slots = BUCKET_SLOTS.min(self.slots.len());
        let first = split(hash(key), self.slots.len() / bucket_slots).0 * bucket_slots;
        first..first + bucket_slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_never_claims_a_state_that_was_not_inserted_and_keeps_to_its_length() {
        for length in [1, 3, 4, 10, 64, 1000] {
            let mut list = TranspositionTable::<u64, u32>::new(length, || Ok(())).expect("nothing ends it");
            for _ in 0..4 {
                list.begin_iteration();
                let mut inserted_keys = std::collections::HashMap::new();
                for number in 0..250_u64 {
                    let (key, g) = (number * number % 97, (number * 7 % 31) as u32);
                    if !list.covers(&key, g) {
                        list.insert(key, g);
                        let least = inserted_keys.entry(key).or_insert(g);
                        *least = g.min(*least);
                    }
                    assert!(list.covers(&key, g), "the last inserted state is present");
                    for key in 0..97 {
                        let claimed = (0..31).find(|&g| list.covers(&key, g));
                        let known = inserted_keys.get(&key).copied();
                        assert!(claimed.is_none_or(|claimed| known.is_some_and(|known| known <= claimed)));
                    }
                }
                let all: Option<std::collections::HashSet<u64>> = list.all().map(|all| all.copied().collect());
                assert!(
                    all.is_none_or(|all| all == inserted_keys.keys().copied().collect() && list.inserted == all.len())
                );
                assert!(list.all().is_some() || length < 97, "a table with space for all states forgets none");
            }
            assert!(list.len <= length, "{} states where {length} are allowed", list.len);
        }
    }

    #[test]
    fn entries_of_earlier_iterations_and_then_of_greatest_g_are_replaced_first() {
        let mut list = TranspositionTable::<u64, u32>::new(4, || Ok(())).expect("nothing ends it");
        (1..=4).for_each(|key| list.insert(key, key as u32));
        list.insert(5, 9);
        assert!(!list.covers(&4, 9), "it had the greatest g");
        assert!((1..=3).all(|key| list.covers(&key, 9)));
        list.begin_iteration();
        [(6, 9), (7, 9), (8, 9), (9, 1)].into_iter().for_each(|(key, g)| list.insert(key, g));
        assert!((6..=9).all(|key| list.covers(&key, 9)), "all others were of the previous iteration");
    }
}
