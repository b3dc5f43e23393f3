//! Random small puzzles of every domain, written as files and loaded through the public door, against the plainest search
//! over a model of the rules that is written here a third time, and shares nothing with the engine. Files of
//! `domain = "rules"` bring their rules with them: these are held to the reader that plays the document as it stands.
//!
//! A seed that fails is printed with its file. `ENGINE_RANDOM_SEED=N` begins with that one, and `ENGINE_RANDOM_TIMES=100`
//! tries a hundred times as many: `ENGINE_RANDOM_TIMES=100 cargo test --test answers random -- --nocapture`.

mod blocks;
mod compare;
mod damage;
mod maze;
mod permutations;
mod rules;
mod tiles;
mod walk;
mod words;
