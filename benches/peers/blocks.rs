//! Sliding blocks with `pathfinding`: rectangular pieces; a move is a straight slide of any length.
//!
//! Pieces of one size are interchangeable: a state is the sorted list of its pieces, without labels.

use pathfinding::prelude::bfs;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Piece {
    height: usize,
    width: usize,
    row: usize,
    column: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Sorted.
    pieces: Vec<Piece>,
}

/// Returns the least number of slides from a drawing, `.` empty, until some piece stands as drawn in `goal`.
pub fn fewest_slides(start: &str, goal: &str, on_expand: impl Fn()) -> Option<usize> {
    let rows = start.lines().count();
    let columns = start.lines().next()?.len();
    let wanted = *pieces(goal).first()?;
    let successors = |state: &State| {
        on_expand();
        state.successors(rows, columns)
    };
    let start = State { pieces: pieces(start) };
    let path = bfs(&start, successors, |state| state.pieces.contains(&wanted))?;
    Some(path.len() - 1)
}

impl State {
    fn successors(&self, rows: usize, columns: usize) -> Vec<State> {
        let mut filled = vec![vec![false; columns]; rows];
        for piece in &self.pieces {
            for (row, column) in piece.cells() {
                filled[row][column] = true;
            }
        }
        let mut successors = Vec::new();
        for (number, &piece) in self.pieces.iter().enumerate() {
            for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let mut moved = piece;
                while let Some(next) = moved.step(down, right) {
                    let free = |(row, column): (usize, usize)| {
                        row < rows && column < columns && (!filled[row][column] || piece.covers(row, column))
                    };
                    if !next.cells().all(free) {
                        break;
                    }
                    moved = next;
                    let mut pieces = self.pieces.clone();
                    pieces[number] = moved;
                    pieces.sort();
                    successors.push(State { pieces });
                }
            }
        }
        successors
    }
}

impl Piece {
    fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.column..self.column + self.width;
        (self.row..self.row + self.height).flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    fn covers(self, row: usize, column: usize) -> bool {
        (self.row..self.row + self.height).contains(&row) && (self.column..self.column + self.width).contains(&column)
    }

    fn step(self, down: isize, right: isize) -> Option<Piece> {
        let row = self.row.checked_add_signed(down)?;
        let column = self.column.checked_add_signed(right)?;
        Some(Piece { row, column, ..self })
    }
}

/// Returns the pieces of a drawing, sorted.
fn pieces(drawing: &str) -> Vec<Piece> {
    let mut found: Vec<(char, Piece)> = Vec::new();
    for (row, line) in drawing.lines().enumerate() {
        for (column, label) in line.chars().enumerate().filter(|&(_, label)| label != '.') {
            match found.iter_mut().find(|(known, _)| *known == label) {
                Some((_, piece)) => {
                    piece.height = row - piece.row + 1;
                    piece.width = column - piece.column + 1;
                }
                None => found.push((label, Piece { height: 1, width: 1, row, column })),
            }
        }
    }
    let mut pieces: Vec<Piece> = found.into_iter().map(|(_, piece)| piece).collect();
    pieces.sort();
    pieces
}
