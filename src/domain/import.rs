//! Importers: readers of puzzles in other formats.
//!
//! An [`Importer`] stands beside its domain and is registered there, so that no central list names it.

use crate::diagnostic::Diagnostic;
use crate::domain::Folder;

/// A text in another format, and the options of the import.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a> {
    /// The text.
    pub text: &'a str,
    /// Starts and goals, as `NAME=ROW,COLUMN`, for formats without them.
    pub goals: &'a [String],
    /// The folder of the text's file: other files that it names are looked for there.
    pub folder: Folder<'a>,
}

/// Reads one format.
pub struct Importer {
    /// The name of the format.
    pub name: &'static str,
    /// One line on its looks.
    pub summary: &'static str,
    /// Whether it takes nearly any text, so that other formats are tried before.
    pub takes_most: bool,
    /// Whether a text is likely to be of this format, and of no other that is tried after it.
    pub recognizes: fn(&Foreign) -> bool,
    /// The domain's keys of a puzzle file, `domain` among them; an error has its place in the text.
    pub keys: fn(&Foreign) -> Result<String, Diagnostic>,
}

inventory::collect!(Importer);

/// Every importer, those that take nearly any text last, in the order of their names.
#[must_use]
pub fn importers() -> Vec<&'static Importer> {
    let mut all: Vec<&Importer> = inventory::iter::<Importer>.into_iter().collect();
    all.sort_by_key(|importer| (importer.takes_most, importer.name));
    all
}

/// Rows as a string of several lines in TOML.
#[must_use]
pub fn drawing(rows: &[String]) -> String {
    let text: String = rows.iter().map(|row| row.replace('\\', "\\\\").replace('"', "\\\"") + "\n").collect();
    format!("\"\"\"\n{text}\"\"\"")
}
