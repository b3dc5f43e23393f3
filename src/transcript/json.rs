//! JSON: one object on one line for each puzzle, solved or not.

use super::{Content, Count, Number, Solved, TranscriptFormat, TranscriptWriter, Unsolved};
use crate::diagnostic;
use crate::puzzle::{Explanation, Notation, Outcome, Puzzle, Solution};
use crate::search::Limit;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The format `json`.
pub const JSON: TranscriptFormat = TranscriptFormat {
    name: "json",
    summary: "one JSON object per puzzle, one per line",
    writer: TranscriptWriter {
        write_unsolved: Some(|out, unsolved| line(out, &unsolved.row())),
        content: Content::Explanation,
        ..TranscriptWriter::new(|out, &Solved { file, puzzle, solution, notation, .. }| {
            line(out, &row(file.file, puzzle, solution, notation))
        })
    },
};

fn line(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    writeln!(out, "{}", diagnostic::json(row)?)
}

/// The fields of the JSON format; each of them is present in every outcome.
#[derive(Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Row<'a> {
    pub file: &'a str,
    pub title: Option<&'a str>,
    pub domain: Option<&'a str>,
    pub seed: Option<&'a str>,
    pub algorithm: Option<&'a str>,
    pub heuristic: Option<&'a str>,
    pub outcome: &'a str,
    pub optimal: bool,
    pub cost: Option<Number>,
    pub lower_bound: Option<Number>,
    pub limit: Option<&'a str>,
    pub reason: Option<String>,
    pub error: Option<&'a str>,
    pub warnings: Vec<&'a str>,
    pub moves: Option<Vec<String>>,
    #[serde(skip_deserializing)]
    pub solutions: Option<Count>,
    pub all: Option<Vec<Vec<String>>>,
    pub expanded: u64,
    pub generated: u64,
    pub stored: u64,
    pub depth: Option<Number>,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
    #[serde(skip_deserializing)]
    pub explanation: Option<Explanation>,
}

/// Returns the object of a solution.
pub(super) fn row<'a>(file: &'a str, puzzle: &'a Puzzle, solution: &Solution, notation: Notation) -> Row<'a> {
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

impl<'a> Unsolved<'a> {
    /// Returns the object of a puzzle without a solution.
    pub(super) fn row(&self) -> Row<'a> {
        Row {
            file: self.file,
            outcome: self.limit.map_or("error", |_| Outcome::Limit.name()),
            error: self.error,
            limit: self.limit.map(Limit::name),
            lower_bound: self.limit.map(|_| Number(self.lower_bound)),
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            expanded: self.expanded,
            seconds: self.seconds,
            ..Row::default()
        }
    }
}
