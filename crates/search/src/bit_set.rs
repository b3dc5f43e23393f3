//! Sets of small numbers, a bit for each.
//!
//! One type serves all sets: `T` is the type of the numbers, and `W` holds the words. A [`FixedSet`] has a fixed number of
//! words, is `Copy`, and is the quickest. By default, a [`BitSet`] has any number of words. A [`BitView`] borrows those of
//! another set, so that sets of different lengths have one type.
//!
//! ```
//! use engine_search::bit_set::{BitSet, BitView, FixedSet};
//!
//! let mut odd: BitSet<u16> = [1, 3, 700].into_iter().collect();
//! assert!(odd.insert(5) && !odd.insert(5));
//! assert_eq!(odd.iter().collect::<Vec<u16>>(), [1, 3, 5, 700]);
//!
//! // Sets are equal if they have the same numbers, however long they once were.
//! let few = BitSet::below(4);
//! assert_eq!(odd.and(&few), [1, 3].into_iter().collect());
//! assert_eq!(few.without(&odd).or(&BitSet::one(9)).len(), 3);
//! assert!(odd.meets(&few) && !few.is_within(&odd));
//! assert_eq!(<BitSet<u16>>::one(700).only(), Some(700));
//!
//! // The numbers below 128, in two words.
//! let mut cells: FixedSet<usize, 2> = FixedSet::below(100);
//! cells.remove(0);
//! assert_eq!((cells.first(), cells.len()), (Some(1), 99));
//! assert!(BitView::<usize>::of(cells.words().as_slice()).contains(99));
//! assert!(cells.range(60..70).eq(60..70));
//! ```

mod far;

use far::{Far, ones};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Range;

/// A number in a set.
pub trait Number: Copy {
    /// Returns the number as an index.
    fn index(self) -> usize;

    /// Returns the number with an index.
    fn of_index(index: usize) -> Self;
}

macro_rules! number {
    ($number:ty) => {
        impl Number for $number {
            #[inline]
            fn index(self) -> usize {
                self as usize
            }

            #[inline]
            fn of_index(index: usize) -> $number {
                index as $number
            }
        }
    };
}

number!(u16);
number!(u32);
number!(usize);

/// The words of a set. Those after the last are 0.
pub trait Words {
    /// Returns a word.
    fn word(&self, at: usize) -> u64;

    /// Returns words with their numbers, in order: all that are not 0. A word may come in two parts.
    fn parts(&self) -> impl Iterator<Item = (usize, u64)>;

    /// Returns the number of set bits.
    #[inline]
    fn count(&self) -> usize {
        self.parts().map(|(_, word)| word.count_ones() as usize).sum()
    }

    /// Returns whether no bit is set.
    #[inline]
    fn is_zero(&self) -> bool {
        self.parts().fold(0, |all, (_, word)| all | word) == 0
    }

    /// Returns the number of the only bit that is set.
    #[inline]
    fn only(&self) -> Option<usize> {
        let mut words = self.parts().filter(|(_, word)| *word != 0);
        let (at, word) = words.next().filter(|(_, word)| word.is_power_of_two())?;
        words.next().is_none().then_some(64 * at + word.trailing_zeros() as usize)
    }
}

/// Words that can be changed.
pub trait Storage: Words {
    /// No bit is set.
    const EMPTY: Self;

    /// Sets a bit; returns whether it was not set.
    fn insert(&mut self, number: usize) -> bool;

    /// Returns words of which the bits below a number are set.
    fn below(count: usize) -> Self;

    /// Combines words with those at the same places, bit by bit; two that are 0 must give 0.
    #[must_use]
    fn combined(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self;

    /// Returns whether a bit is set in both.
    fn meets(&self, other: &Self) -> bool;

    /// Returns whether each set bit is set in other words.
    fn is_within(&self, other: &Self) -> bool;
}

impl<const N: usize> Words for [u64; N] {
    #[inline]
    fn word(&self, at: usize) -> u64 {
        self[at]
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.iter().copied().enumerate()
    }
}

impl<const N: usize> Storage for [u64; N] {
    const EMPTY: [u64; N] = [0; N];

