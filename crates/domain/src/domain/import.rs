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
    /// The number of rows of a board on one line.
    pub rows: Option<usize>,
    /// The folder of the text's file, where the files that it names are looked up.
    pub folder: Folder<'a>,
}

/// The relation of a text to a format.
#[derive(Clone, Debug, PartialEq)]
pub enum Recognition {
    /// The text is likely to be of this format, and of no format that is tried later. For a note: what it is.
    Yes(String),
    /// The text resembles the format, but is refused: why.
    Near(String),
    /// The text is of another format.
    No,
}

/// An importer of one format.
pub struct Importer {
    /// The name of the format.
    pub name: &'static str,
    /// A description of the format's appearance, in one line.
    pub summary: &'static str,
    /// True if texts of other formats may look like its own, so that it is tried after them.
    pub is_fallback: bool,
    /// The options of the import that it takes, of `--goal` and `--rows`.
    pub options: &'static [&'static str],
    /// Returns whether a text is likely to be of this format.
    pub recognize: fn(&ImportSource) -> Recognition,
    /// Returns the domain's keys of a puzzle file, with `domain` among them. An error has its place in the text.
    pub keys: fn(&ImportSource) -> Result<String, Diagnostic>,
}

impl Importer {
    /// Returns whether a text is likely to be of this format.
    #[must_use]
    pub fn recognizes(&self, source: &ImportSource) -> bool {
        matches!((self.recognize)(source), Recognition::Yes(_))
    }
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

/// Returns a text with blanks in place of its lines of comments, which begin with `#` and have several words. Places in
/// it are places in the text.
#[must_use]
pub fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| {
        let line = line.trim();
        line == "#" || (line.starts_with('#') && line.contains(char::is_whitespace))
    };
    let bare = |line: &str| match line.strip_suffix('\n') {
        Some(comment) if is_comment(comment) => " ".repeat(comment.len()) + "\n",
        None if is_comment(line) => " ".repeat(line.len()),
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(bare).collect()
}

/// Returns the blocks of lines that blank lines separate.
#[must_use]
pub fn blocks(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.split(|line| line.is_empty()).filter(|block| !block.is_empty()).map(<[&str]>::to_vec).collect()
}
