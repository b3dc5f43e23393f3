//! A distance for each tile from where it belongs, added up over all tiles.
//!
//! A slide changes the cell of one tile, so h changes by one difference. Admissible and consistent, all of them: a
//! slide takes one tile to the next cell, and no distance changes by more than one on the way.

use super::{Heuristic, Slide};
use crate::sliding_tile::board::{Board, Cell, Tile};
use std::sync::Arc;

/// Which distance is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Kind {
    Zero,
    /// 1 where the tile does not belong there.
    Hamming,
    /// The steps between.
    Manhattan,
}

impl Kind {
    fn of(self, board: &Board, tile: Tile, cell: Cell) -> u32 {
        let goal = board.goal_cell(tile);
        match self {
            _ if tile == 0 || goal == cell => 0,
            Kind::Zero => 0,
            Kind::Hamming => 1,
            Kind::Manhattan => board.distance(cell, goal),
        }
    }
}

/// Worked out anew each time: for boards too large for a table.
pub(in super::super) struct Formula {
    kind: Kind,
    /// What is added up where that is nothing: how many tiles are away tells whether a board is the goal.
    counted: Kind,
    board: Arc<Board>,
}

impl Formula {
    pub fn new(board: &Arc<Board>, kind: Kind) -> Formula {
        let counted = if kind == Kind::Zero { Kind::Hamming } else { kind };
        Formula { kind, counted, board: Arc::clone(board) }
    }
}

impl Heuristic for Formula {
    type Memo = u64;
    type Undo = u64;
    const TELLS_GOAL: bool = true;

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> u64 {
        (0..).zip(tiles).map(|(cell, tile)| u64::from(self.counted.of(&self.board, tile, cell))).sum()
    }

    /// The distances of very large boards are cut off: less is admissible, too, and consistent.
    #[inline]
    fn h(&self, memo: &u64) -> u32 {
        if self.kind == Kind::Zero { 0 } else { (*memo).min(u64::from(u32::MAX / 4)) as u32 }
    }

    fn is_goal(&self, memo: &u64) -> bool {
        *memo == 0
    }

    fn slide(
        &self,
        memo: &mut u64,
        slide: Slide,
        _tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<u64, u32> {
        let before = *memo;
        let of = |cell| u64::from(self.counted.of(&self.board, slide.tile, cell));
        *memo = before + of(slide.to) - of(slide.from);
        let h = self.h(memo);
        if h >= below {
            *memo = before;
            return Err(h);
        }
        Ok(before)
    }

    fn unslide(&self, memo: &mut u64, _slide: Slide, before: u64) {
        *memo = before;
    }
}

/// Looked up: for boards of up to 32 cells.
pub(in super::super) struct Table {
    /// By tile and cell, five bits each.
    distances: [u8; 1 << 10],
    /// By tile, cell and next cell, how much farther the tile is then.
    changes: Box<[i8; 1 << 15]>,
}

impl Table {
    pub fn new(board: &Board, kind: Kind) -> Table {
        let mut table = Table { distances: [0; 1 << 10], changes: Box::new([0; 1 << 15]) };
        let cells = board.cells();
        for tile in 0..cells {
            for cell in 0..cells {
                table.distances[(tile << 5 | cell) as usize] = kind.of(board, tile, cell) as u8;
            }
            for cell in 0..cells {
                for next in board.neighbors(cell) {
                    let change = table.of(tile, next) as i32 - table.of(tile, cell) as i32;
                    table.changes[(tile << 10 | cell << 5 | next) as usize] = change as i8;
                }
            }
        }
        table
    }

    #[inline]
    fn of(&self, tile: Tile, cell: Cell) -> u32 {
        // The mask leaves nothing to check: every tile and cell of a packed board is below 32.
        u32::from(self.distances[(tile << 5 | cell) as usize & 1023])
    }
}

impl Heuristic for Table {
    type Memo = u32;
    type Undo = u32;
    /// `zero` does not, and to compare words is no slower.
    const TELLS_GOAL: bool = false;

    #[inline]
    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> u32 {
        (0..).zip(tiles).map(|(cell, tile)| self.of(tile, cell)).sum()
    }

    #[inline]
    fn h(&self, memo: &u32) -> u32 {
        *memo
    }

    #[inline]
    fn slide(
        &self,
        memo: &mut u32,
        slide: Slide,
        _tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<u32, u32> {
        let before = *memo;
        let place = (slide.tile << 10 | slide.from << 5 | slide.to) as usize & ((1 << 15) - 1);
        let h = before.wrapping_add_signed(self.changes[place].into());
        if h >= below {
            return Err(h);
        }
        *memo = h;
        Ok(before)
    }

    #[inline]
    fn unslide(&self, memo: &mut u32, _slide: Slide, before: u32) {
        *memo = before;
    }
}
