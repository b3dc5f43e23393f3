//! The state space of a maze: a state is the cell of the walker.
//!
//! Generic parameters let the compiler remove the unused cases: four or eight directions, uniform or varying costs,
//! integer costs or exact sums of roots. With uniform costs, searches for one cheapest path use jump points, and A*
//! often the loops for grids of the searches.

use super::jumps::{Jumps, has_frequent_jump_points};
use super::map::{Cell, Direction, Directions, Map};
use super::steps::Steps;
use crate::space::{self, Facts, Guided, InPlace, JumpPoints, Jumping, Ordinal, StateSpace, Weighted};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// The heuristic of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heuristic {
    Zero,
    /// The distance to the goal in rows and columns.
    Manhattan,
    /// The cost to the goal in eight directions on a map without walls.
    Octile,
}

/// A maze with straight steps, and with diagonal ones if `DIAGONAL`. All steps cost 1 if `UNIT`. The cost type is `C`.
pub(super) struct Grid<C, const UNIT: bool, const DIAGONAL: bool> {
    map: Arc<Map>,
    start: Cell,
    goal: Cell,
    /// The row and column of the goal.
    goal_place: (u32, u32),
    heuristic: Heuristic,
    /// The jump points, computed on first use.
    jumps: OnceLock<Jumps>,
    cost: PhantomData<C>,
}

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> Grid<C, UNIT, DIAGONAL> {
    pub fn new(map: &Arc<Map>, start: Cell, goal: Cell, heuristic: Heuristic) -> Self {
        let (goal_place, map) = (map.place(goal), Arc::clone(map));
        Grid { map, start, goal, goal_place, heuristic, jumps: OnceLock::new(), cost: PhantomData }
    }

    /// Returns the direction of the straight line from one cell to another, or `None` if they are equal.
    fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        let (here, there) = (self.map.place(from), self.map.place(to));
        Direction::of(there.0.cmp(&here.0), there.1.cmp(&here.1))
    }

    /// Returns the cost of the step into a cell.
    #[inline]
    fn cost(&self, to: Cell, direction: Direction) -> C {
        let cost = if UNIT { 1 } else { u32::from(self.map.costs[to as usize]) };
        if DIAGONAL && direction.is_diagonal() { C::of(0, cost) } else { C::of(cost, 0) }
    }
}

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> StateSpace for Grid<C, UNIT, DIAGONAL> {
    type Key = Cell;
    type Action = Direction;
    type Cost = C;

    /// Every move is reversible, but the reverse may have another cost.
    fn facts(&self) -> Facts {
        let (unit_cost, key_limit) = (UNIT && !DIAGONAL, self.map.costs.len());
        Facts { unit_cost, reversible: true, key_limit, ..Facts::default() }
    }

    fn is_goal(&self, cell: &Cell) -> bool {
        *cell == self.goal
    }

    #[inline]
    fn expand(&self, cell: &Cell, mut child: impl FnMut(Direction, C, Cell)) {
        for direction in Directions(self.map.moves(*cell, DIAGONAL)) {
            let to = self.map.neighbor(*cell, direction);
            child(direction, self.cost(to, direction), to);
        }
    }

    fn goals(&self, at_most: usize) -> Option<Vec<Cell>> {
        (at_most > 0).then(|| vec![self.goal])
    }

    fn jump_graph(&self) -> Option<Box<dyn Weighted<Cell, C> + '_>> {
        if UNIT { Some(Box::new(JumpPoints(self))) } else { None }
    }

    fn grid(&self, start: &Cell) -> Option<space::Grid> {
        let is_suited = || match self.heuristic {
            // In wide rooms, jumps pass over most cells.
            Heuristic::Zero | Heuristic::Octile if DIAGONAL => has_frequent_jump_points(&self.map),
            Heuristic::Zero | Heuristic::Manhattan => !DIAGONAL,
            Heuristic::Octile => false,
        };
        (UNIT && is_suited()).then(|| space::Grid {
            cells: self.map.costs.clone(),
            line: self.map.line(),
            start: *start,
            goal: self.goal,
            has_diagonals: DIAGONAL,
            is_guided: self.heuristic != Heuristic::Zero,
        })
    }
}

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> Guided for Grid<C, UNIT, DIAGONAL> {
    #[inline]
    fn h(&self, cell: &Cell) -> C {
        if self.heuristic == Heuristic::Zero {
            return C::ZERO;
        }
        let (row, column) = self.map.place(*cell);
        let (down, right) = (row.abs_diff(self.goal_place.0), column.abs_diff(self.goal_place.1));
        if self.heuristic == Heuristic::Manhattan {
            return C::of(down + right, 0);
        }
        let diagonal = down.min(right);
        C::of(down + right - 2 * diagonal, diagonal)
    }
}

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> InPlace for Grid<C, UNIT, DIAGONAL> {
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
        Directions(self.map.moves(*cell, DIAGONAL))
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

impl<C: Steps, const UNIT: bool, const DIAGONAL: bool> Jumping for Grid<C, UNIT, DIAGONAL> {
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
            let moves_before = self.map.moves(at, DIAGONAL) & ((1 << direction as u8) - 1);
            at = self.map.neighbor(at, direction);
            step(moves_before.count_ones(), self.cost(at, direction));
        }
    }
}
