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

    /// Returns the least cost that is not below a number from 0 on, apart from errors of rounding.
    fn at_least(number: f64) -> Self;

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

    fn at_least(number: f64) -> u32 {
        (number - 1e-9).ceil() as u32
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

/// The cost that a cost of 1 in a space stands for. Where all moves cost a multiple of the same number, the space counts
/// in that number, so that paths of great costs can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostUnit(u32);

impl CostUnit {
    /// Returns the greatest unit of which all costs are multiples; 1 if there are none but 0.
    pub fn of(costs: impl IntoIterator<Item = u32>) -> CostUnit {
        let gcd = |mut one: u32, mut other: u32| {
            while other > 0 {
                (one, other) = (other, one % other);
            }
            one
        };
        CostUnit(costs.into_iter().fold(0, gcd).max(1))
    }

    /// Returns the number of units in a cost, rounded down.
    #[must_use]
    pub fn within(self, cost: u32) -> u32 {
        cost / self.0
    }

    /// Returns the cost of a number of units.
    #[must_use]
    pub fn cost(self, units: f64) -> f64 {
        units * f64::from(self.0)
    }

    /// Returns the cost of a whole number of units.
    #[must_use]
    pub fn whole_cost(self, units: u64) -> u64 {
        units.saturating_mul(self.0.into())
    }
}

impl Default for CostUnit {
    fn default() -> CostUnit {
        CostUnit(1)
    }
}
