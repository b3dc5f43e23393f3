//! What can be known of a task before any search.
//!
//! - `analysed_task`: a reduced task with its analyses, each made on demand;
//! - `reduce`: the reduced task: reachable values, variables that change, places of symbols that occur once;
//! - `inverse`: moves that undo each other, in every state or in those that `mutex`, mutual exclusions, allow;
//! - `bound`: an upper bound on the number of states;
//! - `symmetry`: permutations of variables and values that map solutions to solutions;
//! - `mover`: a variable that walks while all others wait; `flood`, `walks`: the values that it reaches, and macro moves;
//! - `free_moves`: operators of several variables that cost nothing and are undone by each other;
//! - `triggers`: operators indexed by the last condition that has to hold;
//! - `vanishing`: the graph of stable states, where others need not be stored.

pub mod analysed_task;
pub(crate) mod bound;
pub(crate) mod flood;
pub mod free_moves;
pub mod inverse;
pub mod mover;
pub(crate) mod mutex;
pub mod reduce;
pub mod symmetry;
pub(crate) mod triggers;
pub mod vanishing;
pub(crate) mod walks;
