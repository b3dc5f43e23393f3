//! A parsed TOML file with the span of each value, and the reader that takes typed values from it.
//!
//! The text is parsed once into a tree with spans. [`Keys`] is a table of this tree. Its values are taken by key and
//! read by [`FromToml`]. A wrong value is reported at its place and *refused*: it reads as if its key were missing, and
//! reading goes on. So one pass finds all errors. A misspelt key is read as the most similar known key.

use crate::diagnostic::{Diagnostic, MOST_KEPT, MOST_SHOWN, did_you_mean, expected_names, unknown_name};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use toml::de::DeTable;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

pub use composed::{COMPOSED, Composed, composed, decomposed, into_composed};
pub use toml::Spanned;
pub use toml::de::DeValue;
pub use visible::visible;

mod composed;
pub mod statements;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod visible;

pub use tree::{Entry, PuzzleText, Tree, Value};

/// The greatest number of tokens in a file: keys, values, brackets and commas. Each takes some hundred bytes in the
/// tree, but only a byte or two in the file.
const MOST_TOKENS: usize = 1 << 20;

/// The greatest number of wrong elements of an array that are reported.
const MOST_IN_ARRAY: usize = 20;

/// A parsed file.
pub struct Document<'a> {
    table: DeTable<'a>,
    /// The byte where a missing key would go: after the last key of the top level.
    pub insertion: usize,
}

impl<'a> Document<'a> {
    /// Parses a text.
    ///
    /// # Errors
    /// Reports every place that is not TOML.
    pub fn parse(text: &'a str) -> Result<Document<'a>, Vec<Diagnostic>> {
        check_size(text).map_err(|error| vec![error])?;
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(syntax::errors(&errors, text));
        }
        let table = root.into_inner();
        let is_table = |value: &DeValue| match value {
            DeValue::Table(_) => true,
            DeValue::Array(items) => items.iter().any(|item| item.get_ref().is_table()),
            _ => false,
        };
        let keys = table.iter().filter(|(_, value)| !is_table(value.get_ref()));
        let insertion = keys.map(|(_, value)| value.span().end).max().unwrap_or(0);
        Ok(Document { table, insertion })
    }

    /// Returns the keys of the top level, without a check for unknown ones.
    pub fn keys<'v>(&'v self, findings: &'v Findings) -> Keys<'v> {
        Keys { table: &self.table, guessed: Vec::new(), path: Path::Top, findings }
    }
}

/// Checks the number of tokens before the tree is built.
fn check_size(text: &str) -> Result<(), Diagnostic> {
    let is_blank = |kind| matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline);
    let mut tokens = Source::new(text).lex().filter(|token| !is_blank(token.kind()));
    let Some(first_beyond) = tokens.nth(MOST_TOKENS) else { return Ok(()) };
    let message = format!("the file has more than {MOST_TOKENS} keys, values, brackets and commas");
    let help = "put large data into a drawing, or into a file named by `words`, `start_file` or `map_file`";
    let at = first_beyond.span().start();
    Err(Diagnostic::at(at..at, message).help(help))
}

/// The errors found while a file is read, and the keys whose values were refused.
#[derive(Debug, Default)]
pub struct Findings {
    errors: RefCell<Vec<Diagnostic>>,
    refused: RefCell<BTreeSet<String>>,
    /// The known keys of the top level: TOML takes one below the header of a table as a key of that table.
    top_keys: RefCell<BTreeSet<String>>,
}

impl Findings {
    /// Takes out the errors found so far.
    pub fn take_errors(&self) -> Vec<Diagnostic> {
        self.errors.take()
    }

    /// Returns whether the value of exactly this key was refused. Keys in tables are dotted: `scramble.seed`,
    /// `rules[2].from`.
    #[must_use]
    pub fn refused(&self, key: &str) -> bool {
        self.refused.borrow().contains(key)
    }

