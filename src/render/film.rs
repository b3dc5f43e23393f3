//! Films: a picture of the start of a line of play, and the changes that each move makes.
//!
//! The figures on the board are actors; each has one shape and one label throughout the film. A frame keeps only the
//! changes of its move. Ground and marks stay as they are at the start, so a film of a large map takes little more
//! memory than its first picture.

use super::change::{Change, Spot};
use super::looks::Placed;
use super::paths;
use crate::domain::{Notation, Searchable};
use crate::picture::{Cell, Figure, Form, Ground, Paint, Picture};
use crate::search::{Limit, Stop};
use std::collections::HashMap;
use std::fmt;

/// A line of play as pictures.
#[derive(Debug)]
pub struct Film {
    /// The ground and the marks, without figures.
    pub(super) scenery: Picture,
    /// The greatest number of rows of any position.
    pub(super) rows: usize,
    /// The greatest number of columns of any position.
    pub(super) columns: usize,
    pub(super) actors: Vec<Actor>,
    /// The areas that are tinted, from back to front.
    pub(super) overlays: Vec<Overlay>,
    /// The start, then one frame a move.
    pub(super) frames: Vec<Frame>,
    /// True if the last position is a goal.
    pub(super) is_solved: bool,
}

/// An area of the board that is tinted and explained in a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The cells of the area.
    pub cells: Vec<Cell>,
    /// The line of the legend.
    pub legend: String,
    /// The colour.
    pub paint: Paint,
    /// True to cross each cell out.
    pub is_crossed: bool,
}

/// A figure that is on the board for at least part of the film.
#[derive(Debug)]
pub(super) struct Actor {
    pub label: String,
    pub form: Form,
    pub cells: Vec<Cell>,
    /// Its first place and colour.
    pub first: Spot,
}

/// The changes that a move makes.
#[derive(Debug)]
pub(super) struct Frame {
    /// The move as it is written; `None` at the start.
    pub written: Option<String>,
    pub changes: Vec<Change>,
    pub g: f64,
    pub h: f64,
}

/// The reason why a film cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmError {
    /// A position is too large to be drawn.
    TooLarge,
    /// A move is not legal: its number, from 1, and its text.
    Illegal(usize, String),
    /// A limit ended the work.
    Limit(Limit),
}

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilmError::TooLarge => f.write_str("it is too large to be drawn"),
            FilmError::Limit(limit) => write!(f, "stopped by the limit on {}", limit.name()),
            FilmError::Illegal(number, written) => write!(f, "move {number}, `{written}`, is not legal there"),
        }
    }
}

impl std::error::Error for FilmError {}

impl Film {
    /// Plays the moves one after the other and records the pictures.
    ///
    /// # Errors
    /// A position is too large to be drawn, or a move is not legal.
    pub fn new(
        start: Box<dyn Searchable>,
        moves: &[String],
        notations: &'static [Notation],
    ) -> Result<Film, FilmError> {
        Film::within(start, moves, notations, &Stop::default())
    }

    /// Plays the moves as [`new`](Self::new) does, until `stop` ends it.
    ///
    /// # Errors
    /// As [`new`](Self::new), and the limit that ended the work.
    pub fn within(
        start: Box<dyn Searchable>,
        moves: &[String],
        notations: &'static [Notation],
        stop: &Stop,
    ) -> Result<Film, FilmError> {
        let mut at = start;
        let mut seen = at.picture().ok_or(FilmError::TooLarge)?;
        let mut table = ActorTable::default();
        let first = Frame { written: None, changes: table.differences(&[], &seen.figures), g: at.g(), h: at.h() };
        let scenery = Picture { figures: Vec::new(), ..seen.clone() };
        let (mut rows, mut columns, mut frames) = (seen.rows, seen.columns, vec![first]);
        for (number, written) in (1..).zip(moves) {
            if let Some(limit) = stop.now() {
                return Err(FilmError::Limit(limit));
            }
            let illegal = || FilmError::Illegal(number, written.clone());
            at = at.after(written, notations).ok_or_else(illegal)?;
            // A step on a large map does not draw the map again.
            let mut next = match at.moving() {
                Some(figures) => Picture { figures, ..Picture::new(0, 0, Ground::Void) },
                None => at.picture().ok_or(FilmError::TooLarge)?,
            };
            next.follow(&seen);
            let mut changes = table.differences(&seen.figures, &next.figures);
            paths::choose(&mut changes, &seen);
            frames.push(Frame { written: Some(written.clone()), changes, g: at.g(), h: at.h() });
            if next.ground.is_empty() {
                seen.figures = next.figures;
            } else {
                (rows, columns, seen) = (rows.max(next.rows), columns.max(next.columns), next);
            }
        }
        let (actors, overlays) = (stacked(table.actors, &mut frames), Vec::new());
        Ok(Film { scenery, rows, columns, actors, overlays, frames, is_solved: at.is_goal() })
    }

    /// Returns a film of one picture.
    pub(super) fn of_picture(picture: Picture) -> Film {
        let mut table = ActorTable::default();
        let changes = table.differences(&[], &picture.figures);
        let (rows, columns) = (picture.rows, picture.columns);
        let mut frames = [Frame { written: None, changes, g: 0.0, h: 0.0 }];
        let actors = stacked(table.actors, &mut frames);
        let scenery = Picture { figures: Vec::new(), ..picture };
        Film { frames: frames.into(), ..Film::still(scenery, (rows, columns), actors) }
    }

