//! The searches of a comparison: which algorithm runs with which heuristic.

use super::Compare;
use crate::puzzle::{Compatibility, SolveError};
use crate::search::Algorithm;

/// A search to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contender {
    pub algorithm: Algorithm,
    /// `zero` if the algorithm uses no heuristic: then no table is built.
    pub heuristic: String,
}

impl Contender {
    /// Returns the heuristic, if the algorithm uses one.
    pub fn reported(&self) -> Option<&str> {
        self.algorithm.facts().informed.then_some(&*self.heuristic)
    }
}

impl Compare {
    /// Returns the searches to run, in the order of the report.
    pub(super) fn contenders(&self, compatibility: &Compatibility) -> Result<Vec<Contender>, SolveError> {
        let mut algorithms: Vec<Algorithm> = Vec::new();
        if self.algorithm.is_empty() {
            let all = Algorithm::ALL.iter().map(|facts| facts.algorithm);
            algorithms.extend(all.filter(|&algorithm| compatibility.algorithm(algorithm).is_ok()));
        }
        for &algorithm in &self.algorithm {
            compatibility.algorithm(algorithm)?;
            if !algorithms.contains(&algorithm) {
                algorithms.push(algorithm);
            }
        }
        let mut heuristics: Vec<&str> = Vec::new();
        if self.heuristic.is_empty() {
            heuristics.extend(compatibility.heuristics().filter(|facts| facts.admissible).map(|facts| facts.name));
        }
        for name in &self.heuristic {
            let name = compatibility.heuristic(name)?.name;
            if !heuristics.contains(&name) {
                heuristics.push(name);
            }
        }
        let mut contenders = Vec::new();
        for algorithm in algorithms {
            let reads = if algorithm.facts().informed { &heuristics[..] } else { &["zero"] };
            contenders.extend(reads.iter().map(|name| Contender { algorithm, heuristic: (*name).to_owned() }));
        }
        Ok(contenders)
    }
}
