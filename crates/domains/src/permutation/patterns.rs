//! Pattern databases (Culberson and Schaeffer 1998): for every placement of some members, the least number of moves that
//! brings them home, whatever becomes of the others. Of several the greatest counts; the values of patterns that no
//! generator moves together are added up (Korf and Felner 2002).
//!
//! - `choose`: which members;
//! - `build`: the search backwards from the solved position that fills a table.

pub(super) mod build;
pub(super) mod choose;

use super::model::Model;
use super::ranking::Ranking;
use crate::domain::table::Table;
use std::sync::Arc;

/// What tells how far a position is: nothing, where there are no parts.
#[derive(Default)]
pub(super) struct Patterns {
    /// Parts that no generator moves together, each with its patterns.
    parts: Vec<Vec<Pattern>>,
}

/// One pattern.
pub(super) struct Pattern {
    pub ranking: Ranking,
    pub table: Arc<Table>,
}

impl Patterns {
    /// Puts patterns together, larger ones first.
    pub fn new(model: &Model, mut patterns: Vec<Pattern>) -> Patterns {
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.ranking.size));
        let mut parts: Vec<(Vec<bool>, Vec<Pattern>)> = Vec::new();
        for pattern in patterns {
            let mut movers = movers(model, &pattern.ranking);
            let mut part = vec![pattern];
            let overlaps =
                |part: &mut (Vec<bool>, Vec<Pattern>)| part.0.iter().zip(&movers).any(|(one, other)| *one && *other);
            let joined: Vec<_> = parts.extract_if(.., overlaps).collect();
            for (others, patterns) in joined {
                movers.iter_mut().zip(others).for_each(|(mover, other)| *mover |= other);
                part.extend(patterns);
            }
            part.sort_by_key(|pattern| std::cmp::Reverse(pattern.ranking.size));
            parts.push((movers, part));
        }
        Patterns { parts: parts.into_iter().map(|(_, part)| part).collect() }
    }

    /// Bytes of all tables.
    pub fn table_bytes(&self) -> u64 {
        self.parts.iter().flatten().map(|pattern| pattern.table.bytes().len() as u64).sum()
    }

    /// A lower bound on the moves to the solved position, given the places of members; where it is greater than
    /// `enough`, it may be less than what could be told.
    #[inline]
    pub fn h(&self, enough: u32, place: impl Fn(usize) -> usize) -> u32 {
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

/// By generator, whether it moves members of a pattern.
fn movers(model: &Model, ranking: &Ranking) -> Vec<bool> {
    let mut movers = vec![false; model.generators];
    for made in &model.moves {
        let moved = ranking.members.iter().any(|&member| {
            let orbit = model.items.iter().rfind(|item| item.first <= member).map(|item| model.orbits[item.orbit]);
            let mut places = orbit.into_iter().flat_map(|orbit| orbit.first..orbit.first + orbit.blocks * orbit.size);
            places.any(|place| usize::from(made.image[place]) != place)
        });
        movers[usize::from(made.generator)] |= moved;
    }
    movers
}
