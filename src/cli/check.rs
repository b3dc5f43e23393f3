//! `engine check`: validates puzzle files without solving them, and warns of probable mistakes.

use super::failure::Ended;
use super::groups::OUTPUT;
use super::limits::ReadingLimits;
use super::loading::{LevelsOptions, Reading};
use super::output::{JsonFlag, formats, print_json};
use super::streams::stdout;
use super::{Status, files, report, wall};
use crate::diagnostic::{Diagnostic, Position, Report, Severity};
use crate::domain::BuildContext;
use crate::output_format::{Formats, OutputFormat};
use crate::puzzle::{HeuristicCheck, HeuristicQuestion, Property, Source};
use crate::transcript::{HeuristicsRow, heuristics_row, heuristics_text};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Validate puzzle files without solving them
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 if all files are valid, 2 if one is invalid, 3 if a limit ended reading one. A file with \
                  warnings is valid; with --strict it is invalid."
)]
pub(super) struct Check {
    /// Check these puzzle files and collections, and all of them below these folders
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    levels: LevelsOptions,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Print what the rules imply: moving pieces, places that are dead ends, symmetries
    #[arg(long, help_heading = OUTPUT)]
    properties: bool,
    /// Check heuristics against exact costs: whether they are admissible and consistent, and how they compare
    ///
    /// If the space has too many states, a sample is measured. The default limit on time does not apply.
    #[arg(long, help_heading = OUTPUT)]
    heuristics: bool,
    /// With --heuristics: measure spaces of at most N states whole
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "heuristics", help_heading = OUTPUT)]
    states: u64,
    /// With --heuristics: draw samples by this seed
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "heuristics", help_heading = OUTPUT)]
    sample_seed: u64,
    /// Print the size of each compiled puzzle: variables, bits a position, operators or rules
    #[arg(long, help_heading = OUTPUT)]
    stats: bool,
    /// Print the result in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static OutputFormat<CheckWriter>,
    #[command(flatten)]
    json: JsonFlag,
}

/// Prints the results of checks.
struct CheckWriter {
    /// Prints the result for a file or a level, which may be the only one.
    print: fn(&Checked, bool) -> io::Result<()>,
    /// Returns the last line, if the format has one.
    last_line: Option<fn(&Results) -> String>,
}

/// All formats of checks.
const FORMATS: Formats<CheckWriter> = &[
    &OutputFormat {
        name: "text",
        summary: "errors and warnings on standard error, then the number of files",
        writer: CheckWriter { print: print_text, last_line: Some(Results::line) },
    },
    &OutputFormat {
        name: "json",
        summary: "one JSON object per file, one per line",
        writer: CheckWriter { print: |checked, _| print_json(&row(checked)), last_line: None },
    },
];

/// The errors and warnings of one file, or of one level.
struct Checked {
    file: String,
    /// A line about the compiled puzzle, if it is to be printed, the file is valid and its domain compiles puzzles.
    summary: Option<String>,
    /// The implications of its rules, if these are to be printed.
    properties: Option<Vec<Property>>,
    /// The check of its heuristics, if there is to be one.
    heuristics: Option<HeuristicCheck>,
    /// On a level as it is written in its collection, and as it was read; on a file, one report.
    reports: Vec<Report>,
}

impl Checked {
    fn entries(&self, severity: Severity) -> impl Iterator<Item = (&Report, &Diagnostic)> {
        let all = self.reports.iter().flat_map(|report| report.diagnostics().iter().map(move |one| (report, one)));
        all.filter(move |(_, one)| one.severity == severity)
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.entries(severity).map(|(_, one)| one)
    }

    /// Returns whether a limit ended reading it, and nothing else is wrong.
    fn is_stopped(&self) -> bool {
        self.reports.iter().any(|report| report.limit().is_some())
    }

    fn is_good(&self) -> bool {
        self.of(Severity::Error).next().is_none()
    }
}

/// One file in JSON.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    ok: bool,
    errors: Vec<Entry<'a>>,
    warnings: Vec<Entry<'a>>,
    properties: Option<&'a [Property]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristics: Option<HeuristicsRow<'a>>,
}

/// An error or a warning in JSON.
#[derive(Serialize)]
struct Entry<'a> {
    severity: Severity,
    line: Option<usize>,
    column: Option<usize>,
    end: Option<Position>,
    message: &'a str,
    label: Option<&'a str>,
    help: Option<&'a str>,
}

/// The results so far.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Results {
    good: u64,
    bad: u64,
    stopped: u64,
    warnings: usize,
    /// The number of files and levels whose results are printed.
    done: usize,
}

impl Results {
    fn line(&self) -> String {
        let Results { good, bad, stopped, warnings, .. } = *self;
        let warned = match warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            more => format!(", {more} warnings"),
        };
        let stopped = if stopped > 0 { format!(", {stopped} stopped by a limit") } else { String::new() };
        format!("{good} good, {bad} bad{stopped}{warned}")
    }
}

