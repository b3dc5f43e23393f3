//! Effects: what a move does to a picture, found by comparing the pictures before and after.
//!
//! Figures that keep their keys and change their cells have moved. If all of them go the same way, the move is a
//! [`Shift`], which arrows select. Every motion can be selected by its two cells, with a drag or two clicks. Moves of
//! any other kind, such as the press of a lamp, may have a place each (`play/place.rs`).

use crate::picture::{Cell, Figure, Ground, Picture};
use std::collections::{BTreeSet, HashMap};

/// A direction: rows down and columns to the right, each -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Direction(pub isize, pub isize);

impl Direction {
    /// All directions with their names, the orthogonal ones first.
    pub const ALL: [(Direction, &'static str); 8] = [
        (Direction(-1, 0), "u"),
        (Direction(1, 0), "d"),
        (Direction(0, -1), "l"),
        (Direction(0, 1), "r"),
        (Direction(-1, -1), "ul"),
        (Direction(-1, 1), "ur"),
        (Direction(1, -1), "dl"),
        (Direction(1, 1), "dr"),
    ];

    /// Returns the direction with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Direction> {
        Direction::ALL.iter().find(|(_, known)| *known == name).map(|(direction, _)| *direction)
    }

    /// Returns the direction in words, for use after `can go`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Direction(-1, 0) => "up",
            Direction(1, 0) => "down",
            Direction(0, -1) => "left",
            Direction(0, 1) => "right",
            Direction(-1, -1) => "up to the left",
            Direction(-1, _) => "up to the right",
            Direction(_, -1) => "down to the left",
            _ => "down to the right",
        }
    }
}

/// A figure that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// The key of the figure before the move.
    pub key: u64,
    /// The upper left corner of the rectangle around it, before the move.
    pub from: Cell,
    /// The place of that corner after the move.
    pub to: Cell,
}

impl Motion {
    /// Returns the displacement: rows down and columns to the right.
    #[must_use]
    pub fn by(&self) -> (isize, isize) {
        (self.to.0 as isize - self.from.0 as isize, self.to.1 as isize - self.from.1 as isize)
    }

    fn direction(&self) -> Direction {
        let (down, right) = self.by();
        Direction(down.signum(), right.signum())
    }

    fn length(&self) -> usize {
        self.by().0.unsigned_abs().max(self.by().1.unsigned_abs())
    }
}

/// The effect of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The figures that move, in the order of the picture.
    pub motions: Vec<Motion>,
    /// True if one figure moves, and nothing else changes.
    pub is_alone: bool,
    /// The cells of figures that move, appear, vanish or change, and of ground that changes; in order.
    pub changed: Vec<Cell>,
    /// The shift, if all figures that move go the same way.
    pub shift: Option<Shift>,
}

/// The figures that a move displaces in the same direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The keys of the figures, in the order of the picture; at least one.
    pub keys: Vec<u64>,
    /// The greatest displacement: rows down and columns to the right.
    pub by: (isize, isize),
    /// The directions of the move: none if it is not a straight line, two if it crosses two edges.
    pub directions: Vec<Direction>,
}

impl Effect {
    /// Compares two pictures.
    #[must_use]
    pub fn between(before: &Picture, after: &Picture) -> Effect {
        let new: HashMap<u64, &Figure> = after.figures.iter().map(|figure| (figure.key, figure)).collect();
        let (mut motions, mut vanished, mut changed) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut stays = before.marks == after.marks && before.ground == after.ground;
        let mut kept = 0;
        for old in &before.figures {
            let Some(new) = new.get(&old.key).filter(|new| new.cells == old.cells) else {
                vanished.push(old);
                continue;
            };
            kept += 1;
            let is_same = old.label == new.label && old.paint == new.paint && old.form == new.form;
            // The colour of a figure may depend on where it stands.
            stays &= old.label == new.label && (is_same || old.at != new.at);
            if old.at != new.at {
                motions.push(Motion { key: old.key, from: old.at, to: new.at });
            }
            if old.at != new.at || !is_same {
                changed.extend(old.covered().chain(new.covered()));
            }
        }
        let mut only_moves = stays && vanished.is_empty();
        if !vanished.is_empty() || kept != after.figures.len() {
            only_moves = false;
            let known: HashMap<u64, &Figure> = before.figures.iter().map(|figure| (figure.key, figure)).collect();
            let is_new = |new: &&Figure| known.get(&new.key).is_none_or(|old| old.cells != new.cells);
            let appeared: Vec<&Figure> = after.figures.iter().filter(is_new).collect();
            changed.extend(vanished.iter().chain(&appeared).flat_map(|figure| figure.covered()));
            match (&vanished[..], &appeared[..]) {
                // A figure that turns round while it moves, for example.
                ([old], [new])
                    if old.cells == new.cells && old.at != new.at && before.ground(new.at) != Ground::Void =>
                {
                    motions.push(Motion { key: old.key, from: old.at, to: new.at });
                }
                _ => stays = false,
            }
        }
        if before.ground != after.ground {
            let differs = |&(_, (old, new)): &(usize, (&Ground, &Ground))| old != new;
            let cells = before.ground.iter().zip(after.ground.iter()).enumerate().filter(differs);
            changed.extend(cells.map(|(number, _)| (number / before.columns.max(1), number % before.columns.max(1))));
        }
        let shift = Shift::of(&motions, before, only_moves);
        Effect { is_alone: stays && motions.len() == 1, motions, changed: changed.into_iter().collect(), shift }
    }

