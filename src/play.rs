//! Games: a puzzle played move by move, with undo and redo.
//!
//! A [`Game`] holds the moves made, the position they led to, and the moves undone. Keys and the mouse become moves by
//! comparing pictures (`play/effect.rs`), never by the kind of puzzle. Hints come from a search in the background
//! (`play/guide.rs`). This module does not depend on a terminal.

mod caption;
mod effect;
mod gesture;
mod guide;
mod place;
#[cfg(test)]
mod tests;
mod walk;
mod words;

pub use caption::captions;
pub use effect::{Direction, Effect, Motion, Shift};
pub use gesture::ClickAction;
pub use guide::{Guide, Known};
pub use words::{fences_in_words, goal_in_words, marks_in_words};

use crate::diagnostic::did_you_mean;
use crate::picture::{Cell, Ground, Picture};
use crate::puzzle::{GoalView, Notation, Puzzle, Searchable, Style};
use rustc_hash::FxHasher;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

/// The greatest number of legal moves whose successors are computed.
const MAX_TRIED: usize = 2000;

/// A puzzle being played.
pub struct Game {
    puzzle: Arc<Puzzle>,
    notation: Notation,
    start: Box<dyn Searchable>,
    current: Current,
    is_placed: OnceCell<bool>,
    goal: OnceCell<GoalView>,
    made: Vec<String>,
    /// The last messages of the puzzle to the player.
    messages: Vec<String>,
    /// The moves undone, the most recent one last.
    undone: Vec<String>,
    /// The numbers of moves after which the game was in the middle of a gesture, such as a walk: neither undo nor redo
    /// stops there.
    passed: BTreeSet<usize>,
}

/// The current position, with facts about it that are computed on demand.
struct Current {
    /// `None` at the start.
    at: Option<Box<dyn Searchable>>,
    legal: OnceCell<Vec<String>>,
    picture: OnceCell<Option<Picture>>,
    effects: OnceCell<Vec<Effect>>,
    places: OnceCell<Option<Vec<Cell>>>,
    fingerprint: OnceCell<u64>,
}

impl Current {
    fn new(at: Option<Box<dyn Searchable>>) -> Current {
        let (legal, picture, effects, places, fingerprint) = Default::default();
        Current { at, legal, picture, effects, places, fingerprint }
    }
}

impl Game {
    /// Starts a game whose moves are written in this notation.
    #[must_use]
    pub fn new(puzzle: Arc<Puzzle>, notation: Notation) -> Game {
        let start = puzzle.space("zero").expect("every domain has the heuristic zero");
        let messages = start.messages(None, notation);
        let (made, undone, passed, is_placed, goal) = Default::default();
        Game { puzzle, notation, start, current: Current::new(None), is_placed, goal, made, messages, undone, passed }
    }

    /// Returns the puzzle.
    #[must_use]
    pub fn puzzle(&self) -> &Arc<Puzzle> {
        &self.puzzle
    }

    /// Returns the notation of the moves.
    #[must_use]
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// Returns the state space at the position.
    #[must_use]
    pub fn state(&self) -> &dyn Searchable {
        self.current.at.as_deref().unwrap_or(&*self.start)
    }

    /// Returns the goal for people; nothing if positions are too large to be drawn.
    #[must_use]
    pub fn goal(&self) -> &GoalView {
        self.goal.get_or_init(|| if self.puzzle.is_drawn() { self.start.goal() } else { GoalView::default() })
    }

    /// Returns the moves made so far.
    #[must_use]
    pub fn made(&self) -> &[String] {
        &self.made
    }

