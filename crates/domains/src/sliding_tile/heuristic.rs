//! The heuristics, with incremental evaluation: each updates a memo of the board, so that a move costs a look-up or
//! two.
//!
//! - `distance`: sums of a distance for each tile: `zero`, `hamming`, `manhattan`;
//! - `linear_conflict`: Manhattan distance with the extra moves of conflicting tiles in one line;
//! - `walking_distance`: exact solutions of an abstraction to rows, and of one to columns;
//! - `pattern_database`: exact solutions of abstractions to groups of tiles;
//! - `own`: expressions of the puzzle file.

pub(super) mod distance;
pub(super) mod linear_conflict;
pub(super) mod own;
pub(super) mod pattern_database;
pub(super) mod walking_distance;

use super::board::{Cell, Tile};
use crate::space::{Cost, Part, Parts};
use linear_conflict::LinearConflict;
use own::Own;
use pattern_database::{FEW, PatternDatabase};
use std::sync::Arc;
use walking_distance::WalkingDistance;

/// Caps a sum of distances, which very large boards need, far below the h of a state from which no goal is reachable.
/// It stays admissible and consistent.
#[inline]
fn capped(sum: u64) -> u32 {
    sum.min((u32::INFINITY / 2).into()) as u32
}

/// A slide of a tile from its cell to the blank's.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    pub tile: Tile,
    pub from: Cell,
    pub to: Cell,
}

/// A lower bound on the moves to the goal, evaluated incrementally from a memo of the board.
pub(super) trait Heuristic: Send + Sync + 'static {
    /// The incrementally updated data of a board.
    type Memo: Clone + Send + Sync + 'static;
    /// The data that undoes a slide.
    type Undo: Copy;

    /// Computes the memo of a board, given by cell.
    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Self::Memo;

    fn h(&self, memo: &Self::Memo) -> u32;

    /// Returns the parts of h of a board, given by cell; by default it has none.
    fn parts(&self, _tiles: &[Tile]) -> Parts {
        Parts::default()
    }

    /// Returns the size of its tables in bytes.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// True if the memo determines if the board is the goal.
    const KNOWS_GOAL: bool;

    /// Returns whether the board is the goal, if [`KNOWS_GOAL`](Self::KNOWS_GOAL) holds.
    #[inline]
    fn is_goal(&self, memo: &Self::Memo) -> bool {
        self.h(memo) == 0
    }

    /// Updates the memo for a slide; `tile_at` returns the tiles before it.
    ///
    /// # Errors
    /// Returns the h after the slide if it is not less than `below`; the memo is then unchanged.
    fn slide(
        &self,
        memo: &mut Self::Memo,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Self::Undo, u32>;

    /// Undoes the last slide.
    fn unslide(&self, memo: &mut Self::Memo, slide: Slide, undo: Self::Undo);
}

/// The heuristics that consider several tiles together: one of them, chosen when the space is built.
pub(super) enum Informed {
    LinearConflict(LinearConflict),
    WalkingDistance(Arc<WalkingDistance>),
    PatternDatabase(Box<PatternDatabase<FEW>>),
    /// The maximum of several (Holte et al. 2006 on the maximum of admissible heuristics).
    Maximum(Vec<Informed>),
    /// A heuristic of the file.
    Own(Own),
}

/// The memo of [`Informed`].
#[derive(Clone)]
pub(super) enum Memo {
    LinearConflict(linear_conflict::Memo),
    WalkingDistance(walking_distance::Memo),
    PatternDatabase(pattern_database::Memo<FEW>),
    /// The memo of each, and the undo data of all slides so far.
    Maximum(Vec<Memo>, Vec<Undo>),
    Own(own::Memo),
}

/// The undo data of [`Informed`].
#[derive(Clone, Copy)]
pub(super) enum Undo {
    LinearConflict(linear_conflict::Undo),
    WalkingDistance(walking_distance::Memo),
    PatternDatabase(pattern_database::Undo<FEW>),
    /// The data is in the memo.
    Maximum,
    /// The h before, if it was known.
    Own(Option<u32>),
}

impl Heuristic for Informed {
    type Memo = Memo;
    type Undo = Undo;

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo {
        match self {
            Informed::LinearConflict(heuristic) => Memo::LinearConflict(heuristic.memo(tiles)),
            Informed::WalkingDistance(heuristic) => Memo::WalkingDistance(heuristic.memo(tiles)),
            Informed::PatternDatabase(heuristic) => Memo::PatternDatabase(heuristic.memo(tiles)),
            Informed::Maximum(several) => {
                Memo::Maximum(several.iter().map(|one| one.memo(tiles.clone())).collect(), Vec::new())
            }
            Informed::Own(heuristic) => Memo::Own(heuristic.memo(tiles)),
        }
    }

