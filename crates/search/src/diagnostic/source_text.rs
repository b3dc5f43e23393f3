//! The text of a file, shared by all that point into it, with an index of its lines.
//!
//! A collection has thousands of levels, each with reports of its own: they share one text, and the lines are counted
//! once.

use super::{Position, floor_char_boundary};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// The text of a file. Clones share it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct SourceText(Arc<Indexed>);

struct Indexed {
    text: Box<str>,
    /// The bytes at which the lines start. Found on first use.
    starts: OnceLock<Vec<usize>>,
}

impl SourceText {
    fn starts(&self) -> &[usize] {
        let ends = || self.match_indices('\n').map(|(at, _)| at + 1);
        self.0.starts.get_or_init(|| std::iter::once(0).chain(ends()).collect())
    }

    /// Returns the position of a byte.
    #[must_use]
    pub fn position(&self, at: usize) -> Position {
        let at = floor_char_boundary(self, at);
        let line = self.starts().partition_point(|&start| start <= at);
        let before = &self[self.starts()[line - 1]..at];
        // Editors show no byte order mark.
        Position { line, column: 1 + before.trim_start_matches('\u{feff}').chars().count() }
    }

    /// Returns the bytes of a line, counted from 1, with its line end; none beyond the last one.
    #[must_use]
    pub fn line(&self, number: usize) -> Option<Range<usize>> {
        let starts = self.starts();
        let start = *starts.get(number.checked_sub(1)?)?;
        Some(start..starts.get(number).copied().unwrap_or(self.len()))
    }
}

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl From<String> for SourceText {
    fn from(text: String) -> SourceText {
        SourceText(Arc::new(Indexed { text: text.into(), starts: OnceLock::new() }))
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> SourceText {
        text.to_owned().into()
    }
}

impl From<SourceText> for String {
    fn from(text: SourceText) -> String {
        (*text).to_owned()
    }
}

impl PartialEq for SourceText {
    fn eq(&self, other: &SourceText) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}

impl Eq for SourceText {}

impl fmt::Debug for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceText({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_1_in_characters() {
        let text = SourceText::from("\u{feff}äb\nc\n\nd");
        let at = |byte: usize| {
            let Position { line, column } = text.position(byte);
            (line, column)
        };
        assert_eq!(
            [0, 3, 5, 6, 7, 9, 10, 11, 99].map(at),
            [(1, 1), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (4, 1), (4, 2), (4, 2)]
        );
        let lines = [0, 1, 2, 3, 4, 5].map(|number| text.line(number).map(|bytes| &text[bytes]));
        assert_eq!(lines, [None, Some("\u{feff}äb\n"), Some("c\n"), Some("\n"), Some("d"), None]);
    }
}
