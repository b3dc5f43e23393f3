//! A puzzle as a tree of values, each with its place in a file of another format, such as a collection of levels.
//!
//! It is read as a puzzle file is, without being written as one: errors have their places in the other file. Written as
//! TOML, it is the puzzle file of the same puzzle.

use super::{DeTable, DeValue, Document, Spanned};
use crate::diagnostic::{Diagnostic, SourceText};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use toml::de::DeArray;

/// A value of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A drawing, with a line end after each row.
    Drawing(String),
    /// A long text that many puzzles share, such as a game.
    Shared(SourceText),
    /// A number, in decimal digits.
    Integer(String),
    /// True or false.
    Boolean(bool),
    /// An array of values on one line.
    Array(Vec<Value>),
    /// A table on one line.
    Table(Vec<Entry>),
    /// An array of tables with headers.
    Tables(Vec<Vec<Entry>>),
}

/// A key with its value, and the bytes of the other file that it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    key: &'static str,
    value: Value,
    span: Range<usize>,
}

impl Entry {
    /// Returns an entry from these bytes.
    #[must_use]
    pub fn new(key: &'static str, value: Value, span: &Range<usize>) -> Entry {
        Entry { key, value, span: span.clone() }
    }

    /// Returns an entry with a text.
    #[must_use]
    pub fn text(key: &'static str, text: impl Into<String>, span: &Range<usize>) -> Entry {
        Entry::new(key, Value::Text(text.into()), span)
    }

    /// Returns an entry with a number.
    #[must_use]
    pub fn integer(key: &'static str, number: usize, span: &Range<usize>) -> Entry {
        Entry::new(key, Value::Integer(number.to_string()), span)
    }

    /// Returns the line of a TOML file or table, without a line end.
    fn line(&self) -> String {
        let is_bare = self.key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let key = if is_bare { self.key.to_owned() } else { string(self.key) };
        format!("{key} = {}", self.value.to_toml())
    }
}

impl Value {
    /// Returns the value as TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        match self {
            Value::Text(text) => string(text),
            Value::Drawing(rows) => format!("\"\"\"\n{}\"\"\"", rows.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Shared(text) => literal(text),
            Value::Integer(digits) => digits.clone(),
            Value::Boolean(value) => value.to_string(),
            Value::Array(values) => {
                format!("[{}]", values.iter().map(Value::to_toml).collect::<Vec<_>>().join(", "))
            }
            Value::Table(entries) => {
                format!("{{ {} }}", entries.iter().map(Entry::line).collect::<Vec<_>>().join(", "))
            }
            Value::Tables(tables) => {
                let inline = |entries: &Vec<Entry>| Value::Table(entries.clone()).to_toml();
                format!("[{}]", tables.iter().map(inline).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns the value as TOML is parsed, at a place.
    fn parsed(&self, span: &Range<usize>) -> Spanned<DeValue<'_>> {
        let value = match self {
            Value::Text(text) | Value::Drawing(text) => DeValue::String(Cow::Borrowed(text.as_str())),
            Value::Shared(text) => DeValue::String(Cow::Borrowed(&**text)),
            Value::Integer(digits) => {
                DeValue::parse(digits).map_or(DeValue::String(Cow::Borrowed(digits.as_str())), Spanned::into_inner)
            }
            Value::Boolean(value) => DeValue::Boolean(*value),
            Value::Array(values) => DeValue::Array(values.iter().map(|value| value.parsed(span)).collect()),
            Value::Table(entries) => DeValue::Table(table(entries)),
            Value::Tables(tables) => {
                let mut array = DeArray::new();
                for entries in tables {
                    let at = entries.first().map_or(span, |first| &first.span);
                    array.push(Spanned::new(at.clone(), DeValue::Table(table(entries))));
                }
                DeValue::Array(array)
            }
        };
        Spanned::new(span.clone(), value)
    }
}

/// Returns entries as a table of TOML is parsed.
fn table(entries: &[Entry]) -> DeTable<'_> {
    let mut table = DeTable::new();
    for Entry { key, value, span } in entries {
        table.insert(Spanned::new(span.clone(), Cow::Borrowed(*key)), value.parsed(span));
    }
    table
}

/// Returns a text as a TOML string.
fn string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns a text as a TOML string: a literal one of several lines, unless the text has what such strings cannot hold.
fn literal(text: &str) -> String {
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    let lines_end_well = !text.replace("\r\n", "\n").contains('\r');
    if !text.contains("'''")
        && !text.ends_with('\'')
        && lines_end_well
        && text.chars().all(|c| is_plain(c) || c == '\r')
    {
        return format!("'''\n{text}'''");
    }
    string(text)
}

/// A puzzle as a tree of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree(Vec<Entry>);

impl Tree {
    /// Returns the tree of these entries.
    #[must_use]
    pub fn new(entries: Vec<Entry>) -> Tree {
        Tree(entries)
    }

