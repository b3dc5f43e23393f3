//! Word ladders: from one word to another, one letter at a time, through words of a list (Carroll 1879).
//!
//! - `description`: the keys of a puzzle file; `list`: words from a file or an array, validated;
//! - `words`: the list, and the index for finding the neighbours of a word;
//! - `edit_distance`: the heuristic; `own`: those of the file;
//! - `space`: the state space, in which a state is the number of a word;
//! - `scramble`: random starts;
//! - `rules`: the reference rules, which check solutions.

mod description;
mod edit_distance;
mod list;
mod own;
mod rules;
mod scramble;
mod space;
#[cfg(test)]
mod tests;
mod view;
mod words;

use super::{BuildContext, HeuristicFacts, Instance, Named, OwnHeuristic, Rules, Scrambled, Searchable, searchable};
use crate::argument::counted;
use crate::diagnostic::Diagnostic;
use crate::domain::{OWN_HEURISTICS, WarningContext};
use crate::search::Algorithm;
use edit_distance::EditDistance;
use rules::LadderRules;
use space::LadderSpace;
use std::sync::Arc;
use view::LadderView;
use words::{Word, Words, shown};

engine_domain::domain! {
    #[cfg(not(test))]
    name: "word-ladder",
    summary: "word ladders: from one word to another, one letter at a time",
    read: description::read,
    keys: &[
        Named { name: "start", summary: "the first word, one of the list" },
        Named { name: "goal", summary: "the last word, one of the list" },
        Named { name: "words", summary: "the list: an array of words, or the path of a file with one word per line, relative to this file" },
        Named { name: "edits", summary: "the allowed edits of one letter: `change`, `insert`, `delete`; default: all" },
        OWN_HEURISTICS,
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "edit-distance",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the least number of allowed edits from the word to the goal, if every word were in the list \
                      (Hamming 1950, Levenshtein 1966)",
            because: "every ladder of listed words is a ladder of arbitrary words",
        },
    ],
    default_heuristic: "edit-distance",
    schema: include_str!("word_ladder/schema.json"),
    template: include_str!("word_ladder/template.toml"),
}

/// The edits that a move may make to one letter of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edits {
    change: bool,
    insert: bool,
    delete: bool,
}

impl Edits {
    /// Returns the inverse edits.
    fn reversed(self) -> Edits {
        Edits { insert: self.delete, delete: self.insert, ..self }
    }
}

/// One kind of edit, as a file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Change,
    Insert,
    Delete,
}

/// A validated ladder: the start and the goal are in the list.
struct Ladder {
    words: Arc<Words>,
    edits: Edits,
    start: Word,
    goal: Word,
    /// The warning about the file of words.
    warning: Option<Diagnostic>,
    /// The heuristics of the file.
    own: Vec<Arc<OwnHeuristic>>,
}

impl Instance for Ladder {
    fn size(&self) -> String {
        counted(self.words.len(), "word")
    }

    /// Compares the lengths of the two words, and checks that both have a neighbour.
    fn unsolvable(&self) -> Option<String> {
        if self.start == self.goal {
            return None;
        }
        let (start, goal) = (self.words.letters(self.start), self.words.letters(self.goal));
        let text = |word: Word| shown(self.words.letters(word));
        if goal.len() > start.len() && !self.edits.insert {
            return Some(format!(
                "`{}` is longer than `{}`, and no letter may be inserted",
                text(self.goal),
                text(self.start)
            ));
        }
        if goal.len() < start.len() && !self.edits.delete {
            return Some(format!(
                "`{}` is shorter than `{}`, and no letter may be deleted",
                text(self.goal),
                text(self.start)
            ));
        }
        if self.words.neighbors(self.start, self.edits).is_empty() {
            return Some(format!("no word of the list is one edit away from `{}`", text(self.start)));
        }
        if self.words.neighbors(self.goal, self.edits.reversed()).is_empty() {
            return Some(format!("`{}` is one edit away from no word of the list", text(self.goal)));
        }
        None
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let is_met = self.start == self.goal;
        let met = is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten();
        met.into_iter().chain(self.warning.clone()).collect()
    }

    fn has_certain_warnings(&self) -> bool {
        self.warning.is_some()
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        (self.edits == self.edits.reversed()).then_some(Algorithm::Bidirectional)
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        let start = scramble::scramble(&self.words, self.goal, self.edits, moves, seed, context);
        let start = toml::Value::String(self.words.text(start));
        Some(Scrambled { replaced: &["start"], keys: format!("start = {start}\n") })
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(LadderRules::new(self)))
    }

    fn space(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Box<dyn Searchable> {
        let own = self.own.iter().find(|own| own.facts.name == heuristic.name).cloned();
        let is_distance = own.is_none() && heuristic.name != HeuristicFacts::ZERO.name;
        let distance = is_distance.then(|| EditDistance::new(&self.words, self.goal, self.edits));
        let words = Arc::clone(&self.words);
        let space = LadderSpace { words, edits: self.edits, start: self.start, goal: self.goal, distance, own };
        searchable(space, LadderView { words: Arc::clone(&self.words), start: self.start, goal: self.goal })
    }
}
