//! Work that hit the wall: what it was about, and what it had proven.

use crate::search::Limit;
use crate::transcript::{Number, Unsolved};
use serde::{Deserialize, Serialize};

/// The result of work that hit the wall.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stopped {
    /// The file that the work is about, or the level.
    pub file: String,
    pub limit: Limit,
    /// A proven lower bound on the cost of every solution; 0 if nothing is proven.
    pub lower_bound: f64,
    pub algorithm: Option<String>,
    pub heuristic: Option<String>,
    pub expanded: u64,
    pub seconds: f64,
}

impl Stopped {
    /// Returns the facts for formats.
    pub fn as_unsolved(&self) -> Unsolved<'_> {
        Unsolved {
            file: &self.file,
            limit: Some(self.limit),
            lower_bound: self.lower_bound,
            algorithm: self.algorithm.as_deref(),
            heuristic: self.heuristic.as_deref(),
            expanded: self.expanded,
            seconds: self.seconds,
            ..Unsolved::default()
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.limit.words())?;
        if self.lower_bound > 0.0 {
            write!(f, "; no solution costs less than {}", Number(self.lower_bound))?;
        }
        Ok(())
    }
}
