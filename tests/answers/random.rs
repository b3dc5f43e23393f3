//! Compares the engine's answers on small random puzzles of every domain with a plain search. The puzzles are files,
//! loaded by the public interface; the search uses a third implementation of the rules, which shares no code with the
//! engine. Files of `domain = "rules"` contain their rules: for them, the model is `Puzzle::rules`, which interprets
//! the file directly.
//!
//! A seed that fails is printed with its file. `ENGINE_RANDOM_SEED=N` starts with that one, and
//! `ENGINE_RANDOM_TIMES=100 cargo test --test answers random -- --nocapture` tries a hundred times as many.

mod blocks;
mod compare;
mod damage;
mod maze;
mod permutations;
mod puzzlescript;
mod rules;
mod tiles;
mod walk;
mod words;
