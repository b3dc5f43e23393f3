//! Sets of cells as words, and packed keys as words, so that moving a whole class takes a few operations.
//!
//! A step is possible from the anchors `a` for which every `empty[a + front]` holds. For all anchors at once, this
//! takes one [`ahead`](Bits::ahead) and one `and` for each cell in front. The bits that `ahead` shifts in beyond the
//! edges (a word rotates) do not matter: the result is always masked by a set that was computed cell by cell.
//!
//! These are numbers rather than sets of the usual type: a board of up to 128 cells is one machine word, which shifts.

use crate::search::Stored;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

/// A set of cells.
pub(super) trait Bits:
    Copy + Eq + Hash + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + Send + Sync + 'static
{
    const EMPTY: Self;
    /// The number of cells for which there is room.
    const CELLS: usize = 8 * size_of::<Self>();

    fn single(cell: u32) -> Self;

    /// Returns the set of all `a` with `a + distance` in this set.
    fn ahead(self, distance: i32) -> Self;

    /// Returns the least cell; the set must not be empty.
    fn first(self) -> u32;

    /// Returns the set without its least cell.
    fn without_first(self) -> Self;

    /// Returns the set that a field of a packed key contains.
    fn load<K: Packed>(key: &K, field: &Field) -> Self;

    fn collect(cells: &[bool]) -> Self {
        let members = cells.iter().enumerate().filter(|&(_, &member)| member);
        members.fold(Self::EMPTY, |set, (cell, _)| set | Self::single(cell as u32))
    }

    /// Returns the number of cells.
    fn count(self) -> u32;

    /// Calls `each` with every cell, in ascending order.
    #[inline]
    fn for_each(mut self, mut each: impl FnMut(u32)) {
        while self != Self::EMPTY {
            each(self.first());
            self = self.without_first();
        }
    }
}

macro_rules! one_word {
    ($word:ty) => {
        impl Bits for $word {
            const EMPTY: $word = 0;

            #[inline]
            fn single(cell: u32) -> $word {
                1 << cell
            }

            #[inline]
            fn ahead(self, distance: i32) -> $word {
                self.rotate_right(distance as u32)
            }

            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn without_first(self) -> $word {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn load<K: Packed>(key: &K, field: &Field) -> $word {
                if !field.is_set {
                    return 1 << ((key.word(field.at) & field.mask) as u32 + field.min);
                }
                let mut set = <$word>::from(key.word(field.at) & field.mask);
                if field.width > 64 {
                    let beyond = key.word(field.at + 64) & (u64::MAX >> (128 - field.width));
                    set |= <$word>::from(beyond).unbounded_shl(64);
                }
                set << field.min
            }
        }
    };
}

one_word!(u64);
one_word!(u128);

/// A set of up to 64 N cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> BitAnd for Wide<N> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Wide(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const N: usize> BitOr for Wide<N> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Wide(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const N: usize> Not for Wide<N> {
    type Output = Self;

    fn not(self) -> Self {
        Wide(self.0.map(|word| !word))
    }
}

impl<const N: usize> Bits for Wide<N> {
    const EMPTY: Self = Wide([0; N]);

    fn single(cell: u32) -> Self {
        let mut words = [0; N];
        words[cell as usize / 64] = 1 << (cell % 64);
        Wide(words)
    }

    fn ahead(self, distance: i32) -> Self {
        let (whole, part) = (distance.div_euclid(64) as isize, distance.rem_euclid(64) as u32);
        let word = |at: Option<usize>| at.and_then(|at| self.0.get(at)).copied().unwrap_or(0);
        Wide(std::array::from_fn(|at| {
            let low = word(at.checked_add_signed(whole)) >> part;
            let high = word(at.checked_add_signed(whole + 1)).checked_shl(64 - part).unwrap_or(0);
            low | high
        }))
    }

    fn first(self) -> u32 {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        word as u32 * 64 + self.0[word].trailing_zeros()
    }

    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn collect(cells: &[bool]) -> Self {
        let mut words = [0; N];
        for (cell, _) in cells.iter().enumerate().filter(|&(_, &member)| member) {
            words[cell / 64] |= 1 << (cell % 64);
        }
        Wide(words)
    }

    fn load<K: Packed>(key: &K, field: &Field) -> Self {
        if !field.is_set {
            return Self::single((key.word(field.at) & field.mask) as u32 + field.min);
        }
        let mut words = [0; N];
        let mut left = field.width;
        for word in &mut words {
            let mask = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            *word = if left == 0 { 0 } else { key.word(field.at + field.width - left) & mask };
            left = left.saturating_sub(64);
        }
        Wide(words).ahead(-(field.min as i32))
    }
}

/// The field of a key with the anchors of a class: a set, or, for a single piece, a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// The first bit.
    pub at: u32,
    /// The number of bits.
    pub width: u32,
    /// The low `width` bits, at most 64 of them.
    pub mask: u64,
    /// The least anchor of the class: the meaning of a set's first bit, and of the number 0.
    pub min: u32,
    pub is_set: bool,
}