    /// Returns a film of one position without figures, with actors to draw by themselves.
    pub(super) fn still(scenery: Picture, (rows, columns): (usize, usize), actors: Vec<Actor>) -> Film {
        let start = Frame { written: None, changes: Vec::new(), g: 0.0, h: 0.0 };
        Film { scenery, rows, columns, actors, overlays: Vec::new(), frames: vec![start], is_solved: false }
    }

    /// Returns a film of one position whose actors are looks, to draw them one by one. `places` has all figures that are
    /// ever drawn.
    pub(super) fn of_looks<'a>(
        scenery: Picture,
        (rows, columns): (usize, usize),
        looks: &[Figure],
        places: impl Iterator<Item = &'a Placed>,
    ) -> Film {
        // A look that is ever on a cell off the grid is drawn as there.
        let mut off_grid: HashMap<usize, Cell> = HashMap::new();
        for (look, at) in places.filter(|(_, at)| scenery.discs.contains_key(at)) {
            off_grid.entry(*look).or_insert(*at);
        }
        let actor = |(number, look): (usize, &Figure)| Actor {
            label: look.label.clone(),
            form: look.form,
            cells: look.cells.clone(),
            first: Spot { at: off_grid.get(&number).copied().unwrap_or((rows, columns)), paint: look.paint },
        };
        let actors = looks.iter().enumerate().map(actor).collect();
        Film::still(scenery, (rows, columns), actors)
    }

    /// Adds overlays to all positions.
    #[must_use]
    pub fn with_overlays(self, overlays: Vec<Overlay>) -> Film {
        Film { overlays, ..self }
    }

    /// Returns the lines of the legend.
    pub fn legends(&self) -> impl Iterator<Item = &str> {
        self.overlays.iter().map(|overlay| overlay.legend.as_str())
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.frames.len() - 1
    }

    /// Returns whether a block stands on a mark at the start.
    pub(super) fn covers_at_first(&self, mark: &Figure) -> bool {
        let marked: Vec<Cell> = mark.covered().collect();
        self.frames[0].changes.iter().any(|change| {
            let Actor { form, cells, first, .. } = &self.actors[change.actor];
            let covers = |&(row, column): &Cell| marked.contains(&(first.at.0 + row, first.at.1 + column));
            *form == Form::Block && cells.iter().any(covers)
        })
    }

    /// Returns the cost of the moves.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.frames[self.moves()].g
    }

    /// Returns the place of each actor after a number of moves.
    pub(super) fn spots(&self, moves: usize) -> Vec<Option<Spot>> {
        let mut spots = vec![None; self.actors.len()];
        for change in self.frames[..=moves].iter().flat_map(|frame| &frame.changes) {
            spots[change.actor] = change.to;
        }
        spots
    }

    /// Returns the changes of the moves after number `after`, up to number `until`, merged by actor.
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

    /// Returns the actors that leave trails, each with its places in order, up to a number of moves.
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

/// Returns the actors from back to front, and renumbers them in the frames: parts of the ground first, those with
/// sprites in the order of the sprites, as an actor may appear later than one in front of it.
fn stacked(actors: Vec<Actor>, frames: &mut [Frame]) -> Vec<Actor> {
    let mut stacked: Vec<(usize, Actor)> = actors.into_iter().enumerate().collect();
    stacked.sort_by_key(|(_, actor)| match actor.form {
        Form::Fill => 0,
        Form::Sprite(sprite) => sprite + 1,
        _ => usize::MAX,
    });
    let mut number = vec![0; stacked.len()];
    stacked.iter().enumerate().for_each(|(new, (old, _))| number[*old] = new);
    for change in frames.iter_mut().flat_map(|frame| &mut frame.changes) {
        change.actor = number[change.actor];
    }
    stacked.into_iter().map(|(_, actor)| actor).collect()
}

/// The actors so far, found by key, form, label and cells.
#[derive(Default)]
struct ActorTable {
    actors: Vec<Actor>,
    numbers: HashMap<(u64, Form, String, Vec<Cell>), usize>,
}

impl ActorTable {
    fn actor(&mut self, figure: &Figure) -> usize {
        let Figure { key, label, paint, form, at, cells } = figure;
        *self.numbers.entry((*key, *form, label.clone(), cells.clone())).or_insert_with(|| {
            let first = Spot { at: *at, paint: *paint };
            self.actors.push(Actor { label: label.clone(), form: *form, cells: cells.clone(), first });
            self.actors.len() - 1
        })
    }

    /// Returns the actors that moved, changed colour, appeared or vanished. Figures that are equal at the same index of
    /// both lists are skipped without a look-up.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;

    #[test]
    fn of_equal_pegs_the_one_that_jumps_moves() {
        let file = format!("{}/puzzles/rules/english-peg-solitaire.toml", env!("CARGO_MANIFEST_DIR"));
        let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
        let start = puzzle.space("zero").expect("every domain has the heuristic zero");
        let film = Film::new(start, &["jump 3,1 right".to_owned()], puzzle.domain().notations).expect("it is legal");
        let change = |change: &Change| (change.from.map(|spot| spot.at), change.to.map(|spot| spot.at));
        let mut changes: Vec<_> = film.frames[1].changes.iter().map(change).collect();
        changes.sort_unstable();
        assert_eq!(changes, [(Some((3, 1)), Some((3, 3))), (Some((3, 2)), None)]);
    }
}
