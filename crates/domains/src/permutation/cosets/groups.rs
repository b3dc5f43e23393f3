//! Groups of entries that are looked up together while a table of finer colours is filled: those with the same first number
//! of a [pair](super::rest). A move maps a group to a group, and permutes its entries in the same way in all groups. So the
//! unvisited entries of a group are a set of bits, and the bytes of the other group give those that have a neighbour in the
//! last layer, by one table for each byte.

use super::PER_BYTE;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The value of an entry that is not visited.
pub(super) const UNVISITED: u8 = 3;

/// The values of a byte.
const BYTES: usize = 1 << u8::BITS;

/// The number of bytes that the processor fetches together.
const LINE: usize = 64;

/// How many groups there are at least: then the tables take no more memory than maps of all entries, four bytes each.
const LEAST_COUNT: u32 = 384;

/// The groups of a row, and how moves map them.
pub(super) struct Groups {
    /// The number of bytes of a group.
    bytes: usize,
    maps: Vec<Map>,
}

/// A move, followed by a symmetry.
struct Map {
    /// For each group, the first byte of the group that it goes to.
    to: Vec<u32>,
    /// For each remainder of a distance, each byte of a group, and each value of the byte: the entries that go to one in
    /// the byte with this remainder, as a set of bits.
    from: [Vec<[u64; BYTES]>; UNVISITED as usize],
}

/// A function that takes entries out of sets: see [`find`].
type Find = fn(&[AtomicU8], &[u32], &[[u64; BYTES]], &mut [u64]);

/// [`find`] for groups of one byte, two bytes, and so on.
const FIND: [Find; MOST_BYTES] = [
    find::<1>, find::<2>, find::<3>, find::<4>, find::<5>, find::<6>, find::<7>, find::<8>, find::<9>, find::<10>,
    find::<11>, find::<12>, find::<13>, find::<14>, find::<15>, find::<16>,
];

/// The greatest number of bytes of a group: a set has a bit for each entry.
const MOST_BYTES: usize = u64::BITS as usize / PER_BYTE as usize;

/// Takes the entries of groups of some bytes out of the sets that have a neighbour in the bytes that their group goes to.
fn find<const GROUP: usize>(row: &[AtomicU8], to: &[u32], tables: &[[u64; BYTES]], sets: &mut [u64]) {
    let Some(tables) = tables.first_chunk::<GROUP>() else { return };
    // The groups come in any order. Read in order before, all of the row is fetched at the same time.
    std::hint::black_box(row.iter().step_by(LINE).fold(0, |all, byte| all | byte.load(Relaxed)));
    for (set, &to) in sets.iter_mut().zip(to).filter(|(set, _)| **set != 0) {
        let Some(group) = row[to as usize..].first_chunk::<GROUP>() else { return };
        let found = tables.iter().zip(group).map(|(table, byte)| table[usize::from(byte.load(Relaxed))]);
        *set &= !found.fold(0, |found, entries| found | entries);
    }
}

/// Returns which of the entries in a byte have a value.
fn equal(byte: usize, entry: u8) -> impl Iterator<Item = usize> {
    (0..PER_BYTE as usize).filter(move |at| byte >> (2 * at) & 3 == usize::from(entry))
}

