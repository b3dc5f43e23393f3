//! Memory for the layers and their table, within the memory limit: generous while memory is plentiful, then the
//! minimum. Before the search fails, it drops all but the last three layers.

use super::Layers;
use crate::search::key_set::KeySet;
use crate::search::limits::{Limit, Watch};
use crate::space::Key;

/// A table with this many states is divided into shards, so that threads can share it.
const LARGE: usize = 1 << 16;
const SHARDS: usize = 16;
/// Below this many bytes of keys, a table gets extra capacity.
const SMALL: usize = 1 << 20;

impl<K: Key> Layers<'_, K> {
    /// Reserves space for `more` keys in the last layer and in the table.
    pub(super) fn make_room(&mut self, more: usize, watch: &mut Watch) -> Result<(), Limit> {
        let next = self.depth();
        if self.layers[next].capacity() - self.layers[next].len() < more {
            let bytes = |keys: usize| (keys * size_of::<K>()) as u64;
            let (ample, least) = (more.max(self.layers[next].len() / 2), more.max(self.layers[next].len() / 16));
            let wider = if self.fits(bytes(ample)) { ample } else { least };
            if !self.fits(bytes(wider)) {
                self.let_go();
            }
            if !self.fits(bytes(wider)) {
                self.build_anew(more, true, watch)?;
            }
            if !self.fits(bytes(wider)) {
                return Err(Limit::Memory);
            }
            self.layers[next].reserve_exact(wider);
        }
        if self.recent.room() < more {
            self.build_anew(more, false, watch)?;
        }
        self.account();
        Ok(())
    }

    /// Rebuilds the table of the last three layers, with space for `more` keys; with little spare capacity if `tight`,
    /// or if memory is short.
    fn build_anew(&mut self, more: usize, tight: bool, watch: &mut Watch) -> Result<(), Limit> {
        let live = self.depth().saturating_sub(2)..self.layers.len();
        let states: usize = self.layers[live.clone()].iter().map(Vec::len).sum();
        let shards = if states < LARGE { 1 } else { SHARDS };
        let bytes = |room: usize| KeySet::<K>::bytes_for(shards, room);
        // Each shard holds its share of the states, and space for new ones: plenty while that costs no cache, since
        // probe sequences are short where slots are free.
        let ample = if states * size_of::<K>() < SMALL { 5 } else { 2 };
        let (ample, least) = (ample * (states / shards + more), (states + states / 8) / shards + more);
        // The old table is dropped before the new one is allocated: they never exist at once.
        let first = self.recent.always().clone();
        self.recent = KeySet::new(first.clone(), shards, 0);
        let room = if !tight && self.fits(bytes(ample).saturating_add(self.budget / 4)) { ample } else { least };
        if !self.fits(bytes(room)) {
            self.let_go();
        }
        if !self.fits(bytes(room)) {
            return Err(Limit::Memory);
        }
        self.recent = KeySet::within(first, shards, room, || watch.pause().map_or(Ok(()), Err))?;
        for keys in self.layers[live].iter().flat_map(|layer| layer.chunks(LARGE)) {
            if let Some(limit) = watch.pause() {
                return Err(limit);
            }
            self.recent.insert(keys.iter());
        }
        assert!(self.recent.room() >= more, "the hash distributes keys evenly over the shards");
        Ok(())
    }

    /// Returns whether `more` further bytes may be allocated.
    fn fits(&self, more: u64) -> bool {
        self.bytes().saturating_add(more) <= self.budget && self.stop.leaves(more)
    }

    /// Drops the layers that cannot contain a child of the last one.
    fn let_go(&mut self) {
        self.account();
        let keep = self.depth().saturating_sub(2).max(1);
        self.layers[self.kept_from.max(1)..keep].fill_with(Vec::new);
        self.kept_from = if keep > 1 { keep } else { self.kept_from };
    }
}
