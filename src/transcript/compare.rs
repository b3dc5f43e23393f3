//! Transcripts of several searches of one puzzle, side by side: a table for people, JSON and CSV for programs, a chart.
//!
//! The best value is marked only among searches that proved their answer, because an unproven answer takes less work.

use super::json::{Row, row};
use super::{Number, Unsolved, rate};
use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::plot::{Bar, BarChart, Panel, Row as ChartRow, Tone, thousands};
use crate::puzzle::{Notation, Outcome, Puzzle, Solution};
use bytesize::ByteSize;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::time::Duration;

/// One of the searches compared. It is read back from a [`serde_json::Value`], whose texts it borrows.
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct Compared<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    expanded_per_second: f64,
    /// The number of runs of which `seconds` is the median.
    runs: usize,
}

impl<'a> Compared<'a> {
    /// Creates the row of a search from its times, one a run; at least one.
    #[must_use]
    pub fn new(file: &'a str, puzzle: &'a Puzzle, solution: &Solution, mut times: Vec<Duration>) -> Compared<'a> {
        times.sort_unstable();
        let runs = times.len();
        let seconds = (times[(runs - 1) / 2] + times[runs / 2]).as_secs_f64() / 2.0;
        let row = row(file, puzzle, solution, Notation::STANDARD);
        let heuristic = row.heuristic.filter(|_| solution.algorithm().facts().informed);
        let expanded_per_second = if seconds > 0.0 { row.expanded as f64 / seconds } else { 0.0 };
        Compared { row: Row { heuristic, seconds, ..row }, expanded_per_second, runs }
    }

    /// Creates the row of a search that was ended from outside.
    #[must_use]
    pub fn unsolved(puzzle: &'a Puzzle, unsolved: &Unsolved<'a>) -> Compared<'a> {
        let (title, domain) = (Some(puzzle.title()), Some(puzzle.domain().name));
        let row = Row { title, domain, seed: puzzle.seed(), ..unsolved.row() };
        Compared { row, expanded_per_second: 0.0, runs: 1 }
    }

    /// Returns whether its answer is proven: that no solution costs less, or that there is none.
    fn is_proof(&self) -> bool {
        self.row.optimal || self.row.outcome == Outcome::Unsolvable.name()
    }

    fn outcome(&self) -> String {
        match self.row.limit {
            Some("interrupt") => "interrupted".to_owned(),
            Some(limit) => format!("{limit} limit"),
            None => self.row.outcome.to_owned(),
        }
    }

    fn proven(&self) -> String {
        match self.row.lower_bound {
            _ if self.is_proof() => "yes".to_owned(),
            Some(bound) if bound.0 > 0.0 => format!("≥ {}", bound.rounded()),
            _ => "no".to_owned(),
        }
    }
}

/// The searches of a puzzle to write, and how.
pub struct Comparison<'a> {
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// Its searches.
    pub compared: &'a [Compared<'a>],
    /// The limits of each search: `10s and 2 GiB`.
    pub given: &'a str,
    /// The style of tables, charts and CSV.
    pub style: TableStyle,
}

/// Writes a comparison.
pub type WriteComparison = fn(&mut dyn Write, &Comparison) -> io::Result<()>;

/// A format of comparisons.
pub type ComparisonFormat = OutputFormat<WriteComparison>;

/// All formats of comparisons.
pub const FORMATS: Formats<WriteComparison> = &[&TEXT, &JSON, &CSV, &SVG];

/// A table for people.
pub const TEXT: ComparisonFormat = OutputFormat { name: "text", summary: "a table for people", writer: write_text };

/// One JSON object a search, each on its own line.
const JSON: ComparisonFormat =
    OutputFormat { name: "json", summary: "one JSON object per search, one per line", writer: write_json };

/// One line a search, below a line with the names of the columns.
const CSV: ComparisonFormat = OutputFormat {
    name: "csv",
    summary: "one line per search, below a line with the names of the columns",
    writer: write_csv,
};

/// A chart of states and times. Helps omit it: another option draws it, too.
pub const SVG: ComparisonFormat = OutputFormat { name: "svg", summary: "", writer: write_svg };

fn write_json(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    for one in comparison.compared {
        writeln!(out, "{}", json(one)?)?;
    }
    Ok(())
}

/// The columns of the CSV format.
#[derive(Serialize)]
struct CsvRow<'a> {
    algorithm: Option<&'a str>,
    heuristic: Option<&'a str>,
    outcome: &'a str,
    limit: Option<&'a str>,
    optimal: bool,
    cost: Option<Number>,
    lower_bound: Option<Number>,
    expanded: u64,
    generated: u64,
    stored: u64,
    depth: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded_per_second: Option<f64>,
}

