//! The state space of sliding tiles, for any representation and heuristic.
//!
//! A move is told as the way of the blank, from cell to cell: up, left, right, down, the order in which Korf (1985)
//! tried them. The state in the hand carries its h, and a move changes it by the distance of one tile.

use super::board::{Board, Cell, Tile};
use super::distance::{Distance, Kind};
use super::ranking::Ranking;
use super::representation::Representation;
use super::surface::Neighbors;
use crate::space::{PerfectIndex, StateSpace};

/// The blank goes from one cell to the next, and the tile there comes the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub from: Cell,
    pub to: Cell,
}

/// A board in the hand.
#[derive(Clone)]
pub(super) struct State {
    tiles: Vec<Tile>,
    blank: Cell,
    h: u64,
}

/// The distances of a board as h. Those of very large boards are cut off: less is admissible, too, and consistent.
#[inline]
fn bounded(distances: u64) -> u32 {
    distances.min(u64::from(u32::MAX / 4)) as u32
}

/// Sliding tiles, held in one way, with one heuristic.
pub(super) struct TileSpace<R: Representation> {
    board: Board,
    goal: R::Key,
    distance: R::Distance,
    counts: bool,
    /// By cell; empty on boards where it would be large.
    neighbors: Vec<Neighbors>,
}

impl<R: Representation> TileSpace<R> {
    pub fn new(board: &Board, kind: Kind) -> Self {
        let cells = board.start.len() as Cell;
        let neighbors = if cells <= 1024 { (0..cells).map(|cell| board.neighbors(cell)).collect() } else { Vec::new() };
        TileSpace {
            goal: R::pack(&(0..cells).map(|cell| board.goal_tile(cell)).collect::<Vec<_>>()),
            distance: R::Distance::new(board, kind),
            counts: kind != Kind::Zero,
            neighbors,
            board: board.clone(),
        }
    }

    fn state(&self, tiles: Vec<Tile>) -> State {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell;
        let h = self.sum(tiles.iter().copied());
        State { tiles, blank, h }
    }

    /// The distances of all tiles, given by cell.
    #[inline]
    fn sum(&self, tiles: impl Iterator<Item = Tile>) -> u64 {
        if self.counts { (0..).zip(tiles).map(|(cell, tile)| u64::from(self.distance.of(tile, cell))).sum() } else { 0 }
    }

    #[inline]
    fn neighbors(&self, cell: Cell) -> Neighbors {
        match self.neighbors.get(cell as usize) {
            Some(&neighbors) => neighbors,
            None => self.board.neighbors(cell),
        }
    }
}

/// The legal moves of the blank.
pub(super) struct Actions {
    from: Cell,
    to: Neighbors,
}

impl Iterator for Actions {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        self.to.next().map(|to| Action { from: self.from, to })
    }
}

impl<R: Representation> StateSpace for TileSpace<R> {
    type State = State;
    type Key = R::Key;
    type Action = Action;
    /// The h from before.
    type Undo = u64;
    type Cost = u32;
    type Actions<'a> = Actions;

    const UNIT_COST: bool = true;

    fn initial(&self) -> State {
        self.state(self.board.start.clone())
    }

    fn is_goal(&self, state: &State) -> bool {
        (0..).zip(&state.tiles).all(|(cell, &tile)| tile == self.board.goal_tile(cell))
    }

    #[inline]
    fn actions(&self, state: &State) -> Actions {
        Actions { from: state.blank, to: self.neighbors(state.blank) }
    }

    #[inline]
    fn apply(&self, state: &mut State, Action { from, to }: Action) -> (u32, u64) {
        let before = state.h;
        let tile = state.tiles[to as usize];
        state.tiles[from as usize] = tile;
        state.tiles[to as usize] = 0;
        state.blank = to;
        state.h = before + u64::from(self.distance.of(tile, from)) - u64::from(self.distance.of(tile, to));
        (1, before)
    }

    #[inline]
    fn undo(&self, state: &mut State, Action { from, to }: Action, before: u64) {
        state.tiles[to as usize] = state.tiles[from as usize];
        state.tiles[from as usize] = 0;
        state.blank = from;
        state.h = before;
    }

    fn pack(&self, state: &State) -> R::Key {
        R::pack(&state.tiles)
    }

    fn unpack(&self, key: &R::Key) -> State {
        self.state(R::tiles(key, self.board.start.len()).collect())
    }

    #[inline]
    fn h(&self, state: &State) -> u32 {
        bounded(state.h)
    }

    fn is_reversible(&self) -> bool {
        true
    }

    fn key_heap_bytes(&self) -> usize {
        R::heap_bytes(self.board.start.len())
    }

    fn goals(&self, _at_most: usize) -> Option<Vec<R::Key>> {
        Some(vec![self.goal.clone()])
    }

    fn index(&self) -> Option<impl PerfectIndex<R::Key>> {
        Ranking::<R>::new(&self.board)
    }

    #[inline]
    fn is_goal_key(&self, key: &R::Key) -> bool {
        *key == self.goal
    }

    #[inline]
    fn h_key(&self, key: &R::Key) -> u32 {
        bounded(self.sum(R::tiles(key, self.board.start.len())))
    }

    #[inline]
    fn expand(&self, key: &R::Key, mut child: impl FnMut(Action, u32, R::Key)) {
        let from = R::blank(key);
        for to in self.neighbors(from) {
            child(Action { from, to }, 1, R::slide(key, to, from));
        }
    }
}
