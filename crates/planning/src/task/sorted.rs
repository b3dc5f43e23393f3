//! Sorted lists as small sets.

/// Returns the distinct elements in ascending order.
pub fn sorted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut sorted: Vec<T> = all.into_iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}
