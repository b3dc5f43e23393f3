//! Manhattan distance with linear conflicts (Hansson, Mayer and Yung 1992).
//!
//! The tiles that stay in their goal line never pass each other. So all tiles of a goal line except a longest
//! increasing subsequence have to leave the line and return, which takes two more moves each. A slide along a line does
//! not change the order in that line; it changes two lines across.

use super::{Heuristic, Slide, by_tile, capped};
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::{Part, Parts};

/// The heuristic, on the plane, where lines have ends.
pub(in super::super) struct LinearConflict {
    rows: u32,
    columns: u32,
    /// The goal row and column of each tile.
    goal_places: Vec<(u16, u16)>,
}

/// The memo of a board.
#[derive(Clone)]
pub(in super::super) struct Memo {
    h: u64,
    /// The conflicts of each row, then of each column.
    conflicts: Box<[u16]>,
}

/// The previous h, and the previous conflicts of the line that is left and of the line that is entered.
#[derive(Clone, Copy)]
pub(in super::super) struct Undo {
    h: u64,
    left: u16,
    entered: u16,
}

impl LinearConflict {
    pub fn new(board: &TileBoard) -> LinearConflict {
        let goal_place = |tile| (board.goal_cell(tile) / board.columns, board.goal_cell(tile) % board.columns);
        let goal_places = (0..board.cells()).map(goal_place).map(|(row, column)| (row as u16, column as u16)).collect();
        LinearConflict { rows: board.rows, columns: board.columns, goal_places }
    }

    fn distance(&self, tile: Tile, cell: Cell) -> u64 {
        let (row, column) = self.goal_places[tile as usize];
        let apart = (cell / self.columns).abs_diff(row.into()) + (cell % self.columns).abs_diff(column.into());
        if tile == 0 { 0 } else { apart.into() }
    }

    /// Returns the number of the line whose conflicts change when a tile enters or leaves a cell: its row for a
    /// vertical slide, otherwise its column, counted after the rows.
    fn line(&self, cell: Cell, slide: Slide) -> usize {
        if slide.from % self.columns == slide.to % self.columns {
            (cell / self.columns) as usize
        } else {
            (self.rows + cell % self.columns) as usize
        }
    }

    /// Returns the number of tiles that have to leave a line.
    fn conflicts(&self, line: usize, tile_at: impl Fn(Cell) -> Tile) -> u16 {
        let (rows, columns) = (self.rows, self.columns);
        let line = line as u32;
        let (first, step, cells) =
            if line < rows { (line * columns, 1, columns) } else { (line - rows, columns, rows) };
        // A longest increasing subsequence of the tiles' goals along the line: for each length, the least end of a
        // subsequence of this length (Schensted 1961).
        let mut short = [0; 32];
        let mut long = vec![0; if cells > 32 { cells as usize } else { 0 }];
        let ends = if cells > 32 { &mut long[..] } else { &mut short[..] };
        let (mut longest, mut tiles) = (0, 0);
        for place in 0..cells {
            let tile = tile_at(first + place * step);
            if tile == 0 {
                continue;
            }
            let (row, column) = self.goal_places[tile as usize];
            let (its, goal) = if line < rows { (row.into(), column) } else { (rows + u32::from(column), row) };
            if its != line {
                continue;
            }
            tiles += 1;
            let run = ends[..longest].partition_point(|&end| end < goal);
            ends[run] = goal;
            longest = longest.max(run + 1);
        }
        (tiles - longest) as u16
    }
}

impl Heuristic for LinearConflict {
    type Memo = Memo;
    type Undo = Undo;
    const KNOWS_GOAL: bool = true;

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo {
        let distances: u64 = (0..).zip(tiles.clone()).map(|(cell, tile)| self.distance(tile, cell)).sum();
        let tiles: Vec<Tile> = tiles.collect();
        let lines = 0..(self.rows + self.columns) as usize;
        let conflicts: Box<[u16]> = lines.map(|line| self.conflicts(line, |cell| tiles[cell as usize])).collect();
        let h = distances + 2 * conflicts.iter().map(|&conflicts| u64::from(conflicts)).sum::<u64>();
        Memo { h, conflicts }
    }

    fn h(&self, memo: &Memo) -> u32 {
        capped(memo.h)
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        let conflicts = self.memo(tiles.iter().copied()).conflicts;
        let part = |line: u32| {
            let name = match line.checked_sub(self.rows) {
                None => format!("conflicts in row {}", line + 1),
                Some(column) => format!("conflicts in column {}", column + 1),
            };
            // Those that are in their goal line.
            let is_in = |&(cell, &tile): &(Cell, &Tile)| {
                let (row, column) = self.goal_places[tile as usize];
                let (lines, cell) = (self.rows, (cell / self.columns, cell % self.columns));
                tile != 0
                    && (cell.0 == line && u32::from(row) == line
                        || lines + cell.1 == line && lines + u32::from(column) == line)
            };
            let tiles = (0..).zip(tiles).filter(is_in).map(|(_, tile)| tile);
            Part::of(name, 2 * u32::from(conflicts[line as usize]), tiles)
        };
        let distances = by_tile(tiles, |tile, cell| self.distance(tile, cell) as u32);
        Parts::sum(distances.chain((0..self.rows + self.columns).map(part)))
    }

    #[inline(never)]
    fn slide(
        &self,
        memo: &mut Memo,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Undo, u32> {
        let after = |cell| match cell {
            _ if cell == slide.from => 0,
            _ if cell == slide.to => slide.tile,
            _ => tile_at(cell),
        };
        let (left, entered) = (self.line(slide.from, slide), self.line(slide.to, slide));
        let undo = Undo { h: memo.h, left: memo.conflicts[left], entered: memo.conflicts[entered] };
        let (now_left, now_entered) = (self.conflicts(left, after), self.conflicts(entered, after));
        let distances = memo.h + self.distance(slide.tile, slide.to) - self.distance(slide.tile, slide.from);
        let of = |left: u16, entered: u16| 2 * (u64::from(left) + u64::from(entered));
        let h = distances + of(now_left, now_entered) - of(undo.left, undo.entered);
        if capped(h) >= below {
            return Err(capped(h));
        }
        memo.h = h;
        (memo.conflicts[left], memo.conflicts[entered]) = (now_left, now_entered);
        Ok(undo)
    }

    fn unslide(&self, memo: &mut Memo, slide: Slide, undo: Undo) {
        memo.h = undo.h;
        memo.conflicts[self.line(slide.from, slide)] = undo.left;
        memo.conflicts[self.line(slide.to, slide)] = undo.entered;
    }
}
