//! Cases that restrict the values of counters.

use super::evaluation::Assumed;
use super::{Case, CaseSplitter, Decision, SignedExpr, Split, TooMany, spend};
use crate::counting::{Counters, Ranges, formula_key, ranges_of};
use crate::expression::{EvalError, Term, Unknown};
use crate::model::Model;
use crate::task::{Value, Values, Var, condition_on};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A counter that leaves its facts no choice becomes conditions on at most this many variables: in each operator.
const MOST_CONDITIONS: usize = 128;

impl Case {
    /// Returns the least and the greatest value of a counter, if a variable has a value besides.
    pub(super) fn range_of(&self, counters: &Counters, counter: usize, with: Option<(Var, Value)>) -> (u32, u32) {
        let with = with.map(|(var, value)| (var, Values::one(value)));
        let conditions = self.conditions.iter().map(|(var, values)| (*var, values));
        let others = conditions.filter(|(var, _)| with.as_ref().is_none_or(|(of, _)| of != var));
        let (least, most) = counters.bounds(counter, others.chain(with.iter().map(|(var, values)| (*var, values))));
        let (from, to) = self.counts.get(&counter).copied().unwrap_or((least, most));
        (least.max(from), most.min(to))
    }

    /// Restricts a counter to a range. Returns false if no value is left.
    pub fn restrict_count(
        &mut self,
        model: &Model,
        counters: &Counters,
        counter: usize,
        (least, most): (u32, u32),
    ) -> bool {
        let range = self.counts.entry(counter).or_insert((least, most));
        *range = (range.0.max(least), range.1.min(most));
        self.settle_counts(model, counters)
    }

    /// Drops the ranges that conditions imply, and puts conditions in place of those that leave their facts no choice.
    /// Returns false if a counter has no value left.
    pub fn settle_counts(&mut self, model: &Model, counters: &Counters) -> bool {
        let mut open: Vec<usize> = self.counts.keys().copied().collect();
        while let Some(counter) = open.pop() {
            let Some(&(from, to)) = self.counts.get(&counter) else { continue };
            let (least, most) = counters.bounds(counter, self.conditions.iter().map(|(var, values)| (*var, values)));
            let (from, to) = (from.max(least), to.min(most));
            if from > to {
                return false;
            }
            if (from, to) == (least, most) {
                self.counts.remove(&counter);
                continue;
            }
            self.counts.insert(counter, (from, to));
            let facts = counters.facts(counter);
            // All open facts must hold, or none may.
            let holds = if from == most {
                true
            } else if to == least {
                false
            } else {
                continue;
            };
            if facts.len() > MOST_CONDITIONS {
                continue;
            }
            for (var, counted) in facts.iter() {
                let values = self.values(model, *var);
                let left = if holds { values.and(counted) } else { values.without(counted) };
                // A fact that is decided is no longer open.
                if !left.is_empty() && left != values {
                    self.set(*var, left);
                }
            }
            self.counts.remove(&counter);
            // Other counters may count the same variables.
            open = self.counts.keys().copied().collect();
        }
        true
    }
}

