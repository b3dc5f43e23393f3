//! Rules: a puzzle played move by move as it is written, by whoever checks a solution.
//!
//! A solution is believed when the rules, written a second time, lead to the goal, too. So [`Rules`] of a domain share
//! with its state spaces nothing but the description of the puzzle, and are as plain as they can be: arrays, no bits,
//! no tables, no thought of speed. A domain without rules of its own is replayed by its state space ([`Replay`]);
//! that finds a search gone wrong, and whatever is wrong with a transcript, but no mistake in the moves themselves.

use super::{Notation, Parts, Searchable, Style};
use crate::diagnostic::did_you_mean;

/// A legal move as a plain search sees it: the position after it, and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Successor {
    /// The position, from which it can be taken up.
    pub position: Vec<u32>,
    /// The cost of the move.
    pub cost: f64,
}

/// A puzzle on the way from its start: a position, and what it cost to get there.
pub trait Rules {
    /// Makes one move, in any of the domain's notations.
    ///
    /// # Errors
    /// Why this is no legal move, in a few words that follow its name: `the blank is not left of tile 5`. The position
    /// is what it was then.
    fn play(&mut self, written: &str) -> Result<(), String>;

    /// Whether the position is a goal.
    fn is_solved(&self) -> bool;

    /// What the moves so far cost.
    fn cost(&self) -> f64;

    /// The position as transcripts draw it, in rows of text, each ended.
    fn draw(&self) -> String;

    /// The position in numbers, from which it can be taken up again; none where nobody can walk through the positions.
    fn position(&self) -> Option<Vec<u32>> {
        None
    }

    /// Takes up a position that was told; what the moves so far cost stays what it is.
    fn take_up(&mut self, _position: &[u32]) {}

    /// What tells the position from those that are another state of the puzzle: where pieces may stand for each other,
    /// only what they are.
    fn state(&self) -> Option<Vec<u32>> {
        self.position()
    }

    /// Of words that tell moves one after the other, how many tell the next: one, where no move has spaces.
    fn words(&self, _ahead: &[&str]) -> usize {
        1
    }

    /// The rules taken apart, where arguments can be checked rule by rule.
    fn parts(&self) -> Option<Box<dyn Parts + '_>> {
        None
    }

    /// Moves as they are written: every legal one is among them, by one name at least.
    fn candidates(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns all positions that are one legal move away, without the names of the moves; none where nobody can walk
    /// through the positions. The position stays what it is.
    fn successors(&mut self) -> Vec<Successor> {
        let Some(position) = self.position() else { return Vec::new() };
        let mut successors = Vec::new();
        for written in self.candidates() {
            let before = self.cost();
            if self.play(&written).is_ok() {
                let cost = self.cost() - before;
                successors.extend(self.position().map(|position| Successor { position, cost }));
            }
            self.take_up(&position);
        }
        successors
    }

    /// Returns why no move can be played at all, where the rules could not be read.
    fn unreadable(&self) -> Option<&str> {
        None
    }
}

/// More legal moves are not told.
const MOST_TOLD: usize = 20;

/// Plays by the moves of a state space.
pub(super) struct Replay {
    pub at: Box<dyn Searchable>,
    pub notations: &'static [Notation],
}

impl Rules for Replay {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let Some(next) = self.at.after(written, self.notations) else {
            return Err(no_such_move(written, &self.at.legal_moves(Notation::STANDARD)));
        };
        self.at = next;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.at.is_goal()
    }

    fn cost(&self) -> f64 {
        self.at.g()
    }

    fn draw(&self) -> String {
        self.at.draw(Style::Drawn)
    }
}

/// What to say of a move that is none of the legal ones.
pub fn no_such_move(written: &str, legal: &[String]) -> String {
    if legal.is_empty() {
        return "no move is legal here".to_owned();
    }
    let near = did_you_mean(written, legal.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
    let more = if legal.len() > MOST_TOLD { ", …" } else { "" };
    let told = legal[..legal.len().min(MOST_TOLD)].join(", ");
    format!("it is not legal here{near}; the legal moves are {told}{more}")
}
