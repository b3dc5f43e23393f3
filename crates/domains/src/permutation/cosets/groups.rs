//! Groups of entries that are looked up together while a table of finer colours is filled: those with the same first number
//! of a [pair](super::rest). A move maps a group to a group, and permutes its entries in the same way in all groups. So the
//! unvisited entries of a group are a set of bits, and the bytes of the other group give those that have a neighbour in the
//! last layer, by one table for each two bytes.

use super::PER_BYTE;
use super::thirds::{LEAST_BITS, UNVISITED};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The number of sets of the entries in two bytes.
const SETS: usize = 1 << (2 * PER_BYTE);

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
    /// For each two bytes of a group, and each set of their entries: the entries that go to one of these, as a set of bits.
    /// In the first set, those of both bytes take turns.
    from: Vec<[u64; SETS]>,
}

/// What finds the neighbours of groups of one byte, two bytes, and so on.
const FIND: [fn(&[AtomicU8], &Map, u8, &mut [u64]); MOST_BYTES] = [
    find::<1>, find::<2>, find::<3>, find::<4>, find::<5>, find::<6>, find::<7>, find::<8>, find::<9>, find::<10>,
    find::<11>, find::<12>, find::<13>, find::<14>, find::<15>, find::<16>,
];

/// The greatest number of bytes of a group: a set has a bit for each entry.
const MOST_BYTES: usize = u64::BITS as usize / PER_BYTE as usize;

/// Takes the entries of groups of some bytes out of the sets that have a neighbour in the bytes that their group goes to.
fn find<const GROUP: usize>(row: &[AtomicU8], map: &Map, last: u8, sets: &mut [u64]) {
    let tables = &map.from[..GROUP.div_ceil(2)];
    let same = LEAST_BITS * u64::from(last);
    for (set, &to) in sets.iter_mut().zip(&map.to).filter(|(set, _)| **set != 0) {
        let Some(group) = row[to as usize..].first_chunk::<GROUP>() else { return };
        let mut bytes = [0; MOST_BYTES];
        bytes.iter_mut().zip(group).for_each(|(byte, held)| *byte = held.load(Relaxed));
        let (words, _) = bytes.as_chunks();
        let mut found = 0;
        for (&word, tables) in words.iter().zip(tables.chunks(4)) {
            let differs = u64::from_le_bytes(word) ^ same;
            let equal = !(differs | differs >> 1) & LEAST_BITS;
            // The entries of each second byte come between those of the byte before.
            let equal = equal | equal >> 7;
            for (at, table) in tables.iter().enumerate() {
                found |= table[usize::from((equal >> (16 * at)) as u8)];
            }
        }
        *set &= !found;
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
            let mut from = vec![[0; SETS]; bytes.div_ceil(2)];
            for inner in 0..inner as usize {
                let at = map[inner] as usize % group as usize;
                let (byte, at) = (at / PER_BYTE as usize, at % PER_BYTE as usize);
                for (set, entries) in from[byte / 2].iter_mut().enumerate() {
                    *entries |= (set as u64 >> (2 * at + byte % 2) & 1) << inner;
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
        FIND[self.bytes - 1](row, &self.maps[map], last, sets);
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
