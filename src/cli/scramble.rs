//! `engine scramble`: prints a puzzle file with the same goal and a random start.

use super::failure::{Ended, Failure};
use super::limits::ReadingLimits;
use super::loading::UnseededFile;
use super::streams::stdout;
use super::{Status, wall};
use crate::diagnostic::steers;
use crate::document::visible;
use crate::domain::DEFAULT_WALK;
use crate::domain::import::escaped;
use crate::search::Limits;
use clap::Args;
use std::io::{self, Write};
use toml::{Table, Value};

/// Print a puzzle file with the same goal and a random start
#[derive(Args)]
pub(super) struct Scramble {
    #[command(flatten)]
    puzzle: UnseededFile,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Make N random moves from the goal [default: choose among all solvable positions]
    ///
    /// In the domains `klotski` and `rules`, the moves are made from the start [default: 1000].
    #[arg(long, value_name = "N")]
    moves: Option<u32>,
    /// Seed the random numbers with S; the same seed gives the same puzzle
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
}

impl Scramble {
    pub fn run(&self) -> Ended {
        let limits = self.limits.limits();
        wall::behind("scramble", &self.puzzle.path().display().to_string(), &limits, || self.scramble(&limits))
    }

    fn scramble(&self, limits: &Limits) -> Ended {
        let (path, loading) = (self.puzzle.path(), self.puzzle.loading(limits));
        let text = loading.source(&path)?.text()?;
        let puzzle = loading.parse(&text, &path.display().to_string())?;
        let walked = || puzzle.walked(self.moves.unwrap_or(DEFAULT_WALK), self.seed);
        let Some(scrambled) = puzzle.scrambled(self.moves, self.seed).or_else(walked) else {
            let message = format!("no other start of this puzzle can be made in the domain `{}`", puzzle.domain().name);
            let help = "`engine explore` finds the start that needs the most moves";
            return Err(Failure::refused(message, help).about(&path));
        };
        let table: Table = text.parse().map_err(io::Error::other)?;
        let text = rewritten(table, scrambled.replaced, &scrambled.keys);
        if loading.parse(&text, &path.display().to_string()).is_err() {
            let message = "the start after these moves cannot be written as a file";
            return Err(Failure::refused(message, "choose another `--seed` or fewer `--moves`").about(&path));
        }
        wall::lift_time();
        stdout().write_all(visible(&text).as_bytes())?;
        Ok(Status::Good)
    }
}

/// Returns the puzzle file with the keys of the new start, and without the keys that describe the old one.
fn rewritten(mut table: Table, replaced: &[&str], keys: &str) -> String {
    for key in replaced.iter().chain(&["author", "source", "description", "tags", "expect"]) {
        table.remove(*key);
    }
    let is_table = |value: &Value| value.is_table();
    let line = |(key, value): (&str, &Value)| format!("{key} = {}\n", written(value));
    let mut text = String::new();
    for key in ["title", "domain"] {
        text += &table.remove(key).map_or(String::new(), |value| line((key, &value)));
    }
    text += keys;
    let (tables, values): (Table, Table) = table.into_iter().partition(|(_, value)| is_table(value));
    text += &values.iter().map(|(key, value)| line((key, value))).collect::<String>();
    if tables.is_empty() { text } else { format!("{text}\n{tables}") }
}

/// Returns a value in TOML. Text of several lines, such as a drawing, becomes a multi-line string.
fn written(value: &Value) -> String {
    let is_drawn = |c: char| c == '\n' || !steers(c);
    match value.as_str() {
        Some(text) if text.contains('\n') && text.chars().all(is_drawn) => {
            format!("\"\"\"\n{}\"\"\"", escaped(text))
        }
        Some(text) if text.contains(steers) => {
            let number = |c: char| if steers(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
            format!("\"{}\"", escaped(text).chars().map(number).collect::<String>())
        }
        _ => value.to_string(),
    }
}