    #[inline]
    fn insert(&mut self, number: usize) -> bool {
        let (at, bit) = place(number);
        let is_new = self[at] & bit == 0;
        self[at] |= bit;
        is_new
    }

    fn below(count: usize) -> [u64; N] {
        assert!(count <= 64 * N, "{count} numbers do not fit");
        std::array::from_fn(|at| ones(count.saturating_sub(64 * at)))
    }

    #[inline]
    fn combined(&self, other: &[u64; N], combine: impl Fn(u64, u64) -> u64) -> [u64; N] {
        std::array::from_fn(|at| combine(self[at], other[at]))
    }

    #[inline]
    fn meets(&self, other: &[u64; N]) -> bool {
        (0..N).any(|at| self[at] & other[at] != 0)
    }

    #[inline]
    fn is_within(&self, other: &[u64; N]) -> bool {
        (0..N).all(|at| self[at] & !other[at] == 0)
    }
}

impl Words for &[u64] {
    #[inline]
    fn word(&self, at: usize) -> u64 {
        self[at]
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.iter().copied().enumerate()
    }
}

/// The words that are stored in place: numbers below 128 need no memory of their own.
const NEAR: usize = 2;

/// Any number of words.
#[derive(Clone, Debug, Eq)]
pub struct Unbounded {
    near: [u64; NEAR],
    /// The further words.
    far: Far,
}

// Comparing sets takes much of reading a puzzle. Loops over the words in place do not end early: they become few
// instructions.
impl PartialEq for Unbounded {
    #[inline]
    fn eq(&self, other: &Unbounded) -> bool {
        self.near.iter().zip(&other.near).fold(0, |differs, (word, other)| differs | (word ^ other)) == 0
            && self.far == other.far
    }
}

impl Hash for Unbounded {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.near.hash(state);
        self.far.hash(state);
    }
}

impl Ord for Unbounded {
    fn cmp(&self, other: &Unbounded) -> Ordering {
        self.near.cmp(&other.near).then_with(|| self.far.words().cmp(other.far.words()))
    }
}

impl PartialOrd for Unbounded {
    fn partial_cmp(&self, other: &Unbounded) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Words for Unbounded {
    #[inline]
    fn word(&self, at: usize) -> u64 {
        match at.checked_sub(NEAR) {
            None => self.near[at],
            Some(far) => self.far.word(far),
        }
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = (usize, u64)> {
        let far = self.far.parts().map(|(at, word)| (NEAR + at, word));
        self.near.iter().copied().enumerate().chain(far)
    }

    #[inline]
    fn count(&self) -> usize {
        self.near.iter().map(|word| word.count_ones() as usize).sum::<usize>() + self.far.count()
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.near.iter().fold(0, |all, word| all | word) == 0 && self.far.is_zero()
    }

    #[inline]
    fn only(&self) -> Option<usize> {
        match (self.near, self.far.is_zero()) {
            ([0, 0], _) => self.far.only().map(|number| 64 * NEAR + number),
            ([word, 0], true) if word.is_power_of_two() => Some(word.trailing_zeros() as usize),
            ([0, word], true) if word.is_power_of_two() => Some(64 + word.trailing_zeros() as usize),
            _ => None,
        }
    }
}

impl Storage for Unbounded {
    const EMPTY: Unbounded = Unbounded { near: [0; NEAR], far: Far::EMPTY };

    #[inline]
    fn insert(&mut self, number: usize) -> bool {
        match number.checked_sub(64 * NEAR) {
            None => self.near.insert(number),
            Some(far) => self.far.insert(far),
        }
    }

    fn below(count: usize) -> Unbounded {
        let near = std::array::from_fn(|at| ones(count.saturating_sub(64 * at)));
        Unbounded { near, far: Far::below(count.saturating_sub(64 * NEAR)) }
    }

    #[inline]
    fn combined(&self, other: &Unbounded, combine: impl Fn(u64, u64) -> u64) -> Unbounded {
        let near = std::array::from_fn(|at| combine(self.near[at], other.near[at]));
        Unbounded { near, far: self.far.combined(&other.far, combine) }
    }

    #[inline]
    fn meets(&self, other: &Unbounded) -> bool {
        self.near.iter().zip(&other.near).fold(0, |any, (word, other)| any | word & other) != 0
            || self.far.meets(&other.far)
    }

    #[inline]
    fn is_within(&self, other: &Unbounded) -> bool {
        self.near.iter().zip(&other.near).fold(0, |any, (word, other)| any | word & !other) == 0
            && self.far.is_within(&other.far)
    }
}

/// A set of small numbers of one type; by default of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet<T, W = Unbounded>(W, PhantomData<T>);

/// A set of numbers below 64 `N`. Greater ones panic.
pub type FixedSet<T, const N: usize> = BitSet<T, [u64; N]>;

/// A set that borrows its words. Numbers beyond them panic.
pub type BitView<'a, T> = BitSet<T, &'a [u64]>;

/// Returns the word of a number, and its bit there.
#[inline]
fn place(number: impl Number) -> (usize, u64) {
    (number.index() / 64, 1 << (number.index() % 64))
}

/// Returns the numbers of a word.
#[inline]
fn numbers<T: Number>((at, mut word): (usize, u64)) -> impl Iterator<Item = T> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then(|| T::of_index(at * 64 + bit))
    })
}

