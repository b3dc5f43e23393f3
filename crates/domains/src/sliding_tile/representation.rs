//! In-memory forms of boards: packed into words, or arrays.
//!
//! Up to 16 cells fit into a `u64` with four bits a tile. A slide changes two fields of the word, which is both the
//! state and its key. Keys of up to 25 cells are a `u128` with five bits a tile; their states are arrays of bytes,
//! since a field of two machine words takes longer to read. Larger boards are arrays, changed in place.

use super::board::{Cell, Tile, TileBoard};
use super::heuristic::Heuristic;
use super::heuristic::distance::{Formula, Table};
use super::neighbors::Neighbors;
use crate::search::Stored;
use std::fmt::Debug;

/// The greatest number of cells of an array with a list of neighbours.
const MOST_LISTED: Cell = 1024;

/// An in-memory form of boards.
pub(super) trait Representation: Send + Sync + 'static {
    /// A board in a table.
    type Key: Stored<u32> + Debug;
    /// A board that is changed in place.
    type Tiles: Clone + Eq + Send + Sync;
    /// The data that undoes a slide.
    type Undo: Copy;
    /// The heuristic that sums distances.
    type Distance: Heuristic;
    /// The neighbours of a cell.
    type Near: Iterator<Item = Cell>;
    /// The neighbours of all cells.
    type Neighborhoods: Send + Sync;

    /// Lists the neighbours of all cells.
    fn neighborhoods(board: &TileBoard) -> Self::Neighborhoods;

    /// Returns the neighbours of a cell in the order of the moves. `except` may be omitted.
    fn near(neighborhoods: &Self::Neighborhoods, board: &TileBoard, cell: Cell, except: Cell) -> Self::Near;

    /// Packs the tiles, given by cell.
    fn pack(tiles: &[Tile]) -> Self::Key;

    /// Returns the tiles of a board with `cells` cells, by cell.
    fn tiles(key: &Self::Key, cells: Cell) -> impl Iterator<Item = Tile> + Clone;

    /// Returns the features of a board: the tile of each cell.
    fn features(key: &Self::Key, cells: Cell) -> impl Iterator<Item = u64> {
        let of_cell = move |(cell, tile)| cell * u64::from(cells) + u64::from(tile);
        (0..).zip(Self::tiles(key, cells)).map(of_cell)
    }

    /// Returns the board of a key.
    fn unpack(key: &Self::Key, cells: Cell) -> Self::Tiles;

    /// Returns the key of a board.
    fn key(board: &Self::Tiles) -> Self::Key;

    fn tile(board: &Self::Tiles, cell: Cell) -> Tile;

    /// Moves the tile on `cell` to `blank`.
    fn slide(board: &mut Self::Tiles, cell: Cell, blank: Cell) -> Self::Undo;

    /// Undoes the last slide, which was from `cell` to `blank`.
    fn unslide(board: &mut Self::Tiles, cell: Cell, blank: Cell, undo: Self::Undo);

    /// Returns the cell of the blank.
    fn blank(key: &Self::Key) -> Cell;

    /// Returns the board after the tile on `cell` has moved to `blank`.
    fn slid(key: &Self::Key, cell: Cell, blank: Cell) -> Self::Key;

    /// Returns the bytes that a key owns on the heap.
    fn heap_bytes(_cells: Cell) -> usize {
        0
    }
}

macro_rules! packed {
    ($name:ident, $word:ty, $bits:literal, $doc:literal, { $($board:item)* }) => {
        #[doc = $doc]
        pub(super) struct $name;

        impl $name {
            const LOW: $word = (1 << $bits) - 1;
            /// The lowest bit of every field.
            const ONES: $word = {
                let mut ones = 0;
                let mut at = 0;
                while at + $bits <= <$word>::BITS {
                    ones |= 1 << at;
                    at += $bits;
                }
                ones
            };
        }

        impl Representation for $name {
            type Key = $word;
            type Distance = Table;
            type Near = Near;
            /// By the cell and by the neighbour that is omitted, five bits each.
            type Neighborhoods = [Near; 1 << 10];

            fn neighborhoods(board: &TileBoard) -> [Near; 1 << 10] {
                let list = |cell, except| board.neighbors(cell).filter(|&other| other != except).collect();
                std::array::from_fn(|place| {
                    let (cell, except) = (place as Cell >> 5, place as Cell & 31);
                    if cell < board.cells() { list(cell, except) } else { Near::default() }
                })
            }

            #[inline]
            fn near(neighborhoods: &[Near; 1 << 10], _board: &TileBoard, cell: Cell, except: Cell) -> Near {
                // The masks remove the bounds check.
                neighborhoods[((cell & 31) << 5 | except & 31) as usize]
            }

            fn pack(tiles: &[Tile]) -> $word {
                tiles.iter().rev().fold(0, |key, &tile| key << $bits | <$word>::from(tile))
            }

            #[inline]
            fn tiles(key: &$word, cells: Cell) -> impl Iterator<Item = Tile> + Clone {
                (0..cells).map(move |cell| (key >> (cell * $bits) & Self::LOW) as Tile)
            }

            $($board)*

            #[inline]
            fn blank(key: &$word) -> Cell {
                // The lowest field that is zero; fields beyond the board are higher.
                let mut filled = *key;
                let mut bit = 1;
                while bit < $bits {
                    filled |= key >> bit;
                    bit += 1;
                }
                (!filled & Self::ONES).trailing_zeros() / $bits
            }

            #[inline]
            fn slid(key: &$word, cell: Cell, blank: Cell) -> $word {
                let tile = key >> (cell * $bits) & Self::LOW;
                key ^ (tile << (cell * $bits)) ^ (tile << (blank * $bits))
            }
        }
    };
}

