//! The novelty of states: features, and pairs of features, that no earlier state had.
//!
//! Which pairs have been seen is kept as bits, chosen by hashes (Singh, Lipovetzky, Ramírez and Segovia-Aguas,
//! Approximate novelty search, 2021). If two pairs share a bit, a state may pass for less novel than it is, and comes
//! later.

use super::frontier::Rank;
use super::limits::{Limit, Limits};
use super::random::mixed;
use crate::space::{Cost, Weighted};
use std::mem::take;

/// The greatest number of pairs of features that are looked at for a state, which takes some 50 ms; if it has more,
/// only its single features count.
const MOST_PAIRS: usize = 1 << 22;

/// The features, and pairs of features, that states have had, for each h and each cell.
pub(super) struct Novelty {
    /// Sets of bits; new features are added to the last. When it is a quarter full, a larger one follows.
    sets: Vec<Vec<u64>>,
    /// The bits that are set in the last of them.
    filled: usize,
    /// The features of the state whose children are ranked, and of a child.
    before: Vec<u64>,
    features: Vec<u64>,
}

/// Words of the first set of bits, and how many times larger each further one is.
const FIRST: usize = 1 << 14;
const GROWTH: usize = 16;

impl Default for Novelty {
    fn default() -> Novelty {
        Novelty { sets: vec![vec![0; FIRST]], filled: 0, before: Vec::new(), features: Vec::new() }
    }
}

impl Novelty {
    /// Ranks the start, or children of a state from now on.
    pub fn follow<K: Clone, C>(&mut self, graph: &dyn Weighted<K, C>, state: Option<&K>) {
        self.before.clear();
        if let Some(state) = state {
            graph.features(state, &mut self.before);
        }
    }

    /// Returns the rank of a state with this h, which is reached from the one that it follows.
    pub fn rank<K: Clone, C: Cost>(&mut self, graph: &dyn Weighted<K, C>, state: &K, h: C) -> Rank {
        let mut features = take(&mut self.features);
        features.clear();
        graph.features(state, &mut features);
        let before = take(&mut self.before);
        let novelty = self.of(mixed(h.narrow_bucket() as u64 + 1), &features, &before);
        let cell = graph.cell(state).map(|cell| (cell, self.of(mixed(!cell), &features, &before)));
        (self.features, self.before) = (features, before);
        Rank { novelty, cell }
    }

    /// Returns the novelty of a state among those with the same hash, by its features and those of the state before it,
    /// each in ascending order.
    fn of(&mut self, among: u64, features: &[u64], before: &[u64]) -> u8 {
        let mut old = before.iter().peekable();
        let is_new = |feature: &&u64| {
            while old.next_if(|old| *old < feature).is_some() {}
            old.peek() != Some(feature)
        };
        let new: Vec<u64> = features.iter().filter(is_new).copied().collect();
        let others = if new.len().saturating_mul(features.len()) <= MOST_PAIRS { features } else { &[] };
        let mut novelty = 3;
        for feature in new {
            if self.insert(mixed(among ^ feature)) {
                novelty = 1;
            }
            for &other in others.iter().filter(|&&other| other != feature) {
                let pair = feature.min(other).rotate_left(32) ^ feature.max(other);
                if self.insert(mixed(among.wrapping_add(mixed(pair)))) {
                    novelty = novelty.min(2);
                }
            }
        }
        novelty
    }

    /// Adds a hash; returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        let place = |set: &Vec<u64>| ((hash >> 6) as usize & (set.len() - 1), 1 << (hash & 63));
        let is_known = |set: &Vec<u64>| {
            let (word, bit) = place(set);
            set[word] & bit != 0
        };
        if self.sets.iter().any(is_known) {
            return false;
        }
        let last = self.sets.last_mut().expect("there is a set");
        let (word, bit) = place(last);
        last[word] |= bit;
        self.filled += 1;
        true
    }

    /// Adds a larger set if the last is a quarter full; returns [`Limit::Memory`] if there is no memory for it.
    pub fn grow(&mut self, limits: &Limits, others: u64) -> Option<Limit> {
        let words = self.sets.last().expect("there is a set").len();
        if self.filled < words * 16 {
            return None;
        }
        let more = (words * GROWTH * size_of::<u64>()) as u64;
        let held = self.bytes() + others;
        if limits.memory.is_some_and(|memory| held + more > memory) || !limits.stop().allows(more) {
            return Some(Limit::Memory);
        }
        self.sets.push(vec![0; words * GROWTH]);
        self.filled = 0;
        None
    }

    pub fn bytes(&self) -> u64 {
        self.sets.iter().map(|set| (set.len() * size_of::<u64>()) as u64).sum()
    }
}