impl<T: Number, W: Words> BitSet<T, W> {
    /// Returns the set with these words.
    #[inline]
    pub fn of(words: W) -> BitSet<T, W> {
        BitSet(words, PhantomData)
    }

    /// Returns the words.
    #[inline]
    pub fn words(&self) -> &W {
        &self.0
    }

    /// Returns whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: T) -> bool {
        let (at, bit) = place(number);
        self.0.word(at) & bit != 0
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.count()
    }

    /// Returns whether the set has no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_zero()
    }

    /// Returns the numbers in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.0.parts().flat_map(numbers)
    }

    /// Returns the numbers within a range, in ascending order.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = T> {
        (range.start / 64..range.end.div_ceil(64)).flat_map(move |at| {
            let from = u64::MAX << range.start.saturating_sub(at * 64);
            let to = u64::MAX >> ((at + 1) * 64).saturating_sub(range.end);
            numbers((at, self.0.word(at) & from & to))
        })
    }

    /// Returns the least number.
    #[inline]
    pub fn first(&self) -> Option<T> {
        let place = self.0.parts().find(|(_, word)| *word != 0)?;
        numbers(place).next()
    }

    /// Returns the only number of a set with one.
    #[inline]
    pub fn only(&self) -> Option<T> {
        self.0.only().map(T::of_index)
    }
}

impl<T: Number, W: Storage> BitSet<T, W> {
    /// The empty set.
    pub const NONE: BitSet<T, W> = BitSet(W::EMPTY, PhantomData);

    /// Returns the set of one number.
    #[inline]
    pub fn one(number: T) -> BitSet<T, W> {
        let mut set = Self::NONE;
        set.insert(number);
        set
    }

    /// Returns the set of the numbers below one.
    pub fn below(count: usize) -> BitSet<T, W> {
        BitSet::of(W::below(count))
    }

    /// Returns the words, to be changed.
    #[inline]
    pub fn words_mut(&mut self) -> &mut W {
        &mut self.0
    }

    /// Adds a number; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, number: T) -> bool {
        self.0.insert(number.index())
    }

    /// Returns the numbers in both sets.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &BitSet<T, W>) -> BitSet<T, W> {
        BitSet::of(self.0.combined(&other.0, |word, other| word & other))
    }

    /// Returns the numbers in either set.
    #[inline]
    #[must_use]
    pub fn or(&self, other: &BitSet<T, W>) -> BitSet<T, W> {
        BitSet::of(self.0.combined(&other.0, |word, other| word | other))
    }

    /// Returns the numbers in this set alone.
    #[inline]
    #[must_use]
    pub fn without(&self, other: &BitSet<T, W>) -> BitSet<T, W> {
        BitSet::of(self.0.combined(&other.0, |word, other| word & !other))
    }

    /// Returns the numbers in one of the sets alone.
    #[inline]
    #[must_use]
    pub fn xor(&self, other: &BitSet<T, W>) -> BitSet<T, W> {
        BitSet::of(self.0.combined(&other.0, |word, other| word ^ other))
    }

    /// Returns whether a number is in both sets.
    #[inline]
    pub fn meets(&self, other: &BitSet<T, W>) -> bool {
        self.0.meets(&other.0)
    }

    /// Returns whether this is a subset of another set.
    #[inline]
    pub fn is_within(&self, other: &BitSet<T, W>) -> bool {
        self.0.is_within(&other.0)
    }
}

