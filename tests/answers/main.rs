//! Tests answers against published optima, against a second implementation of the rules, and, on random puzzles,
//! against a plain search over a third implementation.

mod certificates;
mod changes;
mod fences;
mod games;
mod given_heuristic;
mod korf;
mod machine;
mod positions;
mod princeton;
mod published;
mod random;
mod shortest;
#[path = "../support/mod.rs"]
mod support;
mod written;