    /// Returns whether the value of a key was refused, or any value inside it.
    #[must_use]
    pub fn refused_within(&self, key: &str) -> bool {
        let refused = self.refused.borrow();
        let begins = |start: String| refused.range(start.clone()..).next().is_some_and(|key| key.starts_with(&start));
        refused.contains(key) || begins(format!("{key}.")) || begins(format!("{key}["))
    }

    /// Returns whether any refused key satisfies a predicate.
    pub fn any_refused(&self, is_of_the_kind: impl FnMut(&String) -> bool) -> bool {
        self.refused.borrow().iter().any(is_of_the_kind)
    }

    fn report(&self, error: Diagnostic) {
        self.errors.borrow_mut().push(error);
    }

    fn refuse(&self, path: &Path) {
        self.refused.borrow_mut().insert(path.key().dotted());
    }
}

/// The path from the top of a file to a value.
#[derive(Clone, Copy)]
enum Path<'v> {
    Top,
    Key(&'v Path<'v>, &'v str),
    Element(&'v Path<'v>, usize),
}

impl Path<'_> {
    /// Returns the path without the array indices at its end.
    fn key(&self) -> &Path<'_> {
        match self {
            Path::Element(array, _) => array.key(),
            key => key,
        }
    }

    /// Returns the innermost key.
    fn name(&self) -> &str {
        match self.key() {
            Path::Key(_, name) => name,
            _ => "",
        }
    }

    /// Writes the path as in the header of a table, without the elements of arrays: `rules.then`.
    fn header(&self) -> String {
        match self.key() {
            Path::Key(table, name) => match table.header() {
                table if table.is_empty() => (*name).to_owned(),
                table => format!("{table}.{name}"),
            },
            _ => String::new(),
        }
    }

    /// Returns the path in the form `rules[2].from`.
    fn dotted(&self) -> String {
        match self {
            Path::Top => String::new(),
            Path::Key(Path::Top, name) => (*name).to_owned(),
            Path::Key(table, name) => format!("{}.{name}", table.dotted()),
            Path::Element(array, index) => format!("{}[{index}]", array.dotted()),
        }
    }
}

/// A table of a file, whose values are taken by key.
pub struct Keys<'v> {
    table: &'v DeTable<'v>,
    /// The known keys that misspelt keys stand for, with the values of the misspelt keys.
    guessed: Vec<(&'v str, &'v Spanned<DeValue<'v>>)>,
    path: Path<'v>,
    findings: &'v Findings,
}

