//! The algorithms and heuristics that suit a puzzle, determined within limits.

use super::solve_error::unsuited;
use super::{Puzzle, SolveError};
use crate::domain::{BuildContext, HeuristicFacts, Searchable};
use crate::search::{Algorithm, Limit, Limits, Stats};
use std::time::Instant;

/// A test of which algorithms and heuristics suit a puzzle.
pub struct Compatibility<'a> {
    puzzle: &'a Puzzle,
    space: Box<dyn Searchable>,
    context: BuildContext,
}

impl Puzzle {
    /// Prepares the test of which algorithms and heuristics suit this puzzle.
    ///
    /// # Errors
    /// The limit that ended the preparation.
    pub fn compatibility(&self, limits: &Limits) -> Result<Compatibility<'_>, Limit> {
        let started = Instant::now();
        let (space, _) = self.opened(limits, started)?;
        let context = BuildContext::within(&limits.remaining(&Stats::default(), started.elapsed()));
        Ok(Compatibility { puzzle: self, space, context })
    }

    /// Tests whether an algorithm can search this puzzle.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn suits(&self, algorithm: Algorithm) -> Result<(), SolveError> {
        suits(&*self.space("zero")?, algorithm)
    }
}

impl Compatibility<'_> {
    /// Tests whether an algorithm can search the puzzle.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn algorithm(&self, algorithm: Algorithm) -> Result<(), SolveError> {
        suits(&*self.space, algorithm)
    }

    /// Returns the heuristics that the puzzle does not refuse; one is not refused if a limit ended its test.
    pub fn heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.puzzle.all_heuristics().filter(|facts| self.heuristic(facts.name).is_ok())
    }

    /// Returns one of the domain's heuristics.
    ///
    /// # Errors
    /// The domain has no heuristic of this name, or none for this puzzle.
    pub fn heuristic(&self, name: &str) -> Result<&'static HeuristicFacts, SolveError> {
        self.puzzle.heuristic_within(name, &self.context)
    }
}

fn suits(space: &dyn Searchable, algorithm: Algorithm) -> Result<(), SolveError> {
    match space.objection(algorithm) {
        None => Ok(()),
        Some(reason) => Err(unsuited(algorithm, reason)),
    }
}
