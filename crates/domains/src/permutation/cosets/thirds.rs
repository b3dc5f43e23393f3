//! Tables with distances modulo 3, two bits each (Cooperman and Finkelstein 1992): a move changes a distance by one at
//! most, so an entry gives the distance of a neighbour, and the distance itself with a lower bound that is at most 2
//! less.
//!
//! The breadth-first search is that of other tables, but one move at a time: after it, all arrangements of the rest of one
//! class of the leading orbit are in one other class, at places that depend on the symmetry alone. So one map serves all
//! classes with this symmetry, and with the entries of both classes it fits into the caches of the processor.

use super::arrangement::Numbering;
use super::{Cosets, PER_BYTE};
use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::permutation::patterns::build::Entries;
use crate::search::LazyPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The entry of what is not visited.
const UNVISITED: u8 = 3;

/// The greatest distance.
const MOST: u8 = u8::MAX - 2;

/// Returns an entry.
#[inline]
pub(super) fn entry(bytes: &[u8], number: u64) -> u8 {
    bytes[(number / PER_BYTE) as usize] >> (number % PER_BYTE * 2) & 3
}

/// Returns the size of the table of a pattern in bytes.
pub(in super::super) fn bytes(cosets: &Cosets) -> u64 {
    cosets.size() / PER_BYTE
}

/// Returns the least distance with this entry that is at least `least`.
#[inline]
pub(super) fn at_least(entry: u8, least: u8) -> u8 {
    let ahead = (u32::from(entry) + 2 * u32::from(least)) % 3;
    least.saturating_add(ahead as u8)
}

/// Fills the table of a pattern. Returns `None` if it is stopped, or if distances are too great.
pub(in super::super) fn build(cosets: &Cosets, pool: &LazyPool, context: &BuildContext) -> Option<Table> {
    let bytes = bytes(cosets);
    if !context.fits(bytes) {
        return None;
    }
    pool.run(|| {
        let filling = Filling::new(cosets, bytes);
        filling.fill(context)?;
        let bytes = filling.entries.into_iter().map(AtomicU8::into_inner).collect();
        Some(Table::new(Bytes::Owned(bytes), false))
    })
}

/// The number of bytes that are looked at together, and the least bit of each of their entries.
const TOGETHER: usize = 8;
const LEAST_BITS: u64 = u64::MAX / 3;

/// A table under construction.
struct Filling<'a> {
    cosets: &'a Cosets,
    entries: Vec<AtomicU8>,
    /// For each class, the last distance of which it may have entries.
    last: Vec<AtomicU8>,
    rests: usize,
}

/// A move from all classes that it leads to another one by the same symmetry.
struct Step<'a> {
    each_move: usize,
    keeping: u8,
    /// For each arrangement of the rest, the one after the move.
    map: &'a [u32],
    distance: u8,
}

