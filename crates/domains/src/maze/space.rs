//! The state space of a maze: a state is the cell of the walker.
//!
//! Generic parameters let the compiler remove the unused cases: four or eight directions, plain mazes or all, integer
//! costs or exact sums of roots. A plain maze has one goal, no portals, no fences, no costs but 1, and no step that cuts
//! a corner: there, searches for one cheapest path use jump points, and A* often the loops for grids of the searches.

use super::cell::Cell;
use super::distances::{distance, distances};
use super::jumps::{Jumps, has_frequent_jump_points};
use super::map::{Corners, Direction, Directions, Map};
use super::own::Own;
use super::steps::Steps;
use crate::domain::BuildContext;
use crate::space::{self, Facts, Guided, InPlace, JumpPoints, Jumping, Ordinal, StateSpace, Weighted};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// The heuristic of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heuristic {
    Zero,
    /// The distance to the nearest goal in rows and columns.
    Manhattan,
    /// The cost to the nearest goal in eight directions on a map without walls.
    Octile,
}

/// A maze with straight steps, and with diagonal ones if `DIAGONAL`; a plain one if `PLAIN`. The cost type is `C`.
pub(super) struct Grid<C, const PLAIN: bool, const DIAGONAL: bool> {
    map: Arc<Map>,
    start: Cell,
    /// The first goal.
    goal: Cell,
    /// All goals in order, if there are several.
    goals: Vec<Cell>,
    /// The row and column of the first goal.
    goal_place: (u32, u32),
    heuristic: Heuristic,
    /// The heuristic of each cell, if there are several goals or portals.
    distances: Option<Vec<C>>,
    /// True if every cell costs 1.
    is_uniform: bool,
    /// The jump points, computed on first use.
    jumps: OnceLock<Jumps>,
    /// The heuristic of the file that takes the place of `heuristic`, but not in a plain maze.
    own: Option<Own>,
    cost: PhantomData<C>,
}

/// Returns whether every cell costs 1.
pub(super) fn is_uniform(map: &Map) -> bool {
    map.cells.iter().all(|&kind| map.kinds[usize::from(kind)].cost <= 1)
}

