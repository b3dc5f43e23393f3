//! State spaces and the algorithms that search them.
//!
//! The ground floors of the puzzle engine: nothing here knows a puzzle.

#![warn(missing_docs)]
// What only several processes need.
#![cfg_attr(not(feature = "cluster"), allow(dead_code, unused_imports))]

pub mod argument;
pub mod diagnostic;
pub mod limit;
pub mod search;
pub mod space;