impl<'v> Keys<'v> {
    /// Reports every key that is neither in `known` nor in `others`. From now on, the value of a misspelt key is read
    /// as that of the most similar known key, so that other mistakes that depend on it are found, too.
    pub fn expect(&mut self, known: &'v [&'v str], others: &[&str]) {
        let valid = || known.iter().chain(others).copied();
        if matches!(self.path, Path::Top) {
            self.findings.top_keys.replace(valid().map(str::to_owned).collect());
        }
        let unknown = self.table.iter().filter(|(key, _)| valid().all(|name| name != key.get_ref().as_ref()));
        for (number, (key, value)) in unknown.enumerate() {
            let written: &str = key.get_ref();
            let error = Diagnostic::at(key.span(), format!("unknown key `{written}`"));
            // Errors beyond these limits are counted but not shown, so they need no suggestion.
            if number >= MOST_SHOWN || self.findings.errors.borrow().len() >= MOST_KEPT {
                self.findings.report(error);
                continue;
            }
            if self.findings.top_keys.borrow().contains(written) {
                let help = format!(
                    "`{written}` is a key of the whole file: write it above the first `[table]`; {} here",
                    expected_names(valid())
                );
                self.findings.report(error.help(help));
                continue;
            }
            self.findings.report(error.help(unknown_name(written, valid())));
            let Some(guess) = did_you_mean(written, valid()) else { continue };
            match known.iter().find(|name| **name == guess) {
                None => self.findings.refuse(&Path::Key(&self.path, guess)),
                Some(guess) if self.table.contains_key(*guess) || self.find_guess(guess).is_some() => {}
                Some(guess) => self.guessed.push((guess, value)),
            }
        }
    }

    /// Takes the value of a key. Returns `None` if the key is missing, or if its value is wrong, which is then
    /// reported.
    #[must_use]
    pub fn take<T: FromToml>(&self, key: &str) -> Option<T> {
        if let Some(node) = self.node(key) {
            return node.read();
        }
        let errors = self.findings.errors.borrow().len();
        let path = Path::Key(&self.path, key);
        let read = Node { value: self.find_guess(key)?, path, findings: self.findings }.read();
        if self.accept_guess(errors, &path) { read } else { None }
    }

    /// Returns the unread value of a key.
    #[must_use]
    pub fn node<'s>(&'s self, key: &'s str) -> Option<Node<'s>> {
        let value = self.table.get(key)?;
        Some(Node { value, path: Path::Key(&self.path, key), findings: self.findings })
    }

    /// Returns the value at a path of keys, with its place.
    #[must_use]
    pub fn value_at(&self, path: &[&str]) -> Option<(Range<usize>, &DeValue<'_>)> {
        let (first, inner) = path.split_first()?;
        let mut value = self.table.get(*first)?;
        for name in inner {
            let DeValue::Table(table) = value.get_ref() else { return None };
            value = table.get(*name)?;
        }
        Some((value.span(), value.get_ref()))
    }

    /// Returns the value of the unknown key that is nearest to a key that is not there.
    #[must_use]
    pub fn near(&self, key: &str, known: &[&str]) -> Option<Node<'_>> {
        let unknown = self.table.iter().filter(|(written, _)| !known.contains(&written.get_ref().as_ref()));
        let (written, value) = unknown.min_by_key(|(written, _)| did_you_mean(written.get_ref(), [key]).is_none())?;
        did_you_mean(written.get_ref(), [key])?;
        Some(Node { value, path: Path::Key(&self.path, written.get_ref()), findings: self.findings })
    }

    /// Returns the bytes of the value of a key.
    #[must_use]
    pub fn span(&self, key: &str) -> Option<Range<usize>> {
        self.table.get(key).map(Spanned::span)
    }

    fn find_guess(&self, key: &str) -> Option<&'v Spanned<DeValue<'v>>> {
        self.guessed.iter().find(|(guess, _)| *guess == key).map(|(_, value)| *value)
    }

    /// Returns whether reading a guessed value added no error after the first `errors_before`. If it did, the guess was
    /// wrong: its errors are dropped.
    fn accept_guess(&self, errors_before: usize, path: &Path) -> bool {
        let mut errors = self.findings.errors.borrow_mut();
        if errors.len() == errors_before {
            return true;
        }
        errors.truncate(errors_before);
        self.findings.refuse(path);
        false
    }
}

/// A value of a file that is not read yet.
#[derive(Clone, Copy)]
pub struct Node<'v> {
    value: &'v Spanned<DeValue<'v>>,
    path: Path<'v>,
    findings: &'v Findings,
}

impl<'v> Node<'v> {
    /// Returns the value. If several types are allowed, match on it, and [`read`](Node::read) it as the type that it
    /// has.
    #[must_use]
    pub fn value(self) -> &'v DeValue<'v> {
        self.value.get_ref()
    }

    /// Returns the bytes of the file that hold the value.
    #[must_use]
    pub fn span(self) -> Range<usize> {
        self.value.span()
    }

    /// Returns the innermost key that the value belongs to.
    #[must_use]
    pub fn key(&self) -> &str {
        self.path.name()
    }

    /// Reads the value as a type.
    #[must_use]
    pub fn read<T: FromToml>(self) -> Option<T> {
        T::from_toml(self)
    }

    /// Refuses the value with an error.
    #[must_use]
    pub fn refuse<T>(self, error: Diagnostic) -> Option<T> {
        self.reject(error);
        None
    }

    /// Refuses the value because its type is not the expected one.
    #[must_use]
    pub fn wrong_type<T>(self, expected: &str) -> Option<T> {
        self.reject_type(expected);
        None
    }