packed!(Packed16, u64, 4, "Boards of up to 16 cells: four bits a tile.", {
    type Tiles = u64;
    /// The board before the slide.
    type Undo = u64;

    #[inline]
    fn unpack(key: &u64, _cells: Cell) -> u64 {
        *key
    }

    #[inline]
    fn key(board: &u64) -> u64 {
        *board
    }

    #[inline]
    fn tile(board: &u64, cell: Cell) -> Tile {
        (board >> (cell * 4) & Self::LOW) as Tile
    }

    #[inline]
    fn slide(board: &mut u64, cell: Cell, blank: Cell) -> u64 {
        let before = *board;
        *board = Self::slid(board, cell, blank);
        before
    }

    #[inline]
    fn unslide(board: &mut u64, _cell: Cell, _blank: Cell, before: u64) {
        *board = before;
    }
});

packed!(Packed25, u128, 5, "Boards of up to 25 cells: five bits a tile, or a byte a tile in place.", {
    /// The tiles by cell. All 32 entries can be indexed without a check.
    type Tiles = [u8; 32];
    type Undo = ();

    fn unpack(key: &u128, cells: Cell) -> [u8; 32] {
        let mut board = [0; 32];
        board.iter_mut().zip(Self::tiles(key, cells)).for_each(|(entry, tile)| *entry = tile as u8);
        board
    }

    fn key(board: &[u8; 32]) -> u128 {
        board[..25].iter().rev().fold(0, |key, &tile| key << 5 | u128::from(tile))
    }

    #[inline]
    fn tile(board: &[u8; 32], cell: Cell) -> Tile {
        board[cell as usize & 31].into()
    }

    #[inline]
    fn slide(board: &mut [u8; 32], cell: Cell, blank: Cell) {
        board.swap(cell as usize & 31, blank as usize & 31);
    }

    #[inline]
    fn unslide(board: &mut [u8; 32], cell: Cell, blank: Cell, (): ()) {
        board.swap(cell as usize & 31, blank as usize & 31);
    }
});

/// Up to four cells below 32, seven bits each, the next one lowest; above the last one is a 1.
#[derive(Clone, Copy)]
pub(super) struct Near(u32);

impl Default for Near {
    fn default() -> Near {
        Near(1)
    }
}

impl FromIterator<Cell> for Near {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Near {
        let (mut near, mut end) = (0, 0);
        for cell in cells {
            near |= cell << end;
            end += 7;
        }
        Near(near | 1 << end)
    }
}

impl Iterator for Near {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.0 <= 1 {
            return None;
        }
        let cell = self.0 & 127;
        self.0 >>= 7;
        Some(cell)
    }
}

/// Boards of any size.
pub(super) struct Array;

impl Representation for Array {
    /// Two tiles in a word.
    type Key = Box<[u64]>;
    type Tiles = Box<[Tile]>;
    type Undo = ();
    type Distance = Formula;
    type Near = Neighbors;
    /// Empty on boards with more than [`MOST_LISTED`] cells.
    type Neighborhoods = Vec<Neighbors>;

    fn neighborhoods(board: &TileBoard) -> Vec<Neighbors> {
        let cells = board.cells();
        (0..if cells <= MOST_LISTED { cells } else { 0 }).map(|cell| board.neighbors(cell)).collect()
    }

    #[inline]
    fn near(neighborhoods: &Vec<Neighbors>, board: &TileBoard, cell: Cell, _except: Cell) -> Neighbors {
        neighborhoods.get(cell as usize).copied().unwrap_or_else(|| board.neighbors(cell))
    }

    fn pack(tiles: &[Tile]) -> Box<[u64]> {
        let word = |two: &[Tile]| two.iter().rev().fold(0, |word, &tile| word << Tile::BITS | u64::from(tile));
        tiles.chunks(2).map(word).collect()
    }

    fn tiles(key: &Box<[u64]>, cells: Cell) -> impl Iterator<Item = Tile> + Clone {
        key.iter().flat_map(|word| [*word as Tile, (word >> Tile::BITS) as Tile]).take(cells as usize)
    }

    fn unpack(key: &Box<[u64]>, cells: Cell) -> Box<[Tile]> {
        Array::tiles(key, cells).collect()
    }

    fn key(board: &Box<[Tile]>) -> Box<[u64]> {
        Array::pack(board)
    }

    #[inline]
    fn tile(board: &Box<[Tile]>, cell: Cell) -> Tile {
        board[cell as usize]
    }

    #[inline]
    fn slide(board: &mut Box<[Tile]>, cell: Cell, blank: Cell) {
        board.swap(cell as usize, blank as usize);
    }

    #[inline]
    fn unslide(board: &mut Box<[Tile]>, cell: Cell, blank: Cell, (): ()) {
        board.swap(cell as usize, blank as usize);
    }

    fn blank(key: &Box<[u64]>) -> Cell {
        Array::tiles(key, 2 * key.len() as Cell).position(|tile| tile == 0).unwrap_or(0) as Cell
    }

    fn slid(key: &Box<[u64]>, cell: Cell, blank: Cell) -> Box<[u64]> {
        let place = |cell: Cell| (cell as usize / 2, cell % 2 * Tile::BITS);
        let ((from, from_bit), (to, to_bit)) = (place(cell), place(blank));
        let tile = u64::from((key[from] >> from_bit) as Tile);
        let mut moved = key.clone();
        moved[from] ^= tile << from_bit;
        moved[to] ^= tile << to_bit;
        moved
    }

    fn heap_bytes(cells: Cell) -> usize {
        (cells as usize).div_ceil(2) * size_of::<u64>()
    }
}
