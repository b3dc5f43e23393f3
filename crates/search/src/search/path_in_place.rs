//! The path of a depth-first search, on which moves are made and undone in place, and what its threshold bounds.

use crate::space::{Cost, InPlace};

/// The quantity that the threshold bounds.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// Costs, with or without the heuristic: the threshold rises until it admits a solution.
    Costs {
        /// True if the heuristic is added.
        informed: bool,
    },
    /// The number of moves, whatever they cost. Without a bound the search takes the first solution, with a bound the
    /// best one.
    Moves,
}

impl Measure {
    /// Returns whether the threshold rises until it admits a solution.
    pub(super) fn deepens(self) -> bool {
        matches!(self, Measure::Costs { .. })
    }

    /// Returns the first threshold; none for no threshold.
    pub(super) fn first_bound<S: InPlace>(self, space: &S, start: &S::State, depth: Option<u32>) -> Option<S::Cost> {
        match self {
            Measure::Costs { informed: true } => Some(space.h_in_place(start)),
            Measure::Costs { informed: false } => Some(S::Cost::ZERO),
            Measure::Moves => depth.map(S::Cost::whole),
        }
    }
}

/// A path from the start, without the types of its space. Moves are made and undone in place at its end.
pub trait PathInPlace<K, C> {
    /// Returns the key of the state at the end.
    fn key(&self) -> K;

    /// Returns whether the state at the end is a goal.
    fn is_solved(&self) -> bool;

    /// Begins to try the moves of the state at the end.
    fn enter(&mut self);

    /// Makes the next move of the state entered last, if its measure is at most `at_most`, and returns its measure;
    /// `None` if all moves were tried.
    ///
    /// # Errors
    /// A lower bound on the measure, if that is greater.
    fn make_next(&mut self, at_most: Option<C>) -> Option<Result<C, C>>;

    /// Undoes the move made last, whose state was not entered.
    fn undo(&mut self);

    /// Leaves the state entered last, and undoes the move that led to it.
    fn leave(&mut self);

    /// Remembers this path as the best solution.
    fn keep(&mut self);

    /// Returns the cost of the best solution.
    fn best_cost(&self) -> f64;

    /// Returns the memory of the path, in bytes.
    fn bytes(&self) -> usize;
}
