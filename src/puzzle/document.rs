//! A file as TOML whose parts know their places, taken apart into typed pieces, with every error found on the way.
//!
//! Serde stops at its first error and typetag loses line and column; so the text is parsed once into a tree that
//! knows its spans, each piece is deserialized with its path tracked, and an error is put where the path leads in
//! the tree. What was refused is dropped and the rest tried again, until all errors are told.

use crate::diagnostic::{Diagnostic, MOST_SHOWN, did_you_mean, unknown_name};
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The most parts that a file may have, that is keys, values and signs: each takes some hundred bytes in the tree, where
/// in the file it is a byte or two.
const MOST_PARTS: usize = 1 << 20;

/// The most parts that are read again and again to find all errors, over all readings.
const MOST_READ: usize = 10 << 20;

/// The tables of a file that are still to be read.
pub(super) struct Document<'a> {
    table: DeTable<'a>,
    span: Range<usize>,
    parts: usize,
    /// Where a missing key would go: behind the last key at the top.
    pub insertion: usize,
}

/// What a table was read as, where it could be; the keys that were refused, and those that were meant by them,
/// dotted where they are in a table.
pub(super) struct Read<T> {
    pub value: Option<T>,
    pub refused: Vec<String>,
    pub errors: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// Every place that is not TOML.
    pub fn parse(text: &'a str) -> Result<Document<'a>, Vec<Diagnostic>> {
        let parts = parts(text).map_err(|error| vec![error])?;
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            let diagnostic = |error: &toml::de::Error| match error.span() {
                Some(span) => Diagnostic::at(span, error.message()),
                None => Diagnostic::whole(error.message()),
            };
            return Err(errors.iter().map(diagnostic).collect());
        }
        let span = root.span();
        let table = root.into_inner();
        let is_table = |value: &DeValue| match value {
            DeValue::Table(_) => true,
            DeValue::Array(items) => items.iter().any(|item| item.get_ref().is_table()),
            _ => false,
        };
        let keys = table.iter().filter(|(_, value)| !is_table(value.get_ref()));
        let last = keys.map(|(_, value)| value.span().end).max().unwrap_or(0);
        Ok(Document { table, span, parts, insertion: last })
    }

    /// Takes out one key.
    pub fn take(&mut self, key: &str) -> Option<Spanned<DeValue<'a>>> {
        self.table.remove(key)
    }

    /// The bytes of the value of a key.
    pub fn span_of(&self, key: &str) -> Option<Range<usize>> {
        self.table.get(key).map(Spanned::span)
    }

    /// Takes out those of these keys that are there, and reads them.
    pub fn read_keys<T: DeserializeOwned>(&mut self, keys: &[&str]) -> Read<T> {
        let mut table = DeTable::new();
        for &key in keys {
            if let Some((name, value)) = self.table.remove_entry(key) {
                table.insert(name, value);
            }
        }
        self.read(table, None, &[])
    }

    /// Reads all that is left, as what the registry has under this name; `others` are valid keys beside its own.
    pub fn read_tagged<T: DeserializeOwned>(&mut self, tag: &str, others: &[&str]) -> Read<T> {
        let table = std::mem::take(&mut self.table);
        self.read(table, Some(tag), others)
    }

    fn read<T: DeserializeOwned>(&self, mut table: DeTable<'a>, tag: Option<&str>, others: &[&str]) -> Read<T> {
        let mut refused = Vec::new();
        let mut errors = Vec::new();
        let mut readings = 1 + MOST_READ / self.parts.max(1);
        let value = loop {
            if readings == 0 {
                break None;
            }
            readings -= 1;
            let mut root = table.clone();
            if let Some(tag) = tag {
                let inner = DeValue::Table(root);
                root = DeTable::new();
                root.insert(
                    Spanned::new(self.span.clone(), tag.to_owned().into()),
                    Spanned::new(self.span.clone(), inner),
                );
            }
            let deserializer = Deserializer::from(Spanned::new(self.span.clone(), root));
            let error = match serde_path_to_error::deserialize::<_, T>(deserializer) {
                Ok(value) => break Some(value),
                Err(error) => error,
            };
            let mut path = keys_of(error.path());
            if tag.is_some() && !path.is_empty() {
                path.remove(0);
            }
            // The first line says what is wrong; where, the path knows better.
            let message = error.inner().message().lines().next().unwrap_or_default();
            if let Some(field) = quoted_after(message, "unknown field ") {
                path.retain(|key| *key != Key::Name(field));
                let known = expected_names(message);
                let unknown_keys = remove_unknown(&mut table, &path, &known);
                if unknown_keys.is_empty() {
                    errors.push(self.explain(&table, &path, message));
                    break None;
                }
                let valid: Vec<&str> = known.iter().chain(others.iter().filter(|_| path.is_empty())).copied().collect();
                for (number, unknown) in unknown_keys.iter().enumerate() {
                    let error = Diagnostic::at(unknown.span(), format!("unknown key `{}`", unknown.get_ref()));
                    // Nobody sees what would be meant by those that are only counted.
                    if number >= MOST_SHOWN {
                        errors.push(error);
                        continue;
                    }
                    let meant = did_you_mean(unknown.get_ref(), valid.iter().copied());
                    refused.extend(meant.map(|meant| dotted(&path, meant)));
                    errors.push(error.help(unknown_name(unknown.get_ref(), valid.iter().copied())));
                }
                continue;
            }
            errors.push(self.explain(&table, &path, message));
            let Some(&Key::Name(key)) = path.first().filter(|_| remove(&mut table, &path)) else { break None };
            match path.split_last() {
                Some((&Key::Name(last), path)) if table.contains_key(key) => refused.push(dotted(path, last)),
                _ => refused.push(key.to_owned()),
            }
        };
        Read { value, refused, errors }
    }

    /// Puts what serde said where it belongs.
    fn explain(&self, table: &DeTable, path: &[Key], message: &str) -> Diagnostic {
        let span = locate(table, path).unwrap_or(self.insertion..self.insertion);
        let Some(Key::Name(key)) = path.iter().rev().find(|key| matches!(key, Key::Name(_))) else {
            return Diagnostic::at(span, message);
        };
        if let Some(variant) = quoted_after(message, "unknown variant ") {
            return Diagnostic::at(span, format!("`{key}` cannot be `{variant}`"))
                .help(unknown_name(variant, expected_names(message)));
        }
        if let [Key::Name(name), Key::Index(_), ..] = path
            && message.starts_with("invalid type: map")
        {
            return Diagnostic::at(span, format!("`{name}` is one table, not an array of tables"))
                .label(format!("`[{name}]` would be right"));
        }
        match message.split_once(", expected ") {
            Some((is, expected)) if is.starts_with("invalid length ") => {
                Diagnostic::at(span, format!("`{key}` has the wrong length"))
                    .label(format!("expected {}", in_words(expected)))
            }
            Some((is, expected)) => {
                let is = is.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
                Diagnostic::at(span, format!("`{key}` cannot be {is}"))
                    .label(format!("expected {}", in_words(expected)))
            }
            None if message == "wanted string or table" => {
                Diagnostic::at(span, format!("`{key}` cannot be that")).label("expected a string")
            }
            None => Diagnostic::at(span, format!("`{key}`: {message}")),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

/// How many parts a text has.
///
/// # Errors
/// That they are too many.
fn parts(text: &str) -> Result<usize, Diagnostic> {
    let is_blank = |kind| matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline);
    let mut parts = 0;
    for token in Source::new(text).lex().filter(|token| !is_blank(token.kind())) {
        parts += 1;
        if parts > MOST_PARTS {
            let message = format!("the file has more than {MOST_PARTS} keys, values, brackets and commas");
            let help = "what is large may be a drawing, or a file of its own: `words`, `start_file`, `map_file`";
            return Err(Diagnostic::at(token.span().start()..token.span().start(), message).help(help));
        }
    }
    Ok(parts)
}

/// A key in a table, as TOML writes it.
fn dotted(path: &[Key], name: &str) -> String {
    let names = path.iter().filter_map(|key| if let Key::Name(name) = key { Some(*name) } else { None });
    names.chain([name]).collect::<Vec<_>>().join(".")
}

/// The keys of a path; those by which spans travel are no keys of the file.
fn keys_of(path: &Path) -> Vec<Key<'_>> {
    let key = |segment| match segment {
        &Segment::Seq { index } => Some(Key::Index(index)),
        Segment::Map { key } if !key.starts_with("$__serde") => Some(Key::Name(key.as_str())),
        _ => None,
    };
    path.iter().filter_map(key).collect()
}

