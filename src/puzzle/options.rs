//! The options of solving a puzzle.

use crate::domain::{GivenHeuristic, Observer, TraceReceiver};
use crate::search::{Algorithm, BeamWidth, Limits, Place, Weight};
use std::path::PathBuf;
use std::sync::Arc;

/// The options of solving. The file sets each one that is left open, else the domain.
#[derive(Clone, Default)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Option<Algorithm>,
    /// The name of the heuristic.
    pub heuristic: Option<String>,
    /// A heuristic of the caller, instead of one by name. No answer that it leads to is proven.
    pub given: Option<Arc<GivenHeuristic>>,
    /// The weight of weighted A*.
    pub weight: Option<Weight>,
    /// The width of beam search.
    pub width: Option<BeamWidth>,
    /// True if depth-first searches prune duplicate sequences of moves with an automaton, if the domain has one.
    pub automaton: Option<bool>,
    /// Counts all shortest solutions if set, and lists this many of them, the first in the order of the moves.
    pub all_shortest: Option<usize>,
    /// Moves made before the search, in any notation of the domain; the search starts from the position after them.
    pub after: Vec<String>,
    /// The limits of the search.
    pub limits: Limits,
    /// The folder in which large tables are stored between runs; `None` stores none.
    pub cache: Option<PathBuf>,
    /// The observer of the construction of tables.
    pub observer: Option<Arc<dyn Observer>>,
    /// Receives what the searches do, event by event. Each search then runs on one thread.
    pub trace: Option<Arc<dyn TraceReceiver>>,
    /// True to explain why the search was chosen and what each part saved. Counting that takes a little time.
    pub explain: bool,
    /// The reductions of the domain that the search does without, and the heuristics whose stages it leaves out, by
    /// name. Answers stay the same; searches take longer.
    pub without: Vec<String>,
    /// True to leave out of account what the table `[search]` of the file says.
    pub ignores_file: bool,
    /// The place of the states; other places than memory are for breadth-first search.
    pub place: Place,
}
