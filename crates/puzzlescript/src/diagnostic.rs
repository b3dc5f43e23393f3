//! Errors and warnings of reading and compiling a game, as data.

use crate::game::Place;
use std::collections::BTreeSet;
use std::fmt;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The game plays as written. Something in it has no effect here.
    Note,
    /// The game plays as written. The author probably made a mistake.
    Warning,
    /// The game does not play, or not as written: the offending words or line are left out.
    Error,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub severity: Severity,
    /// The place, if it is about one: a game without levels has no such place.
    pub at: Option<Place>,
    /// The problem, without its place.
    pub message: String,
    /// The name in it that is unknown: one of [`Diagnostics::names`] may be meant.
    pub unknown: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.at {
            write!(f, "{at}: ")?;
        }
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.message)
    }
}

/// The diagnostics of one game, in the order found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    errors: usize,
    /// PuzzleScript itself does not play the game, as this implementation reads more than it does.
    stops_reference: bool,
    /// The names that the game declares, and those of its settings.
    names: Vec<String>,
}

impl Diagnostics {
    /// Errors after which reading stops. The reference gives up at the same number, so that both agree on what is still
    /// played.
    pub const MAX_ERRORS: usize = 5;

    /// Errors and warnings after which a game counts as unreadable.
    pub const MAX_DIAGNOSTICS: usize = 100;

    /// Adds an error.
    pub fn error(&mut self, at: impl Into<Option<Place>>, message: impl Into<String>) {
        self.add(Severity::Error, at.into(), message.into(), None);
    }

    /// Adds a note.
    pub fn note(&mut self, at: Place, message: impl Into<String>) {
        self.add(Severity::Note, Some(at), message.into(), None);
    }

    /// Adds an error after which PuzzleScript itself plays nothing, but this implementation may.
    pub fn error_of_reference(&mut self, at: impl Into<Option<Place>>, message: impl Into<String>) {
        self.stops_reference = true;
        self.error(at, message);
    }

    /// Returns whether PuzzleScript itself plays the game, if this implementation does.
    #[must_use]
    pub fn does_reference_play(&self) -> bool {
        !self.stops_reference
    }

    /// Replaces everything found by one error after which nothing is played.
    pub fn refuse_instead(&mut self, at: Place, message: impl Into<String>) {
        self.found.clear();
        self.refuse(at, message);
    }

    /// Replaces what was found after the first `before` diagnostics by one, as severe as the worst of them. Unknown names
    /// stay. The number of errors, which decides whether the game is played, stays too.
    pub(crate) fn sum_up(&mut self, before: usize, at: Place, message: impl Into<String>) {
        let (unknown, others): (Vec<_>, Vec<_>) =
            self.found.drain(before.min(self.found.len())..).partition(|one| one.unknown.is_some());
        if let Some(severity) = others.iter().map(|one| one.severity).max() {
            self.found.push(Diagnostic { severity, at: Some(at), message: message.into(), unknown: None });
        }
        self.found.extend(unknown);
    }

    /// Adds an error about an unknown name.
    pub fn unknown(&mut self, at: Place, name: &str, message: impl Into<String>) {
        self.add(Severity::Error, Some(at), message.into(), Some(name.to_owned()));
    }

    /// Adds an error after which nothing is played: the game is larger than this implementation reads.
    pub fn refuse(&mut self, at: impl Into<Option<Place>>, message: impl Into<String>) {
        self.error(at, message);
        self.errors = self.errors.max(Self::MAX_ERRORS + 1);
    }

    /// Adds a warning.
    pub fn warning(&mut self, at: impl Into<Option<Place>>, message: impl Into<String>) {
        self.add(Severity::Warning, at.into(), message.into(), None);
    }

    /// Returns all errors and warnings in the order found.
    #[must_use]
    pub fn all(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Returns all errors and warnings, an unknown name of a line once: several stages of reading report it.
    pub fn distinct(&self) -> impl Iterator<Item = &Diagnostic> {
        let mistake = |one: &Diagnostic| one.unknown.clone().map(|name| (one.at.map(|at| at.line), name));
        let mut seen = BTreeSet::new();
        self.found.iter().filter(move |one| mistake(one).is_none_or(|mistake| seen.insert(mistake)))
    }

    /// Returns the names that may be meant where one is unknown.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Adds names that may be meant where one is unknown.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// Returns the number of errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns whether there are more errors, or more diagnostics, than reading goes on with.
    #[must_use]
    pub fn too_many(&self) -> bool {
        self.errors > Self::MAX_ERRORS || self.found.len() > Self::MAX_DIAGNOSTICS
    }

    /// Returns whether there are more diagnostics than reading goes on with, warnings included.
    #[must_use]
    pub(crate) fn found_too_many(&self) -> bool {
        self.found.len() > Self::MAX_DIAGNOSTICS
    }

    /// Adds a diagnostic. The same message on the same line counts once: one line stands for many rules, each of which
    /// would repeat it.
    fn add(&mut self, severity: Severity, at: Option<Place>, message: String, unknown: Option<String>) {
        let line = at.map(|at| at.line);
        let known = |other: &Diagnostic| other.at.map(|at| at.line) == line && other.message == message;
        if self.found_too_many() || self.found.iter().any(known) {
            return;
        }
        // As in the reference, a warning without a line decides like an error (its tests pin that).
        if severity == Severity::Error || line.is_none() {
            self.errors += 1;
        }
        self.found.push(Diagnostic { severity, at, message, unknown });
    }
}
