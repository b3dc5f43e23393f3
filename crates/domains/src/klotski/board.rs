//! A validated board: walls, gates, pieces and goals as in the file, unpacked.

use std::collections::HashMap;

/// A cell, or the upper left corner of a piece's bounding box: row and column.
pub(super) type Place = (usize, usize);

/// A sliding-block puzzle.
#[derive(Debug)]
pub(super) struct BlockBoard {
    pub rows: usize,
    pub columns: usize,
    /// The walls, which no piece may enter.
    pub walls: Grid,
    /// The gates, which only pieces named in a goal may enter.
    pub gates: Grid,
    pub pieces: Vec<Piece>,
    /// The alternative goals; each lists the required places of some pieces.
    pub goals: Vec<Vec<Target>>,
    pub metric: Metric,
}

impl BlockBoard {
    /// Returns the smallest rectangle that contains every cell except walls: its upper left corner, rows and columns.
    pub fn inner(&self) -> (Place, usize, usize) {
        let (mut top, mut left, mut bottom, mut right) = (self.rows, self.columns, 0, 0);
        for row in 0..self.rows {
            for column in (0..self.columns).filter(|&column| !self.walls.has((row, column))) {
                (top, left) = (top.min(row), left.min(column));
                (bottom, right) = (bottom.max(row + 1), right.max(column + 1));
            }
        }
        ((top, left), bottom.saturating_sub(top), right.saturating_sub(left))
    }

    /// Returns for each piece whether a goal names it; it is then not interchangeable.
    pub fn named(&self) -> Vec<bool> {
        let mut named = vec![false; self.pieces.len()];
        for target in self.goals.iter().flatten() {
            if let Who::Piece(piece) = target.who {
                named[piece] = true;
            }
        }
        named
    }

    /// Returns for each piece whether it may enter gates, because a goal names it or its shape.
    pub fn may_enter_gates(&self) -> Vec<bool> {
        let mut may = self.named();
        for target in self.goals.iter().flatten() {
            if let Who::Shape(shape) = &target.who {
                may.iter_mut().zip(&self.pieces).for_each(|(may, piece)| *may |= piece.shape == *shape);
            }
        }
        may
    }

    /// Returns the number of pieces of this shape.
    pub fn count(&self, shape: &[Place]) -> usize {
        self.pieces.iter().filter(|piece| piece.shape == shape).count()
    }

    /// Returns the shape that a goal requires.
    pub fn shape_of<'a>(&'a self, target: &'a Target) -> &'a [Place] {
        match &target.who {
            Who::Piece(piece) => &self.pieces[*piece].shape,
            Who::Shape(shape) => shape,
        }
    }

    /// Returns the sentence that two places of a goal overlap, if two do.
    pub fn overlap(&self, goal: &[Target]) -> Option<String> {
        let cells = |target: &Target| -> Vec<Place> {
            let (row, column) = target.at;
            self.shape_of(target).iter().map(|&(r, c)| (row + r, column + c)).collect()
        };
        let name = |target: &Target| match &target.who {
            Who::Piece(piece) => format!("`{}`", self.pieces[*piece].name),
            Who::Shape(_) => "another piece".to_owned(),
        };
        let mut taken: HashMap<Place, usize> = HashMap::new();
        for (number, target) in goal.iter().enumerate() {
            for cell in cells(target) {
                if let Some(other) = taken.insert(cell, number).filter(|&other| other != number) {
                    let (row, column) = (cell.0 + 1, cell.1 + 1);
                    let [one, other] = [&goal[other], target].map(name);
                    return Some(format!("the goal places {one} and {other} both on row {row}, column {column}"));
                }
            }
        }
        None
    }

    /// Returns whether a piece of this shape would be on the board and off its walls at this place.
    pub fn fits(&self, shape: &[Place], (row, column): Place) -> bool {
        shape
            .iter()
            .all(|&(r, c)| row + r < self.rows && column + c < self.columns && !self.walls.has((row + r, column + c)))
    }
}

/// The required place of one piece in a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub who: Who,
    pub at: Place,
}

/// The piece that a goal requires at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The piece with this number.
    Piece(usize),
    /// Any piece of this shape.
    Shape(Vec<Place>),
}

/// A boolean for every cell.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    columns: usize,
    cells: Vec<bool>,
}

impl Grid {
    pub fn new(rows: usize, columns: usize) -> Grid {
        Grid { columns, cells: vec![false; rows * columns] }
    }

    pub fn has(&self, (row, column): Place) -> bool {
        self.cells[row * self.columns + column]
    }

    pub fn set(&mut self, (row, column): Place) {
        self.cells[row * self.columns + column] = true;
    }
}

/// A piece at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub name: String,
    /// Its cells, relative to `at`, in row-major order.
    pub shape: Vec<Place>,
    /// The name of the shape, if the board is listed.
    pub shape_name: Option<String>,
    pub at: Place,
    pub moves: Moves,
}

impl Piece {
    /// Returns whether the piece starts on this cell, among others.
    pub fn covers(&self, place: Place) -> bool {
        self.shape.iter().any(|&(row, column)| (self.at.0 + row, self.at.1 + column) == place)
    }
}

/// Returns the bounding box's corner and the shape of a set of cells in row-major order.
pub(super) fn outline(cells: &[Place]) -> (Place, Vec<Place>) {
    let top = cells.iter().map(|&(row, _)| row).min().unwrap_or(0);
    let left = cells.iter().map(|&(_, column)| column).min().unwrap_or(0);
    ((top, left), cells.iter().map(|&(row, column)| (row - top, column - left)).collect())
}

/// The unit of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Metric {
    /// One piece, one straight line, any distance.
    #[default]
    Slide,
    /// One piece, one cell.
    Step,
    /// One piece, any path.
    Turn,
}

/// The directions in which a piece may move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Moves {
    #[default]
    Any,
    Horizontal,
    Vertical,
    /// Along the longer side of its bounding box.
    Lengthwise,
    None,
}

impl Moves {
    /// Returns the value of the key `moves`.
    pub fn name(self) -> &'static str {
        match self {
            Moves::Any => "any",
            Moves::Horizontal => "horizontal",
            Moves::Vertical => "vertical",
            Moves::Lengthwise => "lengthwise",
            Moves::None => "none",
        }
    }

    /// Returns the allowed directions for a piece of this shape.
    pub fn directions(self, shape: &[Place]) -> &'static [Direction] {
        const ALL: &[Direction] = &[Direction::Up, Direction::Down, Direction::Left, Direction::Right];
        let height = shape.iter().map(|&(row, _)| row).max();
        let width = shape.iter().map(|&(_, column)| column).max();
        match self {
            Moves::Any => ALL,
            Moves::Vertical => &ALL[..2],
            Moves::Horizontal => &ALL[2..],
            Moves::None => &[],
            Moves::Lengthwise => match width.cmp(&height) {
                std::cmp::Ordering::Less => &ALL[..2],
                std::cmp::Ordering::Greater => &ALL[2..],
                std::cmp::Ordering::Equal => ALL,
            },
        }
    }
}

/// A direction on the board, in the order of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub fn letter(self) -> char {
        match self {
            Direction::Up => 'u',
            Direction::Down => 'd',
            Direction::Left => 'l',
            Direction::Right => 'r',
        }
    }

    /// Returns the change of row and column by one cell in this direction.
    pub fn delta(self) -> (i32, i32) {
        match self {
            Direction::Up => (-1, 0),
            Direction::Down => (1, 0),
            Direction::Left => (0, -1),
            Direction::Right => (0, 1),
        }
    }
}
