//! The breadth-first search from the solved position that fills a pattern database, over the ranks of the placements.
//!
//! The table itself marks the visited entries: an unvisited entry has all its bits set. A layer is expanded in a scan
//! over all entries. As soon as fewer entries are unvisited than are in the last layer, the search direction changes:
//! each unvisited entry looks for a neighbour in the last layer, which is sound because every move is reversible.
//! Threads clear bits by atomic operations, all to the same value within a layer, so the result does not depend on
//! their order.

use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::permutation::model::Model;
use crate::permutation::neighbors::{Cursor, Neighbors};
use crate::permutation::ranking::Ranking;
use crate::search::Crew;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The number of entries that a thread processes at a time.
const PART: u64 = 1 << 14;

/// The size below which one thread fills the table, since starting others takes longer.
const SHARED: u64 = 1 << 17;

/// Fills the table of a pattern. Returns `None` if it is stopped. Values that do not fit are capped at the greatest
/// that an entry holds: 255, in entries of eight bits. Entries of four bits are tried first.
pub(in super::super) fn build(model: &Model, ranking: &Ranking, crew: &Crew, context: &BuildContext) -> Option<Table> {
    // The depth decides whether the table takes half of this or twice, which is known only at the end.
    if !context.fits(ranking.size) {
        return None;
    }
    let fill = || {
        let nibbles = Filling::<4>::new(ranking.size).fill(model, ranking, context)?;
        match nibbles {
            Filled::Whole(entries) => Some(Table::new(Bytes::Owned(entries), true)),
            Filled::TooDeep => match Filling::<8>::new(ranking.size).fill(model, ranking, context)? {
                Filled::Whole(entries) => Some(Table::new(Bytes::Owned(entries), false)),
                Filled::TooDeep => unreachable!("values too great for eight bits are capped"),
            },
        }
    };
    if ranking.size >= SHARED { crew.together(fill) } else { fill() }
}

enum Filled {
    Whole(Vec<u8>),
    TooDeep,
}

/// A table under construction, with entries of four or eight bits.
struct Filling<const BITS: u32> {
    entries: Vec<AtomicU8>,
    size: u64,
}

impl<const BITS: u32> Filling<BITS> {
    const UNMET: u8 = u8::MAX >> (8 - BITS);
    const IN_A_BYTE: u64 = 8 / BITS as u64;

    fn new(size: u64) -> Self {
        let bytes = size.div_ceil(Self::IN_A_BYTE);
        Filling { entries: (0..bytes).map(|_| AtomicU8::new(u8::MAX)).collect(), size }
    }

    #[inline]
    fn entry(&self, number: u64) -> u8 {
        let byte = self.entries[(number / Self::IN_A_BYTE) as usize].load(Relaxed);
        byte >> (number % Self::IN_A_BYTE * u64::from(BITS)) & Self::UNMET
    }

    /// Sets the depth of an entry if it is unvisited, and returns whether it was.
    #[inline]
    fn meet(&self, number: u64, depth: u8) -> bool {
        let shift = number % Self::IN_A_BYTE * u64::from(BITS);
        let bits = !((Self::UNMET ^ depth) << shift);
        let byte = self.entries[(number / Self::IN_A_BYTE) as usize].fetch_and(bits, Relaxed);
        byte >> shift & Self::UNMET == Self::UNMET
    }

    fn fill(self, model: &Model, ranking: &Ranking, context: &BuildContext) -> Option<Filled> {
        let neighbors = Neighbors::new(ranking.clone(), model);
        let solved = model.solved.as_ref()?;
        let goal = ranking.rank(|member| usize::from(solved[member]));
        self.meet(goal, 0);
        let (mut met, mut layer) = (1, 1);
        for depth in 0..Self::UNMET {
            let backwards = self.size - met < layer;
            let part = |part: u64| {
                if context.should_stop() { 0 } else { self.expand(part, depth, backwards, &neighbors) }
            };
            let parts = self.size.div_ceil(PART);
            layer = if self.size >= SHARED {
                (0..parts).into_par_iter().map(part).sum()
            } else {
                (0..parts).map(part).sum()
            };
            if context.should_stop() {
                return None;
            }
            met += layer;
            if self.size >= SHARED {
                let what = format!("pattern database of {} members", ranking.members.len());
                context.progress(&Progress { what, done: met, total: self.size });
            }
            // The next depth is the value of unvisited entries, so four bits are not enough.
            if layer > 0 && depth + 1 == Self::UNMET && BITS == 4 {
                return Some(Filled::TooDeep);
            }
            if layer == 0 {
                break;
            }
        }
        Some(Filled::Whole(self.entries.into_iter().map(AtomicU8::into_inner).collect()))
    }

    /// Expands a part of a layer forwards, or finds which entries of a part are in the next layer. Returns the number
    /// of new entries.
    fn expand(&self, part: u64, depth: u8, backwards: bool, neighbors: &Neighbors) -> u64 {
        let mut at = Cursor::new();
        let mut new = 0;
        let wanted = if backwards { Self::UNMET } else { depth };
        for number in part * PART..self.size.min((part + 1) * PART) {
            if self.entry(number) != wanted {
                continue;
            }
            if backwards {
                let mut found = false;
                neighbors.of(&mut at, number, |neighbor| {
                    found = self.entry(neighbor) == depth;
                    found
                });
                new += u64::from(found && self.meet(number, depth + 1));
            } else {
                neighbors.of(&mut at, number, |neighbor| {
                    if self.entry(neighbor) == Self::UNMET {
                        new += u64::from(self.meet(neighbor, depth + 1));
                    }
                    false
                });
            }
        }
        new
    }
}
