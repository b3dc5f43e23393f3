//! The least cost of a small puzzle, by the search that finds it soonest: a plain one first, then the default one.

use super::canvas::Canvas;
use crate::puzzle::{Notation, Options, Outcome, Puzzle};
use crate::search::{Limit, Limits};

/// The expanded states after which the plain search gives way to the default one: its analyses take about as long.
const SMALL: u64 = 3_000;

/// What is known of the least cost of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// There is a solution, and this is the least cost.
    Solved {
        /// The least cost.
        cost: f64,
    },
    /// There is no solution.
    Unsolvable,
    /// The drawing is no valid puzzle.
    Invalid,
    /// A limit ended the search.
    Limit {
        /// The limit.
        limit: Limit,
    },
}

impl Answer {
    /// Returns the answer for a drawing if it is known without reading the puzzle.
    #[must_use]
    pub fn unread(canvas: &Canvas, limits: &Limits) -> Option<Answer> {
        let found = canvas.quick_cost(limits)?;
        Some(found.cost.map_or(Answer::Unsolvable, |cost| Answer::Solved { cost }))
    }

    /// Returns the least cost, if there is a solution and it is known.
    #[must_use]
    pub fn cost(self) -> Option<f64> {
        match self {
            Answer::Solved { cost } => Some(cost),
            _ => None,
        }
    }

    /// Returns the name of the outcome.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Answer::Solved { .. } => "solved",
            Answer::Unsolvable => "unsolvable",
            Answer::Invalid => "invalid",
            Answer::Limit { .. } => "limit",
        }
    }

    /// Returns whether it is known whether there is a solution, and its least cost.
    #[must_use]
    pub fn is_known(self) -> bool {
        !matches!(self, Answer::Limit { .. })
    }
}

/// An answer with the moves of a solution of the least cost, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The answer.
    pub answer: Answer,
    /// The moves; none without a solution.
    pub moves: Vec<String>,
}

/// Solves a puzzle for its least cost, whatever search its file asks for. A limit on nodes holds for each search.
#[must_use]
pub fn solve(puzzle: &Puzzle, limits: &Limits) -> Solved {
    if let Some(known) = puzzle.solve_small(SMALL, limits) {
        return match known {
            Some((cost, route)) => Solved { answer: Answer::Solved { cost }, moves: route.moves(Notation::STANDARD) },
            None => Solved { answer: Answer::Unsolvable, moves: Vec::new() },
        };
    }
    let options = Options { limits: limits.clone(), ignores_file: true, ..Options::default() };
    let none = |limit| Solved { answer: Answer::Limit { limit }, moves: Vec::new() };
    let Ok(solution) = puzzle.solve(&options) else { return none(Limit::Work) };
    match (solution.outcome(), solution.cost()) {
        (Outcome::Solved, Some(cost)) if solution.is_optimal() => {
            Solved { answer: Answer::Solved { cost }, moves: solution.moves() }
        }
        (Outcome::Unsolvable, _) => Solved { answer: Answer::Unsolvable, moves: Vec::new() },
        _ => none(solution.limit().unwrap_or(Limit::Work)),
    }
}
