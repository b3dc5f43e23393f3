//! Collections: files in other formats that hold many puzzles, such as the levels of a game.
//!
//! A collection is a list of titled puzzle files: each level becomes the text of a puzzle file of some domain, in
//! memory, and is read as such. So every command that reads puzzle files reads levels, too, and `engine import` writes
//! the same texts to files. Each [`CollectionFormat`] is registered beside its domain, so that no central list names
//! it.

use super::Named;
use crate::diagnostic::Diagnostic;
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a collection, with the options of reading it.
#[derive(Clone, Copy, Debug)]
pub struct CollectionText<'a> {
    /// The text.
    pub text: &'a str,
    /// The name of the file, without folder and extension: the title of a collection without one.
    pub name: &'a str,
    /// The title of the collection, instead of its own.
    pub title: Option<&'a str>,
    /// One of the format's metrics.
    pub metric: &'a str,
    /// The seed for levels that draw at random.
    pub seed: Option<&'a str>,
}

/// One puzzle of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The title, on one line.
    pub title: String,
    /// The bytes of the collection's text that hold it.
    pub span: Range<usize>,
    /// The text of a puzzle file, or why there is none. Errors have their places in the collection's text.
    pub puzzle: Result<LevelText, Vec<Diagnostic>>,
    /// Warnings, with their places in the collection's text.
    pub warnings: Vec<Diagnostic>,
}

/// The text of a puzzle file in two parts, one after the other: the levels of a collection may share the second.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelText {
    /// The part of this level alone.
    pub own: String,
    /// The part that many levels may share.
    pub shared: Arc<str>,
    /// The bytes of `shared` that repeat the whole text of the collection, if it does: places in them are reported as
    /// places in the collection.
    pub collection: Option<Range<usize>>,
    /// The findings from reading the collection that reading this level needs.
    pub prepared: Option<Prepared>,
}

/// Findings from reading a collection that reading each of its levels needs again. Both agree on the type.
#[derive(Clone)]
pub struct Prepared(Arc<dyn Any + Send + Sync>);

impl Prepared {
    /// Keeps a value.
    pub fn new<T: Any + Send + Sync>(value: Arc<T>) -> Prepared {
        Prepared(value)
    }

    /// Returns the value, if it is of this type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::downcast(Arc::clone(&self.0)).ok()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").finish_non_exhaustive()
    }
}

impl PartialEq for Prepared {
    fn eq(&self, other: &Prepared) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<String> for LevelText {
    fn from(own: String) -> LevelText {
        LevelText { own, shared: "".into(), collection: None, prepared: None }
    }
}

impl fmt::Display for LevelText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.own)?;
        f.write_str(&self.shared)
    }
}

/// A format of collections.
pub struct CollectionFormat {
    /// The name of the format.
    pub name: &'static str,
    /// A description of the format's appearance, in one line.
    pub summary: &'static str,
    /// The extensions of the names of its files, without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// The metrics, the default first; at least one.
    pub metrics: &'static [Named],
    /// Returns whether a text is likely to be of this format.
    pub recognizes: fn(&str) -> bool,
    /// Reads the levels, in their order.
    ///
    /// # Errors
    /// The text as a whole cannot be read.
    pub levels: fn(&CollectionText) -> Result<Vec<Level>, Vec<Diagnostic>>,
}

inventory::collect!(CollectionFormat);

impl CollectionFormat {
    /// Returns the metric with this name, or the default one.
    ///
    /// # Errors
    /// The format has no metric of this name: the names of those that it has.
    pub fn metric(&self, name: Option<&str>) -> Result<&'static str, Vec<&'static str>> {
        let names = || self.metrics.iter().map(|metric| metric.name);
        match name {
            None => Ok(self.metrics[0].name),
            Some(name) => names().find(|known| *known == name).ok_or_else(|| names().collect()),
        }
    }
}

/// Returns all formats of collections, by name.
#[must_use]
pub fn collection_formats() -> Vec<&'static CollectionFormat> {
    let mut all: Vec<&CollectionFormat> = inventory::iter::<CollectionFormat>.into_iter().collect();
    all.sort_by_key(|format| format.name);
    all
}
