//! A board compiled for search: classes of interchangeable pieces, their placements and their steps.
//!
//! Pieces of the same shape that move alike and can reach the same cells form a *class*, and a class is represented by
//! the set of its anchors, the upper left corners of bounding boxes. Everything that does not depend on the other
//! pieces (edges, walls, gates) is computed here once for each class and direction, as the set of anchors from which a
//! step is possible on the bare board. The search only checks whether the cells in front are empty.
//!
//! Cells are numbered row by row over the smallest rectangle that contains every cell except walls.

use super::board::{BlockBoard, Direction, Place, Target, Who};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// A cell of the rectangle, by number.
pub(super) type CellIndex = u16;

/// A board compiled for search.
#[derive(Debug)]
pub(super) struct CompiledBoard {
    pub rows: usize,
    pub columns: usize,
    /// The rectangle's upper left corner on the board.
    pub origin: Place,
    /// For each cell, whether it is not a wall.
    pub floor: Vec<bool>,
    /// The classes, in the order of their first pieces.
    pub classes: Vec<Class>,
    /// Each goal as a list of required placements, without the goals that are unreachable.
    pub goals: Vec<Vec<Placement>>,
    /// The reason why the first of the unreachable goals is unreachable.
    pub unreachable: Option<Unreachable>,
}

/// The reason why a goal is unreachable.
#[derive(Debug)]
pub(super) enum Unreachable {
    /// No piece can meet this requirement.
    Target(Target),
    /// Each place can be reached by some piece, but these are too few for all places.
    Together,
}

/// The requirement that a piece of one of some classes has this anchor.
#[derive(Debug)]
pub(super) struct Placement {
    pub classes: Vec<usize>,
    pub at: CellIndex,
}

/// A class of interchangeable pieces.
#[derive(Debug)]
pub(super) struct Class {
    /// The cells of a piece, as offsets from its anchor.
    pub cells: Vec<i32>,
    /// True if a goal names it; then it is a single piece.
    pub is_named: bool,
    /// The directions of its moves.
    directions: &'static [Direction],
    /// The names of the pieces.
    pub names: Vec<String>,
    /// The pieces, by their numbers on the board, with their anchors at the start.
    pub pieces: Vec<(usize, CellIndex)>,
    /// For each cell, whether a piece of the class, alone on the board, can reach this anchor.
    pub placements: Vec<bool>,
    /// The steps, one for each direction in which it can move at all.
    pub steps: Vec<ClassStep>,
}

/// The step of a class by one cell in one direction.
#[derive(Debug)]
pub(super) struct ClassStep {
    pub direction: Direction,
    /// The change of the anchor.
    pub delta: i32,
    /// For each cell, whether a piece with this anchor may take the step on the bare board.
    pub from: Vec<bool>,
    /// The cells that must be empty, as offsets from the anchor.
    pub front: Vec<i32>,
    /// True if a piece that continues in this direction enters cells that it covered itself: it has gaps or
    /// concavities.
    pub enters_own_cells: bool,
}

impl Class {
    /// Returns whether the two are interchangeable: their pieces differ in nothing but their places.
    fn is_interchangeable_with(&self, other: &Class) -> bool {
        let shared = || self.placements.iter().zip(&other.placements).any(|(&one, &two)| one && two);
        !self.is_named
            && !other.is_named
            && self.cells == other.cells
            && self.directions == other.directions
            && shared()
    }
}

impl CompiledBoard {
    pub fn new(board: &BlockBoard) -> CompiledBoard {
        let (origin, rows, columns) = board.inner();
        let is_floor = |cell| !board.walls.has((origin.0 + cell / columns, origin.1 + cell % columns));
        let floor = (0..rows * columns).map(is_floor).collect();
        let mut compiled =
            CompiledBoard { rows, columns, origin, floor, classes: Vec::new(), goals: Vec::new(), unreachable: None };
        compiled.classes = compiled.classify(board);
        for goal in &board.goals {
            match compiled.goal(board, goal) {
                Ok(goal) => compiled.goals.push(goal),
                Err(reason) => compiled.unreachable = compiled.unreachable.or(Some(reason)),
            }
        }
        compiled
    }

    /// Returns whether every step of every class is reversible: only a piece that leaves a gate for good makes it
    /// false.
    pub fn is_reversible(&self) -> bool {
        let reverse = |class: &Class, step: &ClassStep, at: usize| {
            let to = at.wrapping_add_signed(step.delta as isize);
            class.steps.iter().any(|other| other.delta == -step.delta && other.from[to])
        };
        let step_is_reversible = |class: &Class, step: &ClassStep| {
            let possible = (0..self.cells()).filter(|&at| step.from[at] && class.placements[at]);
            possible.into_iter().all(|at| reverse(class, step, at))
        };
        self.classes.iter().all(|class| class.steps.iter().all(|step| step_is_reversible(class, step)))
    }

    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the number of a place on the board.
    pub fn index(&self, (row, column): Place) -> CellIndex {
        ((row - self.origin.0) * self.columns + column - self.origin.1) as CellIndex
    }

    /// Returns the place on the board with this number.
    pub fn place(&self, index: CellIndex) -> Place {
        let index = usize::from(index);
        (self.origin.0 + index / self.columns, self.origin.1 + index % self.columns)
    }

