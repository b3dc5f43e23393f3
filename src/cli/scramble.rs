//! `engine scramble`: prints a puzzle file with the same goal and a random start.
//!
//! The text of the file is edited, not written anew: comments, layout and all other keys stay.

use super::failure::{Ended, Failure};
use super::limits::ReadingLimits;
use super::loading::{PuzzleFile, UnseededOptions};
use super::streams::stdout;
use super::{Status, complain, wall};
use crate::document::visible;
use crate::domain::{DEFAULT_WALK, Scrambled};
use crate::plot::text::counted;
use crate::puzzle::{Loading, Options, Outcome, Puzzle, edited, scrambled_title};
use crate::search::{Limit, Limits, Stats};
use clap::Args;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// The greatest number of states that the search expands which looks whether a start has a solution.
const MOST_STATES: u64 = 100_000;

/// Print a puzzle file with the same goal and a random start
#[derive(Args)]
pub(super) struct Scramble {
    #[command(flatten)]
    puzzle: PuzzleFile<UnseededOptions>,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Make N random moves from the goal [default: choose among all solvable positions]
    ///
    /// In the domains `klotski` and `rules`, the moves are made from the start [default: 1000]. If they lead to a
    /// position without a solution, only the first half of them is made, and so on.
    #[arg(long, value_name = "N")]
    moves: Option<u32>,
    /// Seed the random numbers with S; the same seed gives the same puzzle
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
}

impl Scramble {
    pub fn run(&self, quiet: bool) -> Ended {
        let limits = self.limits.limits();
        wall::behind("scramble", &self.puzzle.path().display().to_string(), &limits, || self.scramble(&limits, quiet))
    }

    fn scramble(&self, limits: &Limits, quiet: bool) -> Ended {
        let started = Instant::now();
        let (path, loading) = (self.puzzle.path(), self.puzzle.loading(limits));
        let name = path.display().to_string();
        let text = loading.source(&path)?.text()?;
        let puzzle = loading.parse(&text, &name)?;
        let file =
            File { path: &path, text: &text, title: puzzle.title(), seed: self.seed, loading: &loading, started };
        let start = match puzzle.scrambled(self.moves, self.seed, &file.limits()) {
            Ok(Some(scrambled)) => Ok(Start { text: file.with(&scrambled)?.0, note: None }),
            Ok(None) => file.walked(&puzzle, self.moves.unwrap_or(DEFAULT_WALK))?,
            Err(limit) => Err(limit),
        };
        let start = match start {
            Ok(start) => start,
            Err(limit) => {
                complain(&format!("error: {name}: {}", limit.words()));
                return Ok(Status::of_limit(limit));
            }
        };
        if let (Some(note), false) = (start.note, quiet) {
            complain(&format!("note: {note}"));
        }
        wall::lift_time();
        stdout().write_all(visible(&start.text).as_bytes())?;
        Ok(Status::Good)
    }
}

/// A new puzzle file, and a note on its start.
struct Start {
    text: String,
    note: Option<String>,
}

/// The file to scramble.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
    title: &'a str,
    seed: u64,
    loading: &'a Loading,
    started: Instant,
}

impl File<'_> {
    /// Returns the limits that remain.
    fn limits(&self) -> Limits {
        self.loading.limits.remaining(&Stats::default(), self.started.elapsed())
    }

    /// Returns the file with another start, as text and as a puzzle.
    fn with(&self, scrambled: &Scrambled) -> Result<(String, Puzzle), Failure> {
        let title = scrambled_title(self.title, &format!("seed {}", self.seed));
        let text = edited(self.text, scrambled, &title);
        match self.loading.parse(&text, &self.path.display().to_string()) {
            Ok(puzzle) => Ok((text, puzzle)),
            Err(_) => {
                let message = "the start after these moves cannot be written as a file";
                Err(Failure::refused(message, "choose another `--seed` or fewer `--moves`").about(self.path))
            }
        }
    }

    /// Returns the file with a start that a random walk reaches. A position without a solution leads only to others: so
    /// if the end of the walk is one, the first half of the walk is tried, and so on. Returns a limit that ends the walk.
    fn walked(&self, puzzle: &Puzzle, all: u32) -> Result<Result<Start, Limit>, Failure> {
        let mut moves = all;
        loop {
            let scrambled = match puzzle.walked(moves, self.seed, &self.limits()) {
                Ok(scrambled) => scrambled,
                Err(limit) => return Ok(Err(limit)),
            };
            let Some(scrambled) = scrambled else {
                let message =
                    format!("no other start of this puzzle can be made in the domain `{}`", puzzle.domain().name);
                let help = "`engine explore` finds the start that needs the most moves";
                return Err(Failure::refused(message, help).about(self.path));
            };
            let (text, walked) = self.with(&scrambled)?;
            let note = match self.outcome(&walked) {
                Some(Outcome::Solved) if moves == all => None,
                Some(Outcome::Solved) => {
                    let made = counted(u64::from(moves), "move");
                    Some(format!("{all} moves lead to a position without a solution: this start is after {made}"))
                }
                Some(Outcome::Unsolvable) if moves > 1 => {
                    moves /= 2;
                    continue;
                }
                Some(Outcome::Unsolvable) => {
                    let message = "no solution is left after the first random move, or there was none before";
                    let help = "choose another `--seed`, or see whether `engine solve` solves the puzzle";
                    return Err(Failure::refused(message, help).about(self.path));
                }
                Some(Outcome::Limit) | None => Some(format!(
                    "it is not known whether this start has a solution: the search for one stops after {MOST_STATES} states"
                )),
            };
            return Ok(Ok(Start { text, note }));
        }
    }

    /// Returns the outcome of a short search; `None` if the file asks for a search that its puzzle does not allow.
    fn outcome(&self, puzzle: &Puzzle) -> Option<Outcome> {
        let limits = Limits { nodes: Some(MOST_STATES), ..self.limits() };
        puzzle.solve(&Options { limits, ..Options::default() }).ok().map(|solution| solution.outcome())
    }
}
