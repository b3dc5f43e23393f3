//! Sums over all tiles of a distance between a tile and its goal.
//!
//! A slide changes the cell of one tile, so h changes by one difference. All these heuristics are admissible and
//! consistent: a slide moves one tile to a neighbouring cell, which changes its distance by at most one.

use super::{Heuristic, Slide, by_tile, capped};
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::Parts;
use std::sync::Arc;

/// The distance that is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Kind {
    Zero,
    /// 1 for each tile that is not at its goal.
    Hamming,
    /// The number of steps to the goal.
    Manhattan,
}

impl Kind {
    fn of(self, board: &TileBoard, tile: Tile, cell: Cell) -> u32 {
        let goal = board.goal_cell(tile);
        match self {
            _ if tile == 0 || goal == cell => 0,
            Kind::Zero => 0,
            Kind::Hamming => 1,
            Kind::Manhattan => board.distance(cell, goal),
        }
    }
}

/// Distances computed anew each time, for boards too large for a table.
pub(in super::super) struct Formula {
    kind: Kind,
    /// The distance that the memo sums. It is not `Zero`: the number of misplaced tiles shows whether a board is the
    /// goal.
    counted: Kind,
    board: Arc<TileBoard>,
}

impl Formula {
    pub fn new(board: &Arc<TileBoard>, kind: Kind) -> Formula {
        let counted = if kind == Kind::Zero { Kind::Hamming } else { kind };
        Formula { kind, counted, board: Arc::clone(board) }
    }
}

impl Heuristic for Formula {
    type Memo = u64;
    type Undo = u64;
    const KNOWS_GOAL: bool = true;

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> u64 {
        (0..).zip(tiles).map(|(cell, tile)| u64::from(self.counted.of(&self.board, tile, cell))).sum()
    }

    #[inline]
    fn h(&self, memo: &u64) -> u32 {
        if self.kind == Kind::Zero { 0 } else { capped(*memo) }
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        Parts::sum(by_tile(tiles, |tile, cell| self.kind.of(&self.board, tile, cell)))
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

/// Distances from a table, for boards of up to 32 cells.
pub(in super::super) struct Table {
    /// The distance by tile and cell, five bits each.
    distances: [u8; 1 << 10],
    /// The change of the distance, by cell, next cell and tile, five bits each: a search knows the tile last.
    changes: [i8; 1 << 15],
}

impl Table {
    pub fn new(board: &TileBoard, kind: Kind) -> Table {
        let mut table = Table { distances: [0; 1 << 10], changes: [0; 1 << 15] };
        let cells = board.cells();
        for tile in 0..cells {
            for cell in 0..cells {
                table.distances[(tile << 5 | cell) as usize] = kind.of(board, tile, cell) as u8;
            }
            for cell in 0..cells {
                for next in board.neighbors(cell) {
                    let change = table.of(tile, next) as i32 - table.of(tile, cell) as i32;
                    table.changes[Table::place(tile, cell, next)] = change as i8;
                }
            }
        }
        table
    }

    #[inline]
    fn place(tile: Tile, cell: Cell, next: Cell) -> usize {
        // The masks remove the bounds check.
        ((cell & 31) << 10 | (next & 31) << 5 | tile & 31) as usize
    }

    #[inline]
    fn of(&self, tile: Tile, cell: Cell) -> u32 {
        // The mask removes the bounds check: every tile and cell of a packed board is below 32.
        u32::from(self.distances[(tile << 5 | cell) as usize & 1023])
    }
}

impl Heuristic for Table {
    type Memo = u32;
    type Undo = u32;
    /// The memo of `zero` does not, and comparing words is as fast.
    const KNOWS_GOAL: bool = false;

    #[inline]
    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> u32 {
        (0..).zip(tiles).map(|(cell, tile)| self.of(tile, cell)).sum()
    }

    #[inline]
    fn h(&self, memo: &u32) -> u32 {
        *memo
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        Parts::sum(by_tile(tiles, |tile, cell| self.of(tile, cell)))
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
        let change = self.changes[Table::place(slide.tile, slide.from, slide.to)];
        let h = before.wrapping_add_signed(change.into());
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
