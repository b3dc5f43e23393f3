//! Films: the start of a line of play as a picture, and the changes by each move.
//!
//! The figures on the board are actors, each with one shape and one label all through the film. A frame keeps only the
//! changes of its move, and the ground and the marks are those of the start: a film of a large map takes little more than
//! its first picture.

use super::paths;
use crate::domain::{Notation, Searchable};
use crate::picture::{Cell, Figure, Form, Paint, Picture};
use std::collections::HashMap;
use std::fmt;

/// A line of play as pictures.
#[derive(Debug)]
pub struct Film {
    /// The ground and the marks; no figures.
    pub(super) scenery: Picture,
    /// The most rows of a position.
    pub(super) rows: usize,
    /// The most columns of a position.
    pub(super) columns: usize,
    pub(super) actors: Vec<Actor>,
    /// The start, then one a move.
    pub(super) frames: Vec<Frame>,
    /// Whether the last position is a goal.
    pub(super) is_solved: bool,
}

/// Something that stands on the board, for some time at least.
#[derive(Debug)]
pub(super) struct Actor {
    pub label: String,
    pub form: Form,
    pub cells: Vec<Cell>,
    /// Where it stands first, and in which colour.
    pub first: Spot,
}

/// Where an actor stands, and in which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub at: Cell,
    pub paint: Paint,
}

/// The changes by a move.
#[derive(Debug)]
pub(super) struct Frame {
    /// The move; none at the start.
    pub written: Option<String>,
    pub changes: Vec<Change>,
    pub g: f64,
    pub h: f64,
}

/// One actor's part in a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub actor: usize,
    pub from: Option<Spot>,
    pub to: Option<Spot>,
    /// The corners of its path, both ends among them; none where it vanishes from one place and appears in the other.
    pub path: Option<Vec<Cell>>,
}

/// Why there is no film.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmError {
    /// A position is too large to be drawn.
    TooLarge,
    /// A move is not legal: its number, from 1, and how it is written.
    Illegal(usize, String),
}

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilmError::TooLarge => f.write_str("it is too large to be drawn"),
            FilmError::Illegal(number, written) => write!(f, "move {number}, `{written}`, is not legal there"),
        }
    }
}

impl std::error::Error for FilmError {}

impl Film {
    /// Makes the moves one after the other and records the pictures.
    ///
    /// # Errors
    /// A position is too large to be drawn, or a move is not legal.
    pub fn new(
        start: Box<dyn Searchable>,
        moves: &[String],
        notations: &'static [Notation],
    ) -> Result<Film, FilmError> {
        let mut at = start;
        let mut seen = at.picture().ok_or(FilmError::TooLarge)?;
        let mut cast = Cast::default();
        let first = Frame { written: None, changes: cast.differences(&[], &seen.figures), g: at.g(), h: at.h() };
        let scenery = Picture { figures: Vec::new(), ..seen.clone() };
        let (mut rows, mut columns, mut frames) = (seen.rows, seen.columns, vec![first]);
        for (number, written) in (1..).zip(moves) {
            let illegal = || FilmError::Illegal(number, written.clone());
            at = at.after(written, notations).ok_or_else(illegal)?;
            let next = at.picture().ok_or(FilmError::TooLarge)?;
            let mut changes = cast.differences(&seen.figures, &next.figures);
            paths::choose(&mut changes, &seen);
            frames.push(Frame { written: Some(written.clone()), changes, g: at.g(), h: at.h() });
            (rows, columns, seen) = (rows.max(next.rows), columns.max(next.columns), next);
        }
        Ok(Film { scenery, rows, columns, actors: cast.actors, frames, is_solved: at.is_goal() })
    }

