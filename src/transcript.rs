//! Transcripts of solutions: as text, as moves, as boards, as JSON, as a summary.
//!
//! All but JSON and the summary depend only on the puzzle and the options of the solver. They contain no time, no count
//! of nodes and no path of the machine, so a stored transcript can be compared byte by byte.

pub mod compare;
mod explanation;
pub mod explore;
pub mod plan;
pub mod summary;

pub use explanation::explanation;

use crate::diagnostic;
use crate::domain::Route;
use crate::puzzle::{Explanation, Notation, Outcome, PathStep, Puzzle, Solution, Style};
use crate::search::Limit;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io::{self, Write};
use std::mem::replace;

/// The format of a transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// The transcript: a header, then every position drawn with the move that led to it.
    #[default]
    Text,
    /// The moves alone: on one line, or one move a line if their names contain spaces.
    Moves,
    /// The moves in the notation [`Notation::LURD`], as one word.
    Lurd,
    /// Every position in the domain's plain format.
    Boards,
    /// One line: the name of the file, the title, the outcome.
    Lines,
    /// One JSON object on one line.
    Json,
    /// A summary for people: the outcome, the start, the moves. It contains the time.
    Summary,
}

/// Writes a solution in one of the formats; `file` is the puzzle's path in JSON.
///
/// # Errors
/// Those of `out`.
pub fn write(
    out: &mut dyn Write,
    format: Format,
    file: &str,
    puzzle: &Puzzle,
    solution: &Solution,
    notation: Notation,
) -> io::Result<()> {
    match format {
        Format::Text => text(out, puzzle, solution, notation),
        Format::Moves => moves(out, puzzle, solution, notation),
        Format::Lurd => moves(out, puzzle, solution, Notation::LURD),
        Format::Boards => boards(out, solution, notation),
        Format::Lines => writeln!(out, "{file}  {}  {}", puzzle.title(), outcome(solution)),
        Format::Json => json(out, file, puzzle, solution, notation),
        Format::Summary => {
            let named = summary::FileArgument { file, allow_paths: false, seed: None };
            summary::write(out, named, puzzle, solution, notation, summary::Terminal::default())
        }
    }
}

/// Returns whether lists of the moves have one move a line. That is so if a name may contain a space, since a space
/// would not show where a move ends.
pub fn has_one_move_a_line(puzzle: &Puzzle, solution: &Solution, notation: Notation) -> bool {
    let mut has_spaces = puzzle.has_spaced_moves() && !notation.is_of_letters();
    let look = |_: Option<usize>, route: &dyn Route| {
        has_spaces = has_spaces || route.moves(notation).iter().any(|written| written.contains(char::is_whitespace));
        Ok(())
    };
    // The visitor writes nothing, so it cannot fail.
    let _ = each_route(solution, look);
    has_spaces
}

/// Writes the moves of each solution on one line; or one move a line, with a blank line between solutions.
fn moves(out: &mut dyn Write, puzzle: &Puzzle, solution: &Solution, notation: Notation) -> io::Result<()> {
    let one_a_line = has_one_move_a_line(puzzle, solution, notation);
    let (between_moves, between_solutions) = match one_a_line {
        true => ("\n", "\n"),
        false if notation.is_of_letters() => ("", ""),
        false => (" ", ""),
    };
    each_route(solution, |number, route| {
        let before = if number.is_some_and(|number| number > 1) { between_solutions } else { "" };
        writeln!(out, "{before}{}", route.moves(notation).join(between_moves))
    })
}

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

fn text(out: &mut dyn Write, puzzle: &Puzzle, solution: &Solution, notation: Notation) -> io::Result<()> {
    heading(out, puzzle)?;
    fact(out, "algorithm", solution.algorithm().name())?;
    if let Some(heuristic) = solution.heuristic() {
        fact(out, "heuristic", heuristic)?;
    }
    fact(out, if solution.cost().is_some() { "cost" } else { "outcome" }, outcome(solution))?;
    if let Some(solutions) = counted(solution) {
        fact(out, "solutions", solutions)?;
    }
    if let Some(table) = solution.refutation().and_then(|refutation| refutation.table.as_ref()) {
        write!(out, "\n{table}")?;
    }
    if solution.route().is_none() || !puzzle.is_drawn() {
        write!(out, "\nstart\n{}", puzzle.draw(Style::Drawn))?;
    }
    let between_moves = if !puzzle.is_drawn() && has_one_move_a_line(puzzle, solution, notation) { "\n" } else { " " };
    each_route(solution, |number, route| {
        if let (Some(number), Some(solutions)) = (number, solution.solutions()) {
            writeln!(out, "\nsolution {number} of {}", Count(solutions))?;
        }
        if !puzzle.is_drawn() {
            return writeln!(out, "\nmoves\n{}", route.moves(notation).join(between_moves));
        }
        each_step(route, notation, Style::Drawn, |number, step| {
            let head = match &step.action {
                None => "start".to_owned(),
                Some(action) => format!("{number}. {action}"),
            };
            let h = if solution.heuristic_was_named() { format!("  h = {}", Number(step.h)) } else { String::new() };
            write!(out, "\n{head}{h}\n{}", step.position)
        })
    })
}

/// Returns the number of shortest solutions, or why they were not counted; `None` if no count was requested.
fn counted(solution: &Solution) -> Option<String> {
    if let Some(solutions) = solution.solutions() {
        return Some(Count(solutions).to_string());
    }
    let limit = solution.limit().filter(|_| solution.outcome() == Outcome::Limit && solution.is_optimal())?;
    Some(format!("not counted: stopped at the {} limit", limit.name()))
}

