//! Heuristics of the file: expressions over the cells of the tiles.

use super::{Slide, by_tile};
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::Parts;
use engine_domain::domain::OwnHeuristic;
use engine_domain::expression::{Function, Set, Type, Vocabulary};
use std::sync::Arc;

/// The most cells of a board for which sets of tiles are listed.
pub(in super::super) const MOST_CELLS: Cell = 10_000;

const TILE: &[Type] = &[Type::Number];
const PLACE: &[Type] = &[Type::Number, Type::Number];

const fn number(name: &'static str, takes: &'static [Type]) -> Function {
    Function { name, takes, gives: Type::Number }
}

const FUNCTIONS: &[Function] = &[
    number("row", TILE),
    number("column", TILE),
    number("goal_row", TILE),
    number("goal_column", TILE),
    number("cell", TILE),
    number("goal", TILE),
    number("distance", TILE),
    number("tile", PLACE),
    number("goal_tile", PLACE),
];

/// Returns the names of a board.
pub(in super::super) fn vocabulary(board: &TileBoard) -> Vocabulary<'static> {
    Vocabulary {
        sets: vec![Set { name: "tiles", of: Type::Number, members: (1..board.cells().into()).collect() }],
        constants: vec![("rows", board.rows.into()), ("columns", board.columns.into())],
        functions: FUNCTIONS,
        missing: Vec::new(),
        element: "a tile",
        quoted: &|_| Err(("tiles are numbers".to_owned(), "write the number without quotes".to_owned())),
    }
}

/// Returns the value of a function on a board, given the cell of each tile and the tile of each cell.
pub(in super::super) fn read(
    board: &TileBoard,
    cells: &[Cell],
    tiles: &[Tile],
    function: usize,
    arguments: &[i64],
) -> Option<i64> {
    let value = match *arguments {
        [tile] => {
            let tile = Tile::try_from(tile).ok()?;
            let cell = *cells.get(tile as usize)?;
            match function {
                0 => cell / board.columns,
                1 => cell % board.columns,
                2 => board.goal_cell(tile) / board.columns,
                3 => board.goal_cell(tile) % board.columns,
                4 => cell,
                5 => board.goal_cell(tile),
                _ => board.distance(cell, board.goal_cell(tile)),
            }
        }
        [row, column] => {
            let (row, column) = (Cell::try_from(row).ok()?, Cell::try_from(column).ok()?);
            let is_on_board = row < board.rows && column < board.columns;
            let cell = is_on_board.then(|| row * board.columns + column)?;
            if function == 7 { tiles[cell as usize] } else { board.goal_tile(cell) }
        }
        _ => return None,
    };
    Some(value.into())
}

/// A heuristic of the file on a board.
pub(in super::super) struct Own {
    board: Arc<TileBoard>,
    heuristic: Arc<OwnHeuristic>,
}

/// A board as its heuristic reads it.
#[derive(Clone)]
pub(in super::super) struct Memo {
    /// The cell of each tile.
    cells: Vec<Cell>,
    /// The tile of each cell.
    tiles: Vec<Tile>,
    /// The number of tiles, without the blank, that are not at their goal.
    misplaced: u32,
    /// None before it is first asked for.
    h: Option<u32>,
}

impl Own {
    pub fn new(board: &Arc<TileBoard>, heuristic: &Arc<OwnHeuristic>) -> Own {
        Own { board: Arc::clone(board), heuristic: Arc::clone(heuristic) }
    }

    fn value(&self, cells: &[Cell], tiles: &[Tile]) -> u32 {
        self.heuristic.h(&|function, arguments| read(&self.board, cells, tiles, function, arguments))
    }

    pub fn memo(&self, tiles: impl Iterator<Item = Tile>) -> Memo {
        let tiles: Vec<Tile> = tiles.collect();
        let cells = cells(&tiles);
        let is_misplaced = |&(tile, cell): &(Tile, Cell)| tile > 0 && self.board.goal_cell(tile) != cell;
        let misplaced = (0..).zip(cells.iter().copied()).filter(is_misplaced).count() as u32;
        Memo { cells, tiles, misplaced, h: None }
    }

    pub fn h(&self, memo: &Memo) -> u32 {
        memo.h.unwrap_or_else(|| self.value(&memo.cells, &memo.tiles))
    }

    /// Returns the parts of h, if it is a sum over tiles.
    pub fn parts(&self, tiles: &[Tile]) -> Parts {
        let cells = cells(tiles);
        let reading = |function: usize, arguments: &[i64]| read(&self.board, &cells, tiles, function, arguments);
        let terms = self.heuristic.terms(&reading);
        let term =
            |tile: Tile| terms.iter().find(|(member, _)| *member == i64::from(tile)).map_or(0.0, |(_, term)| *term);
        if terms.is_empty() { Parts::default() } else { Parts::sum(by_tile(tiles, |tile, _| term(tile))) }
    }

    pub fn is_goal(&self, memo: &Memo) -> bool {
        memo.misplaced == 0
    }

    /// Slides a tile, without a new h.
    fn moved(&self, memo: &mut Memo, Slide { tile, from, to }: Slide) {
        memo.cells[tile as usize] = to;
        memo.cells[0] = from;
        memo.tiles[to as usize] = tile;
        memo.tiles[from as usize] = 0;
        let goal = self.board.goal_cell(tile);
        memo.misplaced += u32::from(from == goal);
        memo.misplaced -= u32::from(to == goal);
    }

    /// Updates the memo for a slide, and returns the h before it.
    ///
    /// # Errors
    /// Returns the h after the slide if it is not less than `below`; the memo is then unchanged.
    pub fn slide(&self, memo: &mut Memo, slide: Slide, below: u32) -> Result<Option<u32>, u32> {
        let before = memo.h;
        self.moved(memo, slide);
        let h = self.value(&memo.cells, &memo.tiles);
        if h >= below {
            self.moved(memo, Slide { from: slide.to, to: slide.from, ..slide });
            return Err(h);
        }
        memo.h = Some(h);
        Ok(before)
    }

    /// Undoes the last slide, given the h before it.
    pub fn unslide(&self, memo: &mut Memo, slide: Slide, before: Option<u32>) {
        self.moved(memo, Slide { from: slide.to, to: slide.from, ..slide });
        memo.h = before;
    }
}

/// Returns the cell of each tile.
pub(in super::super) fn cells(tiles: &[Tile]) -> Vec<Cell> {
    let mut cells = vec![0; tiles.len()];
    for (cell, &tile) in (0..).zip(tiles) {
        cells[tile as usize] = cell;
    }
    cells
}