    fn reject(self, error: Diagnostic) {
        self.findings.report(error);
        self.findings.refuse(&self.path);
    }

    fn reject_type(self, expected: &str) {
        self.reject(self.type_error(expected));
    }

    /// Returns the error that the value is not of the type that is expected.
    #[must_use]
    pub fn type_error(self, expected: &str) -> Diagnostic {
        let found = kind(self.value());
        Diagnostic::at(self.span(), format!("invalid type for `{}`: expected {expected}, found {found}", self.key()))
    }

    /// Reads one of several names and returns the value paired with it.
    #[must_use]
    pub fn choice<T: Copy>(self, choices: &[(&str, T)]) -> Option<T> {
        let DeValue::String(written) = self.value() else { return self.wrong_type("a string") };
        if let Some((_, meaning)) = choices.iter().find(|(name, _)| name == written) {
            return Some(*meaning);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        self.reject_choice(written, &names);
        None
    }

    fn reject_choice(self, written: &str, names: &[&str]) {
        let message = format!("invalid value `{written}` for `{}`", self.key());
        self.reject(Diagnostic::at(self.span(), message).help(unknown_name(written, names.iter().copied())));
    }

    /// Reads a table with these keys, and reports all others.
    #[must_use]
    pub fn keys(self, known: &'v [&'v str]) -> Option<Keys<'v>> {
        let mut keys = Keys { table: self.table()?, guessed: Vec::new(), path: self.path, findings: self.findings };
        keys.expect(known, &[]);
        Some(keys)
    }

    fn table(self) -> Option<&'v DeTable<'v>> {
        match (self.value(), self.path) {
            (DeValue::Table(table), _) => Some(table),
            (DeValue::Array(items), Path::Key(_, name))
                if items.first().is_some_and(|first| first.get_ref().is_table()) =>
            {
                let message = format!("invalid type for `{name}`: expected a table, found an array of tables");
                let header = self.path.header();
                self.refuse(
                    Diagnostic::at(self.span(), message).help(format!("write `[{header}]` instead of `[[{header}]]`")),
                )
            }
            _ => self.wrong_type("a table"),
        }
    }

    /// Reads an integer from `least` to `most`.
    fn integer(self, least: i128, most: i128) -> Option<i128> {
        let expected = || match most {
            _ if least == i128::from(i64::MIN) => "an integer".to_owned(),
            _ if most >= i128::from(u64::MAX) => format!("an integer of at least {least}"),
            _ => format!("an integer from {least} to {most}"),
        };
        let DeValue::Integer(written) = self.value() else { return self.wrong_type(&expected()) };
        let number = i128::from_str_radix(written.as_str(), written.radix()).ok();
        number.filter(|number| (least..=most).contains(number)).or_else(|| self.wrong_number(written, &expected()))
    }

    /// Reads a number that may have a fraction.
    fn float(self) -> Option<f64> {
        match self.value() {
            DeValue::Integer(written) => {
                let number = i128::from_str_radix(written.as_str(), written.radix()).ok();
                number.map(|number| number as f64).or_else(|| self.wrong_number(written, "a number"))
            }
            DeValue::Float(written) => {
                let is_too_large = |number: &f64| number.is_infinite() && !written.as_str().contains("inf");
                let number = written.as_str().parse().ok().filter(|number| !is_too_large(number));
                number.or_else(|| self.wrong_number(written, "a number"))
            }
            _ => self.wrong_type("a number"),
        }
    }

    /// Reads a table with arbitrary keys: its keys and values in the order of the file, without the wrong values.
    #[must_use]
    pub fn entries<T: FromToml>(self) -> Option<Vec<(Spanned<String>, T)>> {
        let read = |(key, value): (&'v Spanned<_>, &'v Spanned<DeValue<'v>>)| {
            let name: &Cow<str> = key.get_ref();
            let node = Node { value, path: Path::Key(&self.path, name), findings: self.findings };
            Some((Spanned::new(key.span(), name.to_string()), node.read()?))
        };
        Some(self.table()?.iter().filter_map(read).collect())
    }

    fn wrong_number<T>(self, written: &dyn fmt::Display, expected: &str) -> Option<T> {
        let message = format!("invalid value `{written}` for `{}`: expected {expected}", self.key());
        self.refuse(Diagnostic::at(self.span(), message))
    }
}

