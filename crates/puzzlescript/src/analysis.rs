//! Static analysis: what can ever happen on a level, whatever is pressed.
//!
//! - `model`: rules by layers instead of words;
//! - `known`: which objects may ever be in which cells, with which movements; `facts`: these and the rules that may
//!   ever match, for other modules;
//! - `tokens`: where the objects of a condition can go in a press; `movers`: how many of them;
//! - `bounds`: lower bounds on the presses that a board needs.
//!
//! All answers err on the side of possibility: what they rule out never happens.

mod bounds;
mod facts;
mod known;
mod model;
mod movers;
#[cfg(test)]
mod tests;
mod tokens;

pub use bounds::{Bounds, Buffers};
pub use facts::Facts;
