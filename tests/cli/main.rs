//! The command line, run as the real program on real files: every command, what it prints where, and how it exits.

mod cache;
mod commands;
mod compare;
mod determinism;
mod errors;
mod import;
mod json;
mod limits;
mod new;
mod options;
mod permutations;
mod plan;
mod play;
mod render;
mod shell;
mod summary;
#[path = "../support/mod.rs"]
mod support;
mod testing;
mod verify;
mod warnings;
mod words;
