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
//! | 0 | [`task`], `reductions` | variables, operators, goals; facts of a reduced task in terms of the original; names of reductions |
//! | 1 | [`packed`] | states as words of bits, operators as masks on them |
//! | 2 | [`analysis`] | the reduced task, and what is known of it: moves that undo each other, mutual exclusions, symmetries, movers and their regions, states that vanish |
//! | 3 | [`heuristic`] | admissible heuristics, built from the task alone |
//! | 4 | [`refutation`] | proofs without a search that there is no solution |
//! | 5 | [`space`] | the state space, and the graphs that macro moves, regions and stubborn sets make of it |
//! | 6 | [`planner`] | what is found out about a task on demand, and the heuristics and spaces built of it |
//! | 7 | [`strategy`] | the stages of the default search, and the reason for them |

pub mod analysis;
pub mod heuristic;
pub mod packed;
pub mod planner;
pub mod reductions;
pub mod refutation;
pub mod space;
pub mod strategy;
pub mod task;

use engine_search::{argument, search};
