//! Outlines: a set of cells as one path, with rounded corners and an inset from the cells' edges.
//!
//! Each outline is traced with the cells on its right: outer boundaries clockwise, holes anticlockwise, so that both
//! fill rules of SVG fill the path alike. Cells that touch only at a corner have separate outlines.

use crate::picture::Cell;
use std::fmt::Write as _;

/// Right, down, left, up: as a change of column and row.
const DIRECTIONS: [(f64, f64); 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];

/// A corner of an outline: its row and column on the lattice, the direction before it and the direction after it.
type Corner = (usize, usize, usize, usize);

/// The geometry of a path, in units: edge length of a cell, inset from the edges, corner radius.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub cell: f64,
    pub inset: f64,
    pub radius: f64,
}

/// Formats a number with at most two digits after the point.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns the path around the cells of a figure.
pub(super) fn of_cells(cells: &[Cell], pen: Pen) -> String {
    let rows = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
    let columns = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
    let mut has = vec![false; rows * columns];
    cells.iter().for_each(|&(row, column)| has[row * columns + column] = true);
    of_grid(rows, columns, |(row, column)| has[row * columns + column], pen)
}

/// Returns the path around the cells of a grid that are `inside`; empty if there are none.
pub(super) fn of_grid(rows: usize, columns: usize, inside: impl Fn(Cell) -> bool, pen: Pen) -> String {
    let inside = |row: usize, column: usize| row < rows && column < columns && inside((row, column));
    let above = |row: usize, column: usize| row.checked_sub(1).is_some_and(|row| inside(row, column));
    let mut visited = vec![false; rows * columns];
    let mut path = String::new();
    for row in 0..rows {
        for column in 0..columns {
            if inside(row, column) && !above(row, column) && !visited[row * columns + column] {
                let outline = trace(&inside, (row, column), &mut |row, column| visited[row * columns + column] = true);
                if pen.inset == 0.0 && pen.radius == 0.0 {
                    square(&mut path, &outline, pen.cell);
                } else {
                    round(&mut path, &outline, pen);
                }
            }
        }
    }
    path
}

