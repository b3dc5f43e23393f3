//! Numbered states: the graph of a puzzle's positions, which its user expands as far as it likes.

use super::Searchable;

/// The states of a space by their numbers, in the order in which they were first reached: 0 is the start.
///
/// States that free moves join are one state, if the space has such a graph: in Sokoban with free walks, an edge is a
/// push. Nothing else is merged and nothing pruned.
pub trait NumberedStates {
    /// Returns the number of states reached so far.
    fn count(&self) -> usize;

    /// Returns the bytes that they take.
    fn bytes(&self) -> usize;

    /// Returns the successors of a state, each once, in the order of the moves, with their costs.
    fn successors(&mut self, state: u32) -> &[(u32, f64)];

    /// Returns the heuristic value of a state, infinite if it proves that no goal can be reached.
    fn h(&self, state: u32) -> f64;

    /// Returns whether a state is a goal.
    fn is_goal(&self, state: u32) -> bool;

    /// Returns the moves from a state to one of its successors, each with the space after it. `None` if neither the start
    /// is the first state, nor has such a call led to it.
    fn step(&mut self, from: u32, to: u32) -> Option<Vec<(String, Box<dyn Searchable>)>>;
}
