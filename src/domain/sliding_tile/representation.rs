//! How boards are held: packed in words, or as arrays.
//!
//! Up to 16 cells fit a `u64` with four bits a tile, up to 25 a `u128` with five; a slide changes two fields of a word,
//! and a word in the hand is a word in a table. Larger boards are arrays, changed in place in the hand.

use super::board::{Cell, Tile};
use super::heuristic::Heuristic;
use super::heuristic::distance::{Formula, Table};
use super::surface::Neighbors;
use std::fmt::Debug;
use std::hash::Hash;

/// A way of holding boards.
pub(super) trait Representation: Send + Sync + 'static {
    /// A board, in the hand and in a table.
    type Key: Clone + Eq + Hash + Debug + Send + Sync;
    /// The heuristic that adds up distances.
    type Distance: Heuristic;
    /// The cells next to one.
    type Near: Iterator<Item = Cell> + Clone + From<Neighbors> + Send + Sync;

    /// Takes up the tiles, given by cell.
    fn pack(tiles: &[Tile]) -> Self::Key;

    /// The tiles of a board of `cells` cells, by cell.
    fn tiles(key: &Self::Key, cells: Cell) -> impl Iterator<Item = Tile> + Clone;

    fn tile(key: &Self::Key, cell: Cell) -> Tile;

    /// The tile on `cell` moves to `blank`.
    fn slide(key: &mut Self::Key, cell: Cell, blank: Cell);

    /// The cell of the blank.
    fn blank(key: &Self::Key) -> Cell;

    /// The board after the tile on `cell` has moved to `blank`.
    fn slid(key: &Self::Key, cell: Cell, blank: Cell) -> Self::Key;

    /// Bytes that a key owns on the heap.
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
            fn tile(key: &$word, cell: Cell) -> Tile {
                (key >> (cell * $bits) & Self::LOW) as Tile
            }

            #[inline]
            fn slide(key: &mut $word, cell: Cell, blank: Cell) {
                *key = Self::slid(key, cell, blank);
            }

            #[inline]
            fn blank(key: &$word) -> Cell {
                // The lowest field that is zero: fields beyond the board are higher.
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

/// Up to four cells below 255, each plus one in a byte, the next in the lowest.
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
    type Key = Box<[Tile]>;
    type Distance = Formula;
    type Near = Neighbors;

    fn pack(tiles: &[Tile]) -> Box<[Tile]> {
        tiles.into()
    }

    fn tiles(key: &Box<[Tile]>, _cells: Cell) -> impl Iterator<Item = Tile> + Clone {
        key.iter().copied()
    }

    #[inline]
    fn tile(key: &Box<[Tile]>, cell: Cell) -> Tile {
        key[cell as usize]
    }

    #[inline]
    fn slide(key: &mut Box<[Tile]>, cell: Cell, blank: Cell) {
        key.swap(cell as usize, blank as usize);
    }

    fn blank(key: &Box<[Tile]>) -> Cell {
        key.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell
    }

    fn slid(key: &Box<[Tile]>, cell: Cell, blank: Cell) -> Box<[Tile]> {
        let mut moved = key.clone();
        moved.swap(cell as usize, blank as usize);
        moved
    }

    fn heap_bytes(cells: Cell) -> usize {
        cells as usize * size_of::<Tile>()
    }
}