/// Returns a description of a value's type.
fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or a time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// A type that can be read from a value of a file.
pub trait FromToml: Sized {
    /// True if the type is read from a table, so that an array of it is written with headers `[[key]]`.
    const IS_TABLE: bool = false;

    /// Reads a value. Returns `None` if it is refused.
    fn from_toml(node: Node) -> Option<Self>;
}

impl FromToml for String {
    fn from_toml(node: Node) -> Option<String> {
        match node.value() {
            DeValue::String(text) => Some(text.to_string()),
            _ => node.wrong_type("a string"),
        }
    }
}

impl FromToml for bool {
    fn from_toml(node: Node) -> Option<bool> {
        node.value().as_bool().or_else(|| node.wrong_type("`true` or `false`"))
    }
}

impl FromToml for f64 {
    fn from_toml(node: Node) -> Option<f64> {
        node.float()
    }
}

macro_rules! integers {
    ($($integer:ty),*) => {
        $(impl FromToml for $integer {
            fn from_toml(node: Node) -> Option<$integer> {
                node.integer(<$integer>::MIN as i128, <$integer>::MAX as i128).map(|number| number as $integer)
            }
        })*
    };
}

integers!(u8, u16, u32, u64, usize, i64);

impl FromToml for NonZero<usize> {
    fn from_toml(node: Node) -> Option<NonZero<usize>> {
        node.integer(1, usize::MAX as i128).and_then(|number| NonZero::new(number as usize))
    }
}

/// A value together with its span.
impl<T: FromToml> FromToml for Spanned<T> {
    const IS_TABLE: bool = T::IS_TABLE;

    fn from_toml(node: Node) -> Option<Spanned<T>> {
        Some(Spanned::new(node.span(), node.read()?))
    }
}

/// An array. Every wrong element is reported; one refuses the whole array.
impl<T: FromToml> FromToml for Vec<T> {
    fn from_toml(node: Node) -> Option<Vec<T>> {
        let items = match node.value() {
            DeValue::Array(items) => items,
            DeValue::Table(_) if T::IS_TABLE => {
                let header = node.path.header();
                let help = format!("write `[[{header}]]` with two brackets before each table");
                return node.refuse(node.type_error("an array of tables").help(help));
            }
            _ => return node.wrong_type(if T::IS_TABLE { "an array of tables" } else { "an array" }),
        };
        let mut read = Vec::with_capacity(items.len());
        let mut wrong = 0;
        for (index, value) in items.iter().enumerate() {
            let element = Node { value, path: Path::Element(&node.path, index), findings: node.findings };
            match element.read() {
                Some(element) => read.push(element),
                None => wrong += 1,
            }
            if wrong == MOST_IN_ARRAY {
                break;
            }
        }
        (wrong == 0).then_some(read)
    }
}

/// An array with a fixed number of elements.
impl<T: FromToml, const N: usize> FromToml for [T; N] {
    fn from_toml(node: Node) -> Option<[T; N]> {
        if !node.value().is_array() {
            return node.wrong_type(&format!("an array of {N} values"));
        }
        let read: Vec<T> = node.read()?;
        let found = read.len();
        read.try_into().ok().or_else(|| {
            let message = format!("invalid length of `{}`: expected {N} values, found {found}", node.key());
            node.refuse(Diagnostic::at(node.span(), message))
        })
    }
}

/// A table with arbitrary keys.
impl<T: FromToml> FromToml for BTreeMap<String, T> {
    fn from_toml(node: Node) -> Option<BTreeMap<String, T>> {
        Some(node.entries()?.into_iter().map(|(key, value)| (key.into_inner(), value)).collect())
    }
}
