//! The reference rules: a comparison of two words, and a look-up in the whole list.
//!
//! They share only the list and the allowed edits with the state space.

use super::words::shown;
use super::{Edits, Ladder};
use crate::domain::Rules;
use std::collections::BTreeSet;

/// A ladder in play.
pub(super) struct LadderRules {
    words: BTreeSet<Vec<char>>,
    /// The letters of all words.
    alphabet: BTreeSet<char>,
    edits: Edits,
    word: Vec<char>,
    goal: Vec<char>,
    moves: u32,
}

impl LadderRules {
    pub fn new(schedule: &Ladder) -> LadderRules {
        let letters = |word| schedule.words.letters(word).to_vec();
        let words: BTreeSet<Vec<char>> = (0..schedule.words.len() as u32).map(letters).collect();
        let alphabet = words.iter().flatten().copied().collect();
        LadderRules {
            words,
            alphabet,
            edits: schedule.edits,
            word: letters(schedule.start),
            goal: letters(schedule.goal),
            moves: 0,
        }
    }
}

/// Returns whether two words differ by one letter that is changed, inserted or deleted.
fn is_one_edit(one: &[char], other: &[char]) -> bool {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let same = shorter.iter().zip(longer).take_while(|(one, other)| one == other).count();
    match longer.len() - shorter.len() {
        0 => same < shorter.len() && shorter[same + 1..] == longer[same + 1..],
        1 => shorter[same..] == longer[same + 1..],
        _ => false,
    }
}

impl Rules for LadderRules {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let next: Vec<char> = written.chars().collect();
        if !self.words.contains(&next) {
            return Err("the word is not in the list".to_owned());
        }
        let from = shown(&self.word);
        let (allowed, one_edit, edit) = if next.len() == self.word.len() {
            if next == self.word {
                return Err("it is the same word as before".to_owned());
            }
            (self.edits.change, is_one_edit(&next, &self.word), "changed")
        } else if next.len() == self.word.len() + 1 {
            (self.edits.insert, is_one_edit(&next, &self.word), "inserted")
        } else if next.len() + 1 == self.word.len() {
            (self.edits.delete, is_one_edit(&next, &self.word), "deleted")
        } else {
            return Err(format!("`{from}` has {} letters, and the word {}", self.word.len(), next.len()));
        };
        if !one_edit {
            return Err(format!("it differs from `{from}` by more than one letter"));
        }
        if !allowed {
            return Err(format!("no letter may be {edit} here"));
        }
        self.word = next;
        self.moves += 1;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.word == self.goal
    }

    fn cost(&self) -> f64 {
        self.moves.into()
    }

    fn draw(&self) -> String {
        self.word.iter().collect::<String>() + "\n"
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(self.word.iter().map(|&letter| letter.into()).collect())
    }

    fn set_position(&mut self, position: &[u32]) {
        self.word = position.iter().filter_map(|&letter| char::from_u32(letter)).collect();
    }

    fn candidates(&self) -> Vec<String> {
        // A long word has more changed words than the list has words.
        if self.word.len() > self.words.len() {
            return self.words.iter().filter(|word| is_one_edit(word, &self.word)).map(String::from_iter).collect();
        }
        let mut words = Vec::new();
        for place in 0..=self.word.len() {
            let (before, after) = self.word.split_at(place);
            let mut with = |letters: &[char], after: &[char]| words.push([before, letters, after].concat());
            if let [_, after @ ..] = after {
                with(&[], after);
                self.alphabet.iter().for_each(|&letter| with(&[letter], after));
            }
            self.alphabet.iter().for_each(|&letter| with(&[letter], after));
        }
        words.retain(|word| self.words.contains(word));
        words.into_iter().map(String::from_iter).collect()
    }
}
