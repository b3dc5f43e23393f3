//! Rules: an independent implementation of the moves of a puzzle, for checking solutions.
//!
//! A solution is verified if it leads to the goal by a second implementation of the rules, too. So the [`Rules`] of a
//! domain share only the description of the puzzle with its state spaces. They are as simple as possible: arrays, no
//! bit tricks, no tables, no optimizations. A domain without rules of its own is replayed by its state space
//! ([`Replay`]). This finds errors of the search and of transcripts, but no error in the moves themselves.

use super::{GroundRules, Notation, Searchable, Style};
use crate::diagnostic::did_you_mean;

/// A legal move in a simple search: the position after it, and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Successor {
    /// The position, in the form that [`Rules::set_position`] takes.
    pub position: Vec<u32>,
    /// The cost of the move.
    pub cost: f64,
}

/// A puzzle whose moves permute the contents of places, for arguments of parity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permuting {
    /// The only goal, in the form of positions.
    pub goal: Vec<u32>,
    /// The steps of which all moves consist.
    pub steps: Steps,
}

/// Steps that permute the contents of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// What stands at the two places of a pair is exchanged. Each exchange moves the content 0, the blank.
    OfBlank(Vec<(usize, usize)>),
    /// For each permutation, the place to which the content of each place goes.
    OfAll(Vec<Vec<usize>>),
}

/// A puzzle in play: a position, and the cost of the moves so far.
pub trait Rules {
    /// Makes one move, in any of the domain's notations.
    ///
    /// # Errors
    /// Returns why the move is not legal, in a few words that follow its name: `the blank is not left of tile 5`. The
    /// position stays unchanged.
    fn play(&mut self, written: &str) -> Result<(), String>;

    /// Returns whether the position is a goal.
    fn is_solved(&self) -> bool;

    /// Returns the cost of the moves so far.
    fn cost(&self) -> f64;

    /// Returns the position as transcripts show it: rows of text, each ended by a line end.
    fn draw(&self) -> String;

    /// Returns the position as numbers that [`set_position`](Self::set_position) takes, or `None` if positions cannot
    /// be enumerated.
    fn position(&self) -> Option<Vec<u32>> {
        None
    }

    /// Sets the position; the cost of the moves so far stays unchanged.
    fn set_position(&mut self, _position: &[u32]) {}

    /// Returns the part of the position that identifies its state: if pieces are interchangeable, only their kinds.
    fn state(&self) -> Option<Vec<u32>> {
        self.position()
    }

    /// Returns the number of words that the next move takes, given the words of the moves ahead: 1 if the names of
    /// moves have no spaces.
    fn next_move_words(&self, _ahead: &[&str]) -> usize {
        1
    }

    /// Returns the grounded rules, if arguments can be checked rule by rule.
    fn ground_rules(&self) -> Option<Box<dyn GroundRules + '_>> {
        None
    }

    /// Returns the steps of moves, if these permute the contents of places.
    fn permuting(&self) -> Option<Permuting> {
        None
    }

    /// Returns names of moves: every legal move is among them, by at least one name.
    fn candidates(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns all positions that are one legal move away, without the names of the moves, or none if positions cannot
    /// be enumerated. The position stays unchanged.
    fn successors(&mut self) -> Vec<Successor> {
        let Some(position) = self.position() else { return Vec::new() };
        let mut successors = Vec::new();
        for written in self.candidates() {
            let before = self.cost();
            if self.play(&written).is_ok() {
                let cost = self.cost() - before;
                successors.extend(self.position().map(|position| Successor { position, cost }));
            }
            self.set_position(&position);
        }
        successors
    }

    /// Returns whether playing some move has been given up, so that nothing is known of where it leads.
    fn gave_up(&self) -> bool {
        false
    }

    /// Returns why no move can be played at all, if the rules could not be read.
    fn unreadable(&self) -> Option<&str> {
        None
    }
}

/// The greatest number of legal moves in a message.
const MOST_LISTED: usize = 20;

/// Rules that play by the moves of a state space.
pub(super) struct Replay {
    pub cursor: Box<dyn Searchable>,
    pub notations: &'static [Notation],
}

impl Rules for Replay {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let Some(next) = self.cursor.after(written, self.notations) else {
            return Err(no_such_move(written, &self.cursor.legal_moves(Notation::STANDARD)));
        };
        self.cursor = next;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.cursor.is_goal()
    }

    fn cost(&self) -> f64 {
        self.cursor.g()
    }

    fn draw(&self) -> String {
        self.cursor.draw(Style::Drawn)
    }
}

/// Returns the message for a move that is not legal.
pub fn no_such_move(written: &str, legal: &[String]) -> String {
    if legal.is_empty() {
        return "no move is legal here".to_owned();
    }
    let suggestion = did_you_mean(written, legal.iter().map(String::as_str));
    let suggestion = suggestion.map_or(String::new(), |suggestion| format!(" (did you mean `{suggestion}`?)"));
    let more = if legal.len() > MOST_LISTED { ", …" } else { "" };
    let listed = legal[..legal.len().min(MOST_LISTED)].join(", ");
    format!("it is not legal here{suggestion}; the legal moves are {listed}{more}")
}
