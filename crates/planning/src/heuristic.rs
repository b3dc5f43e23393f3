//! Admissible heuristics for any task.
//!
//! Each kind comes from the literature, and its file proves that it is admissible. All proofs use the same relaxation:
//! dropping conditions or `never` loses no solution, so a lower bound for the relaxed task is one for the task.
//! Patterns and weights are chosen under budgets of steps and with a fixed seed, never by the clock: they are the same
//! on every machine.

mod abstraction;
mod breakpoints;
mod cartesian;
mod companions;
mod counts;
mod database;
mod dead_end;
mod disjoint;
mod facts;
mod invariants;
mod lm_cut;
mod lone_tokens;
mod matching;
mod maximum;
mod open_states;
mod operator_counting;
mod partitioning;
mod patterns;
mod perimeter;
mod potentials;
mod sample;
#[cfg(test)]
mod tests;
mod toggles;
mod trends;

use crate::analysis::vanishing::Stable;
use crate::search::BuildContext;
use crate::task::lifting::FactWeights;
use crate::task::{Task, Value, Var};
use breakpoints::Breakpoints;
pub use breakpoints::Forecast;
use cartesian::Cartesian;
pub(crate) use counts::{Bound, UnreachableCount, unreachable_counts};
pub use dead_end::DeadEnd;
pub use disjoint::{Disjoint, are_goals_disjoint};
use engine_search::space::Cost;
pub(crate) use facts::remaining_values;
pub(crate) use invariants::{Invariant, refuting_invariants};
use lm_cut::LmCut;
pub use lone_tokens::lone_tokens;
pub use matching::{Corrals, Learns, Look, Matching, Proofs, TokenKind};
use maximum::Maximum;
use operator_counting::OperatorCounting;
pub use partitioning::Partitioning;
use patterns::{Atoms, Patterns};
pub use perimeter::MOST_GOALS;
use perimeter::Perimeter;
use potentials::Potentials;
pub(crate) use potentials::{Refuting, gcd, refuting_potentials};
pub(crate) use sample::few_states;
pub use sample::moves_are_undone;
use std::sync::Arc;
use toggles::Toggles;
pub use trends::{Trend, free_moves_end, symbol_trends};

/// The heuristic value of a dead end: more than any cost, and costs can be added to it without overflow.
pub const DEAD: u32 = <u32 as Cost>::INFINITY;

/// Sums over tables are computed this many at once.
const LANES: usize = 8;

/// A kind of heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A weight for each value of each variable.
    Potentials,
    /// Tables of distances in projections to some variables.
    PatternDatabase,
    /// Tables of distances in projections that share the costs of operators.
    CostPartitioning,
    /// Distances between Cartesian sets, refined where solutions fail.
    Cartesian,
    /// Tables of distances with some symbols merged.
    MergedSymbols,
    /// Landmarks of the delete relaxation.
    LmCut,
    /// A linear program for each state: the state equation and landmarks.
    OperatorCounting,
    /// Linear equations, for moves that only add to variables.
    Toggles,
    /// Pairs of neighbouring values that no goal has.
    Breakpoints,
}

impl Kind {
    /// Returns whether h falls along a move by no more than the move's cost, so that closed states need not be
    /// reopened.
    #[cfg(test)]
    pub fn is_consistent(self) -> bool {
        !matches!(self, Kind::LmCut | Kind::OperatorCounting)
    }
}

