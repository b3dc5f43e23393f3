//! Output formats: what all have in common, whatever they write.
//!
//! A command has a list of formats. Each is a value beside the code that writes it, with the facts that the command, its
//! help and its checks need: nothing else names it.

/// An output format. `W` is its writer, and what else sets formats of this kind apart.
pub struct OutputFormat<W> {
    /// The name: the value of `--format`.
    pub name: &'static str,
    /// A description in one line; helps omit a format without one.
    pub summary: &'static str,
    /// Its writer.
    pub writer: W,
}

/// The formats of one kind of result.
pub type Formats<W> = &'static [&'static OutputFormat<W>];

/// Returns the format with this name.
#[must_use]
pub fn named<W>(formats: Formats<W>, name: &str) -> Option<&'static OutputFormat<W>> {
    formats.iter().copied().find(|format| format.name == name)
}
