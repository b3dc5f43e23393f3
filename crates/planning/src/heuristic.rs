//! Admissible heuristics for any task.
//!
//! Each comes from the literature, and its file proves that it is admissible. All proofs use the same relaxation:
//! dropping conditions or `never` loses no solution, so a lower bound for the relaxed task is one for the task.
//! Patterns and weights are chosen under budgets of steps and with a fixed seed, never by the clock: they are the same
//! on every machine.
//!
//! A heuristic is one file: a type with [`Heuristic`], and a [`Registration`] with its name, its facts and the function
//! that builds it. [`ALL`] lists the registrations; nothing else names a heuristic, but the strategies that choose it.

mod abstraction;
mod breakpoints;
mod cartesian;
mod counts;
mod database;
mod dead_end;
mod disjoint;
mod facts;
mod implied_facts;
mod invariants;
mod lm_cut;
mod matching;
mod maximum;
mod open_states;
mod operator_counting;
mod partitioning;
mod patterns;
mod perimeter;
mod pieces_in_cells;
mod potentials;
mod sample;
mod similar_states;
#[cfg(test)]
mod tests;
mod toggles;
mod trends;
mod unique_tokens;

use crate::analysis::analysed_task::AnalysedTask;
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::lifting::FactWeights;
use crate::task::{Task, Value, Var};
pub use breakpoints::{BREAKPOINTS, carry_neighbours};
pub(crate) use counts::{Bound, UnreachableCount, unreachable_counts};
pub use dead_end::DeadEnd;
pub use disjoint::{DISJOINT_PATTERNS, Disjoint, are_goals_disjoint};
use engine_search::space::{Cost, Parts};
pub(crate) use facts::remaining_values;
pub(crate) use invariants::{Invariant, refuting_invariants};
pub use lm_cut::LM_CUT;
pub use matching::{CONFLICTS, DEAD_PAIRS, DEAD_PATTERNS, FROZEN, STUBBORN_SETS};
pub use matching::{
    CorralVerdict, Corrals, Learns, MATCHING, Matching, Proofs, TokenKind, keep_matching, shared_matching,
};
pub use maximum::MAXIMUM;
pub use partitioning::COST_PARTITIONING;
pub use patterns::PATTERN_DATABASE;
pub use perimeter::{MOST_GOALS, PERIMETER};
pub use pieces_in_cells::with_pieces_in_cells;
pub use potentials::POTENTIALS;
pub(crate) use potentials::{Refuting, gcd, refuting_potentials};
use sample::few_states;
pub use sample::moves_are_undone;
pub use similar_states::SimilarStates;
use std::sync::Arc;
pub use toggles::TOGGLES;
pub use trends::{Trend, free_moves_end, symbol_trends};
pub use unique_tokens::unique_tokens;

/// The heuristics, in the order in which users see them, after `zero`.
pub static ALL: [&Registration; 12] = [
    &POTENTIALS,
    &PATTERN_DATABASE,
    &COST_PARTITIONING,
    &cartesian::CARTESIAN,
    &DISJOINT_PATTERNS,
    &LM_CUT,
    &operator_counting::OPERATOR_COUNTING,
    &MATCHING,
    &MAXIMUM,
    &PERIMETER,
    &BREAKPOINTS,
    &TOGGLES,
];

/// The facts of the heuristics and of `zero`, which comes first.
pub const FACTS: [HeuristicFacts; ALL.len() + 1] = {
    let mut facts = [HeuristicFacts::ZERO; ALL.len() + 1];
    let mut at = 0;
    while at < ALL.len() {
        facts[at + 1] = ALL[at].facts;
        at += 1;
    }
    facts
};

/// Returns the heuristic with a name; none for `zero`.
#[must_use]
pub fn named(name: &str) -> Option<&'static Registration> {
    ALL.into_iter().find(|heuristic| heuristic.facts.name == name)
}

/// The heuristic value of a dead end: more than any cost, and costs can be added to it without overflow.
pub const DEAD: u32 = <u32 as Cost>::INFINITY;

/// Sums over tables are computed this many at once.
const LANES: usize = 8;

/// A lower bound on the cost from each state of a task to a goal.
pub trait Heuristic: Send + Sync {
    /// Returns a lower bound on the cost from a state to the nearest goal, [`DEAD`] if the state is a proven dead end.
    fn h(&self, state: &[Value]) -> u32;

