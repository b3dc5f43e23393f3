//! Pattern databases (Culberson and Schaeffer 1998): for every placement of some members, the least number of moves
//! that solves these members, ignoring the others. The heuristic is the maximum over several patterns; values of
//! patterns that no generator moves together are added (Korf and Felner 2002).
//!
//! - `choose`: the choice of the members;
//! - `build`: the breadth-first search from the solved position that fills a table;
//! - `perimeter`: the distances of all positions near the solved one.

pub(super) mod build;
pub(super) mod choose;
pub(super) mod perimeter;

use super::model::Model;
use super::ranking::Ranking;
use crate::domain::table::Table;
use crate::space::{Part, Parts};
use perimeter::Perimeter;
use std::sync::Arc;

/// A heuristic of the state space.
pub(super) trait Guide: Send + Sync + 'static {
    /// The data that a state keeps about its position for the heuristic.
    type Memo: Clone + Send + Sync + 'static;

    /// Returns the size of all tables in bytes.
    fn table_bytes(&self) -> u64;

    /// Returns the memo of a position, given the places of members.
    fn memo(&self, place: impl Fn(usize) -> usize) -> Self::Memo;

    /// Returns a lower bound on the moves to the solved position.
    fn h(&self, memo: &Self::Memo, place: impl Fn(usize) -> usize) -> u32;

    /// Returns the parts of h; by default it has none.
    fn parts(&self, _place: impl Fn(usize) -> usize) -> Parts {
        Parts::default()
    }

    /// Returns the memo after a move.
    fn moved(&self, memo: &Self::Memo, each_move: u16) -> Self::Memo;

    /// Returns the memo after a move, given the places of members after it.
    ///
    /// # Errors
    /// A lower bound on the moves to the solved position, if it exceeds `enough`: on those that searches make, one after the
    /// other.
    fn after(
        &self,
        memo: &Self::Memo,
        each_move: u16,
        enough: u32,
        place: impl Fn(usize) -> usize,
    ) -> Result<Self::Memo, u32>;
}

/// The heuristic: additive sets of pattern databases. It is zero without any.
#[derive(Default)]
pub(super) struct Patterns {
    /// Sets of patterns such that no generator moves patterns of two sets.
    parts: Vec<Vec<Pattern>>,
    perimeter: Option<Perimeter>,
}

/// A pattern database.
pub(super) struct Pattern {
    pub ranking: Ranking,
    pub table: Arc<Table>,
}

impl Patterns {
    /// Combines patterns; within a set, larger ones come first.
    pub fn new(model: &Model, mut patterns: Vec<Pattern>) -> Patterns {
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.ranking.size));
        let mut parts: Vec<(Vec<bool>, Vec<Pattern>)> = Vec::new();
        for pattern in patterns {
            let mut moving_generators = moving_generators(model, &pattern.ranking);
            let mut part = vec![pattern];
            let overlaps = |part: &mut (Vec<bool>, Vec<Pattern>)| {
                part.0.iter().zip(&moving_generators).any(|(one, other)| *one && *other)
            };
            let joined: Vec<_> = parts.extract_if(.., overlaps).collect();
            for (others, patterns) in joined {
                moving_generators.iter_mut().zip(others).for_each(|(mover, other)| *mover |= other);
                part.extend(patterns);
            }
            part.sort_by_key(|pattern| std::cmp::Reverse(pattern.ranking.size));
            parts.push((moving_generators, part));
        }
        Patterns { parts: parts.into_iter().map(|(_, part)| part).collect(), perimeter: None }
    }

    /// Returns the greater one of this heuristic and the distance to a perimeter.
    pub fn within(self, perimeter: Option<Perimeter>) -> Patterns {
        Patterns { perimeter, ..self }
    }

    /// Returns a lower bound on the moves to the solved position, given the places of members. Evaluation stops as soon
    /// as the bound exceeds `enough`, so it may then be less than the full value.
    #[inline]
    fn bound(&self, enough: u32, place: impl Fn(usize) -> usize) -> u32 {
        let sum = self.sum(enough, &place);
        match &self.perimeter {
            // The patterns are looked up first: their tables are smaller. Outside the perimeter its bound exceeds no more
            // than the radius.
            Some(perimeter) if sum <= enough && (enough <= perimeter.radius() || enough == u32::MAX) => {
                sum.max(perimeter.bound(place))
            }
            _ => sum,
        }
    }

    /// Returns the sum of the parts, as [`bound`](Self::bound) does.
    #[inline]
    fn sum(&self, enough: u32, place: impl Fn(usize) -> usize) -> u32 {
        let mut sum = 0;
        for part in &self.parts {
            let mut most = 0;
            for Pattern { ranking, table } in part {
                let number = ranking.rank(&place);
                most = most.max(u32::from(table.entry(number)));
                if sum + most > enough {
                    return sum + most;
                }
            }
            sum += most;
        }
        sum
    }
}

impl Guide for Patterns {
    type Memo = ();

    fn table_bytes(&self) -> u64 {
        self.parts.iter().flatten().map(|pattern| pattern.table.bytes().len() as u64).sum()
    }

    #[inline]
    fn memo(&self, _place: impl Fn(usize) -> usize) {}

    #[inline]
    fn h(&self, (): &(), place: impl Fn(usize) -> usize) -> u32 {
        self.bound(u32::MAX, place)
    }

    fn parts(&self, place: impl Fn(usize) -> usize) -> Parts {
        let part = |(number, set): (usize, &Vec<Pattern>)| {
            let value = |pattern: &Pattern| pattern.table.entry(pattern.ranking.rank(&place));
            let value = set.iter().map(value).max().unwrap_or(0);
            let sizes: Vec<String> = set.iter().map(|pattern| pattern.ranking.members.len().to_string()).collect();
            let greatest = if sizes.len() > 1 { ", the greatest of its tables" } else { "" };
            Part::of(format!("pattern set {number}, of {} pieces{greatest}", sizes.join(" and ")), value, [""; 0])
        };
        Parts::sum((1..).zip(&self.parts).map(part))
    }

    #[inline]
    fn moved(&self, (): &(), _move: u16) {}

    #[inline]
    fn after(&self, (): &(), _move: u16, enough: u32, place: impl Fn(usize) -> usize) -> Result<(), u32> {
        let h = self.bound(enough, place);
        if h > enough { Err(h) } else { Ok(()) }
    }
}

/// Returns for each generator whether it moves members of a pattern.
fn moving_generators(model: &Model, ranking: &Ranking) -> Vec<bool> {
    let mut moving_generators = vec![false; model.generators];
    for each_move in &model.moves {
        let moved = ranking.members.iter().any(|&member| {
            let orbit = model.items.iter().rfind(|item| item.first <= member).map(|item| model.orbits[item.orbit]);
            let mut places = orbit.into_iter().flat_map(|orbit| orbit.first..orbit.first + orbit.blocks * orbit.size);
            places.any(|place| usize::from(each_move.image[place]) != place)
        });
        moving_generators[usize::from(each_move.generator)] |= moved;
    }
    moving_generators
}
