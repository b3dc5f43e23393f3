//! Fences: thin walls between the cells of a grid, and around it.
//!
//! A drawing of fences has two lines and two characters for each row and column, and one more. Cells lie in its odd
//! lines and columns, corners (`+`) in the even ones; between two cells, `-` or `|` is a fence and a space is none.

/// A row and a column, counted from 0.
type Cell = (usize, usize);

/// The sides of a cell: the bits of [`Fences::around`].
pub const UP: u8 = 1;
/// The side below a cell.
pub const DOWN: u8 = 2;
/// The side to the left of a cell.
pub const LEFT: u8 = 4;
/// The side to the right of a cell.
pub const RIGHT: u8 = 8;

/// Returns the side of a cell towards the neighbour some rows down and columns to the right.
#[must_use]
pub fn towards(down: i64, right: i64) -> u8 {
    match (down, right) {
        (-1, _) => UP,
        (1, _) => DOWN,
        (_, -1) => LEFT,
        _ => RIGHT,
    }
}

/// The fences of a grid. By default, a grid without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fences {
    rows: usize,
    columns: usize,
    /// For each cell the sides with a fence, row by row. A fence between two cells is a side of both.
    sides: Vec<u8>,
}

impl Fences {
    /// Returns a grid of this size without fences.
    #[must_use]
    pub fn none((rows, columns): (usize, usize)) -> Fences {
        Fences { rows, columns, sides: vec![0; rows * columns] }
    }

    /// Puts a fence at a line and column of the drawing, of which one is odd.
    pub fn put(&mut self, y: usize, x: usize) {
        let (row, column) = (y / 2, x / 2);
        let columns = self.columns;
        let mut add = |row: usize, column: usize, side: u8| self.sides[row * columns + column] |= side;
        if y.is_multiple_of(2) {
            if row < self.rows {
                add(row, column, UP);
            }
            if row > 0 {
                add(row - 1, column, DOWN);
            }
        } else {
            if column < columns {
                add(row, column, LEFT);
            }
            if column > 0 {
                add(row, column - 1, RIGHT);
            }
        }
    }

    /// Returns whether there is no fence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sides.iter().all(|&sides| sides == 0)
    }

    /// Returns the sides of a cell with a fence, as bits: [`UP`], [`DOWN`], [`LEFT`], [`RIGHT`].
    #[must_use]
    pub fn around(&self, (row, column): Cell) -> u8 {
        self.sides.get(row * self.columns + column).copied().unwrap_or(0)
    }

    /// Returns whether a fence stands at one side of a cell. At the edge of the grid, it may also be that of the opposite
    /// cell, which lies beyond.
    #[must_use]
    pub fn bars(&self, (row, column): Cell, side: u8) -> bool {
        let (last_row, last_column) = (self.rows.saturating_sub(1), self.columns.saturating_sub(1));
        let (opposite, back) = match side {
            UP if row == 0 => ((last_row, column), DOWN),
            DOWN if row == last_row => ((0, column), UP),
            LEFT if column == 0 => ((row, last_column), RIGHT),
            RIGHT if column == last_column => ((row, 0), LEFT),
            _ => ((row, column), side),
        };
        self.around((row, column)) & side > 0 || self.around(opposite) & back > 0
    }

    /// Returns the drawing of the fences with these cells, a line for each row. Without fences, the cells alone.
    #[must_use]
    pub fn drawn_around(&self, cells: &str) -> String {
        if self.is_empty() {
            return cells.to_owned();
        }
        let mut out = String::new();
        for (row, line) in cells.lines().enumerate() {
            self.line(row, UP, &mut out);
            let mut characters = line.chars();
            for column in 0..self.columns {
                let sides = self.around((row, column));
                if column == 0 {
                    out.push(if sides & LEFT > 0 { '|' } else { ' ' });
                }
                out.push(characters.next().unwrap_or(' '));
                out.push(if sides & RIGHT > 0 { '|' } else { ' ' });
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        self.line(self.rows - 1, DOWN, &mut out);
        out
    }

    /// Writes the line of the drawing that lies beside a row.
    fn line(&self, row: usize, side: u8, out: &mut String) {
        out.push('+');
        for column in 0..self.columns {
            out.push_str(if self.around((row, column)) & side > 0 { "-+" } else { " +" });
        }
        out.push('\n');
    }

    /// Returns the fences as lines between corners of cells, `((row, column), (row, column))`, each as long as it can
    /// be.
    #[must_use]
    pub fn lines(&self) -> Vec<(Cell, Cell)> {
        let mut lines = Vec::new();
        let mut add = |along: usize, is_fence: &dyn Fn(usize) -> bool, corner: &dyn Fn(usize) -> Cell| {
            let mut at = 0;
            while at < along {
                let end = (at..along).find(|&next| is_fence(next) != is_fence(at)).unwrap_or(along);
                if is_fence(at) {
                    lines.push((corner(at), corner(end)));
                }
                at = end;
            }
        };
        for row in 0..=self.rows {
            let (beside, side) = if row < self.rows { (row, UP) } else { (row.saturating_sub(1), DOWN) };
            add(self.columns, &|column| self.around((beside, column)) & side > 0, &|column| (row, column));
        }
        for column in 0..=self.columns {
            let (beside, side) = if column < self.columns { (column, LEFT) } else { (column.saturating_sub(1), RIGHT) };
            add(self.rows, &|row| self.around((row, beside)) & side > 0, &|row| (row, column));
        }
        lines
    }
}
