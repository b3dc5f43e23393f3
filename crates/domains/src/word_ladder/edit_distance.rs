//! The edit distance: the least number of allowed edits between two words, if every word were in the list. As each move
//! is one edit, it is admissible and consistent.
//!
//! With changes alone, it is the Hamming distance (1950); with all edits, it is the Levenshtein distance (1966),
//! computed row by row (Wagner and Fischer 1974).

use super::Edits;
use super::words::{Word, Words};
use crate::space::{Part, Parts};

/// The greatest product of the lengths of two words for which the table is computed. For longer words, only the lengths
/// are compared.
const MOST_ENTRIES: usize = 1 << 20;

/// The distances of words to one goal.
pub(super) struct EditDistance {
    goal: Vec<char>,
    edits: Edits,
    /// True if all words are short enough for a table.
    exact: bool,
}

impl EditDistance {
    pub fn new(words: &Words, goal: Word, edits: Edits) -> EditDistance {
        let goal = words.letters(goal).to_vec();
        let exact = goal.len().saturating_mul(words.longest()) <= MOST_ENTRIES;
        EditDistance { goal, edits, exact }
    }

    /// Returns the parts of the distance, letter by letter, if letters are only changed.
    pub fn parts(&self, word: &[char]) -> Parts {
        if self.edits.insert || self.edits.delete || word.len() != self.goal.len() {
            return Parts::default();
        }
        let letters = (0..).zip(word.iter().zip(&self.goal));
        Parts::sum(letters.map(|(place, (letter, wanted))| Part {
            cells: vec![(0, place)],
            ..Part::of(format!("{letter} for {wanted}, letter {}", place + 1), u32::from(letter != wanted), [""; 0])
        }))
    }

    /// Returns the distance of a word. If the edits cannot reach the goal, returns a number that exceeds no
    /// neighbouring distance by more than one, so that the heuristic stays consistent.
    pub fn of(&self, word: &[char]) -> u32 {
        let Edits { change, insert, delete } = self.edits;
        let length_difference = word.len().abs_diff(self.goal.len()) as u32;
        let unreachable = (word.len() + self.goal.len()) as u32;
        if length_difference > 0 && !(if word.len() < self.goal.len() { insert } else { delete }) {
            return if self.exact { unreachable } else { length_difference };
        }
        if !insert && !delete {
            return word.iter().zip(&self.goal).filter(|(one, other)| one != other).count() as u32;
        }
        if !self.exact {
            return length_difference;
        }
        // The distance of a prefix of the word to each prefix of the goal, by length; `unreachable` if it is
        // unreachable.
        let mut row: Vec<u32> = (0..=self.goal.len() as u32).collect();
        if !insert {
            row[1..].fill(unreachable);
        }
        for (length, letter) in (1..).zip(word) {
            let mut diagonal = row[0];
            row[0] = if delete { length } else { unreachable };
            for (column, wanted) in (1..).zip(&self.goal) {
                let mut least = if letter == wanted { diagonal } else { unreachable };
                if change {
                    least = least.min(diagonal + 1);
                }
                if delete {
                    least = least.min(row[column] + 1);
                }
                if insert {
                    least = least.min(row[column - 1] + 1);
                }
                diagonal = std::mem::replace(&mut row[column], least.min(unreachable));
            }
        }
        row[self.goal.len()]
    }
}
