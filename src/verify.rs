//! Verification of the solutions in a transcript by replaying them with the rules of the puzzle.
//!
//! The rules are the domain's [`Rules`], written independently of everything that searches. [`Verified::independent`]
//! is false if a domain has none.
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

mod abstraction;
mod argument;
mod certificate;
mod checker;
mod claims;
mod exclusion;
mod mark;
mod parity;
mod plain;
mod pruned;
mod reading;
#[cfg(test)]
mod tests;
mod watched;

pub use certificate::{Certificate, Checked};
pub use claims::tested;
pub use mark::{IllegalMove, Mark, mark};

use crate::domain::{Notation, Rules, Style, run_length};
use crate::puzzle::Puzzle;
use crate::transcript::Number;
use reading::{Claim, ClaimedSolution, readings};
use std::fmt;

/// The verified solutions of a transcript, each of which leads to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The cost and the number of moves of each solution.
    pub solutions: Vec<Replayed>,
    /// True if the rules are written independently of the state space that is searched.
    pub independent: bool,
}

/// The result of replaying moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// The number of moves.
    pub moves: usize,
    /// The cost of the moves.
    pub cost: f64,
}

/// The reason why a transcript is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is not a solution, by the rules or by its own claims.
    Refused(String),
    /// It is not a transcript, or not one of this puzzle.
    Unreadable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Refused(message) | Failure::Unreadable(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Failure {}

/// Verifies each solution in a transcript. The format `text`, `moves`, `lurd` or `json` is detected from the content.
/// `file` is the path that was given to the solver; it selects the puzzle's line among several. If a transcript that
/// looks like text or JSON contains no solution, it is read as moves.
///
/// Compares a cost that the transcript claims and the positions that it draws. Does not verify that a solution is
/// shortest.
///
/// # Errors
/// The first reason to refuse it, or that it cannot be read.
pub fn verify(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Verified, Failure> {
    let mut failure = None;
    for reading in claims(puzzle, file, transcript) {
        match reading.map_err(Failure::Unreadable).and_then(|claim| check(puzzle, claim)) {
            Ok(verified) => return Ok(verified),
            Err(refused) => _ = failure.get_or_insert(refused),
        }
    }
    Err(failure.unwrap_or(Failure::Unreadable("it is not a transcript".to_owned())))
}

/// Returns the possible readings of a transcript, the most likely first.
fn claims(puzzle: &Puzzle, file: &str, transcript: &str) -> Vec<Result<Claim, String>> {
    let letters = lettered(puzzle, transcript).map(|solutions| Ok(Claim::Solutions { solutions, cost: None }));
    letters.into_iter().chain(readings(transcript, file, puzzle.title())).collect()
}

/// The greatest number of moves of a solution in letters.
const MAX_LETTERS: usize = 10_000_000;

/// The letters of moves: steps, pushes, and the action key.
const LETTERS: &str = "uldrULDRx";

/// Returns the solutions in a text of [`LETTERS`], if the moves of the puzzle can be written so: one solution
/// with any line breaks, or else one on each line. Numbers repeat letters: `3uR` is `uuuR`.
fn lettered(puzzle: &Puzzle, transcript: &str) -> Option<Vec<ClaimedSolution>> {
    let is_known = puzzle.domain().notations.contains(&Notation::LURD);
    if !is_known || !transcript.contains(|c| LETTERS.contains(c)) || puzzle.refuses_notation(Notation::LURD).is_some() {
        return None;
    }
    let solution = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect();
        let letters = run_length::expand(&text, MAX_LETTERS).ok()?;
        let is_letter = |(c, _): &(char, _)| LETTERS.contains(*c);
        let moves = letters.iter().map(|(c, _)| (c.to_string(), None)).collect();
        letters.iter().all(is_letter).then_some(ClaimedSolution { start: None, moves, in_words: false })
    };
    let whole = solution(transcript)?;
    let lines = transcript.lines().filter(|line| !line.trim().is_empty()).map(solution);
    let lines = lines.collect::<Option<Vec<_>>>().filter(|lines| lines.len() > 1);
    match lines.filter(|lines| lines[0].replay(puzzle).result.is_ok()) {
        Some(lines) if whole.replay(puzzle).result.is_err() => Some(lines),
        _ => Some(vec![whole]),
    }
}

impl Claim {
    /// Returns the solutions that it claims; none if it claims that there is none.
    fn solutions(self, puzzle: &Puzzle) -> Vec<ClaimedSolution> {
        match self {
            Claim::NoSolution(_) => Vec::new(),
            Claim::Solutions { solutions, .. } => solutions,
            Claim::Lines(lines) => of_lines(puzzle, &lines),
        }
    }
}

/// Verifies the claims of one reading of a transcript.
fn check(puzzle: &Puzzle, claim: Claim) -> Result<Verified, Failure> {
    let cost = match &claim {
        Claim::NoSolution(claim) => return Err(Failure::Refused(format!("nothing to verify: {claim}"))),
        Claim::Solutions { cost, .. } => *cost,
        Claim::Lines(_) => None,
    };
    let claimed = claim.solutions(puzzle);
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

/// Returns the moves of a transcript's first solution, in the formats that [`verify`] reads: from the first reading
/// that can be played, otherwise from the most likely one.
///
/// # Errors
/// It cannot be read, or has no solution.
pub(crate) fn moves_of(puzzle: &Puzzle, file: &str, transcript: &str) -> Result<Vec<String>, String> {
    let mut by_look = None;
    for reading in claims(puzzle, file, transcript) {
        let claimed = match reading {
            Ok(Claim::NoSolution(claim)) => Err(format!("it has no moves to draw: {claim}")),
            Ok(Claim::Solutions { solutions, .. }) => Ok(solutions),
            Ok(Claim::Lines(lines)) => {
                Ok(in_one(puzzle, &lines).map_or_else(|| of_lines(puzzle, &lines), |one| vec![one]))
            }
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

/// Returns the solutions in lines of moves: one move a line, with blank lines between solutions; a solution on each
/// line; or one solution broken into lines. If no reading begins with a solution, each line is a move if the first can
/// be played.
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

/// Returns the moves on all lines together if they can be played one after the other, whether or not some lead to a
/// goal.
fn in_one(puzzle: &Puzzle, lines: &[String]) -> Option<ClaimedSolution> {
    let lines = || lines.iter().map(String::as_str).filter(|line| !line.trim().is_empty());
    let readings =
        [ClaimedSolution::of_moves(lines()), ClaimedSolution::of_words(lines().flat_map(str::split_whitespace))];
    readings.into_iter().find(|moves| moves.replay(puzzle).is_legal)
}

/// Replays moves, in any of the domain's notations, from the start to a goal.
///
/// # Errors
/// The first wrong move, by its number from 1, and why; or that the last position is not a goal.
pub fn replay<S: AsRef<str>>(puzzle: &Puzzle, moves: &[S]) -> Result<Replayed, String> {
    let moves = moves.iter().map(|written| (written.as_ref().to_owned(), None)).collect();
    ClaimedSolution { start: None, moves, in_words: false }.replay(puzzle).result
}

/// The result of replaying moves as far as possible.
struct Replay {
    /// The number of words in the moves that were made.
    words: usize,
    /// True if all moves were made.
    is_legal: bool,
    /// The move that could not be made.
    illegal: Option<IllegalMove>,
    result: Result<Replayed, String>,
}

/// A move, or a word of one, with the position after it if the transcript draws it.
type Drawn = (String, Option<String>);

/// An upper bound of the words in a move.
const MAX_WORDS: usize = 100;

impl ClaimedSolution {
    /// Takes the next move off the rest.
    fn next<'a>(&self, rules: &dyn Rules, rest: &mut &'a [Drawn]) -> (String, &'a Option<String>) {
        let words: Vec<&str> = rest.iter().take(MAX_WORDS).map(|(word, _)| word.as_str()).collect();
        let length = if self.in_words { rules.next_move_words(&words).clamp(1, words.len()) } else { 1 };
        let (taken, left) = rest.split_at(length);
        *rest = left;
        (words[..length].join(" "), &taken[length - 1].1)
    }

    /// Returns the moves as they are written.
    fn written(&self, puzzle: &Puzzle) -> Vec<String> {
        if !self.in_words {
            return self.moves.iter().map(|(written, _)| written.clone()).collect();
        }
        let (mut rules, _) = puzzle.rules();
        let mut moves = Vec::new();
        let mut rest = &self.moves[..];
        while !rest.is_empty() {
            let (written, _) = self.next(&*rules, &mut rest);
            // An illegal move is reported when the moves are replayed.
            let _ = rules.play(&written);
            moves.push(written);
        }
        moves
    }

    fn replay(&self, puzzle: &Puzzle) -> Replay {
        let (mut rules, _) = puzzle.rules();
        let (mut words, mut illegal) = (0, None);
        // A board that is not drawn has a line of text in place of the drawing of its start.
        let is_drawn = |start: &&String| puzzle.is_drawn() || difference(start, &puzzle.draw(Style::Drawn)).is_some();
        let played = self.play(self.start.as_ref().filter(is_drawn), &mut *rules, &mut words, &mut illegal);
        let is_legal = played.is_ok();
        let result = played.and_then(|moves| match (rules.is_solved(), moves) {
            (true, moves) => Ok(Replayed { moves, cost: rules.cost() }),
            (false, 0) => Err("there are no moves, and the start is not a goal".to_owned()),
            (false, last) => Err(format!("the position after move {last}, the last, is not a goal")),
        });
        Replay { words, is_legal, illegal, result }
    }

    /// Makes the moves from this drawing of the start, and returns their number. `words` counts the words of the moves
    /// that could be made; `illegal` receives the first one that could not.
    fn play(
        &self,
        start: Option<&String>,
        rules: &mut dyn Rules,
        words: &mut usize,
        illegal: &mut Option<IllegalMove>,
    ) -> Result<usize, String> {
        if let Some(why) = rules.unreadable() {
            return Err(why.to_owned());
        }
        let differs =
            |drawn: Option<&String>, rules: &dyn Rules| drawn.and_then(|drawn| difference(drawn, &rules.draw()));
        if let Some(difference) = differs(start, rules) {
            return Err(format!("the start differs from that of the puzzle\n{difference}"));
        }
        let mut rest = &self.moves[..];
        let mut number = 0;
        while !rest.is_empty() {
            let (written, drawn) = self.next(rules, &mut rest);
            number += 1;
            if let Err(why) = rules.play(&written) {
                let why = format!("move {number}, `{written}`: {why}");
                *illegal = Some(IllegalMove { number, written });
                return Err(why);
            }
            *words += written.split_whitespace().count();
            if let Some(difference) = differs(drawn.as_ref(), rules) {
                return Err(format!("move {number}, `{written}`, leads to another position\n{difference}"));
            }
        }
        Ok(number)
    }
}

/// Returns both positions if they differ in more than white space at the ends of lines.
fn difference(drawn: &str, replayed: &str) -> Option<String> {
    let same = drawn.trim_end().lines().map(str::trim_end).eq(replayed.trim_end().lines().map(str::trim_end));
    let show = |drawing: &str| drawing.trim_end().lines().map(|line| format!("  {line}\n")).collect::<String>();
    (!same).then(|| format!("the transcript shows\n{}the rules give\n{}", show(drawn), show(replayed)))
}
