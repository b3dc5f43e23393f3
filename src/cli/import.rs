//! `engine import`: converts other formats to puzzle files.

use super::Status;
use super::failure::Ended;
use super::groups::OUTPUT;
use super::loading::LoadOptions;
use super::output::OutputOption;
use crate::diagnostic::{Diagnostic, Report, steers, unknown_name};
use crate::domain::Folder;
use crate::domain::import::{ImportSource, Importer, importers};
use crate::puzzle::{read_text, text_of};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Convert a board, map or position from another format to a puzzle file
#[derive(Args)]
#[command(after_help = formats(), after_long_help = formats())]
pub(super) struct Import {
    /// Read this file, standard input (`-`), or this Rush Hour board of 36 characters
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
    /// Read this format [default: recognised from the text]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    from: Option<String>,
    /// Read only line N of the file, counted from 1
    #[arg(long, value_name = "N", help_heading = INPUT)]
    line: Option<usize>,
    /// Set a goal, NAME=ROW,COLUMN, counted from 0; may be repeated
    ///
    /// For sliding blocks, NAME is a piece, and the cell is that of its upper left corner. For a map, NAME is `start` or
    /// `goal`.
    #[arg(long, value_name = "GOAL", help_heading = OUTPUT)]
    goal: Vec<String>,
    /// Set the title of the puzzle [default: the name of the file]
    #[arg(long, value_name = "TITLE", help_heading = OUTPUT)]
    title: Option<String>,
    #[command(flatten)]
    output: OutputOption,
}

/// The group of options that select what to read.
const INPUT: &str = "Input";

/// Returns the list of formats for the help.
fn formats() -> String {
    let line = |importer: &&Importer| format!("  {}: {}\n", importer.name, importer.summary);
    "Formats:\n".to_owned() + &importers().iter().map(line).collect::<String>()
}

impl Import {
    pub fn run(&self) -> Ended {
        let mut output = self.output.open(std::slice::from_ref(&self.file))?;
        output.write_all(self.import()?.as_bytes())?;
        output.finish()?;
        Ok(Status::Good)
    }

    fn import(&self) -> Result<String, Report> {
        let name = self.file.display().to_string();
        let whole = self.text().map_err(|error| Report::unreadable(&name, error))?;
        let text = match self.line {
            None => whole,
            // The lines before it become blank, so that errors name the right line.
            Some(number) => match number.checked_sub(1).and_then(|before| whole.lines().nth(before)) {
                Some(line) => "\n".repeat(number - 1) + line,
                None => {
                    let message = format!("has only {} lines, no line {number}", whole.lines().count());
                    return Err(Report::unreadable(&name, message));
                }
            },
        };
        let folder = Folder::of(&self.file, self.loading.allow_paths);
        let foreign = ImportSource { text: &text, goals: &self.goal, folder };
        let wrong = |error: Diagnostic| Report::new(&name, &text, vec![error]);
        let importer = self.importer(&foreign).map_err(wrong)?;
        let keys = (importer.keys)(&foreign).map_err(wrong)?;
        let stem = if self.file.exists() { self.file.file_stem() } else { None };
        let default = || stem.map_or_else(|| importer.name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let title = self.title.clone().unwrap_or_else(default);
        let title = toml::Value::String(title.replace(steers, " "));
        let puzzle = format!("title = {title}\n{keys}");
        // Only a valid puzzle is printed. Otherwise the errors point at the mistakes in the text.
        self.loading.parse(&puzzle, &format!("{name}, as it was read"))?;
        Ok(puzzle)
    }

    /// Returns the text of the file, or the argument itself if it is a board and no such file exists.
    fn text(&self) -> Result<String, String> {
        if self.file == Path::new("-") {
            return text_of(io::stdin().lock());
        }
        let is_board = |word: &&str| word.len() == 36 && word.bytes().all(|c| c.is_ascii_alphabetic() || c == b'.');
        let itself = self.file.to_str().filter(is_board).filter(|_| !self.file.exists());
        match itself {
            Some(word) => Ok(word.to_owned()),
            None => read_text(&self.file, "a file of puzzles"),
        }
    }

    fn importer(&self, foreign: &ImportSource) -> Result<&'static Importer, Diagnostic> {
        let all = importers();
        match &self.from {
            Some(name) => all.iter().find(|importer| importer.name == name).copied().ok_or_else(|| {
                let unknown = Diagnostic::whole(format!("unknown format `{name}`"));
                unknown.help(unknown_name(name, all.iter().map(|importer| importer.name)))
            }),
            None => all.iter().find(|importer| (importer.recognizes)(foreign)).copied().ok_or_else(|| {
                let names: Vec<&str> = all.iter().map(|importer| importer.name).collect();
                Diagnostic::whole("unknown format")
                    .help(format!("expected one of {}; `engine import --help` describes them", names.join(", ")))
            }),
        }
    }
}
