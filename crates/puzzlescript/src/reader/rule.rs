//! The words of a line of the rules, checked one by one, before the legend's whole meaning is known.

use super::cursor::{Cursor, is_space};
use super::words::{COMMANDS, RULE_WORDS, is_cell_word};
use super::{Reader, RuleText, quoted};

/// Characters of a line of the rules: each of its words and cells takes much more memory.
const MAX_LINE: usize = 100_000;

impl Reader {
    /// Reads a token of a rule. Step 0: before the first bracket. `start` is the character that the token begins with.
    pub(super) fn rule(&mut self, cursor: &mut Cursor, first: bool, start: Option<char>) {
        if first {
            if cursor.written().len() > MAX_LINE {
                let message = format!("a line of the rules has more than {MAX_LINE} characters");
                return self.diagnostics.refuse(self.at, message);
            }
            let (start, text) = cursor.first_stretch();
            self.rules.push(RuleText { line: self.line, start, text, written: cursor.written().to_vec() });
            self.step = 0;
            self.message = false;
        }
        if self.message {
            return cursor.skip_rest();
        }
        if cursor.one_of(&["->"], |_| true).is_some() {
            return;
        }
        if let Some('[' | '|' | ']' | '+') = start {
            if start != Some('+') {
                self.step = 1;
            }
            cursor.advance();
            return cursor.spaces();
        }
        let word = cursor.take_while(|character| !matches!(character, '[' | '|' | ']') && !is_space(character));
        if word.is_empty() {
            cursor.advance();
        }
        let marker = word == "startloop" || word == "endloop";
        if self.step == 0 && (marker || RULE_WORDS.contains(&word.as_str())) || self.step == 1 && is_cell_word(&word) {
            return;
        }
        if self.names.contains(&word) {
            if first {
                self.diagnostics.error(self.at, "names must stand in square brackets; a rule begins with directions");
            }
            return;
        }
        if matches!(word.as_str(), "..." | "rigid" | "random") {
            return;
        }
        if COMMANDS.contains(&word.as_str()) {
            self.message = word == "message";
        } else {
            self.diagnostics.unknown(self.at, &word, format!("unknown name {} in a rule", quoted(&word)));
        }
    }
}
