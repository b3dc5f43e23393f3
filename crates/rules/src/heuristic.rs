//! Admissible heuristics for any task.
//!
//! Each kind comes from the literature, and its file proves that it is admissible. All proofs use the same relaxation:
//! dropping conditions or `never` loses no solution, so a lower bound for the relaxed task is one for the task.
//! Patterns and weights are chosen under budgets of steps and with a fixed seed, never by the clock: they are the same
//! on every machine.

mod abstraction;
mod companions;
mod counts;
mod database;
mod disjoint;
mod facts;
mod invariants;
mod lm_cut;
mod matching;
mod maximum;
mod patterns;
mod potentials;
mod sample;
#[cfg(test)]
mod tests;
mod toggles;

use super::lifting::FactWeights;
use super::task::{Task, Value, Var};
use crate::domain::BuildContext;
pub(super) use counts::{Bound, UnreachableCount, unreachable_counts};
pub(super) use disjoint::{Disjoint, are_goals_disjoint};
use engine_search::space::Cost;
pub(super) use invariants::{Invariant, refuting_invariants};
use lm_cut::LmCut;
pub(super) use matching::Matching;
use maximum::Maximum;
use patterns::{Atoms, Patterns};
use potentials::Potentials;
use std::sync::Arc;
use toggles::Toggles;

/// The heuristic value of a dead end: more than any cost, and costs can be added to it without overflow.
pub(super) const DEAD: u32 = <u32 as Cost>::INFINITY;

/// A kind of heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A weight for each value of each variable.
    Potentials,
    /// Tables of distances in projections to some variables.
    PatternDatabase,
    /// Tables of distances with some symbols merged.
    MergedSymbols,
    /// Landmarks of the delete relaxation.
    LmCut,
    /// Linear equations, for moves that only add to variables.
    Toggles,
}

impl Kind {
    /// Returns whether h falls along a move by no more than the move's cost, so that closed states need not be
    /// reopened.
    #[cfg(test)]
    pub fn is_consistent(self) -> bool {
        self != Kind::LmCut
    }
}

/// A lower bound on the cost from each state of a task to a goal.
pub(super) enum Heuristic {
    Potentials(Potentials),
    Patterns(Patterns),
    Disjoint(Disjoint),
    LmCut(LmCut),
    Matching(Arc<Matching>),
    Maximum(Maximum),
    Toggles(Toggles),
}

impl Heuristic {
    /// Builds it; `context` may end that.
    ///
    /// # Errors
    /// Why the heuristic does not apply to this task, or that a limit ended its construction.
    pub fn new(kind: Kind, task: &Arc<Task>, context: &BuildContext) -> Result<Heuristic, String> {
        match kind {
            Kind::Potentials => Potentials::new(task, context).map(Heuristic::Potentials),
            Kind::PatternDatabase => Patterns::new(Atoms::Variables, task, context).map(Heuristic::Patterns),
            Kind::MergedSymbols => Patterns::new(Atoms::Symbols, task, context).map(Heuristic::Patterns),
            Kind::LmCut => LmCut::new(task, context).map(Heuristic::LmCut),
            Kind::Toggles => Toggles::new(task, context).map(Heuristic::Toggles),
        }
    }

    /// Builds the maximum of a matching and of pattern databases.
    pub fn maximum(matching: Arc<Matching>, task: &Task, context: &BuildContext) -> Heuristic {
        Heuristic::Maximum(Maximum::new(matching, task, context))
    }

    /// Returns a lower bound on the cost from a state to the nearest goal, [`DEAD`] if the state is a proven dead end.
    pub fn h(&self, state: &[Value]) -> u32 {
        match self {
            Heuristic::Potentials(potentials) => potentials.h(state),
            Heuristic::Patterns(patterns) => patterns.h(state),
            Heuristic::Disjoint(disjoint) => disjoint.h(state),
            Heuristic::LmCut(landmarks) => landmarks.h(state),
            Heuristic::Matching(matching) => matching.h(state),
            Heuristic::Maximum(maximum) => maximum.h(state),
            Heuristic::Toggles(toggles) => toggles.h(state),
        }
    }

    /// Returns the proof that a state with [`h`](Self::h) = [`DEAD`] is a dead end.
    pub fn refutation(&self, state: &[Value]) -> Option<Proof> {
        match self {
            Heuristic::Potentials(potentials) => {
                potentials.refutation(state).map(|(weights, goal)| Proof::Potential(weights, goal))
            }
            Heuristic::Patterns(patterns) => patterns.refutation(state).map(Proof::Abstraction),
            Heuristic::Disjoint(_) => {
                Some(Proof::Words("some symbols cannot reach their places even if all others are forgotten"))
            }
            Heuristic::LmCut(_) => {
                Some(Proof::Words("no goal can be reached even if variables kept every value that they ever had"))
            }
            Heuristic::Matching(matching) => matching.refutation(),
            Heuristic::Maximum(maximum) => maximum.refutation(state),
            Heuristic::Toggles(_) => {
                Some(Proof::Words("the linear equations for how often each move is made have no solution"))
            }
        }
    }

    /// Returns, for each operator, whether the heuristic proves that no goal can be reached after it, wherever it is
    /// applied; none if it proves that for no operator.
    pub fn dead_ends(&self) -> Option<Vec<bool>> {
        match self {
            Heuristic::Matching(matching) => Some(matching.dead_ends()),
            Heuristic::Maximum(maximum) => Some(maximum.matching.dead_ends()),
            _ => None,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Heuristic::Potentials(potentials) => potentials.bytes(),
            Heuristic::Patterns(patterns) => patterns.bytes(),
            Heuristic::Disjoint(disjoint) => disjoint.bytes(),
            Heuristic::LmCut(landmarks) => landmarks.bytes(),
            Heuristic::Matching(matching) => matching.bytes(),
            Heuristic::Maximum(maximum) => maximum.bytes(),
            Heuristic::Toggles(toggles) => toggles.bytes(),
        }
    }

    /// Describes the chosen patterns or weights for users.
    pub fn describe(&self) -> String {
        match self {
            Heuristic::Potentials(potentials) => potentials.describe(),
            Heuristic::Patterns(patterns) => patterns.describe(),
            Heuristic::Disjoint(disjoint) => disjoint.describe(),
            Heuristic::LmCut(landmarks) => landmarks.describe(),
            Heuristic::Matching(matching) => matching.describe(),
            Heuristic::Maximum(maximum) => maximum.describe(),
            Heuristic::Toggles(toggles) => toggles.describe(),
        }
    }
}

/// Builds the matching of a task's tokens.
///
/// # Errors
/// That the task has none, or that a limit ended the construction.
pub(super) fn matching(task: &Task, context: &BuildContext) -> Result<Arc<Matching>, String> {
    Matching::new(task, context).map(Arc::new)
}

/// A heuristic's proof that a state is a dead end.
pub(super) enum Proof {
    /// A weighted sum that no operator lowers, and its maximum over all goals.
    Potential(FactWeights, i64),
    /// An abstraction in which no goal is reachable: variables, with the class of each value.
    Abstraction(Vec<(Var, Vec<u32>)>),
    /// A reason in words, without data to check. The text follows the name of the heuristic.
    Words(&'static str),
}

/// Returns the message for a construction that a limit ended.
fn limit_message() -> String {
    "the limits ended its building".to_owned()
}
