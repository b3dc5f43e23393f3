//! Small functions that several analyses share.

/// Returns the distinct elements in ascending order.
pub(super) fn sorted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut sorted: Vec<T> = all.into_iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// Returns the greatest common divisor of numbers that are not negative.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
