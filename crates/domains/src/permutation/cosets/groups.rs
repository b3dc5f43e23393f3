//! Groups of entries that are looked up together while a table of finer colours is filled: those with the same first number
//! of a [pair](super::rest). A move maps a group to a group, and permutes its entries in the same way in all groups. So the
//! entries of a group with a value are a set of bits, and one table for each byte of a set permutes it.

use super::PER_BYTE;

/// The value of an entry that is not visited.
pub(super) const UNVISITED: u8 = 3;

/// The values of a byte.
const BYTES: usize = 1 << u8::BITS;

/// How many groups there are at least: then the tables take no more memory than maps of all entries, four bytes each.
const LEAST_COUNT: u32 = 384;

/// The greatest number of bytes of a group: a set has a bit for each entry.
const MOST_BYTES: usize = u64::BITS as usize / PER_BYTE as usize;

/// The lower bit of each entry of a group.
const LOWER: u128 = u128::MAX / 3;

/// The groups of a row, and how moves map them.
pub(super) struct Groups {
    /// The number of bytes of a group.
    bytes: usize,
    count: usize,
    /// Those of each symmetry and move, and last the one that changes nothing.
    maps: Vec<Map>,
}

/// A move, followed by a symmetry.
struct Map {
    /// For each group, the group that goes to it.
    from: Vec<u32>,
    /// The image of a set: for each of its bytes, that of each value.
    forth: Vec<[u64; BYTES]>,
    /// The set with an image, likewise.
    back: Vec<[u64; BYTES]>,
}

/// A function that adds to sets: see [`gather`].
type Gather = fn(&[u8], &[u32], &[[u64; BYTES]], u8, &mut [u64]);

/// A function that sets entries: see [`scatter`].
type Scatter = fn(&mut [u8], &[u32], &[[u64; BYTES]], u8, &[u64]) -> u64;

/// Both for groups of one byte, two bytes, and so on, so that the compiler unrolls their loops.
const LOOPS: [(Gather, Scatter); MOST_BYTES] = [
    (gather::<1>, scatter::<1>),
    (gather::<2>, scatter::<2>),
    (gather::<3>, scatter::<3>),
    (gather::<4>, scatter::<4>),
    (gather::<5>, scatter::<5>),
    (gather::<6>, scatter::<6>),
    (gather::<7>, scatter::<7>),
    (gather::<8>, scatter::<8>),
    (gather::<9>, scatter::<9>),
    (gather::<10>, scatter::<10>),
    (gather::<11>, scatter::<11>),
    (gather::<12>, scatter::<12>),
    (gather::<13>, scatter::<13>),
    (gather::<14>, scatter::<14>),
    (gather::<15>, scatter::<15>),
    (gather::<16>, scatter::<16>),
];

/// Adds the entries of a row with a value to the sets of the groups that go there.
fn gather<const GROUP: usize>(row: &[u8], from: &[u32], back: &[[u64; BYTES]], value: u8, sets: &mut [u64]) {
    for (group, &from) in row.as_chunks::<GROUP>().0.iter().zip(from) {
        let differs = word(group) ^ (LOWER * u128::from(value));
        sets[from as usize] |= image::<GROUP>(back, packed(!(differs | differs >> 1) & LOWER));
    }
}

/// Sets the unvisited entries of a row to which those of the sets go. Returns the number of these.
fn scatter<const GROUP: usize>(row: &mut [u8], from: &[u32], forth: &[[u64; BYTES]], value: u8, sets: &[u64]) -> u64 {
    let mut new = 0;
    for (group, &from) in row.as_chunks_mut::<GROUP>().0.iter_mut().zip(from) {
        let word = word(group);
        let found = spread(image::<GROUP>(forth, sets[from as usize])) & word & word >> 1;
        new += u64::from(found.count_ones());
        let after = word ^ (found * u128::from(UNVISITED ^ value));
        group.copy_from_slice(&after.to_le_bytes()[..GROUP]);
    }
    new
}

/// Returns the bytes of a group in a word.
#[inline]
fn word<const GROUP: usize>(group: &[u8; GROUP]) -> u128 {
    let mut bytes = [0; size_of::<u128>()];
    bytes[..GROUP].copy_from_slice(group);
    u128::from_le_bytes(bytes)
}

/// Returns the number of bytes of the set of a group.
const fn set_bytes(group: usize) -> usize {
    // Each eight bytes of the group make four.
    let rest = if group % 8 < 4 { group % 8 } else { 4 };
    group / 8 * 4 + rest
}

/// Returns the lower bits of entries as a set: in each half, those of the upper part lie between those of the lower one.
#[inline]
fn packed(lower: u128) -> u64 {
    let half = |half: u64| u64::from(half as u32 | (half >> 32 << 1) as u32);
    half(lower as u64) | half((lower >> 64) as u64) << 32
}

