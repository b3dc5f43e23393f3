//! State spaces and the algorithms that search them.
//!
//! The lowest layer of the puzzle engine: nothing here depends on a particular puzzle.

#![warn(missing_docs)]
// Without the feature `cluster`, the code that only several processes need is unused.
#![cfg_attr(not(feature = "cluster"), allow(dead_code, unused_imports))]

pub mod argument;
pub mod bit_field;
pub mod bit_set;
pub mod diagnostic;
pub mod limit;
pub mod search;
pub mod space;
