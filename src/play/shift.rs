//! Shifts: the effect of a move on the figures of a picture, where all of them move by the same vector.

use crate::picture::{Figure, Picture};

/// A direction: rows down and columns to the right, each -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction(pub isize, pub isize);

impl Direction {
    /// The directions, the straight ones first, each with its name.
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

    /// The direction with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Direction> {
        Direction::ALL.iter().find(|(_, known)| *known == name).map(|(direction, _)| *direction)
    }

    /// The direction in words, for use after `can go`.
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

/// Figures that move by the same vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The keys of the figures, in the order of the picture; at least one.
    pub keys: Vec<u64>,
    /// Rows down and columns to the right.
    pub by: (isize, isize),
    /// The directions in which one would push: none where it is no straight line, two where two edges are crossed.
    pub directions: Vec<Direction>,
}

impl Shift {
    /// Compares two pictures; none where a figure appears, vanishes or changes, or two move by different vectors.
    #[must_use]
    pub fn between(before: &Picture, after: &Picture) -> Option<Shift> {
        if before.figures.len() != after.figures.len() || before.marks != after.marks {
            return None;
        }
        let (mut keys, mut by) = (Vec::new(), (0, 0));
        for (old, new) in before.figures.iter().zip(&after.figures) {
            if old.key != new.key || old.label != new.label || old.cells != new.cells {
                return None;
            }
            let gone = (new.at.0 as isize - old.at.0 as isize, new.at.1 as isize - old.at.1 as isize);
            if gone != (0, 0) {
                if !keys.is_empty() && gone != by {
                    return None;
                }
                keys.push(old.key);
                by = gone;
            }
        }
        let straight = by.0 == 0 || by.1 == 0 || by.0.abs() == by.1.abs();
        let directions = if straight { vec![Direction(by.0.signum(), by.1.signum())] } else { Vec::new() };
        (!keys.is_empty()).then_some(Shift { keys, by, directions })
    }

    /// The number of cells it goes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.by.0.unsigned_abs().max(self.by.1.unsigned_abs())
    }
}

/// Sets the directions right of figures that leave the board at an edge and come in at the one across from it: they go
/// from edge to edge, though no move takes them to the cell beside.
pub(super) fn across_the_edges(shifts: &mut [Option<Shift>], picture: &Picture) {
    let steps: Vec<Vec<u64>> =
        shifts.iter().flatten().filter(|shift| shift.length() == 1).map(|shift| shift.keys.clone()).collect();
    for shift in shifts.iter_mut().flatten().filter(|shift| shift.length() > 1 && !steps.contains(&shift.keys)) {
        let Some(figure) = picture.figures.iter().find(|figure| figure.key == shift.keys[0]) else { continue };
        let (height, width) = extent(figure);
        let rows = across(figure.at.0, shift.by.0, picture.rows - height).map(|direction| Direction(direction, 0));
        let columns = across(figure.at.1, shift.by.1, picture.columns - width).map(|direction| Direction(0, direction));
        if rows.is_some() || columns.is_some() {
            shift.directions = rows.into_iter().chain(columns).collect();
        }
    }
}

/// The direction in which an edge is crossed, where one is.
fn across(at: usize, by: isize, last: usize) -> Option<isize> {
    match by {
        _ if last == 0 || by.unsigned_abs() != last => None,
        _ => Some(if at == 0 { -1 } else { 1 }),
    }
}

/// Rows and columns of the rectangle around a figure.
fn extent(figure: &Figure) -> (usize, usize) {
    let rows = figure.cells.iter().map(|cell| cell.0).max().unwrap_or(0) + 1;
    let columns = figure.cells.iter().map(|cell| cell.1).max().unwrap_or(0) + 1;
    (rows, columns)
}
