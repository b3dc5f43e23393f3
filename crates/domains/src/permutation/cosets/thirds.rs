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
//! number. So their entries are looked up together, as a set of bits: `groups`. And the powers of a generator take classes to
//! each other, so what is found in one of them is found for all: `cliques`.

use super::arrangement::Numbering;
use super::cliques::{self, Kinds};
use super::groups::{Groups, UNVISITED};
use super::rest::Rest;
use super::{Cosets, PER_BYTE};
use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::permutation::patterns::build::Entries;
use crate::search::LazyPool;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The greatest distance.
const MOST: u8 = u8::MAX - 2;

/// How many entries are looked at in the time in which one is set, and in which a group is gathered and scattered.
const FORWARDS: u64 = 2;
const GROUPS: u64 = 4;

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
    pool.run(|| {
        let mut bytes = vec![u8::MAX; bytes as usize];
        Filling::new(cosets, &mut bytes).fill(context)?;
        Some(Table::new(Bytes::Owned(bytes), false))
    })
}

/// A table under construction.
struct Filling<'a> {
    cosets: &'a Cosets,
    /// For each class, its entries, four in a byte. A thread holds one row at a time.
    rows: Vec<Mutex<&'a mut [u8]>>,
    /// For each class, the last distance of which it may have entries.
    last: Vec<AtomicU8>,
    /// For each symmetry that keeps the colours and each move, the image of each arrangement of the rest after the move.
    maps: Vec<Vec<u32>>,
    /// The groups of entries, and for each class the cliques that begin there.
    groups: Option<(Groups, Vec<Kinds>)>,
    /// For the bytes of a row that are looked at together, the least bit of each entry that is an arrangement.
    arrangements: Vec<u64>,
}

/// How the next layer is found.
#[derive(Clone, Copy)]
enum Direction {
    /// From each entry of the last layer.
    Forwards,
    /// From each unvisited entry.
    Backwards,
    /// In cliques, by groups of entries.
    InCliques,
}

/// Lists that a thread uses again and again.
#[derive(Default)]
struct Lists {
    wanted: Vec<u32>,
    /// For each group, a set of bits.
    sets: Vec<u64>,
}

