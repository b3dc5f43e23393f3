//! `engine check`: validates puzzle files without solving them, and warns of probable mistakes.

use super::failure::Ended;
use super::groups::OUTPUT;
use super::loading::LoadOptions;
use super::output::JsonFlag;
use super::{Status, files, report};
use crate::diagnostic::{self, Diagnostic, Position, Report, Severity, printable};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Validate puzzle files without solving them
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 if all files are valid, 2 if one is invalid. A file with warnings is valid; with \
                  --strict it is invalid."
)]
pub(super) struct Check {
    /// Check these puzzle files, and all puzzle files below these folders
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
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

/// The errors and warnings of one file.
struct Checked {
    file: PathBuf,
    /// A line about the compiled puzzle, if the file is valid and its domain compiles puzzles.
    summary: Option<String>,
    report: Report,
}

impl Checked {
    fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.report.diagnostics().iter().filter(move |one| one.severity == severity)
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
        for path in &self.paths {
            let found = if path.is_dir() { files::below(path, "toml") } else { Ok(vec![path.clone()]) };
            let files = match found {
                Ok(files) => files.into_iter().map(|file| self.check(file)).collect(),
                Err(report) => vec![Checked { file: path.clone(), summary: None, report }],
            };
            for checked in files {
                *(if checked.is_good() { &mut good } else { &mut bad }) += 1;
                warnings += checked.of(Severity::Warning).count();
                self.print(&checked)?;
            }
        }
        if self.format() == Format::Text {
            let warned = match warnings {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                more => format!(", {more} warnings"),
            };
            writeln!(io::stdout(), "{good} good, {bad} bad{warned}")?;
        }
        Ok(if bad == 0 { Status::Good } else { Status::Bad })
    }

    fn format(&self) -> Format {
        self.json.choose(Format::Json, self.format)
    }

    fn check(&self, file: PathBuf) -> Checked {
        match self.loading.load(&file) {
            Ok(puzzle) => {
                let report = puzzle.warnings().clone();
                let report = if self.strict { report.strict() } else { report };
                Checked { file, summary: puzzle.summary(), report }
            }
            Err(report) => Checked { file, summary: None, report },
        }
    }

    fn print(&self, checked: &Checked) -> io::Result<()> {
        if self.format() == Format::Json {
            return writeln!(io::stdout(), "{}", diagnostic::json(&row(checked))?);
        }
        if let Some(summary) = checked.summary.as_ref().filter(|_| checked.is_good()) {
            writeln!(io::stdout(), "{}: {summary}", printable(&checked.file.display().to_string()))?;
        }
        if !checked.report.diagnostics().is_empty() {
            report(&checked.report);
        }
        Ok(())
    }
}

fn row(checked: &Checked) -> Row<'_> {
    let entries = |severity| checked.of(severity).map(|one| entry(&checked.report, one)).collect();
    Row {
        file: checked.file.display().to_string(),
        ok: checked.is_good(),
        errors: entries(Severity::Error),
        warnings: entries(Severity::Warning),
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
