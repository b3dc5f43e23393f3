//! Puzzles in other formats: what a domain can make of a text that is no puzzle file.
//!
//! An [`Importer`] stands beside its domain and is registered there, so that no central list names it.

use crate::diagnostic::Diagnostic;

/// A text in another format, and what its reader adds to it.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a> {
    /// The text.
    pub text: &'a str,
    /// Where pieces are to go, as `NAME=ROW,COLUMN`, for formats that don't say.
    pub goals: &'a [String],
}

/// Reads one format.
pub struct Importer {
    /// The name of the format.
    pub name: &'static str,
    /// One line on what it looks like.
    pub summary: &'static str,
    /// Whether a text is likely to be of this format, and of no other.
    pub recognizes: fn(&Foreign) -> bool,
    /// The domain's keys of a puzzle file, `domain` among them; an error has its place in the text.
    pub keys: fn(&Foreign) -> Result<String, Diagnostic>,
}

inventory::collect!(Importer);

/// Every importer, in the order of their names.
#[must_use]
pub fn importers() -> Vec<&'static Importer> {
    let mut all: Vec<&Importer> = inventory::iter::<Importer>.into_iter().collect();
    all.sort_by_key(|importer| importer.name);
    all
}

/// Rows as a string of several lines in TOML.
#[must_use]
pub fn drawing(rows: &[String]) -> String {
    let text: String = rows.iter().map(|row| row.replace('\\', "\\\\").replace('"', "\\\"") + "\n").collect();
    format!("\"\"\"\n{text}\"\"\"")
}
