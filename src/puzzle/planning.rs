//! An estimate of what it takes to explore a puzzle's whole space on several machines.

use super::Puzzle;
use crate::search::{DiskError, Estimate, Limits, Question, Request, Work};
use std::time::Instant;

impl Puzzle {
    /// Estimates what exploring the space takes, to the limit on depth or to the end. Sets `question.formula` itself.
    /// The limit on time applies to the whole estimate.
    ///
    /// # Errors
    /// This puzzle is not explored on several machines, or the files for the measurements cannot be written.
    pub fn plan(&self, limits: &Limits, question: &Question) -> Result<Estimate, DiskError> {
        let (space, limits) = match self.opened(limits, Instant::now()) {
            Ok(opened) => opened,
            Err(limit) => return Ok(Estimate::unfinished(limit)),
        };
        // A number that is too long to print is given as a formula, which is of no use here.
        let question = Question { formula: self.states().and_then(|states| states.parse().ok()), ..*question };
        Ok(space.run(&Request::in_memory(Work::Estimate(&question), &limits))?.answer.estimated())
    }
}
