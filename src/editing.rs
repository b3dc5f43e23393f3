//! Editing of puzzles: what may be varied in the drawing of a start, and the puzzles that come of it.
//!
//! A [`Canvas`] is the drawing of a puzzle with a symbol in each cell. It is changed cell by cell or piece by piece, then
//! [opened](Canvas::open) as a puzzle or written as the [text](Canvas::text) of its file, whose comments and layout stay.
//! It is the same for all domains: these list the symbols and the parts that they are made of
//! ([`Drawn`](crate::domain::Drawn)).
//!
//! ```
//! use engine::editing::{Canvas, Direction};
//! use engine::{Limits, Options, Puzzle};
//!
//! let puzzle = Puzzle::load("puzzles/klotski1.toml")?;
//! let mut canvas = Canvas::of(&puzzle)?;
//! let piece = canvas.pieces().next().expect("it has pieces");
//! canvas.remove(&piece);
//! let easier = canvas.open(&Limits::default())?;
//! assert!(easier.solve(&Options::default())?.cost() <= Some(9.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod canvas;
mod cells;
mod difference;
mod edits;
mod frame;
mod grid;
mod in_file;
mod minimize;
mod sketch;
mod written;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Solved, solve};
pub use canvas::{Canvas, CellSymbol, Direction, Piece, Place};
pub use difference::{Part, Side, align, common_prefix};
pub use edits::{Edits, Effect, SingleEdit, edits, edits_each, single_edits};
pub use in_file::text_in_file;
pub use minimize::{Minimized, Minimizing, NotMinimized, minimize};
pub use sketch::{Change, Sheet, Sketch, level_symbol};

/// The most states that are expanded for an edit, unless the caller sets another number.
pub const NODES: u64 = 200_000;
