//! A file as TOML whose parts know their places, taken apart into typed pieces, with every error found on the way.
//!
//! Serde stops at its first error and typetag loses line and column; so the text is parsed once into a tree that
//! knows its spans, each piece is deserialized with its path tracked, and an error is put where the path leads in
//! the tree. What was refused is dropped and the rest tried again, until all errors are found. A misspelt key is read as
//! the one that was meant.

use crate::diagnostic::{Diagnostic, MOST_SHOWN, did_you_mean, unknown_name};
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The most parts that a file may have, that is keys, values and signs: each takes some hundred bytes in the tree, where
/// in the file it is a byte or two.
const MOST_PARTS: usize = 1 << 20;

/// The most parts that are read again and again to find all errors, over all readings.
const MOST_READ: usize = 10 << 20;

/// The most wrong elements of an array that are reported.
const MOST_IN_ARRAY: usize = 20;

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
        let mut read = Read { value: None, refused: Vec::new(), errors: Vec::new() };
        // Arrays from which elements were taken, and values that stand under a name that was only guessed.
        let (mut incomplete, mut guessed) = (Vec::<Vec<Key>>::new(), Vec::<Vec<Key>>::new());
        for _ in 0..=MOST_READ / self.parts.max(1) {
            let (path, message) = match self.attempt::<T>(&table, tag) {
                Ok(_) if !incomplete.is_empty() => {
                    for path in incomplete.drain(..) {
                        remove(&mut table, &path);
                    }
                    continue;
                }
                Ok(value) => {
                    read.value = Some(value);
                    break;
                }
                Err(error) => error,
            };
            let path = &path[..];
            let is_within = |paths: &[Vec<Key>]| paths.iter().find(|known| path.starts_with(known)).cloned();
            if let Some(guess) = is_within(&guessed) {
                remove(&mut table, &guess);
                if let Some((Key::Name(name), path)) = guess.split_last() {
                    read.refused.push(dotted(path, name));
                }
            } else if let Some(field) = quoted_after(&message, "unknown field ") {
                let path = path.strip_suffix(&[Key::Name(field.to_owned())]).unwrap_or(path);
                let known = expected_names(&message);
                let unknown_keys =
                    table_at(&mut table, path).map(|table| take_unknown(table, &known)).unwrap_or_default();
                if unknown_keys.is_empty() {
                    read.errors.push(self.explain(&table, path, &message));
                    break;
                }
                let valid: Vec<&str> = known.iter().chain(others.iter().filter(|_| path.is_empty())).copied().collect();
                for (number, (unknown, value)) in unknown_keys.into_iter().enumerate() {
                    let error = Diagnostic::at(unknown.span(), format!("unknown key `{}`", unknown.get_ref()));
                    // Nobody sees what would be meant by those that are only counted.
                    if number >= MOST_SHOWN {
                        read.errors.push(error);
                        continue;
                    }
                    read.errors.push(error.help(unknown_name(unknown.get_ref(), valid.iter().copied())));
                    let Some(meant) = did_you_mean(unknown.get_ref(), valid.iter().copied()) else { continue };
                    // The value is read as that of the key that was meant, for its other mistakes.
                    if !known.contains(&meant) {
                        read.refused.push(dotted(path, meant));
                    } else if let Some(table) = table_at(&mut table, path).filter(|table| !table.contains_key(meant)) {
                        table.insert(Spanned::new(unknown.span(), meant.to_owned().into()), value);
                        guessed.push([path, &[Key::Name(meant.to_owned())]].concat());
                    }
                }
            } else if let Some(known) = is_within(&incomplete).filter(|_| message.starts_with("invalid length ")) {
                // It had the right length before.
                incomplete.retain(|other| *other != known);
                remove(&mut table, &known);
            } else {
                let is_array = self.is_table_in_array::<T>(&table, tag, path, &message);
                let path = if is_array { &path[..1] } else { path };
                read.errors.push(match path {
                    [Key::Name(name)] if is_array => {
                        let span = locate(&table, path).map_or(0..0, Spanned::span);
                        Diagnostic::at(span, format!("`{name}` is one table, not an array of tables"))
                            .label(format!("`[{name}]` would be right"))
                    }
                    _ => self.explain(&table, path, &message),
                });
                let Some(last) = path.iter().rposition(|key| matches!(key, Key::Name(_))) else { break };
                let (named, Key::Name(name)) = (&path[..=last], &path[last]) else { break };
                read.refused.push(dotted(&path[..last], name));
                let times = read.refused.iter().filter(|key| read.refused.last() == Some(*key)).count();
                if named.len() < path.len() && times <= MOST_IN_ARRAY && remove_element(&mut table, path) {
                    if !incomplete.iter().any(|known| known == named) {
                        incomplete.push(named.to_vec());
                    }
                } else if remove(&mut table, named) {
                    incomplete.retain(|known| known != named);
                } else {
                    break;
                }
            }
        }
        read
    }

    /// Reads a table; or the path to the first thing that is wrong, and what it is.
    fn attempt<T: DeserializeOwned>(&self, table: &DeTable<'a>, tag: Option<&str>) -> Result<T, (Vec<Key>, String)> {
        let mut root = table.clone();
        if let Some(tag) = tag {
            let inner = DeValue::Table(root);
            root = DeTable::new();
            root.insert(Spanned::new(self.span.clone(), tag.to_owned().into()), Spanned::new(self.span.clone(), inner));
        }
        let deserializer = Deserializer::from(Spanned::new(self.span.clone(), root));
        serde_path_to_error::deserialize(deserializer).map_err(|error| {
            let mut path = keys_of(error.path());
            if tag.is_some() && !path.is_empty() {
                path.remove(0);
            }
            // The first line says what is wrong; where, the path knows better.
            (path, error.inner().message().lines().next().unwrap_or_default().to_owned())
        })
    }

    /// Whether the array of tables at the beginning of a path should be a table: then its first element can be read.
    fn is_table_in_array<T: DeserializeOwned>(
        &self,
        table: &DeTable<'a>,
        tag: Option<&str>,
        path: &[Key],
        message: &str,
    ) -> bool {
        let [Key::Name(name), Key::Index(_)] = path else { return false };
        let items = table.get(name.as_str()).and_then(|value| value.get_ref().as_array());
        let first = items.and_then(|items| items.first()).filter(|first| first.get_ref().is_table());
        let Some(first) = first.filter(|_| message.starts_with("invalid type: map")) else { return false };
        let mut probe = table.clone();
        if let Some(value) = probe.get_mut(name.as_str()) {
            *value = first.clone();
        }
        self.attempt::<T>(&probe, tag).err().is_none_or(|(other, _)| other != path[..1])
    }

    /// Puts what serde said where it belongs.
    fn explain(&self, table: &DeTable, path: &[Key], message: &str) -> Diagnostic {
        let value = locate(table, path);
        let span = value.map_or(self.insertion..self.insertion, Spanned::span);
        let Some(Key::Name(key)) = path.iter().rev().find(|key| matches!(key, Key::Name(_))) else {
            return Diagnostic::at(span, message);
        };
        if let Some(variant) = quoted_after(message, "unknown variant ") {
            return Diagnostic::at(span, format!("invalid value `{variant}` for `{key}`"))
                .help(unknown_name(variant, expected_names(message)));
        }
        if let Some(missing) = quoted_after(message, "missing field ") {
            return Diagnostic::at(span, format!("missing key `{missing}`"));
        }
        let of_type = |expected: &str| {
            let error = Diagnostic::at(span.clone(), format!("invalid type for `{key}`: expected {expected}"));
            error.label(value.map_or(String::new(), |value| format!("this is {}", kind(value.get_ref()))))
        };
        match message.split_once(", expected ") {
            Some((is, expected)) if is.starts_with("invalid length ") => {
                Diagnostic::at(span, format!("invalid length of `{key}`: expected {}", in_words(expected)))
            }
            Some((is, expected)) => match is.strip_prefix("invalid value: ") {
                Some(is) => {
                    let is = is.split('`').nth(1).unwrap_or(is);
                    Diagnostic::at(span, format!("invalid value `{is}` for `{key}`: expected {}", in_words(expected)))
                }
                None => of_type(in_words(expected)),
            },
            None if message == "wanted string or table" => of_type("a string"),
            None => Diagnostic::at(span, format!("`{key}`: {message}")),
        }
    }
}

