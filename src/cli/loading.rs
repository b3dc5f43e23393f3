//! What a puzzle file is trusted with, as every command that reads one lets its user say.

use crate::diagnostic::Report;
use crate::puzzle::{Loading, Puzzle};
use crate::search::Limits;
use clap::Args;
use std::path::Path;

/// The options of loading.
#[derive(Args, Clone, Copy)]
pub(super) struct LoadOptions {
    /// Let puzzle files name others anywhere, not just below their own folders
    #[arg(long)]
    pub allow_paths: bool,
}

impl LoadOptions {
    /// Reads a puzzle file.
    pub fn load(self, path: &Path) -> Result<Puzzle, Report> {
        self.loading().load(path)
    }

    /// The same for a search within these limits, which hold for reading, too.
    pub fn load_within(self, path: &Path, limits: &Limits) -> Result<Puzzle, Report> {
        Loading { memory: limits.resident, ..self.loading() }.load(path)
    }

    /// Reads the text of a puzzle file of this name.
    pub fn parse(self, text: &str, name: &str) -> Result<Puzzle, Report> {
        self.loading().parse(text, name)
    }

    /// What the library takes.
    pub fn loading(self) -> Loading {
        Loading { allow_paths: self.allow_paths, memory: None }
    }
}