impl Groups {
    /// Returns the groups of these maps of all entries, or `None` if there are too few groups, or entries in them.
    pub fn new(maps: &[Vec<u32>], (outer, inner, group): (u32, u32, u64)) -> Option<Groups> {
        if inner <= 1 || outer < LEAST_COUNT {
            return None;
        }
        let bytes = (group / PER_BYTE) as usize;
        let map = |map: &Vec<u32>| {
            let to = map.iter().step_by(group as usize).take(outer as usize);
            let to = to.map(|&to| to / group as u32 * bytes as u32).collect();
            let mut from: [Vec<[u64; BYTES]>; UNVISITED as usize] = Default::default();
            for (entry, tables) in (0..).zip(&mut from) {
                tables.resize(bytes, [0; BYTES]);
                for (inner, &to) in map.iter().take(inner as usize).enumerate() {
                    let at = to as usize % group as usize;
                    for (byte, entries) in tables[at / PER_BYTE as usize].iter_mut().enumerate() {
                        let is_equal = equal(byte, entry).any(|equal| equal == at % PER_BYTE as usize);
                        *entries |= u64::from(is_equal) << inner;
                    }
                }
            }
            Map { to, from }
        };
        Some(Groups { bytes, maps: maps.iter().map(map).collect() })
    }

    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.maps[0].to.len()
    }

    /// Lists the unvisited entries of each group of a row. Returns the number of all.
    pub fn list(&self, row: &[AtomicU8], sets: &mut Vec<u64>) -> u64 {
        sets.clear();
        let mut all = 0;
        for group in row.chunks_exact(self.bytes).take(self.count()) {
            let mut set = 0;
            for (at, byte) in group.iter().enumerate() {
                let byte = byte.load(Relaxed);
                // The lower bits of entries of which both bits are set, moved together.
                let both = byte & byte >> 1 & 0x55;
                let pairs = (both | both >> 1) & 0x33;
                set |= u64::from((pairs | pairs >> 2) & 15) << (at * PER_BYTE as usize);
            }
            all += u64::from(set.count_ones());
            sets.push(set);
        }
        all
    }

    /// Takes the entries out of the sets that a map takes to an entry of the last layer, in another row.
    pub fn find(&self, row: &[AtomicU8], map: usize, last: u8, sets: &mut [u64]) {
        // A loop for each number of bytes, so that the compiler unrolls it.
        let Map { to, from } = &self.maps[map];
        FIND[self.bytes - 1](row, to, &from[usize::from(last)], sets);
    }

    /// Sets the unvisited entries of a row that are no longer in the sets. Returns the number of these.
    pub fn mark(&self, row: &[AtomicU8], sets: &[u64], next: u8) -> u64 {
        let mut new = 0;
        for (group, &left) in row.chunks_exact(self.bytes).zip(sets) {
            for (at, byte) in group.iter().enumerate() {
                let before = byte.load(Relaxed);
                let left = left >> (at * PER_BYTE as usize);
                let mut after = before;
                for entry in equal(before.into(), UNVISITED).filter(|entry| left >> entry & 1 == 0) {
                    after ^= (UNVISITED ^ next) << (2 * entry);
                    new += 1;
                }
                if after != before {
                    byte.store(after, Relaxed);
                }
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SplitMix64;

    #[test]
    fn groups_find_what_entries_find() {
        // Groups of seven entries in two bytes, mapped to others, with their entries in another order.
        let (outer, inner, group) = (400_u32, 7_u32, 8_u64);
        let stride = outer * group as u32;
        let mut map: Vec<u32> = (0..stride).collect();
        for number in 0..outer {
            for at in 0..inner {
                map[(number * 8 + at) as usize] = (number * 3 + 5) % outer * 8 + (at * 2 + 1) % inner;
            }
        }
        let maps = [map];
        assert!(Groups::new(&maps, (outer, 1, 1)).is_none(), "there is nothing to look up together");
        assert!(Groups::new(&maps, (LEAST_COUNT - 1, inner, group)).is_none(), "there are too few");
        let groups = Groups::new(&maps, (outer, inner, group)).expect("there are enough groups");
        assert_eq!(groups.count(), 400);
        let mut random = SplitMix64::new(1);
        let mut row = || -> Vec<AtomicU8> {
            // The last entry of each group is none.
            let byte = |at: u32| random.below(256) as u8 & if at % 2 == 1 { 0x3f } else { 0xff };
            (0..stride / 4).map(byte).map(AtomicU8::new).collect()
        };
        let (own, other) = (row(), row());
        let entry = |row: &[AtomicU8], at: u32| row[at as usize / 4].load(Relaxed) >> (at % 4 * 2) & 3;
        let before: Vec<u8> = (0..stride).map(|at| entry(&own, at)).collect();
        for last in 0..UNVISITED {
            let next = (last + 1) % 3;
            let expected = (0..stride).map(|at| match entry(&other, maps[0][at as usize]) == last {
                true if before[at as usize] == UNVISITED => next,
                _ => before[at as usize],
            });
            let expected: Vec<u8> = expected.collect();
            let own: Vec<AtomicU8> = own.iter().map(|byte| AtomicU8::new(byte.load(Relaxed))).collect();
            let mut sets = Vec::new();
            let unvisited = before.iter().filter(|&&entry| entry == UNVISITED).count() as u64;
            assert_eq!(groups.list(&own, &mut sets), unvisited);
            groups.find(&other, 0, last, &mut sets);
            let new = groups.mark(&own, &sets, next);
            assert!((0..stride).map(|at| entry(&own, at)).eq(expected), "after a layer with remainder {last}");
            let left = (0..stride).filter(|&at| entry(&own, at) == UNVISITED).count() as u64;
            assert!(0 < left && left < unvisited, "some are found");
            assert_eq!(new, unvisited - left);
        }
    }
}