impl Filling<'_> {
    fn new(cosets: &Cosets, bytes: u64) -> Filling<'_> {
        Filling {
            cosets,
            entries: (0..bytes).map(|_| AtomicU8::new(u8::MAX)).collect(),
            last: (0..cosets.leading.classes()).map(|_| AtomicU8::new(0)).collect(),
            rests: cosets.rest.classes() as usize,
        }
    }

    /// Returns the entries of a class, four in a byte.
    #[inline]
    fn row(&self, class: u32) -> &[AtomicU8] {
        let length = (self.cosets.stride / PER_BYTE) as usize;
        &self.entries[class as usize * length..(class as usize + 1) * length]
    }

    #[inline]
    fn is(row: &[AtomicU8], rest: u32, entry: u8) -> bool {
        row[(rest / 4) as usize].load(Relaxed) >> (rest % 4 * 2) & 3 == entry
    }

    /// Sets an entry if it is unvisited, and returns whether it was.
    #[inline]
    fn visit(row: &[AtomicU8], rest: u32, entry: u8) -> bool {
        let shift = rest % 4 * 2;
        let before = row[(rest / 4) as usize].fetch_and(!((UNVISITED ^ entry) << shift), Relaxed);
        before >> shift & 3 == UNVISITED
    }

    fn fill(&self, context: &BuildContext) -> Option<()> {
        let (classes, moves) = (self.cosets.leading.classes(), self.cosets.moves as u64);
        let all = classes * self.rests as u64;
        // The symmetries keep the solved arrangement.
        let mut layer = u64::from(Self::visit(self.row(0), 0, 0));
        let mut visited = layer;
        for distance in 0..MOST {
            let unvisited = all - visited;
            // An unvisited entry looks at the neighbours until one is in the last layer.
            let backwards = unvisited.saturating_mul(moves.min(all / layer)) < layer * moves;
            layer = self.next_layer(distance, backwards, context)?;
            visited += layer;
            context.progress(&Progress { what: self.cosets.what(), done: visited, total: all });
            if layer == 0 {
                return Some(());
            }
        }
        None
    }

    /// Finds the next layer. Returns the number of its entries, or `None` if it is stopped.
    fn next_layer(&self, distance: u8, backwards: bool, context: &BuildContext) -> Option<u64> {
        let moves = self.cosets.moves;
        let mut map = vec![0; self.rests];
        let mut new = 0;
        let all = (0..moves).flat_map(|each_move| self.cosets.keeping().map(move |keeping| (each_move, keeping)));
        for (each_move, keeping) in all {
            if context.should_stop() {
                return None;
            }
            let mapped = self.cosets.mapped(keeping);
            for (rest, after) in map.iter_mut().enumerate() {
                *after = mapped[self.cosets.rest_next[rest * moves + each_move] as usize];
            }
            let step = Step { each_move, keeping, map: &map, distance };
            let class = |class: u32| match self.after(class, &step) {
                None => 0,
                Some(to) if backwards => self.expand_backwards(class, to, &step),
                Some(to) => self.expand(class, to, &step),
            };
            new += (0..self.cosets.leading.classes() as u32).into_par_iter().map(class).sum::<u64>();
        }
        Some(new)
    }

    /// Returns the class after a step, if the step is one from this class.
    #[inline]
    fn after(&self, class: u32, step: &Step) -> Option<u32> {
        let (to, keeping) = Numbering::split(self.cosets.leading.row(class)[step.each_move]);
        (keeping == step.keeping).then_some(to)
    }

    /// Calls `each` with the number of the first of some arrangements, and a bit for each of them that has an entry.
    #[inline]
    fn each(&self, row: &[AtomicU8], entry: u8, mut each: impl FnMut(usize, u64)) {
        let same = LEAST_BITS * u64::from(entry);
        for (number, bytes) in row.chunks(TOGETHER).enumerate() {
            let word = (0..).zip(bytes).fold(0, |word, (at, byte)| word | u64::from(byte.load(Relaxed)) << (8 * at));
            let differs = word ^ same;
            let first = number * TOGETHER * PER_BYTE as usize;
            let count = (bytes.len() * PER_BYTE as usize).min(self.rests - first) as u32;
            let equal = !(differs | differs >> 1) & LEAST_BITS & u64::MAX >> (u64::BITS - 2 * count);
            if equal != 0 {
                each(first, equal);
            }
        }
    }

    /// Expands the entries of a class in the layer by a step. Entries of layers before with the same remainder find
    /// nothing new. Returns the number of new entries.
    fn expand(&self, class: u32, to: u32, step: &Step) -> u64 {
        if self.last[class as usize].load(Relaxed) < step.distance {
            return 0;
        }
        let row = self.row(to);
        let stabilisers = self.cosets.leading.stabilisers[to as usize] & !1;
        let entry = (step.distance + 1) % 3;
        let mut new = 0;
        self.each(self.row(class), step.distance % 3, |first, mut expanded| {
            while expanded != 0 {
                let rest = step.map[first + expanded.trailing_zeros() as usize / 2];
                expanded &= expanded - 1;
                if !Self::is(row, rest, UNVISITED) {
                    continue;
                }
                new += u64::from(Self::visit(row, rest, entry));
                let mut stabiliser = stabilisers;
                while stabiliser != 0 {
                    let same = self.cosets.mapped(stabiliser.trailing_zeros() as u8)[rest as usize];
                    new += u64::from(Self::visit(row, same, entry));
                    stabiliser &= stabiliser - 1;
                }
            }
        });
        if new > 0 {
            self.last[to as usize].store(step.distance + 1, Relaxed);
        }
        new
    }

    /// Finds which unvisited entries of a class are in the next layer by a step. Returns the number of these. No other
    /// thread writes entries of the class meanwhile.
    fn expand_backwards(&self, class: u32, to: u32, step: &Step) -> u64 {
        let (own, row) = (self.row(class), self.row(to));
        let (last, next) = (step.distance % 3, (step.distance + 1) % 3);
        let mut new = 0;
        self.each(own, UNVISITED, |first, mut unvisited| {
            let mut found = 0;
            while unvisited != 0 {
                let bit = unvisited.trailing_zeros();
                let rest = step.map[first + bit as usize / 2];
                found |= u64::from(Self::is(row, rest, last)) << bit;
                unvisited &= unvisited - 1;
            }
            let changed = found * u64::from(UNVISITED ^ next);
            for (byte, changed) in own[first / PER_BYTE as usize..].iter().zip(changed.to_le_bytes()) {
                if changed != 0 {
                    byte.store(byte.load(Relaxed) ^ changed, Relaxed);
                }
            }
            new += u64::from(found.count_ones());
        });
        if new > 0 {
            self.last[class as usize].store(step.distance + 1, Relaxed);
        }
        new
    }
}
