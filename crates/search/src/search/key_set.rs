//! A set of packed keys for the layers of a breadth-first search: open addressing, in most cases one memory access per
//! lookup, and no memory for anything but keys.
//!
//! Empty slots hold a key that the set always contains, the filler. So no slot needs an occupied flag. Collisions are
//! resolved by linear probing (Peterson 1957). The set is divided into shards by the keys' hashes, and each thread
//! inserts into its own shards. The results do not depend on the number of shards or threads.

use super::limits::Limit;
use super::thread_pool::map_shares;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::hint::black_box;

/// The maximum load factor, as a fraction: beyond it, probe sequences get long.
const MAX_LOAD: (usize, usize) = (7, 10);

/// Keys looked up in one batch.
const BATCH: usize = 64;

/// Slots filled between two limit checks: a gigabyte of new memory takes most of a second.
pub(super) const FILL_CHUNK: usize = 1 << 15;

/// A set of keys that always contains one, the filler.
pub(super) struct KeySet<K> {
    shards: Vec<Shard<K>>,
    filler: K,
}

struct Shard<K> {
    slots: Vec<K>,
    len: usize,
}

impl<K: Clone + Eq + Hash + Send + Sync> KeySet<K> {
    /// Creates the set of this key alone, with capacity for `capacity` more keys in each shard.
    pub(super) fn new(filler: K, shards: usize, capacity: usize) -> Self {
        let shard = || Shard { slots: vec![filler.clone(); slots_for(capacity)], len: 0 };
        KeySet { shards: (0..shards).map(|_| shard()).collect(), filler }
    }

    /// Empties the set, with capacity for `capacity` more keys in each of `shards` shards, calling `may_go_on` between
    /// chunks. Each thread fills its own shards. The memory is that of the old shards, as far as it suffices: fresh memory costs most of the time of
    /// filling it. The old and the new slots never exist at once.
    ///
    /// # Errors
    /// The limit that ended it; the set then has hardly any capacity.
    pub(super) fn rebuild(
        &mut self,
        shards: usize,
        capacity: usize,
        may_go_on: impl Fn() -> Result<(), Limit> + Sync,
    ) -> Result<(), Limit> {
        let slots = slots_for(capacity);
        let mut all: Vec<Vec<K>> = self.shards.drain(..).map(|shard| shard.slots).take(shards).collect();
        for old in &mut all {
            old.clear();
            old.shrink_to(slots);
        }
        all.resize_with(shards, Vec::new);
        let filler = &self.filler;
        let fill = |filled: &mut Vec<K>| {
            filled.reserve_exact(slots);
            while filled.len() < slots {
                may_go_on()?;
                filled.resize(slots.min(filled.len() + FILL_CHUNK), filler.clone());
            }
            Ok(())
        };
        let ended = map_shares(&mut all, |_, share| share.iter_mut().try_for_each(fill));
        let ended: Result<(), Limit> = ended.into_iter().collect();
        self.shards = match ended {
            Ok(()) => all.into_iter().map(|slots| Shard { slots, len: 0 }).collect(),
            Err(_) => KeySet::new(self.filler.clone(), 1, 0).shards,
        };
        ended
    }

