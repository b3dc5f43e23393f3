//! Which boards can be solved, and how many states can be reached: told by the graph of the cells, without a search.
//!
//! Wilson (Graph puzzles, homotopy, and the alternating group, 1974) proved: on a graph that stays connected without
//! any one of its cells, and is no ring, every order of the tiles can be reached, or those of even parity if the graph
//! is bipartite. There is one exception, a graph of seven cells with eight edges; no board is that graph, for seven
//! cells in a row have six edges, seven, or nine.
//!
//! With two rows and columns or more, every cell can be walked around within the edges, so that Wilson's theorem holds
//! on every surface. The 2x2 board is a ring where no joint adds a diagonal, and bipartite: its three tiles have two
//! cyclic orders, which parity tells apart. What is left are single rows and columns: as joined, a path, a ring, or a
//! ring with chords, to which the theorem applies again.

use super::board::{Board, Cell, Tile};
use super::marks::Marks;

/// What no move can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invariant {
    /// The order of the tiles: the cells are a path.
    Order,
    /// The cyclic order of the tiles: the cells are a ring.
    CyclicOrder,
    /// Whether the permutation is odd, less the colour of the blank's cell: the cells are bipartite.
    Parity,
    Nothing,
}

impl Board {
    /// What no move can change on this board.
    pub fn invariant(&self) -> Invariant {
        let degrees = || (0..self.cells()).map(|cell| self.neighbors(cell).count());
        if self.rows.min(self.columns) == 1 && degrees().all(|degree| degree <= 2) {
            return if degrees().all(|degree| degree == 2) { Invariant::CyclicOrder } else { Invariant::Order };
        }
        if self.is_bipartite() { Invariant::Parity } else { Invariant::Nothing }
    }

    /// Why the goal cannot be reached, if it cannot.
    pub fn unsolvable(&self) -> Option<&'static str> {
        match self.invariant() {
            Invariant::Order => {
                let differs = !self.start_order().eq(self.goal_order());
                differs.then_some("in a single row or column the tiles cannot change their order")
            }
            Invariant::CyclicOrder => {
                let (start, goal): (Vec<Tile>, Vec<Tile>) = (self.start_order().collect(), self.goal_order().collect());
                let turn = goal.iter().position(|tile| start.first() == Some(tile)).unwrap_or(0);
                let differs = !start.iter().eq(goal[turn..].iter().chain(&goal[..turn]));
                differs.then_some("on a ring the blank cannot change the cyclic order of the tiles")
            }
            Invariant::Parity => {
                let blank_changes_colour = self.distance(self.blank(), self.goal_cell(0)) % 2 == 1;
                (self.is_odd() != blank_changes_colour).then_some("odd permutation on a bipartite board")
            }
            Invariant::Nothing => None,
        }
    }

    /// The number of states that can be reached: a number, or a formula where that is too long.
    pub fn states(&self) -> String {
        let cells = u128::from(self.cells());
        let product = |first: u128| (first..=cells).try_fold(1, u128::checked_mul).map(|product| product.to_string());
        match self.invariant() {
            Invariant::Order => cells.to_string(),
            Invariant::CyclicOrder => (cells * (cells - 1)).to_string(),
            Invariant::Parity => product(3).unwrap_or_else(|| format!("{cells}!/2")),
            Invariant::Nothing => product(1).unwrap_or_else(|| format!("{cells}!")),
        }
    }

    /// The tiles of the start in the order of their cells, without the blank.
    fn start_order(&self) -> impl Iterator<Item = Tile> {
        self.start.iter().copied().filter(|&tile| tile != 0)
    }

    /// The tiles of the goal in the order of their cells, without the blank.
    pub fn goal_order(&self) -> impl Iterator<Item = Tile> {
        (0..self.cells()).map(|cell| self.goal_tile(cell)).filter(|&tile| tile != 0)
    }

    /// Whether the permutation that takes every tile where it belongs is odd: a cycle of n cells is n - 1 swaps.
    fn is_odd(&self) -> bool {
        let mut seen = Marks::new(self.cells());
        let mut odd = false;
        for cell in 0..self.cells() {
            let mut at: Cell = cell;
            while seen.mark(at) {
                at = self.goal_cell(self.start[at as usize]);
                odd ^= at != cell;
            }
        }
        odd
    }
}
