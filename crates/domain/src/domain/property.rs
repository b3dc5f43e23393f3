//! Properties: what a domain derives from the rules of a puzzle before any search, in words for its author.

use super::Named;
use crate::picture::Cell;
use serde::Serialize;

/// The properties that are about cells of the board, and that pictures can show.
pub const OVERLAYS: &[Named] = &[
    Named { name: "dead", summary: "the places from which a piece never reaches a target" },
    Named { name: "region", summary: "the places to which the mover walks from the start" },
    Named { name: "targets", summary: "the places where a goal allows pieces" },
];

/// A property of a puzzle. Serialised, it has all its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Property {
    /// The kind of property, in one word. A puzzle may have several of one kind.
    pub name: &'static str,
    /// The property in one line.
    pub text: String,
    /// The cells that it is about, row by row; empty unless the name is one of [`OVERLAYS`].
    pub cells: Vec<Cell>,
    /// The property of each of these cells, in a few words for a picture; `None` if there are none.
    pub legend: Option<String>,
}

impl Property {
    /// Creates a property that is about no cells.
    #[must_use]
    pub fn new(name: &'static str, text: String) -> Property {
        Property { name, text, cells: Vec::new(), legend: None }
    }

    /// Adds the cells, with what holds for each of them.
    #[must_use]
    pub fn on(self, cells: Vec<Cell>, legend: String) -> Property {
        let legend = (!cells.is_empty()).then_some(legend);
        Property { cells, legend, ..self }
    }
}
