//! The trace of a search as people see it: positions, names of moves, costs.

use super::Style;
use crate::picture::Figure;
use crate::search::TraceEvent;
use crate::space::Parts;

/// Receives the trace of the searches for a solution.
pub trait TraceReceiver: Send + Sync {
    /// Receives a record; returns false if no more are wanted. The searches go on.
    fn receive(&self, record: &TraceRecord) -> bool;
}

/// A record of a trace.
#[derive(Clone, Copy)]
pub enum TraceRecord<'a> {
    /// A search begins.
    Begin {
        /// The title of the puzzle.
        puzzle: &'a str,
        /// Its domain.
        domain: &'static str,
        /// The algorithm.
        algorithm: &'static str,
        /// The heuristic; none for an algorithm without.
        heuristic: Option<&'static str>,
    },
    /// There is no search, since the puzzle is refuted without one.
    Refuted {
        /// The title of the puzzle.
        puzzle: &'a str,
        /// Its domain.
        domain: &'static str,
        /// The proof in one line.
        reason: &'a str,
    },
    /// An event of the search, with costs as people see them, and the position that it is about, if there is one.
    Event(&'a TraceEvent<'a>, Option<&'a dyn TracedPosition>),
    /// The search ends.
    End {
        /// Its outcome.
        outcome: &'static str,
        /// The number of states that it expanded.
        expanded: u64,
        /// The number of states that it generated.
        generated: u64,
    },
}

/// A position in a trace.
pub trait TracedPosition {
    /// Returns the names of the moves that lead to it from its parent: one, except between jump points. None at a root. On
    /// the side of the goals in a bidirectional search, they lead from it to its parent.
    fn moves(&self) -> &[String];

    /// Returns the position as text; `None` on the side of the goals in a bidirectional search, if the state does not
    /// determine it.
    fn draw(&self, style: Style) -> Option<String>;

    /// Returns the figures of the picture of the position, or `None` if it is too large or cannot be drawn.
    fn figures(&self) -> Option<Vec<Figure>>;

    /// Returns the parts of the heuristic value of the position, which add up to it; none if it has none.
    fn parts(&self) -> Parts;

    /// Returns bytes that two positions have in common exactly if the search takes them for the same state.
    fn state_bytes(&self) -> Vec<u8>;
}
