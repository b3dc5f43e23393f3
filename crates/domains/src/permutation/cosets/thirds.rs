//! Tables with distances modulo 3, two bits each (Cooperman and Finkelstein 1992): a move changes a distance by one at
//! most, so an entry gives the distance of a neighbour, and the distance itself with a lower bound that is at most 2
//! less.
//!
//! The breadth-first search is that of other tables, but one class of the leading orbit at a time: all its arrangements
//! of the rest go by a move to those of one other class, and where they go depends on the move and one symmetry alone. So
//! a map for each of these pairs takes the place of ranking. It is read in order, and the entries of both classes fit into
//! the caches of the processor.
//!
//! Where arrangements of the rest are [pairs](super::rest), all second numbers of a first one go to those of one other first
//! number. So their entries are looked up together, as a set of bits: `groups`.

use super::arrangement::Numbering;
use super::groups::{Groups, UNVISITED};
use super::rest::Rest;
use super::{Cosets, PER_BYTE};
use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::permutation::patterns::build::Entries;
use crate::search::LazyPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The greatest distance.
const MOST: u8 = u8::MAX - 2;

/// How many entries are looked at in the time in which one is set that other threads may set as well, and in which a group
/// is looked at.
const FORWARDS: u64 = 3;
const GROUPS: u64 = 3;

/// The number of bytes that are looked at together, that of their entries, and the least bit of each.
const TOGETHER: usize = 8;
const PER_WORD: u64 = PER_BYTE * TOGETHER as u64;
const LEAST_BITS: u64 = u64::MAX / 3;

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
    let maps = cosets.keeping().len() as u64 * cosets.rest.count() * (cosets.moves * size_of::<u32>()) as u64;
    // Groups take as much as maps at most.
    if !context.fits(bytes + 2 * maps) {
        return None;
    }
    let is_alone = pool.threads() == 1;
    pool.run(|| {
        let filling = Filling::new(cosets, bytes, is_alone);
        filling.fill(context)?;
        let bytes = filling.entries.into_iter().map(AtomicU8::into_inner).collect();
        Some(Table::new(Bytes::Owned(bytes), false))
    })
}

/// A table under construction.
struct Filling<'a> {
    cosets: &'a Cosets,
    entries: Vec<AtomicU8>,
    /// For each class, the last distance of which it may have entries.
    last: Vec<AtomicU8>,
    /// For each symmetry that keeps the colours and each move, the image of each arrangement of the rest after the move.
    maps: Vec<Vec<u32>>,
    groups: Option<Groups>,
    is_alone: bool,
    /// For the bytes of a row that are looked at together, the least bit of each entry that is an arrangement.
    arrangements: Vec<u64>,
}

/// Lists that a thread uses again and again.
#[derive(Default)]
struct Lists {
    wanted: Vec<u32>,
    /// For each group, a set of bits.
    sets: Vec<u64>,
}