/// A step of a path into a file.
#[derive(Clone, PartialEq)]
enum Key {
    Name(String),
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

/// A key with the tables that it is in: `scramble.seed`, `rules[2].from`.
fn dotted(path: &[Key], name: &str) -> String {
    let mut dotted = String::new();
    for key in path {
        match key {
            Key::Name(name) if dotted.is_empty() => dotted += name,
            Key::Name(name) => dotted = dotted + "." + name,
            Key::Index(index) => dotted += &format!("[{index}]"),
        }
    }
    if dotted.is_empty() { name.to_owned() } else { dotted + "." + name }
}

/// The keys of a path; those by which spans travel are no keys of the file.
fn keys_of(path: &Path) -> Vec<Key> {
    let key = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(Key::Index(*index)),
        Segment::Map { key } if !key.starts_with("$__serde") => Some(Key::Name(key.clone())),
        _ => None,
    };
    path.iter().filter_map(key).collect()
}

/// The value where a path ends, or as far as it can be followed.
fn locate<'t, 'a>(table: &'t DeTable<'a>, path: &[Key]) -> Option<&'t Spanned<DeValue<'a>>> {
    let (Key::Name(first), rest) = path.split_first()? else { return None };
    let mut value = table.get(first.as_str())?;
    for key in rest {
        let next = match (value.get_ref(), key) {
            (DeValue::Table(table), Key::Name(name)) => table.get(name.as_str()),
            (DeValue::Array(items), Key::Index(index)) => items.get(*index),
            _ => None,
        };
        let Some(next) = next else { break };
        value = next;
    }
    Some(value)
}

