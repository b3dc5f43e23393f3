//! Path reconstruction: through any neighbour in the previous layer, and through dropped layers by another, shorter
//! search.

use super::Layers;
use crate::search::key_set::KeySet;
use crate::search::limits::{Limit, Limits, Watch};
use crate::space::Key;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

impl<K: Key> Layers<'_, K> {
    /// Returns the states on the path from a root to `goal` in the last layer, both included.
    ///
    /// # Errors
    /// The limit that ended the search for a path through dropped layers.
    pub fn path_to(mut self, goal: K, limits: &Limits, watch: &mut Watch) -> Result<Vec<K>, Limit> {
        let (graph, pool) = (self.graph, self.pool);
        let roots = self.layers[0].clone();
        let mut path = vec![goal];
        loop {
            for depth in (self.kept_from..self.depth()).rev() {
                let here = path.last().expect("the path contains the goal");
                let before = self.parent(here, depth);
                path.push(before);
            }
            if self.kept_from == 0 {
                path.reverse();
                return Ok(path);
            }
            let elsewhere = self.elsewhere;
            drop(self);
            let target = path.last().expect("the path contains the goal").clone();
            self = Layers::new(graph, roots.clone(), pool, limits);
            self.elsewhere = elsewhere;
            if roots.contains(&target) {
                continue;
            }
            while self.advance(watch, &|keys| keys.iter().position(|key| *key == target))?.is_none() {
                assert!(!self.last().is_empty(), "a state that was reached before is reached again");
            }
        }
    }

    /// Returns the states on the path from a root to the first state that is `wanted`; one of the states generated so
    /// far must be.
    ///
    /// # Errors
    /// The limit that ended the search for a path through dropped layers.
    pub fn path_to_first(
        mut self,
        wanted: impl Fn(&K) -> bool + Send + Sync,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Result<Vec<K>, Limit> {
        if self.kept_from > 0 {
            let (graph, pool) = (self.graph, self.pool);
            let roots = std::mem::take(&mut self.layers[0]);
            let elsewhere = self.elsewhere;
            drop(self);
            self = Layers::new(graph, roots, pool, limits);
            self.elsewhere = elsewhere;
        }
        loop {
            for depth in 0..self.layers.len() {
                if let Some(first) = self.layers[depth].iter().find(|key| wanted(key)).cloned() {
                    self.layers.truncate(depth + 1);
                    return self.path_to(first, limits, watch);
                }
            }
            while self.advance(watch, &|keys| keys.iter().position(&wanted))?.is_none() {
                assert!(!self.last().is_empty(), "a state that was reached before is reached again");
            }
        }
    }

    /// Frees all memory that path reconstruction can do without.
    pub fn release_memory(&mut self) {
        let roots = self.layers.swap_remove(0);
        self.recent = KeySet::new(roots[0].clone(), 1, 0);
        self.kept_from = self.layers.len();
        self.layers = vec![roots];
    }

    /// Returns the first neighbour of a state in the layer of this depth: the state that it was first reached from.
    pub(super) fn parent(&self, of: &K, depth: usize) -> K {
        let neighbors = self.children_of(of);
        // A few bits of the hash rule out most states before a full comparison.
        let bit = |key: &K| 1u64 << (FxBuildHasher.hash_one(key) & 63);
        let bits = neighbors.iter().fold(0, |bits, key| bits | bit(key));
        let mut layer = self.layers[depth].iter();
        let parent = layer.find(|key| bits & bit(key) != 0 && neighbors.contains(key));
        parent.expect("moves are reversible, so a state has a neighbour in the previous layer").clone()
    }
}
