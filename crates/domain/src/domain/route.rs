//! Paths through a state space whose types are erased.
//!
//! A path is stored as its actions. Its positions are drawn by replaying the actions on the view's own positions, which
//! keep the labels that packed keys lose.

use super::{Notation, Style};
use crate::search::{Limit, Limits};

/// A path through a state space, which can be replayed any number of times.
pub trait Route: Send + Sync {
    /// Returns the moves.
    fn moves(&self, notation: Notation) -> Vec<String>;

    /// Returns the position at the end of the path.
    fn last(&self, style: Style) -> String;

    /// Calls `visit` with each step in order, the start first.
    fn visit_steps(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(PathStep));

    /// Returns all paths from the start to a goal with the cost of this one, which must be proven minimal;
    /// `is_admissible` is whether the heuristic never overestimates.
    ///
    /// # Errors
    /// Returns the limit that ended the search for them.
    fn all_shortest(&self, is_admissible: bool, limits: &Limits) -> Result<Box<dyn Routes>, Limit>;
}

/// All paths of minimal cost from the start to a goal.
pub trait Routes: Send + Sync {
    /// Returns the number of paths; `u128::MAX` also stands for all greater numbers.
    fn count(&self) -> u128;

    /// Returns the paths one by one, in the order of the moves.
    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn Route>> + '_>;

    /// Returns the peak memory of the search for them, in bytes.
    fn memory(&self) -> u64;
}

/// A position on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The move that leads to the position; none at the start.
    pub action: Option<String>,
    /// The position as rows of text, each ended by a line end.
    pub position: String,
    /// The heuristic value of the position.
    pub h: f64,
}
