//! The heuristic `pattern-database`: exact distances in an abstraction in which only one piece that a goal names keeps
//! its identity and outline (Culberson and Schaeffer 1998; for empty cells as part of a pattern, Korf and Felner 2002).
//!
//! A pattern consists of the anchor of that piece and the set of empty cells. Any filled cells with the shape of some
//! piece may move as this piece might. So every move of the puzzle is a move of the abstraction, and distances there
//! are lower bounds: admissible and consistent. They account for the moves that bring the empty cells around so that
//! the piece can continue, which `goal-distance` ignores. The maximum over several pieces of a goal counts, and the
//! minimum over several goals.

use super::bits::{AnchorTest, Bits, Field, Packed};
use super::compiled_board::CellIndex;
use super::pieces::Pieces;
use crate::domain::BuildContext;
use crate::space::Cost;
use rustc_hash::FxHashMap;

/// The greatest number of patterns in all databases; a piece with too many patterns has none.
const MOST_PATTERNS: u64 = 1 << 18;

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
    /// Builds the databases for these goals. All moves of the pieces must be reversible; `empty` is the number of empty
    /// cells.
    pub fn new(pieces: &Pieces<B>, goals: &[Vec<Vec<AnchorTest>>], empty: u32, context: &BuildContext) -> Self {
        let mut remaining = MOST_PATTERNS;
        let mut goal = |goal: &Vec<Vec<AnchorTest>>| {
            let named = goal.iter().filter_map(|any| match &any[..] {
                [test] if pieces.classes[usize::from(test.class)].count == 1 => Some(test),
                _ => None,
            });
            named
                .filter_map(|test| {
                    Distances::new(pieces, test.class.into(), test.anchor, empty, &mut remaining, context)
                })
                .collect()
        };
        PatternDatabase { goals: goals.iter().map(&mut goal).collect() }
    }

    /// Returns the bytes that the databases occupy.
    pub fn bytes(&self) -> u64 {
        self.goals.iter().flatten().map(|of| bytes(&of.to_goal)).sum()
    }

    /// Returns the bound for a key with these empty cells.
    pub fn h<K: Packed>(&self, key: &K, empty: B) -> u32 {
        let distance = |of: &Distances<B>| {
            let pattern = (B::load(key, &of.field).first() as CellIndex, empty);
            // An unvisited pattern cannot reach the goal, so the state cannot either.
            of.to_goal.get(&pattern).map_or(u32::INFINITY, |&moves| moves.into())
        };
        let bound = |goal: &Vec<Distances<B>>| goal.iter().map(distance).max().unwrap_or(0);
        self.goals.iter().map(bound).min().unwrap_or(0)
    }
}

/// Returns the bytes that a table occupies: each place has a byte beside its entry.
fn bytes<B>(table: &FxHashMap<Pattern<B>, u16>) -> u64 {
    (table.capacity() * (size_of::<(Pattern<B>, u16)>() + 1)) as u64
}

impl<B: Bits> Distances<B> {
    /// Runs breadth-first search from all patterns with the piece at its goal, and subtracts the number of patterns
    /// from `remaining`. Returns `None` if there are too many patterns, or a limit ends the search.
    fn new(
        pieces: &Pieces<B>,
        class: usize,
        at: CellIndex,
        empty: u32,
        remaining: &mut u64,
        context: &BuildContext,
    ) -> Option<Self> {
        let piece = &pieces.classes[class];
        let rest = pieces.floor & !piece.shape.cover(B::single(at.into()));
        *remaining =
            remaining.checked_sub(choose(rest.count(), empty).saturating_mul(piece.placements.count().into()))?;
        let mut to_goal = FxHashMap::default();
        let mut level: Vec<Pattern<B>> = Vec::new();
        visit_subsets(rest, empty, B::EMPTY, &mut |cells| level.push((at, cells)));
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
            if !context.fits(bytes(&to_goal)) {
                return None;
            }
            let mut next = Vec::new();
            level.iter().for_each(|pattern| visit_neighbors(pieces, class, *pattern, |neighbor| next.push(neighbor)));
            level = next;
        }
        Some(Distances { field: piece.field, to_goal })
    }
}

/// Calls `each` with the patterns after one move.
fn visit_neighbors<B: Bits>(
    pieces: &Pieces<B>,
    class: usize,
    (at, empty): Pattern<B>,
    mut each: impl FnMut(Pattern<B>),
) {
    let stands = B::single(at.into());
    let filled = pieces.floor & !empty & !pieces.classes[class].shape.cover(stands);
    for (number, of) in pieces.classes.iter().enumerate() {
        let anchors = if number == class { stands } else { of.shape.fit(of.placements, filled) };
        pieces.visit_moves_of(of, anchors, empty, &mut |from, to| {
            let remaining = empty | of.shape.cover(B::single(from));
            let at = if number == class { to as CellIndex } else { at };
            each((at, remaining & !of.shape.cover(B::single(to))));
        });
    }
}

/// Calls `each` with every union of `with` and a subset of `count` of the cells.
fn visit_subsets<B: Bits>(mut of: B, count: u32, with: B, each: &mut impl FnMut(B)) {
    if count == 0 {
        return each(with);
    }
    while of.count() >= count {
        let cell = of.first();
        of = of.without_first();
        visit_subsets(of, count - 1, with | B::single(cell), each);
    }
}

/// Returns the number of sets of `k` elements out of `n >= k`, capped where it is far too large.
fn choose(n: u32, k: u32) -> u64 {
    (0..k.min(n - k))
        .fold(1u64, |sets, i| (sets.saturating_mul(u64::from(n - i)) / u64::from(i + 1)).min(u64::MAX / 2048))
}
