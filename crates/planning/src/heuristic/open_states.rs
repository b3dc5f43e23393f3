//! The open list of Dijkstra's algorithm.

use std::collections::BTreeMap;

/// A bucket queue of the numbers of states, keyed by their distances.
pub(super) struct OpenStates(BTreeMap<u64, Vec<u32>>);

impl OpenStates {
    /// Creates a queue of states with distance 0.
    pub fn new(goals: Vec<u32>) -> OpenStates {
        OpenStates(BTreeMap::from([(0, goals)]))
    }

    pub fn push(&mut self, distance: u64, state: u32) {
        self.0.entry(distance).or_default().push(state);
    }

    /// Removes all states with the least distance, and returns them in the order in which they came.
    pub fn pop_first(&mut self) -> Option<(u64, Vec<u32>)> {
        self.0.pop_first()
    }
}