/// Returns the corners of the outline whose upper edge runs along the cell `first`. Calls `below` for each cell below
/// an upper edge.
fn trace(inside: &impl Fn(usize, usize) -> bool, first: Cell, below: &mut impl FnMut(usize, usize)) -> Vec<Corner> {
    // `up` and `left` may wrap around to a row or column that is on no board.
    let has = |row: usize, column: usize| inside(row, column);
    let (mut row, mut column, mut direction) = (first.0, first.1, 0);
    let mut corners = Vec::new();
    loop {
        if direction == 0 {
            below(row, column);
        }
        match direction {
            0 => column += 1,
            1 => row += 1,
            2 => column -= 1,
            _ => row -= 1,
        }
        let (up, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
        let (ahead_right, ahead_left) = match direction {
            0 => (has(row, column), has(up, column)),
            1 => (has(row, left), has(row, column)),
            2 => (has(up, left), has(row, left)),
            _ => (has(up, column), has(up, left)),
        };
        let next = match (ahead_right, ahead_left) {
            (false, _) => (direction + 1) % 4,
            (true, false) => direction,
            (true, true) => (direction + 3) % 4,
        };
        if next != direction {
            corners.push((row, column, direction, next));
        }
        direction = next;
        if (row, column) == first && direction == 0 {
            return corners;
        }
    }
}

/// Writes an outline along the edges of its cells, in lines from corner to corner.
fn square(path: &mut String, outline: &[Corner], cell: f64) {
    let place = |corner: &Corner| (corner.1 as f64 * cell, corner.0 as f64 * cell);
    let (mut x, mut y) = place(&outline[0]);
    let _ = write!(path, "M{} {}", number(x), number(y));
    for corner in &outline[1..] {
        let (to_x, to_y) = place(corner);
        let _ = if to_y == y { write!(path, "h{}", number(to_x - x)) } else { write!(path, "v{}", number(to_y - y)) };
        (x, y) = (to_x, to_y);
    }
    path.push('z');
}

/// Writes an outline within the edges of its cells, with rounded corners.
fn round(path: &mut String, outline: &[Corner], Pen { cell, inset, radius }: Pen) {
    for (number_of, &(row, column, before, after)) in outline.iter().enumerate() {
        let (into, out) = (DIRECTIONS[before], DIRECTIONS[after]);
        // The inside lies to the right of each edge.
        let shift = |(x, y): (f64, f64)| (-y * inset, x * inset);
        let (a, b) = (shift(into), shift(out));
        let (x, y) = (column as f64 * cell + a.0 + b.0, row as f64 * cell + a.1 + b.1);
        let convex = (before + 1) % 4 == after;
        let command = if number_of == 0 { 'M' } else { 'L' };
        let (from, to) = ((x - into.0 * radius, y - into.1 * radius), (x + out.0 * radius, y + out.1 * radius));
        let _ = write!(
            path,
            "{command}{} {}A{r} {r} 0 0 {} {} {}",
            number(from.0),
            number(from.1),
            u8::from(convex),
            number(to.0),
            number(to.1),
            r = number(radius),
        );
    }
    path.push('z');
}

/// Returns the largest rectangle within some cells as its upper left cell, rows and columns. Of several equally large
/// ones it prefers the nearest to a square, then the first by rows.
pub(super) fn largest_rectangle(cells: &[Cell]) -> (Cell, usize, usize) {
    let rows = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
    let columns = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
    let mut has = vec![false; rows * columns];
    cells.iter().for_each(|&(row, column)| has[row * columns + column] = true);
    let mut best = (cells.first().copied().unwrap_or((0, 0)), 1, 1);
    // For each column, the number of consecutive cells from the current row upwards.
    let mut heights = vec![0_usize; columns];
    for row in 0..rows {
        for column in 0..columns {
            heights[column] = if has[row * columns + column] { heights[column] + 1 } else { 0 };
        }
        for left in 0..columns {
            let mut height = usize::MAX;
            for (width, &here) in (1..).zip(&heights[left..]) {
                height = height.min(here);
                if height == 0 {
                    break;
                }
                let worth = |rows: usize, columns: usize| (rows * columns, rows.min(columns));
                if worth(height, width) > worth(best.1, best.2) {
                    best = ((row + 1 - height, left), height, width);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Pen = Pen { cell: 1.0, inset: 0.0, radius: 0.0 };

    #[test]
    fn cells_side_by_side_have_one_outline_and_a_ring_has_two() {
        assert_eq!(of_cells(&[(0, 0), (0, 1)], PLAIN), "M2 0v1h-2v-1z");
        let ring: Vec<Cell> = (0..9).filter(|cell| *cell != 4).map(|cell| (cell / 3, cell % 3)).collect();
        assert_eq!(of_cells(&ring, PLAIN).matches('M').count(), 2);
        assert_eq!(
            of_cells(&[(0, 0), (1, 1)], PLAIN).matches('M').count(),
            2,
            "cells that touch at a corner are not joined"
        );
        assert_eq!(of_cells(&[], PLAIN), "");
    }

    #[test]
    fn an_inner_corner_is_as_far_from_the_edge_as_an_outer_one() {
        let corner = of_cells(&[(0, 0), (1, 0), (1, 1)], Pen { cell: 10.0, inset: 1.0, radius: 2.0 });
        assert_eq!(
            corner,
            "M7 1A2 2 0 0 1 9 3L9 9A2 2 0 0 0 11 11L17 11A2 2 0 0 1 19 13L19 17A2 2 0 0 1 17 19L3 19A2 2 0 0 1 1 17\
             L1 3A2 2 0 0 1 3 1z"
        );
    }

    #[test]
    fn a_label_is_placed_on_the_largest_rectangle() {
        assert_eq!(largest_rectangle(&[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]), ((1, 0), 1, 3));
        assert_eq!(largest_rectangle(&[(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)]), ((0, 0), 2, 2));
    }
}
