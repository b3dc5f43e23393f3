//! `engine check`: validates puzzle files without solving them, and warns of probable mistakes.

use super::failure::Ended;
use super::groups::OUTPUT;
use super::loading::{LevelsOptions, LoadOptions};
use super::output::JsonFlag;
use super::streams::stdout;
use super::{Status, files, report};
use crate::diagnostic::{self, Diagnostic, Position, Report, Severity};
use crate::puzzle::{Property, Source};
use crate::search::Limits;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Validate puzzle files without solving them
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 if all files are valid, 2 if one is invalid. A file with warnings is valid; with \
                  --strict it is invalid."
)]
pub(super) struct Check {
    /// Check these puzzle files and collections, and all of them below these folders
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
    #[command(flatten)]
    levels: LevelsOptions,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Print what the rules imply: moving pieces, places that are dead ends, symmetries
    #[arg(long, help_heading = OUTPUT)]
    properties: bool,
    /// Print the size of each compiled puzzle: variables, bits a position, operators or rules
    #[arg(long, help_heading = OUTPUT)]
    stats: bool,
    /// Print the result in this format
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    format: Format,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// errors and warnings on standard error, then the number of files
    #[default]
    Text,
    /// one JSON object per file, one per line
    Json,
}

/// The errors and warnings of one file, or of one level.
struct Checked {
    file: String,
    /// A line about the compiled puzzle, if it is to be printed, the file is valid and its domain compiles puzzles.
    summary: Option<String>,
    /// The implications of its rules, if these are to be printed.
    properties: Option<Vec<Property>>,
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

impl Check {
    pub fn run(&self) -> Ended {
        let (mut good, mut bad, mut warnings) = (0, 0, 0);
        let mut last = Vec::new();
        for path in &self.paths {
            let mut all = self.check_all(path).peekable();
            let mut is_first = true;
            while let Some(checked) = all.next() {
                let is_single = is_first && !path.is_dir() && all.peek().is_none();
                is_first = false;
                *(if checked.is_good() { &mut good } else { &mut bad }) += 1;
                // The levels of a game share its warnings.
                if checked.reports != last {
                    warnings += checked.of(Severity::Warning).count();
                }
                self.print(&checked, is_single)?;
                last = checked.reports;
            }
        }
        if self.format() == Format::Text {
            let warned = match warnings {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                more => format!(", {more} warnings"),
            };
            writeln!(stdout(), "{good} good, {bad} bad{warned}")?;
        }
        Ok(if bad == 0 { Status::Good } else { Status::Bad })
    }

    fn format(&self) -> Format {
        self.json.choose(Format::Json, self.format)
    }

    /// Checks the puzzles in a file, or in all files below a folder, one after the other.
    fn check_all(&self, path: &Path) -> impl Iterator<Item = Checked> {
        let refused = |file: &Path, report| {
            let file = file.display().to_string();
            Checked { file, summary: None, properties: None, reports: vec![report] }
        };
        let (files, unreadable) =
            match if path.is_dir() { files::puzzles_below(path) } else { Ok(vec![path.to_owned()]) } {
                Ok(files) => (files, None),
                Err(report) => (Vec::new(), Some(refused(path, report))),
            };
        let sources = move |file: &PathBuf| {
            if !path.is_dir() {
                return self.levels.sources(file, self.loading);
            }
            self.loading.check_below(path, file)?;
            self.levels.sources_found(file, self.loading)
        };
        let check_file = move |file: PathBuf| {
            let (sources, unreadable) = match sources(&file) {
                Ok(sources) => (sources, None),
                Err(report) => (Vec::new(), Some(refused(&file, report))),
            };
            sources.into_iter().map(|source| self.check(&source)).chain(unreadable)
        };
        files.into_iter().flat_map(check_file).chain(unreadable)
    }

    fn check(&self, source: &Source) -> Checked {
        let loading = self.levels.added(self.loading.loading(&Limits::default()));
        let (summary, properties, report) = match loading.load_source(source) {
            Ok(puzzle) => {
                let properties = self.properties.then(|| puzzle.properties());
                let summary = if self.stats { puzzle.summary() } else { puzzle.verdict() };
                (summary, properties, puzzle.warnings().clone())
            }
            Err(report) => (None, None, report),
        };
        let reports = source.warnings().into_iter().chain([report]);
        let reports = reports.map(|report| if self.strict { report.strict() } else { report }).collect();
        Checked { file: source.name().to_owned(), summary, properties, reports }
    }

    /// Prints the result for a file or a level; that all is well, only for a single file.
    fn print(&self, checked: &Checked, is_single: bool) -> io::Result<()> {
        if self.format() == Format::Json {
            return writeln!(stdout(), "{}", diagnostic::json(&row(checked))?);
        }
        let is_well = checked.reports.iter().all(|report| report.diagnostics().is_empty());
        let word = (is_single && is_well).then_some("ok");
        if let Some(summary) = checked.summary.as_deref().filter(|_| checked.is_good()).or(word) {
            writeln!(stdout(), "{}: {summary}", checked.file)?;
        }
        for Property { name, text, .. } in checked.properties.iter().flatten() {
            writeln!(stdout(), "{}: {name}: {text}", checked.file)?;
        }
        checked.reports.iter().filter(|one| !one.diagnostics().is_empty()).for_each(report);
        Ok(())
    }
}

fn row(checked: &Checked) -> Row<'_> {
    let entries = |severity| checked.entries(severity).map(|(report, one)| entry(report, one)).collect();
    Row {
        file: checked.file.clone(),
        ok: checked.is_good(),
        errors: entries(Severity::Error),
        warnings: entries(Severity::Warning),
        properties: checked.properties.as_deref(),
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
