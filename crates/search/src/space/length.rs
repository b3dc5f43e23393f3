//! Exact path costs with diagonal steps: a + b√2 with non-negative integers a and b, in one integer.
//!
//! Let p/q be a convergent of √2's continued fraction, that is, a fraction in lowest terms with |p/q - √2| < 1/(2q²).
//! The integer aq + bp represents a + b√2. Sums of representations represent the sums. As long as two costs differ by
//! less than q in a and by less than q in b, the representations are ordered as the costs are, and equal only if a and
//! b are equal:
//!
//! Let x + y√2 be the difference of two costs, not zero. If x and y do not have opposite signs, xq + yp and x + y√2
//! both have their sign. Otherwise, the sign depends on the side of √2, or of p/q, on which the fraction |x/y| lies,
//! whose denominator is less than q. These sides differ only if |x/y| equals p/q, which is impossible with a smaller
//! denominator, or lies between √2 and p/q. But then 1/(q|y|) ≤ |x/y - p/q| < 1/(2q²), so |y| would be greater than 2q.
//!
//! Here q is 1,311,738,121. A map has at most [`MOST_CELLS`] cells, and the costs of entering all of them add up to at
//! most 9 times as much. All compared costs belong to paths that enter no cell twice, plus a far smaller h: a and b stay
//! below 0.7 q, and so do their differences.

use super::Cost;
use std::ops::{Add, Sub};

/// The greatest number of cells of a map, chosen so that the order of costs is exact.
pub const MOST_CELLS: u64 = 100_000_000;

/// q, which represents 1.
pub(crate) const ONE: i64 = 1_311_738_121;
/// p, which represents √2: 1,855,077,841² - 2 · 1,311,738,121² = -1.
pub(crate) const ROOT_TWO: i64 = 1_855_077_841;

/// The length of a path in a grid with diagonal steps: a + b√2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(pub(crate) i64);

impl Length {
    /// Returns the cost of this many straight and diagonal steps.
    #[must_use]
    #[inline]
    pub fn of(straight: u32, diagonal: u32) -> Length {
        Length(i64::from(straight) * ONE + i64::from(diagonal) * ROOT_TWO)
    }

    /// Returns the arguments of [`of`](Self::of).
    fn parts(self) -> (i64, i64) {
        // Since p² is -1 modulo q, -p is the inverse of p; and aq + bp is bp modulo q.
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

    /// Rounds to a multiple of 1/q. That is exact for the costs of single steps, of which each is far larger than the
    /// error of an `f64`.
    fn at_least(number: f64) -> Length {
        Length((number * ONE as f64).round() as i64)
    }

    /// Returns one of the two `f64` nearest to a + b√2.
    fn as_f64(self) -> f64 {
        match self.parts() {
            (straight @ 0.., diagonal) => straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2,
            // A value that is not a sum of steps, for example a scaled one. The error is 2/q³ for each diagonal step.
            _ => self.0 as f64 / ONE as f64,
        }
    }

    #[inline]
    fn bucket(self) -> usize {
        (self.0 / ONE) as usize
    }

    #[inline]
    fn narrow_bucket(self) -> usize {
        (self.0 / (ONE / 8)) as usize
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
    fn steps_are_exact_as_numbers() {
        for (straight, diagonal) in (0..=9).flat_map(|straight| (0..=9).map(move |diagonal| (straight, diagonal))) {
            let length = Length::of(straight, diagonal);
            assert_eq!(Length::at_least(length.as_f64()), length);
        }
    }

    #[test]
    fn the_fraction_is_a_convergent_of_the_root_of_two() {
        let (p, q) = (i128::from(ROOT_TWO), i128::from(ONE));
        assert_eq!(p * p - 2 * q * q, -1, "the order of costs depends on it");
        assert!(i128::from(MOST_CELLS) * 9 < q && MOST_CELLS as i128 * 9 * p < i128::from(i64::MAX) / 2);
    }

    /// Returns whether x + y√2 is positive, by comparing squares.
    fn is_positive(x: i128, y: i128) -> bool {
        match (x > 0, y > 0) {
            (true, true) => true,
            (true, false) => x * x > 2 * y * y,
            (false, true) => x * x < 2 * y * y,
            (false, false) => false,
        }
    }

    #[test]
    fn representations_are_ordered_as_the_costs() {
        // The hardest cases: the convergents themselves and their neighbours, up to the greatest costs.
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
    fn costs_are_exact_to_the_last_digit() {
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