fn write_csv(
    out: &mut dyn Write,
    &Comparison { compared, style: TableStyle { counts, .. }, .. }: &Comparison,
) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    for Compared { row, expanded_per_second, .. } in compared {
        csv.serialize(CsvRow {
            algorithm: row.algorithm,
            heuristic: row.heuristic,
            outcome: row.outcome,
            limit: row.limit,
            optimal: row.optimal,
            cost: row.cost,
            lower_bound: row.lower_bound,
            expanded: row.expanded,
            generated: row.generated,
            stored: row.stored,
            depth: row.depth,
            seconds: (!counts).then_some(row.seconds),
            peak_memory_bytes: (!counts).then_some(row.peak_memory_bytes),
            expanded_per_second: (!counts).then_some(*expanded_per_second),
        })?;
    }
    csv.flush()
}

/// A column of the table.
struct Column {
    head: &'static str,
    /// The order in which columns are dropped in a narrow terminal, the greatest number first; 0 is never dropped.
    drop_rank: u8,
    is_number: bool,
    /// True if it differs from machine to machine.
    varies: bool,
    /// A number that is better the smaller it is.
    effort: Option<fn(&Compared) -> f64>,
    cell: fn(&Compared) -> String,
}

const COLUMNS: [Column; 12] = [
    Column::word("ALGORITHM", |one| one.row.algorithm.unwrap_or_default().to_owned()),
    Column::word("HEURISTIC", |one| one.row.heuristic.unwrap_or_default().to_owned()),
    Column::word("OUTCOME", |one| one.outcome()),
    Column { is_number: true, ..Column::word("COST", |one| rounded(one.row.cost)) },
    Column { is_number: true, drop_rank: 1, ..Column::word("PROVEN", |one| one.proven()) },
    Column::effort("EXPANDED", 0, |one| one.row.expanded as f64, |one| thousands(one.row.expanded)),
    Column::effort("GENERATED", 6, |one| one.row.generated as f64, |one| thousands(one.row.generated)),
    Column::effort("STORED", 5, |one| one.row.stored as f64, |one| thousands(one.row.stored)),
    Column { is_number: true, drop_rank: 2, ..Column::word("DEPTH", |one| rounded(one.row.depth)) },
    Column { varies: true, ..Column::effort("TIME", 0, |one| one.row.seconds, |one| duration(one.row.seconds)) },
    Column {
        varies: true,
        ..Column::effort(
            "MEMORY",
            3,
            |one| one.row.peak_memory_bytes as f64,
            |one| ByteSize(one.row.peak_memory_bytes).display().iec().to_string(),
        )
    },
    Column {
        varies: true,
        is_number: true,
        drop_rank: 4,
        ..Column::word("STATES/S", |one| rate(one.expanded_per_second))
    },
];

impl Column {
    const fn word(head: &'static str, cell: fn(&Compared) -> String) -> Column {
        Column { head, drop_rank: 0, is_number: false, varies: false, effort: None, cell }
    }

    const fn effort(
        head: &'static str,
        drop_rank: u8,
        effort: fn(&Compared) -> f64,
        cell: fn(&Compared) -> String,
    ) -> Column {
        Column { head, drop_rank, is_number: true, varies: false, effort: Some(effort), cell }
    }
}

/// The style of a comparison.
#[derive(Clone, Copy, Default)]
pub struct TableStyle {
    /// The width of the terminal; `None` if there is no terminal.
    pub width: Option<usize>,
    /// True to mark the best of each column in colour.
    pub colour: bool,
    /// True to omit everything that differs from machine to machine.
    pub counts: bool,
}

fn write_text(out: &mut dyn Write, &Comparison { puzzle, compared, given, style }: &Comparison) -> io::Result<()> {
    writeln!(out, "{}\n", puzzle.title())?;
    let shown = COLUMNS.iter().filter(|column| !(style.counts && column.varies));
    let mut columns: Vec<(&Column, usize)> = shown.map(|column| (column, width(column, compared))).collect();
    let all = columns.len();
    while let Some(limit) = style.width
        && columns.iter().map(|(_, width)| width + 2).sum::<usize>() > limit + 2
        && let Some(dropped) =
            (0..columns.len()).filter(|&at| columns[at].0.drop_rank > 0).max_by_key(|&at| columns[at].0.drop_rank)
    {
        columns.remove(dropped);
    }
    let line = |cells: Vec<String>| cells.join("  ").trim_end().to_owned();
    writeln!(out, "{}", line(columns.iter().map(|(column, width)| padded(column.head, column, *width)).collect()))?;
    let best: Vec<Option<f64>> = columns.iter().map(|(column, _)| best(compared, column.effort?)).collect();
    for one in compared {
        let cells = columns.iter().zip(&best).map(|((column, width), best)| {
            let cell = padded(&(column.cell)(one), column, *width);
            let is_best = one.is_proof() && column.effort.zip(*best).is_some_and(|(effort, best)| effort(one) == best);
            if style.colour && is_best { format!("\x1b[1;32m{cell}\x1b[0m") } else { cell }
        });
        writeln!(out, "{}", line(cells.collect()))?;
    }
    let median = if compared.iter().any(|one| one.runs > 1) { ", the median of several runs" } else { "" };
    writeln!(out)?;
    if !style.counts {
        writeln!(out, "Time: the search and the building of its tables{median}.")?;
    }
    writeln!(out, "Limits of each search: {given}.")?;
    if style.colour {
        writeln!(out, "In colour: the least value among the searches that proved their answers.")?;
    }
    if columns.len() < all {
        writeln!(out, "For more columns, widen the terminal or use --format csv.")?;
    }
    Ok(())
}