impl Field {
    /// Returns the field, from bit `at` on, for `count` pieces with these placements.
    pub fn new(placements: &[bool], count: usize, at: u32) -> Field {
        let min = placements.iter().position(|&p| p).unwrap_or(0) as u32;
        let max = placements.iter().rposition(|&p| p).unwrap_or(0) as u32;
        let is_set = count > 1;
        let width = if is_set { max - min + 1 } else { u32::BITS - (max - min).leading_zeros() };
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        Field { at, width, mask, min, is_set }
    }

    /// Adds a piece of the class to a key; a single piece must not be in it yet.
    pub fn insert<K: Packed>(&self, key: &mut K, anchor: u32) {
        let place = anchor - self.min;
        if self.is_set {
            key.flip(self.at + place, 1);
        } else {
            key.flip(self.at, u64::from(place));
        }
    }

    /// Moves a piece of the class within a key.
    #[inline]
    pub fn relocate<K: Packed>(&self, key: &mut K, from: u32, to: u32) {
        if self.is_set {
            key.flip(self.at + from - self.min, 1);
            key.flip(self.at + to - self.min, 1);
        } else {
            key.flip(self.at, u64::from((from - self.min) ^ (to - self.min)));
        }
    }
}

/// A test on a key: whether a piece of a class has this anchor, as a comparison of masked bits.
pub(super) struct AnchorTest {
    pub class: u16,
    pub anchor: u16,
    at: u32,
    mask: u64,
    value: u64,
}

impl AnchorTest {
    pub fn new(class: usize, field: &Field, anchor: u16) -> AnchorTest {
        let place = u32::from(anchor) - field.min;
        let (at, mask, value) =
            if field.is_set { (field.at + place, 1, 1) } else { (field.at, field.mask, u64::from(place)) };
        AnchorTest { class: class as u16, anchor, at, mask, value }
    }

    #[inline]
    pub fn holds_for<K: Packed>(&self, key: &K) -> bool {
        key.word(self.at) & self.mask == self.value
    }
}

/// A packed key.
pub(super) trait Packed: Stored<u32> + Ord {
    /// Returns a key of at least this many bits, all zero.
    fn zero(bits: u32) -> Self;

    /// Returns the bytes that the key owns on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Returns 64 bits from bit `at` on; bits beyond the key's end are zero.
    fn word(&self, at: u32) -> u64;

    /// Flips the bits from bit `at` on that are set in `mask`.
    fn flip(&mut self, at: u32, mask: u64);

    /// Combines the key with another one of the same size by bitwise or.
    fn join(&mut self, other: &Self);
}

macro_rules! word_key {
    ($word:ty) => {
        impl Packed for $word {
            fn zero(_bits: u32) -> $word {
                0
            }

            #[inline]
            fn word(&self, at: u32) -> u64 {
                self.unbounded_shr(at) as u64
            }

            #[inline]
            fn flip(&mut self, at: u32, mask: u64) {
                *self ^= <$word>::from(mask).unbounded_shl(at);
            }

            #[inline]
            fn join(&mut self, other: &$word) {
                *self |= other;
            }
        }
    };
}

word_key!(u64);
word_key!(u128);

impl<const N: usize> Packed for [u64; N]
where
    [u64; N]: Stored<u32>,
{
    fn zero(_bits: u32) -> Self {
        [0; N]
    }

    #[inline]
    fn word(&self, at: u32) -> u64 {
        word_of(self, at)
    }

    #[inline]
    fn flip(&mut self, at: u32, mask: u64) {
        flip_in(self, at, mask);
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
    }
}

impl Packed for Box<[u64]> {
    fn zero(bits: u32) -> Self {
        vec![0; bits.div_ceil(64) as usize].into()
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(&**self)
    }

    fn word(&self, at: u32) -> u64 {
        word_of(self, at)
    }

    fn flip(&mut self, at: u32, mask: u64) {
        flip_in(self, at, mask);
    }

    fn join(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
    }
}

/// Returns 64 bits of some words from bit `at` on.
#[inline]
fn word_of(words: &[u64], at: u32) -> u64 {
    let (word, shift) = (at as usize / 64, at % 64);
    let bits = |word: usize| words.get(word).copied().unwrap_or(0);
    bits(word) >> shift | bits(word + 1).unbounded_shl(64 - shift)
}

/// Flips bits of some words from bit `at` on.
#[inline]
fn flip_in(words: &mut [u64], at: u32, mask: u64) {
    let (word, shift) = (at as usize / 64, at % 64);
    if let Some(low) = words.get_mut(word) {
        *low ^= mask << shift;
    }
    if let Some(high) = words.get_mut(word + 1) {
        *high ^= mask.unbounded_shr(64 - shift);
    }
}
