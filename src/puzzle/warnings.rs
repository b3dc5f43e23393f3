//! Warnings about a puzzle, which point into its file; so the text of the file is kept.

use super::{Outcome, Puzzle};
use crate::argument::counted;
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::document::{COMPOSED, Composed, PuzzleText, composed};
use crate::domain::{BuildContext, WarningContext};
use std::ops::Range;
use std::sync::OnceLock;

/// The origin of a puzzle.
#[derive(Clone)]
pub(super) struct Origin {
    /// The name of the puzzle: that of its file, or of the level.
    pub name: String,
    /// The file that spans point into, and its text, with composed letters.
    pub file: String,
    pub source: SourceText,
    /// The text as a puzzle file.
    pub text: PuzzleText,
    /// The warnings about the level.
    pub of_level: Option<Report>,
    /// The text of the file as it is written and as it is read, if its letters are not composed.
    pub composed: Option<(SourceText, Composed)>,
}

impl Origin {
    /// The origin of the text of a file of this name.
    pub fn file(name: &str, written: SourceText) -> Origin {
        let composed = composed(&written);
        let source = composed.as_ref().map_or_else(|| written.clone(), |composed| composed.text().into());
        let text = PuzzleText::File(source.clone());
        let composed = composed.map(|composed| (written, composed));
        Origin { name: name.to_owned(), file: name.to_owned(), source, text, of_level: None, composed }
    }

    /// Returns the text of the puzzle file as it is written.
    pub fn written(&self) -> PuzzleText {
        self.composed.as_ref().map_or_else(|| self.text.clone(), |(written, _)| PuzzleText::File(written.clone()))
    }

    /// Returns a report on the puzzle. A place is one in the file, so without any the report names the level.
    pub fn report(&self, mut diagnostics: Vec<Diagnostic>) -> Report {
        let mut spans = diagnostics.iter_mut().filter_map(|one| one.span.as_mut()).peekable();
        let name = if spans.peek().is_some() { &self.file } else { &self.name };
        let source = match &self.composed {
            Some((written, composed)) => {
                spans.for_each(|span| *span = composed.written(span.clone()));
                written
            }
            None => &self.source,
        };
        Report::new(name, source.clone(), diagnostics)
    }

    /// Returns the warning that letters of the text were composed.
    fn of_composition(&self) -> Option<Diagnostic> {
        let (_, composed) = self.composed.as_ref()?;
        // As a place in the text that was read.
        let first = composed.first();
        let count = counted(composed.count(), "place");
        let warning = Diagnostic::at(first, COMPOSED);
        let warning = warning.warning().label(format!("the first of {count}"));
        Some(Diagnostic { is_certain: true, ..warning.help("save the file in the form NFC") })
    }
}

/// The parts of a puzzle's file that warnings need.
pub(super) struct Text {
    pub(super) origin: Origin,
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
        self.text.warnings.get_or_init(|| self.find_warnings(&BuildContext::default()))
    }

    /// Returns the [`warnings`](Self::warnings), if finding them takes no more than these limits.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn warnings_within(&self, limits: &BuildContext) -> Result<&Report, Report> {
        let Text { origin, warnings, .. } = &self.text;
        if let Some(known) = warnings.get() {
            return Ok(known);
        }
        let found = self.find_warnings(limits);
        match limits.ended() {
            Some(limit) => Err(origin.report(vec![Diagnostic::at_limit(limit)])),
            None => Ok(warnings.get_or_init(|| found)),
        }
    }

    fn find_warnings(&self, limits: &BuildContext) -> Report {
        let Text { origin, goal, .. } = &self.text;
        let expects_no_moves = self.expect.cost == Some(0.0);
        let expects_no_solution = self.expect.outcome == Some(Outcome::Unsolvable);
        let (source, goal) = (&origin.source, goal.clone());
        let context = WarningContext { source, goal, expects_no_moves, expects_no_solution, limits };
        let warnings = self.instance.warnings(&context).into_iter();
        origin.report(warnings.chain(origin.of_composition()).chain(self.of_retired_heuristic()).collect())
    }

    /// Returns the warning that the file names a heuristic that is gone.
    fn of_retired_heuristic(&self) -> Option<Diagnostic> {
        let warning = Diagnostic::at(self.search.retired.clone()?, "this heuristic is gone").warning();
        let warning = warning.label(format!("`{}` takes its place", self.facts.default_heuristic));
        let help = "leave it out: the default search chooses the heuristics by the puzzle";
        Some(Diagnostic { is_certain: true, ..warning.help(help) })
    }

    /// Returns the warnings about the level of a collection that the puzzle is, with their places in the collection.
    #[must_use]
    pub fn level_warnings(&self) -> Option<&Report> {
        self.text.origin.of_level.as_ref()
    }

    /// Returns the messages of all warnings, those about the level of a collection first.
    pub(crate) fn warning_messages(&self) -> impl Iterator<Item = &str> {
        let reports = self.level_warnings().into_iter().chain([self.warnings()]);
        reports.flat_map(Report::diagnostics).map(|warning| warning.message.as_str())
    }

    /// Returns whether reading the file found a warning about a certain mistake, without looking for others.
    #[must_use]
    pub fn has_certain_warnings(&self) -> bool {
        self.text.origin.composed.is_some() || self.search.retired.is_some() || self.instance.has_certain_warnings()
    }
}
