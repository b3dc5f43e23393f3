//! The state space of a word ladder: a state is the number of a word, and a move is the word that it leads to.

use super::Edits;
use super::edit_distance::EditDistance;
use super::own;
use super::words::{Word, Words};
use crate::domain::OwnHeuristic;
use crate::space::{Facts, Guided, InPlace, Parts, StateSpace};
use std::sync::Arc;

/// The graph of the words of a list, with edits as edges.
pub(super) struct LadderSpace {
    pub words: Arc<Words>,
    pub edits: Edits,
    pub start: Word,
    pub goal: Word,
    /// The heuristic; `None` for zero.
    pub distance: Option<EditDistance>,
    /// The heuristic of the file that takes its place.
    pub own: Option<Arc<OwnHeuristic>>,
}

impl StateSpace for LadderSpace {
    type Key = Word;
    type Action = Word;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts { unit_cost: true, reversible: self.edits == self.edits.reversed(), ..Facts::default() }
    }

    fn is_goal(&self, &word: &Word) -> bool {
        word == self.goal
    }

    fn expand(&self, &word: &Word, mut child: impl FnMut(Word, u32, Word)) {
        self.words.neighbors(word, self.edits).into_iter().for_each(|next| child(next, 1, next));
    }

    fn goals(&self, at_most: usize) -> Option<Vec<Word>> {
        (at_most > 0).then(|| vec![self.goal])
    }
}

impl Guided for LadderSpace {
    fn h(&self, &word: &Word) -> u32 {
        let letters = self.words.letters(word);
        match (&self.own, &self.distance) {
            (Some(own), _) => own::h(own, letters, self.words.letters(self.goal)),
            (None, Some(distance)) => distance.of(letters),
            (None, None) => 0,
        }
    }

    fn parts(&self, &word: &Word) -> Parts {
        let letters = self.words.letters(word);
        match (&self.own, &self.distance) {
            (Some(own), _) => own::parts(own, letters, self.words.letters(self.goal)),
            (None, Some(distance)) => distance.parts(letters),
            (None, None) => Parts::default(),
        }
    }
}

impl InPlace for LadderSpace {
    type State = Word;
    /// The previous word.
    type Undo = Word;
    /// The word before the last move.
    type Trail = Option<Word>;
    type Actions<'a> = std::vec::IntoIter<Word>;

    fn initial(&self) -> Word {
        self.start
    }

    fn pack(&self, &word: &Word) -> Word {
        word
    }

    fn unpack(&self, &word: &Word) -> Word {
        word
    }

    /// Returns the neighbours in the order of the list.
    fn actions(&self, &word: &Word) -> Self::Actions<'_> {
        self.words.neighbors(word, self.edits).into_iter()
    }

    fn apply(&self, word: &mut Word, next: Word) -> (u32, Word) {
        (1, std::mem::replace(word, next))
    }

    fn undo(&self, word: &mut Word, _action: Word, before: Word) {
        *word = before;
    }

    fn trail(&self, _state: &Self::State) -> Option<Word> {
        None
    }

    fn follow(&self, &before: &Option<Word>, &word: &Word, next: Word) -> Option<Option<Word>> {
        (before != Some(next)).then_some(Some(word))
    }
}