    /// Returns the parts of [`h`](Self::h) in a state of this task that is not a proven dead end; by default it has none.
    fn parts(&self, _task: &Task, _state: &[Value]) -> Parts {
        Parts::default()
    }

    /// Returns the proof that a state with [`h`](Self::h) = [`DEAD`] is a dead end.
    fn refutation(&self, state: &[Value]) -> Option<Proof>;

    /// Returns the size in bytes.
    fn bytes(&self) -> u64;

    /// Describes the chosen patterns or weights for users.
    fn describe(&self) -> String;

    /// Returns whether a state takes it some 100 microseconds or more, since it solves a problem for each.
    fn is_slow(&self) -> bool {
        false
    }

    /// Returns a faster evaluation of many states, if there is one.
    fn incremental(&self) -> Option<&dyn Incremental> {
        None
    }

    /// Returns the weights by which it detects dead ends, each with the maximum of their sum over goals.
    fn dead_end_weights(&self) -> Vec<(FactWeights, i64)> {
        Vec::new()
    }

    /// Returns, for each operator, whether it proves that no goal can be reached after it, wherever it is applied; none
    /// if it proves that for no operator.
    fn dead_ends(&self) -> Option<Vec<bool>> {
        None
    }

    /// Returns why a state with [`h`](Self::h) = [`DEAD`] is a dead end.
    fn dead_end(&self, _state: &[Value]) -> DeadEnd {
        DeadEnd::Other
    }

    /// Returns the matching of tokens, if it is a part of the heuristic.
    fn matching(&self) -> Option<&Matching> {
        None
    }

    /// Returns whether it is the [`matching`](Self::matching) and nothing else.
    fn is_matching(&self) -> bool {
        false
    }
}

/// A heuristic that evaluates a state faster if it has much in common with the one before.
pub trait Incremental {
    /// Appends h of each state.
    fn h_of(&self, states: &SimilarStates, values: &mut Vec<u32>);
}

/// A heuristic that was built, or the reason why there is none.
pub type Built = Result<Arc<dyn Heuristic>, String>;

/// A heuristic by name: its facts, and how it is built of a task.
pub struct Registration {
    pub facts: HeuristicFacts,
    /// See [`build`](Self::build).
    build: fn(&AnalysedTask, &BuildContext) -> Built,
    /// See [`refuses`](Self::refuses).
    refuses: fn(&AnalysedTask, &BuildContext) -> Option<String>,
}

impl Registration {
    /// Builds the heuristic; `context` may end that.
    ///
    /// # Errors
    /// Why it does not apply to this task, or that a limit ended its construction.
    pub fn build(&self, task: &AnalysedTask, context: &BuildContext) -> Built {
        (self.build)(task, context)
    }

    /// Returns why the heuristic does not apply to a task, if that is found out with little work. The answer is
    /// meaningless if a limit of `context` ended the check.
    pub fn refuses(&self, task: &AnalysedTask, context: &BuildContext) -> Option<String> {
        (self.refuses)(task, context)
    }

    /// Returns why the heuristic, which is built in milliseconds, cannot be built, if no limit ended that.
    fn cannot_be_built(&self, task: &AnalysedTask, context: &BuildContext) -> Option<String> {
        let context = context.for_another_build();
        self.build(task, &context).err().filter(|_| context.ended().is_none())
    }

    /// Returns the sum of h over sampled states, with tables of size 0: the greater it is, the more does the heuristic
    /// see. None if it does not apply.
    pub fn sum_on_samples(&self, task: &AnalysedTask, context: &BuildContext) -> Option<u64> {
        let context = smallest(context);
        let states = || Arc::new(few_states(&task.reduced.task, &context));
        task.memo.get(self.facts.name, &context, || {
            let heuristic = self.build(task, &context).ok()?;
            let states = task.memo.get("few states", &context, states);
            Some(states.iter().map(|state| u64::from(heuristic.h(state))).sum())
        })
    }
}

/// Returns a context for tables of size 0 that are not those of the search which is being built.
fn smallest(context: &BuildContext) -> BuildContext {
    BuildContext { size: Some(0), ..context.for_another_build() }
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