/// Returns the lower bits of the entries in a set.
#[inline]
fn spread(set: u64) -> u128 {
    let half = |half: u64| (half | half >> 1 << 32) & LOWER as u64;
    u128::from(half(set & u64::from(u32::MAX))) | u128::from(half(set >> 32)) << 64
}

/// Returns the image of a set, given that of each value of each byte.
#[inline]
fn image<const GROUP: usize>(tables: &[[u64; BYTES]], set: u64) -> u64 {
    let tables = &tables[..set_bytes(GROUP)];
    tables.iter().zip(set.to_le_bytes()).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
}

/// Returns the tables of an image, given the image of each entry.
fn tables(bytes: usize, images: impl Iterator<Item = (usize, usize)>) -> Vec<[u64; BYTES]> {
    let bit = |entry: usize| packed(1 << (2 * entry));
    let mut tables = vec![[0; BYTES]; set_bytes(bytes)];
    for (entry, image) in images {
        let at = bit(entry).trailing_zeros();
        for (byte, set) in tables[at as usize / 8].iter_mut().enumerate() {
            *set |= if byte >> (at % 8) & 1 == 1 { bit(image) } else { 0 };
        }
    }
    tables
}

impl Groups {
    /// Returns the groups of these maps of all entries, or `None` if there are too few groups, or entries in them.
    pub fn new(maps: &[Vec<u32>], counts: (u32, u32, u64)) -> Option<Groups> {
        let (outer, inner, _) = counts;
        (inner > 1 && outer >= LEAST_COUNT).then(|| Groups::of(maps, counts))
    }

    /// Returns the groups of these maps, which have several entries each.
    pub fn of(maps: &[Vec<u32>], (outer, inner, group): (u32, u32, u64)) -> Groups {
        let (group, count) = (group as usize, outer as usize);
        let bytes = group / PER_BYTE as usize;
        let map = |map: &Vec<u32>| {
            let mut from = vec![0; count];
            let to = map.iter().step_by(group).take(count);
            (0..).zip(to).for_each(|(at, &to)| from[to as usize / group] = at);
            let images = || (0..inner as usize).map(|entry| (entry, map[entry] as usize % group));
            Map { from, forth: tables(bytes, images()), back: tables(bytes, images().map(|(one, other)| (other, one))) }
        };
        let same: Vec<u32> = (0..maps[0].len() as u32).collect();
        Groups { bytes, count, maps: maps.iter().chain([&same]).map(map).collect() }
    }

    /// Returns the number of the map that changes nothing.
    pub fn same(&self) -> usize {
        self.maps.len() - 1
    }

    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds the entries that a map takes to one of the last layer, in another row, to a set for each group.
    pub fn gather(&self, row: &[u8], map: usize, last: u8, sets: &mut [u64]) {
        let Map { from, back, .. } = &self.maps[map];
        LOOPS[self.bytes - 1].0(row, from, back, last, sets);
    }

    /// Sets the unvisited entries of a row to which a map takes those of a set for each group. Returns the number of these.
    pub fn scatter(&self, row: &mut [u8], map: usize, next: u8, sets: &[u64]) -> u64 {
        let Map { from, forth, .. } = &self.maps[map];
        LOOPS[self.bytes - 1].1(row, from, forth, next, sets)
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
        let mut row = || -> Vec<u8> {
            // The last entry of each group is none.
            let byte = |at: u32| random.below(256) as u8 & if at % 2 == 1 { 0x3f } else { 0xff };
            (0..stride / 4).map(byte).collect()
        };
        let (own, other) = (row(), row());
        let entry = |row: &[u8], at: u32| row[at as usize / 4] >> (at % 4 * 2) & 3;
        for last in 0..UNVISITED {
            let next = (last + 1) % 3;
            // What the entries of one row find in the other one, and the other way round.
            let mut sets = vec![0; groups.count()];
            groups.gather(&other, 0, last, &mut sets);
            let mut found = own.clone();
            let new = groups.scatter(&mut found, groups.same(), next, &sets);
            let mut expected_new = 0;
            for at in (0..stride).filter(|at| at % 8 != 7) {
                let is_new = entry(&own, at) == UNVISITED && entry(&other, maps[0][at as usize]) == last;
                assert_eq!(entry(&found, at), if is_new { next } else { entry(&own, at) }, "{at} after {last}");
                expected_new += u64::from(is_new);
            }
            assert!(new == expected_new && new > 0);
            let mut sets = vec![0; groups.count()];
            groups.gather(&own, groups.same(), last, &mut sets);
            let mut found = other.clone();
            groups.scatter(&mut found, 0, next, &sets);
            for at in (0..stride).filter(|at| at % 8 != 7) {
                let to = maps[0][at as usize];
                let is_new = entry(&other, to) == UNVISITED && entry(&own, at) == last;
                assert_eq!(entry(&found, to), if is_new { next } else { entry(&other, to) }, "{at} before {last}");
            }
        }
    }
}
