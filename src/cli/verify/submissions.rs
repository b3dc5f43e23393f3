//! `engine verify --submissions`: a table of everybody's solutions of one puzzle.

use super::{Verify, read};
use crate::cli::failure::Ended;
use crate::cli::files::{name_below, refuse_link_out, unreadable};
use crate::cli::limits::interrupt;
use crate::cli::loading::Reading;
use crate::cli::progress::Display;
use crate::cli::streams::stdout;
use crate::cli::{Status, complain};
use crate::diagnostic::{Diagnostic, Report, json, printable};
use crate::output_format::{Formats, OutputFormat};
use crate::puzzle::{Options, Outcome, Puzzle};
use crate::search::{Limits, Stats};
use crate::transcript::Number;
use crate::verify::{Failure, mark};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthStr;

/// The default time limit of the search for the least cost.
const TIME: Duration = Duration::from_secs(10);

/// Two costs are equal up to rounding.
const ROUNDING: f64 = 1e-6;

/// Writes the marks of all submissions.
type WriteMarks = fn(&mut dyn Write, &Marks) -> io::Result<()>;

/// All formats of marks.
pub(in crate::cli) const FORMATS: Formats<WriteMarks> = &[
    &OutputFormat { name: "text", summary: "for people; a table with --submissions", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object; one per file with --submissions", writer: write_json },
    &OutputFormat { name: "csv", summary: "with --submissions: one line per file", writer: write_csv },
];

/// A format of marks.
pub(in crate::cli) type MarksFormat = OutputFormat<WriteMarks>;

/// The marks of all submissions, and the least cost if it is known.
pub(in crate::cli) struct Marks {
    title: String,
    optimum: Optimum,
    independent: bool,
    rows: Vec<Row>,
}

/// The least cost, a lower bound on it, or the reason why neither is known.
enum Optimum {
    Known(f64),
    /// No solution costs less than this.
    AtLeast(f64),
    /// There is no valid submission to compare with it.
    NotNeeded,
}

/// A submission.
#[derive(Serialize)]
struct Row {
    file: String,
    valid: bool,
    moves: Option<usize>,
    cost: Option<Number>,
    /// `None` if the least cost is not known.
    optimal: Option<bool>,
    /// How much more it costs than an optimal solution.
    longer_by: Option<Number>,
    illegal_move: Option<usize>,
    illegal_move_name: Option<String>,
    reason: Option<String>,
}

impl Verify {
    /// Marks all files in a folder as solutions of the puzzle in a file.
    pub(super) fn mark(&self, file: &Path, folder: &Path, format: &MarksFormat, quiet: bool) -> Ended {
        let started = Instant::now();
        let interrupt = interrupt();
        let limits = self.limits.limits_or(TIME, &interrupt);
        let file = self.level.of(file);
        let mut puzzle = self.level.reading.loading(&self.limits.limits(&interrupt)).load(&file)?;
        // The file may name an algorithm that proves nothing.
        puzzle.drop_search_settings();
        let name = file.display().to_string();
        let mut rows = Vec::new();
        for path in submissions(folder)? {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            rows.push(row(&puzzle, &name, folder, &path));
        }
        let optimum = match rows.iter().any(|row| row.valid) {
            true => self.optimum(&puzzle, &limits.remaining(&Stats::default(), started.elapsed()), quiet),
            false => Optimum::NotNeeded,
        };
        for row in &mut rows {
            let cost = row.cost.map(|Number(cost)| cost);
            (row.optimal, row.longer_by) = match (&optimum, cost) {
                (Optimum::Known(least), Some(cost)) => {
                    let is_optimal = cost - least <= ROUNDING;
                    (Some(is_optimal), Some(Number(if is_optimal { 0.0 } else { cost - least })))
                }
                (Optimum::AtLeast(bound), Some(cost)) if cost - bound <= ROUNDING => (Some(true), Some(Number(0.0))),
                _ => (None, None),
            };
        }
        let marks = Marks { title: puzzle.title().to_owned(), optimum, independent: puzzle.rules().1, rows };
        (format.writer)(&mut stdout(), &marks)?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Status::Interrupted);
        }
        Ok(if marks.rows.iter().all(|row| row.valid) { Status::Good } else { Status::No })
    }

    /// Searches for the least cost.
    fn optimum(&self, puzzle: &Puzzle, limits: &Limits, quiet: bool) -> Optimum {
        let display = Display::new(quiet);
        let limits = Limits { gauge: display.begin("the least cost: "), ..limits.clone() };
        let options = Options { limits, observer: Some(display.observer()), ..Options::default() };
        let solved = puzzle.solve(&options);
        drop(display);
        match solved {
            Ok(solution) if solution.is_optimal() => solution.cost().map_or(Optimum::AtLeast(0.0), Optimum::Known),
            Ok(solution) => {
                if solution.outcome() == Outcome::Unsolvable && !quiet {
                    complain("note: the search proves that the puzzle has no solution, although one was verified");
                }
                Optimum::AtLeast(solution.lower_bound().unwrap_or(0.0))
            }
            Err(error) => {
                complain(&format!("note: the least cost is not known: {error}"));
                Optimum::AtLeast(0.0)
            }
        }
    }
}

