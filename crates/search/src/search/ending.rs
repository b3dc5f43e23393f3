//! The end of a search that keeps its states in a table.

use super::limits::Limit;
use super::node_table::Node;
use std::ops::ControlFlow;

/// The end of a search, in nodes of its table.
pub(super) enum Ending {
    Goal(Node),
    Exhausted,
    Limit(Limit),
}

impl Ending {
    /// Ends the search if a limit has been reached.
    #[inline]
    pub fn at(limit: Option<Limit>) -> ControlFlow<Ending> {
        match limit {
            Some(limit) => ControlFlow::Break(Ending::Limit(limit)),
            None => ControlFlow::Continue(()),
        }
    }
}
