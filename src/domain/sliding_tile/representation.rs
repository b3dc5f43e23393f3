//! How boards are held: as an array in the hand, and packed in a table.
//!
//! Up to 16 cells fit a `u64` with four bits a tile, up to 25 a `u128` with five. A move changes two fields of a word,
//! so children are made without unpacking. Larger boards are arrays in the table, too.

use super::board::{Cell, Tile};
use super::distance::{Distance, Formula, Table};
use std::fmt::Debug;
use std::hash::Hash;

/// A way of holding boards.
pub(super) trait Representation: Send + Sync + 'static {
    type Key: Clone + Eq + Hash + Debug + Send + Sync;
    type Distance: Distance;

    /// Packs the tiles, given by cell.
    fn pack(tiles: &[Tile]) -> Self::Key;

    /// The tiles of a board of `cells` cells, by cell.
    fn tiles(key: &Self::Key, cells: usize) -> impl Iterator<Item = Tile>;

    /// The cell of the blank.
    fn blank(key: &Self::Key) -> Cell;

    /// The board after the tile on `cell` has moved to `blank`.
    fn slide(key: &Self::Key, cell: Cell, blank: Cell) -> Self::Key;

    /// Bytes that a key owns on the heap.
    fn heap_bytes(_cells: usize) -> usize {
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

            fn pack(tiles: &[Tile]) -> $word {
                tiles.iter().rev().fold(0, |key, &tile| key << $bits | <$word>::from(tile))
            }

            #[inline]
            fn tiles(key: &$word, cells: usize) -> impl Iterator<Item = Tile> {
                (0..cells).map(move |cell| (key >> (cell * $bits) & Self::LOW) as Tile)
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
            fn slide(key: &$word, cell: Cell, blank: Cell) -> $word {
                let tile = key >> (cell * $bits) & Self::LOW;
                key ^ (tile << (cell * $bits)) ^ (tile << (blank * $bits))
            }
        }
    };
}

packed!(Packed16, u64, 4, "Boards of up to 16 cells: four bits a tile.");
packed!(Packed25, u128, 5, "Boards of up to 25 cells: five bits a tile.");

/// Boards of any size.
pub(super) struct Array;

impl Representation for Array {
    type Key = Box<[Tile]>;
    type Distance = Formula;

    fn pack(tiles: &[Tile]) -> Box<[Tile]> {
        tiles.into()
    }

    fn tiles(key: &Box<[Tile]>, _cells: usize) -> impl Iterator<Item = Tile> {
        key.iter().copied()
    }

    fn blank(key: &Box<[Tile]>) -> Cell {
        key.iter().position(|&tile| tile == 0).unwrap_or(0) as Cell
    }

    fn slide(key: &Box<[Tile]>, cell: Cell, blank: Cell) -> Box<[Tile]> {
        let mut moved = key.clone();
        moved.swap(cell as usize, blank as usize);
        moved
    }

    fn heap_bytes(cells: usize) -> usize {
        cells * size_of::<Tile>()
    }
}
