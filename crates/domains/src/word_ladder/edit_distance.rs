//! The edit distance: the least number of the edits allowed that make one word of another, if every word were in the
//! list. As each move is one edit, it never overestimates, and falls by no more than one along a move.
//!
//! With changes alone it is the distance of Hamming (1950), with all edits that of Levenshtein (1966), found row by row
//! (Wagner and Fischer 1974).

use super::Edits;
use super::words::{Word, Words};

/// For longer words, counted by the product of their lengths, only the lengths are compared.
const MOST_ENTRIES: usize = 1 << 20;

/// The distances of words to one goal.
pub(super) struct EditDistance {
    goal: Vec<char>,
    edits: Edits,
    /// Whether words are short enough for a table.
    exact: bool,
}

impl EditDistance {
    pub fn new(words: &Words, goal: Word, edits: Edits) -> EditDistance {
        let goal = words.letters(goal).to_vec();
        let exact = goal.len().saturating_mul(words.longest()) <= MOST_ENTRIES;
        EditDistance { goal, edits, exact }
    }

    /// The distance of a word. Where these edits lead nowhere near, it is a number that no distance around it exceeds by
    /// more than one, so that it stays consistent.
    pub fn of(&self, word: &[char]) -> u32 {
        let Edits { change, insert, delete } = self.edits;
        let apart = word.len().abs_diff(self.goal.len()) as u32;
        let never = (word.len() + self.goal.len()) as u32;
        if apart > 0 && !(if word.len() < self.goal.len() { insert } else { delete }) {
            return if self.exact { never } else { apart };
        }
        if !insert && !delete {
            return word.iter().zip(&self.goal).filter(|(one, other)| one != other).count() as u32;
        }
        if !self.exact {
            return apart;
        }
        // By length of the goal's beginning, the distance of a beginning of the word to it; `never` stands for none.
        let mut row: Vec<u32> = (0..=self.goal.len() as u32).collect();
        if !insert {
            row[1..].fill(never);
        }
        for (length, letter) in (1..).zip(word) {
            let mut diagonal = row[0];
            row[0] = if delete { length } else { never };
            for (column, wanted) in (1..).zip(&self.goal) {
                let mut least = if letter == wanted { diagonal } else { never };
                if change {
                    least = least.min(diagonal + 1);
                }
                if delete {
                    least = least.min(row[column] + 1);
                }
                if insert {
                    least = least.min(row[column - 1] + 1);
                }
                diagonal = std::mem::replace(&mut row[column], least.min(never));
            }
        }
        row[self.goal.len()]
    }
}