/// Returns the files in a folder and in its folders, by their paths. Files whose names begin with a dot are left out.
fn submissions(folder: &Path) -> Result<Vec<PathBuf>, Report> {
    let wrong = |message: &str, help: &str| {
        Report::new(&folder.display().to_string(), "", vec![Diagnostic::whole(message).help(help)])
    };
    if !folder.is_dir() && folder.exists() {
        return Err(wrong(
            "is a file, not a folder",
            "name the folder of the submissions, or leave out `--submissions`",
        ));
    }
    let mut found = Vec::new();
    collect(folder, &mut found).map_err(|error| unreadable(folder, &error))?;
    if found.is_empty() {
        return Err(wrong("has no files", "name the folder of the submissions"));
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // Links to folders are not followed: they might form a cycle. What cannot be read has a row that says so.
        if !entry.file_type()?.is_dir() || collect(&entry.path(), found).is_err() {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Returns the row of a submission; whether it is optimal is not known yet.
fn row(puzzle: &Puzzle, puzzle_file: &str, folder: &Path, path: &Path) -> Row {
    let mut row = Row {
        file: name_below(folder, path).display().to_string(),
        valid: false,
        moves: None,
        cost: None,
        optimal: None,
        longer_by: None,
        illegal_move: None,
        illegal_move_name: None,
        reason: None,
    };
    let text = refuse_link_out(folder, path, "").map_err(|report| report.messages()).and_then(|()| read(path));
    let mark = match text {
        Ok(text) => mark(puzzle, puzzle_file, &text),
        Err(why) => return Row { reason: Some(why), ..row },
    };
    match mark.replayed {
        Ok(replayed) => {
            row.valid = true;
            (row.moves, row.cost) = (Some(replayed.moves), Some(Number(replayed.cost)));
        }
        Err(Failure::Refused(why) | Failure::Unreadable(why)) => row.reason = Some(why.trim_end().to_owned()),
    }
    if let Some(illegal) = mark.illegal {
        (row.illegal_move, row.illegal_move_name) = (Some(illegal.number), Some(illegal.written));
    }
    row
}

fn write_json(out: &mut dyn Write, marks: &Marks) -> io::Result<()> {
    marks.rows.iter().try_for_each(|row| writeln!(out, "{}", json(row)?))
}

fn write_csv(out: &mut dyn Write, marks: &Marks) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    marks.rows.iter().try_for_each(|row| csv.serialize(row))?;
    csv.flush()
}

/// Writes the table: a reason of several lines only with its first.
fn write_text(out: &mut dyn Write, marks: &Marks) -> io::Result<()> {
    let heads = ["FILE", "VALID", "MOVES", "COST", "OPTIMAL", "REASON"].map(str::to_owned);
    let cells = |row: &Row| {
        let optimal = match (row.optimal, row.longer_by) {
            (Some(true), _) => "yes".to_owned(),
            (Some(false), Some(longer)) => format!("+{}", longer.rounded()),
            _ if row.valid => "?".to_owned(),
            _ => String::new(),
        };
        [
            printable(&row.file),
            if row.valid { "yes" } else { "no" }.to_owned(),
            row.moves.map(|moves| moves.to_string()).unwrap_or_default(),
            row.cost.map(|cost| cost.rounded().to_string()).unwrap_or_default(),
            optimal,
            printable(row.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default()),
        ]
    };
    let table: Vec<[String; 6]> = std::iter::once(heads).chain(marks.rows.iter().map(cells)).collect();
    let widths: Vec<usize> =
        (0..6).map(|column| table.iter().map(|row| row[column].width()).max().unwrap_or(0)).collect();
    writeln!(out, "{}\n", marks.title)?;
    for row in &table {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let space = " ".repeat(width - cell.width());
            if (2..5).contains(&column) { space + cell } else { cell.to_owned() + &space }
        });
        writeln!(out, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    let valid = marks.rows.iter().filter(|row| row.valid).count();
    let optimal = marks.rows.iter().filter(|row| row.optimal == Some(true)).count();
    let least = match marks.optimum {
        Optimum::Known(least) => format!("{optimal} optimal; the least cost is {}", Number(least).rounded()),
        Optimum::AtLeast(bound) if bound > 0.0 => {
            format!("the least cost is not known, and is at least {}", Number(bound).rounded())
        }
        Optimum::AtLeast(_) => "the least cost is not known".to_owned(),
        Optimum::NotNeeded => "none to compare with the least cost".to_owned(),
    };
    writeln!(out, "\n{valid} of {} valid, {least}.", marks.rows.len())?;
    if !marks.independent {
        writeln!(out, "Replayed by the moves of the search: the domain has no independent rules.")?;
    }
    Ok(())
}
