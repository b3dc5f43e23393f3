//! Games: a puzzle played move by move, with undo and redo.
//!
//! A [`Game`] is the moves that were made, the position that they led to, and the moves that were undone. Keys
//! and the mouse become moves by comparing pictures (`play/gesture.rs`), never by the kind of puzzle; hints come from a
//! search that runs beside the game (`play/guide.rs`). This module knows no terminal.

mod gesture;
mod guide;
mod shift;
#[cfg(test)]
mod tests;

pub use gesture::ClickAction;
pub use guide::{Guide, Known};
pub use shift::{Direction, Shift};

use crate::diagnostic::did_you_mean;
use crate::picture::Picture;
use crate::puzzle::{Notation, Puzzle, Searchable, Style};
use rustc_hash::FxHasher;
use std::cell::OnceCell;
use std::hash::Hasher;
use std::sync::Arc;

/// The most legal moves whose successors are computed.
const MOST_TRIED: usize = 2000;

/// A puzzle being played.
pub struct Game {
    puzzle: Arc<Puzzle>,
    notation: Notation,
    start: Box<dyn Searchable>,
    here: Here,
    made: Vec<String>,
    /// The last one taken back at the end.
    undone: Vec<String>,
}

/// A position, with facts about it that are computed on demand.
struct Here {
    /// None at the start.
    at: Option<Box<dyn Searchable>>,
    legal: OnceCell<Vec<String>>,
    picture: OnceCell<Option<Picture>>,
    shifts: OnceCell<Vec<Option<Shift>>>,
    fingerprint: OnceCell<u64>,
}

impl Here {
    fn new(at: Option<Box<dyn Searchable>>) -> Here {
        let (legal, picture, shifts, fingerprint) = Default::default();
        Here { at, legal, picture, shifts, fingerprint }
    }
}

impl Game {
    /// A game at its start, whose moves are written in this notation.
    #[must_use]
    pub fn new(puzzle: Arc<Puzzle>, notation: Notation) -> Game {
        let start = puzzle.space("zero").expect("every domain has the heuristic zero");
        Game { puzzle, notation, start, here: Here::new(None), made: Vec::new(), undone: Vec::new() }
    }

    /// The puzzle.
    #[must_use]
    pub fn puzzle(&self) -> &Arc<Puzzle> {
        &self.puzzle
    }

    /// The notation of the moves.
    #[must_use]
    pub fn notation(&self) -> Notation {
        self.notation
    }

    fn at(&self) -> &dyn Searchable {
        self.here.at.as_deref().unwrap_or(&*self.start)
    }

    /// The moves made so far.
    #[must_use]
    pub fn made(&self) -> &[String] {
        &self.made
    }

