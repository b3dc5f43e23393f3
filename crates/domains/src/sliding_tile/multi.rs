//! The state space of the metric `multi`, in which pushing several tiles of a row or column together is one move.
//!
//! A move is a move of the blank along its row or column to any other cell of it: up, left, right, down, the nearest
//! cells first. All tiles in between move one cell the other way. The distances of single tiles are no lower bounds
//! here, since one move brings several tiles nearer: this space has no heuristic but those of the file.

use super::board::{Cell, Tile, TileBoard};
use super::heuristic::own::Own;
use super::representation::Representation;
use super::space::Action;
use crate::space::{Facts, Guided, InPlace, Parts, StateSpace};
use std::iter::successors;
use std::marker::PhantomData;
use std::sync::Arc;

/// Sliding tiles on the plane, pushed in rows and columns.
pub(super) struct MultiSpace<R: Representation> {
    board: Arc<TileBoard>,
    goal: R::Key,
    own: Option<Own>,
    representation: PhantomData<R>,
}

/// Returns the cells that the blank visits in a move, without the first.
pub(super) fn blank_path(board: &TileBoard, Action { from, to }: Action) -> impl Iterator<Item = Cell> + use<> {
    let stride = if from / board.columns == to / board.columns { 1 } else { board.columns };
    let next = move |at: Cell| if to < from { at - stride } else { at + stride };
    successors(Some(from), move |&at| (at != to).then(|| next(at))).skip(1)
}

/// An iterator over the moves of the blank in their order.
pub(super) struct Moves {
    rows: u32,
    columns: u32,
    from: Cell,
    /// The last target of the blank, and the direction from its cell: up, left, right, down.
    at: Cell,
    direction: u8,
}

impl Moves {
    fn new(board: &TileBoard, from: Cell) -> Moves {
        Moves { rows: board.rows, columns: board.columns, from, at: from, direction: 0 }
    }
}

impl Iterator for Moves {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let columns = self.columns;
        while self.direction < 4 {
            let (row, column) = (self.at / columns, self.at % columns);
            let next = match self.direction {
                0 => (row > 0).then(|| self.at - columns),
                1 => (column > 0).then(|| self.at - 1),
                2 => (column + 1 < columns).then(|| self.at + 1),
                _ => (row + 1 < self.rows).then(|| self.at + columns),
            };
            if let Some(to) = next {
                self.at = to;
                return Some(Action { from: self.from, to });
            }
            self.direction += 1;
            self.at = self.from;
        }
        None
    }
}

impl<R: Representation> MultiSpace<R> {
    pub fn new(board: &Arc<TileBoard>) -> Self {
        let goal: Vec<Tile> = (0..board.cells()).map(|cell| board.goal_tile(cell)).collect();
        MultiSpace { board: Arc::clone(board), goal: R::pack(&goal), own: None, representation: PhantomData }
    }

    /// Sets the heuristic, one of the file.
    pub fn guided(self, own: Option<Own>) -> Self {
        MultiSpace { own, ..self }
    }

    /// Returns the moves of a blank on this cell.
    pub fn moves_from(&self, blank: Cell) -> Moves {
        Moves::new(&self.board, blank)
    }

    /// Moves the blank along its path, which moves the tiles there the other way.
    fn push(&self, state: &mut State, action: Action) {
        for cell in blank_path(&self.board, action) {
            state.tiles.swap(state.blank as usize, cell as usize);
            state.blank = cell;
        }
    }

    fn state(tiles: Vec<Tile>) -> State {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell;
        State { tiles, blank }
    }
}

/// An unpacked board with the cell of its blank, changed in place.
#[derive(Clone)]
pub(super) struct State {
    tiles: Vec<Tile>,
    blank: Cell,
}

impl<R: Representation> StateSpace for MultiSpace<R> {
    type Key = R::Key;
    type Action = Action;
    type Cost = u32;

    fn facts(&self) -> Facts {
        let key_heap_bytes = R::heap_bytes(self.board.cells());
        Facts { unit_cost: true, reversible: true, key_heap_bytes, has_features: true, ..Facts::default() }
    }

    fn features(&self, key: &R::Key, features: &mut Vec<u64>) {
        features.extend(R::features(key, self.board.cells()));
    }

    fn is_goal(&self, key: &R::Key) -> bool {
        *key == self.goal
    }

    fn expand(&self, key: &R::Key, mut child: impl FnMut(Action, u32, R::Key)) {
        let from = R::blank(key);
        // Along a line, each push is the previous one and one more tile.
        let (mut pushed, mut blank) = (key.clone(), from);
        for action in Moves::new(&self.board, from) {
            if self.board.distance(from, action.to) == 1 {
                (pushed, blank) = (key.clone(), from);
            }
            pushed = R::slid(&pushed, action.to, blank);
            blank = action.to;
            child(action, 1, pushed.clone());
        }
    }

    fn goals(&self, _at_most: usize) -> Option<Vec<R::Key>> {
        Some(vec![self.goal.clone()])
    }
}

impl<R: Representation> Guided for MultiSpace<R> {
    fn h(&self, key: &R::Key) -> u32 {
        self.own.as_ref().map_or(0, |own| own.h(&own.memo(R::tiles(key, self.board.cells()))))
    }

    fn parts(&self, key: &R::Key) -> Parts {
        let tiles = || R::tiles(key, self.board.cells()).collect::<Vec<_>>();
        self.own.as_ref().map_or_else(Parts::default, |own| own.parts(&tiles()))
    }
}

impl<R: Representation> InPlace for MultiSpace<R> {
    type State = State;
    type Undo = ();
    /// True if the last move was along a row.
    type Trail = Option<bool>;
    type Actions<'a> = Moves;

    fn initial(&self) -> State {
        Self::state(self.board.start.clone())
    }

    fn pack(&self, state: &State) -> R::Key {
        R::pack(&state.tiles)
    }

    fn unpack(&self, key: &R::Key) -> State {
        Self::state(R::tiles(key, self.board.cells()).collect())
    }

    fn is_solved(&self, state: &State) -> bool {
        (0..).zip(&state.tiles).all(|(cell, &tile)| tile == self.board.goal_tile(cell))
    }

    fn h_in_place(&self, state: &State) -> u32 {
        self.own.as_ref().map_or(0, |own| own.h(&own.memo(state.tiles.iter().copied())))
    }

    fn actions(&self, state: &State) -> Moves {
        Moves::new(&self.board, state.blank)
    }

    fn apply(&self, state: &mut State, action: Action) -> (u32, ()) {
        self.push(state, action);
        (1, ())
    }

    fn undo(&self, state: &mut State, Action { from, to }: Action, (): ()) {
        self.push(state, Action { from: to, to: from });
    }

    fn trail(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// Rejects a second push along the same line: the two together are one push, or none.
    fn follow(&self, last: &Option<bool>, _state: &State, Action { from, to }: Action) -> Option<Option<bool>> {
        let along_row = from / self.board.columns == to / self.board.columns;
        (*last != Some(along_row)).then_some(Some(along_row))
    }
}
