//! Shifts: the effect of a move on a picture in which all moved figures move by the same vector.

use crate::picture::{Figure, Picture};

/// A direction: rows down and columns to the right, each -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The figures that a move displaces by the same vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The keys of the figures, in the order of the picture; at least one.
    pub keys: Vec<u64>,
    /// The displacement: rows down and columns to the right.
    pub by: (isize, isize),
    /// The directions of the move: none if it is not a straight line, two if it crosses two edges.
    pub directions: Vec<Direction>,
}

impl Shift {
    /// Compares two pictures; `None` if a figure appears, vanishes or changes, or if two move by different vectors.
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
            let moved = (new.at.0 as isize - old.at.0 as isize, new.at.1 as isize - old.at.1 as isize);
            if moved != (0, 0) {
                if !keys.is_empty() && moved != by {
                    return None;
                }
                keys.push(old.key);
                by = moved;
            }
        }
        let straight = by.0 == 0 || by.1 == 0 || by.0.abs() == by.1.abs();
        let directions = if straight { vec![Direction(by.0.signum(), by.1.signum())] } else { Vec::new() };
        (!keys.is_empty()).then_some(Shift { keys, by, directions })
    }

    /// Returns the number of cells that it moves.
    #[must_use]
    pub fn length(&self) -> usize {
        self.by.0.unsigned_abs().max(self.by.1.unsigned_abs())
    }
}

/// Corrects the directions of figures that leave the board at one edge and enter at the opposite one: they move from
/// edge to edge, while no move takes them to the adjacent cell.
pub(super) fn set_wrapping_directions(shifts: &mut [Option<Shift>], picture: &Picture) {
    let steps: Vec<Vec<u64>> =
        shifts.iter().flatten().filter(|shift| shift.length() == 1).map(|shift| shift.keys.clone()).collect();
    for shift in shifts.iter_mut().flatten().filter(|shift| shift.length() > 1 && !steps.contains(&shift.keys)) {
        let Some(figure) = picture.figures.iter().find(|figure| figure.key == shift.keys[0]) else { continue };
        let (height, width) = extent(figure);
        let rows =
            wrapping_direction(figure.at.0, shift.by.0, picture.rows - height).map(|direction| Direction(direction, 0));
        let columns = wrapping_direction(figure.at.1, shift.by.1, picture.columns - width)
            .map(|direction| Direction(0, direction));
        if rows.is_some() || columns.is_some() {
            shift.directions = rows.into_iter().chain(columns).collect();
        }
    }
}

/// Returns the direction in which an edge is crossed, if one is.
fn wrapping_direction(at: usize, by: isize, last: usize) -> Option<isize> {
    match by {
        _ if last == 0 || by.unsigned_abs() != last => None,
        _ => Some(if at == 0 { -1 } else { 1 }),
    }
}

/// Returns the rows and columns of the rectangle around a figure.
fn extent(figure: &Figure) -> (usize, usize) {
    let rows = figure.cells.iter().map(|cell| cell.0).max().unwrap_or(0) + 1;
    let columns = figure.cells.iter().map(|cell| cell.1).max().unwrap_or(0) + 1;
    (rows, columns)
}