    /// Their cost.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.at().g()
    }

    /// Whether this is a goal.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.at().is_goal()
    }

    /// The position in rows of text, each ended; only its size, if it is too large.
    #[must_use]
    pub fn draw(&self) -> String {
        if self.puzzle.is_drawn() { self.at().draw(Style::Drawn) } else { self.puzzle.draw(Style::Drawn) }
    }

    /// The picture of the position; none where it is too large.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.here.picture.get_or_init(|| self.at().picture()).as_ref()
    }

    /// The moves that are legal here.
    #[must_use]
    pub fn legal(&self) -> &[String] {
        self.here.legal.get_or_init(|| self.at().legal_moves(self.notation))
    }

    /// By legal move, the figures that it shifts; none where it does anything else.
    #[must_use]
    pub fn shifts(&self) -> &[Option<Shift>] {
        self.here.shifts.get_or_init(|| {
            let legal = self.legal();
            let before = self.picture().filter(|_| legal.len() <= MOST_TRIED);
            let shift = |written: &String| {
                let after = self.at().after(written, &[self.notation])?.picture()?;
                Shift::between(before?, &after)
            };
            let mut shifts: Vec<Option<Shift>> = legal.iter().map(shift).collect();
            if let Some(picture) = before {
                shift::across_the_edges(&mut shifts, picture);
            }
            shifts
        })
    }

    /// A hash of the position.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        *self.here.fingerprint.get_or_init(|| fingerprint(self.at()))
    }

    /// Makes a move: a legal one, in any of the domain's notations, or as the rules understand it; or a bare direction,
    /// where one figure alone can go there. Returns how it is written.
    ///
    /// # Errors
    /// Why it is not legal.
    pub fn play(&mut self, written: &str) -> Result<String, String> {
        let written = self.read(written)?;
        let next = self.at().after(&written, &[self.notation]).ok_or("it is not legal here")?;
        self.here = Here::new(Some(next));
        self.made.push(written.clone());
        self.undone.clear();
        Ok(written)
    }

    /// Returns how many of the words ahead make up the next move: one, where moves have no spaces.
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

    /// Returns the legal move for what was typed.
    fn read(&self, written: &str) -> Result<String, String> {
        let notations = self.puzzle.domain().notations.iter().copied();
        for notation in [self.notation].into_iter().chain(notations) {
            let place = match notation == self.notation {
                true => self.legal().iter().position(|legal| legal == written),
                false => self.at().legal_moves(notation).iter().position(|legal| legal == written),
            };
            if let Some(place) = place {
                return Ok(self.legal()[place].clone());
            }
        }
        if let Some(direction) = Direction::named(written).filter(|_| self.is_shifted()) {
            return self.arrow(direction, None, false);
        }
        self.by_the_rules(written)
    }

    /// Returns the legal move that leads to the same position by the rules: a path may be written in several ways.
    fn by_the_rules(&self, written: &str) -> Result<String, String> {
        let (mut rules, apart) = self.puzzle.rules();
        for made in &self.made {
            rules.play(made)?;
        }
        let reason = match rules.play(written) {
            Ok(()) if self.legal().len() <= MOST_TRIED => {
                let drawn = rules.draw();
                let leads = |legal: &&String| {
                    self.at().after(legal, &[self.notation]).is_some_and(|next| next.draw(Style::Drawn) == drawn)
                };
                match self.legal().iter().find(leads) {
                    Some(legal) => return Ok(legal.clone()),
                    None => "it is written otherwise".to_owned(),
                }
            }
            Ok(()) => "it is written otherwise".to_owned(),
            Err(reason) => reason,
        };
        let near = did_you_mean(written, self.legal().iter().map(String::as_str)).filter(|_| apart);
        Err(near.map_or(reason.clone(), |near| format!("{reason} (did you mean `{near}`?)")))
    }

    /// Undoes the last move and returns it; none at the start.
    pub fn undo(&mut self) -> Option<String> {
        let last = self.made.pop()?;
        let mut at = None;
        for written in &self.made {
            at = at.as_deref().unwrap_or(&*self.start).after(written, &[self.notation]);
        }
        self.here = Here::new(at);
        self.undone.push(last.clone());
        Some(last)
    }

    /// Redoes the move that was undone last and returns it; none if there is none.
    pub fn redo(&mut self) -> Option<String> {
        let written = self.undone.pop()?;
        let undone = std::mem::take(&mut self.undone);
        let played = self.play(&written).ok();
        self.undone = undone;
        played
    }

    /// Back to the start.
    pub fn restart(&mut self) {
        self.here = Here::new(None);
        self.made.clear();
        self.undone.clear();
    }

    /// The line shown at the goal: the moves made against the least cost, where that is known.
    #[must_use]
    pub fn verdict(&self, least: Option<f64>) -> String {
        let (moves, cost) = (self.made.len(), self.cost());
        let by_moves = (cost - moves as f64).abs() < 1e-9;
        let counted = format!("solved in {moves} move{}", if moves == 1 { "" } else { "s" });
        let counted = if by_moves { counted } else { format!("{counted}, cost {}", number(cost)) };
        match least {
            Some(least) if cost - least < 1e-6 => format!("{counted}: it cannot be done in less"),
            Some(least) if by_moves => format!("{counted}; {} would do", number(least)),
            Some(least) => format!("{counted}; a cost of {} would do", number(least)),
            None => counted,
        }
    }
}

/// A cost, as people read it: in hundredths where it is not whole.
#[must_use]
pub fn number(cost: f64) -> String {
    if (cost - cost.round()).abs() < 1e-9 { format!("{cost:.0}") } else { format!("{cost:.2}") }
}

/// A hash of a position as it is drawn.
fn fingerprint(at: &dyn Searchable) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(at.draw(Style::Drawn).as_bytes());
    hasher.finish()
}
