//! `engine list`: the puzzles below a folder.

use super::{Status, files, report};
use crate::diagnostic::printable;
use crate::puzzle::{Outcome, Puzzle};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// List the puzzles below a folder
#[derive(Args)]
pub(super) struct List {
    /// The folder
    #[arg(default_value = "puzzles", value_name = "DIR")]
    directory: PathBuf,
}

impl List {
    pub fn run(&self) -> io::Result<Status> {
        let files = match files::below(&self.directory) {
            Ok(files) => files,
            Err(error) => {
                report(&error);
                return Ok(Status::Bad);
            }
        };
        let mut rows = vec![["FILE", "DOMAIN", "SIZE", "EXPECTED", "TITLE"].map(str::to_owned)];
        rows.extend(files.iter().map(|file| {
            let name = printable(&file.display().to_string());
            match Puzzle::load(file) {
                Ok(puzzle) => {
                    let domain = puzzle.domain().name.to_owned();
                    [name, domain, puzzle.size(), expected(&puzzle), puzzle.title().to_owned()]
                }
                Err(error) => {
                    let errors = error.diagnostics().len();
                    let said = format!(
                        "(not valid: {errors} {}, told by `engine check`)",
                        if errors == 1 { "error" } else { "errors" }
                    );
                    [name, String::new(), String::new(), String::new(), said]
                }
            }
        }));
        write!(io::stdout(), "{}", table(&rows))?;
        Ok(Status::Good)
    }
}

fn expected(puzzle: &Puzzle) -> String {
    let expect = puzzle.expect();
    match (expect.cost, expect.outcome) {
        (Some(cost), _) => crate::transcript::Number(cost).to_string(),
        (None, Some(Outcome::Unsolvable)) => "unsolvable".to_owned(),
        _ => String::new(),
    }
}

/// Rows in columns as wide as they need to be.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
