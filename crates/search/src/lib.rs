//! State spaces and the algorithms that search them.
//!
//! The ground floors of the puzzle engine: nothing here knows a puzzle.

#![warn(missing_docs)]

pub mod argument;
pub mod diagnostic;
pub mod limit;
pub mod search;
pub mod space;