    /// Groups the pieces into classes: same shape, same moves, not named in goals, and with common placements.
    fn classify(&self, board: &BlockBoard) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        let (named, may_enter_gates) = (board.named(), board.may_enter_gates());
        for (number, piece) in board.pieces.iter().enumerate() {
            let directions = piece.moves.directions(&piece.shape);
            let step = |&direction: &Direction| self.step(board, &piece.shape, may_enter_gates[number], direction);
            let steps: Vec<ClassStep> = directions.iter().filter_map(step).collect();
            let at = self.index(piece.at);
            let mut class = Class {
                cells: piece.shape.iter().map(|&(r, c)| (r * self.columns + c) as i32).collect(),
                is_named: named[number],
                directions,
                names: Vec::new(),
                pieces: vec![(number, at)],
                placements: self.flood_fill(at, &steps),
                steps,
            };
            // One piece can merge two classes, for example one that leaves a gate for good to either side.
            let alike = classes.extract_if(.., |other| class.is_interchangeable_with(other));
            for mut other in alike.collect::<Vec<_>>() {
                other.pieces.append(&mut class.pieces);
                other.placements.iter_mut().zip(&class.placements).for_each(|(all, &one)| *all |= one);
                class = other;
            }
            classes.push(class);
        }
        for class in &mut classes {
            class.pieces.sort_unstable();
            class.names = class.pieces.iter().map(|&(piece, _)| board.pieces[piece].name.clone()).collect();
        }
        classes.sort_by_key(|class| class.pieces[0]);
        classes
    }

    /// Returns the step of a shape in one direction, if it is possible anywhere.
    fn step(
        &self,
        board: &BlockBoard,
        shape: &[Place],
        may_enter_gates: bool,
        direction: Direction,
    ) -> Option<ClassStep> {
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
        let enters_own_cells = front.iter().any(reaches);
        let front = front.into_iter().map(flat).collect();
        from.contains(&true).then(|| ClassStep { direction, delta: flat((down, right)), from, front, enters_own_cells })
    }

    /// Returns all anchors that a piece alone on the board can reach, by flood fill.
    fn flood_fill(&self, start: CellIndex, steps: &[ClassStep]) -> Vec<bool> {
        let mut reached = vec![false; self.cells()];
        let mut frontier = vec![start];
        reached[usize::from(start)] = true;
        while let Some(anchor) = frontier.pop() {
            for step in steps.iter().filter(|step| step.from[usize::from(anchor)]) {
                let next = (i32::from(anchor) + step.delta) as CellIndex;
                if !std::mem::replace(&mut reached[usize::from(next)], true) {
                    frontier.push(next);
                }
            }
        }
        reached
    }

    /// Returns the required placements of a goal, or the reason why it is unreachable.
    fn goal(&self, board: &BlockBoard, goal: &[Target]) -> Result<Vec<Placement>, Unreachable> {
        let mut placements: Vec<Placement> = Vec::new();
        let mut known: HashMap<(Place, &[Place]), usize> = HashMap::new();
        for target in goal {
            let placement = self.placement(board, target).map_err(Unreachable::Target)?;
            // The same place, required of a piece and of its shape, is one requirement.
            match known.entry((target.at, board.shape_of(target))) {
                Entry::Occupied(same) => {
                    placements[*same.get()].classes.retain(|class| placement.classes.contains(class));
                }
                Entry::Vacant(entry) => {
                    entry.insert(placements.len());
                    placements.push(placement);
                }
            }
        }
        let is_possible = placements.iter().all(|placement| !placement.classes.is_empty());
        if is_possible && self.suffices(&placements) { Ok(placements) } else { Err(Unreachable::Together) }
    }

    /// Returns whether each placement can have a piece of its own, by augmenting paths (Berge 1957).
    fn suffices(&self, placements: &[Placement]) -> bool {
        // For each class, the placements that its pieces are assigned to.
        let mut assigned: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        (0..placements.len()).all(|first| {
            let mut visited = vec![false; self.classes.len()];
            // Placements to assign; each with its class so far, and the index of the placement that takes its piece.
            let mut path: Vec<(usize, Option<(usize, usize)>)> = vec![(first, None)];
            let mut queue = VecDeque::from([0]);
            while let Some(at) = queue.pop_front() {
                let placement = path[at].0;
                for &class in &placements[placement].classes {
                    if std::mem::replace(&mut visited[class], true) {
                        continue;
                    }
                    if assigned[class].len() < self.classes[class].pieces.len() {
                        let (mut step, mut to) = (at, class);
                        loop {
                            let (placement, from) = path[step];
                            assigned[to].push(placement);
                            let Some((class, before)) = from else { return true };
                            assigned[class].retain(|&other| other != placement);
                            (step, to) = (before, class);
                        }
                    }
                    for &other in &assigned[class] {
                        queue.push_back(path.len());
                        path.push((other, Some((class, at))));
                    }
                }
            }
            false
        })
    }

    /// Returns the classes whose pieces can reach the required place, or the requirement itself if none can.
    fn placement(&self, board: &BlockBoard, target: &Target) -> Result<Placement, Target> {
        let at = self.index(target.at);
        let demanded = |class: &Class| match &target.who {
            Who::Piece(piece) => class.pieces.iter().any(|(number, _)| number == piece),
            Who::Shape(shape) => board.pieces[class.pieces[0].0].shape == *shape,
        };
        let able = |class: &&Class| demanded(class) && class.placements[usize::from(at)];
        let classes = self.classes.iter().enumerate().filter(|(_, class)| able(class)).map(|(number, _)| number);
        let classes: Vec<usize> = classes.collect();
        if classes.is_empty() { Err(target.clone()) } else { Ok(Placement { classes, at }) }
    }
}
