//! A validated board of tiles.

use super::surface::Surface;

/// A cell, numbered row by row.
pub(super) type Cell = u32;

/// A tile, by the number on it; 0 is the blank.
pub(super) type Tile = u32;

/// The unit of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// A tile slides.
    Single,
    /// Any number of tiles of a line slide together.
    Multi,
}

/// A sliding-tile puzzle with at most 32768 rows and columns, so that the number of every cell fits.
#[derive(Clone, Debug)]
pub(super) struct TileBoard {
    pub rows: u32,
    pub columns: u32,
    pub surface: Surface,
    /// The start tile of each cell.
    pub start: Vec<Tile>,
    pub goal: TileGoal,
}

/// The goal; an ordered one takes no memory.
#[derive(Clone, Debug)]
pub(super) enum TileGoal {
    /// The tiles in order, with the blank in the last cell.
    BlankLast,
    /// The tiles in order, with the blank in the first cell.
    BlankFirst,
    /// The goal tile of each cell, and the goal cell of each tile.
    Listed { tiles: Vec<Tile>, cells: Vec<Cell> },
}

impl TileGoal {
    /// Returns the goal with these tiles by cell, each of which must occur once.
    pub fn listed(tiles: Vec<Tile>) -> TileGoal {
        let mut cells = vec![0; tiles.len()];
        for (cell, &tile) in tiles.iter().enumerate() {
            cells[tile as usize] = cell as Cell;
        }
        TileGoal::Listed { tiles, cells }
    }
}

impl TileBoard {
    /// Returns the number of cells.
    pub fn cells(&self) -> Cell {
        self.rows * self.columns
    }

    /// Returns the goal cell of a tile.
    #[inline]
    pub fn goal_cell(&self, tile: Tile) -> Cell {
        match &self.goal {
            TileGoal::BlankLast => tile.checked_sub(1).unwrap_or(self.cells() - 1),
            TileGoal::BlankFirst => tile,
            TileGoal::Listed { cells, .. } => cells[tile as usize],
        }
    }

    /// Returns the goal tile of a cell.
    #[inline]
    pub fn goal_tile(&self, cell: Cell) -> Tile {
        match &self.goal {
            TileGoal::BlankLast if cell + 1 == self.cells() => 0,
            TileGoal::BlankLast => cell + 1,
            TileGoal::BlankFirst => cell,
            TileGoal::Listed { tiles, .. } => tiles[cell as usize],
        }
    }

    /// Returns the cell of the blank at the start.
    pub fn blank(&self) -> Cell {
        self.start.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell
    }
}
