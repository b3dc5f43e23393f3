//! Non-negative big integers, with multiplication and division by small numbers.

use std::fmt;

/// The base of the digits.
const BASE: u64 = 1_000_000_000;

/// A non-negative integer of any size: its digits in base [`BASE`], the lowest first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number(Vec<u32>);

impl Number {
    /// Returns the product of small numbers.
    pub fn product(factors: impl Iterator<Item = u64>) -> Number {
        factors.fold(Number(vec![1]), Number::times)
    }

    /// Multiplies by a number below 2^32.
    pub fn times(mut self, factor: u64) -> Number {
        let mut carried = 0;
        for digit in &mut self.0 {
            carried += u64::from(*digit) * factor;
            *digit = (carried % BASE) as u32;
            carried /= BASE;
        }
        while carried > 0 {
            self.0.push((carried % BASE) as u32);
            carried /= BASE;
        }
        self
    }

    /// Divides by a number below 2^32, without a remainder.
    pub fn over(mut self, divisor: u64) -> Number {
        let mut rest = 0;
        for digit in self.0.iter_mut().rev() {
            rest = rest * BASE + u64::from(*digit);
            *digit = (rest / divisor) as u32;
            rest %= divisor;
        }
        while self.0.len() > 1 && self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// Returns the number if it fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.iter().rev().try_fold(0_u64, |number, &digit| number.checked_mul(BASE)?.checked_add(digit.into()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut digits = self.0.iter().rev();
        write!(f, "{}", digits.next().unwrap_or(&0))?;
        digits.try_for_each(|digit| write!(f, "{digit:09}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn products_and_quotients_are_exact() {
        let factorial = Number::product(1..=40);
        assert_eq!(factorial.to_string(), "815915283247897734345611269596115894272000000000");
        assert_eq!((21..=40).fold(factorial, Number::over).to_string(), "2432902008176640000");
        assert_eq!(Number::product(1..=20).as_u64(), Some(2_432_902_008_176_640_000));
        assert_eq!(Number::product(1..=21).as_u64(), None);
    }
}
