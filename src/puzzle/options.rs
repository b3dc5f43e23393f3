//! How a puzzle is to be solved.

use crate::domain::Observer;
use crate::search::{Algorithm, Cluster, Limits, Weight};
use std::path::PathBuf;
use std::sync::Arc;

/// How to solve: whatever is left open, the file says, or else the domain.
#[derive(Clone, Default)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Option<Algorithm>,
    /// The heuristic, by its name.
    pub heuristic: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<Weight>,
    /// Whether searches in depth leave out duplicate sequences of moves, where the domain knows them.
    pub automaton: Option<bool>,
    /// Whether all shortest solutions are to be counted, and how many of them, the first in the order of the moves,
    /// are to be told.
    pub all_shortest: Option<usize>,
    /// Moves that are made before the search, in any notation of the domain: it starts from where they lead.
    pub after: Vec<String>,
    /// What the search may spend.
    pub limits: Limits,
    /// The folder in which large tables are kept from one run to the next; none are kept where there is none.
    pub cache: Option<PathBuf>,
    /// Who is told how building goes on.
    pub observer: Option<Arc<dyn Observer>>,
    /// With whom the search is shared out, which is then breadth-first search.
    pub cluster: Option<Cluster>,
}
