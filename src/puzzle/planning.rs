//! What it would take to explore a puzzle's whole space on several machines.

use super::Puzzle;
use crate::search::{DiskError, Estimate, Limits, Question};
use std::time::Instant;

/// What exploring will take, before it is done.
pub struct Plan {
    /// What was estimated and measured.
    pub estimate: Estimate,
    /// The states of the whole space, digit by digit, where a formula tells.
    pub formula: Option<String>,
}

impl Puzzle {
    /// Estimates what exploring the space takes, to the limit on depth or to the end; `question.formula` is filled in here. The
    /// limit on time is for each part of the estimating.
    ///
    /// # Errors
    /// That this puzzle is not explored on several machines, or that files to measure with cannot be written.
    pub fn plan(&self, limits: &Limits, question: &Question) -> Result<Plan, DiskError> {
        let (space, limits) = match self.opened(limits, Instant::now()) {
            Ok(opened) => opened,
            Err(limit) => return Ok(Plan { estimate: Estimate::unfinished(limit), formula: None }),
        };
        // Where the number is too long it is told as a formula, which is of no use here.
        let formula = self.states().filter(|states| states.bytes().all(|byte| byte.is_ascii_digit()));
        let question = Question { formula: formula.as_ref().and_then(|states| states.parse().ok()), ..*question };
        Ok(Plan { estimate: space.estimate(&limits, &question)?, formula })
    }
}