impl Filling<'_> {
    fn new(cosets: &Cosets, bytes: u64, is_alone: bool) -> Filling<'_> {
        let rest = &cosets.rest;
        let (outer, inner, group) = rest.counts();
        let map = |(keeping, each_move): (u8, usize)| {
            // An entry without an arrangement maps to itself.
            let mut map: Vec<u32> = (0..cosets.stride as u32).collect();
            for outer in 0..outer {
                for inner in 0..inner {
                    let pair = Rest::pair_from(outer, inner);
                    map[rest.number(pair) as usize] = rest.number(rest.after(pair, each_move, keeping)) as u32;
                }
            }
            map
        };
        let pairs = cosets.keeping().flat_map(|keeping| (0..cosets.moves).map(move |each_move| (keeping, each_move)));
        let maps: Vec<Vec<u32>> = pairs.map(map).collect();
        let is_none = |entry: u64| entry >= rest.entries() || entry % group >= u64::from(inner);
        let mut arrangements = vec![0; cosets.stride.div_ceil(PER_WORD) as usize];
        for entry in (0..cosets.stride).filter(|&entry| !is_none(entry)) {
            arrangements[(entry / PER_WORD) as usize] |= 1 << (2 * (entry % PER_WORD));
        }
        let filling = Filling {
            arrangements,
            is_alone,
            cosets,
            entries: (0..bytes).map(|_| AtomicU8::new(u8::MAX)).collect(),
            last: (0..cosets.leading.classes()).map(|_| AtomicU8::new(0)).collect(),
            groups: Groups::new(&maps, (outer, inner, group)),
            maps,
        };
        // Entries without an arrangement count as visited.
        let none: Vec<u32> = (0..cosets.stride).filter(|&entry| is_none(entry)).map(|entry| entry as u32).collect();
        for class in 0..cosets.leading.classes() as u32 {
            Self::change(filling.row(class), &none, UNVISITED);
        }
        filling
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

    /// Sets an entry if it is unvisited, and returns whether it was. A thread that is alone need not keep others out, so the
    /// processor need not wait for one entry after the other.
    #[inline]
    fn visit(&self, row: &[AtomicU8], rest: u32, entry: u8) -> bool {
        let (byte, shift) = (&row[(rest / 4) as usize], rest % 4 * 2);
        let kept = !((UNVISITED ^ entry) << shift);
        if !self.is_alone {
            return byte.fetch_and(kept, Relaxed) >> shift & 3 == UNVISITED;
        }
        let before = byte.load(Relaxed);
        byte.store(before & kept, Relaxed);
        before >> shift & 3 == UNVISITED
    }

    /// Changes bits of entries that no other thread changes meanwhile.
    fn change(row: &[AtomicU8], rests: &[u32], bits: u8) {
        for rest in rests {
            let byte = &row[(rest / 4) as usize];
            byte.store(byte.load(Relaxed) ^ bits << (rest % 4 * 2), Relaxed);
        }
    }

    fn fill(&self, context: &BuildContext) -> Option<()> {
        let (classes, moves) = (self.cosets.leading.classes(), self.cosets.moves as u64);
        let all = classes * self.cosets.rest.count();
        // How many looks at entries or groups it takes to look at all neighbours of all entries.
        let in_groups =
            self.groups.as_ref().map_or(u64::MAX, |groups| classes * groups.count() as u64 * moves * GROUPS);
        // The symmetries keep the solved arrangement.
        let mut layer = u64::from(self.visit(self.row(0), 0, 0));
        let mut visited = layer;
        for distance in 0..MOST {
            let unvisited = all - visited;
            // An unvisited entry looks at the neighbours until one is in the last layer.
            let looks = unvisited.saturating_mul(moves.min(all / layer)).min(in_groups);
            let backwards = looks < layer * moves * FORWARDS;
            let class = |lists: &mut Lists, class: u64| match context.should_stop() {
                true => 0,
                false if backwards => self.expand_backwards(class as u32, distance, lists),
                false => self.expand(class as u32, distance, &mut lists.wanted),
            };
            layer = (0..classes).into_par_iter().map_init(Lists::default, class).sum();
            if context.should_stop() {
                return None;
            }
            visited += layer;
            context.progress(&Progress { what: self.cosets.what(), done: visited, total: all });
            if layer == 0 {
                return Some(());
            }
        }
        None
    }

    /// Lists the arrangements of a class with an entry.
    fn list(&self, class: u32, entry: u8, wanted: &mut Vec<u32>) {
        wanted.clear();
        let same = LEAST_BITS * u64::from(entry);
        for ((number, bytes), arrangements) in (0..).zip(self.row(class).chunks(TOGETHER)).zip(&self.arrangements) {
            let word = (0..).zip(bytes).fold(0, |word, (at, byte)| word | u64::from(byte.load(Relaxed)) << (8 * at));
            let differs = word ^ same;
            let mut equal = !(differs | differs >> 1) & arrangements;
            while equal != 0 {
                wanted.push(number * PER_WORD as u32 + equal.trailing_zeros() / 2);
                equal &= equal - 1;
            }
        }
    }

    /// Returns the class after a move, its entries, and the number of the map of the arrangements.
    #[inline]
    fn after_move(&self, class: u32, each_move: usize) -> (u32, &[AtomicU8], usize) {
        let (to, keeping) = Numbering::split(self.cosets.leading.row(class)[each_move]);
        (to, self.row(to), usize::from(keeping) * self.cosets.moves + each_move)
    }

    /// Returns the class after a move, its entries, and the map of the arrangements.
    #[inline]
    fn after(&self, class: u32, each_move: usize) -> (u32, &[AtomicU8], &[u32]) {
        let (to, row, map) = self.after_move(class, each_move);
        (to, row, &self.maps[map])
    }

    /// Expands the entries of a class in the layer. Entries of layers before with the same remainder find nothing new.
    /// Returns the number of new entries.
    fn expand(&self, class: u32, distance: u8, wanted: &mut Vec<u32>) -> u64 {
        if self.last[class as usize].load(Relaxed) < distance {
            return 0;
        }
        self.list(class, distance % 3, wanted);
        let entry = (distance + 1) % 3;
        let mut new = 0;
        for each_move in 0..self.cosets.moves {
            let (to, row, map) = self.after(class, each_move);
            let before = new;
            for &rest in &*wanted {
                let rest = map[rest as usize];
                if !Self::is(row, rest, UNVISITED) {
                    continue;
                }
                new += u64::from(self.visit(row, rest, entry));
                let mut stabiliser = self.cosets.leading.stabilisers[to as usize] & !1;
                while stabiliser != 0 {
                    let of = &self.cosets.rest;
                    let same = of.number(of.mapped(of.numbered(rest.into()), stabiliser.trailing_zeros() as u8));
                    new += u64::from(self.visit(row, same as u32, entry));
                    stabiliser &= stabiliser - 1;
                }
            }
            if new > before {
                self.last[to as usize].store(distance + 1, Relaxed);
            }
        }
        new
    }

    /// Finds which unvisited entries of a class are in the next layer. Returns the number of these.
    fn expand_backwards(&self, class: u32, distance: u8, lists: &mut Lists) -> u64 {
        let (own, entries) = (self.row(class), (distance % 3, (distance + 1) % 3));
        let new = match &self.groups {
            Some(groups) if groups.list(own, &mut lists.sets) >= GROUPS * groups.count() as u64 => {
                for each_move in 0..self.cosets.moves {
                    let (_, row, map) = self.after_move(class, each_move);
                    groups.find(row, map, entries.0, &mut lists.sets);
                }
                groups.mark(own, &lists.sets, entries.1)
            }
            _ => self.look_back(class, entries, &mut lists.wanted),
        };
        if new > 0 {
            self.last[class as usize].store(distance + 1, Relaxed);
        }
        new
    }

    /// Does so entry by entry, given the entries of both layers.
    fn look_back(&self, class: u32, (last, next): (u8, u8), wanted: &mut Vec<u32>) -> u64 {
        self.list(class, UNVISITED, wanted);
        let (own, all) = (self.row(class), wanted.len());
        // All are marked, and those that are not found are unmarked again: others ask for entries of the last layer alone.
        Self::change(own, wanted, UNVISITED ^ next);
        for each_move in 0..self.cosets.moves {
            let (_, row, map) = self.after(class, each_move);
            let mut left = 0;
            for at in 0..wanted.len() {
                let rest = wanted[at];
                wanted[left] = rest;
                left += usize::from(!Self::is(row, map[rest as usize], last));
            }
            wanted.truncate(left);
        }
        Self::change(own, wanted, UNVISITED ^ next);
        (all - wanted.len()) as u64
    }
}
