//! The greater of a matching and of pattern databases.
//!
//! The matching is cheap and sees all tokens, the databases see how few variables depend on each other. The databases
//! are kept only if they raise h on sampled states enough to pay for their look-ups.

use super::matching::Matching;
use super::patterns::{Atoms, Patterns};
use super::{DEAD, Proof, sample};
use crate::search::BuildContext;
use crate::task::{Task, Value};
use std::sync::Arc;

/// Databases must raise the sum of h over the samples by at least one part in this many.
const WORTH: u64 = 20;

pub struct Maximum {
    pub matching: Arc<Matching>,
    patterns: Option<Patterns>,
}

impl Maximum {
    pub(super) fn new(matching: Arc<Matching>, task: &Task, context: &BuildContext) -> Maximum {
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
        let patterns = Patterns::new(Atoms::Variables, task, context).ok().filter(pays);
        Maximum { matching, patterns }
    }

    pub fn h(&self, state: &[Value]) -> u32 {
        let h = self.matching.h(state);
        match &self.patterns {
            Some(patterns) if h < DEAD => patterns.h(state).max(h),
            _ => h,
        }
    }

    pub fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let of_patterns = || self.patterns.as_ref()?.refutation(state).map(Proof::Abstraction);
        of_patterns().or_else(|| self.matching.refutation())
    }

    pub fn bytes(&self) -> u64 {
        self.matching.bytes() + self.patterns.as_ref().map_or(0, Patterns::bytes)
    }

    pub fn describe(&self) -> String {
        let patterns = self.patterns.as_ref().map_or("no tables, which would not pay".to_owned(), Patterns::describe);
        format!("{}; {patterns}", self.matching.describe())
    }
}
