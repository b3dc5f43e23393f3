//! Marking: what one of several submissions for a puzzle is worth.

use super::{Failure, Replayed, claims, verify};
use crate::puzzle::Puzzle;

/// The first move of a submission that is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// Its number, from 1.
    pub number: usize,
    /// The move as it is written.
    pub written: String,
}

/// The mark of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The first solution, or why it is refused or cannot be read.
    pub replayed: Result<Replayed, Failure>,
    /// The move because of which it is refused, if it is one.
    pub illegal: Option<IllegalMove>,
}

/// Marks a submission: a transcript in one of the formats that [`verify`] reads, replayed by the rules of the puzzle.
#[must_use]
pub fn mark(puzzle: &Puzzle, file: &str, transcript: &str) -> Mark {
    let refused = |failure| Mark { replayed: Err(failure), illegal: None };
    if transcript.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return refused(Failure::Unreadable("it is empty".to_owned()));
    }
    match verify(puzzle, file, transcript) {
        Ok(verified) => match verified.solutions.first() {
            Some(first) => Mark { replayed: Ok(*first), illegal: None },
            None => refused(Failure::Refused("it has no solution".to_owned())),
        },
        // The failure is that of the first reading, and of the first solution in it that fails.
        Err(failure) => {
            let reading = claims(puzzle, file, transcript).into_iter().next().and_then(Result::ok);
            let solutions = reading.map(|claim| claim.solutions(puzzle)).unwrap_or_default();
            let failed = solutions.iter().map(|solution| solution.replay(puzzle)).find(|replay| replay.result.is_err());
            Mark { replayed: Err(failure), illegal: failed.and_then(|replay| replay.illegal) }
        }
    }
}
