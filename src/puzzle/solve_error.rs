//! The reasons why a puzzle cannot be searched as requested.

use crate::diagnostic::unknown_name;
use crate::domain::DomainFacts;
use crate::search::{Algorithm, DiskError};
use std::fmt;

/// A request about a puzzle that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveError {
    pub(super) message: String,
    pub(super) help: String,
}

/// Returns the error that the domain has no such heuristic.
pub(super) fn unknown_heuristic(domain: &DomainFacts, name: &str) -> SolveError {
    SolveError {
        message: format!("the domain `{}` has no heuristic `{name}`", domain.name),
        help: unknown_name(name, domain.heuristics.iter().map(|facts| facts.name)),
    }
}

/// Returns the error that the puzzle refuses a heuristic of its domain.
pub(super) fn refused_heuristic(name: &str, reason: &str) -> SolveError {
    SolveError {
        message: format!("`{name}` cannot guide a search of this puzzle: {reason}"),
        help: "leave the heuristic to the engine, or name `zero`".to_owned(),
    }
}

/// Returns the error that the algorithm cannot search this puzzle.
pub(super) fn unsuited(algorithm: Algorithm, reason: &str) -> SolveError {
    let name = algorithm.name();
    SolveError {
        message: format!("`{name}` cannot search this puzzle: {reason}"),
        help: "leave the algorithm to the engine, or name `bfs` or `a-star`".to_owned(),
    }
}

/// Returns the error that the algorithm does not prove a solution shortest, so other solutions of its cost may not be
/// shortest either.
pub(super) fn unproven(algorithm: Algorithm) -> SolveError {
    let name = algorithm.name();
    let proving = Algorithm::ALL.iter().filter(|facts| facts.algorithm.proves_shortest());
    let proving = proving.map(|facts| format!("`{}`", facts.name)).collect::<Vec<_>>().join(", ");
    let bounded = if algorithm == Algorithm::Dfs { ", or set a depth limit" } else { "" };
    SolveError {
        message: format!("`{name}` does not prove a solution shortest, so all shortest ones cannot be found with it"),
        help: format!("leave the algorithm to the engine, or name one of {proving}{bounded}"),
    }
}

/// Returns the error that there are infinitely many shortest solutions.
pub(super) fn endless() -> SolveError {
    SolveError {
        message: "moves that cost nothing make ways endless, so all shortest ones cannot be found".to_owned(),
        help: "let every move cost something".to_owned(),
    }
}

/// Returns the error that the algorithm must store all generated states.
pub(super) fn remembers_all(algorithm: Algorithm) -> SolveError {
    let bounded = Algorithm::ALL.iter().filter(|facts| facts.algorithm.takes_closed_limit());
    let bounded = bounded.map(|facts| format!("`{}`", facts.name)).collect::<Vec<_>>().join(", ");
    SolveError {
        message: format!(
            "`{}` remembers every state that it has met, so its closed list cannot be limited",
            algorithm.name()
        ),
        help: format!("name one of {bounded}, or limit the memory"),
    }
}

/// Returns the error that only breadth-first search is shared among processes.
pub(super) fn not_shared_out(algorithm: Algorithm) -> SolveError {
    SolveError {
        message: format!("`{}` is not shared out among processes or workers", algorithm.name()),
        help: "add `--algorithm bfs`, which is; or leave `--hosts` and `--workers` out".to_owned(),
    }
}

impl From<DiskError> for SolveError {
    fn from(error: DiskError) -> SolveError {
        SolveError { message: error.message, help: error.help }
    }
}

/// Returns the error that a move before the search is not legal.
pub(super) fn illegal(written: &str) -> SolveError {
    SolveError {
        message: format!("the move `{written}`, after which the search was to start, is not legal there"),
        help: "name moves that follow each other from the start".to_owned(),
    }
}

impl SolveError {
    /// Returns a suggestion how to fix the request.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SolveError {}
