//! Answers are right: they agree with published optima, with rules written a second time, and, on random puzzles, with
//! a plain search over rules written a third time.

mod certificates;
mod korf;
mod positions;
mod princeton;
mod published;
mod random;
mod shortest;
#[path = "../support/mod.rs"]
mod support;
mod written;