impl Check {
    pub fn run(&self) -> Ended {
        let format = self.json.choose(FORMATS, self.format);
        let shared = wall::results::<Results>();
        let Results { mut good, mut bad, mut stopped, mut warnings, done } = *shared.lock();
        let mut last = Vec::new();
        let mut number = 0;
        for path in &self.paths {
            let mut all = self.sources(path).peekable();
            let mut is_first = true;
            while let Some(source) = all.next() {
                number += 1;
                let is_single = is_first && !path.is_dir() && all.peek().is_none();
                is_first = false;
                if number <= done {
                    continue;
                }
                let checked = source.map_or_else(|refused| refused, |source| self.check(&source));
                *(match () {
                    () if checked.is_good() => &mut good,
                    () if checked.is_stopped() => &mut stopped,
                    () => &mut bad,
                }) += 1;
                // The levels of a game share its warnings.
                if checked.reports != last {
                    warnings += checked.of(Severity::Warning).count();
                }
                (format.writer.print)(&checked, is_single)?;
                last = checked.reports;
                *shared.lock() = Results { good, bad, stopped, warnings, done: number };
            }
        }
        if let Some(last_line) = format.writer.last_line {
            writeln!(stdout(), "{}", last_line(&shared.lock()))?;
        }
        Ok(match (bad, stopped) {
            (_, 1..) => Status::Stopped,
            (1.., 0) => Status::Bad,
            (0, 0) => Status::Good,
        })
    }

    /// Returns the puzzles in a file, or in all files below a folder; for what cannot be read, its result. The files are
    /// opened one after the other.
    fn sources(&self, path: &Path) -> impl Iterator<Item = Result<Source, Checked>> {
        let refused = |file: &Path, report| {
            let file = file.display().to_string();
            Checked { file, summary: None, properties: None, heuristics: None, reports: vec![report] }
        };
        let (files, unreadable) =
            match if path.is_dir() { files::puzzles_below(path) } else { Ok(vec![path.to_owned()]) } {
                Ok(files) => (files, None),
                Err(report) => (Vec::new(), Some(refused(path, report))),
            };
        let sources = move |file: &PathBuf| {
            if !path.is_dir() {
                return self.levels.sources(file, &self.limits.limits());
            }
            self.levels.reading.check_below(path, file)?;
            self.levels.sources_found(file, &self.limits.limits())
        };
        let in_file = move |file: PathBuf| {
            let (sources, unreadable) = match sources(&file) {
                Ok(sources) => (sources, None),
                Err(report) => (Vec::new(), Some(refused(&file, report))),
            };
            sources.into_iter().map(Ok).chain(unreadable.map(Err))
        };
        files.into_iter().flat_map(in_file).chain(unreadable.map(Err))
    }

    fn check(&self, source: &Source) -> Checked {
        let limits = if self.heuristics { self.limits.searching() } else { self.limits.limits() };
        let question = HeuristicQuestion { most_states: self.states, seed: self.sample_seed };
        let checked = wall::reading(source.name(), source.name(), &limits, || {
            let context = BuildContext::within(&limits);
            let puzzle = self.levels.reading.loading(&limits).load_source(source)?;
            let properties = self.properties.then(|| puzzle.properties());
            let summary = if self.stats { puzzle.summary() } else { puzzle.verdict() };
            let check = self.heuristics.then(|| puzzle.check_heuristics(question, &limits)).transpose();
            let check = check.map_err(|limit| Report::new(source.name(), "", vec![Diagnostic::at_limit(limit)]))?;
            let of_level = puzzle.level_warnings().cloned();
            Ok((summary, properties, check, of_level, puzzle.warnings_within(&context)?.clone()))
        });
        let (summary, properties, heuristics, of_level, report) =
            checked.unwrap_or_else(|report| (None, None, None, source.warnings(), report));
        let reports = of_level.into_iter().chain([report]);
        let reports = reports.map(|report| if self.strict { report.strict() } else { report }).collect();
        Checked { file: source.name().to_owned(), summary, properties, heuristics, reports }
    }
}

/// Prints the result for a file or a level as text; that all is well, only for a single file.
fn print_text(checked: &Checked, is_single: bool) -> io::Result<()> {
    let is_well = checked.reports.iter().all(|report| report.diagnostics().is_empty());
    let word = (is_single && is_well).then_some("ok");
    if let Some(summary) = checked.summary.as_deref().filter(|_| checked.is_good()).or(word) {
        writeln!(stdout(), "{}: {summary}", checked.file)?;
    }
    for Property { name, text, .. } in checked.properties.iter().flatten() {
        writeln!(stdout(), "{}: {name}: {text}", checked.file)?;
    }
    if let Some(check) = &checked.heuristics {
        write!(stdout(), "{}", heuristics_text(&checked.file, check))?;
    }
    checked.reports.iter().filter(|one| !one.diagnostics().is_empty()).for_each(report);
    Ok(())
}

fn row(checked: &Checked) -> Row<'_> {
    let entries = |severity| checked.entries(severity).map(|(report, one)| entry(report, one)).collect();
    Row {
        file: checked.file.clone(),
        ok: checked.is_good(),
        errors: entries(Severity::Error),
        warnings: entries(Severity::Warning),
        properties: checked.properties.as_deref(),
        heuristics: checked.heuristics.as_ref().map(heuristics_row),
    }
}

fn entry<'a>(report: &Report, one: &'a Diagnostic) -> Entry<'a> {
    let (start, end) = report.places(one).unzip();
    Entry {
        severity: one.severity,
        line: start.map(|start| start.line),
        column: start.map(|start| start.column),
        end,
        message: &one.message,
        label: Some(one.label.as_str()).filter(|label| !label.is_empty()),
        help: one.help.as_deref(),
    }
}
