//! Transcripts of several searches of several puzzles: tables by the depth of the solutions, JSON, CSV and charts.

mod charts;
mod statistics;
mod table;

pub use charts::{CHARTS, Chart};
pub use statistics::{Depth, Search, Statistics, Summary, depths, effective_branching_factor, searches, summaries};

use super::compare::TableStyle;
use super::{Number, Unsolved};
use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::puzzle::{Notation, Outcome, Puzzle, Solution};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::time::Duration;
use table::write_text;

/// A search of one of the puzzles.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct SearchRow {
    pub(crate) file: String,
    /// The number of a random board, from 1.
    pub(crate) board: Option<usize>,
    pub(crate) title: String,
    /// The least cost, if it is known without this search.
    pub(crate) known_cost: Option<u32>,
    pub(crate) algorithm: String,
    pub(crate) heuristic: Option<String>,
    pub(crate) outcome: String,
    pub(crate) limit: Option<String>,
    pub(crate) optimal: bool,
    pub(crate) cost: Option<Number>,
    pub(crate) lower_bound: Option<Number>,
    /// The number of moves of the solution.
    pub(crate) moves: Option<u64>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) stored: u64,
    pub(crate) depth: Option<Number>,
    pub(crate) branching_factor: Option<f64>,
    /// The time to build tables.
    pub(crate) build_seconds: f64,
    /// The time of the search itself.
    pub(crate) search_seconds: f64,
    pub(crate) peak_memory_bytes: u64,
    /// The number of runs of which the times are medians.
    pub(crate) runs: usize,
}

/// The times of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Times {
    /// The time of the search itself.
    pub search: Duration,
    /// The time to build tables.
    pub build: Duration,
}

impl SearchRow {
    /// Creates the row of a search from its times, one a run; at least one.
    #[must_use]
    pub fn new(puzzle: &Puzzle, heuristic: Option<&str>, solution: &Solution, times: &[Times]) -> SearchRow {
        let stats = solution.stats();
        let moves = solution.route().map(|route| route.moves(Notation::STANDARD).len() as u64);
        let is_solved = solution.outcome() == Outcome::Solved;
        let median = |time: fn(&Times) -> Duration| {
            let mut times: Vec<Duration> = times.iter().map(time).collect();
            times.sort_unstable();
            (times[(times.len() - 1) / 2] + times[times.len() / 2]).as_secs_f64() / 2.0
        };
        SearchRow {
            title: puzzle.title().to_owned(),
            algorithm: solution.algorithm().name().to_owned(),
            heuristic: heuristic.map(str::to_owned),
            outcome: solution.outcome().name().to_owned(),
            limit: solution.limit().map(|limit| limit.name().to_owned()),
            optimal: solution.is_optimal(),
            cost: solution.cost().map(Number),
            lower_bound: solution.lower_bound().map(Number),
            moves,
            expanded: stats.expanded,
            generated: stats.generated,
            stored: stats.stored,
            depth: Some(Number(stats.depth)),
            branching_factor: moves
                .filter(|_| is_solved)
                .and_then(|moves| effective_branching_factor(moves, stats.generated)),
            build_seconds: median(|times| times.build),
            search_seconds: median(|times| times.search),
            peak_memory_bytes: stats.memory,
            runs: times.len(),
            ..SearchRow::default()
        }
    }

    /// Creates the row of a search that was ended from outside.
    #[must_use]
    pub fn unsolved(puzzle: &Puzzle, unsolved: &Unsolved) -> SearchRow {
        SearchRow {
            title: puzzle.title().to_owned(),
            algorithm: unsolved.algorithm.unwrap_or_default().to_owned(),
            heuristic: unsolved.heuristic.map(str::to_owned),
            outcome: Outcome::Limit.name().to_owned(),
            limit: unsolved.limit.map(|limit| limit.name().to_owned()),
            lower_bound: Some(Number(unsolved.lower_bound)),
            expanded: unsolved.expanded,
            search_seconds: unsolved.seconds,
            runs: 1,
            ..SearchRow::default()
        }
    }

    /// Returns the row as one of a puzzle in this file: of a random board with this number, if it is one, whose least
    /// cost is known.
    #[must_use]
    pub fn of(self, file: &str, board: Option<(usize, u32)>) -> SearchRow {
        let (board, known_cost) = board.unzip();
        SearchRow { file: file.to_owned(), board, known_cost, ..self }
    }

    /// Returns the algorithm and the heuristic.
    #[must_use]
    pub fn search(&self) -> Search<'_> {
        (&self.algorithm, self.heuristic.as_deref())
    }

    /// Returns whether it has an answer: a solution, or that there is none.
    fn is_answered(&self) -> bool {
        self.outcome != Outcome::Limit.name()
    }
}

/// The searches of several puzzles to write, and how.
pub struct Batch<'a> {
    /// The title.
    pub title: &'a str,
    /// The searches, those of a puzzle together.
    pub rows: &'a [SearchRow],
    /// The limits of each search: `10s and 2 GiB`.
    pub given: &'a str,
    /// The style of tables, charts and CSV.
    pub style: TableStyle,
}

/// Writes a batch.
pub type WriteBatch = fn(&mut dyn Write, &Batch) -> io::Result<()>;

/// The formats of batches, of the same names as those of comparisons.
pub const BATCH_FORMATS: Formats<WriteBatch> = &[
    &OutputFormat { name: "text", summary: "tables for people", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object per search, then per summary", writer: write_json },
    &OutputFormat { name: "csv", summary: "one line per puzzle and search", writer: write_csv },
];

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Search(&'a SearchRow),
    Summary(&'a Summary<'a>),
}

fn write_json(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    for row in batch.rows {
        writeln!(out, "{}", json(&Line::Search(row))?)?;
    }
    for summary in &summaries(batch.rows) {
        writeln!(out, "{}", json(&Line::Summary(summary))?)?;
    }
    Ok(())
}

/// The columns of the CSV format.
#[derive(Serialize)]
struct CsvRow<'a> {
    file: &'a str,
    board: Option<usize>,
    algorithm: &'a str,
    heuristic: Option<&'a str>,
    outcome: &'a str,
    limit: Option<&'a str>,
    optimal: bool,
    cost: Option<Number>,
    lower_bound: Option<Number>,
    moves: Option<u64>,
    solution_depth: Depth,
    expanded: u64,
    generated: u64,
    stored: u64,
    depth: Option<Number>,
    branching_factor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
}

fn write_csv(out: &mut dyn Write, batch: &Batch) -> io::Result<()> {
    let depths = depths(batch.rows);
    let has_times = !batch.style.counts;
    let mut csv = csv::Writer::from_writer(out);
    for row in batch.rows {
        csv.serialize(CsvRow {
            file: &row.file,
            board: row.board,
            algorithm: &row.algorithm,
            heuristic: row.heuristic.as_deref(),
            outcome: &row.outcome,
            limit: row.limit.as_deref(),
            optimal: row.optimal,
            cost: row.cost,
            lower_bound: row.lower_bound,
            moves: row.moves,
            solution_depth: depths[&(&*row.file, row.board)],
            expanded: row.expanded,
            generated: row.generated,
            stored: row.stored,
            depth: row.depth,
            branching_factor: row.branching_factor,
            build_seconds: has_times.then_some(row.build_seconds),
            search_seconds: has_times.then_some(row.search_seconds),
            peak_memory_bytes: has_times.then_some(row.peak_memory_bytes),
        })?;
    }
    csv.flush()
}
