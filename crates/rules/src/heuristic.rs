//! Lower bounds that are found out from the rules of a task, whatever puzzle it is.
//!
//! Each kind is of the literature, and its file says why it never says too much. What all of them rest on: a task loses
//! no solution where conditions, or what must never be, are left out, so a bound for the looser task is one for the task.
//! What is chosen (patterns, weights) is chosen by counts and a fixed seed, never by the clock: the same on every machine.

mod abstraction;
mod counts;
mod database;
mod facts;
mod invariants;
mod lm_cut;
mod patterns;
mod potentials;
mod sample;
#[cfg(test)]
mod tests;
mod toggles;

use super::lifting::Weighing;
use super::task::{Task, Value, Var};
use crate::domain::BuildContext;
pub(super) use counts::{Bound, Lacking, counted};
use engine_search::space::Cost;
pub(super) use invariants::{Kept, refuted};
use lm_cut::LmCut;
use patterns::{Atoms, Patterns};
use potentials::Potentials;
use std::sync::Arc;
use toggles::Toggles;

/// What a heuristic says of a state from which no goal can be reached: more than any cost, and costs added to it do not
/// overflow.
pub(super) const DEAD: u32 = <u32 as Cost>::NEVER;

/// A way to lower bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A weight for each value of each variable.
    Potentials,
    /// Tables of the distances of a part of the variables.
    PatternDatabase,
    /// Tables of the distances where symbols are taken for one another.
    MergedSymbols,
    /// Landmarks of the task in which facts stay true.
    LmCut,
    /// Linear equations, where moves only turn variables on.
    Toggles,
}

impl Kind {
    /// Whether h falls by no more than the cost of a move, so that a search that closes a state need not open it again.
    #[cfg(test)]
    pub fn is_consistent(self) -> bool {
        match self {
            Kind::Potentials | Kind::PatternDatabase | Kind::MergedSymbols | Kind::Toggles => true,
            Kind::LmCut => false,
        }
    }
}

/// A lower bound on the cost from each state of a task to a goal.
pub(super) enum Heuristic {
    Potentials(Potentials),
    Patterns(Patterns),
    LmCut(LmCut),
    Toggles(Toggles),
}

impl Heuristic {
    /// Builds it; `context` may end that.
    ///
    /// # Errors
    /// Why it says nothing for this task, or that building was ended.
    pub fn new(kind: Kind, task: &Arc<Task>, context: &BuildContext) -> Result<Heuristic, String> {
        match kind {
            Kind::Potentials => Potentials::new(task, context).map(Heuristic::Potentials),
            Kind::PatternDatabase => Patterns::new(Atoms::Variables, task, context).map(Heuristic::Patterns),
            Kind::MergedSymbols => Patterns::new(Atoms::Symbols, task, context).map(Heuristic::Patterns),
            Kind::LmCut => LmCut::new(task, context).map(Heuristic::LmCut),
            Kind::Toggles => Toggles::new(task, context).map(Heuristic::Toggles),
        }
    }

    /// A lower bound on the cost from a state, one value a variable, to the nearest goal: [`DEAD`] where there is none.
    pub fn h(&self, state: &[Value]) -> u32 {
        match self {
            Heuristic::Potentials(potentials) => potentials.h(state),
            Heuristic::Patterns(patterns) => patterns.h(state),
            Heuristic::LmCut(landmarks) => landmarks.h(state),
            Heuristic::Toggles(toggles) => toggles.h(state),
        }
    }

    /// The proof that no goal can be reached from a state of which [`h`](Self::h) is [`DEAD`].
    pub fn refutation(&self, state: &[Value]) -> Option<Proof> {
        match self {
            Heuristic::Potentials(potentials) => {
                potentials.refutation(state).map(|(weights, goal)| Proof::Potential(weights, goal))
            }
            Heuristic::Patterns(patterns) => patterns.refutation(state).map(Proof::Abstraction),
            Heuristic::LmCut(_) => {
                Some(Proof::Untold("no goal can be reached even if variables kept every value that they ever had"))
            }
            Heuristic::Toggles(_) => {
                Some(Proof::Untold("the linear equations for how often each move is made have no solution"))
            }
        }
    }

    /// What it takes in memory.
    pub fn bytes(&self) -> u64 {
        match self {
            Heuristic::Potentials(potentials) => potentials.bytes(),
            Heuristic::Patterns(patterns) => patterns.bytes(),
            Heuristic::LmCut(landmarks) => landmarks.bytes(),
            Heuristic::Toggles(toggles) => toggles.bytes(),
        }
    }

    /// What was chosen, for people.
    pub fn describe(&self) -> String {
        match self {
            Heuristic::Potentials(potentials) => potentials.describe(),
            Heuristic::Patterns(patterns) => patterns.describe(),
            Heuristic::LmCut(landmarks) => landmarks.describe(),
            Heuristic::Toggles(toggles) => toggles.describe(),
        }
    }
}

/// What a heuristic rests on when it proves that no goal can be reached from a state.
pub(super) enum Proof {
    /// A sum of weights by variable and value that no operator lowers, and the most that it is in a goal.
    Potential(Weighing, i64),
    /// An abstraction in which no goal is reached: variables, with the class of each value.
    Abstraction(Vec<(Var, Vec<u32>)>),
    /// Nothing that is told; the words follow the name of the heuristic.
    Untold(&'static str),
}

/// What is said where limits ended the building.
fn ended() -> String {
    "the limits ended its building".to_owned()
}
