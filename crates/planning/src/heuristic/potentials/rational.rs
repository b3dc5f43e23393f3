//! Fractions that floating-point numbers stand for.
//!
//! The vertices of a linear program with whole coefficients are rational. Weights such as those of Conway's soldiers
//! are quotients of Fibonacci numbers: no fixed list of denominators has them all. Their continued fractions do
//! (Schrijver, Theory of Linear and Integer Programming, 1986, section 6.1). The guess may be wrong: callers check the
//! rounded weights.

/// The greatest difference between a number and its fraction.
const TOLERANCE: f64 = 1e-9;

/// The greatest denominator: larger ones are noise at this tolerance.
const MOST_DENOMINATOR: f64 = 10_000.0;

/// The greatest common denominator. Weights are at most about 1, and are stored in 32 bits.
const MOST_COMMON: i64 = 1 << 29;

/// Returns the least common denominator of some numbers; `None` if a number is no simple fraction, or it is too large.
pub(super) fn common_denominator(mut values: impl Iterator<Item = f64>) -> Option<i64> {
    values.try_fold(1, |common, value| {
        let own = denominator(value)?;
        let common = common / gcd(common, own) * own;
        (common <= MOST_COMMON).then_some(common)
    })
}

/// Returns the denominator of the first convergent of a number's continued fraction that is near enough.
fn denominator(value: f64) -> Option<i64> {
    let (mut before, mut now) = (0.0, 1.0);
    let mut rest = value;
    loop {
        if ((value * now).round() - value * now).abs() <= TOLERANCE * now {
            return Some(now as i64);
        }
        rest = 1.0 / (rest - rest.floor());
        (before, now) = (now, rest.floor() * now + before);
        if now.is_nan() || now > MOST_DENOMINATOR {
            return None;
        }
    }
}

/// Returns the greatest common divisor of numbers that are not negative.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::common_denominator;

    #[test]
    fn the_least_common_denominator_of_fractions_is_found() {
        let common = |values: &[f64]| common_denominator(values.iter().copied());
        assert_eq!(common(&[]), Some(1));
        assert_eq!(common(&[0.0, -2.0, 1e-30]), Some(1));
        assert_eq!(common(&[-1.0 / 3.0, 21.0 / 102.0, 0.75]), Some(204));
        // Fibonacci numbers.
        assert_eq!(common(&[4181.0 / 6765.0, 2584.0 / 6765.0, 1.0 / 6765.0]), Some(6765));
        assert_eq!(common(&[0.5_f64.sqrt()]), None);
        assert_eq!(common(&[f64::NAN]), None);
        assert_eq!(common(&[1.0 / 9973.0, 1.0 / 9967.0, 1.0 / 9949.0]), None, "their product is too large");
    }
}
