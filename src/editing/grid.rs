//! A rectangle of cells as they are written, to be mirrored, turned and resized.

use super::canvas::Direction;

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub columns: usize,
    /// The texts of the cells, row by row.
    pub texts: Vec<String>,
}

impl Grid {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.texts.len() / self.columns.max(1)
    }

    /// Fills a grid of another size: `text` returns the text of each cell.
    fn fill(&mut self, (rows, columns): (usize, usize), text: impl Fn(&Grid, usize, usize) -> String) {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let texts = places.map(|(row, column)| text(self, row, column)).collect();
        *self = Grid { columns, texts };
    }

    fn at(&self, row: usize, column: usize) -> String {
        self.texts[row * self.columns + column].clone()
    }

    /// Left and right change places.
    pub fn mirror(&mut self) {
        self.fill((self.rows(), self.columns), |old, row, column| old.at(row, old.columns - 1 - column));
    }

    /// Above and below change places.
    pub fn flip(&mut self) {
        self.fill((self.rows(), self.columns), |old, row, column| old.at(old.rows() - 1 - row, column));
    }

    /// Turns all clockwise by a right angle.
    pub fn turn(&mut self) {
        self.fill((self.columns, self.rows()), |old, row, column| old.at(old.rows() - 1 - column, row));
    }

    /// Takes rows or columns away at a side, but leaves those that lie `inside` of none at the edge.
    pub fn shrink(&mut self, side: Direction, inside: usize, count: usize) {
        let (rows, columns) = self.grown_size(side, -(count as isize));
        self.fill((rows, columns), |old, row, column| {
            let kept = |at: usize, length: usize, is_first: bool| {
                let gap = if is_first { inside } else { length - inside - count };
                if at < gap { at } else { at + count }
            };
            match side {
                Direction::Up | Direction::Down => old.at(kept(row, old.rows(), side == Direction::Up), column),
                Direction::Left | Direction::Right => old.at(row, kept(column, old.columns, side == Direction::Left)),
            }
        });
    }

    /// Adds rows or columns at a side, `inside` of the last ones there. `new` returns the text of each new cell, by its row
    /// and column.
    pub fn grow(&mut self, side: Direction, inside: usize, count: usize, new: impl Fn(&Grid, usize, usize) -> String) {
        let (rows, columns) = self.grown_size(side, count as isize);
        self.fill((rows, columns), |old, row, column| {
            let known = |at: usize, length: usize, is_first: bool| {
                let gap = if is_first { inside } else { length - inside };
                match at {
                    _ if at < gap => Some(at),
                    _ => at.checked_sub(count).filter(|at| *at >= gap),
                }
            };
            let known = match side {
                Direction::Up | Direction::Down => {
                    known(row, old.rows(), side == Direction::Up).map(|row| (row, column))
                }
                Direction::Left | Direction::Right => {
                    known(column, old.columns, side == Direction::Left).map(|column| (row, column))
                }
            };
            known.map_or_else(|| new(old, row, column), |(row, column)| old.at(row, column))
        });
    }

    fn grown_size(&self, side: Direction, by: isize) -> (usize, usize) {
        match side {
            Direction::Up | Direction::Down => (self.rows().saturating_add_signed(by), self.columns),
            Direction::Left | Direction::Right => (self.rows(), self.columns.saturating_add_signed(by)),
        }
    }
}

/// Fences of a grid: corners and places for fences in even rows and columns, cells in the odd ones.
impl Grid {
    /// Turns the fences with the grid.
    pub fn turn_fences(&mut self) {
        self.turn();
        for text in &mut self.texts {
            let turned = match &**text {
                "-" => "|",
                "|" => "-",
                _ => continue,
            };
            *text = turned.to_owned();
        }
    }

    /// Adds the fences of a row or column of cells; the frame goes on around them.
    pub fn grow_fences(&mut self, side: Direction) {
        let is_row = matches!(side, Direction::Up | Direction::Down);
        self.grow(side, 1, 2, |old, row, column| {
            let beside = |at: usize, length: usize, is_first: bool| match is_first {
                true => at.min(1),
                false => length - 2,
            };
            match (row % 2, column % 2) {
                (1, 1) => ".".to_owned(),
                (0, 0) => "+".to_owned(),
                (1, _) if is_row && (column == 0 || column == old.columns - 1) => {
                    old.at(beside(row, old.rows(), side == Direction::Up), column)
                }
                (_, 1) if !is_row && (row == 0 || row == old.rows() - 1) => {
                    old.at(row, beside(column, old.columns, side == Direction::Left))
                }
                _ => " ".to_owned(),
            }
        });
    }
}
