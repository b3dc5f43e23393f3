//! An estimate of what it takes to explore a puzzle's whole space on several machines.

use super::Puzzle;
use crate::search::{DiskError, Estimate, Limits, Question, Request, Work};
use std::time::Instant;

/// The estimated effort of an exploration.
pub struct Plan {
    /// The estimates and measurements.
    pub estimate: Estimate,
    /// The number of states of the whole space in decimal digits, if a formula gives it.
    pub formula: Option<String>,
}

impl Puzzle {
    /// Estimates what exploring the space takes, to the limit on depth or to the end. Sets `question.formula` itself.
    /// The limit on time applies to the whole estimate.
    ///
    /// # Errors
    /// This puzzle is not explored on several machines, or the files for the measurements cannot be written.
    pub fn plan(&self, limits: &Limits, question: &Question) -> Result<Plan, DiskError> {
        let (space, limits) = match self.opened(limits, Instant::now()) {
            Ok(opened) => opened,
            Err(limit) => return Ok(Plan { estimate: Estimate::unfinished(limit), formula: None }),
        };
        // A number that is too long to print is given as a formula, which is of no use here.
        let formula = self.states().filter(|states| states.bytes().all(|byte| byte.is_ascii_digit()));
        let question = Question { formula: formula.as_ref().and_then(|states| states.parse().ok()), ..*question };
        let response = space.run(&Request::in_memory(Work::Estimate(&question), &limits))?;
        Ok(Plan { estimate: response.answer.estimated(), formula })
    }
}
