//! Walking distance (Takahashi 2001): a lower bound on the vertical moves plus one on the horizontal moves.
//!
//! For the vertical moves, only the row and the goal row of each tile count, so a board is abstracted to a table with
//! the number of tiles of each goal row in each row. All reachable tables are enumerated by backward search from the
//! goal, once for the rows and once for the columns.

use super::{Heuristic, Slide};
use crate::domain::BuildContext;
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::{Part, Parts};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The greatest length of a line by the number of lines, from one line on: so that there are at most half a million
/// tables. (5x3 and 6x2 cells have some 360,000, and 5x4 cells millions.) Larger boards do not have this heuristic.
const LONGEST: [u32; 16] = [255, 255, 33, 6, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// The number of tables between two checks of the limits.
const CHECK_EVERY: usize = 1 << 12;

/// The heuristic, on the plane.
pub(in super::super) struct WalkingDistance {
    board: Arc<TileBoard>,
    rows: Arc<Lines>,
    columns: Arc<Lines>,
}

/// The tables of a board's rows, or of its columns, by number.
struct Lines {
    lines: u32,
    distances: Vec<u8>,
    /// The next table, by table, by the direction of the blank (to the next line or to the previous one), and by the
    /// goal line of the tile that moves the other way.
    links: Vec<u32>,
    numbers: FxHashMap<Table, u32>,
}

/// The number of tiles by line and goal line, and the line of the blank.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Table {
    tiles: Box<[u8]>,
    blank: u8,
}

impl Lines {
    /// Returns whether there are few enough tables for this many lines of this many cells.
    fn are_few(lines: u32, length: u32) -> bool {
        LONGEST.get(lines as usize - 1).is_some_and(|&longest| length <= longest)
    }

    /// Enumerates the tables for this many lines of this many cells, with the goal line of the blank. Returns `None` if
    /// it is stopped.
    fn new(lines: u32, length: u32, blank: u32, context: &BuildContext) -> Option<Lines> {
        let n = lines as usize;
        let mut tiles = vec![0; n * n].into_boxed_slice();
        for line in 0..n {
            tiles[line * n + line] = length as u8 - u8::from(line == blank as usize);
        }
        let goal = Table { tiles, blank: blank as u8 };
        let mut numbers = FxHashMap::from_iter([(goal.clone(), 0)]);
        let (mut tables, mut distances, mut links) = (vec![goal], vec![0_u8], Vec::new());
        let mut done = 0;
        while let Some(table) = tables.get(done).cloned() {
            let distance = distances[done];
            done += 1;
            let here = usize::from(table.blank);
            for there in [here.checked_sub(1), Some(here + 1).filter(|&line| line < n)] {
                for goal_line in 0..n {
                    let Some(there) = there.filter(|there| table.tiles[there * n + goal_line] > 0) else {
                        links.push(u32::MAX);
                        continue;
                    };
                    let mut next = table.clone();
                    next.tiles[there * n + goal_line] -= 1;
                    next.tiles[here * n + goal_line] += 1;
                    next.blank = there as u8;
                    let number = *numbers.entry(next).or_insert_with_key(|next| {
                        tables.push(next.clone());
                        distances.push(distance + 1);
                        tables.len() as u32 - 1
                    });
                    links.push(number);
                }
            }
            if done % CHECK_EVERY == 0 && !context.fits(0) {
                return None;
            }
        }
        // The last number stands for boards that cannot reach the goal; its links lead back to it.
        links.extend(std::iter::repeat_n(tables.len() as u32, 2 * n));
        distances.push(1);
        Some(Lines { lines, distances, links, numbers })
    }

    fn bytes(&self) -> u64 {
        let n = self.lines as usize;
        let numbered = self.numbers.capacity() * (size_of::<(Table, u32)>() + n * n);
        (self.distances.len() + 4 * self.links.len() + numbered) as u64
    }

    /// Returns the number of a board's table, from the lines and goal lines of its tiles, or the last number if there
    /// is no such table.
    fn number(&self, blank: u32, tiles: impl Iterator<Item = (u32, u32)>) -> u32 {
        let n = self.lines as usize;
        let mut counts = vec![0; n * n].into_boxed_slice();
        tiles.for_each(|(line, goal_line)| counts[line as usize * n + goal_line as usize] += 1);
        self.numbers.get(&Table { tiles: counts, blank: blank as u8 }).copied().unwrap_or(self.numbers.len() as u32)
    }