/// Returns the facts that the formats `moves`, `lurd`, `boards` and `lines` have no room for, for standard error: why
/// there is no solution or no proof, and the number of shortest solutions.
pub fn facts_for_stderr(format: Format, solution: &Solution) -> Vec<String> {
    if !matches!(format, Format::Moves | Format::Lurd | Format::Boards | Format::Lines) {
        return Vec::new();
    }
    // A line has the outcome.
    let is_open = solution.outcome() != Outcome::Solved && !solution.is_optimal() && format != Format::Lines;
    let ended = is_open.then(|| outcome(solution));
    let solutions = counted(solution).map(|solutions| format!("shortest solutions: {solutions}"));
    ended.into_iter().chain(solutions).collect()
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
                None => "not proven shortest".to_owned(),
            };
            // If all shortest solutions were requested, another line names the limit.
            let stopped = match solution.limit() {
                Some(limit) if !solution.is_optimal() => format!("; stopped at the {} limit", limit.name()),
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

fn boards(out: &mut dyn Write, solution: &Solution, notation: Notation) -> io::Result<()> {
    let mut follows_another = false;
    each_route(solution, |_, route| {
        each_step(route, notation, Style::Plain, |_, step| {
            let blank_line = if replace(&mut follows_another, true) { "\n" } else { "" };
            write!(out, "{blank_line}{}", step.position)
        })
    })
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

/// The fields of the JSON format; each of them is present in every outcome.
#[derive(Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct Row<'a> {
    file: &'a str,
    title: Option<&'a str>,
    domain: Option<&'a str>,
    seed: Option<&'a str>,
    algorithm: Option<&'a str>,
    heuristic: Option<&'a str>,
    outcome: &'a str,
    optimal: bool,
    cost: Option<Number>,
    lower_bound: Option<Number>,
    limit: Option<&'a str>,
    reason: Option<String>,
    error: Option<&'a str>,
    warnings: Vec<&'a str>,
    moves: Option<Vec<String>>,
    #[serde(skip_deserializing)]
    solutions: Option<Count>,
    all: Option<Vec<Vec<String>>>,
    expanded: u64,
    generated: u64,
    stored: u64,
    depth: Option<Number>,
    seconds: f64,
    peak_memory_bytes: u64,
    #[serde(skip_deserializing)]
    explanation: Option<Explanation>,
}

fn json(out: &mut dyn Write, file: &str, puzzle: &Puzzle, solution: &Solution, notation: Notation) -> io::Result<()> {
    line(out, &row(file, puzzle, solution, notation))
}

fn row<'a>(file: &'a str, puzzle: &'a Puzzle, solution: &Solution, notation: Notation) -> Row<'a> {
    let stats = solution.stats();
    Row {
        file,
        title: Some(puzzle.title()),
        domain: Some(puzzle.domain().name),
        seed: puzzle.seed(),
        algorithm: Some(solution.algorithm().name()),
        heuristic: solution.heuristic(),
        outcome: solution.outcome().name(),
        optimal: solution.is_optimal(),
        cost: solution.cost().map(Number),
        lower_bound: solution.lower_bound().map(Number),
        limit: solution.limit().map(|limit| limit.name()),
        reason: solution.reason().map(str::to_owned),
        error: None,
        warnings: puzzle.warning_messages().collect(),
        moves: solution.route().map(|route| route.moves(notation)),
        solutions: solution.solutions().map(Count),
        all: solution.all_shortest().map(|all| all.map(|route| route.moves(notation)).collect()),
        expanded: stats.expanded,
        generated: stats.generated,
        stored: stats.stored,
        depth: Some(Number(stats.depth)),
        seconds: solution.time().as_secs_f64(),
        peak_memory_bytes: stats.memory,
        explanation: solution.explanation().cloned(),
    }
}

/// The facts about a puzzle that was not solved because of an error, or whose search was ended from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsolved<'a> {
    /// The limit that ended it; `None` if there was an error.
    pub limit: Option<Limit>,
    /// A proven lower bound on the cost of every solution.
    pub lower_bound: f64,
    /// The algorithm in progress.
    pub algorithm: Option<&'a str>,
    /// Its heuristic.
    pub heuristic: Option<&'a str>,
    /// The states that it had expanded.
    pub expanded: u64,
    /// The time that it had taken.
    pub seconds: f64,
}

/// Writes the JSON object of a puzzle without a solution, and why there is none.
///
/// # Errors
/// Those of `out`.
pub fn write_json_unsolved(out: &mut dyn Write, file: &str, error: &str, unsolved: &Unsolved) -> io::Result<()> {
    line(out, &unsolved.row(file, error))
}

impl<'a> Unsolved<'a> {
    fn row(&self, file: &'a str, error: &'a str) -> Row<'a> {
        let Unsolved { limit, lower_bound, algorithm, heuristic, expanded, seconds } = *self;
        Row {
            file,
            outcome: limit.map_or("error", |_| Outcome::Limit.name()),
            error: Some(error),
            limit: limit.map(Limit::name),
            lower_bound: limit.map(|_| Number(lower_bound)),
            algorithm,
            heuristic,
            expanded,
            seconds,
            ..Row::default()
        }
    }
}

fn line(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    writeln!(out, "{}", diagnostic::json(row)?)
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
