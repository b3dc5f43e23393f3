//! The novelty of states: features, and pairs of features, that no earlier state had.
//!
//! Which pairs have been seen is kept as bits, chosen by hashes (Singh, Lipovetzky, Ramírez and Segovia-Aguas,
//! Approximate novelty search, 2021). If two pairs share a bit, a state may pass for less novel than it is, and comes
//! later.

use super::frontier::Rank;
use super::limits::{Limit, Limits};
use super::random::mixed;
use crate::space::{Cost, Weighted};

/// The greatest number of pairs of features that are looked at for a state, which takes some 50 ms; if it has more,
/// only its single features count.
const MOST_PAIRS: usize = 1 << 22;

/// The features, and pairs of features, that states have had, for each h and each cell.
pub(super) struct Novelty {
    /// Sets of bits; new features are added to the last. When it is a quarter full, a larger one follows.
    sets: Vec<Vec<u64>>,
    /// The bits that are set in the last of them.
    filled: usize,
}

/// The properties of a state that decide on its rank, beside h: its features in ascending order, those of them that the
/// state before it does not have, and its cell.
pub(super) struct Description {
    features: Vec<u64>,
    new: Vec<u64>,
    cell: Option<u64>,
}

impl Description {
    /// Describes a state that is reached from one with these features, in ascending order; none for the start.
    pub fn new<K: Clone, C>(graph: &dyn Weighted<K, C>, state: &K, before: &[u64]) -> Description {
        let mut features = Vec::new();
        graph.features(state, &mut features);
        let mut old = before.iter().peekable();
        let is_new = |feature: &&u64| {
            while old.next_if(|old| *old < feature).is_some() {}
            old.peek() != Some(feature)
        };
        let new = features.iter().filter(is_new).copied().collect();
        Description { features, new, cell: graph.cell(state) }
    }
}

/// Words of the first set of bits, and how many times larger each further one is.
const FIRST: usize = 1 << 14;
const GROWTH: usize = 16;

impl Default for Novelty {
    fn default() -> Novelty {
        Novelty { sets: vec![vec![0; FIRST]], filled: 0 }
    }
}

impl Novelty {
    /// Returns the rank of a state with this h.
    pub fn rank<C: Cost>(&mut self, state: &Description, h: C) -> Rank {
        let novelty = self.of(mixed(h.narrow_bucket() as u64 + 1), state);
        Rank { novelty, cell: state.cell.map(|cell| (cell, self.of(mixed(!cell), state))) }
    }

    /// Returns the novelty of a state among those with the same hash.
    fn of(&mut self, among: u64, state: &Description) -> u8 {
        let Description { features, new, .. } = state;
        let others: &[u64] = if new.len().saturating_mul(features.len()) <= MOST_PAIRS { features } else { &[] };
        let mut novelty = 3;
        for feature in new {
            if self.insert(mixed(among ^ feature)) {
                novelty = 1;
            }
            for other in others.iter().filter(|&other| other != feature) {
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
