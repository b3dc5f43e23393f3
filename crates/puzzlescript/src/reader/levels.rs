//! The levels and the messages between them.

use super::cursor::{Cursor, boundary, trim};
use super::{Reader, quoted};
use crate::game::{Entry, Level, Meaning, Place};

/// A level being read.
pub(super) enum Draft {
    /// Nothing yet: the next row begins a level.
    Blank,
    Message {
        at: Place,
        text: String,
    },
    Board {
        at: Place,
        rows: Vec<String>,
    },
}

/// Returns the length of a row as the reference counts it, in UTF-16 units.
fn units(row: &str) -> usize {
    row.encode_utf16().count()
}

impl Reader {
    /// Collects the one-character names of objects, synonyms and aggregates. Properties are ambiguous in a level.
    pub(super) fn collect_keys(&mut self) {
        let objects = self.game.objects.iter().map(|object| object.name.as_str());
        let legend = self.game.legend.iter().filter(|entry| !matches!(entry.meaning, Meaning::Any(_)));
        for name in objects.chain(legend.map(|entry| entry.name.as_str())) {
            let mut characters = name.chars();
            // The reference looks at UTF-16 units: a character of two of them is no key.
            if let (Some(only), None) = (characters.next(), characters.next())
                && only.len_utf16() == 1
            {
                self.keys.insert(only);
            }
        }
    }

    /// Ends the level at a blank line.
    pub(super) fn end_level(&mut self) {
        if !matches!(self.levels.last(), Some(Draft::Blank)) {
            self.levels.push(Draft::Blank);
        }
    }

    /// Reads a token of the levels: a message, or a row and then its keys one by one. Step 2: in a row.
    pub(super) fn level(&mut self, cursor: &mut Cursor, first: bool) {
        if first && (self.level_message(cursor) || self.level_heading(cursor)) {
            return;
        }
        if self.message {
            return cursor.skip_rest();
        }
        if first {
            self.row(cursor);
        }
        if self.step == 2 {
            if let Some(key) = cursor.advance()
                && !self.keys.contains(&key)
                && self.seen.insert(key.to_string())
            {
                let written = quoted(&key.to_string());
                let is_property = |entry: &Entry| {
                    matches!(entry.meaning, Meaning::Any(_)) && entry.name.eq_ignore_ascii_case(&key.to_string())
                };
                if self.game.legend.iter().any(is_property) {
                    let why = "is a property (`or`), which is ambiguous in a level: expected an object";
                    self.diagnostics.error(self.at, format!("{written} {why}"));
                } else {
                    let why = "in a level: expected an object or a name of the legend";
                    self.diagnostics.unknown(self.at, &key.to_string(), format!("unknown key {written} {why}"));
                }
            }
        } else {
            cursor.advance();
        }
    }

    /// Reads `message` and its text. Returns whether there is one.
    fn level_message(&mut self, cursor: &mut Cursor) -> bool {
        if cursor.one_of(&["message"], boundary).is_none() {
            if cursor.one_of(&["message"], |_| true).is_none() {
                return false;
            }
            self.diagnostics.warning(self.at, "a space is missing after `message`");
        }
        self.message = true;
        let text = trim(&cursor.rest_as_written()).to_owned();
        let message = Draft::Message { at: self.at, text };
        if matches!(self.levels.last(), Some(Draft::Blank)) {
            let last = self.levels.len() - 1;
            self.levels.insert(last, message);
        } else {
            self.levels.push(message);
        }
        true
    }

    fn row(&mut self, cursor: &Cursor) {
        let Some(text) = cursor.before_comment() else { return };
        let row = trim(&text).to_owned();
        self.step = 2;
        match self.levels.last_mut() {
            Some(Draft::Board { rows, .. }) => {
                if units(&row) != units(&rows[0]) {
                    self.diagnostics.warning(self.at, "the rows of a level differ in length");
                }
                rows.push(row);
            }
            Some(last @ Draft::Blank) => *last = Draft::Board { at: self.at, rows: vec![row] },
            _ => self.levels.push(Draft::Board { at: self.at, rows: vec![row] }),
        }
    }

    /// Takes the levels over into the game.
    pub(super) fn finish_levels(&mut self) {
        let drafts = std::mem::take(&mut self.levels);
        self.game.levels = drafts
            .into_iter()
            .filter_map(|draft| match draft {
                Draft::Blank => None,
                Draft::Message { at, text } => Some(Level::Message { at, text }),
                Draft::Board { at, rows } => Some(Level::Board { at, rows }),
            })
            .collect();
    }
}
