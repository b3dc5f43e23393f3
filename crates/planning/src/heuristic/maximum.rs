//! The greater of a matching and of pattern databases.
//!
//! The matching is cheap and sees all tokens, the databases see how few variables depend on each other. The databases
//! are kept only if they raise h on sampled states enough to pay for their look-ups.

use super::matching::{MATCHING, Matching, shared_matching};
use super::patterns::Patterns;
use super::{DEAD, DeadEnd, Heuristic, Proof, Registration, sample};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Task, Value};
use engine_search::space::Parts;
use std::sync::Arc;

/// The registration of the maximum.
pub static MAXIMUM: Registration = Registration {
    facts: HeuristicFacts {
        name: "maximum",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "the greater of `matching` and `pattern-database`; the latter only if it pays on sampled positions",
        because: "the maximum of lower bounds is a lower bound",
    },
    build: |task, context| Ok(Arc::new(Maximum::new(shared_matching(task, context)?, &task.reduced.task, context))),
    refuses: |task, context| MATCHING.refuses(task, context),
};

/// Databases must raise the sum of h over the samples by at least one part in this many.
const WORTH: u64 = 20;

struct Maximum {
    matching: Arc<Matching>,
    patterns: Option<Patterns>,
}

impl Maximum {
    fn new(matching: Arc<Matching>, task: &Task, context: &BuildContext) -> Maximum {
        let pays = |patterns: &Patterns| {
            let (mut without, mut with) = (0, 0);
            for state in sample::states(task, context) {
                let h = matching.h(&state);
                if h < DEAD {
                    without += u64::from(h);
                    with += u64::from(patterns.h(&state).max(h).min(2 * h + 1));
                }
            }
            WORTH * (with - without) > without
        };
        let patterns = Patterns::new(task, context).ok().filter(pays);
        Maximum { matching, patterns }
    }
}

impl Heuristic for Maximum {
    fn h(&self, state: &[Value]) -> u32 {
        let h = self.matching.h(state);
        match &self.patterns {
            Some(patterns) if h < DEAD => patterns.h(state).max(h),
            _ => h,
        }
    }

    fn parts(&self, task: &Task, state: &[Value]) -> Parts {
        match &self.patterns {
            Some(patterns) if patterns.h(state) >= self.matching.h(state) => {
                patterns.parts(task, state).greatest_of(2, "heuristics")
            }
            _ => self.matching.parts(task, state),
        }
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let of_patterns = self.patterns.as_ref().and_then(|patterns| patterns.refutation(state));
        of_patterns.or_else(|| self.matching.refutation(state))
    }

    fn bytes(&self) -> u64 {
        self.matching.bytes() + self.patterns.as_ref().map_or(0, Heuristic::bytes)
    }

    fn describe(&self) -> String {
        let patterns = self.patterns.as_ref().map_or("no tables, which would not pay".to_owned(), Heuristic::describe);
        format!("{}; {patterns}", self.matching.describe())
    }

    fn dead_ends(&self) -> Option<Vec<bool>> {
        self.matching.dead_ends()
    }

    fn dead_end(&self, state: &[Value]) -> DeadEnd {
        if self.matching.h(state) == DEAD { self.matching.dead_end(state) } else { DeadEnd::Other }
    }

    fn matching(&self) -> Option<&Matching> {
        Some(&self.matching)
    }
}