    #[inline]
    fn h(&self, memo: &Memo) -> u32 {
        match (self, memo) {
            (Informed::LinearConflict(heuristic), Memo::LinearConflict(memo)) => heuristic.h(memo),
            (Informed::WalkingDistance(heuristic), Memo::WalkingDistance(memo)) => heuristic.h(memo),
            (Informed::PatternDatabase(heuristic), Memo::PatternDatabase(memo)) => heuristic.h(memo),
            (Informed::Maximum(several), Memo::Maximum(memos, _)) => {
                several.iter().zip(memos).map(|(one, memo)| one.h(memo)).max().unwrap_or(0)
            }
            (Informed::Own(heuristic), Memo::Own(memo)) => heuristic.h(memo),
            _ => unreachable!("a memo belongs to its heuristic"),
        }
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        match self {
            Informed::LinearConflict(heuristic) => heuristic.parts(tiles),
            Informed::WalkingDistance(heuristic) => heuristic.parts(tiles),
            Informed::PatternDatabase(heuristic) => heuristic.parts(tiles),
            Informed::Maximum(several) => {
                let h = |one: &&Informed| one.h(&one.memo(tiles.iter().copied()));
                let greatest = several.iter().rev().max_by_key(h);
                greatest.map_or_else(Parts::default, |one| one.parts(tiles).greatest_of(several.len(), "heuristics"))
            }
            Informed::Own(heuristic) => heuristic.parts(tiles),
        }
    }

    fn table_bytes(&self) -> u64 {
        match self {
            Informed::LinearConflict(heuristic) => heuristic.table_bytes(),
            Informed::WalkingDistance(heuristic) => heuristic.table_bytes(),
            Informed::PatternDatabase(heuristic) => heuristic.table_bytes(),
            Informed::Maximum(several) => several.iter().map(Informed::table_bytes).sum(),
            Informed::Own(_) => 0,
        }
    }

    /// All but those of the file are at least the Manhattan distance, which is zero only at the goal.
    const KNOWS_GOAL: bool = true;

    #[inline]
    fn is_goal(&self, memo: &Memo) -> bool {
        match (self, memo) {
            (Informed::Own(heuristic), Memo::Own(memo)) => heuristic.is_goal(memo),
            _ => self.h(memo) == 0,
        }
    }

    #[inline]
    fn slide(
        &self,
        memo: &mut Memo,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Undo, u32> {
        match (self, memo) {
            (Informed::LinearConflict(heuristic), Memo::LinearConflict(memo)) => {
                heuristic.slide(memo, slide, tile_at, below).map(Undo::LinearConflict)
            }
            (Informed::WalkingDistance(heuristic), Memo::WalkingDistance(memo)) => {
                heuristic.slide(memo, slide, tile_at, below).map(Undo::WalkingDistance)
            }
            (Informed::PatternDatabase(heuristic), Memo::PatternDatabase(memo)) => {
                heuristic.slide(memo, slide, tile_at, below).map(Undo::PatternDatabase)
            }
            (Informed::Maximum(several), Memo::Maximum(memos, undone)) => {
                slide_all(several, memos, undone, slide, &tile_at, below)
            }
            (Informed::Own(heuristic), Memo::Own(memo)) => heuristic.slide(memo, slide, below).map(Undo::Own),
            _ => unreachable!("a memo belongs to its heuristic"),
        }
    }

    #[inline]
    fn unslide(&self, memo: &mut Memo, slide: Slide, undo: Undo) {
        match (self, memo, undo) {
            (Informed::LinearConflict(heuristic), Memo::LinearConflict(memo), Undo::LinearConflict(undo)) => {
                heuristic.unslide(memo, slide, undo);
            }
            (Informed::WalkingDistance(heuristic), Memo::WalkingDistance(memo), Undo::WalkingDistance(undo)) => {
                heuristic.unslide(memo, slide, undo);
            }
            (Informed::PatternDatabase(heuristic), Memo::PatternDatabase(memo), Undo::PatternDatabase(undo)) => {
                heuristic.unslide(memo, slide, undo);
            }
            (Informed::Maximum(several), Memo::Maximum(memos, undone), Undo::Maximum) => {
                for (one, memo) in several.iter().zip(memos).rev() {
                    one.unslide(memo, slide, undone.pop().expect("every undone slide was made before"));
                }
            }
            (Informed::Own(heuristic), Memo::Own(memo), Undo::Own(before)) => heuristic.unslide(memo, slide, before),
            _ => unreachable!("a memo belongs to its heuristic"),
        }
    }
}

/// Returns a part of h for each tile of a board, given its value on its cell.
fn by_tile<V: Into<f64>>(tiles: &[Tile], value: impl Fn(Tile, Cell) -> V) -> impl Iterator<Item = Part> {
    let placed = (0..).zip(tiles).filter(|(_, tile)| **tile != 0);
    placed.map(move |(cell, &tile)| Part::of(format!("tile {tile}"), value(tile, cell), [tile]))
}

/// Updates the memos of several heuristics, or of none if one exceeds the bound.
fn slide_all(
    several: &[Informed],
    memos: &mut [Memo],
    undone: &mut Vec<Undo>,
    slide: Slide,
    tile_at: &dyn Fn(Cell) -> Tile,
    below: u32,
) -> Result<Undo, u32> {
    for number in 0..several.len() {
        match several[number].slide(&mut memos[number], slide, tile_at, below) {
            Ok(undo) => undone.push(undo),
            Err(h) => {
                for (one, memo) in several[..number].iter().zip(memos).rev() {
                    one.unslide(memo, slide, undone.pop().expect("the slide was just made"));
                }
                return Err(h);
            }
        }
    }
    Ok(Undo::Maximum)
}