    /// Returns the motion of a figure.
    #[must_use]
    pub fn motion(&self, key: u64) -> Option<&Motion> {
        self.motions.iter().find(|motion| motion.key == key)
    }

    /// Returns the only figure that moves, if nothing else happens.
    #[must_use]
    pub fn step(&self) -> Option<&Motion> {
        match &self.motions[..] {
            [motion] if self.is_alone => Some(motion),
            _ => None,
        }
    }
}

impl Shift {
    /// Returns the shift that these motions are. Text, which has no ground, is no figure that one pushes.
    fn of(motions: &[Motion], picture: &Picture, only_moves: bool) -> Option<Shift> {
        let longest = motions.iter().max_by_key(|motion| motion.length())?;
        let by = longest.by();
        let straight = by.0 == 0 || by.1 == 0 || by.0.abs() == by.1.abs();
        let is_same_way =
            |motion: &Motion| motion.by() == by || (straight && motion.direction() == longest.direction());
        let is_on_ground = |motion: &Motion| picture.ground(motion.to) != Ground::Void;
        if !motions.iter().all(|motion| is_same_way(motion) && (only_moves || is_on_ground(motion))) {
            return None;
        }
        let directions = if straight { vec![longest.direction()] } else { Vec::new() };
        Some(Shift { keys: motions.iter().map(|motion| motion.key).collect(), by, directions })
    }

    /// Returns the number of cells that it moves.
    #[must_use]
    pub fn length(&self) -> usize {
        self.by.0.unsigned_abs().max(self.by.1.unsigned_abs())
    }
}

/// Corrects the directions of figures that leave the board at one edge and enter at the opposite one: they move from
/// edge to edge, while no move takes them to the adjacent cell.
pub(super) fn set_wrapping_directions(effects: &mut [Effect], picture: &Picture) {
    let shifts = || effects.iter().filter_map(|effect| effect.shift.as_ref());
    let steps: Vec<Vec<u64>> = shifts().filter(|shift| shift.length() == 1).map(|shift| shift.keys.clone()).collect();
    let shifts = effects.iter_mut().filter_map(|effect| effect.shift.as_mut());
    for shift in shifts.filter(|shift| shift.length() > 1 && !steps.contains(&shift.keys)) {
        let Some(figure) = picture.figures.iter().find(|figure| figure.key == shift.keys[0]) else { continue };
        let (height, width) = extent(figure);
        let down = (figure.at.0, shift.by.0, picture.rows.saturating_sub(height));
        let right = (figure.at.1, shift.by.1, picture.columns.saturating_sub(width));
        let rows = wrapping_direction(down, right).map(|direction| Direction(direction, 0));
        let columns = wrapping_direction(right, down).map(|direction| Direction(0, direction));
        if rows.is_some() || columns.is_some() {
            shift.directions = rows.into_iter().chain(columns).collect();
        }
    }
}

/// A place along one side of the board, the displacement along it, and the last place.
type Side = (usize, isize, usize);

/// Returns the direction in which an edge is crossed, if one is. Along the other side, the figure stays, or is
/// mirrored, as on a Möbius strip, or crosses an edge, too.
fn wrapping_direction((at, by, last): Side, (other_at, other_by, other_last): Side) -> Option<isize> {
    let is_mirrored = other_at.checked_add_signed(other_by) == other_last.checked_sub(other_at);
    let is_other_edge = other_by.unsigned_abs() == other_last;
    if last == 0 || by.unsigned_abs() != last || !(other_by == 0 || is_mirrored || is_other_edge) {
        return None;
    }
    Some(if at == 0 { -1 } else { 1 })
}

/// Returns the rows and columns of the rectangle around a figure.
fn extent(figure: &Figure) -> (usize, usize) {
    let rows = figure.cells.iter().map(|cell| cell.0).max().unwrap_or(0) + 1;
    let columns = figure.cells.iter().map(|cell| cell.1).max().unwrap_or(0) + 1;
    (rows, columns)
}
