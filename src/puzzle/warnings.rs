//! Warnings about a puzzle: they point into its text, which is kept for them.

use super::{Outcome, Puzzle};
use crate::diagnostic::Report;
use crate::domain::WarningContext;
use std::ops::Range;
use std::sync::OnceLock;

/// The text of a puzzle's file.
pub(super) struct Text {
    name: String,
    text: String,
    /// The bytes of the value of the key `goal`.
    goal: Option<Range<usize>>,
    /// Computed when they are asked for first.
    warnings: OnceLock<Report>,
}

impl Text {
    /// Keeps the text of a file of this name, in which the key `goal` has its value at these bytes.
    pub fn new(name: &str, text: &str, goal: Option<Range<usize>>) -> Text {
        Text { name: name.to_owned(), text: text.to_owned(), goal, warnings: OnceLock::new() }
    }
}

impl Puzzle {
    /// Returns what in the file is probably not what its author meant, though it is a puzzle: warnings in the order of
    /// their places, the same on every run. They are computed when they are asked for first.
    #[must_use]
    pub fn warnings(&self) -> &Report {
        let Text { name, text, goal, warnings } = &self.text;
        warnings.get_or_init(|| {
            let expects_no_moves = self.expect.cost == Some(0.0);
            let expects_no_solution = self.expect.outcome == Some(Outcome::Unsolvable);
            let context = WarningContext { source: text, goal: goal.clone(), expects_no_moves, expects_no_solution };
            Report::new(name, text, self.instance.warnings(&context))
        })
    }
}
