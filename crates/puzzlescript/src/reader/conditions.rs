//! The win conditions.

use super::cursor::{Cursor, is_name, is_space};
use super::{Reader, quoted};
use crate::game::{Condition, Quantifier};

/// Win conditions of a game.
const MAX_CONDITIONS: usize = 1000;

impl Reader {
    /// Reads a token of the win conditions. The first one reads the whole line; each one checks its own word.
    pub(super) fn condition(&mut self, cursor: &mut Cursor, first: bool) {
        if first {
            self.whole_condition(cursor);
            self.step = -1;
        }
        self.step += 1;
        let word = cursor.take_while(is_name);
        if word.is_empty() {
            self.diagnostics.error(self.at, "unknown text in a win condition");
            return cursor.skip_before_comment();
        }
        cursor.spaces();
        match self.step {
            0 if !["all", "any", "no", "some"].contains(&word.as_str()) => {
                let message =
                    format!("a win condition begins with `all`, `some`, `any` or `no`, not {}", quoted(&word));
                self.diagnostics.error(self.at, message);
            }
            2 if word != "on" => {
                self.diagnostics.error(self.at, format!("expected `on` in the win condition, found {}", quoted(&word)));
            }
            1 | 3 if !self.names.contains(&word) => {
                let message = format!("unknown name {} in a win condition", quoted(&word));
                self.diagnostics.unknown(self.at, &word, message);
            }
            0..=3 => {}
            _ => self.diagnostics.error(self.at, format!("the win condition has ended before {}", quoted(&word))),
        }
    }

    fn whole_condition(&mut self, cursor: &Cursor) {
        let (_, text) = cursor.first_stretch();
        let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
        let quantifier = match words.first() {
            Some(&"no") => Quantifier::No,
            Some(&"all") => Quantifier::All,
            _ => Quantifier::Some,
        };
        let Some(name) = words.get(1) else {
            let message = "incomplete win condition: expected one like `all target on crate` or `no fruit`";
            return self.diagnostics.error(self.at, message);
        };
        // Only a condition of exactly four words has an `on`: what is longer has an error, and plays without it.
        if self.game.conditions.len() >= MAX_CONDITIONS {
            let message = format!("the game has more than {MAX_CONDITIONS} win conditions");
            return self.diagnostics.refuse(self.at, message);
        }
        let on = (words.len() == 4).then(|| words[3].to_owned());
        self.game.conditions.push(Condition { at: self.at, quantifier, name: (*name).to_owned(), on });
    }
}
