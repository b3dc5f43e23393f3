//! Tests of games: both implementations of the rules in agreement, careless games and broken texts, and what the
//! analysis of a level proves.

mod agreement;
mod broken;
mod cells;
mod levels;
#[path = "../../../../tests/support/outside.rs"]
mod outside;
mod players;
mod random_games;
mod random_levels;
mod session;
