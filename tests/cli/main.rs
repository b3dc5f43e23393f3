//! Runs the real program on real files: every command, its output on each stream, and its exit status.

mod batch;
mod cache;
mod commands;
mod compare;
mod determinism;
mod edits;
mod errors;
mod foreign;
mod generate;
mod growth;
mod heuristics;
mod import;
mod json;
mod levels;
mod limits;
mod mazes;
mod new;
mod options;
mod permutations;
mod plan;
mod play;
mod properties;
mod rate;
mod render;
mod seeds;
mod shell;
mod studio;
mod summary;
#[path = "../support/mod.rs"]
mod support;
mod testing;
mod trace;
mod verify;
mod warnings;
mod words;
mod worksheet;
