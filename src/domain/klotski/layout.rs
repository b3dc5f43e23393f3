//! A board laid out for search: which pieces are interchangeable, where each kind can stand, how it can step.
//!
//! The insight: pieces of one shape that move alike and can reach the same cells are one *class*, and a class is the
//! set of its anchors, the upper left corners of bounding boxes. Everything that does not depend on the other pieces
//! (edges, walls, gates) is worked out here once, per class and direction, as the set of anchors from which a step
//! is possible on the bare board; what remains for the search is whether the cells in front are empty.
//!
//! Cells are numbered row by row over the smallest rectangle that holds every cell that is no wall.

use super::board::{Board, Direction, Place, outline};

/// A cell of the rectangle, by its number.
pub(super) type CellIndex = u16;

/// What a search needs of a board.
#[derive(Debug)]
pub(super) struct Layout {
    pub rows: usize,
    pub columns: usize,
    /// The rectangle's upper left corner on the board.
    pub origin: Place,
    /// By cell: whether no wall is here.
    pub floor: Vec<bool>,
    /// In the order of their first pieces.
    pub classes: Vec<Class>,
    /// Each goal as the classes that have a role in it and the anchors where they must stand; those that can never
    /// be reached are left out.
    pub goals: Vec<Vec<(usize, CellIndex)>>,
    /// A piece that keeps a goal from being reached, by its number on the board.
    pub stuck: Option<usize>,
}

/// Interchangeable pieces.
#[derive(Debug)]
pub(super) struct Class {
    /// The cells of a piece, as distances from its anchor.
    pub cells: Vec<i32>,
    /// The pieces, by their numbers on the board, and the anchors where they start.
    pub pieces: Vec<(usize, CellIndex)>,
    /// By cell: whether a piece of the class could be anchored here if it were alone.
    pub placements: Vec<bool>,
    /// One for each direction in which it can move at all.
    pub steps: Vec<Step>,
}

/// How a class moves one cell in one direction.
#[derive(Debug)]
pub(super) struct Step {
    pub direction: Direction,
    /// What the step adds to an anchor.
    pub delta: i32,
    /// By cell: whether a piece anchored here may take the step on the bare board.
    pub from: Vec<bool>,
    /// The cells that must be empty, as distances from the anchor.
    pub front: Vec<i32>,
}

impl Layout {
    pub fn new(board: &Board) -> Layout {
        let open: Vec<Place> = (0..board.rows)
            .flat_map(|row| (0..board.columns).map(move |column| (row, column)))
            .filter(|&place| !board.walls.has(place))
            .collect();
        let (origin, inner) = outline(&open);
        let rows = inner.iter().map(|&(row, _)| row + 1).max().unwrap_or(0);
        let columns = inner.iter().map(|&(_, column)| column + 1).max().unwrap_or(0);
        let mut floor = vec![false; rows * columns];
        for (row, column) in inner {
            floor[row * columns + column] = true;
        }
        let mut layout = Layout { rows, columns, origin, floor, classes: Vec::new(), goals: Vec::new(), stuck: None };
        layout.classes = layout.classify(board);
        for goal in &board.goals {
            match goal.iter().map(|&role| layout.stand(role)).collect() {
                Ok(goal) => layout.goals.push(goal),
                Err(piece) => layout.stuck = layout.stuck.or(Some(piece)),
            }
        }
        layout
    }

    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of a place on the board.
    pub fn index(&self, (row, column): Place) -> CellIndex {
        ((row - self.origin.0) * self.columns + column - self.origin.1) as CellIndex
    }

    /// The place on the board that has this number.
    pub fn place(&self, index: CellIndex) -> Place {
        let index = usize::from(index);
        (self.origin.0 + index / self.columns, self.origin.1 + index % self.columns)
    }

    /// Sorts the pieces into classes: same shape, same moves, no roles, and placements in common.
    fn classify(&self, board: &Board) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for (number, piece) in board.pieces.iter().enumerate() {
            let role = board.has_role(number);
            let directions = piece.moves.directions(&piece.shape);
            let steps: Vec<Step> =
                directions.iter().filter_map(|&way| self.step(board, &piece.shape, role, way)).collect();
            let at = self.index(piece.at);
            let placements = self.flood(at, &steps);
            let alike = |class: &&mut Class| {
                let other = &board.pieces[class.pieces[0].0];
                let shared = || class.placements.iter().zip(&placements).any(|(&a, &b)| a && b);
                !role
                    && !board.has_role(class.pieces[0].0)
                    && other.shape == piece.shape
                    && other.moves.directions(&other.shape) == directions
                    && shared()
            };
            if let Some(class) = classes.iter_mut().find(alike) {
                class.pieces.push((number, at));
                class.placements.iter_mut().zip(placements).for_each(|(all, one)| *all |= one);
            } else {
                let cells = piece.shape.iter().map(|&(r, c)| (r * self.columns + c) as i32).collect();
                classes.push(Class { cells, pieces: vec![(number, at)], placements, steps });
            }
        }
        classes
    }

    /// How a shape moves one way, if it does anywhere.
    fn step(&self, board: &Board, shape: &[Place], role: bool, direction: Direction) -> Option<Step> {
        let (down, right) = direction.delta();
        let ahead = |&(row, column): &Place| (row as i32 + down, column as i32 + right);
        let covered = |&(r, c): &(i32, i32)| shape.iter().any(|&(row, column)| (row as i32, column as i32) == (r, c));
        let front: Vec<(i32, i32)> = shape.iter().map(ahead).filter(|cell| !covered(cell)).collect();
        let enters = |(row, column): Place, &(r, c): &(i32, i32)| {
            let place = row.checked_add_signed(r as isize).zip(column.checked_add_signed(c as isize));
            place.is_some_and(|place| {
                let open = place.0 < board.rows && place.1 < board.columns && !board.walls.has(place);
                open && (role || !board.gates.has(place))
            })
        };
        let possible = |anchor: Place| board.fits(shape, anchor) && front.iter().all(|cell| enters(anchor, cell));
        let from: Vec<bool> = (0..self.cells()).map(|cell| possible(self.place(cell as CellIndex))).collect();
        let flat = |(r, c): (i32, i32)| r * self.columns as i32 + c;
        let front = front.into_iter().map(flat).collect();
        from.contains(&true).then(|| Step { direction, delta: flat((down, right)), from, front })
    }

    /// Every anchor that a piece alone on the board can get to.
    fn flood(&self, start: CellIndex, steps: &[Step]) -> Vec<bool> {
        let mut reached = vec![false; self.cells()];
        let mut open = vec![start];
        reached[usize::from(start)] = true;
        while let Some(anchor) = open.pop() {
            for step in steps.iter().filter(|step| step.from[usize::from(anchor)]) {
                let next = (i32::from(anchor) + step.delta) as CellIndex;
                if !std::mem::replace(&mut reached[usize::from(next)], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// A piece's goal as its class and anchor; the piece, where it cannot get there even if it is alone.
    fn stand(&self, (piece, place): (usize, Place)) -> Result<(usize, CellIndex), usize> {
        let at = self.index(place);
        let class = self.classes.iter().position(|class| class.pieces[0].0 == piece).ok_or(piece)?;
        if self.classes[class].placements[usize::from(at)] { Ok((class, at)) } else { Err(piece) }
    }
}
