//! The state space of sliding tiles, for any representation and heuristic.
//!
//! A move is a move of the blank from cell to cell, in the order up, left, right, down, which Korf (1985) used. The
//! in-place state contains the memo of the heuristic.

use super::automaton::Automaton;
use super::board::{Cell, TileBoard};
use super::heuristic::{Heuristic, Slide};
use super::ranking::Ranking;
use super::representation::Representation;
use crate::space::{Facts, Guided, InPlace, Parts, PerfectIndex, StateSpace};
use std::sync::Arc;

/// A move of the blank from one cell to the next, which moves the tile there the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub from: Cell,
    pub to: Cell,
}

/// The in-place state: a board with the heuristic's memo.
#[derive(Clone)]
pub(super) struct State<B, M> {
    board: B,
    blank: Cell,
    memo: M,
}

/// Marks a trail that is a state of the automaton.
const AUTOMATON: u32 = 1 << 31;

/// Sliding tiles in one representation, with one heuristic.
pub(super) struct TileSpace<R: Representation, H: Heuristic> {
    board: Arc<TileBoard>,
    heuristic: H,
    /// The goal, packed and unpacked; `None` if the heuristic recognizes it.
    goal: Option<(R::Key, R::Tiles)>,
    neighborhoods: R::Neighborhoods,
    automaton: Option<Arc<Automaton>>,
}

impl<R: Representation, H: Heuristic> TileSpace<R, H> {
    pub fn new(board: &Arc<TileBoard>, heuristic: H) -> Self {
        let cells = board.cells();
        TileSpace {
            heuristic,
            goal: (!H::KNOWS_GOAL).then(|| {
                let goal = goal::<R>(board);
                let unpacked = R::unpack(&goal, cells);
                (goal, unpacked)
            }),
            neighborhoods: R::neighborhoods(board),
            automaton: None,
            board: Arc::clone(board),
        }
    }

    /// Prunes duplicate move sequences in depth-first searches with an automaton.
    pub fn pruned(mut self, automaton: Option<Arc<Automaton>>) -> Self {
        self.automaton = automaton;
        self
    }

    fn state(&self, key: &R::Key) -> State<R::Tiles, H::Memo> {
        let tiles = || R::tiles(key, self.board.cells());
        let blank = tiles().position(|tile| tile == 0).unwrap_or(0) as Cell;
        let memo = self.heuristic.memo(tiles());
        State { board: R::unpack(key, self.board.cells()), blank, memo }
    }

    #[inline]
    fn near(&self, cell: Cell, except: Cell) -> R::Near {
        R::near(&self.neighborhoods, &self.board, cell, except)
    }
}

/// Returns the packed goal.
fn goal<R: Representation>(board: &TileBoard) -> R::Key {
    R::pack(&(0..board.cells()).map(|cell| board.goal_tile(cell)).collect::<Vec<_>>())
}

/// An iterator over the legal moves of the blank.
pub(super) struct Actions<N> {
    from: Cell,
    to: N,
}

impl<N: Iterator<Item = Cell>> Iterator for Actions<N> {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        self.to.next().map(|to| Action { from: self.from, to })
    }
}

impl<R: Representation, H: Heuristic> StateSpace for TileSpace<R, H> {
    type Key = R::Key;
    type Action = Action;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts {
            unit_cost: true,
            reversible: true,
            key_heap_bytes: R::heap_bytes(self.board.cells()),
            table_bytes: self.heuristic.table_bytes()
                + self.automaton.as_ref().map_or(0, |automaton| automaton.bytes()),
            has_features: true,
            ..Facts::default()
        }
    }

    #[inline]
    fn is_goal(&self, key: &R::Key) -> bool {
        match &self.goal {
            Some((goal, _)) => key == goal,
            None => (0..).zip(R::tiles(key, self.board.cells())).all(|(cell, tile)| tile == self.board.goal_tile(cell)),
        }
    }

    #[inline]
    fn expand(&self, key: &R::Key, mut child: impl FnMut(Action, u32, R::Key)) {
        let from = R::blank(key);
        for to in self.near(from, Cell::MAX) {
            child(Action { from, to }, 1, R::slid(key, to, from));
        }
    }

    fn features(&self, key: &R::Key, features: &mut Vec<u64>) {
        features.extend(R::features(key, self.board.cells()));
    }

    fn goals(&self, _at_most: usize) -> Option<Vec<R::Key>> {
        Some(vec![goal::<R>(&self.board)])
    }

    fn index(&self) -> Option<Box<dyn PerfectIndex<R::Key> + '_>> {
        Some(Box::new(Ranking::<R>::new(&self.board)?))
    }
}

