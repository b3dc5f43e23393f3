//! What a kind of puzzle is to the engine: how it is registered, how its files are read, how it is searched and shown.

#![warn(missing_docs)]

use engine_search::{argument, search, space};

#[doc(no_inline)]
pub use engine_search::diagnostic;

pub mod document;
pub mod domain;
pub mod drawing;
pub mod picture;