    /// Returns the table after the blank has moved from one line to another, and a tile the other way.
    #[inline]
    fn next(&self, table: u32, from: u32, to: u32, goal_line: u32) -> u32 {
        self.links[((table * 2 + u32::from(to > from)) * self.lines + goal_line) as usize]
    }
}

/// The tables of a board.
#[derive(Clone, Copy)]
pub(in super::super) struct Memo {
    rows: u32,
    columns: u32,
}

impl WalkingDistance {
    /// Returns whether there are few enough tables for a board.
    pub fn suits(board: &TileBoard) -> bool {
        Lines::are_few(board.rows, board.columns) && Lines::are_few(board.columns, board.rows)
    }

    /// Builds the heuristic. Returns `None` if there are too many tables, or if it is stopped.
    pub fn new(board: &Arc<TileBoard>, context: &BuildContext) -> Option<WalkingDistance> {
        if !WalkingDistance::suits(board) {
            return None;
        }
        let blank = board.goal_cell(0);
        let upright = (board.rows, board.columns, blank / board.columns);
        let sideways = (board.columns, board.rows, blank % board.columns);
        let lines = |(lines, length, blank)| Lines::new(lines, length, blank, context).map(Arc::new);
        let rows = lines(upright)?;
        let columns = if sideways == upright { Arc::clone(&rows) } else { lines(sideways)? };
        Some(WalkingDistance { board: Arc::clone(board), rows, columns })
    }
}

#[cfg(test)]
impl WalkingDistance {
    /// Returns the number of tables of the rows and of the columns.
    pub fn tables(&self) -> (usize, usize) {
        (self.rows.numbers.len(), self.columns.numbers.len())
    }
}

impl Heuristic for WalkingDistance {
    type Memo = Memo;
    type Undo = Memo;
    const KNOWS_GOAL: bool = true;

    /// Returns the size of the tables. Rows and columns of equal form share them.
    fn table_bytes(&self) -> u64 {
        let lines = [&self.rows, &self.columns];
        let different = if Arc::ptr_eq(&self.rows, &self.columns) { &lines[..1] } else { &lines[..] };
        different.iter().map(|lines| lines.bytes()).sum()
    }

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo {
        let width = self.board.columns;
        let placed = || (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0);
        let blank = tiles.clone().position(|tile| tile == 0).unwrap_or(0) as Cell;
        let rows = placed().map(|(cell, tile): (Cell, Tile)| (cell / width, self.board.goal_cell(tile) / width));
        let columns = placed().map(|(cell, tile): (Cell, Tile)| (cell % width, self.board.goal_cell(tile) % width));
        Memo { rows: self.rows.number(blank / width, rows), columns: self.columns.number(blank % width, columns) }
    }

    #[inline]
    fn h(&self, memo: &Memo) -> u32 {
        let rows = self.rows.distances[memo.rows as usize];
        u32::from(rows) + u32::from(self.columns.distances[memo.columns as usize])
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        let Memo { rows, columns } = self.memo(tiles.iter().copied());
        let part = |name: &str, lines: &Lines, number: u32| Part::of(name, lines.distances[number as usize], [""; 0]);
        Parts::sum([part("between rows", &self.rows, rows), part("between columns", &self.columns, columns)])
    }

    #[inline(never)]
    fn slide(
        &self,
        memo: &mut Memo,
        slide: Slide,
        _tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Memo, u32> {
        let before = *memo;
        let width = self.board.columns;
        let goal = self.board.goal_cell(slide.tile);
        let after = if slide.from.abs_diff(slide.to) == width && width > 1 || width == 1 {
            Memo { rows: self.rows.next(before.rows, slide.to / width, slide.from / width, goal / width), ..before }
        } else {
            let columns = self.columns.next(before.columns, slide.to % width, slide.from % width, goal % width);
            Memo { columns, ..before }
        };
        let h = self.h(&after);
        if h >= below {
            return Err(h);
        }
        *memo = after;
        Ok(before)
    }

    #[inline]
    fn unslide(&self, memo: &mut Memo, _slide: Slide, before: Memo) {
        *memo = before;
    }
}
