//! The heuristics: a distance for each tile and cell, added up over all tiles.
//!
//! A move changes the cell of one tile, so h changes by one difference. Admissible and consistent, both of them: a
//! move takes one tile to the next cell, and no distance changes by more than one on the way.

use super::board::{Board, Cell, Tile};

/// Which distance is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Zero,
    /// 1 where the tile does not belong there.
    Hamming,
    /// The steps between.
    Manhattan,
}

/// The distance of a tile from where it belongs.
pub(super) trait Distance: Send + Sync + 'static {
    fn new(board: &Board, kind: Kind) -> Self;

    fn of(&self, tile: Tile, cell: Cell) -> u32;
}

/// Worked out anew each time: for boards too large for a table.
pub(super) struct Formula {
    kind: Kind,
    /// Without its start.
    board: Board,
}

impl Distance for Formula {
    fn new(board: &Board, kind: Kind) -> Formula {
        Formula { kind, board: Board { start: Vec::new(), goal: board.goal.clone(), ..*board } }
    }

    fn of(&self, tile: Tile, cell: Cell) -> u32 {
        let goal = self.board.goal_cell(tile);
        match self.kind {
            _ if tile == 0 => 0,
            Kind::Zero => 0,
            Kind::Hamming => u32::from(goal != cell),
            Kind::Manhattan => self.board.distance(cell, goal),
        }
    }
}

/// Looked up: for boards of up to 32 cells.
pub(super) struct Table([u8; 1024]);

impl Distance for Table {
    fn new(board: &Board, kind: Kind) -> Table {
        let formula = Formula::new(board, kind);
        let mut table = [0; 1024];
        let cells = board.cells();
        for tile in 0..cells {
            for cell in 0..cells {
                table[(tile << 5 | cell) as usize] = formula.of(tile, cell) as u8;
            }
        }
        Table(table)
    }

    #[inline]
    fn of(&self, tile: Tile, cell: Cell) -> u32 {
        // The mask leaves nothing to check: every tile and cell of a packed board is below 32.
        u32::from(self.0[(tile << 5 | cell) as usize & 1023])
    }
}
