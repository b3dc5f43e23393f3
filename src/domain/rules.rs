//! Rules: a puzzle played move by move as it is written, by whoever checks a solution.
//!
//! A solution is believed when the rules, written a second time, lead to the goal, too. So [`Rules`] of a domain share
//! with its state spaces nothing but the description of the puzzle, and are as plain as they can be: arrays, no bits,
//! no tables, no thought of speed. A domain without rules of its own is replayed by its state space ([`replayed`]);
//! that finds a search gone wrong, and whatever is wrong with a transcript, but no mistake in the moves themselves.

use super::border::{Opened, View};
use super::{Notation, Style};
use crate::diagnostic::did_you_mean;
use crate::space::{Cost, StateSpace};
use std::sync::Arc;

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
}

/// More legal moves are not told.
const MOST_TOLD: usize = 20;

/// Plays by the moves of a state space.
pub(super) fn replayed<S: StateSpace, V: View<S>>(
    opened: &Arc<Opened<S, V>>,
    notations: &'static [Notation],
) -> Box<dyn Rules> {
    let (state, position) = (opened.space.initial(), opened.view.initial());
    Box::new(Replay { opened: Arc::clone(opened), notations, state, position, cost: S::Cost::ZERO })
}

/// A position of a state space, and of its view.
struct Replay<S: StateSpace, V: View<S>> {
    opened: Arc<Opened<S, V>>,
    notations: &'static [Notation],
    state: S::State,
    position: V::Position,
    cost: S::Cost,
}

impl<S: StateSpace, V: View<S>> Rules for Replay<S, V> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let Opened { space, view } = &*self.opened;
        let is_written = |action: &S::Action| {
            self.notations.iter().any(|&notation| view.notation(&self.position, *action, notation) == written)
        };
        let Some(action) = space.actions(&self.state).find(is_written) else {
            let name = |action| view.notation(&self.position, action, Notation::STANDARD);
            let legal: Vec<String> = space.actions(&self.state).map(name).collect();
            return Err(no_such_move(written, &legal));
        };
        view.apply(&mut self.position, action);
        let (cost, _) = space.apply(&mut self.state, action);
        self.cost = self.cost + cost;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.opened.space.is_goal(&self.state)
    }

    fn cost(&self) -> f64 {
        self.cost.as_f64()
    }

    fn draw(&self) -> String {
        self.opened.view.draw(&self.position, Style::Drawn)
    }
}

/// What to say of a move that is none of the legal ones.
fn no_such_move(written: &str, legal: &[String]) -> String {
    if legal.is_empty() {
        return "no move is legal here".to_owned();
    }
    let near = did_you_mean(written, legal.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
    let more = if legal.len() > MOST_TOLD { ", …" } else { "" };
    let told = legal[..legal.len().min(MOST_TOLD)].join(", ");
    format!("it is not legal here{near}; legal are {told}{more}")
}
