//! The novelty of states: features, and pairs of features, that no earlier state had.
//!
//! Which pairs have been seen is kept as bits, chosen by hashes (Singh, Lipovetzky, Ramírez and Segovia-Aguas,
//! Approximate novelty search, 2021). If two pairs share a bit, a state may pass for less novel than it is, and comes
//! later.

use super::frontier::Rank;
use super::limits::{Limit, Limits};
use super::random::mixed;
use crate::space::Cost;

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

/// The features and pairs of features of a state that no state had when it was described. Any thread can describe states, and
/// what is seen remains seen: so little is left for the thread that ranks them in turn.
pub(super) struct Description {
    /// Hashes of the features and pairs among the states with the same h, then of those among the states of the same cell.
    /// In the highest bit, which no set uses: whether it is a pair.
    unseen: Vec<u64>,
    /// The number of hashes of the first kind.
    by_h: usize,
    cell: Option<u64>,
    /// The number of features and pairs that were looked at.
    pub looked_at: usize,
}

const IS_PAIR: u64 = 1 << 63;

impl Description {
    /// Describes a state with this h and these features. `before` has those of the state that it is reached from, none for the
    /// start; both are in ascending order.
    pub fn new<C: Cost>(seen: &Novelty, h: C, features: &[u64], before: &[u64], cell: Option<u64>) -> Description {
        let mut old = before.iter().peekable();
        let is_new = |feature: &&u64| {
            while old.next_if(|old| *old < feature).is_some() {}
            old.peek() != Some(feature)
        };
        let new: Vec<u64> = features.iter().filter(is_new).copied().collect();
        let others: &[u64] = if new.len().saturating_mul(features.len()) <= MOST_PAIRS { features } else { &[] };
        let (mut unseen, mut looked_at) = (Vec::new(), 0);
        let mut look_at = |among: u64| {
            looked_at += new.len() * (1 + others.len());
            let mut keep = |hash| {
                if !seen.has(hash) {
                    unseen.push(hash);
                }
            };
            for feature in &new {
                keep(mixed(among ^ feature) & !IS_PAIR);
                for other in others.iter().filter(|&other| other != feature) {
                    let pair = feature.min(other).rotate_left(32) ^ feature.max(other);
                    keep(mixed(among.wrapping_add(mixed(pair))) | IS_PAIR);
                }
            }
            unseen.len()
        };
        let by_h = look_at(mixed(h.narrow_bucket() as u64 + 1));
        if let Some(cell) = cell {
            look_at(mixed(!cell));
        }
        Description { unseen, by_h, cell, looked_at }
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
    /// Returns the rank of a state.
    pub fn rank(&mut self, state: &Description) -> Rank {
        let (by_h, of_cell) = state.unseen.split_at(state.by_h);
        Rank { novelty: self.add(by_h), cell: state.cell.map(|cell| (cell, self.add(of_cell))) }
    }

    /// Adds the hashes of a state; returns its novelty.
    fn add(&mut self, hashes: &[u64]) -> u8 {
        let mut novelty = 3;
        for &hash in hashes {
            if self.insert(hash) {
                novelty = novelty.min(if hash & IS_PAIR == 0 { 1 } else { 2 });
            }
        }
        novelty
    }

    /// Returns whether a hash was added before.
    fn has(&self, hash: u64) -> bool {
        self.sets.iter().any(|set| {
            let (word, bit) = place(set, hash);
            set[word] & bit != 0
        })
    }

    /// Adds a hash; returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if self.has(hash) {
            return false;
        }
        let last = self.sets.last_mut().expect("there is a set");
        let (word, bit) = place(last, hash);
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

/// Returns the word of a set and the bit in it that belong to a hash.
fn place(set: &[u64], hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize & (set.len() - 1), 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_the_same_rank_whenever_it_is_described() {
        let states: Vec<[u64; 4]> = (0..600u64).map(|n| [n % 3, 10 + n % 7, 20 + n * n % 11, 40 + n / 200]).collect();
        let ranks = |together: usize| {
            let mut novelty = Novelty::default();
            let mut ranks = Vec::new();
            for some in states.chunks(together) {
                let describe = |state: &[u64; 4]| Description::new(&novelty, 5u32, state, &state[..1], Some(state[1]));
                let described: Vec<Description> = some.iter().map(describe).collect();
                ranks.extend(described.iter().map(|state| format!("{:?}", novelty.rank(state))));
            }
            ranks
        };
        let one_by_one = ranks(1);
        assert_eq!(ranks(7), one_by_one, "seven are described before the first of them is ranked");
        assert_eq!(ranks(600), one_by_one, "all are described before any is ranked");
        for novelty in 1..=3 {
            let of_h = format!("Rank {{ novelty: {novelty},");
            assert!(one_by_one.iter().any(|rank| rank.starts_with(&of_h)), "no state has novelty {novelty}");
        }
    }
}
