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
    /// Reads a puzzle file, however long that takes.
    pub fn load(self, path: &Path) -> Result<Puzzle, Report> {
        self.load_within(path, &Limits::default())
    }

    /// Reads a puzzle file within these limits.
    pub fn load_within(self, path: &Path, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).load(path)
    }

    /// Reads the text of a puzzle file of this name, however long that takes.
    pub fn parse(self, text: &str, name: &str) -> Result<Puzzle, Report> {
        self.parse_within(text, name, &Limits::default())
    }

    /// Reads the text of a puzzle file of this name within these limits.
    pub fn parse_within(self, text: &str, name: &str, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).parse(text, name)
    }

    /// What the library takes.
    fn loading(self, limits: &Limits) -> Loading {
        Loading { allow_paths: self.allow_paths, limits: limits.clone() }
    }
}
