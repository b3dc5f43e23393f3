//! The graph of the cells of a board: neighbours, directions and distances.
//!
//! A board with joined edges tiles the plane with its images: a path that leaves the board continues in the next image.
//! The distance of two cells is the distance, in rows and columns, between one and the nearest image of the other. This
//! is exact, because paths on the board and paths in the plane correspond.

use super::board::{Cell, TileBoard};
use super::surface::Joint;

impl TileBoard {
    /// Returns the neighbours of a cell, each once and without the cell itself, in the order of the moves: up, left,
    /// right, down.
    pub fn neighbors(&self, cell: Cell) -> Neighbors {
        let (rows, columns) = (self.rows, self.columns);
        let (row, column) = (cell / columns, cell % columns);
        if (1..rows - 1).contains(&row) && (1..columns - 1).contains(&column) {
            // A fast path away from the edges, where long walks on large boards mostly are.
            return Neighbors { cells: [cell - columns, cell - 1, cell + 1, cell + columns], next: 0, end: 4 };
        }
        let mut neighbors = Neighbors { cells: [0; 4], next: 0, end: 0 };
        for direction in ['u', 'l', 'r', 'd'] {
            if let Some(to) = self.step(cell, direction)
                && to != cell
                && !neighbors.cells[..usize::from(neighbors.end)].contains(&to)
            {
                neighbors.cells[usize::from(neighbors.end)] = to;
                neighbors.end += 1;
            }
        }
        neighbors
    }

    /// Returns the direction from one cell to the next: the first of up, down, left, right that leads there.
    pub fn direction(&self, from: Cell, to: Cell) -> char {
        let leads = |direction: &char| self.step(from, *direction) == Some(to);
        ['u', 'd', 'l'].into_iter().find(leads).unwrap_or('r')
    }

    /// Returns the least number of steps from one cell to another.
    #[inline]
    pub fn distance(&self, from: Cell, to: Cell) -> u32 {
        let (rows, columns) = (self.rows as i32, self.columns as i32);
        let (sideways, upright) = self.surface.joints();
        let place = |cell: Cell| ((cell / self.columns) as i32, (cell % self.columns) as i32);
        let (row, column) = place(from);
        // The distance to the nearest of all images with this period.
        let nearest = |difference: i32, period: Option<i32>| match period {
            None => difference.abs(),
            Some(period) => difference.rem_euclid(period).min((-difference).rem_euclid(period)),
        };
        let steps_to = |(to_row, to_column): (i32, i32)| {
            nearest(to_row - row, upright.period(rows)) + nearest(to_column - column, sideways.period(columns))
        };
        // The image of a cell across an edge with a flip.
        let beside = |(row, column): (i32, i32)| (rows - 1 - row, column + columns);
        let below = |(row, column): (i32, i32)| (row + rows, columns - 1 - column);
        let to = place(to);
        let mut least = steps_to(to);
        if sideways == Joint::Flipped {
            least = least.min(steps_to(beside(to)));
        }
        if upright == Joint::Flipped {
            least = least.min(steps_to(below(to)));
        }
        if (sideways, upright) == (Joint::Flipped, Joint::Flipped) {
            least = least.min(steps_to(beside(below(to))));
        }
        least as u32
    }

    /// Returns whether the graph of the cells is bipartite. The only possible colouring is that of a chessboard, since
    /// it is the only one within the edges.
    pub fn is_bipartite(&self) -> bool {
        let (sideways, upright) = self.surface.joints();
        let (rows, columns) = (self.rows, self.columns);
        let keeps_colours = |joint: Joint, length: u32| match joint {
            Joint::Open => true,
            // A side of one cell is joined to itself, and a cell is not its own neighbour.
            Joint::Straight => length == 1 || length.is_multiple_of(2),
            Joint::Flipped => rows * columns == 1 || !(rows + columns).is_multiple_of(2),
        };
        keeps_colours(sideways, columns) && keeps_colours(upright, rows)
    }

    /// Returns the cell one step in a direction, or `None` at an open edge.
    fn step(&self, cell: Cell, direction: char) -> Option<Cell> {
        let (rows, columns) = (self.rows, self.columns);
        let (row, column) = (cell / columns, cell % columns);
        let (sideways, upright) = self.surface.joints();
        let flipped = |joint: Joint, at: u32, length: u32| match joint {
            Joint::Open => None,
            Joint::Straight => Some(at),
            Joint::Flipped => Some(length - 1 - at),
        };
        let (row, column) = match direction {
            'u' if row > 0 => (row - 1, column),
            'd' if row + 1 < rows => (row + 1, column),
            'l' if column > 0 => (row, column - 1),
            'r' if column + 1 < columns => (row, column + 1),
            'u' => (rows - 1, flipped(upright, column, columns)?),
            'd' => (0, flipped(upright, column, columns)?),
            'l' => (flipped(sideways, row, rows)?, columns - 1),
            _ => (flipped(sideways, row, rows)?, 0),
        };
        Some(row * columns + column)
    }
}

/// An iterator over the distinct neighbours of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors {
    cells: [Cell; 4],
    next: u8,
    end: u8,
}

impl Iterator for Neighbors {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(self.cells[usize::from(self.next - 1) & 3])
    }
}