/// A lower bound on the cost from each state of a task to a goal.
pub enum Heuristic {
    Potentials(Potentials),
    Patterns(Patterns),
    Partitioning(Arc<Partitioning>),
    Cartesian(Cartesian),
    Disjoint(Disjoint),
    LmCut(Box<LmCut>),
    OperatorCounting(Box<OperatorCounting>),
    Matching(Arc<Matching>),
    Maximum(Maximum),
    Toggles(Toggles),
    Perimeter(Perimeter),
    /// Breakpoints, and patterns where these are larger.
    Breakpoints(Breakpoints, Option<Patterns>),
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
            Kind::CostPartitioning => Partitioning::new(task, context).map(Arc::new).map(Heuristic::Partitioning),
            Kind::Cartesian => Cartesian::new(task, context).map(Heuristic::Cartesian),
            Kind::MergedSymbols => Patterns::new(Atoms::Symbols, task, context).map(Heuristic::Patterns),
            Kind::LmCut => LmCut::new(task, context).map(|landmarks| Heuristic::LmCut(Box::new(landmarks))),
            Kind::OperatorCounting => {
                OperatorCounting::new(task, context).map(Box::new).map(Heuristic::OperatorCounting)
            }
            Kind::Toggles => Toggles::new(task, context).map(Heuristic::Toggles),
            Kind::Breakpoints => {
                let breakpoints = Breakpoints::new(task, context)?;
                let size = context.size.unwrap_or(0);
                let patterns = (size > 0).then(|| Patterns::new(Atoms::Variables, task, context).ok());
                Ok(Heuristic::Breakpoints(breakpoints, patterns.flatten()))
            }
        }
    }

    /// Builds the maximum of a matching and of pattern databases.
    pub fn maximum(matching: Arc<Matching>, task: &Task, context: &BuildContext) -> Heuristic {
        Heuristic::Maximum(Maximum::new(matching, task, context))
    }

    /// Builds a perimeter around the goals, with potentials outside it; `context` may end that.
    ///
    /// # Errors
    /// Why there is no perimeter.
    pub fn perimeter(stable: &Arc<Stable>, task: &Task, context: &BuildContext) -> Result<Heuristic, String> {
        let elsewhere = Potentials::new(task, context).ok();
        Perimeter::new(stable, elsewhere, context).map(Heuristic::Perimeter)
    }

    /// Returns a lower bound on the cost from a state to the nearest goal, [`DEAD`] if the state is a proven dead end.
    pub fn h(&self, state: &[Value]) -> u32 {
        match self {
            Heuristic::Potentials(potentials) => potentials.h(state),
            Heuristic::Patterns(patterns) => patterns.h(state),
            Heuristic::Partitioning(partitioning) => partitioning.h(state),
            Heuristic::Cartesian(cartesian) => cartesian.h(state),
            Heuristic::Disjoint(disjoint) => disjoint.h(state),
            Heuristic::LmCut(landmarks) => landmarks.h(state),
            Heuristic::OperatorCounting(counting) => counting.h(state),
            Heuristic::Matching(matching) => matching.h(state),
            Heuristic::Maximum(maximum) => maximum.h(state),
            Heuristic::Toggles(toggles) => toggles.h(state),
            Heuristic::Perimeter(perimeter) => perimeter.h(state),
            Heuristic::Breakpoints(breakpoints, patterns) => {
                let other = patterns.as_ref().map_or(0, |patterns| patterns.h(state));
                other.max(breakpoints.h(state))
            }
        }
    }

    /// Returns whether it is the exact distance in all states.
    pub fn is_exact(&self) -> bool {
        matches!(self, Heuristic::Toggles(_))
    }

    /// Returns whether it has [`forecast`](Self::forecast)s.
    pub fn has_forecast(&self) -> bool {
        matches!(self, Heuristic::Breakpoints(breakpoints, _) if breakpoints.has_forecast())
    }

    /// Returns whether each applicable operator changes each reachable state, as forecasts may show.
    pub fn changes_always(&self) -> bool {
        matches!(self, Heuristic::Breakpoints(breakpoints, _) if breakpoints.changes_always())
    }

    /// Returns a lower bound after each operator, faster than [`h`](Self::h) of each state; 0 without forecasts.
    pub fn forecast(&self, state: &[Value]) -> Forecast {
        match self {
            Heuristic::Breakpoints(breakpoints, _) => breakpoints.forecast(state),
            _ => Forecast::default(),
        }
    }

    /// Returns the proof that a state with [`h`](Self::h) = [`DEAD`] is a dead end.
    pub fn refutation(&self, state: &[Value]) -> Option<Proof> {
        match self {
            Heuristic::Potentials(potentials) => {
                potentials.refutation(state).map(|(weights, goal)| Proof::Potential(weights, goal))
            }
            Heuristic::Patterns(patterns) => patterns.refutation(state).map(Proof::Abstraction),
            Heuristic::Partitioning(partitioning) => partitioning.refutation(state).map(Proof::Abstraction),
            Heuristic::Cartesian(_) => {
                Some(Proof::Words("no goal can be reached even if all positions of a Cartesian set were one"))
            }
            Heuristic::Disjoint(_) => {
                Some(Proof::Words("some symbols cannot reach their places even if all others are forgotten"))
            }
            Heuristic::Perimeter(perimeter) => Some(match perimeter.potential(state) {
                Some((weights, goal)) => Proof::Potential(weights, goal),
                None => {
                    Proof::Words("a search backwards from the goals finds all states that lead to one, and not this")
                }
            }),
            // The bound by breakpoints is always finite.
            Heuristic::Breakpoints(_, patterns) => patterns.as_ref()?.refutation(state).map(Proof::Abstraction),
            Heuristic::LmCut(_) => {
                Some(Proof::Words("no goal can be reached even if variables kept every value that they ever had"))
            }
            Heuristic::OperatorCounting(counting) => Some(counting.refutation(state)),
            Heuristic::Matching(matching) => matching.refutation(),
            Heuristic::Maximum(maximum) => maximum.refutation(state),
            Heuristic::Toggles(_) => {
                Some(Proof::Words("the linear equations for how often each move is made have no solution"))
            }
        }
    }

    /// Returns the weights by which the heuristic detects dead ends, each with the maximum of their sum over goals.
    pub fn dead_end_weights(&self) -> Vec<(FactWeights, i64)> {
        match self {
            Heuristic::Potentials(potentials) => potentials.dead_end_weights().collect(),
            Heuristic::Perimeter(perimeter) => perimeter.dead_end_weights().collect(),
            _ => Vec::new(),
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

    /// Returns the matching of tokens, if it is a part of the heuristic.
    pub fn matching(&self) -> Option<&Matching> {
        match self {
            Heuristic::Matching(matching) => Some(matching),
            Heuristic::Maximum(maximum) => Some(&maximum.matching),
            _ => None,
        }
    }

    /// Returns why a state with [`h`](Self::h) = [`DEAD`] is a dead end.
    pub fn dead_end(&self, state: &[Value]) -> DeadEnd {
        match self {
            Heuristic::Matching(matching) => matching.dead_end(state),
            Heuristic::Maximum(maximum) if maximum.matching.h(state) == DEAD => maximum.matching.dead_end(state),
            _ => DeadEnd::Other,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Heuristic::Potentials(potentials) => potentials.bytes(),
            Heuristic::Patterns(patterns) => patterns.bytes(),
            Heuristic::Partitioning(partitioning) => partitioning.bytes(),
            Heuristic::Cartesian(cartesian) => cartesian.bytes(),
            Heuristic::Disjoint(disjoint) => disjoint.bytes(),
            Heuristic::LmCut(landmarks) => landmarks.bytes(),
            Heuristic::OperatorCounting(counting) => counting.bytes(),
            Heuristic::Matching(matching) => matching.bytes(),
            Heuristic::Maximum(maximum) => maximum.bytes(),
            Heuristic::Toggles(toggles) => toggles.bytes(),
            Heuristic::Perimeter(perimeter) => perimeter.bytes(),
            Heuristic::Breakpoints(breakpoints, patterns) => {
                breakpoints.bytes() + patterns.as_ref().map_or(0, Patterns::bytes)
            }
        }
    }

    /// Describes the chosen patterns or weights for users.
    pub fn describe(&self) -> String {
        match self {
            Heuristic::Potentials(potentials) => potentials.describe(),
            Heuristic::Patterns(patterns) => patterns.describe(),
            Heuristic::Partitioning(partitioning) => partitioning.describe(),
            Heuristic::Cartesian(cartesian) => cartesian.describe(),
            Heuristic::Disjoint(disjoint) => disjoint.describe(),
            Heuristic::LmCut(landmarks) => landmarks.describe(),
            Heuristic::OperatorCounting(counting) => counting.describe(),
            Heuristic::Matching(matching) => matching.describe(),
            Heuristic::Maximum(maximum) => maximum.describe(),
            Heuristic::Toggles(toggles) => toggles.describe(),
            Heuristic::Perimeter(perimeter) => perimeter.describe(),
            Heuristic::Breakpoints(breakpoints, None) => breakpoints.describe(),
            Heuristic::Breakpoints(breakpoints, Some(patterns)) => {
                format!("{}; {}", breakpoints.describe(), patterns.describe())
            }
        }
    }
}

/// Builds the matching of a task's tokens.
///
/// # Errors
/// That the task has none, or that a limit ended the construction.
pub fn matching(task: &Task, context: &BuildContext) -> Result<Arc<Matching>, String> {
    Matching::new(task, context).map(Arc::new)
}

/// Returns whether a heuristic sees more than another one in sampled states.
pub fn sees_more(one: &Heuristic, other: &Heuristic, task: &Task, context: &BuildContext) -> bool {
    let states = few_states(task, context);
    let sum = |heuristic: &Heuristic| -> u64 { states.iter().map(|state| u64::from(heuristic.h(state))).sum() };
    sum(one) > sum(other)
}

/// A heuristic's proof that a state is a dead end.
pub enum Proof {
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
