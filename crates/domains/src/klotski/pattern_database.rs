//! The heuristic `pattern-database`: exact distances in a simpler puzzle, in which all pieces but one that a goal names
//! have lost their names and their outlines (Culberson and Schaeffer 1998; for the empty cells as part of a pattern,
//! Korf and Felner 2002).
//!
//! A pattern is where that piece stands and which cells are empty. Any filled cells of the shape of some piece may move
//! as that piece might, so every move of the puzzle is a move of the simpler one, and distances there are lower bounds
//! here: admissible, and consistent. They tell how often the empty cells have to be brought round before the piece can
//! go on, which `goal-distance` knows nothing of. Of several pieces of a goal the greatest distance counts, of several
//! goals the least.

use super::bits::{Bits, Field, Holds, Packed};
use super::layout::CellIndex;
use super::pieces::Pieces;
use rustc_hash::FxHashMap;

/// Patterns are no more than this in all; a piece whose patterns would be more goes without.
const MOST: u64 = 1 << 18;

/// A piece's anchor, and the empty cells.
type Pattern<B> = (CellIndex, B);

/// The distances for every goal.
pub(super) struct PatternDatabase<B> {
    goals: Vec<Vec<Distances<B>>>,
}

/// The distances of one piece to one place.
struct Distances<B> {
    field: Field,
    to_goal: FxHashMap<Pattern<B>, u16>,
}

impl<B: Bits> PatternDatabase<B> {
    /// The databases of pieces whose moves can all be taken back, for these goals; `empty` cells are empty.
    pub fn new(pieces: &Pieces<B>, goals: &[Vec<Vec<Holds>>], empty: u32) -> Self {
        let mut left = MOST;
        let mut goal = |goal: &Vec<Vec<Holds>>| {
            let named = goal.iter().filter_map(|any| match &any[..] {
                [held] if pieces.classes[usize::from(held.class)].count == 1 => Some(held),
                _ => None,
            });
            named.filter_map(|held| Distances::new(pieces, held.class.into(), held.anchor, empty, &mut left)).collect()
        };
        PatternDatabase { goals: goals.iter().map(&mut goal).collect() }
    }

    /// The bound for a key with these empty cells.
    pub fn h<K: Packed>(&self, key: &K, empty: B) -> u32 {
        let distance = |of: &Distances<B>| {
            let pattern = (B::load(key, &of.field).first() as CellIndex, empty);
            // A pattern that was not met cannot get to the goal, nor can the state.
            of.to_goal.get(&pattern).map_or(u32::from(u16::MAX), |&moves| moves.into())
        };
        let bound = |goal: &Vec<Distances<B>>| goal.iter().map(distance).max().unwrap_or(0);
        self.goals.iter().map(bound).min().unwrap_or(0)
    }
}

impl<B: Bits> Distances<B> {
    /// Breadth-first from all patterns with the piece in its place; takes their number off what is left.
    fn new(pieces: &Pieces<B>, class: usize, at: CellIndex, empty: u32, left: &mut u64) -> Option<Self> {
        let piece = &pieces.classes[class];
        let rest = pieces.floor & !piece.shape.cover(B::single(at.into()));
        *left = left.checked_sub(choose(rest.count(), empty).saturating_mul(piece.placements.count().into()))?;
        let mut to_goal = FxHashMap::default();
        let mut level: Vec<Pattern<B>> = Vec::new();
        each_subset(rest, empty, B::EMPTY, &mut |cells| level.push((at, cells)));
        for distance in 0.. {
            level.retain(|pattern| match to_goal.entry(*pattern) {
                std::collections::hash_map::Entry::Occupied(_) => false,
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(distance);
                    true
                }
            });
            if level.is_empty() {
                break;
            }
            let mut next = Vec::new();
            level.iter().for_each(|pattern| each_neighbor(pieces, class, *pattern, |neighbor| next.push(neighbor)));
            level = next;
        }
        Some(Distances { field: piece.field, to_goal })
    }
}

/// The patterns that one move makes of a pattern.
fn each_neighbor<B: Bits>(pieces: &Pieces<B>, class: usize, (at, empty): Pattern<B>, mut each: impl FnMut(Pattern<B>)) {
    let stands = B::single(at.into());
    let filled = pieces.floor & !empty & !pieces.classes[class].shape.cover(stands);
    for (number, of) in pieces.classes.iter().enumerate() {
        let anchors = if number == class { stands } else { of.shape.fit(of.placements, filled) };
        pieces.moves_of(of, anchors, empty, &mut |from, to| {
            let left = empty | of.shape.cover(B::single(from));
            let at = if number == class { to as CellIndex } else { at };
            each((at, left & !of.shape.cover(B::single(to))));
        });
    }
}

/// All sets of so many of some cells, with others.
fn each_subset<B: Bits>(mut of: B, count: u32, with: B, each: &mut impl FnMut(B)) {
    if count == 0 {
        return each(with);
    }
    while of.count() >= count {
        let cell = of.first();
        of = of.without_first();
        each_subset(of, count - 1, with | B::single(cell), each);
    }
}

/// How many sets of `k` there are among `n`, at least `k` of them; cut off where that is far too many.
fn choose(n: u32, k: u32) -> u64 {
    (0..k.min(n - k))
        .fold(1u64, |sets, i| (sets.saturating_mul(u64::from(n - i)) / u64::from(i + 1)).min(u64::MAX / 2048))
}
