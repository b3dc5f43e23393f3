//! The limits that can end work early: reading a file, building a table, or a search.
//!
//! A limit is an outcome and not an error, so results name the one that ended them. What may be spent, and when it is
//! looked at, is in `search::limits`.

use serde::{Deserialize, Serialize};

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Limit {
    /// The time is up.
    Time,
    /// More memory would be needed than may be taken.
    Memory,
    /// As many states as allowed are expanded.
    Nodes,
    /// Everything within the allowed depth is searched, and there is more beyond.
    Depth,
    /// Files may not take more room.
    Disk,
    /// Somebody asked for an end, as Ctrl-C does.
    Interrupt,
}

impl Limit {
    /// The name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Nodes => "nodes",
            Limit::Depth => "depth",
            Limit::Disk => "disk",
            Limit::Interrupt => "interrupt",
        }
    }
}
