//! The limits that can end work early: reading a file, building a table, or a search.
//!
//! A limit is an outcome and not an error, so results name the limit that ended them. The module `search::limits` holds
//! the budgets and decides when to check them.

use serde::{Deserialize, Serialize};

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Limit {
    /// The time limit has passed.
    Time,
    /// The work would need more memory than the limit allows.
    Memory,
    /// The allowed number of states has been expanded.
    Nodes,
    /// Everything within the depth limit has been searched, and there are states beyond it.
    Depth,
    /// Paths may cost more than a search can count; see `MOST_COST`.
    Cost,
    /// Beam search has expanded all states that it kept, and has dropped others.
    Width,
    /// Files would exceed the disk limit.
    Disk,
    /// One move would take more work than any move may.
    Work,
    /// The user interrupted the work, with Ctrl-C for example.
    Interrupt,
}

impl Limit {
    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Nodes => "nodes",
            Limit::Depth => "depth",
            Limit::Cost => "cost",
            Limit::Width => "width",
            Limit::Disk => "disk",
            Limit::Work => "work",
            Limit::Interrupt => "interrupt",
        }
    }

    /// Returns in words how it ended the work.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Limit::Interrupt => "interrupted".to_owned(),
            limit => format!("stopped at the {} limit", limit.name()),
        }
    }
}