impl CaseSplitter<'_> {
    /// Decides a formula by the value of a counter.
    pub(super) fn decide_by_number(
        &mut self,
        signed: &SignedExpr,
        case: &Case,
        counter: usize,
    ) -> Result<Decision, TooMany> {
        let (least, most) = self.range(case, counter);
        let key = formula_key(signed.expr, &signed.parameters, signed.truth);
        if let Some(ranges) = self.scope.counters.ranges.get(&key) {
            let within = ranges.iter().map(|&(from, to)| (from.max(least), to.min(most)));
            return Ok(Decision::Counts(counter, within.filter(|(from, to)| from <= to).collect()));
        }
        // Nothing is known of an empty case: then the ranges are those of every case.
        let nothing = Case::default();
        let whole = self.range(&nothing, counter);
        if let Ok(ranges) = self.ranges(signed, &nothing, counter, whole)? {
            self.scope.counters.ranges.insert(key, ranges);
            return self.decide_by_number(signed, case, counter);
        }
        Ok(match self.ranges(signed, case, counter, (least, most))? {
            Ok(ranges) => Decision::Counts(counter, ranges),
            Err(other) => Decision::Depends(Unknown::Counter(counter), other),
        })
    }

    /// Returns the ranges of a counter in which a formula holds; an error if it depends on something else.
    fn ranges(
        &mut self,
        signed: &SignedExpr,
        case: &Case,
        counter: usize,
        (least, most): (u32, u32),
    ) -> Result<Result<Ranges, Unknown>, TooMany> {
        let mut holds = Vec::new();
        for number in least..=most {
            holds.push(match self.evaluate(signed, case, Some(Assumed::Number(counter, number)))? {
                Ok(term) => term == Term::Truth(signed.truth),
                Err(EvalError::Undefined | EvalError::TooLong) => false,
                Err(EvalError::Unknown(other)) => return Ok(Err(other)),
            });
        }
        Ok(Ok(ranges_of(least, &holds)))
    }

    /// Returns the least and the greatest value of a counter in a case.
    fn range(&self, case: &Case, counter: usize) -> (u32, u32) {
        case.range_of(self.scope.counters, counter, None)
    }

    /// Returns what a case is split by so that something becomes known.
    pub(super) fn split_by(&self, case: &Case, unknown: Unknown) -> Split {
        match unknown {
            Unknown::Variable(var) => Split::Variable(var),
            Unknown::Counter(counter) => {
                let (least, most) = self.range(case, counter);
                Split::Numbers(counter, (least..=most).map(|number| (number, number)).collect())
            }
        }
    }

    /// Returns the parts of a case, the last first: a stack hands them out in order. Each costs `work`.
    pub(super) fn parts(&mut self, case: &Case, split: &Split, work: usize) -> Result<Vec<Case>, TooMany> {
        let mut parts = Vec::new();
        match split {
            Split::Variable(var) => {
                let values: Vec<Value> = case.values(self.scope.model, *var).iter().collect();
                spend(self.work, values.len() * work)?;
                for value in values.into_iter().rev() {
                    let mut part = case.clone();
                    part.set(*var, Values::one(value));
                    parts.push(part);
                }
            }
            Split::Numbers(counter, ranges) => {
                spend(self.work, ranges.len() * work)?;
                for &range in ranges.iter().rev() {
                    let mut part = case.clone();
                    if part.restrict_count(self.scope.model, self.scope.counters, *counter, range) {
                        parts.push(part);
                    }
                }
            }
        }
        Ok(parts)
    }

    /// Returns whether some values of a case's variables put all its counters in their ranges. The conditions and each
    /// range by itself are known to be possible.
    pub(super) fn can_count(&mut self, case: &Case) -> Result<bool, TooMany> {
        if case.counts.len() < 2 {
            return Ok(true);
        }
        let facts: Vec<_> = case.counts.keys().map(|&counter| self.scope.counters.facts(counter)).collect();
        let vars: BTreeSet<Var> = facts.iter().flat_map(|facts| facts.iter().map(|(var, _)| *var)).collect();
        // The numbers that the variables so far can give.
        let mut numbers: FxHashSet<Vec<u32>> = FxHashSet::from_iter([vec![0; facts.len()]]);
        for var in vars {
            let adds = |value: Value| -> Vec<u32> {
                let counted = facts.iter().map(|facts| condition_on(facts, var));
                counted.map(|values| u32::from(values.is_some_and(|values| values.contains(value)))).collect()
            };
            let choices: FxHashSet<Vec<u32>> = case.values(self.scope.model, var).iter().map(adds).collect();
            spend(self.work, numbers.len() * choices.len())?;
            let sums = numbers.iter().flat_map(|sum| {
                choices.iter().map(|more| sum.iter().zip(more).map(|(one, other)| one + other).collect::<Vec<u32>>())
            });
            let fits = |sum: &Vec<u32>| sum.iter().zip(case.counts.values()).all(|(sum, (_, most))| sum <= most);
            numbers = sums.filter(fits).collect();
        }
        let reaches = |sum: &Vec<u32>| sum.iter().zip(case.counts.values()).all(|(sum, (least, _))| sum >= least);
        Ok(numbers.iter().any(reaches))
    }
}
