//! Edits: single changes of a puzzle file. An edit changes the text, so the domain reads the result by its own reader.

use crate::document::{DeValue, Document, Findings, Spanned, Value};
use crate::drawing::Drawing;
use serde::Serialize;
use std::ops::Range;

/// A change of one value of a puzzle file. Serialised, it has the key and what is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Edit {
    /// Other contents of cells of a drawing.
    Cells {
        /// The path to the drawing: `["start"]`, `["start", "drawing"]`.
        key: &'static [&'static str],
        /// The line of the value that holds row 0, from 1, if the drawing is a part of the value: a level of a game.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The row and the column of each cell from 0, and its new text.
        cells: Vec<(usize, usize, String)>,
        /// True if the cells of the drawing are words between spaces.
        #[serde(skip)]
        has_words: bool,
    },
    /// A list of places without one of them.
    Without {
        /// The path to the list.
        key: &'static [&'static str],
        /// The place to remove, `[row, column]`.
        without: [usize; 2],
    },
}

/// An edit that a domain proposes, in words for the author of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The change, in words that begin a sentence: `without the wall at row 3, column 4`.
    pub words: String,
    /// The edit of the file.
    pub edit: Edit,
}

impl Change {
    /// Returns the change that empties cells of a drawing, whose empty cells are `.`.
    #[must_use]
    pub fn emptying(words: String, key: &'static [&'static str], cells: &[(usize, usize)]) -> Change {
        let cells = cells.iter().map(|&(row, column)| (row, column, ".".to_owned())).collect();
        Change { words, edit: Edit::Cells { key, line: None, cells, has_words: false } }
    }
}

impl Edit {
    fn key(&self) -> &'static [&'static str] {
        match self {
            Edit::Cells { key, .. } | Edit::Without { key, .. } => key,
        }
    }

    /// Returns the text of a puzzle file after the edit, whose other values keep their text; `None` if the file has no
    /// such cells or place.
    #[must_use]
    pub fn applied(&self, text: &str) -> Option<String> {
        let document = Document::parse(text).ok()?;
        let findings = Findings::default();
        let keys = document.keys(&findings);
        let (span, value) = keys.value_at(self.key())?;
        let new = self.new_value(value, span.clone(), text)?;
        let mut edited = text.to_owned();
        edited.replace_range(span, &new);
        Some(edited)
    }

    /// Returns the TOML of the new value.
    fn new_value(&self, value: &DeValue, span: Range<usize>, text: &str) -> Option<String> {
        match (self, value) {
            (Edit::Cells { line: Some(line), cells, .. }, DeValue::String(lines)) => {
                Some(Value::Shared(with_cells(lines, *line, cells)?.into()).to_toml())
            }
            (Edit::Cells { cells, has_words, .. }, DeValue::String(drawing)) => {
                let drawing = Spanned::new(span, drawing.to_string());
                let read = if *has_words { Drawing::of_words } else { Drawing::of_characters };
                let rows = read(&drawing, text).ok()?.with(cells)?;
                Some(Value::Drawing(rows).to_toml())
            }
            (Edit::Without { without, .. }, DeValue::Array(items)) => {
                let kept = items.iter().filter(|item| place(item.get_ref()) != Some(*without));
                let kept: Vec<&str> = kept.filter_map(|item| text.get(item.span())).collect();
                (kept.len() < items.len()).then(|| format!("[{}]", kept.join(", ")))
            }
            _ => None,
        }
    }
}

/// Returns lines with other texts in some cells of the drawing that begins in a line; `None` if it lacks one of them.
fn with_cells(lines: &str, line: usize, cells: &[(usize, usize, String)]) -> Option<String> {
    let mut lines: Vec<String> = lines.split('\n').map(str::to_owned).collect();
    for (row, column, text) in cells {
        let written = lines.get_mut(line.checked_sub(1)?.checked_add(*row)?)?;
        let indent = written.len() - written.trim_start().len();
        let (at, old) = written[indent..].char_indices().nth(*column)?;
        written.replace_range(indent + at..indent + at + old.len_utf8(), text);
    }
    Some(lines.join("\n"))
}

/// Returns the row and the column of a place.
fn place(value: &DeValue) -> Option<[usize; 2]> {
    let number = |value: &Spanned<DeValue>| match value.get_ref() {
        DeValue::Integer(written) => usize::from_str_radix(written.as_str(), written.radix()).ok(),
        _ => None,
    };
    let DeValue::Array(numbers) = value else { return None };
    match &numbers[..] {
        [row, column] => Some([number(row)?, number(column)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(key: &'static [&'static str], cells: &[(usize, usize, &str)], has_words: bool) -> Edit {
        let cells = cells.iter().map(|&(row, column, text)| (row, column, text.to_owned())).collect();
        Edit::Cells { key, line: None, cells, has_words }
    }

    #[test]
    fn an_edit_changes_one_value_and_keeps_the_rest_of_the_file() {
        let text = "# a comment\ntitle = 't' # kept\nstart = '''\n\nab\\\n..\"\n'''\nwalls = [[0, 1], [0x1, 2]]\n";
        let edit = cells(&["start"], &[(1, 0, "#"), (0, 2, "é")], false);
        let wanted =
            "# a comment\ntitle = 't' # kept\nstart = \"\"\"\n\nabé\n#.\\\"\n\"\"\"\nwalls = [[0, 1], [0x1, 2]]\n";
        assert_eq!(edit.applied(text).as_deref(), Some(wanted));
        let without = Edit::Without { key: &["walls"], without: [1, 2] };
        assert_eq!(without.applied(text), Some(text.replace(", [0x1, 2]", "")));
        let inner = "start = { drawing = \"1 2\\n3 0\", a = 1 }\n";
        let edit = cells(&["start", "drawing"], &[(0, 0, "2"), (0, 1, "1")], true);
        assert_eq!(edit.applied(inner).as_deref(), Some("start = { drawing = \"\"\"\n2 1\n3 0\n\"\"\", a = 1 }\n"));
    }

    #[test]
    fn an_edit_of_a_level_changes_the_lines_of_the_game_that_draw_it() {
        let text = "source = \"\"\"\ntitle x\n  é*.\n  .#.\n\"\"\"\nlevel = 1\n";
        let cells = vec![(0, 1, "-".to_owned()), (1, 2, "o".to_owned())];
        let edit = |line| Edit::Cells { key: &["source"], line: Some(line), cells: cells.clone(), has_words: false };
        let wanted = "source = \'\'\'\ntitle x\n  é-.\n  .#o\n\'\'\'\nlevel = 1\n";
        assert_eq!(edit(2).applied(text).as_deref(), Some(wanted));
        assert_eq!(edit(0).applied(text), None);
        assert_eq!(edit(3).applied(text), None);
    }

    #[test]
    fn an_edit_of_what_is_not_there_is_none() {
        let text = "start = '..'\nwalls = [[0, 1]]\n";
        for edit in [
            cells(&["start"], &[(1, 0, "#")], false),
            cells(&["start"], &[(0, 2, "#")], false),
            cells(&["map"], &[(0, 0, "#")], false),
            cells(&["start", "drawing"], &[(0, 0, "#")], false),
            Edit::Without { key: &["walls"], without: [1, 0] },
            Edit::Without { key: &["start"], without: [0, 0] },
        ] {
            assert_eq!(edit.applied(text), None, "{edit:?}");
        }
    }
}
