//! A validated board of tiles, and what can be told of it without a search.

use super::surface::Surface;

/// A cell, by its number, row by row.
pub(super) type Cell = u32;

/// A tile, by the number on it; 0 is the blank.
pub(super) type Tile = u32;

/// A sliding-tile puzzle: at most 32768 rows and columns, so that every cell has a number.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub rows: u32,
    pub columns: u32,
    pub surface: Surface,
    /// By cell, the tile that starts there.
    pub start: Vec<Tile>,
    pub goal: Goal,
}

/// Where the tiles belong; in their order, it takes no memory.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// In the order of their numbers, the blank in the last cell.
    BlankLast,
    /// In the order of their numbers, the blank in the first cell.
    BlankFirst,
    /// By cell, the tile that belongs there; by tile, the cell.
    Listed { tiles: Vec<Tile>, cells: Vec<Cell> },
}

impl Goal {
    /// The goal with these tiles, each once, given by cell.
    pub fn listed(tiles: Vec<Tile>) -> Goal {
        let mut cells = vec![0; tiles.len()];
        for (cell, &tile) in tiles.iter().enumerate() {
            cells[tile as usize] = cell as Cell;
        }
        Goal::Listed { tiles, cells }
    }
}

impl Board {
    /// The number of cells.
    pub fn cells(&self) -> Cell {
        self.rows * self.columns
    }

    /// The cell where a tile belongs.
    #[inline]
    pub fn goal_cell(&self, tile: Tile) -> Cell {
        match &self.goal {
            Goal::BlankLast => tile.checked_sub(1).unwrap_or(self.cells() - 1),
            Goal::BlankFirst => tile,
            Goal::Listed { cells, .. } => cells[tile as usize],
        }
    }

    /// The tile that belongs on a cell.
    #[inline]
    pub fn goal_tile(&self, cell: Cell) -> Tile {
        match &self.goal {
            Goal::BlankLast if cell + 1 == self.cells() => 0,
            Goal::BlankLast => cell + 1,
            Goal::BlankFirst => cell,
            Goal::Listed { tiles, .. } => tiles[cell as usize],
        }
    }

    /// The cell on which the blank starts.
    pub fn blank(&self) -> Cell {
        self.start.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell
    }

    /// Why the goal cannot be reached, if it cannot.
    ///
    /// In one row or column the tiles cannot pass each other. Elsewhere every move is a transposition of the blank
    /// and a tile, and takes the blank to a cell of the other colour of a chessboard; so the goal is out of reach if
    /// the parity of the permutation and the colour of the blank disagree (Johnson and Story 1879), and only then:
    /// the board's graph is 2-connected and bipartite, a 2x2 board being the one that is a cycle, on which three
    /// tiles have just the two cyclic orders that parity tells apart (Wilson 1974).
    pub fn unsolvable(&self) -> Option<&'static str> {
        if self.rows == 1 || self.columns == 1 {
            let start = self.start.iter().copied().filter(|&tile| tile != 0);
            let differs = !start.eq((0..self.cells()).map(|cell| self.goal_tile(cell)).filter(|&tile| tile != 0));
            return differs.then_some("in a single row or column the tiles cannot change their order");
        }
        if !self.is_bipartite() {
            return None;
        }
        let mut odd = false;
        let mut seen = vec![false; self.start.len()];
        for cell in 0..self.start.len() {
            let mut at = cell;
            while !std::mem::replace(&mut seen[at], true) {
                at = self.goal_cell(self.start[at]) as usize;
                odd ^= at != cell;
            }
        }
        let colour = |cell: Cell| (cell / self.columns + cell % self.columns) % 2 == 1;
        let blank_changes_colour = colour(self.blank()) != colour(self.goal_cell(0));
        (odd != blank_changes_colour).then_some("odd permutation on a bipartite board")
    }

    /// The number of states that can be reached: a number, or a formula where that is too long.
    pub fn states(&self) -> String {
        let cells = self.start.len() as u128;
        if self.rows == 1 || self.columns == 1 {
            return cells.to_string();
        }
        match (3..=cells).try_fold(1_u128, u128::checked_mul) {
            Some(half) => half.to_string(),
            None => format!("{cells}!/2"),
        }
    }
}