    /// Returns how many more keys fit into every shard.
    pub(super) fn spare_capacity(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| (shard.slots.len() / MAX_LOAD.1 * MAX_LOAD.0).saturating_sub(shard.len))
            .min()
            .unwrap_or(0)
    }

    /// Returns whether the key is in the set.
    #[inline]
    pub(super) fn contains(&self, key: &K) -> bool {
        let (shard, hash) = self.shard_of(key);
        let shard = &self.shards[shard];
        shard.slots[shard.find(hash, key, &self.filler)] == *key
    }

    /// Returns the position of the first of some keys that is in the set.
    pub(super) fn first_known(&self, keys: &[K]) -> Option<usize> {
        keys.chunks(BATCH).zip(0..).find_map(|(keys, batch)| {
            let home_slots = self.home_slots(keys);
            let mut held = home_slots.iter().zip(keys);
            let at = held.position(|(held, key)| *held == key || *held != &self.filler && self.contains(key))?;
            Some(batch * BATCH + at)
        })
    }

    /// Reads the home slots of up to [`BATCH`] keys before any is compared, so that the cache misses overlap.
    #[inline]
    fn home_slots(&self, keys: &[K]) -> [&K; BATCH] {
        let mut held = [&self.filler; BATCH];
        for (held, key) in held.iter_mut().zip(keys) {
            let (shard, hash) = self.shard_of(key);
            let slots = &self.shards[shard].slots;
            *held = &slots[split(hash, slots.len()).0];
        }
        held
    }

    /// Appends those of some keys that are not in the set to `unknown`.
    #[inline]
    pub(super) fn retain_unknown(&self, keys: &[K], unknown: &mut Vec<K>) {
        keys.chunks(BATCH).for_each(|keys| self.look_up(keys, unknown));
    }

    /// Implements [`retain_unknown`](Self::retain_unknown) for up to [`BATCH`] keys.
    fn look_up(&self, keys: &[K], unknown: &mut Vec<K>) {
        // No branch depends on whether a key is known, which the processor cannot predict.
        let held = self.home_slots(keys);
        let mut end = unknown.len();
        unknown.resize(end + keys.len(), self.filler.clone());
        for (held, key) in held.into_iter().zip(keys) {
            let mut known = held == key;
            if !known & (held != &self.filler) {
                known = self.contains(key);
            }
            unknown[end] = key.clone();
            end += usize::from(!known);
        }
        unknown.truncate(end);
    }

    /// Inserts keys, for which there must be capacity; returns for each in turn whether it was new.
    pub(super) fn insert<'a>(&mut self, keys: impl Iterator<Item = &'a K> + Clone + Send + Sync) -> Vec<bool>
    where
        K: 'a,
    {
        let (shards, filler, all) = (self.shards.len(), &self.filler, keys.clone().count());
        let added = map_shares(&mut self.shards, |home, share| {
            let mut new = vec![false; all];
            let mut own = [Insertion { key: filler, number: 0, shard: 0, hash: 0 }; BATCH];
            let (mut number, mut held) = (0, 0);
            keys.clone().for_each(|key| {
                let (shard, hash) = split(hash(key), shards);
                let shard = shard.wrapping_sub(home);
                own[held] = Insertion { key, number, shard, hash };
                // No branch depends on whether the key is another thread's, which the processor cannot predict.
                held += usize::from(shard < share.len());
                number += 1;
                if held == BATCH {
                    insert(share, &own, &mut new, filler);
                    held = 0;
                }
            });
            insert(share, &own[..held], &mut new, filler);
            new
        });
        let either = |mut all: Vec<bool>, more: Vec<bool>| {
            all.iter_mut().zip(more).for_each(|(new, more)| *new |= more);
            all
        };
        added.into_iter().reduce(either).unwrap_or_default()
    }

    /// Returns the bytes of a set with this many shards and this capacity in each.
    pub(super) fn bytes_for(shards: usize, capacity: usize) -> u64 {
        (shards * slots_for(capacity) * size_of::<K>()) as u64
    }

    /// Returns the bytes that the set occupies.
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| (shard.slots.len() * size_of::<K>()) as u64).sum()
    }

    #[inline]
    fn shard_of(&self, key: &K) -> (usize, u64) {
        split(hash(key), self.shards.len())
    }
}

impl<K: Clone + Eq> Shard<K> {
    #[inline]
    fn home(&self, hash: u64) -> usize {
        split(hash, self.slots.len()).0
    }

    /// Returns the slot that contains the key, or the empty slot where it belongs.
    #[inline]
    fn find(&self, hash: u64, key: &K, filler: &K) -> usize {
        let mut slot = self.home(hash);
        while self.slots[slot] != *key && self.slots[slot] != *filler {
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        slot
    }
}

/// A key to be inserted; `shard` is its number among the shards of the thread.
struct Insertion<'a, K> {
    key: &'a K,
    number: usize,
    shard: usize,
    hash: u64,
}

impl<K> Clone for Insertion<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Insertion<'_, K> {}

