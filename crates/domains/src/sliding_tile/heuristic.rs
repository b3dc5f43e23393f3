//! The heuristics: what each carries from board to board, so that a move costs a look-up or two.
//!
//! - `distance`: a distance for each tile, added up: `zero`, `hamming`, `manhattan`;
//! - `linear_conflict`: what tiles in one line cost each other beyond that;
//! - `walking_distance`: rows and columns, each solved as a puzzle of its own;
//! - `pattern_database`: groups of tiles, each solved as a puzzle of its own.

pub(super) mod distance;
pub(super) mod linear_conflict;
pub(super) mod pattern_database;
pub(super) mod walking_distance;

use super::board::{Cell, Tile};
use linear_conflict::LinearConflict;
use pattern_database::PatternDatabase;
use std::sync::Arc;
use walking_distance::WalkingDistance;

/// A tile goes from its cell to the blank's.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    pub tile: Tile,
    pub from: Cell,
    pub to: Cell,
}

/// A lower bound on the moves to the goal, and what is kept of a board to tell it from one move to the next.
pub(super) trait Heuristic: Send + Sync + 'static {
    /// What is kept of a board.
    type Memo: Clone + Send + Sync + 'static;
    /// What it takes to forget a slide.
    type Undo: Copy;

    /// What is kept of a board, given by cell.
    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Self::Memo;

    fn h(&self, memo: &Self::Memo) -> u32;

    /// Bytes of its tables.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// Whether what is kept tells if the board is the goal.
    const TELLS_GOAL: bool;

    /// Whether the board is the goal, where that can be told.
    #[inline]
    fn is_goal(&self, memo: &Self::Memo) -> bool {
        self.h(memo) == 0
    }

    /// Follows a slide on a board, told by cell as it was before.
    ///
    /// # Errors
    /// An h after the slide that is not `below` this; the memo is what it was.
    fn slide(
        &self,
        memo: &mut Self::Memo,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Self::Undo, u32>;

    /// Forgets the slide that was made last.
    fn unslide(&self, memo: &mut Self::Memo, slide: Slide, undo: Self::Undo);
}

/// The heuristics that look at more than one tile: one of them, chosen when the space is made.
pub(super) enum Informed {
    LinearConflict(LinearConflict),
    WalkingDistance(Arc<WalkingDistance>),
    PatternDatabase(Box<PatternDatabase>),
    /// The greatest of several (Holte et al. 2006 on the maximum of admissible heuristics).
    Maximum(Vec<Informed>),
}

/// What [`Informed`] keeps.
#[derive(Clone)]
pub(super) enum Memo {
    LinearConflict(linear_conflict::Memo),
    WalkingDistance(walking_distance::Memo),
    PatternDatabase(pattern_database::Memo),
    /// What each keeps, and what each needs to forget the slides that were made.
    Maximum(Vec<Memo>, Vec<Undo>),
}

/// What [`Informed`] needs to forget a slide.
#[derive(Clone, Copy)]
pub(super) enum Undo {
    LinearConflict(linear_conflict::Undo),
    WalkingDistance(walking_distance::Memo),
    PatternDatabase(pattern_database::Undo),
    /// It is in the memo.
    Maximum,
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
            _ => unreachable!("a memo belongs to its heuristic"),
        }
    }

    fn table_bytes(&self) -> u64 {
        match self {
            Informed::LinearConflict(heuristic) => heuristic.table_bytes(),
            Informed::WalkingDistance(heuristic) => heuristic.table_bytes(),
            Informed::PatternDatabase(heuristic) => heuristic.table_bytes(),
            Informed::Maximum(several) => several.iter().map(Informed::table_bytes).sum(),
        }
    }

    /// They are no less than the Manhattan distance, which is zero at the goal alone.
    const TELLS_GOAL: bool = true;

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
                    one.unslide(memo, slide, undone.pop().expect("every slide that is forgotten was made"));
                }
            }
            _ => unreachable!("a memo belongs to its heuristic"),
        }
    }
}

/// Follows a slide with several heuristics, or with none, if one says that it is too far.
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
                    one.unslide(memo, slide, undone.pop().expect("it was made just now"));
                }
                return Err(h);
            }
        }
    }
    Ok(Undo::Maximum)
}
