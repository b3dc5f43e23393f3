//! Random small puzzles of every domain, written as files and loaded through the public interface. The answers are
//! compared with a plain search over a third implementation of the rules in this folder, which shares no code with the
//! engine. Files of `domain = "rules"` contain their own rules: they are compared with the reference interpreter of the
//! format.
//!
//! A seed that fails is printed with its file. `ENGINE_RANDOM_SEED=N` begins with that seed, and
//! `ENGINE_RANDOM_TIMES=100` tries a hundred times as many: `ENGINE_RANDOM_TIMES=100 cargo test --test answers random
//! -- --nocapture`.

mod blocks;
mod compare;
mod damage;
mod maze;
mod permutations;
mod rules;
mod tiles;
mod walk;
mod words;
