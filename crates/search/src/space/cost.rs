//! Costs of moves.

use std::fmt::Debug;
use std::ops::{Add, Sub};

/// The cost of a move, and sums of costs: exact, ordered, never negative.
pub trait Cost: Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Debug + Send + Sync + 'static {
    /// The cost of an empty path.
    const ZERO: Self;

    /// More than any path costs, and sums with it do not overflow: the h of a state from which no goal is reachable.
    const INFINITY: Self;

    /// Returns a whole number as a cost.
    fn whole(number: u32) -> Self;

    /// Returns the cost as people write it.
    fn as_f64(self) -> f64;

    /// True if different costs never share a bucket.
    const EXACT_BUCKETS: bool;

    /// Returns the number of the bucket that holds this cost in a bucket queue: small, dense, and in the order of the
    /// costs. It is the cost, rounded down.
    fn bucket(self) -> usize;

    /// Returns the number of a narrower bucket, in the order of the costs: an eighth as wide or more.
    fn narrow_bucket(self) -> usize {
        self.bucket()
    }

    /// Returns whether the cost is greater than a whole number.
    fn exceeds_whole(self, whole: u32) -> bool;

    /// Returns the cost multiplied by `number` / 1000, rounded down to a representable cost.
    #[must_use]
    fn scale_permille(self, number: u32) -> Self;
}

impl Cost for u32 {
    const ZERO: u32 = 0;
    const INFINITY: u32 = u32::MAX / 4;

    fn whole(number: u32) -> u32 {
        number
    }

    fn as_f64(self) -> f64 {
        f64::from(self)
    }

    const EXACT_BUCKETS: bool = true;

    fn bucket(self) -> usize {
        self as usize
    }

    fn exceeds_whole(self, whole: u32) -> bool {
        self > whole
    }

    fn scale_permille(self, number: u32) -> u32 {
        u32::try_from(u64::from(self) * u64::from(number) / 1000).unwrap_or(u32::MAX)
    }
}
