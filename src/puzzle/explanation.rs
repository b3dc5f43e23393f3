//! Explanations: why a search was chosen, and what each of its parts saved.

use super::{Changes, Nearest};
use crate::space::Saving;
use serde::Serialize;

/// The explanation of a search, for people. Serialised, it is the field `explanation` of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The reason for this algorithm.
    pub algorithm: String,
    /// The reason for these heuristics; `None` if the algorithm uses none.
    pub heuristics: Option<String>,
    /// The searches, one after the other; empty if none was needed.
    pub stages: Vec<StageTaken>,
    /// The heuristics that do not suit the puzzle.
    pub refused: Vec<Refused>,
    /// The work that techniques saved the searches, as far as it is counted.
    pub savings: Vec<Saving>,
    /// How near the positions come to a goal, if there is no solution and they are few.
    pub nearest: Option<Nearest>,
    /// The single changes that would make it solvable, if there is no solution and the domain knows changes.
    pub changes: Option<Changes>,
}

impl Explanation {
    /// Adds what a search saved to what those before it did.
    pub(super) fn add(&mut self, savings: Vec<Saving>) {
        for saving in savings {
            match self.savings.iter_mut().find(|known| known.name == saving.name) {
                Some(known) => *known = Saving { count: known.count + saving.count, ..saving },
                None => self.savings.push(saving),
            }
        }
    }
}

/// A search with one heuristic.
#[derive(Clone, Debug, Serialize)]
pub struct StageTaken {
    /// The heuristic; `None` if the algorithm uses none.
    pub heuristic: Option<&'static str>,
    /// The number of expanded states after which the next heuristic follows; `None` for the last.
    pub node_limit: Option<u64>,
    /// The number of expanded states.
    pub expanded: u64,
    /// The choice of the domain for the heuristic, for example its tables.
    pub guidance: Option<String>,
}

/// A heuristic that does not suit the puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// The heuristic.
    pub heuristic: &'static str,
    /// The reason why not.
    pub reason: String,
}
