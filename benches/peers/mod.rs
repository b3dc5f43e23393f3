//! The same puzzles, solved with the crate `pathfinding` as its ordinary user would: a state is the pieces or the
//! tiles as they stand, successors are returned in a `Vec`, the algorithm is a call of the prelude's.
//!
//! Every solver takes a function that is called once for each state whose successors are asked for, and returns the
//! number of moves.

#![allow(dead_code, reason = "each benchmark program uses its own part")]

pub mod blocks;
pub mod mazes;
pub mod tiles;
