//! Collections: files in other formats that hold many puzzles, such as the levels of a game.
//!
//! A collection is a list of titled puzzles: each level becomes the [`Tree`] of values that a puzzle file of some
//! domain would have, with their places in the collection. So every command that reads puzzle files reads levels, too,
//! and `engine import` writes the same values to files. Each [`CollectionFormat`] is registered beside its domain, so
//! that no central list names it.
//!
//! Opening a collection finds its [`Levels`] in one pass over the text; a level is made when it is read, so that memory
//! grows with the file alone, and reading one level of many takes the time of one.

use super::{BuildContext, Named, ReadOptions};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::document::Tree;
use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a collection, with the options of reading it.
#[derive(Clone, Debug)]
pub struct CollectionText {
    /// The text.
    pub text: SourceText,
    /// The name of the file, without folder and extension: the title of a collection without one.
    pub name: String,
    /// The title of the collection, instead of its own.
    pub title: Option<String>,
    /// One of the format's metrics.
    pub metric: &'static str,
    /// The options of reading. Their metric, or else the default one, is `metric`.
    pub options: ReadOptions,
}

/// The levels of a collection: opening it finds them, and each is read when it is needed.
pub trait Levels: Send + Sync {
    /// Returns the number of levels, at least 1.
    fn count(&self) -> usize;

    /// Returns the title of a level, on one line. The first level has index 0.
    fn title(&self, index: usize) -> String;

    /// Reads a level.
    fn read(&self, index: usize) -> Level;

    /// Returns the rows that draw a level, valid or not: the bytes of each in the text, and its symbols. By default none: the
    /// puzzle of a level says itself where it is drawn.
    fn rows(&self, _index: usize) -> Vec<(Range<usize>, String)> {
        Vec::new()
    }
}

/// An opened collection, or why its text as a whole cannot be read.
pub type Opened = Result<Box<dyn Levels>, Vec<Diagnostic>>;

/// One puzzle of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The puzzle, or why there is none. Values and errors have their places in the collection's text.
    pub puzzle: Result<Arc<Tree>, Vec<Diagnostic>>,
    /// The findings from reading the collection that reading this level needs.
    pub prepared: Option<Prepared>,
    /// Warnings, with their places in the collection's text.
    pub warnings: Vec<Diagnostic>,
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
    /// Returns why a text that resembles this format is none, if it does and is none.
    pub near: fn(&str) -> Option<String>,
    /// Finds the levels, in their order. A limit may end it, which [`BuildContext::ended`] reports: then the result is
    /// not used.
    ///
    /// # Errors
    /// The text as a whole cannot be read.
    pub open: fn(CollectionText, &BuildContext) -> Opened,
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
