//! `engine check`: validates puzzle files without solving them.

use super::loading::LoadOptions;
use super::{Status, files, report};
use crate::diagnostic::printable;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// Validate puzzle files without solving them
#[derive(Args)]
#[command(after_help = "Exit status: 0 when all files are good, 2 when one is bad.")]
pub(super) struct Check {
    /// Puzzle files, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    loading: LoadOptions,
}

impl Check {
    pub fn run(&self) -> io::Result<Status> {
        let (mut good, mut bad) = (0, 0);
        for path in &self.paths {
            let found = if path.is_dir() { files::below(path, "toml") } else { Ok(vec![path.clone()]) };
            let load = |file: PathBuf| {
                let checked = self.loading.load(&file);
                (file, checked)
            };
            for (file, checked) in match found {
                Ok(files) => files.into_iter().map(load).collect(),
                Err(error) => vec![(path.clone(), Err(error))],
            } {
                match checked {
                    Ok(puzzle) => {
                        good += 1;
                        if let Some(became) = puzzle.became() {
                            writeln!(io::stdout(), "{}: {became}", printable(&file.display().to_string()))?;
                        }
                    }
                    Err(error) => {
                        report(&error);
                        bad += 1;
                    }
                }
            }
        }
        writeln!(io::stdout(), "{good} good, {bad} bad")?;
        Ok(if bad == 0 { Status::Good } else { Status::Bad })
    }
}
