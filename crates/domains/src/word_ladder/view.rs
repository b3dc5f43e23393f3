//! Drawings of word ladders: the word; in pictures its letters, which keep their identities while others come and go.

use super::space::LadderSpace;
use super::words::{Word, Words};
use crate::domain::{Alternative, GoalView, Notation, Style, View};
use crate::picture::{Figure, Form, Ground, Paint, Picture};
use std::sync::Arc;

/// The view of a word ladder.
pub(super) struct LadderView {
    pub words: Arc<Words>,
    pub start: Word,
    pub goal: Word,
}

/// A word with an identity for each letter.
#[derive(Clone)]
pub(super) struct Spelled {
    word: Word,
    /// The key of each letter.
    keys: Vec<u64>,
    /// The least unused key.
    next: u64,
}

impl View<LadderSpace> for LadderView {
    type Position = Spelled;

    fn initial(&self) -> Spelled {
        let letters = self.words.letters(self.start).len() as u64;
        Spelled { word: self.start, keys: (0..letters).collect(), next: letters }
    }

    fn position(&self, _space: &LadderSpace, &word: &Word) -> Option<Spelled> {
        let letters = self.words.letters(word).len() as u64;
        Some(Spelled { word, keys: (0..letters).collect(), next: letters })
    }

    /// Keeps the keys of the letters before and after the edit.
    fn apply(&self, spelled: &mut Spelled, next: Word) {
        let (old, new) = (self.words.letters(spelled.word), self.words.letters(next));
        let same = |pairs: &mut dyn Iterator<Item = (&char, &char)>| pairs.take_while(|(one, two)| one == two).count();
        let before = same(&mut old.iter().zip(new));
        let shorter = old.len().min(new.len());
        let behind = same(&mut old.iter().rev().zip(new.iter().rev())).min(shorter - before);
        let fresh = (new.len() - before - behind) as u64;
        spelled.keys.splice(before..old.len() - behind, spelled.next..spelled.next + fresh);
        spelled.next += fresh;
        spelled.word = next;
    }

    fn notation(&self, _spelled: &Spelled, next: Word, _notation: Notation) -> String {
        self.words.text(next)
    }

    fn draw(&self, spelled: &Spelled, _style: Style) -> String {
        self.words.text(spelled.word) + "\n"
    }

    /// Returns a picture of the word, with the goal below it.
    fn picture(&self, spelled: &Spelled) -> Option<Picture> {
        let (word, goal) = (self.words.letters(spelled.word), self.words.letters(self.goal));
        let mut picture = Picture::new(2, word.len().max(goal.len()), Ground::Void);
        for (column, (&letter, &key)) in word.iter().zip(&spelled.keys).enumerate() {
            let paint = if goal.get(column) == Some(&letter) { Paint::Done } else { Paint::Hue(0) };
            picture.figures.push(Figure::single(key, letter, paint, Form::Block, (0, column)));
        }
        let mark = |(column, &letter)| Figure::single(column as u64, letter, Paint::Plain, Form::Text, (1, column));
        picture.marks = goal.iter().enumerate().map(mark).collect();
        Some(picture)
    }

    fn goal(&self) -> GoalView {
        let letters = self.words.letters(self.goal);
        let mut picture = Picture::new(1, letters.len(), Ground::Void);
        let figure = |(column, &letter)| Figure::single(column as u64, letter, Paint::Done, Form::Block, (0, column));
        picture.figures = letters.iter().enumerate().map(figure).collect();
        let drawing = Some(self.words.text(self.goal) + "\n");
        GoalView::one(Alternative { drawing, picture: Some(picture), words: Vec::new() })
    }
}