impl<'a> Filling<'a> {
    fn new(cosets: &'a Cosets, bytes: &'a mut [u8]) -> Filling<'a> {
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
        // Entries without an arrangement count as visited.
        let none: Vec<u32> = (0..cosets.stride).filter(|&entry| is_none(entry)).map(|entry| entry as u32).collect();
        let length = (cosets.stride / PER_BYTE) as usize;
        let mut row = vec![u8::MAX; length];
        Self::change(&mut row, &none, UNVISITED);
        let filled = |of: &'a mut [u8]| {
            of.copy_from_slice(&row);
            Mutex::new(of)
        };
        Filling {
            cosets,
            rows: bytes.chunks_exact_mut(length).map(filled).collect(),
            last: (0..cosets.leading.classes()).map(|_| AtomicU8::new(0)).collect(),
            groups: Groups::new(&maps, (outer, inner, group)).zip(cliques::starts(cosets)),
            maps,
            arrangements,
        }
    }

    #[inline]
    fn is(row: &[u8], rest: u32, entry: u8) -> bool {
        row[(rest / 4) as usize] >> (rest % 4 * 2) & 3 == entry
    }

    /// Sets an entry if it is unvisited, and returns whether it was.
    #[inline]
    fn visit(row: &mut [u8], rest: u32, entry: u8) -> bool {
        let is_new = Self::is(row, rest, UNVISITED);
        row[(rest / 4) as usize] ^= if is_new { (UNVISITED ^ entry) << (rest % 4 * 2) } else { 0 };
        is_new
    }

    /// Changes bits of entries.
    fn change(row: &mut [u8], rests: &[u32], bits: u8) {
        rests.iter().for_each(|rest| row[(rest / 4) as usize] ^= bits << (rest % 4 * 2));
    }

    /// Returns the direction in which the next layer is found in the least time.
    fn direction(&self, layer: u64, unvisited: u64) -> Direction {
        let (all, moves) = (self.cosets.leading.classes() * self.cosets.rest.count(), self.cosets.moves as u64);
        // An unvisited entry looks at the neighbours until one is in the last layer.
        let backwards = unvisited.saturating_mul(moves.min(all / layer));
        let in_cliques = self.groups.as_ref().map_or(u64::MAX, |(groups, _)| {
            self.cosets.leading.classes() * (self.cosets.cliques.len() * groups.count()) as u64 * GROUPS
        });
        let forwards = layer.saturating_mul(moves * FORWARDS);
        match forwards.min(backwards).min(in_cliques) {
            least if least == forwards => Direction::Forwards,
            least if least == backwards => Direction::Backwards,
            _ => Direction::InCliques,
        }
    }

    fn fill(&self, context: &BuildContext) -> Option<()> {
        let classes = self.cosets.leading.classes() as u32;
        let all = u64::from(classes) * self.cosets.rest.count();
        // The symmetries keep the solved arrangement.
        let mut layer = u64::from(Self::visit(&mut self.rows[0].lock(), 0, 0));
        let mut visited = layer;
        for distance in 0..MOST {
            let direction = self.direction(layer, all - visited);
            let class = |lists: &mut Lists, class: u32| match direction {
                _ if context.should_stop() => 0,
                Direction::Forwards => self.expand(class, distance, &mut lists.wanted),
                Direction::Backwards => self.look_back(class, distance, &mut lists.wanted),
                Direction::InCliques => self.look_in_cliques(class, distance, &mut lists.sets),
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

    /// Lists the arrangements of a row with an entry.
    fn list(&self, row: &[u8], entry: u8, wanted: &mut Vec<u32>) {
        wanted.clear();
        let same = LEAST_BITS * u64::from(entry);
        for ((number, bytes), arrangements) in (0..).zip(row.chunks(TOGETHER)).zip(&self.arrangements) {
            let mut word = [0; TOGETHER];
            word[..bytes.len()].copy_from_slice(bytes);
            let differs = u64::from_le_bytes(word) ^ same;
            let mut equal = !(differs | differs >> 1) & arrangements;
            while equal != 0 {
                wanted.push(number * PER_WORD as u32 + equal.trailing_zeros() / 2);
                equal &= equal - 1;
            }
        }
    }

    /// Returns the class after a move, and the number of the map of the arrangements.
    #[inline]
    fn after(&self, class: u32, each_move: usize) -> (usize, usize) {
        let (to, keeping) = Numbering::split(self.cosets.leading.row(class)[each_move]);
        (to as usize, usize::from(keeping) * self.cosets.moves + each_move)
    }

    /// Expands the entries of a class in the layer. Entries of layers before with the same remainder find nothing new.
    /// Returns the number of new entries.
    fn expand(&self, class: u32, distance: u8, wanted: &mut Vec<u32>) -> u64 {
        if self.last[class as usize].load(Relaxed) < distance {
            return 0;
        }
        self.list(&self.rows[class as usize].lock(), distance % 3, wanted);
        let entry = (distance + 1) % 3;
        let mut new = 0;
        for each_move in 0..self.cosets.moves {
            let (to, map) = self.after(class, each_move);
            let (map, mut row) = (&self.maps[map], self.rows[to].lock());
            let before = new;
            for &rest in &*wanted {
                let rest = map[rest as usize];
                if !Self::visit(&mut row, rest, entry) {
                    continue;
                }
                new += 1;
                let mut stabiliser = self.cosets.leading.stabilisers[to] & !1;
                while stabiliser != 0 {
                    let of = &self.cosets.rest;
                    let same = of.number(of.mapped(of.numbered(rest.into()), stabiliser.trailing_zeros() as u8));
                    new += u64::from(Self::visit(&mut row, same as u32, entry));
                    stabiliser &= stabiliser - 1;
                }
            }
            if new > before {
                self.last[to].store(distance + 1, Relaxed);
            }
        }
        new
    }

    /// Finds which unvisited entries of a class are in the next layer. Returns the number of these.
    fn look_back(&self, class: u32, distance: u8, wanted: &mut Vec<u32>) -> u64 {
        let (last, next) = (distance % 3, (distance + 1) % 3);
        let own = &self.rows[class as usize];
        self.list(&own.lock(), UNVISITED, wanted);
        let all = wanted.len();
        // All are marked, and those that are not found are unmarked again: others ask for entries of the last layer alone.
        Self::change(&mut own.lock(), wanted, UNVISITED ^ next);
        for each_move in 0..self.cosets.moves {
            let (to, map) = self.after(class, each_move);
            let (map, row) = (&self.maps[map], self.rows[to].lock());
            // Without a branch on what the processor cannot foresee.
            let mut left = 0;
            for at in 0..wanted.len() {
                let rest = wanted[at];
                wanted[left] = rest;
                left += usize::from(!Self::is(&row, map[rest as usize], last));
            }
            wanted.truncate(left);
        }
        Self::change(&mut own.lock(), wanted, UNVISITED ^ next);
        let new = (all - wanted.len()) as u64;
        if new > 0 {
            self.last[class as usize].store(distance + 1, Relaxed);
        }
        new
    }

    /// Finds which unvisited entries of the classes in cliques are in the next layer. Returns the number of these.
    fn look_in_cliques(&self, class: u32, distance: u8, sets: &mut Vec<u64>) -> u64 {
        let Some((groups, starts)) = &self.groups else { return 0 };
        let (last, next) = (distance % 3, (distance + 1) % 3);
        let mut all = 0;
        let kinds = self.cosets.cliques.iter().enumerate();
        for (_, moves) in kinds.filter(|(number, _)| starts[class as usize] >> number & 1 == 1) {
            let members = || {
                let others = moves.iter().map(|&each_move| self.after(class, usize::from(each_move)));
                std::iter::once((class as usize, groups.same())).chain(others)
            };
            sets.clear();
            sets.resize(groups.count(), 0);
            members().for_each(|(member, map)| groups.gather(&self.rows[member].lock(), map, last, sets));
            for (member, map) in members() {
                let new = groups.scatter(&mut self.rows[member].lock(), map, next, sets);
                if new > 0 {
                    self.last[member].store(distance + 1, Relaxed);
                }
                all += new;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation::tests::cosets::finer_puzzles;

    #[test]
    fn cliques_find_what_entries_find() {
        let mut kinds = Vec::new();
        for cosets in finer_puzzles().into_iter().filter(|cosets| cosets.rest.counts().1 > 1) {
            let context = BuildContext::default();
            let expected = build(&cosets, &LazyPool::new(None), &context).expect("no limit applies");
            let mut bytes = vec![0; bytes(&cosets) as usize];
            let mut filling = Filling::new(&cosets, &mut bytes);
            assert!(filling.groups.is_none(), "the expected entries were found by groups as well");
            let groups = Groups::of(&filling.maps, cosets.rest.counts());
            filling.groups = cliques::starts(&cosets).map(|starts| (groups, starts));
            Filling::visit(&mut filling.rows[0].lock(), 0, 0);
            let mut sets = Vec::new();
            for distance in 0..MOST {
                let classes = 0..cosets.leading.classes() as u32;
                if classes.map(|class| filling.look_in_cliques(class, distance, &mut sets)).sum::<u64>() == 0 {
                    break;
                }
            }
            drop(filling);
            assert!(bytes == expected.bytes(), "the tables differ");
            kinds.push(cosets.cliques.len());
        }
        assert_eq!(kinds, [2, 4], "by all powers of a generator, and by single moves");
    }
}