    /// Returns what the puzzle said during the last move that was played, or before the first.
    #[must_use]
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Returns the cost of the moves made so far.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.state().g()
    }

    /// Returns whether the current position is a goal.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.state().is_goal()
    }

    /// Draws the position in rows of text, each with a line end; only its size if it is too large.
    #[must_use]
    pub fn draw(&self) -> String {
        if self.puzzle.is_drawn() { self.state().draw(Style::Drawn) } else { self.puzzle.draw(Style::Drawn) }
    }

    /// Returns the picture of the position; `None` if it is too large.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.current.picture.get_or_init(|| self.state().picture()).as_ref()
    }

    /// Returns the legal moves.
    #[must_use]
    pub fn legal(&self) -> &[String] {
        self.current.legal.get_or_init(|| self.state().legal_moves(self.notation))
    }

    /// Returns the effect of each legal move; none if the picture is too large, or the moves are too many.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        self.current.effects.get_or_init(|| {
            self.picture().map_or_else(Vec::new, |picture| effects(self.state(), picture, self.legal(), self.notation))
        })
    }

    /// Returns whether cells stand for moves, such as lamps: so it was for all moves at the start.
    #[must_use]
    pub fn is_placed(&self) -> bool {
        *self.is_placed.get_or_init(|| {
            let Some(picture) = self.start.picture() else { return false };
            let effects = effects(&*self.start, &picture, &self.start.legal_moves(self.notation), self.notation);
            let is_on_ground = |cell: &Cell| picture.ground(*cell) != Ground::Void;
            let places = place::places(&effects, (picture.rows, picture.columns));
            let is_only_shifted = effects.iter().all(|effect| effect.shift.is_some());
            !is_only_shifted && places.is_some_and(|places| places.iter().all(is_on_ground))
        })
    }

    /// Returns the cell that stands for each move, if cells stand for moves.
    #[must_use]
    pub fn places(&self) -> Option<&[Cell]> {
        let found = || {
            let picture = self.picture().filter(|_| self.is_placed())?;
            place::places(self.effects(), (picture.rows, picture.columns))
        };
        self.current.places.get_or_init(found).as_deref()
    }

    /// Returns a hash of the position.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        *self.current.fingerprint.get_or_init(|| fingerprint(self.state()))
    }

    /// Makes a move and returns its text. A move may be written in any of the domain's notations, as the rules accept
    /// it, or as a direction in which only one figure can move.
    ///
    /// # Errors
    /// The reason why it is not legal.
    pub fn play(&mut self, written: &str) -> Result<String, String> {
        let written = self.read(written)?;
        let next = self.state().after(&written, &[self.notation]).ok_or("it is not legal here")?;
        self.messages = self.state().messages(Some(&written), self.notation);
        self.current = Current::new(Some(next));
        self.passed.split_off(&self.made.len());
        self.made.push(written.clone());
        self.undone.clear();
        Ok(written)
    }

    /// Returns how many of the words ahead make up the next move: one if moves contain no spaces.
    #[must_use]
    pub fn words(&self, ahead: &[&str]) -> usize {
        let is_next = |legal: &String| {
            let words: Vec<&str> = legal.split_whitespace().collect();
            ahead.starts_with(&words).then_some(words.len())
        };
        let legal = self.legal().iter().filter_map(is_next).max();
        if legal.is_some() || ahead.len() < 2 {
            return legal.unwrap_or(1);
        }
        let (mut rules, _) = self.puzzle.rules();
        let replayed = self.made.iter().try_for_each(|made| rules.play(made));
        if replayed.is_ok() { rules.next_move_words(ahead).clamp(1, ahead.len()) } else { 1 }
    }

    /// Returns the legal move that an input is in one of the domain's notations.
    #[must_use]
    pub fn legal_move(&self, written: &str) -> Option<&String> {
        let notations = self.puzzle.domain().notations.iter().copied();
        let place = |notation: Notation| match notation == self.notation {
            true => self.legal().iter().position(|legal| legal == written),
            false => self.state().legal_moves(notation).iter().position(|legal| legal == written),
        };
        [self.notation].into_iter().chain(notations).find_map(place).map(|place| &self.legal()[place])
    }

    /// Returns the legal move for an input.
    fn read(&self, written: &str) -> Result<String, String> {
        if let Some(legal) = self.legal_move(written) {
            return Ok(legal.clone());
        }
        if let Some(direction) = Direction::named(written).filter(|_| self.has_shifts()) {
            return self.arrow(direction, None, false);
        }
        self.legal_move_to_same_position(written)
    }

    /// Returns the legal move that leads to the same position as the input by the rules: a path may have
    /// several notations.
    fn legal_move_to_same_position(&self, written: &str) -> Result<String, String> {
        let (mut rules, independent) = self.puzzle.rules();
        for made in &self.made {
            rules.play(made)?;
        }
        let reason = match rules.play(written) {
            Ok(()) if self.legal().len() <= MAX_TRIED => {
                let drawn = rules.draw();
                let leads = |legal: &&String| {
                    self.state().after(legal, &[self.notation]).is_some_and(|next| next.draw(Style::Drawn) == drawn)
                };
                match self.legal().iter().find(leads) {
                    Some(legal) => return Ok(legal.clone()),
                    None => "write it as in the list of legal moves".to_owned(),
                }
            }
            Ok(()) => "write it as in the list of legal moves".to_owned(),
            Err(reason) => reason,
        };
        let near = did_you_mean(written, self.legal().iter().map(String::as_str)).filter(|_| independent);
        Err(near.map_or(reason.clone(), |near| format!("{reason} (did you mean `{near}`?)")))
    }

    /// Makes one gesture of the moves after the first `from`: undo and redo take them as a whole.
    pub fn join(&mut self, from: usize) {
        self.passed.extend(from + 1..self.made.len());
    }

    /// Undoes the last gesture and returns its moves: one, unless they were [joined](Self::join); none at the start.
    pub fn undo(&mut self) -> Vec<String> {
        let count = (0..self.made.len()).rfind(|count| !self.passed.contains(count)).unwrap_or(0);
        let undone = self.made[count..].to_vec();
        let before = self.made[..count].to_vec();
        if self.go_to(&before).is_ok() { undone } else { Vec::new() }
    }

    /// Redoes the gesture that was undone last and returns its moves; none if nothing was undone.
    pub fn redo(&mut self) -> Vec<String> {
        let known = self.made.len() + self.undone.len();
        let end = (self.made.len() + 1..known).find(|count| !self.passed.contains(count)).unwrap_or(known);
        let (mut undone, passed) = (std::mem::take(&mut self.undone), self.passed.clone());
        let mut redone = undone.split_off(known - end);
        redone.reverse();
        redone.retain(|written| self.play(written).is_ok());
        (self.undone, self.passed) = (undone, passed);
        redone
    }

    /// Returns to the start. The moves can be redone.
    pub fn restart(&mut self) {
        self.current = Current::new(None);
        self.undone.extend(self.made.drain(..).rev());
    }

    /// Returns to a position by the moves that led to it from the start. If they begin the moves made, the others are
    /// undone, and can be redone.
    ///
    /// # Errors
    /// A move is not legal; the game is then where it was.
    pub fn go_to(&mut self, moves: &[String]) -> Result<(), String> {
        let mut at: Option<Box<dyn Searchable>> = None;
        for written in moves {
            let state = at.as_deref().unwrap_or(&*self.start);
            at = Some(state.after(written, &[self.notation]).ok_or_else(|| format!("`{written}` is not legal"))?);
        }
        self.current = Current::new(at);
        if self.made.starts_with(moves) {
            self.undone.extend(self.made.drain(moves.len()..).rev());
        } else {
            let common = self.made.iter().zip(moves).take_while(|(made, new)| made == new).count();
            self.passed.split_off(&common);
            self.undone.clear();
        }
        self.made = moves.to_vec();
        Ok(())
    }

    /// Returns the line shown at the goal: the moves made compared with the least cost, if it is known.
    #[must_use]
    pub fn verdict(&self, least: Option<f64>) -> String {
        let (moves, cost) = (self.made.len(), self.cost());
        let by_moves = (cost - moves as f64).abs() < 1e-9;
        let counted = format!("solved in {moves} move{}", if moves == 1 { "" } else { "s" });
        let counted = if by_moves { counted } else { format!("{counted}, cost {}", number(cost)) };
        match least {
            Some(least) if cost - least < 1e-6 => format!("{counted}, the optimum"),
            Some(least) if by_moves => format!("{counted}; the optimum is {}", number(least)),
            Some(least) => format!("{counted}; the optimal cost is {}", number(least)),
            None => counted,
        }
    }
}

/// Returns the effect of each of these moves; none if they are too many.
fn effects(state: &dyn Searchable, before: &Picture, legal: &[String], notation: Notation) -> Vec<Effect> {
    if legal.len() > MAX_TRIED {
        return Vec::new();
    }
    let effect = |written: &String| {
        let after = state.after(written, &[notation]).and_then(|next| next.picture());
        after.map_or_else(Effect::default, |mut after| {
            after.follow(before);
            Effect::between(before, &after)
        })
    };
    let mut effects: Vec<Effect> = legal.iter().map(effect).collect();
    effect::set_wrapping_directions(&mut effects, before);
    effects
}

/// Formats a cost for people: with two decimals if it is not whole.
#[must_use]
pub fn number(cost: f64) -> String {
    if (cost - cost.round()).abs() < 1e-9 { format!("{cost:.0}") } else { format!("{cost:.2}") }
}

/// Returns a hash of the drawing of a position.
fn fingerprint(at: &dyn Searchable) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(at.draw(Style::Drawn).as_bytes());
    hasher.finish()
}
