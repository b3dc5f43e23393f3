//! Shifts: what a move does to the figures of a picture, where all that it moves goes the same way.

use crate::picture::{Figure, Picture};

/// A direction: rows down and columns to the right, each -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way(pub isize, pub isize);

impl Way {
    /// The directions, the straight ones first, each with its name.
    pub const ALL: [(Way, &'static str); 8] = [
        (Way(-1, 0), "u"),
        (Way(1, 0), "d"),
        (Way(0, -1), "l"),
        (Way(0, 1), "r"),
        (Way(-1, -1), "ul"),
        (Way(-1, 1), "ur"),
        (Way(1, -1), "dl"),
        (Way(1, 1), "dr"),
    ];

    /// The direction with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Way> {
        Way::ALL.iter().find(|(_, known)| *known == name).map(|(way, _)| *way)
    }

    /// In words, as an end of `can go`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Way(-1, 0) => "up",
            Way(1, 0) => "down",
            Way(0, -1) => "left",
            Way(0, 1) => "right",
            Way(-1, -1) => "up to the left",
            Way(-1, _) => "up to the right",
            Way(_, -1) => "down to the left",
            _ => "down to the right",
        }
    }
}

/// Figures that go the same way, equally far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The keys of the figures, in the order of the picture; at least one.
    pub keys: Vec<u64>,
    /// Rows down and columns to the right.
    pub by: (isize, isize),
    /// The directions in which one would push: none where it is no straight line, two where two edges are crossed.
    pub ways: Vec<Way>,
}

impl Shift {
    /// What becomes of one picture in another; none where any figure comes, goes, or changes, or they part.
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
        let ways = if straight { vec![Way(by.0.signum(), by.1.signum())] } else { Vec::new() };
        (!keys.is_empty()).then_some(Shift { keys, by, ways })
    }

    /// How many cells it goes.
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
        let rows = across(figure.at.0, shift.by.0, picture.rows - height).map(|way| Way(way, 0));
        let columns = across(figure.at.1, shift.by.1, picture.columns - width).map(|way| Way(0, way));
        if rows.is_some() || columns.is_some() {
            shift.ways = rows.into_iter().chain(columns).collect();
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
