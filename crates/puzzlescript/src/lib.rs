//! PuzzleScript games: rewriting rules on grids of cells, as in <https://www.puzzlescript.net>.
//!
//! - `game`: a game as written; `diagnostic`: errors and warnings as data; `reader`: from text to both;
//! - `compile`: from the game as written to a `program` of masks;
//! - `mask`: sets of objects and movements of layers as bits; `input`: keys; `turn`: one turn of a program;
//! - `press`: one move of a solution;
//! - `analysis`: what can ever happen on a level;
//! - `plain`: a second implementation of turns and presses, for checking solutions;
//! - `colours`: the names of colours and palettes; `random`: the reference's random generator.

pub mod analysis;
pub mod colours;
pub mod compile;
pub mod diagnostic;
pub mod game;
pub mod input;
mod mask;
pub mod plain;
pub mod press;
pub mod program;
pub mod random;
pub mod reader;
pub mod turn;
