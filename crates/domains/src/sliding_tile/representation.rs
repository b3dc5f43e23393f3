//! In-memory forms of boards: packed into words, or arrays.
//!
//! Up to 16 cells fit into a `u64` with four bits a tile, up to 25 into a `u128` with five. A slide changes two fields
//! of a word, and the same word is the state and its key. Larger boards are arrays, changed in place.

use super::board::{Cell, Tile};
use super::heuristic::Heuristic;
use super::heuristic::distance::{Formula, Table};
use super::surface::Neighbors;
use crate::search::Stored;
use std::fmt::Debug;

/// An in-memory form of boards.
pub(super) trait Representation: Send + Sync + 'static {
    /// A board in a table.
    type Key: Stored<u32> + Debug;
    /// A board that is changed in place.
    type Board: Clone + Eq + Send + Sync;
    /// The heuristic that sums distances.
    type Distance: Heuristic;
    /// The neighbours of a cell.
    type Near: Iterator<Item = Cell> + Clone + From<Neighbors> + Send + Sync;

    /// Packs the tiles, given by cell.
    fn pack(tiles: &[Tile]) -> Self::Key;

    /// Returns the tiles of a board with `cells` cells, by cell.
    fn tiles(key: &Self::Key, cells: Cell) -> impl Iterator<Item = Tile> + Clone;

    /// Returns the board of a key.
    fn unpack(key: &Self::Key, cells: Cell) -> Self::Board;

    /// Returns the key of a board.
    fn key(board: &Self::Board) -> Self::Key;

    fn tile(board: &Self::Board, cell: Cell) -> Tile;

    /// Moves the tile on `cell` to `blank`.
    fn slide(board: &mut Self::Board, cell: Cell, blank: Cell);

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
    ($name:ident, $word:ty, $bits:literal, $doc:literal) => {
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
            type Board = $word;
            type Distance = Table;
            type Near = Near;

            fn pack(tiles: &[Tile]) -> $word {
                tiles.iter().rev().fold(0, |key, &tile| key << $bits | <$word>::from(tile))
            }

            #[inline]
            fn tiles(key: &$word, cells: Cell) -> impl Iterator<Item = Tile> + Clone {
                (0..cells).map(move |cell| (key >> (cell * $bits) & Self::LOW) as Tile)
            }

            #[inline]
            fn unpack(key: &$word, _cells: Cell) -> $word {
                *key
            }

            #[inline]
            fn key(board: &$word) -> $word {
                *board
            }

            #[inline]
            fn tile(key: &$word, cell: Cell) -> Tile {
                (key >> (cell * $bits) & Self::LOW) as Tile
            }

            #[inline]
            fn slide(key: &mut $word, cell: Cell, blank: Cell) {
                *key = Self::slid(key, cell, blank);
            }

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

packed!(Packed16, u64, 4, "Boards of up to 16 cells: four bits a tile.");
packed!(Packed25, u128, 5, "Boards of up to 25 cells: five bits a tile.");

/// Up to four cells below 255, each plus one in a byte; the next one is in the lowest byte.
#[derive(Clone, Copy)]
pub(super) struct Near(u32);

impl From<Neighbors> for Near {
    fn from(neighbors: Neighbors) -> Near {
        Near((0..).zip(neighbors).fold(0, |near, (number, cell)| near | (cell + 1) << (8 * number)))
    }
}

impl Iterator for Near {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = (self.0 & 255).checked_sub(1);
        self.0 >>= 8;
        cell
    }
}

/// Boards of any size.
pub(super) struct Array;

impl Representation for Array {
    /// Two tiles in a word.
    type Key = Box<[u64]>;
    type Board = Box<[Tile]>;
    type Distance = Formula;
    type Near = Neighbors;

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
