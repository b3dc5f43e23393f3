//! Warnings about a puzzle, which point into its text; so the text is kept.

use super::{Outcome, Puzzle};
use crate::diagnostic::Report;
use crate::domain::WarningContext;
use std::ops::Range;
use std::sync::OnceLock;

/// The text of a puzzle's file.
pub(super) struct Text {
    name: String,
    text: String,
    /// The byte range of the value of the key `goal`.
    goal: Option<Range<usize>>,
    /// Computed on first use.
    warnings: OnceLock<Report>,
}

impl Text {
    /// Keeps the text of a file of this name, with the byte range of the value of its key `goal`.
    pub fn new(name: &str, text: &str, goal: Option<Range<usize>>) -> Text {
        Text { name: name.to_owned(), text: text.to_owned(), goal, warnings: OnceLock::new() }
    }
}

impl Puzzle {
    /// Returns warnings about probable mistakes in a valid file, in the order of their places, the same on every run.
    /// They are computed on first use.
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
