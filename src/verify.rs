//! Verifying: a solution, as a transcript says it, replayed by the rules of its puzzle.
//!
//! The rules are the domain's [`Rules`], written a second time apart from everything that
//! searches. Where a domain has none, [`Verified::independent`] says so.
//!
//! ```
//! use engine::{Puzzle, verify};
//!
//! let puzzle = Puzzle::load("puzzles/klotski0.toml")?;
//! let moves = "cl1 eu1 gr1 fr1 fu1 fr1"; // not quite
//! let refused = verify::verify(&puzzle, "klotski0.toml", moves).unwrap_err();
//! assert!(refused.to_string().starts_with("move 3, `gr1`: "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod argument;
mod certificate;
mod plain;
mod reading;
#[cfg(test)]
mod tests;

pub use certificate::{Certificate, Checked};

use crate::domain::Rules;
use crate::puzzle::Puzzle;
use crate::transcript::Number;
use reading::{Claim, Told, read};
use std::fmt;

/// What a transcript holds: solutions, each of which leads to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// What each of the solutions costs, and its number of moves.
    pub solutions: Vec<Replayed>,
    /// Whether the rules are written apart from the moves that are searched.
    pub independent: bool,
}

/// What a replay of moves came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// How many moves there are.
    pub moves: usize,
    /// What they cost.
    pub cost: f64,
}

/// Why a transcript is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is no solution, by the rules or by its own claims.
    Refused(String),
    /// It is no transcript, or not one of this puzzle.
    Unreadable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Refused(message) | Failure::Unreadable(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Failure {}

/// Verifies each solution in a transcript, in the form `text`, `moves` or `json`, which is told by its look; `file` is
/// the puzzle's as it was named when it was solved, to find its line among those of several.
///
/// A cost that the transcript claims is compared, and so are the positions that it draws. That a solution is a shortest
/// one is not verified.
///
/// # Errors
/// The first reason to refuse it, or that it cannot be read.
pub fn verify(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Verified, Failure> {
    let claim = read(transcript, file, puzzle.title()).map_err(Failure::Unreadable)?;
    let (told, cost) = match claim {
        Claim::NoSolution(claim) => return Err(Failure::Refused(format!("nothing to verify: {claim}"))),
        Claim::Solutions { told, cost } => (told, cost),
        // Where the first line is a solution, each line is one; else the lines of one solution were broken.
        Claim::Lines(lines) if lines.first().is_some_and(|first| first.replay(puzzle).is_ok()) => (lines, None),
        Claim::Lines(lines) => (vec![joined(lines)], None),
    };
    let (_, independent) = puzzle.rules();
    let several = told.len() > 1;
    let mut solutions = Vec::new();
    for (number, told) in told.iter().enumerate() {
        let replayed = told.replay(puzzle).and_then(|replayed| match cost {
            Some(cost) if (cost - replayed.cost).abs() > 1e-6 => {
                Err(format!("it claims the cost {}, and its moves cost {}", Number(cost), Number(replayed.cost)))
            }
            _ => Ok(replayed),
        });
        let which = if several { format!("solution {}: ", number + 1) } else { String::new() };
        solutions.push(replayed.map_err(|why| Failure::Refused(which + &why))?);
    }
    Ok(Verified { solutions, independent })
}

/// The moves of a transcript's first solution, in the forms that [`verify`] reads; lines of moves are one after the other.
///
/// # Errors
/// That it cannot be read, or tells no solution.
pub(crate) fn moves_told(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Vec<String>, String> {
    let told = match read(transcript, file, puzzle.title())? {
        Claim::NoSolution(claim) => return Err(format!("there are no moves to be shown: {claim}")),
        Claim::Solutions { told, .. } => told.into_iter().next().unwrap_or_default(),
        Claim::Lines(lines) => joined(lines),
    };
    if !told.in_words {
        return Ok(told.moves.into_iter().map(|(written, _)| written).collect());
    }
    let (mut rules, _) = puzzle.rules();
    let mut moves = Vec::new();
    let mut rest = &told.moves[..];
    while !rest.is_empty() {
        let (written, _) = told.next(&*rules, &mut rest);
        // What is wrong with a move is for who makes it.
        let _ = rules.play(&written);
        moves.push(written);
    }
    Ok(moves)
}

/// Lines of moves, one after the other.
fn joined(lines: Vec<Told>) -> Told {
    Told { start: None, moves: lines.into_iter().flat_map(|line| line.moves).collect(), in_words: true }
}

/// Replays moves, in any of the domain's notations, from the start to a goal.
///
/// # Errors
/// Which move is wrong, by its number from 1, and why; or that the last position is no goal.
pub fn replay<S: AsRef<str>>(puzzle: &Puzzle, moves: &[S]) -> Result<Replayed, String> {
    let moves = moves.iter().map(|written| (written.as_ref().to_owned(), None)).collect();
    Told { start: None, moves, in_words: false }.replay(puzzle)
}

/// Moves, or words of them, each with the position after it, where it is drawn.
type Drawn = (String, Option<String>);

/// Moves have fewer words.
const MOST_WORDS: usize = 100;

impl Told {
    /// The next move, which is taken off the rest.
    fn next<'a>(&self, rules: &dyn Rules, rest: &mut &'a [Drawn]) -> (String, &'a Option<String>) {
        let words: Vec<&str> = rest.iter().take(MOST_WORDS).map(|(word, _)| word.as_str()).collect();
        let length = if self.in_words { rules.words(&words).clamp(1, words.len()) } else { 1 };
        let (taken, left) = rest.split_at(length);
        *rest = left;
        (words[..length].join(" "), &taken[length - 1].1)
    }

    fn replay(&self, puzzle: &Puzzle) -> Result<Replayed, String> {
        let (mut rules, _) = puzzle.rules();
        if let Some(why) = rules.unreadable() {
            return Err(why.to_owned());
        }
        let differs = |told: &Option<String>, drawn: &dyn Fn() -> String| {
            told.as_ref().and_then(|told| difference(told, &drawn()))
        };
        if let Some(difference) = differs(&self.start, &|| rules.draw()) {
            return Err(format!("the start is not that of the puzzle\n{difference}"));
        }
        let mut rest = &self.moves[..];
        let mut number = 0;
        while !rest.is_empty() {
            let (written, drawn) = self.next(&*rules, &mut rest);
            number += 1;
            rules.play(&written).map_err(|why| format!("move {number}, `{written}`: {why}"))?;
            if let Some(difference) = differs(drawn, &|| rules.draw()) {
                return Err(format!("move {number}, `{written}`, leads to another position\n{difference}"));
            }
        }
        match (rules.is_solved(), number) {
            (true, moves) => Ok(Replayed { moves, cost: rules.cost() }),
            (false, 0) => Err("there are no moves, and the start is no goal".to_owned()),
            (false, last) => Err(format!("the position after move {last}, the last, is no goal")),
        }
    }
}

/// Both positions, where they differ in more than white space at the ends of lines.
fn difference(told: &str, replayed: &str) -> Option<String> {
    let same = told.trim_end().lines().map(str::trim_end).eq(replayed.trim_end().lines().map(str::trim_end));
    let show = |drawing: &str| drawing.trim_end().lines().map(|line| format!("  {line}\n")).collect::<String>();
    (!same).then(|| format!("the transcript draws\n{}by the rules it is\n{}", show(told), show(replayed)))
}
