//! The pieces that moves move, found by comparing figures.

use crate::domain::Searchable;
use crate::picture::{Cell, Figure};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Returns the figures of a position.
pub fn figures(space: &dyn Searchable) -> Vec<Figure> {
    space.moving().or_else(|| Some(space.picture()?.figures)).unwrap_or_default()
}

/// Returns the keys of the figures that move or appear between two positions.
pub fn moved(before: &[Figure], after: &[Figure]) -> Vec<u64> {
    let is_same = |figure: &&Figure| before.iter().any(|old| old.key == figure.key && old.at == figure.at);
    after.iter().filter(|figure| !is_same(figure)).map(|figure| figure.key).collect()
}

/// How often a solution turns to another piece, and how many pieces it moves. A figure that takes part in all moves,
/// such as the man of Sokoban, is not counted if others move, too.
pub fn switches_and_pieces(moves: &[Vec<u64>]) -> (usize, usize) {
    let everywhere = |key: &u64| moves.iter().all(|moved| moved.contains(key));
    let mover = moves.first().and_then(|first| first.iter().copied().find(everywhere));
    let is_alone = moves.iter().all(|moved| moved.len() < 2);
    let pieces = |moved: &Vec<u64>| -> Vec<u64> {
        moved.iter().copied().filter(|&key| is_alone || Some(key) != mover).collect()
    };
    let moved: Vec<Vec<u64>> = moves.iter().map(pieces).filter(|moved| !moved.is_empty()).collect();
    let switches = moved.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let distinct: FxHashSet<u64> = moved.iter().flatten().copied().collect();
    (switches, distinct.len())
}

/// A symmetry of a rectangle: mirrored rows, mirrored columns, and rows exchanged with columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(pub bool, pub bool, pub bool);

impl Symmetry {
    /// The board as it is.
    pub const NONE: Symmetry = Symmetry(false, false, false);

    /// Returns the image of a cell of a board with this many rows and columns.
    pub fn image(self, (row, column): Cell, (rows, columns): (usize, usize)) -> Cell {
        let row = if self.0 { (rows - 1).saturating_sub(row) } else { row };
        let column = if self.1 { (columns - 1).saturating_sub(column) } else { column };
        if self.2 { (column, row) } else { (row, column) }
    }
}

/// What figures look like, each with its label and its cells under a symmetry.
pub fn places(figures: &[Figure], symmetry: Symmetry, size: (usize, usize)) -> FxHashSet<(String, Vec<Cell>)> {
    let place = |figure: &Figure| {
        let cells = figure.cells.iter().map(|&(row, column)| (figure.at.0 + row, figure.at.1 + column));
        let mut cells: Vec<Cell> = cells.map(|cell| symmetry.image(cell, size)).collect();
        cells.sort_unstable();
        (figure.label.clone(), cells)
    };
    figures.iter().map(place).collect()
}

/// Returns a number for what changes between two positions, the same for equal changes of equal figures; of the image
/// of the board under a symmetry.
pub fn change(before: &[Figure], after: &[Figure], symmetry: Symmetry, size: (usize, usize)) -> u64 {
    let (old, new) = (places(before, symmetry, size), places(after, symmetry, size));
    let mut gone: Vec<_> = old.difference(&new).collect();
    let mut come: Vec<_> = new.difference(&old).collect();
    gone.sort_unstable();
    come.sort_unstable();
    let mut hasher = FxHasher::default();
    (gone, come).hash(&mut hasher);
    // Sums of plain hashes of numbers in a row could be equal.
    let hash = hasher.finish();
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ hash >> 32
}
