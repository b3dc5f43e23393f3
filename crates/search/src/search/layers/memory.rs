//! Memory for the layers and their table, within the memory limit: generous while memory is plentiful, then the
//! minimum. Before the search fails, it drops all but the last three layers.

use super::Layers;
use crate::search::key_set::KeySet;
use crate::search::limits::{Limit, Watch};
use crate::space::Key;
use parking_lot::Mutex;

/// A table with this many states is divided into shards, so that threads can share it.
const LARGE: usize = 1 << 16;
const SHARDS: usize = 16;
/// Below this many bytes of keys, a table gets extra capacity.
const SMALL: usize = 1 << 20;

impl<K: Key> Layers<'_, K> {
    /// Reserves space for `more` keys in the last layer and in the table.
    pub(super) fn reserve(&mut self, more: usize, watch: &mut Watch) -> Result<(), Limit> {
        let next = self.depth();
        if self.layers[next].capacity() - self.layers[next].len() < more {
            let bytes = |keys: usize| (keys * size_of::<K>()) as u64;
            let (generous, minimum) = (more.max(self.layers[next].len() / 2), more.max(self.layers[next].len() / 16));
            let wider = if self.fits(bytes(generous)) { generous } else { minimum };
            if !self.fits(bytes(wider)) {
                self.drop_old_layers();
            }
            if !self.fits(bytes(wider)) {
                self.rebuild_table(more, true, watch)?;
            }
            if !self.fits(bytes(wider)) {
                return Err(Limit::Memory);
            }
            self.layers[next].reserve_exact(wider);
        }
        if self.recent.spare_capacity() < more {
            self.rebuild_table(more, false, watch)?;
        }
        self.update_peaks();
        Ok(())
    }

    /// Rebuilds the table of the last three layers, with space for `more` keys; with little spare capacity if `tight`,
    /// or if memory is short.
    fn rebuild_table(&mut self, more: usize, tight: bool, watch: &mut Watch) -> Result<(), Limit> {
        let live = self.depth().saturating_sub(2)..self.layers.len();
        let states: usize = self.layers[live.clone()].iter().map(Vec::len).sum();
        let shards = if states < LARGE { 1 } else { SHARDS };
        let bytes = |capacity: usize| KeySet::<K>::bytes_for(shards, capacity);
        // Each shard holds its share of the states, and space for new ones: plenty while that costs no cache, since
        // probe sequences are short where slots are free.
        let generous = if states * size_of::<K>() < SMALL { 3 } else { 2 };
        let (generous, minimum) = (generous * (states / shards + more), (states + states / 8) / shards + more);
        // The old table is emptied before the new one is filled: it does not count.
        let others = self.bytes() - self.recent.bytes();
        let fits = |of: u64| others.saturating_add(of) <= self.budget && self.stop.allows(of);
        let capacity = if !tight && fits(bytes(generous).saturating_add(self.budget / 4)) { generous } else { minimum };
        if !fits(bytes(capacity)) {
            self.recent.rebuild(1, 0, || Ok(()))?;
            self.drop_old_layers();
            if !self.fits(bytes(capacity)) {
                return Err(Limit::Memory);
            }
        }
        let shared_watch = Mutex::new(&mut *watch);
        self.recent.rebuild(shards, capacity, || shared_watch.lock().check().map_or(Ok(()), Err))?;
        for keys in self.layers[live].iter().flat_map(|layer| layer.chunks(LARGE)) {
            if let Some(limit) = watch.check() {
                return Err(limit);
            }
            self.recent.insert(keys.iter());
        }
        assert!(self.recent.spare_capacity() >= more, "the hash distributes keys evenly over the shards");
        Ok(())
    }

    /// Returns whether `more` further bytes may be allocated.
    fn fits(&self, more: u64) -> bool {
        self.bytes().saturating_add(more) <= self.budget && self.stop.allows(more)
    }

    /// Drops the layers that cannot contain a child of the last one.
    fn drop_old_layers(&mut self) {
        self.update_peaks();
        let keep = self.depth().saturating_sub(2).max(1);
        self.layers[self.kept_from.max(1)..keep].fill_with(Vec::new);
        self.kept_from = if keep > 1 { keep } else { self.kept_from };
    }
}
