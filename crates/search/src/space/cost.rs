//! What moves cost.

use std::fmt::Debug;
use std::ops::{Add, Sub};

/// What a move costs, and sums of it: exact, ordered, never negative.
pub trait Cost: Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Debug + Send + Sync + 'static {
    /// The cost of no move at all.
    const ZERO: Self;

    /// More than anything costs, and sums with it do not overflow: the h of a state from which no goal can be reached.
    const NEVER: Self;

    /// A whole cost.
    fn whole(number: u32) -> Self;

    /// The cost as people write it.
    fn as_f64(self) -> f64;

    /// Whether costs that differ are never in one bucket.
    const OWN_BUCKETS: bool;

    /// The number of the bucket that holds this cost in a bucket queue: small, dense, and in the order of the costs. It
    /// is the cost, rounded down.
    fn bucket(self) -> usize;

    /// Whether it is more than a whole number.
    fn exceeds(self, whole: u32) -> bool;

    /// So many thousandths of it, rounded down to what can be told.
    #[must_use]
    fn thousandths(self, number: u32) -> Self;
}

impl Cost for u32 {
    const ZERO: u32 = 0;
    const NEVER: u32 = u32::MAX / 4;

    fn whole(number: u32) -> u32 {
        number
    }

    fn as_f64(self) -> f64 {
        f64::from(self)
    }

    const OWN_BUCKETS: bool = true;

    fn bucket(self) -> usize {
        self as usize
    }

    fn exceeds(self, whole: u32) -> bool {
        self > whole
    }

    fn thousandths(self, number: u32) -> u32 {
        u32::try_from(u64::from(self) * u64::from(number) / 1000).unwrap_or(u32::MAX)
    }
}
