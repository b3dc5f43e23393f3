//! The command line of the real program on real files: every command, its output, and its exit status.

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
