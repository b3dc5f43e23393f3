//! The size of the compiled rules: a line with many ambiguous words grows with their factorial, and small texts can ask
//! for more rules than there is memory. What makes rules pays for them, and so notices that it must stop, too.

use super::names::Names;
use super::rule::Rule;
use crate::diagnostic::Diagnostics;
use crate::game::{Command, Place};

/// Words of all rules that are made on the way to the compiled ones. The largest of the reference's tests needs about a
/// hundred thousand.
const MAX_WORDS: usize = 3_000_000;

/// Words of masks that take as long to make as a word of a rule.
const MASK_WORDS: usize = 32;

/// Bytes of a message that count as a word.
const BYTES_A_WORD: usize = 32;

/// Words that are paid for between two looks whether to stop: well below a millisecond of work.
const CHECK_EVERY: usize = 1 << 10;

/// The words that may still be made.
pub(super) struct Budget<'a> {
    left: Option<usize>,
    /// The cost of a word of a rule: masks grow with the numbers of objects and layers.
    price: usize,
    should_stop: &'a dyn Fn() -> bool,
    /// The words since the last look.
    unchecked: usize,
}

impl Budget<'_> {
    pub(super) fn new<'a>(names: &Names, should_stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        let price = 1 + (names.object_words + names.movement_words) / MASK_WORDS;
        Budget { left: Some(MAX_WORDS), price, should_stop, unchecked: 0 }
    }

    /// Returns whether it did not suffice, or the work must stop.
    pub(super) fn is_spent(&self) -> bool {
        self.left.is_none()
    }

    /// Notes this many words of work that has been paid for. Returns false if it must stop.
    pub(super) fn works(&mut self, words: usize) -> bool {
        self.unchecked += words;
        if self.unchecked >= CHECK_EVERY {
            self.unchecked = 0;
            if (self.should_stop)() {
                self.left = None;
            }
        }
        self.left.is_some()
    }

    /// Pays for a copy of a rule. Returns false, after an error, if the budget does not suffice.
    pub(super) fn pay_for(&mut self, rule: &Rule, diagnostics: &mut Diagnostics) -> bool {
        let cells = rule.left.iter().chain(&rule.right).flatten();
        let words: usize = cells.map(|cell| 1 + cell.len()).sum();
        let message = |command: &Command| match command {
            Command::Message(text) => text.len() / BYTES_A_WORD,
            _ => 0,
        };
        let messages: usize = rule.commands.iter().map(message).sum();
        self.pay(words + messages, rule.at, diagnostics)
    }

    /// Pays for words of a rule at this place. Returns false, after an error, if the budget does not suffice, or if the
    /// work must stop.
    pub(super) fn pay(&mut self, words: usize, at: Place, diagnostics: &mut Diagnostics) -> bool {
        if !self.works(words) {
            return false;
        }
        let Some(left) = self.left else { return false };
        self.left = left.checked_sub(words.saturating_mul(self.price));
        if self.left.is_none() {
            diagnostics
                .refuse(at, "the rules up to this one stand for too many rules, one for each direction and object");
        }
        self.left.is_some()
    }
}
