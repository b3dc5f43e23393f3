//! Warnings about a puzzle, which point into its file; so the text of the file is kept.

use super::{Outcome, Puzzle};
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::document::PuzzleText;
use crate::domain::WarningContext;
use std::ops::Range;
use std::sync::OnceLock;

/// The origin of a puzzle.
#[derive(Clone)]
pub(super) struct Origin {
    /// The name of the puzzle: that of its file, or of the level.
    pub name: String,
    /// The file that spans point into, and its text.
    pub file: String,
    pub source: SourceText,
    /// The text as a puzzle file.
    pub text: PuzzleText,
    /// The warnings about the level.
    pub of_level: Option<Report>,
}

impl Origin {
    /// The origin of the text of a file of this name.
    pub fn file(name: &str, source: SourceText) -> Origin {
        let text = PuzzleText::File(source.clone());
        Origin { name: name.to_owned(), file: name.to_owned(), source, text, of_level: None }
    }

    /// Returns a report on the puzzle. A place is one in the file, so without any the report names the level.
    pub fn report(&self, diagnostics: Vec<Diagnostic>) -> Report {
        let has_places = diagnostics.iter().any(|one| one.span.is_some());
        Report::new(if has_places { &self.file } else { &self.name }, self.source.clone(), diagnostics)
    }
}

/// The parts of a puzzle's file that warnings need.
pub(super) struct Text {
    origin: Origin,
    /// The byte range of the value of the key `goal`.
    goal: Option<Range<usize>>,
    /// Computed on first use.
    warnings: OnceLock<Report>,
}

impl Text {
    /// Keeps the origin of a puzzle, and the byte range of the value of its key `goal`.
    pub fn new(origin: Origin, goal: Option<Range<usize>>) -> Text {
        Text { origin, goal, warnings: OnceLock::new() }
    }
}

impl Puzzle {
    /// Returns warnings about probable mistakes in a valid file, in the order of their places, the same on every run.
    /// They are computed on first use.
    #[must_use]
    pub fn warnings(&self) -> &Report {
        let Text { origin, goal, warnings } = &self.text;
        warnings.get_or_init(|| {
            let expects_no_moves = self.expect.cost == Some(0.0);
            let expects_no_solution = self.expect.outcome == Some(Outcome::Unsolvable);
            let (source, goal) = (&origin.source, goal.clone());
            let context = WarningContext { source, goal, expects_no_moves, expects_no_solution };
            origin.report(self.instance.warnings(&context))
        })
    }

    /// Returns the messages of all warnings, those about the level of a collection first.
    pub(crate) fn warning_messages(&self) -> impl Iterator<Item = &str> {
        let reports = self.text.origin.of_level.iter().chain([self.warnings()]);
        reports.flat_map(Report::diagnostics).map(|warning| warning.message.as_str())
    }

    /// Returns whether reading the file found a warning about a certain mistake, without looking for others.
    #[must_use]
    pub fn has_certain_warnings(&self) -> bool {
        self.instance.has_certain_warnings()
    }
}
