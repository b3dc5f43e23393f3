//! How a puzzle file is read, and what it may reach for.

use super::Puzzle;
use super::reading::read_puzzle;
use super::text::read_text;
use crate::diagnostic::Report;
use crate::domain::{BuildContext, Folder};
use crate::search::Limits;
use std::path::Path;

/// How puzzle files are read. By default they are trusted with nothing: they may come from a stranger.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// Whether a puzzle may name files outside its own folder.
    pub allow_paths: bool,
    /// What reading may spend: time from when the file is opened, and bytes that are resident of the whole process; an
    /// interrupt ends it, too. [`Report::limit`] says which of them did.
    pub limits: Limits,
}

impl Loading {
    /// Reads a puzzle file.
    ///
    /// # Errors
    /// That the file cannot be read, or every mistake in it, with its place.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Puzzle, Report> {
        let context = BuildContext::within(&self.limits);
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_text(path, "a puzzle file").map_err(|message| Report::unreadable(&name, message))?;
        self.read(&text, path, &context)
    }

    /// Reads the text of a puzzle file; errors will call the file `name`, and files that it names are looked for beside.
    ///
    /// # Errors
    /// Every mistake in it, with its place.
    pub fn parse(&self, text: &str, name: &str) -> Result<Puzzle, Report> {
        self.read(text, name.as_ref(), &BuildContext::within(&self.limits))
    }

    fn read(&self, text: &str, path: &Path, context: &BuildContext) -> Result<Puzzle, Report> {
        let folder = Folder::of(path, self.allow_paths);
        let name = path.display().to_string();
        read_puzzle(text, &name, folder, context).map_err(|errors| Report::new(&name, text, errors))
    }
}
