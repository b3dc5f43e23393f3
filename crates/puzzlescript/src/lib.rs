//! PuzzleScript games: rewriting rules on grids of cells, as in <https://www.puzzlescript.net>.
//!
//! - `game`: a game as written; `diagnostic`: errors and warnings as data; `reader`: from text to both.

pub mod diagnostic;
pub mod game;
pub mod reader;