/// Inserts keys into their shards, and marks the numbers of the new ones.
fn insert<K: Clone + Eq>(shards: &mut [Shard<K>], keys: &[Insertion<K>], new: &mut [bool], filler: &K) {
    // As in `look_up`: read all home slots before comparing any.
    let home = |key: &Insertion<K>| &shards[key.shard].slots[shards[key.shard].home(key.hash)];
    black_box(keys.iter().filter(|key| home(key) == key.key).count());
    for &Insertion { key, number, shard, hash } in keys {
        let shard = &mut shards[shard];
        let slot = shard.find(hash, key, filler);
        if shard.slots[slot] != *key {
            shard.slots[slot] = key.clone();
            shard.len += 1;
            new[number] = true;
        }
    }
}

#[inline]
pub(super) fn hash<K: Hash>(key: &K) -> u64 {
    // `FxHasher` ends with a rotation that moves the best bits away from the top: rotate them back.
    FxBuildHasher.hash_one(key).rotate_right(26)
}

/// Returns which of `shares` equal ranges of hashes a hash is in, and its position within that range.
#[inline]
pub(super) fn split(hash: u64, shares: usize) -> (usize, u64) {
    let wide = u128::from(hash) * shares as u128;
    ((wide >> 64) as usize, wide as u64)
}

fn slots_for(capacity: usize) -> usize {
    (capacity / MAX_LOAD.0 + 1) * MAX_LOAD.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_set_contains_exactly_the_inserted_keys_and_its_filler_for_any_number_of_shards() {
        for shards in [1, 2, 7] {
            let mut set = KeySet::new(7u64, 2, 5000);
            set.insert([1, 2, 3].iter());
            set.rebuild(shards, 3000, || Ok(())).expect("no limit is set");
            assert_eq!(set.bytes(), KeySet::new(7u64, shards, 3000).bytes());
            let mut plain = HashSet::from([7]);
            let keys: Vec<u64> = (0..3000).map(|number| (number * number % 1999) << 40).collect();
            let new: Vec<bool> = keys.iter().map(|&key| plain.insert(key)).collect();
            assert_eq!(set.insert(keys.iter()), new, "what is new does not depend on the shards");
            assert!((0..4000u64).all(|key| set.contains(&(key << 40)) == plain.contains(&(key << 40))));
            assert!(set.contains(&7));
            let mut mixed: Vec<u64> = (0..300).map(|key| key << 40).collect();
            let known = mixed.len() / 5;
            let mut unknown = Vec::new();
            set.retain_unknown(&mixed, &mut unknown);
            mixed.retain(|key| !plain.contains(key));
            assert_eq!(unknown, mixed, "unknown keys are returned in order");
            assert!(unknown.len() > known, "some are, some are not");
            assert_eq!(set.first_known(&unknown), None);
            unknown.insert(known, 7);
            unknown.insert(known + 1, 7);
            assert_eq!(set.first_known(&unknown), Some(known));
        }
    }

    #[test]
    fn a_limit_ends_the_allocation_of_a_large_set() {
        let asked = AtomicU32::new(0);
        let mut set = KeySet::new(0u64, 1, 1000);
        let ended = set.rebuild(16, 1 << 20, || {
            if asked.fetch_add(1, Ordering::Relaxed) == 99 { Err(Limit::Time) } else { Ok(()) }
        });
        let asked = asked.into_inner();
        assert!(matches!(ended, Err(Limit::Time)) && asked == 100, "the limit is checked more than once per mebibyte");
        assert!(!set.contains(&1) && set.spare_capacity() < 10);
    }

    #[test]
    fn a_set_has_the_requested_capacity_and_reports_the_rest() {
        let mut set = KeySet::new(0u64, 1, 100);
        let capacity = set.spare_capacity();
        assert!(capacity >= 100);
        assert_eq!(KeySet::<u64>::bytes_for(1, 100), set.bytes());
        let keys: Vec<u64> = (1..=capacity as u64).collect();
        assert!(set.insert(keys.iter()).into_iter().all(|new| new));
        assert_eq!(set.spare_capacity(), 0);
        assert!(!set.contains(&(capacity as u64 + 1)), "a lookup ends even when the set is full");
    }
}
