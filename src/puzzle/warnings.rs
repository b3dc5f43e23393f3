//! Warnings about a puzzle, which point into its text; so the text is kept.

use super::{Outcome, Puzzle};
use crate::diagnostic::{Diagnostic, Report};
use crate::domain::WarningContext;
use std::ops::Range;
use std::sync::OnceLock;

/// The origin of a puzzle's text.
#[derive(Clone)]
pub(super) struct Origin {
    /// The name of the text in reports.
    pub name: String,
    /// A collection, and the bytes of the text that repeat it.
    pub collection: Option<(String, Range<usize>)>,
    /// The warnings about the level, with their places in the collection.
    pub of_level: Option<Report>,
}

impl Origin {
    /// The origin of the text of a file of this name.
    pub fn file(name: &str) -> Origin {
        Origin { name: name.to_owned(), collection: None, of_level: None }
    }

    /// Returns a report on the text: on the collection, if all places are in it.
    pub fn report(&self, text: &str, mut diagnostics: Vec<Diagnostic>) -> Report {
        if let Some((file, Range { start, end })) = &self.collection {
            let is_within = |span: &Range<usize>| *start <= span.start && span.end <= *end;
            if diagnostics.iter().all(|one| one.span.as_ref().is_some_and(is_within)) {
                let spans = diagnostics.iter_mut().filter_map(|one| one.span.as_mut());
                spans.for_each(|span| *span = span.start - start..span.end - start);
                return Report::new(file, &text[*start..*end], diagnostics);
            }
        }
        Report::new(&self.name, text, diagnostics)
    }
}

/// The text of a puzzle's file.
pub(super) struct Text {
    origin: Origin,
    text: String,
    /// The byte range of the value of the key `goal`.
    goal: Option<Range<usize>>,
    /// Computed on first use.
    warnings: OnceLock<Report>,
}

impl Text {
    /// Keeps a text with its origin, and the byte range of the value of its key `goal`.
    pub fn new(origin: Origin, text: &str, goal: Option<Range<usize>>) -> Text {
        Text { origin, text: text.to_owned(), goal, warnings: OnceLock::new() }
    }
}

impl Puzzle {
    /// Returns warnings about probable mistakes in a valid file, in the order of their places, the same on every run.
    /// They are computed on first use.
    #[must_use]
    pub fn warnings(&self) -> &Report {
        let Text { origin, text, goal, warnings } = &self.text;
        warnings.get_or_init(|| {
            let expects_no_moves = self.expect.cost == Some(0.0);
            let expects_no_solution = self.expect.outcome == Some(Outcome::Unsolvable);
            let context = WarningContext { source: text, goal: goal.clone(), expects_no_moves, expects_no_solution };
            origin.report(text, self.instance.warnings(&context))
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