/// Returns whether a maze is plain: one goal, no portals, no fences, no step that cuts a corner, and every cell is a
/// wall or floor.
pub(super) fn is_plain(map: &Map, goals: &[Cell]) -> bool {
    goals.len() == 1
        && !map.has_portals
        && map.fences.is_none()
        && map.corners == Corners::None
        && map.cells.iter().all(|&kind| kind <= 1)
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> Grid<C, PLAIN, DIAGONAL> {
    /// Returns the space of a maze with at least one goal.
    pub fn new(map: &Arc<Map>, start: Cell, goals: &[Cell], heuristic: Heuristic, context: &BuildContext) -> Self {
        let mut goals = goals.to_vec();
        goals.sort_unstable();
        let goal = goals[0];
        let has_one_goal = goals.len() == 1;
        debug_assert!(!PLAIN || is_plain(map, &goals), "jump points assume a plain maze");
        let has_table = heuristic != Heuristic::Zero && (!has_one_goal || map.has_portals);
        let distances = has_table.then(|| distances(map, &goals, heuristic == Heuristic::Octile, context));
        if has_one_goal {
            goals.clear();
        }
        Grid {
            map: Arc::clone(map),
            start,
            goal,
            goals,
            goal_place: map.place(goal),
            heuristic,
            distances,
            is_uniform: PLAIN || is_uniform(map),
            jumps: OnceLock::new(),
            own: None,
            cost: PhantomData,
        }
    }

    /// Replaces the heuristic by one of the file.
    pub fn with_own(mut self, own: Option<Own>) -> Self {
        debug_assert!(!PLAIN || own.is_none(), "jump points do not evaluate it");
        self.own = own;
        self
    }

    /// Returns the legal moves of a cell, a bit for each.
    #[inline]
    fn moves(&self, cell: Cell) -> u16 {
        if PLAIN { self.map.steps(cell, DIAGONAL).into() } else { self.map.moves(cell, DIAGONAL) }
    }

    /// Returns the direction of the straight line from one cell to another, or `None` if they are equal.
    fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        let (here, there) = (self.map.place(from), self.map.place(to));
        Direction::of(there.0.cmp(&here.0), there.1.cmp(&here.1))
    }

    /// Returns the cost of the step into a cell.
    #[inline]
    fn cost(&self, to: Cell, direction: Direction) -> C {
        let cost = if PLAIN { 1 } else { self.map.cost(to) };
        if DIAGONAL && direction.is_diagonal() { C::of(0, cost) } else { C::of(cost, 0) }
    }
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> StateSpace for Grid<C, PLAIN, DIAGONAL> {
    type Key = Cell;
    type Action = Direction;
    type Cost = C;

    /// Every move is reversible, but the reverse may have another cost.
    fn facts(&self) -> Facts {
        let (unit_cost, key_limit) = (self.is_uniform && !DIAGONAL, self.map.cells.len());
        let table_bytes = self.distances.as_ref().map_or(0, |table| size_of_val(&table[..]) as u64);
        Facts { unit_cost, reversible: true, key_limit, table_bytes, ..Facts::default() }
    }

    #[inline]
    fn is_goal(&self, cell: &Cell) -> bool {
        *cell == self.goal || !PLAIN && self.goals.binary_search(cell).is_ok()
    }

    #[inline]
    fn expand(&self, cell: &Cell, mut child: impl FnMut(Direction, C, Cell)) {
        for direction in Directions(self.moves(*cell)) {
            let to = self.map.neighbor(*cell, direction);
            child(direction, self.cost(to, direction), to);
        }
    }

    fn goals(&self, at_most: usize) -> Option<Vec<Cell>> {
        let goals = if self.goals.is_empty() { std::slice::from_ref(&self.goal) } else { &self.goals };
        (goals.len() <= at_most).then(|| goals.to_vec())
    }

    fn jump_graph(&self) -> Option<Box<dyn Weighted<Cell, C> + '_>> {
        if PLAIN { Some(Box::new(JumpPoints(self))) } else { None }
    }

    fn grid(&self, start: &Cell) -> Option<space::Grid> {
        let is_suited = || match self.heuristic {
            // In wide rooms, jumps pass over most cells.
            Heuristic::Zero | Heuristic::Octile if DIAGONAL => has_frequent_jump_points(&self.map),
            Heuristic::Zero | Heuristic::Manhattan => !DIAGONAL,
            Heuristic::Octile => false,
        };
        (PLAIN && is_suited()).then(|| space::Grid {
            cells: self.map.cells.clone(),
            line: self.map.line(),
            start: *start,
            goal: self.goal,
            has_diagonals: DIAGONAL,
            is_guided: self.heuristic != Heuristic::Zero,
        })
    }
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> Guided for Grid<C, PLAIN, DIAGONAL> {
    #[inline]
    fn h(&self, cell: &Cell) -> C {
        if !PLAIN && let Some(own) = &self.own {
            return C::of(own.h(*cell), 0);
        }
        if self.heuristic == Heuristic::Zero {
            return C::ZERO;
        }
        if !PLAIN && let Some(distances) = &self.distances {
            return distances[*cell as usize];
        }
        let (row, column) = self.map.place(*cell);
        let (down, right) = (row.abs_diff(self.goal_place.0), column.abs_diff(self.goal_place.1));
        distance(down, right, self.heuristic == Heuristic::Octile)
    }
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> InPlace for Grid<C, PLAIN, DIAGONAL> {
    type State = Cell;
    type Undo = ();
    /// The last move, since reversing it never helps.
    type Trail = Option<Direction>;
    type Actions<'a> = Directions;

    fn initial(&self) -> Cell {
        self.start
    }

    fn pack(&self, cell: &Cell) -> Cell {
        *cell
    }

    fn unpack(&self, cell: &Cell) -> Cell {
        *cell
    }

    #[inline]
    fn actions(&self, cell: &Cell) -> Directions {
        Directions(self.moves(*cell))
    }

    #[inline]
    fn apply(&self, cell: &mut Cell, direction: Direction) -> (C, ()) {
        *cell = self.map.neighbor(*cell, direction);
        (self.cost(*cell, direction), ())
    }

    #[inline]
    fn undo(&self, cell: &mut Cell, direction: Direction, (): ()) {
        *cell = self.map.neighbor(*cell, direction.opposite());
    }

    fn trail(&self, _state: &Self::State) -> Option<Direction> {
        None
    }

    fn follow(&self, last: &Option<Direction>, _cell: &Cell, direction: Direction) -> Option<Option<Direction>> {
        (last.map(Direction::opposite) != Some(direction)).then_some(Some(direction))
    }
}

impl<C: Steps, const PLAIN: bool, const DIAGONAL: bool> Jumping for Grid<C, PLAIN, DIAGONAL> {
    #[inline]
    fn jump_points(&self, cell: &Cell, from: &Cell, mut point: impl FnMut(C, Cell)) {
        let jumps = self.jumps.get_or_init(|| Jumps::new(&self.map, self.goal));
        let reached = self.direction(*from, *cell);
        if !DIAGONAL {
            let point = |_, steps, to| point(C::of(steps, 0), to);
            return jumps.visit_straight_jump_points(&self.map, *cell, reached, self.goal, point);
        }
        jumps.visit_jump_points(&self.map, *cell, reached, self.goal, |direction, steps, to| {
            point(if direction.is_diagonal() { C::of(0, steps) } else { C::of(steps, 0) }, to);
        });
    }

    fn between(&self, from: &Cell, to: &Cell, mut step: impl FnMut(Ordinal, C)) {
        let Some(direction) = self.direction(*from, *to) else { return };
        let mut at = *from;
        while at != *to {
            let moves_before = self.moves(at) & ((1 << direction as u8) - 1);
            at = self.map.neighbor(at, direction);
            step(moves_before.count_ones(), self.cost(at, direction));
        }
    }
}
