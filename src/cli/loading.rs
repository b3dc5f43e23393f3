//! The puzzle file of a command, and how far it is trusted.

use crate::diagnostic::Report;
use crate::puzzle::{Loading, Puzzle, read_text};
use crate::search::Limits;
use clap::Args;
use std::path::{Path, PathBuf};

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

    /// The form in which the library takes them.
    fn loading(self, limits: &Limits) -> Loading {
        Loading { allow_paths: self.allow_paths, limits: limits.clone() }
    }
}

/// One puzzle file.
#[derive(Args)]
pub(super) struct PuzzleFile {
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
}

impl PuzzleFile {
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The file's name, as it was given.
    pub fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// The file as one of those that no output may replace.
    pub fn as_input(&self) -> &[PathBuf] {
        std::slice::from_ref(&self.file)
    }

    /// Reads the puzzle within these limits.
    pub fn load(&self, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading.load_within(&self.file, limits)
    }

    /// Reads the text of the file.
    pub fn text(&self) -> Result<String, Report> {
        read_text(&self.file, "a puzzle file").map_err(|message| Report::unreadable(&self.name(), message))
    }

    /// Reads the puzzle from the text of the file within these limits.
    pub fn parse(&self, text: &str, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading.parse_within(text, &self.name(), limits)
    }
}
