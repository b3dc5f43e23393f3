//! Ratings: how hard a puzzle is for people, as numbers that are measured on its state space.
//!
//! A rating explores the space that a player sees, dead ends included, and measures *parts* of it: how far the optimum
//! exceeds what a heuristic sees, how long a seeded player wanders, how many positions are lost. If the space has too
//! many states, the same parts are measured on samples. The score is one formula over few parts. It orders puzzles of
//! one domain.

mod distinct;
mod explored;
mod heat;
mod moved;
mod optimal;
mod parts;
mod people;
mod player;

pub use heat::Heat;
use parts::Measured;
pub use parts::Parts;
pub use people::{Agreement, People};

use crate::puzzle::{Outcome, Puzzle};
use crate::search::{Limit, Limits};
use serde::{Serialize, Serializer};

/// The options of rating.
#[derive(Clone, Debug)]
pub struct RatingOptions {
    /// The limits of the whole rating.
    pub limits: Limits,
    /// The most states of a space that is explored whole; a greater one is sampled.
    pub most_states: usize,
    /// The seed of the players and samples.
    pub seed: u64,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { limits: Limits::default(), most_states: 100_000, seed: 0 }
    }
}

/// The rating of a puzzle. Serialised, each part is a field of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Whether the puzzle can be solved, as far as is known.
    #[serde(serialize_with = "outcome_name")]
    pub outcome: Outcome,
    /// The limit that ended the rating, without a score, or that cut measurements short, with one of a sample.
    #[serde(serialize_with = "name")]
    pub limit: Option<Limit>,
    /// The score, never below 0; `None` for a puzzle without a solution, or if a limit ended the rating before one was
    /// found.
    pub score: Option<f64>,
    /// The proven least cost of a solution.
    pub cost: Option<f64>,
    /// The parts.
    #[serde(flatten)]
    pub parts: Parts,
}

/// Writes an outcome as its name.
fn outcome_name<S: Serializer>(outcome: &Outcome, to: S) -> Result<S::Ok, S::Error> {
    outcome.name().serialize(to)
}

/// Writes a limit as its name.
fn name<S: Serializer>(limit: &Option<Limit>, to: S) -> Result<S::Ok, S::Error> {
    limit.map(Limit::name).serialize(to)
}

impl Rating {
    fn without_score(outcome: Outcome, limit: Option<Limit>) -> Rating {
        Rating { outcome, limit, score: None, cost: None, parts: Parts::default() }
    }
}

impl Puzzle {
    /// Rates how hard the puzzle is for people. The same options give the same rating.
    #[must_use]
    pub fn rate(&self, options: &RatingOptions) -> Rating {
        match Parts::measured(self, options) {
            Ok(Measured { outcome, cost, parts, limit }) => {
                let score = parts.score().filter(|_| outcome == Outcome::Solved);
                Rating { outcome, limit, score, cost, parts }
            }
            Err(limit) => Rating::without_score(Outcome::Limit, Some(limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board whose cheapest solution takes more than a hundred thousand expanded states, and another one few.
    const LONG: &str = r#"title = "A long way"
domain = "sliding-tile"
start = """
 6  2  5  3
 9  7  1 14
10  0 13  8
11 12  4 15
"""
"#;

    #[test]
    fn a_puzzle_without_a_proof_is_rated_by_the_solution_that_is_known() {
        let puzzle = Puzzle::parse(LONG, "long.toml").unwrap_or_else(|report| panic!("{report}"));
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let options = RatingOptions { limits, most_states: 1_000, seed: 0 };
        let rating = puzzle.rate(&options);
        assert_eq!((rating.outcome, rating.cost, rating.limit), (Outcome::Solved, None, None), "nothing is proven");
        assert!(rating.parts.sampled && rating.score.is_some_and(|score| score > 5.0), "{rating:?}");
        assert!(rating.parts.detour.is_some_and(|detour| detour > 0.0), "{rating:?}");
        assert_eq!(rating, puzzle.rate(&options), "a limit on states gives the same rating again");
        let none = RatingOptions { limits: Limits { nodes: Some(10), ..Limits::default() }, ..options };
        assert_eq!(puzzle.rate(&none).score, None, "without a solution there is no score");
    }
}
