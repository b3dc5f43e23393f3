//! Heuristic values that threads computed: a state that several of them generate is evaluated once.

use crate::space::{Cost, Key, Weighted};
use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// The maps among which states are divided by their hash, so that threads seldom wait for each other.
const SHARDS: usize = 256;

/// The greatest number of values in a map.
const MOST: usize = 1 << 10;

/// Heuristic values by state.
pub(super) struct Values<K, C>([Mutex<FxHashMap<K, C>>; SHARDS]);

impl<K, C> Default for Values<K, C> {
    fn default() -> Self {
        Values(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<K: Key, C: Cost> Values<K, C> {
    fn shard(&self, key: &K) -> &Mutex<FxHashMap<K, C>> {
        &self.0[FxBuildHasher.hash_one(key) as usize >> 4 & (SHARDS - 1)]
    }

    /// Returns the value of a state, if it was computed.
    pub fn get(&self, key: &K) -> Option<C> {
        self.shard(key).lock().get(key).copied()
    }

    /// Returns the values of some states, after computing those that are missing. If two threads compute the same one
    /// at the same time, they get the same value.
    pub fn of(&self, graph: &dyn Weighted<K, C>, keys: &[K]) -> Vec<C> {
        let known: Vec<Option<C>> = keys.iter().map(|key| self.get(key)).collect();
        let missing: Vec<K> =
            keys.iter().zip(&known).filter(|(_, value)| value.is_none()).map(|(key, _)| key.clone()).collect();
        let mut computed = Vec::with_capacity(missing.len());
        if !missing.is_empty() {
            graph.h(&missing, &mut computed);
        }
        for (key, value) in missing.into_iter().zip(&computed) {
            self.shard(&key).lock().insert(key, *value);
        }
        let mut computed = computed.into_iter();
        known
            .into_iter()
            .map(|known| known.or_else(|| computed.next()).expect("what is missing was computed"))
            .collect()
    }

    /// Forgets the values of a map that has too many.
    pub fn limit(&mut self) {
        self.0.iter_mut().map(Mutex::get_mut).filter(|values| values.len() > MOST).for_each(|values| values.clear());
    }
}
