//! Reading of puzzle files, and the limits of what a file may access.

use super::Puzzle;
use super::foreign::instead_of_puzzle;
use super::reading::read_puzzle;
use super::warnings::Origin;
use crate::diagnostic::Report;
use crate::document::PuzzleText;
use crate::domain::collection::Prepared;
use crate::domain::{BuildContext, ReadOptions};
use crate::search::Limits;
use std::path::Path;

/// The options and the limits of reading puzzle files.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// The options.
    pub options: ReadOptions,
    /// The limits of reading: time from the opening of the file, and the resident bytes of the whole process. An
    /// interrupt ends it, too. [`Report::limit`] returns the limit that ended it.
    pub limits: Limits,
}

impl Loading {
    /// Reads a puzzle file, or the level of a collection that is named as `levels.sok#3`.
    ///
    /// # Errors
    /// The file cannot be read, or has mistakes: each of them, with its place. Or it is a collection of several levels.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Puzzle, Report> {
        self.load_source(&self.source(path)?)
    }

    /// Reads the text of a puzzle file. Errors call the file `name`; files that it names are searched for in the same
    /// folder.
    ///
    /// # Errors
    /// Every mistake in it, with its place.
    pub fn parse(&self, text: &str, name: &str) -> Result<Puzzle, Report> {
        self.read(&Origin::file(name, text.into()), name.as_ref(), None, &BuildContext::within(&self.limits))
    }

    /// Reads a puzzle in a file; `prepared` is of the collection that it is from.
    pub(super) fn read(
        &self,
        origin: &Origin,
        path: &Path,
        prepared: Option<&Prepared>,
        context: &BuildContext,
    ) -> Result<Puzzle, Report> {
        read_puzzle(origin, path, &self.options, prepared, context).map_err(|errors| {
            let foreign = match &origin.text {
                PuzzleText::File(text) => instead_of_puzzle(text),
                PuzzleText::Tree(_) => None,
            };
            origin.report(foreign.map_or(errors, |foreign| vec![foreign]))
        })
    }
}
