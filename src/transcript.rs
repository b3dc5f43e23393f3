//! Transcripts of solutions: as text, as moves, as boards, as JSON, as a summary.
//!
//! All but JSON and the summary depend only on the puzzle and the options of the solver. They contain no time, no count
//! of nodes and no path of the machine, so a stored transcript can be compared byte by byte.

pub mod batch;
mod boards;
pub mod compare;
pub mod difference;
pub mod edits;
mod explanation;
pub mod explore;
mod file_argument;
mod format;
mod heuristics;
mod json;
mod lines;
mod moves;
pub mod plan;
pub mod rating;
mod summary;
mod text;
mod totals;
mod trace;

pub use boards::BOARDS;
pub use explanation::explanation;
pub use file_argument::FileArgument;
pub(crate) use file_argument::{quoted, shell_word};
pub use format::{BlankLine, Columns, Content, Solved, Terminal, TranscriptFormat, TranscriptWriter, Unsolved};
pub use heuristics::{HeuristicsRow, heuristics_row, heuristics_text};
pub use json::JSON;
pub use lines::{LINES, MAX_TITLE};
pub use moves::{LURD, MOVES, has_one_move_a_line};
pub use summary::SUMMARY;
pub use text::TEXT;
pub use totals::Totals;
pub use trace::TraceWriter;

use crate::domain::Route;
use crate::output_format::Formats;
use crate::puzzle::{Notation, Outcome, PathStep, Puzzle, Solution, Style};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io::{self, Write};

/// All formats of solutions.
pub const FORMATS: Formats<TranscriptWriter> = &[&SUMMARY, &TEXT, &MOVES, &LURD, &BOARDS, &LINES, &JSON];

/// Writes the header: the title, the domain, the metric, the seed.
fn heading(out: &mut dyn Write, puzzle: &Puzzle) -> io::Result<()> {
    writeln!(out, "{}\n", puzzle.title())?;
    fact(out, "domain", puzzle.domain().name)?;
    puzzle.metric().map_or(Ok(()), |metric| fact(out, "metric", metric))?;
    puzzle.seed().map_or(Ok(()), |seed| fact(out, "seed", seed))
}

/// Writes a line of the header.
fn fact(out: &mut dyn Write, name: &str, value: impl Display) -> io::Result<()> {
    writeln!(out, "{name:<10} {value}")
}

/// Returns the number of shortest solutions, or why they were not counted; `None` if no count was requested.
fn counted(solution: &Solution) -> Option<String> {
    if let Some(solutions) = solution.solutions() {
        return Some(Count(solutions).to_string());
    }
    let limit = solution.limit().filter(|_| solution.outcome() == Outcome::Limit && solution.is_optimal())?;
    Some(format!("not counted: {}", limit.words()))
}

/// Returns the facts that a format has no room for, for standard error: why there is no solution or no proof, and the
/// number of shortest solutions.
#[must_use]
pub fn facts_for_stderr(format: &TranscriptFormat, solution: &Solution) -> Vec<String> {
    let content = format.writer.content;
    let is_open = solution.outcome() != Outcome::Solved && !solution.is_optimal();
    let ended = (is_open && content < Content::Outcome).then(|| outcome(solution));
    let solutions = counted(solution).filter(|_| content < Content::Count);
    ended.into_iter().chain(solutions.map(|solutions| format!("shortest solutions: {solutions}"))).collect()
}

/// Describes the cost of a solution and whether it is proven shortest, or why there is none.
pub(crate) fn outcome(solution: &Solution) -> String {
    // No cost is negative, so a bound of 0 is no news.
    let bound = solution.lower_bound().filter(|&bound| bound > 0.0);
    match (solution.outcome(), solution.cost()) {
        (_, Some(cost)) => {
            let proof = match bound {
                _ if solution.is_optimal() => "proven shortest".to_owned(),
                Some(bound) => format!("not proven shortest: no solution costs less than {}", Number(bound)),
                None => match solution.lack_of_proof() {
                    Some(reason) => format!("not proven shortest: {reason}"),
                    None => "not proven shortest".to_owned(),
                },
            };
            // If all shortest solutions were requested, another line names the limit.
            let stopped = match solution.limit() {
                Some(limit) if !solution.is_optimal() => format!("; {}", limit.words()),
                _ => String::new(),
            };
            format!("{}, {proof}{stopped}", Number(cost))
        }
        (Outcome::Limit, None) => {
            let limit = solution.limit().map_or("", |limit| limit.name());
            let bound = bound.map(|bound| format!("; no solution costs less than {}", Number(bound)));
            format!("stopped at the {limit} limit{}", bound.unwrap_or_default())
        }
        _ => {
            format!("unsolvable: {}", solution.reason().unwrap_or("it has no solution"))
        }
    }
}

/// Writes one solution after the other: all that were requested, numbered from 1; otherwise the solution found, if
/// there is one.
fn each_route(
    solution: &Solution,
    mut write: impl FnMut(Option<usize>, &dyn Route) -> io::Result<()>,
) -> io::Result<()> {
    match solution.all_shortest() {
        Some(mut all) => (1..).zip(&mut all).try_for_each(|(number, route)| write(Some(number), &*route)),
        None => solution.route().map_or(Ok(()), |route| write(None, route)),
    }
}

/// Writes one step after the other, with its number. The first error ends the writing.
fn each_step(
    route: &dyn Route,
    notation: Notation,
    style: Style,
    mut write: impl FnMut(usize, &PathStep) -> io::Result<()>,
) -> io::Result<()> {
    let mut written = Ok(());
    let mut number = 0;
    route.visit_steps(notation, style, &mut |step| {
        if written.is_ok() {
            written = write(number, &step);
        }
        number += 1;
    });
    written
}

/// The first fields of a JSON object, which describe the puzzle.
#[derive(Serialize)]
struct Subject<'a> {
    file: &'a str,
    title: &'a str,
    domain: &'a str,
    metric: Option<&'a str>,
    seed: Option<&'a str>,
}

impl<'a> Subject<'a> {
    fn new(file: &'a str, puzzle: &'a Puzzle) -> Subject<'a> {
        let (title, domain) = (puzzle.title(), puzzle.domain().name);
        Subject { file, title, domain, metric: puzzle.metric(), seed: puzzle.seed() }
    }
}

/// A number, written without a decimal point if it is whole.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Number(pub f64);

impl Number {
    /// Rounds to three decimals.
    pub fn rounded(self) -> Number {
        Number((self.0 * 1e3).round() / 1e3)
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The shortest form that reads back as the same number, without a point for whole numbers.
        write!(f, "{}", self.0)
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 9e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Formats a rate in a suitable unit.
pub(crate) fn rate(per_second: f64) -> String {
    match per_second {
        fast if fast >= 1e6 => format!("{:.1} M/s", fast / 1e6),
        slow if slow >= 1e3 => format!("{:.0} k/s", slow / 1e3),
        very_slow => format!("{very_slow:.0}/s"),
    }
}

/// A count, exact unless it is the greatest `u128`.
struct Count(u128);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            u128::MAX => write!(f, "more than {}", u128::MAX - 1),
            exact => write!(f, "{exact}"),
        }
    }
}

/// Serialises as a string if not every JSON reader could represent the number.
impl Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << f64::MANTISSA_DIGITS => serializer.serialize_u64(small),
            _ => serializer.collect_str(self),
        }
    }
}
