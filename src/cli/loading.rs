//! The puzzle file of a command, and which other files it may name.

use crate::diagnostic::Report;
use crate::puzzle::{Loading, Puzzle, read_text};
use crate::search::Limits;
use clap::Args;
use std::path::{Path, PathBuf};

/// Options of reading puzzle files.
#[derive(Args, Clone, Copy)]
pub(super) struct LoadOptions {
    /// Let puzzle files name files outside their own folders
    ///
    /// By default, a word list, map or board that a puzzle file names must lie below the folder of that file.
    #[arg(long)]
    pub allow_paths: bool,
}

impl LoadOptions {
    /// Reads a puzzle file, without limits.
    pub fn load(self, path: &Path) -> Result<Puzzle, Report> {
        self.load_within(path, &Limits::default())
    }

    /// Reads a puzzle file within these limits.
    pub fn load_within(self, path: &Path, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).load(path)
    }

    /// Reads the text of a puzzle file of this name, without limits.
    pub fn parse(self, text: &str, name: &str) -> Result<Puzzle, Report> {
        self.parse_within(text, name, &Limits::default())
    }

    /// Reads the text of a puzzle file of this name within these limits.
    pub fn parse_within(self, text: &str, name: &str, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).parse(text, name)
    }

    /// Returns the options in the form of the library.
    fn loading(self, limits: &Limits) -> Loading {
        Loading { allow_paths: self.allow_paths, limits: limits.clone() }
    }
}

/// One puzzle file.
#[derive(Args)]
pub(super) struct PuzzleFile {
    /// Read the puzzle from this file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
}

impl PuzzleFile {
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the name of the file, as it was given.
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
