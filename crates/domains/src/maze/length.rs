//! What ways cost where some steps cost the square root of two: a + b√2 with whole a and b, exactly, in one integer.
//!
//! Let p/q be a convergent of √2's continued fraction, a fraction in lowest terms with |p/q - √2| < 1/(2q²). The integer
//! aq + bp stands for a + b√2. Sums of it are those of what it stands for, and as long as two costs differ by less than
//! q in a and by less than q in b, they are in the same order and equal only where a and b are equal:
//!
//! Say that x + y√2 is their difference, not zero. Where x and y have no different signs, xq + yp has their sign, as
//! x + y√2 does. Else it is the question on which side of √2 the fraction |x/y| lies, whose denominator is less than q,
//! and on which side of p/q. These differ only if |x/y| is p/q, which has no form with a smaller denominator, or lies
//! between √2 and p/q. But then 1/(q|y|) ≤ |x/y - p/q| < 1/(2q²), and |y| would be greater than 2q.
//!
//! Here q is 1,311,738,121. A map has at most [`MOST_CELLS`] cells, and to enter one costs at most 9. What is compared are
//! costs of ways that enter no cell twice, together with an h that is far less: a and b stay below 0.7 q, and so do their
//! differences.

use crate::space::Cost;
use std::ops::{Add, Sub};

/// The most cells of a map, so that the order of costs is exact.
pub(super) const MOST_CELLS: u64 = 100_000_000;

/// q: what stands for 1.
const ONE: i64 = 1_311_738_121;
/// p: what stands for √2. 1,855,077,841² - 2 · 1,311,738,121² = -1.
const ROOT_TWO: i64 = 1_855_077_841;

// Cells, which are keys, with costs like these.
engine_search::stored!(u32, Length);

/// A cost of the form a + b√2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Length(i64);

/// What ways through a maze cost.
pub(super) trait Steps: Cost {
    /// So many straight steps and so many diagonal ones, each of cost 1.
    fn of(straight: u32, diagonal: u32) -> Self;
}

impl Steps for Length {
    #[inline]
    fn of(straight: u32, diagonal: u32) -> Length {
        Length(i64::from(straight) * ONE + i64::from(diagonal) * ROOT_TWO)
    }
}

/// Where nothing is diagonal: whole costs have buckets of their own, and need no heap.
impl Steps for u32 {
    #[inline]
    fn of(straight: u32, diagonal: u32) -> u32 {
        debug_assert_eq!(diagonal, 0, "a diagonal step costs no whole number");
        straight
    }
}

impl Length {
    /// What [`of`](Self::of) was given.
    fn parts(self) -> (i64, i64) {
        // p² is -1 modulo q, so -p is the inverse of p, and aq + bp is bp modulo q.
        let diagonal = (self.0.rem_euclid(ONE) * (ONE - ROOT_TWO % ONE)).rem_euclid(ONE);
        ((self.0 - diagonal * ROOT_TWO) / ONE, diagonal)
    }
}

impl Add for Length {
    type Output = Length;

    #[inline]
    fn add(self, other: Length) -> Length {
        Length(self.0 + other.0)
    }
}

impl Sub for Length {
    type Output = Length;

    #[inline]
    fn sub(self, other: Length) -> Length {
        Length(self.0 - other.0)
    }
}

impl Cost for Length {
    const ZERO: Length = Length(0);
    const INFINITY: Length = Length(i64::MAX / 4);
    const EXACT_BUCKETS: bool = false;

    fn whole(number: u32) -> Length {
        Length::of(number, 0)
    }

    /// The number that is nearest to a + b√2, or the one beside it.
    fn as_f64(self) -> f64 {
        match self.parts() {
            (straight @ 0.., diagonal) => straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2,
            // No sum of steps: a part of one, say. 2/q³ of each diagonal step is lost.
            _ => self.0 as f64 / ONE as f64,
        }
    }

    #[inline]
    fn bucket(self) -> usize {
        (self.0 / ONE) as usize
    }

    #[inline]
    fn exceeds_whole(self, whole: u32) -> bool {
        self.0 > i64::from(whole) * ONE
    }

    fn scale_permille(self, number: u32) -> Length {
        let product = i128::from(self.0) * i128::from(number) / 1000;
        Length(i64::try_from(product).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fraction_is_a_convergent_of_the_root_of_two() {
        let (p, q) = (i128::from(ROOT_TWO), i128::from(ONE));
        assert_eq!(p * p - 2 * q * q, -1, "what the order of costs rests on");
        assert!(i128::from(MOST_CELLS) * 9 < q && MOST_CELLS as i128 * 9 * p < i128::from(i64::MAX) / 2);
    }

    /// Whether x + y√2 is greater than 0, by squares.
    fn is_positive(x: i128, y: i128) -> bool {
        match (x > 0, y > 0) {
            (true, true) => true,
            (true, false) => x * x > 2 * y * y,
            (false, true) => x * x < 2 * y * y,
            (false, false) => false,
        }
    }

    #[test]
    fn costs_are_in_the_order_of_what_they_stand_for() {
        // The worst there are: convergents themselves, with neighbours, up to the largest costs.
        let (mut numerator, mut denominator) = (1_u32, 1_u32);
        let mut compared = 0;
        while numerator + 2 < 900_000_000 {
            for nudge in 0..4 {
                let (one, other) = (Length::of(numerator + nudge / 2, 7), Length::of(7, denominator + nudge % 2));
                let (x, y) = (i128::from(numerator + nudge / 2) - 7, 7 - i128::from(denominator + nudge % 2));
                assert_eq!(one > other, is_positive(x, y), "{numerator}/{denominator}");
                assert_eq!(one == other, (x, y) == (0, 0));
                compared += 1;
            }
            (numerator, denominator) = (numerator + 2 * denominator, numerator + denominator);
        }
        assert!(compared > 80);
    }

    #[test]
    fn costs_are_told_to_the_last_digit() {
        let root = std::f64::consts::SQRT_2;
        for (straight, diagonal) in [(0, 0), (3, 0), (0, 2), (899_999_999, 1), (1, 899_999_999), (41, 29)] {
            let length = Length::of(straight, diagonal);
            assert_eq!(length.parts(), (i64::from(straight), i64::from(diagonal)));
            let expected = f64::from(straight) + f64::from(diagonal) * root;
            assert!(length.as_f64() == expected);
            assert_eq!(length.bucket(), expected as usize, "the whole part");
            assert_eq!(
                (length.exceeds_whole(expected as u32), length.exceeds_whole(expected as u32 + 1)),
                (expected.fract() > 0.0, false)
            );
        }
        assert!((Length::of(5, 3).scale_permille(500).as_f64() - (5.0 + 3.0 * root) / 2.0).abs() < 1e-9);
    }
}