    /// Returns the text of a puzzle file with the same values.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let (tables, values): (Vec<&Entry>, Vec<&Entry>) =
            self.0.iter().partition(|entry| matches!(entry.value, Value::Tables(_)));
        let mut text: String = values.iter().map(|entry| entry.line() + "\n").collect();
        for Entry { key, value, .. } in tables {
            let Value::Tables(tables) = value else { continue };
            for entries in tables {
                text += &format!("\n[[{key}]]\n");
                text.extend(entries.iter().map(|entry| entry.line() + "\n"));
            }
        }
        text
    }

    /// Returns the tree as a parsed file.
    #[must_use]
    pub fn document(&self) -> Document<'_> {
        let insertion = self.0.first().map_or(0, |first| first.span.start);
        Document { table: table(&self.0), insertion }
    }
}

/// The text of a puzzle file; that of a tree is written when it is needed.
#[derive(Clone, Debug)]
pub enum PuzzleText {
    /// The text of a file.
    File(SourceText),
    /// The text of a level.
    Tree(Arc<Tree>),
}

impl PuzzleText {
    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            PuzzleText::File(text) => Cow::Borrowed(text),
            PuzzleText::Tree(tree) => Cow::Owned(tree.to_toml()),
        }
    }

    /// Parses the text.
    ///
    /// # Errors
    /// Reports every place that is not TOML.
    pub fn document(&self) -> Result<Document<'_>, Vec<Diagnostic>> {
        match self {
            PuzzleText::File(text) => Document::parse(text),
            PuzzleText::Tree(tree) => Ok(tree.document()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_as_its_text_is() {
        let at = 3..5;
        let rule = |name: &str| vec![Entry::text("name", name, &at), Entry::new("turns", Value::Boolean(true), &at)];
        let tree = Tree::new(vec![
            Entry::text("title", "A \"title\"\\\nin two lines", &at),
            Entry::new("tags", Value::Array(vec![Value::Text("a".to_owned()), Value::Text("b".to_owned())]), &at),
            Entry::new("start", Value::Drawing("#\"\\\n#..\n".to_owned()), &at),
            Entry::integer("level", 12, &at),
            Entry::new("goal", Value::Table(vec![Entry::text("$", "x", &at), Entry::integer("at", 0, &at)]), &at),
            Entry::new("rules", Value::Tables(vec![rule("one"), rule("two")]), &at),
            Entry::new("source", Value::Shared("it's\n\ta game\r\n".into()), &at),
        ]);
        let plain = |document: &Document| format!("{:?}", bare(&DeValue::Table(document.table.clone())));
        let text = tree.to_toml();
        assert_eq!(
            plain(&tree.document()),
            plain(&Document::parse(&text).unwrap_or_else(|_| panic!("{text}"))),
            "{text}"
        );
        for hard in ["it ends with '", "'''", "a\rb", "\u{1}"] {
            let tree = Tree::new(vec![Entry::new("source", Value::Shared(hard.into()), &at)]);
            let text = tree.to_toml();
            assert_eq!(plain(&tree.document()), plain(&Document::parse(&text).unwrap_or_else(|_| panic!("{text}"))));
        }
        let document = tree.document();
        let findings = super::super::Findings::default();
        assert_eq!(document.keys(&findings).span("goal"), Some(at));
    }

    /// Returns a value without places, as text; tables in the order of their keys.
    fn bare(value: &DeValue) -> String {
        match value {
            DeValue::Array(items) => format!("{:?}", items.iter().map(|item| bare(item.get_ref())).collect::<Vec<_>>()),
            DeValue::Table(table) => {
                let mut entries: Vec<(String, String)> =
                    table.iter().map(|(key, value)| (key.get_ref().to_string(), bare(value.get_ref()))).collect();
                entries.sort();
                format!("{entries:?}")
            }
            // Line ends of strings may change: TOML reads CRLF as it is written.
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Boolean(value) => value.to_string(),
            other => format!("{other:?}"),
        }
    }
}
