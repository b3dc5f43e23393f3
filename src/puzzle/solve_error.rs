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

/// Names that courses give to heuristics, with those here.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("misplaced", "hamming"),
    ("misplaced-tiles", "hamming"),
    ("city-block", "manhattan"),
    ("taxicab", "manhattan"),
    ("pdb", "pattern-database"),
    ("blind", "zero"),
    ("none", "zero"),
];

/// Returns the error that neither the domain nor the file has such a heuristic; `of_file` are those of the file.
pub(super) fn unknown_heuristic<'a>(
    domain: &DomainFacts,
    of_file: impl Iterator<Item = &'a str> + Clone,
    name: &str,
) -> SolveError {
    let known = domain.heuristics.iter().map(|facts| facts.name);
    let meant = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, meant)| *meant);
    let help = match meant.filter(|meant| known.clone().any(|name| name == *meant)) {
        Some(meant) => format!("here it is called `{meant}`"),
        None => unknown_name(name, known.chain(of_file)),
    };
    SolveError { message: format!("unknown heuristic `{name}` for the domain `{}`", domain.name), help }
}

/// Returns the error that the domain has neither a reduction nor a heuristic of this name.
pub(super) fn unknown_reduction(domain: &DomainFacts, name: &str) -> SolveError {
    let help = match domain.reductions {
        [] => format!("leave it out: nothing can be turned off in the domain `{}`", domain.name),
        reductions => {
            let heuristics = domain.heuristics.iter().map(|facts| facts.name);
            unknown_name(name, reductions.iter().map(|reduction| reduction.name).chain(heuristics))
        }
    };
    SolveError { message: format!("unknown reduction `{name}` for the domain `{}`", domain.name), help }
}

/// Returns the error that the puzzle refuses a heuristic of its domain.
pub(super) fn refused_heuristic(name: &str, reason: &str) -> SolveError {
    SolveError {
        message: format!("`{name}` cannot guide a search of this puzzle: {reason}"),
        help: "leave the heuristic out, or use `zero`".to_owned(),
    }
}

/// Returns the error that the algorithm cannot search this puzzle.
pub(super) fn unsuited(algorithm: Algorithm, reason: &str) -> SolveError {
    let name = algorithm.name();
    SolveError {
        message: format!("`{name}` cannot search this puzzle: {reason}"),
        help: "leave the algorithm out, or use `a-star`".to_owned(),
    }
}

/// Returns the error that the algorithm does not prove a solution shortest, so other solutions of its cost may not be
/// shortest either.
pub(super) fn unproven(algorithm: Algorithm) -> SolveError {
    let name = algorithm.name();
    let proving = Algorithm::ALL.iter().filter(|facts| facts.algorithm.proves_shortest());
    let proving = proving.map(|facts| format!("`{}`", facts.name)).collect::<Vec<_>>().join(", ");
    let is_bounded = algorithm.facts().guarantee.is_shortest(Some(0));
    let bounded = if is_bounded { ", or set a depth limit" } else { "" };
    SolveError {
        message: format!("`{name}` does not prove solutions shortest, so it cannot find all shortest ones"),
        help: format!("leave the algorithm out, or use one of {proving}{bounded}"),
    }
}

/// Returns the error that a heuristic does not prove a solution shortest.
pub(super) fn may_overestimate(heuristic: &str) -> SolveError {
    SolveError {
        message: format!("`{heuristic}` may overestimate, so not all shortest solutions can be found by it"),
        help: "leave the heuristic out, or name one that never overestimates".to_owned(),
    }
}

/// Returns the error that the effects of some moves are unknown, so that solutions with them are not counted.
pub(super) fn given_up() -> SolveError {
    SolveError {
        message: "some moves take too long to work out, so not all shortest solutions can be found".to_owned(),
        help: "leave out `--all` and `--count`, or change the rules so that every move ends soon".to_owned(),
    }
}

/// Returns the error that there are infinitely many shortest solutions.
pub(super) fn endless() -> SolveError {
    SolveError {
        message: "moves of cost 0 allow endless solutions, so not all shortest ones can be found".to_owned(),
        help: "give every move a cost above 0; `--count` counts the solutions apart from free moves, if these join \
               positions"
            .to_owned(),
    }
}

/// Returns the error that the algorithm must store all generated states.
pub(super) fn remembers_all(algorithm: Algorithm) -> SolveError {
    let bounded = Algorithm::ALL.iter().filter(|facts| facts.algorithm.takes_closed_limit());
    let bounded = bounded.map(|facts| format!("`{}`", facts.name)).collect::<Vec<_>>().join(", ");
    SolveError {
        message: format!("`{}` stores every visited state, so its closed list cannot be limited", algorithm.name()),
        help: format!("use one of {bounded}, or limit the memory"),
    }
}

/// Returns the error that only breadth-first search is shared among processes.
pub(super) fn not_shared_out(algorithm: Algorithm) -> SolveError {
    SolveError {
        message: format!("`{}` cannot run on several processes or workers", algorithm.name()),
        help: "add `--algorithm bfs`, or leave out `--hosts` and `--workers`".to_owned(),
    }
}

/// Returns the error that only breadth-first search keeps its layers on disk.
pub(super) fn not_on_disk(algorithm: Algorithm) -> SolveError {
    SolveError {
        message: format!("`{}` cannot keep its states on disk", algorithm.name()),
        help: "use `--algorithm bfs`, or leave out `--disk`".to_owned(),
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
        message: format!("illegal move `{written}` among the moves before the search"),
        help: "give moves that follow each other from the start".to_owned(),
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
