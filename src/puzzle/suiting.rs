//! Which algorithms and heuristics are to be had for a puzzle, found out within limits.

use super::solve_error::unsuited;
use super::{Puzzle, SolveError};
use crate::domain::{BuildContext, HeuristicFacts, Searchable};
use crate::search::{Algorithm, Limit, Limits, Stats};
use std::time::Instant;

/// Knows which algorithms and heuristics are to be had for a puzzle.
pub struct Suiting<'a> {
    puzzle: &'a Puzzle,
    space: Box<dyn Searchable>,
    context: BuildContext,
}

impl Puzzle {
    /// Finds out which algorithms and heuristics are to be had for this puzzle.
    ///
    /// # Errors
    /// The limit that ended that.
    pub fn suiting(&self, limits: &Limits) -> Result<Suiting<'_>, Limit> {
        let started = Instant::now();
        let (space, _) = self.opened(limits, started)?;
        let context = BuildContext::within(&limits.remaining(&Stats::default(), started.elapsed()));
        Ok(Suiting { puzzle: self, space, context })
    }

    /// Whether an algorithm can search this puzzle.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn suits(&self, algorithm: Algorithm) -> Result<(), SolveError> {
        suits(&*self.space("zero")?, algorithm)
    }
}

impl Suiting<'_> {
    /// Whether an algorithm can search the puzzle.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn algorithm(&self, algorithm: Algorithm) -> Result<(), SolveError> {
        suits(&*self.space, algorithm)
    }

    /// The heuristics that the puzzle does not refuse. Where a limit ended finding that out, it does not.
    pub fn heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        let all = self.puzzle.facts.heuristics.iter();
        all.filter(|facts| self.heuristic(facts.name).is_ok())
    }

    /// One of the domain's heuristics.
    ///
    /// # Errors
    /// That the domain has no heuristic of this name, or none for this puzzle.
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
