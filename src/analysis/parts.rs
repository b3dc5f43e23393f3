//! The parts of an answer: completions, explanations, names, outlines.

use std::ops::Range;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key or a table.
    Key,
    /// One of several values.
    Value,
    /// A name that the puzzle defines.
    Name,
}

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its name.
    pub label: String,
    /// The kind.
    pub kind: CompletionKind,
    /// What it means.
    pub documentation: String,
    /// The bytes to replace.
    pub span: Range<usize>,
    /// The text to write.
    pub text: String,
}

/// An explanation of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Range<usize>,
    /// The explanation, as Markdown.
    pub text: String,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// A variable of written rules.
    Variable,
    /// A map of written rules.
    Map,
    /// Piles of written rules.
    Pile,
    /// A letter for several symbols.
    Set,
    /// A symbol of the drawings of written rules.
    Symbol,
    /// A piece of a drawing.
    Piece,
    /// An object or a name of the legend of a game.
    GameName,
}

impl NameKind {
    /// Returns the kind in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            NameKind::Variable => "variable",
            NameKind::Map => "map",
            NameKind::Pile => "pile",
            NameKind::Set => "set",
            NameKind::Symbol => "symbol",
            NameKind::Piece => "piece",
            NameKind::GameName => "name",
        }
    }

    /// Returns whether it is one character in a drawing.
    #[must_use]
    pub fn is_character(self) -> bool {
        matches!(self, NameKind::Set | NameKind::Symbol | NameKind::Piece)
    }

    /// Returns whether the first of its places is a key with its value.
    pub(super) fn has_value(self) -> bool {
        matches!(self, NameKind::Variable | NameKind::Map | NameKind::Pile | NameKind::Set)
    }
}

/// A name with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: NameKind,
    /// The bytes of each place, in their order; where it is defined first.
    pub places: Vec<Range<usize>>,
}

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// Its name.
    pub name: String,
    /// True for a table, a section or a level, false for a key or a name.
    pub is_table: bool,
    /// The bytes of its name.
    pub span: Range<usize>,
    /// The bytes of all of it.
    pub whole: Range<usize>,
    /// The entries in it.
    pub children: Vec<OutlineEntry>,
}

impl OutlineEntry {
    pub(super) fn new(name: impl Into<String>, is_table: bool, span: Range<usize>) -> OutlineEntry {
        OutlineEntry { name: name.into(), is_table, whole: span.clone(), span, children: Vec::new() }
    }
}
