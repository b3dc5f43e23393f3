//! The way back through the layers: to any neighbour in the layer before, and through layers that were let go by another,
//! shorter search.

use super::Layers;
use crate::search::key_set::KeySet;
use crate::search::limits::{Limit, Limits, Watch};
use crate::space::Key;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

impl<K: Key> Layers<'_, K> {
    /// The states on the way from a root to the last layer's `goal`, both included.
    ///
    /// # Errors
    /// The limit that ended the search for a way through layers that were let go.
    pub fn way_to(mut self, goal: K, limits: &Limits, watch: &mut Watch) -> Result<Vec<K>, Limit> {
        let (graph, crew) = (self.graph, self.crew);
        let roots = self.layers[0].clone();
        let mut way = vec![goal];
        loop {
            for depth in (self.kept_from..self.depth()).rev() {
                let here = way.last().expect("there is a goal");
                let before = self.parent(here, depth);
                way.push(before);
            }
            if self.kept_from == 0 {
                way.reverse();
                return Ok(way);
            }
            let beside = self.beside;
            drop(self);
            let target = way.last().expect("there is a goal").clone();
            self = Layers::new(graph, roots.clone(), crew, limits);
            self.beside = beside;
            if roots.contains(&target) {
                continue;
            }
            while self.advance(watch, &|key| *key == target)?.is_none() {
                assert!(!self.last().is_empty(), "what was reached once is reached again");
            }
        }
    }

    /// The states on the way from a root to the first state that is `wanted`; one of those met so far must be.
    ///
    /// # Errors
    /// The limit that ended the search for a way through layers that were let go.
    pub fn way_to_first(
        mut self,
        wanted: impl Fn(&K) -> bool + Send + Sync,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Result<Vec<K>, Limit> {
        if self.kept_from > 0 {
            let (graph, crew) = (self.graph, self.crew);
            let roots = std::mem::take(&mut self.layers[0]);
            let beside = self.beside;
            drop(self);
            self = Layers::new(graph, roots, crew, limits);
            self.beside = beside;
        }
        loop {
            for depth in 0..self.layers.len() {
                if let Some(first) = self.layers[depth].iter().find(|key| wanted(key)).cloned() {
                    self.layers.truncate(depth + 1);
                    return self.way_to(first, limits, watch);
                }
            }
            while self.advance(watch, &wanted)?.is_none() {
                assert!(!self.last().is_empty(), "what was reached once is reached again");
            }
        }
    }

    /// Lets go of all that is not needed to find a way to one of its states.
    pub fn forget(&mut self) {
        let roots = self.layers.swap_remove(0);
        self.recent = KeySet::new(roots[0].clone(), 1, 0);
        self.kept_from = self.layers.len();
        self.layers = vec![roots];
    }

    /// The first neighbour of a state in the layer of this depth: the state that it was reached from first.
    pub(super) fn parent(&self, of: &K, depth: usize) -> K {
        let neighbors = self.children_of(of);
        // Most states are told apart from all neighbours by a few bits of their hashes.
        let bit = |key: &K| 1u64 << (FxBuildHasher.hash_one(key) & 63);
        let bits = neighbors.iter().fold(0, |bits, key| bits | bit(key));
        let mut layer = self.layers[depth].iter();
        let parent = layer.find(|key| bits & bit(key) != 0 && neighbors.contains(key));
        parent.expect("moves can be taken back, so a state has a neighbour in the layer before").clone()
    }
}