impl<T: Number, const N: usize> FixedSet<T, N> {
    /// Removes a number.
    #[inline]
    pub fn remove(&mut self, number: T) {
        let (at, bit) = place(number);
        self.0[at] &= !bit;
    }

    /// Adds a number, or removes it if it is in the set.
    #[inline]
    pub fn toggle(&mut self, number: T) {
        let (at, bit) = place(number);
        self.0[at] ^= bit;
    }
}

impl<T: Number, W: Storage> Default for BitSet<T, W> {
    fn default() -> BitSet<T, W> {
        BitSet::NONE
    }
}

impl<T: Number, W: Storage> FromIterator<T> for BitSet<T, W> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> BitSet<T, W> {
        let mut set = Self::NONE;
        set.extend(numbers);
        set
    }
}

impl<T: Number, W: Storage> Extend<T> for BitSet<T, W> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| _ = self.insert(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SplitMix64;
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    /// Compares random sets of numbers below one with sets of the standard library.
    fn compare<W: Storage + Ord + Debug>(below: u64) {
        let random = &mut SplitMix64::new(1);
        // Numbers here and there, and runs of them.
        let mut some = || -> BTreeSet<u32> {
            let most = 1 + random.below(below);
            let few: BTreeSet<u32> = (0..random.below(40)).map(|_| random.below(most) as u32).collect();
            let mut end = |from: u32| (from + random.below(below / 2) as u32).min(below as u32);
            if few.len() > 8 { few } else { few.into_iter().flat_map(|from| from..end(from)).collect() }
        };
        for _ in 0..2000 {
            let (one, other) = (some(), some());
            let set = |numbers: &BTreeSet<u32>| numbers.iter().copied().collect::<BitSet<u32, W>>();
            let (first, second) = (set(&one), set(&other));
            assert!(first.iter().eq(one.iter().copied()), "{one:?}");
            assert!(first.range(7..100).eq(one.range(7..100).copied()), "{one:?}");
            assert_eq!(
                (first.len(), first.is_empty(), first.first()),
                (one.len(), one.is_empty(), one.first().copied())
            );
            assert_eq!(first.only(), one.first().copied().filter(|_| one.len() == 1));
            // An operation may leave fewer words than either set has.
            assert_eq!(first.and(&second), set(&(&one & &other)));
            assert_eq!(first.or(&second), set(&(&one | &other)));
            assert_eq!(first.without(&second), set(&(&one - &other)));
            assert_eq!(first.xor(&second), set(&(&one ^ &other)));
            assert_eq!(first.meets(&second), !one.is_disjoint(&other), "{one:?} {other:?}");
            assert!(first.and(&second).is_within(&first), "{one:?} {other:?}");
            assert_eq!(first.is_within(&second), one.is_subset(&other), "{one:?} {other:?}");
            let words =
                |set: &BitSet<u32, W>| -> Vec<u64> { (0..below as usize / 64).map(|at| set.0.word(at)).collect() };
            assert_eq!(first.cmp(&second), words(&first).cmp(&words(&second)), "{one:?} {other:?}");
        }
        let (all, numbers) = (BitSet::<u32, W>::below(below as usize), 0..below as u32);
        assert!(all.iter().eq(numbers));
    }

    #[test]
    fn sets_agree_with_those_of_the_standard_library() {
        compare::<[u64; 2]>(128);
        compare::<Unbounded>(2048);
    }
}
