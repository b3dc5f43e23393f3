//! Puzzles whose rules are written in the file: drawings that are rewritten, and variables.
#![allow(dead_code)]

mod heuristic;
mod task;