    /// The number of moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.frames.len() - 1
    }

    /// Whether a block stands on a mark at the start.
    pub(super) fn covers_at_first(&self, mark: &Figure) -> bool {
        let marked: Vec<Cell> = mark.covered().collect();
        self.frames[0].changes.iter().any(|change| {
            let Actor { form, cells, first, .. } = &self.actors[change.actor];
            let covers = |&(row, column): &Cell| marked.contains(&(first.at.0 + row, first.at.1 + column));
            *form == Form::Block && cells.iter().any(covers)
        })
    }

    /// The cost of the moves.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.frames[self.moves()].g
    }

    /// The place of each actor after a number of moves.
    pub(super) fn spots(&self, moves: usize) -> Vec<Option<Spot>> {
        let mut spots = vec![None; self.actors.len()];
        for change in self.frames[..=moves].iter().flat_map(|frame| &frame.changes) {
            spots[change.actor] = change.to;
        }
        spots
    }

    /// The changes of several moves together, actor by actor: of the moves after the first number, up to the second.
    pub(super) fn changes(&self, after: usize, until: usize) -> Vec<Change> {
        if until == after + 1 {
            return self.frames[until].changes.clone();
        }
        let mut whole: Vec<Change> = Vec::new();
        let mut place = HashMap::new();
        for change in self.frames[after + 1..=until].iter().flat_map(|frame| &frame.changes) {
            let at = *place.entry(change.actor).or_insert(whole.len());
            match whole.get_mut(at) {
                Some(known) => known.to = change.to,
                None => whole.push(Change { path: None, ..change.clone() }),
            }
        }
        whole
    }

    /// The actors that leave trails, each with the places where it has been, in order, up to a number of moves.
    pub(super) fn trails(&self, moves: usize) -> Vec<(usize, Vec<(usize, Spot)>)> {
        let leaves = |actor: &usize| self.actors[*actor].form == Form::Token;
        let mut trails: Vec<_> = (0..self.actors.len()).filter(leaves).map(|actor| (actor, Vec::new())).collect();
        if trails.is_empty() {
            return trails;
        }
        for (number, frame) in self.frames[..=moves].iter().enumerate() {
            for change in &frame.changes {
                if let (Some(trail), Some(to)) = (trails.iter_mut().find(|(a, _)| *a == change.actor), change.to) {
                    trail.1.push((number, to));
                }
            }
        }
        trails
    }
}

/// The actors so far.
#[derive(Default)]
struct Cast {
    actors: Vec<Actor>,
    numbers: HashMap<(u64, Form, String, Vec<Cell>), usize>,
}

impl Cast {
    fn actor(&mut self, figure: &Figure) -> usize {
        let Figure { key, label, paint, form, at, cells } = figure;
        *self.numbers.entry((*key, *form, label.clone(), cells.clone())).or_insert_with(|| {
            let first = Spot { at: *at, paint: *paint };
            self.actors.push(Actor { label: label.clone(), form: *form, cells: cells.clone(), first });
            self.actors.len() - 1
        })
    }

    /// The actors that moved, changed colour, appeared or vanished. Figures that are equal at the same place of both lists
    /// need no look-up.
    fn differences(&mut self, before: &[Figure], after: &[Figure]) -> Vec<Change> {
        let spot = |figure: &Figure| Some(Spot { at: figure.at, paint: figure.paint });
        let differs = |&at: &usize| before.get(at) != after.get(at);
        let mut changes: Vec<Change> = Vec::new();
        let mut place = HashMap::new();
        let differing: Vec<usize> = (0..before.len().max(after.len())).filter(differs).collect();
        for figure in differing.iter().filter_map(|&at| before.get(at)) {
            let actor = self.actor(figure);
            place.insert(actor, changes.len());
            changes.push(Change { actor, from: spot(figure), to: None, path: None });
        }
        for figure in differing.iter().filter_map(|&at| after.get(at)) {
            let actor = self.actor(figure);
            match place.get(&actor) {
                Some(&known) => changes[known].to = spot(figure),
                None => changes.push(Change { actor, from: None, to: spot(figure), path: None }),
            }
        }
        changes.retain(|change| change.from != change.to);
        changes
    }
}