/// The bytes of the file where a path ends, or as far as it can be followed.
fn locate(table: &DeTable, path: &[Key]) -> Option<Range<usize>> {
    let (&Key::Name(first), rest) = path.split_first()? else { return None };
    let mut value = table.get(first)?;
    for key in rest {
        let next = match (value.get_ref(), key) {
            (DeValue::Table(table), Key::Name(name)) => table.get(*name),
            (DeValue::Array(items), Key::Index(index)) => items.get(*index),
            _ => None,
        };
        let Some(next) = next else { break };
        value = next;
    }
    Some(value.span())
}

/// Removes all keys but the known ones from the table that a path leads to, and returns them.
fn remove_unknown(table: &mut DeTable, path: &[Key], known: &[&str]) -> Vec<Spanned<String>> {
    if let Some((&Key::Name(first), rest)) = path.split_first() {
        return match table.get_mut(first).map(Spanned::get_mut) {
            Some(DeValue::Table(inner)) => remove_unknown(inner, rest, known),
            _ => Vec::new(),
        };
    }
    let mut unknown = Vec::new();
    for (name, value) in std::mem::take(table) {
        if known.contains(&name.get_ref().as_ref()) {
            table.insert(name, value);
        } else {
            unknown.push(Spanned::new(name.span(), name.get_ref().to_string()));
        }
    }
    unknown
}

/// Removes what a path leads to, or the array that holds it; whether there was anything to remove.
fn remove(table: &mut DeTable, path: &[Key]) -> bool {
    let Some((&Key::Name(first), rest)) = path.split_first() else { return false };
    if let (Some(inner), [Key::Name(_), ..]) = (table.get_mut(first), rest)
        && let DeValue::Table(inner) = inner.get_mut()
    {
        return remove(inner, rest);
    }
    table.remove(first).is_some()
}

/// The first name in backquotes behind some words.
fn quoted_after<'m>(message: &'m str, words: &str) -> Option<&'m str> {
    message.strip_prefix(words)?.split('`').nth(1)
}

/// A type as people call it.
fn in_words(expected: &str) -> &str {
    match expected {
        "u32" => "a whole number from 0 to 4294967295",
        "u8" | "u16" | "u64" | "usize" => "a whole number, 0 or more",
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ if expected.starts_with("tuple of ") || expected.starts_with("a tuple of ") => "an array `[row, column]`",
        _ => expected,
    }
}

/// The names that serde says it expected.
fn expected_names(message: &str) -> Vec<&str> {
    let expected = message.split_once("expected ").map_or("", |(_, expected)| expected);
    expected.split('`').skip(1).step_by(2).collect()
}
