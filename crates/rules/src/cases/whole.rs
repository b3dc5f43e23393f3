//! Keeps conditions over several variables whole: as alternatives within one case, or as a count of facts.

use super::{Case, CaseSplitter, Decision, SignedExpr, SplitBy, TooMany, spend, split_conjunction};
use crate::counting::{AnyOf, formula_key};
use crate::task::{Counter, Disjunction, Values, Var};
use std::collections::BTreeMap;

/// A condition with more alternatives is not kept whole.
const MOST_ALTERNATIVES: usize = 256;

/// A disjunction with more alternatives is distributed over a conjunction of at least `MANY_PARTS` parts, each of which
/// may double the alternatives.
const FEW_ALTERNATIVES: usize = 16;
const MANY_PARTS: usize = 8;

impl CaseSplitter<'_> {
    /// Moves conditions over several variables into the disjunctions of a case, unless they have too many alternatives.
    pub fn keep_whole(&mut self, case: &mut Case, when: &mut Vec<SignedExpr>) -> Result<(), TooMany> {
        let bare = Case { conditions: case.conditions.clone(), ..Case::default() };
        let mut left = Vec::new();
        for signed in when.drain(..) {
            let key = formula_key(signed.expr, &signed.parameters, signed.truth);
            // Few alternatives are found quickly; with many, distributing gives a smaller form.
            if let Some(any) = self.scope.counters.alternatives.get(&key) {
                case.disjunctions.push(any.to_vec());
            } else if let Some(any) = self.alternatives(vec![signed.clone()], &bare, FEW_ALTERNATIVES)? {
                case.disjunctions.push(any);
            } else if let Some(all) = self.distributed(&signed, &bare, MANY_PARTS)? {
                case.disjunctions.extend(all);
            } else if key.1.is_empty()
                && let Some(any) = self.alternatives(vec![signed.clone()], &Case::default(), MOST_ALTERNATIVES)?
            {
                // Without parameters, the alternatives are found once for all cases.
                self.scope.counters.alternatives.insert(key, any.clone().into());
                case.disjunctions.push(any);
            } else if let Some(any) = self.alternatives(vec![signed.clone()], &bare, MOST_ALTERNATIVES)? {
                case.disjunctions.push(any);
            } else {
                left.push(signed);
            }
        }
        *when = left;
        Ok(())
    }

    /// Decides each condition that any of many facts of single variables holds: it restricts the only variable, or, if
    /// conditions are kept as alternatives, is kept as these or as a count of at least 1. Returns false if none can
    /// hold.
    pub(super) fn decide_facts(&mut self, case: &mut Case, when: &mut Vec<SignedExpr>) -> Result<bool, TooMany> {
        let mut left = Vec::new();
        let mut is_possible = true;
        for signed in when.drain(..) {
            let Some(facts) = self.facts_of(&signed)? else {
                left.push(signed);
                continue;
            };
            match facts {
                AnyOf::Few(facts) if facts.len() <= 1 => {
                    let narrow = |(var, values): &(Var, Values)| case.narrow(self.scope.model, *var, values);
                    is_possible &= facts.first().is_some_and(narrow);
                }
                _ if self.by == SplitBy::Values => left.push(signed),
                AnyOf::Few(facts) => case.disjunctions.push(facts.iter().map(|fact| vec![fact.clone()]).collect()),
                AnyOf::Counted(counter, facts) => {
                    is_possible &= case.restrict_count(self.scope.model, self.scope.counters, counter, (1, facts));
                }
            }
        }
        *when = left;
        Ok(is_possible)
    }

    /// Returns the facts of distinct variables of which a formula demands any one, found once for all cases; `None` if
    /// it demands anything else, or one of few.
    fn facts_of(&mut self, signed: &SignedExpr) -> Result<Option<AnyOf>, TooMany> {
        let key = formula_key(signed.expr, &signed.parameters, signed.truth);
        if let Some(known) = self.scope.counters.facts_of.get(&key) {
            return Ok(known);
        }
        let (mut facts, mut parts) = (BTreeMap::new(), 0);
        let are_facts = self.collect_facts(signed.clone(), &mut facts, &mut parts)? && parts > FEW_ALTERNATIVES;
        let may_fail = |(var, values): (&Var, &Values)| *values != self.scope.model.range(*var);
        let found = (are_facts && facts.iter().all(may_fail)).then(|| {
            facts.retain(|_, values| !values.is_empty());
            let facts: Counter = facts.into_iter().collect();
            match facts.len() {
                ..=FEW_ALTERNATIVES => AnyOf::Few(facts.into()),
                many => AnyOf::Counted(self.scope.counters.counter_of(facts), many as u32),
            }
        });
        self.scope.counters.facts_of.insert(key, found.clone());
        Ok(found)
    }

    /// Collects the facts of which a formula demands any one, each of a single variable, and counts its parts. Returns
    /// false if it demands anything else.
    fn collect_facts(
        &mut self,
        signed: SignedExpr,
        facts: &mut BTreeMap<Var, Values>,
        parts: &mut usize,
    ) -> Result<bool, TooMany> {
        let everywhere = Case::default();
        *parts += 1;
        match self.decide(&signed, &everywhere)? {
            Decision::Constant(holds) => return Ok(!holds),
            Decision::Restricts(var, values) => {
                let counted = facts.entry(var).or_insert(Values::NONE);
                *counted = counted.or(&values);
                return Ok(true);
            }
            Decision::Counts(..) => return Ok(false),
            Decision::Depends(..) => {}
        }
        let Some(disjunction) = self.disjuncts(&signed, &everywhere)? else { return Ok(false) };
        for disjunct in disjunction {
            // With a guard before it, a disjunct is a conjunction.
            let Ok([only]) = <[SignedExpr; 1]>::try_from(disjunct) else { return Ok(false) };
            if !self.collect_facts(only, facts, parts)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the alternatives by which all formulas hold; `None` if there are more than `most`.
    fn alternatives(
        &mut self,
        when: Vec<SignedExpr>,
        from: &Case,
        most: usize,
    ) -> Result<Option<Disjunction>, TooMany> {
        match (CaseSplitter { scope: self.scope, work: self.work, most, by: SplitBy::Values }).union_of(when, from) {
            // An alternative is a conjunction of conditions: it cannot restrict a counter.
            Ok(disjunction) if disjunction.iter().any(|disjunct| !disjunct.counts.is_empty()) => Ok(None),
            Ok(disjunction) => Ok(Some(disjunction.into_iter().map(|disjunct| disjunct.conditions).collect())),
            Err(TooMany::Work) => Err(TooMany::Work),
            Err(TooMany::Cases(_) | TooMany::Operators) => Ok(None),
        }
    }

    /// Turns a disjunction into a conjunction of disjunctions: (p ∩ q) ∪ r = (p ∪ r) ∩ (q ∪ r) for the disjunct with
    /// the most parts. `None` if that disjunct has fewer than `least` parts, the result is too large, or the formula is
    /// no disjunction.
    pub(super) fn distributed(
        &mut self,
        signed: &SignedExpr,
        from: &Case,
        least: usize,
    ) -> Result<Option<Vec<Disjunction>>, TooMany> {
        let Some(disjunction) = self.disjuncts(signed, from)? else { return Ok(None) };
        let mut split: Vec<Vec<SignedExpr>> = Vec::new();
        for disjunct in disjunction {
            let mut all = Vec::new();
            disjunct.into_iter().try_for_each(|part| split_conjunction(self.scope.model, part, self.work, &mut all))?;
            split.push(all);
        }
        let longest = (0..split.len()).rev().max_by_key(|&at| split[at].len());
        let Some(longest) = longest.filter(|&at| split[at].len() >= least) else { return Ok(None) };
        let longest = split.swap_remove(longest);
        let mut others = Disjunction::new();
        for disjunct in split {
            let Some(any) = self.alternatives(disjunct, from, MOST_ALTERNATIVES)? else { return Ok(None) };
            others.extend(any);
        }
        let mut all = Vec::new();
        for part in longest {
            let Some(mut any) = self.alternatives(vec![part], from, MOST_ALTERNATIVES)? else { return Ok(None) };
            spend(self.work, others.len())?;
            any.extend(others.iter().cloned());
            if any.len() > MOST_ALTERNATIVES {
                return Ok(None);
            }
            all.push(any);
        }
        Ok(Some(all))
    }
}
