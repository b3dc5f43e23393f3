//! The breadth-first search from the solved arrangements that fills a pattern database, over the numbers of its entries:
//! an entry is the distance to the nearest of them.
//!
//! The table itself marks the visited entries: an unvisited entry has all its bits set. A layer is expanded in a scan
//! over all entries. As soon as fewer entries are unvisited than are in the last layer, the search direction changes:
//! each unvisited entry looks for a neighbour in the last layer, which is sound because every move is reversible.
//! Threads clear bits by atomic operations, all to the same value within a layer, so the result does not depend on
//! their order.

use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::search::LazyPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The number of entries that a thread processes at a time.
const ENTRIES_AT_A_TIME: u64 = 1 << 14;

/// The size below which one thread fills the table, since starting others takes longer.
const LEAST_SHARED: u64 = 1 << 17;

/// The numbers of the entries of a table, and the moves between them.
pub(in super::super) trait Entries: Sync {
    /// The state of an enumeration between one number and the next.
    type Cursor;

    /// Returns the number of entries.
    fn size(&self) -> u64;

    /// Returns the numbers of the solved arrangements.
    fn goals(&self) -> Vec<u64>;

    /// Returns the name of the table, for people.
    fn what(&self) -> String;

    fn cursor(&self) -> Self::Cursor;

    /// Calls `neighbor` with the number after each move, until it returns true.
    fn visit(&self, at: &mut Self::Cursor, number: u64, neighbor: impl FnMut(u64) -> bool);

    /// Calls `other` with the other numbers of the same positions, if there are any.
    fn same(&self, _number: u64, _other: impl FnMut(u64)) {}
}

/// Fills the table of a pattern. Returns `None` if it is stopped. Values that do not fit are capped at the greatest
/// that an entry holds: 255, in entries of eight bits. Entries of four bits are tried first.
pub(in super::super) fn build(entries: &impl Entries, pool: &LazyPool, context: &BuildContext) -> Option<Table> {
    // The depth decides whether four bits are enough, which is known only at the end.
    if !context.fits(entries.size() / 2) {
        return None;
    }
    let fill = || {
        let nibbles = Filling::<4>::new(entries.size()).fill(entries, context)?;
        match nibbles {
            Filled::Complete(entries) => Some(Table::new(Bytes::Owned(entries), true)),
            Filled::TooDeep if !context.fits(entries.size()) => None,
            Filled::TooDeep => match Filling::<8>::new(entries.size()).fill(entries, context)? {
                Filled::Complete(entries) => Some(Table::new(Bytes::Owned(entries), false)),
                Filled::TooDeep => unreachable!("values too great for eight bits are capped"),
            },
        }
    };
    if entries.size() >= LEAST_SHARED { pool.run(fill) } else { fill() }
}

enum Filled {
    Complete(Vec<u8>),
    TooDeep,
}

/// A table under construction, with entries of four or eight bits.
struct Filling<const BITS: u32> {
    entries: Vec<AtomicU8>,
    size: u64,
}

impl<const BITS: u32> Filling<BITS> {
    const UNVISITED: u8 = u8::MAX >> (8 - BITS);
    const PER_BYTE: u64 = 8 / BITS as u64;

    fn new(size: u64) -> Self {
        let bytes = size.div_ceil(Self::PER_BYTE);
        Filling { entries: (0..bytes).map(|_| AtomicU8::new(u8::MAX)).collect(), size }
    }

    #[inline]
    fn entry(&self, number: u64) -> u8 {
        let byte = self.entries[(number / Self::PER_BYTE) as usize].load(Relaxed);
        byte >> (number % Self::PER_BYTE * u64::from(BITS)) & Self::UNVISITED
    }

    /// Sets the depth of an entry if it is unvisited, and returns whether it was.
    #[inline]
    fn visit(&self, number: u64, depth: u8) -> bool {
        let shift = number % Self::PER_BYTE * u64::from(BITS);
        let bits = !((Self::UNVISITED ^ depth) << shift);
        let byte = self.entries[(number / Self::PER_BYTE) as usize].fetch_and(bits, Relaxed);
        byte >> shift & Self::UNVISITED == Self::UNVISITED
    }

    /// Sets the depth of an unvisited entry and of all others of the same positions. Returns the number of them.
    #[inline]
    fn visit_same(&self, number: u64, depth: u8, entries: &impl Entries) -> u64 {
        let mut new = u64::from(self.visit(number, depth));
        entries.same(number, |other| new += u64::from(self.visit(other, depth)));
        new
    }

    fn fill(self, entries: &impl Entries, context: &BuildContext) -> Option<Filled> {
        let mut layer: u64 = entries.goals().into_iter().map(|goal| self.visit_same(goal, 0, entries)).sum();
        let mut visited = layer;
        for depth in 0..Self::UNVISITED {
            let backwards = self.size - visited < layer;
            let part = |part: u64| {
                if context.should_stop() { 0 } else { self.expand(part, depth, backwards, entries) }
            };
            let parts = self.size.div_ceil(ENTRIES_AT_A_TIME);
            layer = if self.size >= LEAST_SHARED {
                (0..parts).into_par_iter().map(part).sum()
            } else {
                (0..parts).map(part).sum()
            };
            if context.should_stop() {
                return None;
            }
            visited += layer;
            if self.size >= LEAST_SHARED {
                context.progress(&Progress { what: entries.what(), done: visited, total: self.size });
            }
            // The next depth is the value of unvisited entries, so four bits are not enough.
            if layer > 0 && depth + 1 == Self::UNVISITED && BITS == 4 {
                return Some(Filled::TooDeep);
            }
            if layer == 0 {
                break;
            }
        }
        Some(Filled::Complete(self.entries.into_iter().map(AtomicU8::into_inner).collect()))
    }

    /// Expands a part of a layer forwards, or finds which entries of a part are in the next layer. Returns the number
    /// of new entries.
    fn expand(&self, part: u64, depth: u8, backwards: bool, entries: &impl Entries) -> u64 {
        let mut at = entries.cursor();
        let mut new = 0;
        let wanted = if backwards { Self::UNVISITED } else { depth };
        for number in part * ENTRIES_AT_A_TIME..self.size.min((part + 1) * ENTRIES_AT_A_TIME) {
            if self.entry(number) != wanted {
                continue;
            }
            if backwards {
                let mut found = false;
                entries.visit(&mut at, number, |neighbor| {
                    found = self.entry(neighbor) == depth;
                    found
                });
                new += u64::from(found && self.visit(number, depth + 1));
            } else {
                entries.visit(&mut at, number, |neighbor| {
                    if self.entry(neighbor) == Self::UNVISITED {
                        new += self.visit_same(neighbor, depth + 1, entries);
                    }
                    false
                });
            }
        }
        new
    }
}