fn width(column: &Column, compared: &[Compared]) -> usize {
    compared.iter().map(|one| (column.cell)(one).chars().count()).fold(column.head.len(), usize::max)
}

fn padded(cell: &str, column: &Column, width: usize) -> String {
    if column.is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
}

/// Returns the least effort among the searches that proved their answer; `None` if there is nothing to compare.
fn best(compared: &[Compared], effort: fn(&Compared) -> f64) -> Option<f64> {
    let proofs = || compared.iter().filter(|one| one.is_proof());
    if proofs().count() < 2 { None } else { proofs().map(effort).min_by(f64::total_cmp) }
}

/// Writes a chart of states and times, or of states alone.
fn write_svg(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { puzzle, compared, given, style: TableStyle { counts, .. } } = *comparison;
    let tone = |one: &Compared| match () {
        () if one.is_proof() => Tone::Full,
        () if one.row.limit.is_none() => Tone::Half,
        () => Tone::Striped,
    };
    let panel = |heading, effort: fn(&Compared) -> f64, label: fn(&Compared) -> String, tick| {
        let best = best(compared, effort);
        let bar = |one: &Compared| Bar {
            value: effort(one),
            label: label(one),
            tone: tone(one),
            is_best: one.is_proof() && best == Some(effort(one)),
        };
        Panel { heading, bars: compared.iter().map(bar).collect(), tick }
    };
    let answer = compared.iter().find(|one| one.is_proof()).map(|one| match one.row.cost {
        Some(cost) => format!("the least cost is {}; ", cost.rounded()),
        None => "there is no solution; ".to_owned(),
    });
    let meanings = [
        (Tone::Full, "proven: a shortest solution, or that there is none"),
        (Tone::Half, "a solution, not proven shortest"),
        (Tone::Striped, "stopped at a limit"),
    ];
    let chart = BarChart {
        title: puzzle.title(),
        subtitle: &format!(
            "{} {}; {}limits of each search: {}",
            puzzle.domain().name,
            puzzle.size(),
            answer.unwrap_or_default(),
            given
        ),
        rows: compared
            .iter()
            .map(|one| ChartRow {
                group: one.row.algorithm.unwrap_or_default().to_owned(),
                name: one.row.heuristic.unwrap_or_default().to_owned(),
            })
            .collect(),
        panels: [
            Some(panel(
                "states expanded (logarithmic)",
                |one| one.row.expanded as f64,
                |one| thousands(one.row.expanded),
                |power| thousands(10_u64.saturating_pow(power.max(0) as u32)),
            )),
            (!counts).then(|| {
                panel("time (logarithmic)", |one| one.row.seconds, |one| duration(one.row.seconds), power_of_time)
            }),
        ]
        .into_iter()
        .flatten()
        .collect(),
        key: meanings.into_iter().filter(|(tone_, _)| compared.iter().any(|one| tone(one) == *tone_)).collect(),
    };
    out.write_all(chart.svg().as_bytes())
}

/// Formats a power of ten in seconds.
pub(super) fn power_of_time(power: i32) -> String {
    let (unit, below) = match power {
        0.. => ("s", 0),
        -3.. => ("ms", -3),
        -6.. => ("µs", -6),
        _ => ("ns", -9),
    };
    format!("{} {unit}", thousands(10_u64.saturating_pow((power - below).max(0) as u32)))
}

/// Formats a cost with at most three decimals; empty if there is none.
fn rounded(cost: Option<Number>) -> String {
    cost.map(|cost| cost.rounded().to_string()).unwrap_or_default()
}

/// Formats a time with three digits.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        long if long >= 1.0 => (long, "s"),
        short if short >= 1e-3 => (short * 1e3, "ms"),
        instant => (instant * 1e6, "µs"),
    };
    let decimals = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let written = [0.0, 0.000_012_34, 0.012_345, 0.5, 1.0, 12.34, 1234.5].map(duration);
        assert_eq!(written, ["0.00 µs", "12.3 µs", "12.3 ms", "500 ms", "1.00 s", "12.3 s", "1234 s"]);
        let ticks = [-9, -6, -4, -3, -1, 0, 3].map(power_of_time);
        assert_eq!(ticks, ["1 ns", "1 µs", "100 µs", "1 ms", "100 ms", "1 s", "1,000 s"]);
        assert_eq!(rounded(Some(Number(12.485_281_374_238_571))), "12.485");
    }
}
