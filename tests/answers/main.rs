//! Answers are right: they agree with published optima, with independently written rules, and, on random puzzles, with
//! a plain search over a third implementation of the rules.

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
