//! What is written of a solution: as text, as moves, as boards, as JSON.
//!
//! Everything but JSON is a function of the puzzle and of how it was asked to be solved: no time, no count of nodes,
//! no path of the machine, so that a stored transcript can be compared byte by byte.

use crate::puzzle::{Notation, Outcome, Puzzle, Solution, Style};
use serde::Serialize;
use std::fmt::Write;

/// The forms in which a solution is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The transcript: a header, then every position drawn with the move that led to it.
    #[default]
    Text,
    /// The moves alone, on one line.
    Moves,
    /// Every position in the domain's plain format.
    Boards,
    /// One JSON object on one line.
    Json,
}

/// Writes a solution in one of the forms; `file` is how JSON names the puzzle.
#[must_use]
pub fn write(format: Format, file: &str, puzzle: &Puzzle, solution: &Solution, notation: Notation) -> String {
    match format {
        Format::Text => text(puzzle, solution, notation),
        Format::Moves if solution.outcome() != Outcome::Solved => String::new(),
        Format::Moves => solution.moves_in(notation).join(" ") + "\n",
        Format::Boards => boards(solution, notation),
        Format::Json => json(file, puzzle, solution, notation),
    }
}

fn text(puzzle: &Puzzle, solution: &Solution, notation: Notation) -> String {
    let mut out = format!("{}\n\n", puzzle.title());
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<10} {value}");
    };
    line("domain", puzzle.domain().name);
    if let Some(metric) = puzzle.metric() {
        line("metric", metric);
    }
    line("algorithm", solution.algorithm().name());
    if let Some(heuristic) = solution.heuristic() {
        line("heuristic", heuristic);
    }
    match (solution.outcome(), solution.cost()) {
        (Outcome::Solved, Some(cost)) => {
            let proof = if solution.is_optimal() { "proven shortest" } else { "not proven shortest" };
            line("cost", &format!("{}, {proof}", Number(cost)));
        }
        (Outcome::Limit, _) => {
            let limit = solution.limit().map_or("", |limit| limit.name());
            let bound = Number(solution.lower_bound().unwrap_or(0.0));
            line("outcome", &format!("stopped at the {limit} limit; no solution costs less than {bound}"));
        }
        _ => {
            let reason = solution.reason().unwrap_or("every state that can be reached was searched");
            line("outcome", &format!("unsolvable: {reason}"));
        }
    }
    if solution.outcome() != Outcome::Solved {
        let _ = write!(out, "\nstart\n{}", puzzle.draw(Style::Drawn));
    }
    let mut number = 0;
    solution.walk(notation, Style::Drawn, &mut |step| {
        let head = match &step.action {
            None => "start".to_owned(),
            Some(action) => format!("{number}. {action}"),
        };
        let h = if solution.heuristic_was_named() { format!("  h = {}", Number(step.h)) } else { String::new() };
        let _ = write!(out, "\n{head}{h}\n{}", step.position);
        number += 1;
    });
    out
}

fn boards(solution: &Solution, notation: Notation) -> String {
    let mut out = String::new();
    solution.walk(notation, Style::Plain, &mut |step| {
        if step.action.is_some() {
            out += "\n";
        }
        out += &step.position;
    });
    out
}

/// The fields of the JSON form, every one of them in every outcome.
#[derive(Default, Serialize)]
struct Row<'a> {
    file: &'a str,
    title: Option<&'a str>,
    domain: Option<&'a str>,
    algorithm: Option<&'a str>,
    heuristic: Option<&'a str>,
    outcome: &'a str,
    optimal: bool,
    cost: Option<Number>,
    lower_bound: Option<Number>,
    limit: Option<&'a str>,
    error: Option<&'a str>,
    moves: Option<Vec<String>>,
    expanded: u64,
    generated: u64,
    stored: u64,
    depth: Option<Number>,
    seconds: f64,
    peak_memory_bytes: u64,
}

fn json(file: &str, puzzle: &Puzzle, solution: &Solution, notation: Notation) -> String {
    let stats = solution.stats();
    line(&Row {
        file,
        title: Some(puzzle.title()),
        domain: Some(puzzle.domain().name),
        algorithm: Some(solution.algorithm().name()),
        heuristic: solution.heuristic(),
        outcome: solution.outcome().name(),
        optimal: solution.is_optimal(),
        cost: solution.cost().map(Number),
        lower_bound: solution.lower_bound().map(Number),
        limit: solution.limit().map(|limit| limit.name()),
        error: None,
        moves: (solution.outcome() == Outcome::Solved).then(|| solution.moves_in(notation)),
        expanded: stats.expanded,
        generated: stats.generated,
        stored: stats.stored,
        depth: Some(Number(stats.depth)),
        seconds: solution.time().as_secs_f64(),
        peak_memory_bytes: stats.memory,
    })
}

/// The JSON object of a puzzle that could not be solved because of an error.
#[must_use]
pub fn json_error(file: &str, error: &str) -> String {
    line(&Row { file, outcome: "error", error: Some(error), ..Row::default() })
}

fn line(row: &Row) -> String {
    serde_json::to_string(row).expect("a row of plain values is JSON") + "\n"
}

/// A number as people write it: without a point where it is whole.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The shortest form that reads back as the same number; whole numbers come without a point.
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
