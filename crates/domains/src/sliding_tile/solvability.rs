//! Decides without a search which boards are solvable and how many states are reachable, by the graph of the cells.
//!
//! Wilson (Graph puzzles, homotopy, and the alternating group, 1974) proved: on a 2-connected graph that is not a
//! cycle, every order of the tiles is reachable, or every one of even parity if the graph is bipartite. The only
//! exception is a graph of seven vertices with eight edges. No board is that graph: seven cells in a row have six,
//! seven or nine edges.
//!
//! With at least two rows and columns, no single cell disconnects the grid, so Wilson's theorem holds on every
//! surface. The 2x2 board is a cycle unless a joint adds a diagonal, and bipartite: its three tiles have two cyclic
//! orders, which differ in parity. There remain single rows and columns: depending on their joints, a path, a cycle, or
//! a cycle with chords, to which the theorem applies again.

use super::board::{Cell, Tile, TileBoard};
use engine_search::bit_set::BitSet;

/// The invariant of all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invariant {
    /// The order of the tiles: the cells form a path.
    Order,
    /// The cyclic order of the tiles: the cells form a ring.
    CyclicOrder,
    /// The parity of the permutation plus the colour of the blank's cell: the cells are bipartite.
    Parity,
    Nothing,
}

/// The most cells of a board whose inversions are counted.
const MOST_COUNTED: u32 = 1 << 20;

impl TileBoard {
    /// Returns the invariant of all moves on this board.
    pub fn invariant(&self) -> Invariant {
        let degrees = || (0..self.cells()).map(|cell| self.neighbors(cell).count());
        if self.rows.min(self.columns) == 1 && degrees().all(|degree| degree <= 2) {
            return if degrees().all(|degree| degree == 2) { Invariant::CyclicOrder } else { Invariant::Order };
        }
        if self.is_bipartite() { Invariant::Parity } else { Invariant::Nothing }
    }

    /// Returns why the goal is unreachable, if it is.
    pub fn unsolvable(&self) -> Option<String> {
        match self.invariant() {
            Invariant::Order => {
                let differs = !self.start_order().eq(self.goal_order());
                differs.then(|| "in a single row or column the tiles cannot change their order".to_owned())
            }
            Invariant::CyclicOrder => {
                let (start, goal): (Vec<Tile>, Vec<Tile>) = (self.start_order().collect(), self.goal_order().collect());
                let turn = goal.iter().position(|tile| start.first() == Some(tile)).unwrap_or(0);
                let differs = !start.iter().eq(goal[turn..].iter().chain(&goal[..turn]));
                differs.then(|| "on a ring the blank cannot change the cyclic order of the tiles".to_owned())
            }
            Invariant::Parity => {
                let (counts, is_kept) = self.parities();
                (!is_kept).then(|| {
                    format!("{counts}: each step of the blank changes both parities, and in the goal both are even")
                })
            }
            Invariant::Nothing => None,
        }
    }

    /// Returns why the goal is reachable, where that is a question of parity.
    pub fn solvable(&self) -> Option<String> {
        let (counts, is_kept) = if self.invariant() == Invariant::Parity { self.parities() } else { return None };
        let theorem = "each step of the blank changes both parities, and every board with equal ones is reached";
        is_kept.then(|| format!("{counts}: {theorem} (Wilson 1974)"))
    }

    /// Returns the two parities of the start in words, and whether they are equal, as in the goal.
    fn parities(&self) -> (String, bool) {
        let (is_odd, steps) = (self.is_odd(), self.distance(self.blank(), self.goal_cell(0)));
        let permutation = if is_odd { "odd" } else { "even" };
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        let inversions = self.inversions();
        let inversions = inversions.map_or(String::new(), |number| format!(" ({number} inversion{})", plural(number)));
        let blank = format!("the blank is {steps} step{} from its place", plural(u64::from(steps)));
        let counts = format!("the board is an {permutation} permutation of the goal{inversions}, and {blank}");
        (counts, is_odd == (steps % 2 == 1))
    }

    /// Returns the number of reachable states: a number, or a formula if it is too large.
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

    /// Returns the tiles of the start by cell, without the blank.
    fn start_order(&self) -> impl Iterator<Item = Tile> {
        self.start.iter().copied().filter(|&tile| tile != 0)
    }

    /// Returns the tiles of the goal by cell, without the blank.
    pub fn goal_order(&self) -> impl Iterator<Item = Tile> {
        (0..self.cells()).map(|cell| self.goal_tile(cell)).filter(|&tile| tile != 0)
    }

    /// Returns the number of pairs of tiles, the blank among them, in the opposite order of the goal, row by row; `None`
    /// for boards that are too large to count. It is odd exactly if the permutation is.
    fn inversions(&self) -> Option<u64> {
        if self.cells() > MOST_COUNTED {
            return None;
        }
        // How many of the places before each one are taken (Fenwick 1994).
        let size = self.cells() as usize;
        let mut sums = vec![0_u64; size + 1];
        let mut inversions = 0;
        for (before, &tile) in (0_u64..).zip(&self.start) {
            let place = self.goal_cell(tile) as usize + 1;
            let prefixes =
                std::iter::successors(Some(place), |at| Some(at & at.wrapping_sub(1))).take_while(|&at| at > 0);
            inversions += before - prefixes.map(|at| sums[at]).sum::<u64>();
            let affected = std::iter::successors(Some(place), |&at| Some(at + (at & at.wrapping_neg())));
            affected.take_while(|&at| at <= size).for_each(|at| sums[at] += 1);
        }
        Some(inversions)
    }

    /// Returns whether the permutation from the start to the goal is odd: a cycle of length n is n - 1 swaps.
    fn is_odd(&self) -> bool {
        let mut seen: BitSet<Cell> = BitSet::default();
        let mut odd = false;
        for cell in 0..self.cells() {
            let mut at: Cell = cell;
            while seen.insert(at) {
                at = self.goal_cell(self.start[at as usize]);
                odd ^= at != cell;
            }
        }
        odd
    }
}
