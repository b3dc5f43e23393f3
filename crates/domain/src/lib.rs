//! The interface between kinds of puzzle and the engine: registering a domain, reading its files, searching and drawing
//! it.

#![warn(missing_docs)]

use engine_search::{argument, search, space};

#[doc(no_inline)]
pub use engine_search::diagnostic;

pub mod document;
pub mod domain;
pub mod drawing;
pub mod expression;
pub mod fences;
pub mod picture;
