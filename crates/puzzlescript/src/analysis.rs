//! Static analysis: what can ever happen on a level, whatever is pressed.
//!
//! - `model`: rules by layers instead of words;
//! - `facts`: which objects may ever be in which cells, with which movements, and which rules may ever match.
//!
//! All answers err on the side of possibility: what they rule out never happens.

mod facts;
mod model;

pub use facts::Facts;
