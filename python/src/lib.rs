//! The Python module: the library's types in Python's idiom.
//!
//! Searches run on a thread of their own, without the interpreter's lock (`watch.rs`), so that Ctrl-C is heard and other
//! threads go on. Nothing of Rust is shared mutably: what Python sees of a solution is data (`solution.rs`).

mod batch;
mod design;
mod distances;
mod domain;
mod errors;
mod exploration;
mod game;
mod limits;
mod numbers;
mod pictures;
mod position;
mod positions;
mod puzzle;
mod solution;
mod trace;
mod watch;

use pyo3::prelude::*;

/// The compiled part of the package `engine`, which exports what is here. It was never tested without the interpreter's
/// lock, so a free-threaded Python has one while it is loaded.
#[pymodule(gil_used = true)]
mod _engine {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::distances::{Distances, distances};
    #[pymodule_export]
    use super::domain::solve_domain;
    #[pymodule_export]
    use super::errors::{EngineError, IllegalMove, InternalError, PuzzleError, SolveError};
    #[pymodule_export]
    use super::exploration::Exploration;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::puzzle::{Collection, Puzzle, algorithms, domains, informed_algorithms};
    #[pymodule_export]
    use super::solution::{Paths, Solution, Status, ended_answer};
    #[pymodule_export]
    use super::trace::Trace;
    #[pymodule_export]
    use super::watch::fail;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
