//! A board laid out for search: which pieces are interchangeable, where each kind can stand, how it can step.
//!
//! The insight: pieces of one shape that move alike and can reach the same cells are one *class*, and a class is the
//! set of its anchors, the upper left corners of bounding boxes. Everything that does not depend on the other pieces
//! (edges, walls, gates) is worked out here once, per class and direction, as the set of anchors from which a step
//! is possible on the bare board; what remains for the search is whether the cells in front are empty.
//!
//! Cells are numbered row by row over the smallest rectangle that holds every cell that is no wall.

use super::board::{Board, Direction, Place, Target, Who};

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
    /// Each goal as what must stand where; those that can never be reached are left out.
    pub goals: Vec<Vec<Stand>>,
    /// What keeps a goal from being reached.
    pub stuck: Option<Target>,
}

/// A piece of any one of some classes is anchored here.
#[derive(Debug)]
pub(super) struct Stand {
    pub classes: Vec<usize>,
    pub at: CellIndex,
}

/// Interchangeable pieces.
#[derive(Debug)]
pub(super) struct Class {
    /// The cells of a piece, as distances from its anchor.
    pub cells: Vec<i32>,
    /// Whether a goal names it: then it is a single piece.
    pub has_role: bool,
    /// Where its moves may lead.
    directions: &'static [Direction],
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
    /// Whether a piece that goes on this way comes to cells that it stood on itself: it has gaps or hollows.
    pub meets_itself: bool,
}

impl Class {
    /// Whether the two are interchangeable: nothing tells their pieces apart but where they stand.
    fn may_trade_places_with(&self, other: &Class) -> bool {
        let shared = || self.placements.iter().zip(&other.placements).any(|(&one, &two)| one && two);
        !self.has_role
            && !other.has_role
            && self.cells == other.cells
            && self.directions == other.directions
            && shared()
    }
}

impl Layout {
    pub fn new(board: &Board) -> Layout {
        let (origin, rows, columns) = board.inner();
        let is_floor = |cell| !board.walls.has((origin.0 + cell / columns, origin.1 + cell % columns));
        let floor = (0..rows * columns).map(is_floor).collect();
        let mut layout = Layout { rows, columns, origin, floor, classes: Vec::new(), goals: Vec::new(), stuck: None };
        layout.classes = layout.classify(board);
        for goal in &board.goals {
            match goal.iter().map(|target| layout.stand(board, target)).collect() {
                Ok(goal) => layout.goals.push(goal),
                Err(target) => layout.stuck = layout.stuck.or(Some(target)),
            }
        }
        layout
    }

    /// Whether every step of every class can be taken back: only a piece that leaves a gate for good cannot.
    pub fn is_reversible(&self) -> bool {
        let back = |class: &Class, step: &Step, at: usize| {
            let to = at.wrapping_add_signed(step.delta as isize);
            class.steps.iter().any(|other| other.delta == -step.delta && other.from[to])
        };
        let returns = |class: &Class, step: &Step| {
            let possible = (0..self.cells()).filter(|&at| step.from[at] && class.placements[at]);
            possible.into_iter().all(|at| back(class, step, at))
        };
        self.classes.iter().all(|class| class.steps.iter().all(|step| returns(class, step)))
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
        let (roles, may_enter_gates) = (board.roles(), board.may_enter_gates());
        for (number, piece) in board.pieces.iter().enumerate() {
            let directions = piece.moves.directions(&piece.shape);
            let step = |&direction: &Direction| self.step(board, &piece.shape, may_enter_gates[number], direction);
            let steps: Vec<Step> = directions.iter().filter_map(step).collect();
            let at = self.index(piece.at);
            let mut class = Class {
                cells: piece.shape.iter().map(|&(r, c)| (r * self.columns + c) as i32).collect(),
                has_role: roles[number],
                directions,
                pieces: vec![(number, at)],
                placements: self.flood(at, &steps),
                steps,
            };
            // One piece can bring two classes together: from a gate that it leaves for good, say, to either side.
            let alike = classes.extract_if(.., |other| class.may_trade_places_with(other));
            for mut other in alike.collect::<Vec<_>>() {
                other.pieces.append(&mut class.pieces);
                other.placements.iter_mut().zip(&class.placements).for_each(|(all, &one)| *all |= one);
                class = other;
            }
            classes.push(class);
        }
        for class in &mut classes {
            class.pieces.sort_unstable();
        }
        classes.sort_by_key(|class| class.pieces[0]);
        classes
    }

    /// How a shape moves one way, if it does anywhere.
    fn step(&self, board: &Board, shape: &[Place], may_enter_gates: bool, direction: Direction) -> Option<Step> {
        let (down, right) = direction.delta();
        let ahead = |&(row, column): &Place| (row as i32 + down, column as i32 + right);
        let covered = |&(r, c): &(i32, i32)| shape.iter().any(|&(row, column)| (row as i32, column as i32) == (r, c));
        let front: Vec<(i32, i32)> = shape.iter().map(ahead).filter(|cell| !covered(cell)).collect();
        let enters = |(row, column): Place, &(r, c): &(i32, i32)| {
            let place = row.checked_add_signed(r as isize).zip(column.checked_add_signed(c as isize));
            place.is_some_and(|place| {
                let open = place.0 < board.rows && place.1 < board.columns && !board.walls.has(place);
                open && (may_enter_gates || !board.gates.has(place))
            })
        };
        let possible = |anchor: Place| board.fits(shape, anchor) && front.iter().all(|cell| enters(anchor, cell));
        let from: Vec<bool> = (0..self.cells()).map(|cell| possible(self.place(cell as CellIndex))).collect();
        let flat = |(r, c): (i32, i32)| r * self.columns as i32 + c;
        let reaches = |&(r, c): &(i32, i32)| {
            (1..self.rows.max(self.columns) as i32).any(|k| covered(&(r + k * down, c + k * right)))
        };
        let meets_itself = front.iter().any(reaches);
        let front = front.into_iter().map(flat).collect();
        from.contains(&true).then(|| Step { direction, delta: flat((down, right)), from, front, meets_itself })
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

    /// The classes whose pieces can stand where a goal demands; the demand, where no piece can.
    fn stand(&self, board: &Board, target: &Target) -> Result<Stand, Target> {
        let at = self.index(target.at);
        let demanded = |class: &Class| match &target.who {
            Who::Piece(piece) => class.pieces.iter().any(|(number, _)| number == piece),
            Who::Shape(shape) => board.pieces[class.pieces[0].0].shape == *shape,
        };
        let able = |class: &&Class| demanded(class) && class.placements[usize::from(at)];
        let classes = self.classes.iter().enumerate().filter(|(_, class)| able(class)).map(|(number, _)| number);
        let classes: Vec<usize> = classes.collect();
        if classes.is_empty() { Err(target.clone()) } else { Ok(Stand { classes, at }) }
    }
}