impl<R: Representation, H: Heuristic> Guided for TileSpace<R, H> {
    #[inline]
    fn h(&self, key: &R::Key) -> u32 {
        self.heuristic.h(&self.heuristic.memo(R::tiles(key, self.board.cells())))
    }

    fn parts(&self, key: &R::Key) -> Parts {
        self.heuristic.parts(&R::tiles(key, self.board.cells()).collect::<Vec<_>>())
    }
}

impl<R: Representation, H: Heuristic> InPlace for TileSpace<R, H> {
    type State = State<R::Tiles, H::Memo>;
    type Undo = (R::Undo, H::Undo);
    /// The state of the automaton with the bit [`AUTOMATON`], or without one, the previous cell of the blank.
    type Trail = u32;
    type Actions<'a> = Actions<R::Near>;

    fn initial(&self) -> Self::State {
        self.state(&R::pack(&self.board.start))
    }

    #[inline]
    fn pack(&self, state: &Self::State) -> R::Key {
        R::key(&state.board)
    }

    fn unpack(&self, key: &R::Key) -> Self::State {
        self.state(key)
    }

    #[inline]
    fn is_solved(&self, state: &Self::State) -> bool {
        if H::KNOWS_GOAL {
            return self.heuristic.is_goal(&state.memo);
        }
        self.goal.as_ref().is_some_and(|(_, goal)| *goal == state.board)
    }

    #[inline]
    fn h_in_place(&self, state: &Self::State) -> u32 {
        self.heuristic.h(&state.memo)
    }

    #[inline]
    fn actions(&self, state: &Self::State) -> Actions<R::Near> {
        Actions { from: state.blank, to: self.near(state.blank, Cell::MAX) }
    }

    #[inline]
    fn actions_after(&self, state: &Self::State, trail: &u32) -> Actions<R::Near> {
        let except = if trail & AUTOMATON == 0 { *trail } else { Cell::MAX };
        Actions { from: state.blank, to: self.near(state.blank, except) }
    }

    #[inline]
    fn apply(&self, state: &mut Self::State, action: Action) -> (u32, Self::Undo) {
        match self.apply_within(state, action, u32::MAX) {
            Ok(made) => made,
            Err(h) => unreachable!("h is too large: {h}"),
        }
    }

    // As `apply_within`.
    #[inline(always)]
    fn undo(&self, state: &mut Self::State, Action { from, to }: Action, (board, undo): Self::Undo) {
        R::unslide(&mut state.board, to, from, board);
        state.blank = from;
        self.heuristic.unslide(&mut state.memo, Slide { tile: R::tile(&state.board, to), from: to, to: from }, undo);
    }

    // Without `always` it is a function of its own, and the state is in memory.
    #[inline(always)]
    fn apply_within(&self, state: &mut Self::State, action: Action, at_most: u32) -> Result<(u32, Self::Undo), u32> {
        let Action { from, to } = action;
        let slide = Slide { tile: R::tile(&state.board, to), from: to, to: from };
        let board = &state.board;
        match self.heuristic.slide(&mut state.memo, slide, |cell| R::tile(board, cell), at_most) {
            Err(h) => Err(h + 1),
            Ok(undo) => {
                let board = R::slide(&mut state.board, to, from);
                state.blank = to;
                Ok((1, (board, undo)))
            }
        }
    }

    #[inline]
    fn trail(&self, state: &Self::State) -> u32 {
        // No cell has the number 31 on boards whose neighbours are listed by a mask, nor this one on larger ones.
        if self.automaton.is_some() { AUTOMATON | Automaton::start(state.blank) } else { AUTOMATON - 1 }
    }

    #[inline]
    fn follow(&self, trail: &u32, _state: &Self::State, Action { from, to }: Action) -> Option<u32> {
        if trail & AUTOMATON == 0 {
            return (to != *trail).then_some(from);
        }
        let automaton = self.automaton.as_ref()?;
        automaton.follow(trail ^ AUTOMATON, from, to).map(|state| state | AUTOMATON)
    }
}
