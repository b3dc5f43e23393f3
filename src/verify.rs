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
use reading::{Claim, ClaimedSolution, readings};
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

/// Verifies each solution in a transcript, in the form `text`, `moves` or `json`, recognised by its look; `file` is
/// the puzzle's as it was named when it was solved, to find its line among those of several. Where a transcript that looks
/// like text or JSON holds no solution, it is read as moves.
///
/// A cost that the transcript claims is compared, and so are the positions that it draws. That a solution is a shortest
/// one is not verified.
///
/// # Errors
/// The first reason to refuse it, or that it cannot be read.
pub fn verify(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Verified, Failure> {
    let mut failure = None;
    for reading in readings(transcript, file, puzzle.title()) {
        match reading.map_err(Failure::Unreadable).and_then(|claim| check(puzzle, claim)) {
            Ok(verified) => return Ok(verified),
            Err(refused) => _ = failure.get_or_insert(refused),
        }
    }
    Err(failure.unwrap_or(Failure::Unreadable("it is not a transcript".to_owned())))
}

/// Verifies what one reading of a transcript claims.
fn check(puzzle: &Puzzle, claim: Claim) -> Result<Verified, Failure> {
    let (claimed, cost) = match claim {
        Claim::NoSolution(claim) => return Err(Failure::Refused(format!("nothing to verify: {claim}"))),
        Claim::Solutions { solutions, cost } => (solutions, cost),
        Claim::Lines(lines) => (of_lines(puzzle, &lines), None),
    };
    let (_, independent) = puzzle.rules();
    let several = claimed.len() > 1;
    let mut solutions = Vec::new();
    for (number, solution) in claimed.iter().enumerate() {
        let replayed = solution.replay(puzzle).result.and_then(|replayed| match cost {
            Some(cost) if (cost - replayed.cost).abs() > 1e-6 => {
                Err(format!("it claims the cost {}, but its moves cost {}", Number(cost), Number(replayed.cost)))
            }
            _ => Ok(replayed),
        });
        let which = if several { format!("solution {}: ", number + 1) } else { String::new() };
        solutions.push(replayed.map_err(|why| Failure::Refused(which + &why))?);
    }
    Ok(Verified { solutions, independent })
}

/// The moves of a transcript's first solution, in the forms that [`verify`] reads: in the first reading that can be played,
/// else in the one that its look suggests.
///
/// # Errors
/// It cannot be read, or has no solution.
pub(crate) fn moves_of(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Vec<String>, String> {
    let mut by_look = None;
    for reading in readings(transcript, file, puzzle.title()) {
        let claimed = match reading {
            Ok(Claim::NoSolution(claim)) => Err(format!("it has no moves to draw: {claim}")),
            Ok(Claim::Solutions { solutions, .. }) => Ok(solutions),
            Ok(Claim::Lines(lines)) => Ok(of_lines(puzzle, &lines)),
            Err(why) => Err(why),
        };
        let moves = claimed.map(|claimed| claimed.into_iter().next().unwrap_or_default());
        if let Ok(moves) = &moves
            && moves.replay(puzzle).is_legal
        {
            return Ok(moves.written(puzzle));
        }
        by_look.get_or_insert(moves);
    }
    by_look.unwrap_or_else(|| Ok(ClaimedSolution::default())).map(|moves| moves.written(puzzle))
}

/// The solutions in lines of moves: one move a line, with blank lines between solutions; a solution on each line; or the
/// broken lines of one. Where no reading begins with a solution, lines are moves if the first can be played.
fn of_lines(puzzle: &Puzzle, lines: &[String]) -> Vec<ClaimedSolution> {
    let is_blank = |line: &String| line.trim().is_empty();
    let one_a_line = || -> Vec<ClaimedSolution> {
        let blocks = lines.split(is_blank).filter(|block| !block.is_empty());
        blocks.map(|block| ClaimedSolution::of_moves(block.iter().map(String::as_str))).collect()
    };
    let solution_a_line = || -> Vec<ClaimedSolution> {
        let lines = lines.iter().filter(|line| !is_blank(line));
        lines.map(|line| ClaimedSolution::of_words(line.split_whitespace())).collect()
    };
    let broken = || vec![ClaimedSolution::of_words(lines.iter().flat_map(|line| line.split_whitespace()))];
    let readings: [&dyn Fn() -> Vec<ClaimedSolution>; 3] = match puzzle.has_spaced_moves() {
        true => [&one_a_line, &solution_a_line, &broken],
        false => [&solution_a_line, &broken, &one_a_line],
    };
    let replay = |claimed: &[ClaimedSolution]| claimed.first().map(|first| first.replay(puzzle));
    let begins_with_a_solution =
        |claimed: &Vec<ClaimedSolution>| replay(claimed).is_some_and(|replay| replay.result.is_ok());
    if let Some(claimed) = readings.into_iter().map(|read| read()).find(begins_with_a_solution) {
        return claimed;
    }
    let words = |claimed: &[ClaimedSolution]| replay(claimed).map_or(0, |replay| replay.words);
    let (one_a_line, broken) = (one_a_line(), broken());
    let least = if puzzle.has_spaced_moves() { 0 } else { words(&broken) };
    if words(&one_a_line) > least { one_a_line } else { broken }
}

/// Replays moves, in any of the domain's notations, from the start to a goal.
///
/// # Errors
/// Which move is wrong, by its number from 1, and why; or that the last position is no goal.
pub fn replay<S: AsRef<str>>(puzzle: &Puzzle, moves: &[S]) -> Result<Replayed, String> {
    let moves = moves.iter().map(|written| (written.as_ref().to_owned(), None)).collect();
    ClaimedSolution { start: None, moves, in_words: false }.replay(puzzle).result
}

/// How far the moves of a transcript can be played.
struct Replay {
    /// The words of the moves that were made.
    words: usize,
    /// Whether all of them were.
    is_legal: bool,
    result: Result<Replayed, String>,
}

/// Moves, or words of them, each with the position after it, where it is drawn.
type Drawn = (String, Option<String>);

/// Moves have fewer words.
const MOST_WORDS: usize = 100;

impl ClaimedSolution {
    /// The next move, which is taken off the rest.
    fn next<'a>(&self, rules: &dyn Rules, rest: &mut &'a [Drawn]) -> (String, &'a Option<String>) {
        let words: Vec<&str> = rest.iter().take(MOST_WORDS).map(|(word, _)| word.as_str()).collect();
        let length = if self.in_words { rules.next_move_words(&words).clamp(1, words.len()) } else { 1 };
        let (taken, left) = rest.split_at(length);
        *rest = left;
        (words[..length].join(" "), &taken[length - 1].1)
    }

    /// The moves as they are written.
    fn written(&self, puzzle: &Puzzle) -> Vec<String> {
        if !self.in_words {
            return self.moves.iter().map(|(written, _)| written.clone()).collect();
        }
        let (mut rules, _) = puzzle.rules();
        let mut moves = Vec::new();
        let mut rest = &self.moves[..];
        while !rest.is_empty() {
            let (written, _) = self.next(&*rules, &mut rest);
            // What is wrong with a move is for who makes it.
            let _ = rules.play(&written);
            moves.push(written);
        }
        moves
    }

    fn replay(&self, puzzle: &Puzzle) -> Replay {
        let (mut rules, _) = puzzle.rules();
        let mut words = 0;
        let played = self.play(&mut *rules, &mut words);
        let is_legal = played.is_ok();
        let result = played.and_then(|moves| match (rules.is_solved(), moves) {
            (true, moves) => Ok(Replayed { moves, cost: rules.cost() }),
            (false, 0) => Err("there are no moves, and the start is not a goal".to_owned()),
            (false, last) => Err(format!("the position after move {last}, the last, is not a goal")),
        });
        Replay { words, is_legal, result }
    }

    /// Makes the moves, and returns their number; `words` counts the words of those that could be made.
    fn play(&self, rules: &mut dyn Rules, words: &mut usize) -> Result<usize, String> {
        if let Some(why) = rules.unreadable() {
            return Err(why.to_owned());
        }
        let differs = |drawn: &Option<String>, rules: &dyn Rules| {
            drawn.as_ref().and_then(|drawn| difference(drawn, &rules.draw()))
        };
        if let Some(difference) = differs(&self.start, rules) {
            return Err(format!("the start differs from that of the puzzle\n{difference}"));
        }
        let mut rest = &self.moves[..];
        let mut number = 0;
        while !rest.is_empty() {
            let (written, drawn) = self.next(rules, &mut rest);
            number += 1;
            rules.play(&written).map_err(|why| format!("move {number}, `{written}`: {why}"))?;
            *words += written.split_whitespace().count();
            if let Some(difference) = differs(drawn, rules) {
                return Err(format!("move {number}, `{written}`, leads to another position\n{difference}"));
            }
        }
        Ok(number)
    }
}

/// Both positions, where they differ in more than white space at the ends of lines.
fn difference(drawn: &str, replayed: &str) -> Option<String> {
    let same = drawn.trim_end().lines().map(str::trim_end).eq(replayed.trim_end().lines().map(str::trim_end));
    let show = |drawing: &str| drawing.trim_end().lines().map(|line| format!("  {line}\n")).collect::<String>();
    (!same).then(|| format!("the transcript shows\n{}the rules give\n{}", show(drawn), show(replayed)))
}