/// The value where a path ends.
fn value_at<'t, 'a>(table: &'t mut DeTable<'a>, path: &[Key]) -> Option<&'t mut DeValue<'a>> {
    let (Key::Name(first), rest) = path.split_first()? else { return None };
    let mut value = table.get_mut(first.as_str())?.get_mut();
    for key in rest {
        value = match (value, key) {
            (DeValue::Table(table), Key::Name(name)) => table.get_mut(name.as_str())?.get_mut(),
            (DeValue::Array(items), Key::Index(index)) => items.get_mut(*index)?.get_mut(),
            _ => return None,
        };
    }
    Some(value)
}

/// The table where a path ends.
fn table_at<'t, 'a>(table: &'t mut DeTable<'a>, path: &[Key]) -> Option<&'t mut DeTable<'a>> {
    if path.is_empty() {
        return Some(table);
    }
    match value_at(table, path)? {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

/// Removes all keys but the known ones from a table, and returns them with their values.
fn take_unknown<'a>(table: &mut DeTable<'a>, known: &[&str]) -> Vec<(Spanned<String>, Spanned<DeValue<'a>>)> {
    let mut unknown = Vec::new();
    for (name, value) in std::mem::take(table) {
        if known.contains(&name.get_ref().as_ref()) {
            table.insert(name, value);
        } else {
            unknown.push((Spanned::new(name.span(), name.get_ref().to_string()), value));
        }
    }
    unknown
}

/// Removes the key that a path leads to; whether there was anything to remove.
fn remove(table: &mut DeTable, path: &[Key]) -> bool {
    let Some((Key::Name(name), path)) = path.split_last() else { return false };
    table_at(table, path).is_some_and(|table| table.remove(name.as_str()).is_some())
}

/// Removes the element of an array that a path leads to; whether there was one to remove.
fn remove_element(table: &mut DeTable, path: &[Key]) -> bool {
    let Some((Key::Index(index), path)) = path.split_last() else { return false };
    let Some(DeValue::Array(items)) = value_at(table, path) else { return false };
    let before = items.len();
    let kept = std::mem::replace(items, DeArray::new()).into_iter().enumerate().filter(|(number, _)| number != index);
    *items = kept.map(|(_, item)| item).collect();
    items.len() < before
}

/// The kind of a value as people call it.
fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or a time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
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
