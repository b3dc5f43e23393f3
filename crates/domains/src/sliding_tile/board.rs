//! A validated board of tiles, by cell and by tile.

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
}
