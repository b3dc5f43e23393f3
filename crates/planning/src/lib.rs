//! Planning: tasks of finite-domain variables, what can be known of them before a search, admissible heuristics, and the
//! packed state space that searches run on.
//!
//! A language compiles its puzzles to a [`task::Task`], and gets everything else from this crate. The crate knows no file,
//! no drawing and no picture: its one dependency within the engine is the crate of the searches. These are its modules
//! from the bottom up; a module imports only from modules above it in this table, and no files import each other in a
//! circle:
//!
//! | layer | modules | content |
//! |---|---|---|
//! | 0 | [`task`], `memo` | variables, operators, goals; facts of a reduced task in terms of the original; results found on demand |
//! | 1 | [`packed`], [`starts`] | states as words of bits, operators as masks on them; many starts of one task |
//! | 2 | [`analysis`] | the reduced task, and what is known of it: moves that undo each other, mutual exclusions, symmetries, movers and their regions, states that vanish |
//! | 3 | [`heuristic`] | admissible heuristics, each registered in its own file |
//! | 4 | [`refutation`] | proofs without a search that there is no solution |
//! | 5 | [`space`] | the state space, and the graphs that macro moves, regions and stubborn sets make of it |
//! | 6 | [`strategy`], [`reductions`] | the stages of the default search, and the reason for them; the reductions that can be turned off |

pub mod analysis;
pub mod heuristic;
pub mod memo;
pub mod packed;
pub mod reductions;
pub mod refutation;
pub mod space;
pub mod starts;
pub mod strategy;
pub mod task;

use engine_search::{argument, search};
