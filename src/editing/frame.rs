//! The frame of a level: the walls that enclose it, and what is outside.

use super::canvas::{Canvas, Place};

/// Returns the cells around a cell of a grid, and the cell itself.
pub(super) fn around(cell: usize, (rows, columns): (usize, usize)) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / columns, cell % columns);
    let rows = row.saturating_sub(1)..rows.min(row + 2);
    rows.flat_map(move |row| {
        (column.saturating_sub(1)..columns.min(column + 2)).map(move |column| row * columns + column)
    })
}

/// Returns, for each cell of the first drawing, whether it belongs to the frame: it is at the edge, or outside, or next to
/// what is outside. No cell does where the pieces reach the edge: there, the edge itself encloses the level.
pub(super) fn frame(canvas: &Canvas) -> Vec<bool> {
    let (rows, columns) = (canvas.rows(), canvas.columns());
    let size = rows * columns;
    let is_edge = |cell: usize| {
        cell < columns || cell + columns >= size || cell.is_multiple_of(columns) || (cell + 1).is_multiple_of(columns)
    };
    let around = |cell: usize| around(cell, (rows, columns));
    let is_straight = |one: usize, other: usize| one / columns == other / columns || one % columns == other % columns;
    let pieces: Vec<usize> = canvas.pieces().flat_map(|piece| piece.cells).collect();
    let mut holds = vec![false; size];
    pieces.iter().for_each(|&cell| holds[cell] = true);
    let is_open = |cell: usize| holds[cell] || Some(canvas.at(Place { sheet: 0, cell })) == canvas.empty(0);
    let mut inside = vec![false; size];
    let mut open = pieces.clone();
    while let Some(cell) = open.pop() {
        if !std::mem::replace(&mut inside[cell], true) {
            open.extend(around(cell).filter(|&next| is_straight(cell, next) && is_open(next)));
        }
    }
    if pieces.is_empty() || (0..size).any(|cell| is_edge(cell) && inside[cell]) {
        return vec![false; size];
    }
    let is_apart = |cell: usize| around(cell).all(|next| !inside[next]);
    let mut frame: Vec<bool> = (0..size).map(is_edge).collect();
    let mut outside = vec![false; size];
    open.extend((0..size).filter(|&cell| is_edge(cell) && is_apart(cell)));
    while let Some(cell) = open.pop() {
        if !std::mem::replace(&mut outside[cell], true) {
            around(cell).for_each(|next| frame[next] = true);
            open.extend(around(cell).filter(|&next| is_apart(next)));
        }
    }
    frame
}
