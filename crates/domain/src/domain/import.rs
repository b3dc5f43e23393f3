//! Importers: readers of puzzles in other formats.
//!
//! Each [`Importer`] is registered beside its domain, so that no central list names it.

use crate::diagnostic::Diagnostic;
use crate::domain::Folder;

/// A text in another format, with the options of the import.
#[derive(Clone, Copy, Debug)]
pub struct ImportSource<'a> {
    /// The text.
    pub text: &'a str,
    /// Starts and goals, as `NAME=ROW,COLUMN`, for formats without them.
    pub goals: &'a [String],
    /// The folder of the text's file, where the files that it names are looked up.
    pub folder: Folder<'a>,
}

/// An importer of one format.
pub struct Importer {
    /// The name of the format.
    pub name: &'static str,
    /// A description of the format's appearance, in one line.
    pub summary: &'static str,
    /// True if it accepts nearly any text, so that it is tried after the other formats.
    pub is_fallback: bool,
    /// Returns whether a text is likely to be of this format, and of no format that is tried later.
    pub recognizes: fn(&ImportSource) -> bool,
    /// Returns the domain's keys of a puzzle file, with `domain` among them. An error has its place in the text.
    pub keys: fn(&ImportSource) -> Result<String, Diagnostic>,
}

inventory::collect!(Importer);

/// Returns all importers: the fallbacks last, otherwise by name.
#[must_use]
pub fn importers() -> Vec<&'static Importer> {
    let mut all: Vec<&Importer> = inventory::iter::<Importer>.into_iter().collect();
    all.sort_by_key(|importer| (importer.is_fallback, importer.name));
    all
}

/// Returns a text for the inside of a TOML string in double quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns rows as a multi-line TOML string.
#[must_use]
pub fn drawing(rows: &[String]) -> String {
    let text: String = rows.iter().map(|row| escaped(row) + "\n").collect();
    format!("\"\"\"\n{text}\"\"\"")
}
