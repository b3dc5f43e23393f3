//! Checks arguments against the rules, one rule at a time.
//!
//! An argument holds if all changes that single rules can make ([`Checker`]) agree with it, and no goal does. Only the
//! claims are taken from an argument; names of facts, sums and bounds are recomputed.

use super::checker::{Alternative, ByValue, Checker, Fact, TooMany, counted, modulo, suffices, sum, weight};
use super::exclusion::Exclusion;
use crate::argument::{Argument, Missing, Sum};
use std::collections::{BTreeSet, HashSet};

/// The reason why a goal with many counts is not checked.
const TOO_MANY_COUNTS: &str = "a goal allows too many counts to check";

/// The result of checking an argument.
pub(super) enum Finding {
    /// It holds and rules out all goals; describes for people how that was checked.
    Proven(String),
    /// It could not be checked completely, and why.
    Open(String),
}

impl Checker<'_> {
    /// Checks an argument.
    ///
    /// # Errors
    /// The mistake in the argument.
    pub fn check(&self, argument: &Argument) -> Result<Finding, String> {
        let mut notes = Vec::new();
        let mut excluded = vec![false; self.alternatives.len()];
        let mut open = None;
        self.check_part(argument, &self.alternatives, &mut excluded, &mut notes, &mut open)?;
        let notes_text = notes.join("; ");
        if let Some(why) = open {
            return Ok(Finding::Open(why));
        }
        let Some(left) = excluded.iter().position(|excluded| !excluded) else {
            return Ok(Finding::Proven(notes_text));
        };
        if self.looser {
            return Ok(Finding::Open("the goal has conditions other than values and counts".to_owned()));
        }
        let goal = self.alternatives[left].goal + 1;
        let which = if self.targets.len() > 1 { format!("goal {goal}") } else { "the goal".to_owned() };
        Err(format!("its argument does not rule out {which}"))
    }

    fn check_part(
        &self,
        argument: &Argument,
        alternatives: &[Alternative],
        excluded: &mut [bool],
        notes: &mut Vec<String>,
        open: &mut Option<String>,
    ) -> Result<(), String> {
        let all = format!("all {} changes that single rules can make", self.changes.len());
        match argument {
            Argument::Together { parts } => {
                parts.iter().try_for_each(|part| self.check_part(part, alternatives, excluded, notes, open))
            }
            Argument::Exclusive { never, groups, argument } => {
                let exclusion = Exclusion::new(self, never, groups)?;
                exclusion.check(self)?;
                let narrowed: Vec<Alternative> =
                    alternatives.iter().map(|alternative| exclusion.narrowed(alternative)).collect();
                for (excluded, alternative) in excluded.iter_mut().zip(&narrowed) {
                    *excluded |= alternative.values.iter().any(Vec::is_empty);
                }
                notes.push(format!("{all} keep at most one fact of each group of facts that exclude each other"));
                self.check_part(argument, &narrowed, excluded, notes, open)
            }
            Argument::Relaxation { missing } => {
                missing.iter().try_for_each(|missing| self.is_missing(missing))?;
                for (excluded, alternative) in excluded.iter_mut().zip(alternatives) {
                    match self.extreme(alternative, &[]) {
                        Ok(most) => *excluded |= most.is_none(),
                        Err(TooMany) => *open = Some(TOO_MANY_COUNTS.to_owned()),
                    }
                }
                notes.push(format!("no goal is reachable by {all}, even if no fact is ever deleted"));
                Ok(())
            }
            Argument::Potential { weights, start, goal } => {
                let weights = self.weights(weights)?;
                let sum = sum(&weights, &self.start);
                if sum != i128::from(*start) {
                    return Err(format!("it claims a weighted sum of {start} at the start, where it is {sum}"));
                }
                if start <= goal {
                    return Err(format!("its weighted sum is {start} at the start, and may be {goal} in a goal"));
                }
                self.is_never_lowered(&weights)?;
                for (excluded, alternative) in excluded.iter_mut().zip(alternatives) {
                    match self.extreme(alternative, &weights) {
                        Ok(most) => *excluded |= most.is_none_or(|most| most <= i128::from(*goal)),
                        Err(TooMany) => *open = Some(TOO_MANY_COUNTS.to_owned()),
                    }
                }
                notes.push(format!(
                    "the weighted sum is {start} at the start; {all} never lower it; no goal has more than {goal}"
                ));
                Ok(())
            }
            Argument::Invariant { sums } => {
                for sum in sums {
                    self.is_kept(sum)?;
                }
                let weights: Vec<ByValue> =
                    sums.iter().map(|sum| self.weights(&sum.weights)).collect::<Result<_, String>>()?;
                for (excluded, alternative) in excluded.iter_mut().zip(alternatives).filter(|(excluded, _)| !**excluded)
                {
                    match self.may_agree(alternative, sums, &weights) {
                        Ok(agrees) => *excluded = !agrees,
                        Err(TooMany) => *open = Some("a goal allows too many sums to check".to_owned()),
                    }
                }
                let many = if sums.len() == 1 { "the sum" } else { "the sums" };
                notes.push(format!("{many} at the start agree; {all} keep them; no goal has the same"));
                Ok(())
            }
            Argument::Parity {} => Err("its argument is parity, but its moves do not permute places".to_owned()),
            Argument::Abstraction { variables } => match self.check_abstraction(variables, alternatives, excluded)? {
                Ok(states) => {
                    notes.push(format!("the smaller puzzle has {states} states by {all}; none belongs to a goal"));
                    Ok(())
                }
                Err(why) => {
                    *open = Some(why);
                    Ok(())
                }
            },
        }
    }

    /// Checks that at most the claimed number of variables can have some facts.
    fn is_missing(&self, Missing { facts, needed, possible }: &Missing) -> Result<(), String> {
        let facts: Vec<Fact> = facts.iter().map(|name| self.fact(name)).collect::<Result<_, String>>()?;
        let can: BTreeSet<usize> =
            facts.iter().filter(|(var, value)| self.reached[*var].contains(value)).map(|&(var, _)| var).collect();
        if can.len() > *possible as usize {
            let can = can.len();
            return Err(format!("it claims that at most {possible} of some facts can hold at once, but {can} can"));
        }
        if possible >= needed {
            return Err(format!("it claims that {needed} are needed where {possible} can hold at once"));
        }
        Ok(())
    }

    /// Returns whether some position of an alternative may have all sums equal to those of the start.
    fn may_agree(&self, alternative: &Alternative, sums: &[Sum], weights: &[ByValue]) -> Result<bool, TooMany> {
        let target = &self.targets[alternative.goal];
        let mut all: HashSet<(Vec<u32>, Vec<i128>)> =
            HashSet::from([(vec![0; target.counts.len()], vec![0; sums.len()])]);
        for (var, values) in alternative.values.iter().enumerate() {
            let mut next = HashSet::new();
            for (number, (counts, before)) in all.iter().enumerate() {
                self.may_go_on(number, next.len())?;
                for &value in values {
                    let Some(counts) = counted(target, counts, var, value) else { continue };
                    let more = before
                        .iter()
                        .zip(sums)
                        .zip(weights)
                        .map(|((before, sum), weights)| modulo(before + weight(weights, var, value), sum.modulus));
                    next.insert((counts, more.collect()));
                }
            }
            all = next;
        }
        let start: Vec<i128> = sums.iter().map(|sum| modulo(sum.start.into(), sum.modulus)).collect();
        Ok(all.iter().any(|(counts, sums)| *sums == start && suffices(target, counts)))
    }
}
