//! Drawings of rules as sheets of paper: turned, turned over, and laid on the grid.
//!
//! They are for [`RuleBook`](super::rules::RuleBook), and turn drawings themselves, cell by cell: whoever compiles rules
//! does it by arithmetic.

use super::model::{Edge, From, Image, Rewriting, To};

/// A drawing as it is laid on the grid.
pub(super) struct Sheet {
    rows: Vec<Vec<Spot>>,
    pub direction: &'static str,
    /// One cell further, down and to the right.
    pub forward: (i64, i64),
}

/// A cell of a drawing.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Its row and column in the drawing as the file has it.
    pub of: (usize, usize),
    pub from: From,
    pub to: To,
    pub on: Option<char>,
}

/// A cell of a drawing that is laid on the grid.
pub(super) struct Laid {
    pub spot: Spot,
    /// The row and the column under it, counted on beyond an edge.
    pub place: (i64, i64),
    /// The cell of the grid there; none beyond the edge.
    pub cell: Option<usize>,
}

impl Sheet {
    /// The images of a drawing.
    pub fn all(drawing: &Rewriting) -> Vec<Sheet> {
        let spot = |row, column| {
            let at = row * drawing.width + column;
            Spot { of: (row, column), from: drawing.from[at], to: drawing.to[at], on: drawing.on[at] }
        };
        let row = |row| (0..drawing.width).map(|column| spot(row, column)).collect();
        let as_drawn: Vec<Vec<Spot>> = (0..drawing.height).map(row).collect();
        let image = |image: &Image| {
            let (mut rows, mut forward) = (as_drawn.clone(), (0, 1));
            for _ in 0..image.quarters {
                // A column, read from the bottom, becomes a row.
                rows = (0..rows[0].len()).map(|c| rows.iter().rev().map(|row| row[c]).collect()).collect();
                forward = (forward.1, -forward.0);
            }
            if image.mirrored {
                rows.iter_mut().for_each(|row| row.reverse());
                forward.1 = -forward.1;
            }
            Sheet { rows, direction: image.direction, forward }
        };
        drawing.images.iter().map(image).collect()
    }

    /// The cells of a drawing with what lies under them, when the cell that names the place lies on this one; in the order
    /// of the drawing in the file.
    pub fn laid(&self, drawing: &Rewriting, (rows, columns): (usize, usize), on: usize) -> Vec<Laid> {
        let (rows, columns) = (rows as i64, columns as i64);
        let places = self.rows.iter().enumerate();
        let places =
            places.flat_map(|(r, row)| row.iter().enumerate().map(move |(c, spot)| (r as i64, c as i64, *spot)));
        let places: Vec<(i64, i64, Spot)> = places.collect();
        let named = places.iter().find(|(.., spot)| spot.of == drawing.at);
        let (down, right) = named.map_or((0, 0), |&(row, column, _)| (row, column));
        let lay = |(row, column, spot): (i64, i64, Spot)| {
            let (mut row, mut column) = (on as i64 / columns + row - down, on as i64 % columns + column - right);
            if drawing.edge == Edge::Wrap {
                (row, column) = (row.rem_euclid(rows), column.rem_euclid(columns));
            }
            let inside = row >= 0 && row < rows && column >= 0 && column < columns;
            Laid { spot, place: (row, column), cell: inside.then(|| (row * columns + column) as usize) }
        };
        let mut laid: Vec<Laid> = places.into_iter().map(lay).collect();
        laid.sort_by_key(|laid| laid.spot.of);
        laid
    }

    /// The next cell in its direction; none beyond an edge that is one.
    pub fn next(&self, drawing: &Rewriting, (rows, columns): (usize, usize), cell: usize) -> Option<usize> {
        let (rows, columns) = (rows as i64, columns as i64);
        let (row, column) = (cell as i64 / columns + self.forward.0, cell as i64 % columns + self.forward.1);
        let (row, column) = match drawing.edge {
            Edge::Wrap => (row.rem_euclid(rows), column.rem_euclid(columns)),
            _ => (row, column),
        };
        let inside = row >= 0 && row < rows && column >= 0 && column < columns;
        inside.then(|| (row * columns + column) as usize)
    }
}

/// What a drawing asks and does, cell by cell of the grid: images for which this is the same are one.
pub(super) fn deeds(laid: &[Laid]) -> Vec<(usize, From, To)> {
    let deed = |laid: &Laid| {
        let Spot { from, to, .. } = laid.spot;
        laid.cell.filter(|_| (from, to) != (From::Anything, To::Same)).map(|cell| (cell, from, to))
    };
    let mut deeds: Vec<_> = laid.iter().filter_map(deed).collect();
    deeds.sort_by_key(|(cell, ..)| *cell);
    deeds
}
