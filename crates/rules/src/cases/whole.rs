//! Keeps conditions over several variables whole: as alternatives within one case, or as a count of facts.

use super::{Case, CaseSplitter, Decision, SignedExpr, SplitBy, TooMany, spend, split_conjunction};
use crate::counting::formula_key;
use crate::task::{Disjunction, Values, Var};
use std::collections::BTreeMap;
use std::rc::Rc;

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
            // Few alternatives are found quickly; with many, distributing gives a smaller form.
            if let Some(any) = self.alternatives(vec![signed.clone()], &bare, FEW_ALTERNATIVES)? {
                case.disjunctions.push(any);
            } else if let Some(all) = self.distributed(&signed, &bare, MANY_PARTS)? {
                case.disjunctions.extend(all);
            } else if let Some(any) = self.alternatives_everywhere(&signed)? {
                case.disjunctions.push(any.to_vec());
            } else if let Some(any) = self.alternatives(vec![signed.clone()], &bare, MOST_ALTERNATIVES)? {
                case.disjunctions.push(any);
            } else {
                left.push(signed);
            }
        }
        *when = left;
        Ok(())
    }

    /// Turns each condition that any of many facts of single variables holds into a count of at least 1. Returns false
    /// if none of them can hold.
    pub(super) fn count_facts(&mut self, case: &mut Case, when: &mut Vec<SignedExpr>) -> Result<bool, TooMany> {
        let mut left = Vec::new();
        let mut is_possible = true;
        for signed in when.drain(..) {
            let key = formula_key(signed.expr, &signed.parameters, signed.truth);
            let known = self.counters.known_facts(&key);
            let counter = match known {
                Some(counter) => counter,
                None => {
                    let mut facts = BTreeMap::new();
                    let are_facts = self.single_facts(signed.clone(), &mut facts)? && facts.len() > FEW_ALTERNATIVES;
                    let counter = if are_facts { self.counters.counter_of(facts) } else { None };
                    self.counters.keep_facts(key, counter);
                    counter
                }
            };
            match counter {
                Some((counter, facts)) => {
                    is_possible &= case.restrict_count(self.model, self.counters, counter, (1, facts));
                }
                None => left.push(signed),
            }
        }
        *when = left;
        Ok(is_possible)
    }

    /// Collects the facts of which a formula demands any one, each of a single variable. Returns false if it demands
    /// anything else.
    fn single_facts(&mut self, signed: SignedExpr, facts: &mut BTreeMap<Var, Values>) -> Result<bool, TooMany> {
        let everywhere = Case::default();
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
            if !self.single_facts(only, facts)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the alternatives by which a formula without parameters holds, found once for all cases; `None` if it has
    /// parameters, or there are too many.
    fn alternatives_everywhere(&mut self, signed: &SignedExpr) -> Result<Option<Rc<Disjunction>>, TooMany> {
        let key = formula_key(signed.expr, &signed.parameters, signed.truth);
        if !key.1.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.counters.known_alternatives(&key) {
            return Ok(known);
        }
        let any = self.alternatives(vec![signed.clone()], &Case::default(), MOST_ALTERNATIVES)?.map(Rc::new);
        self.counters.keep_alternatives(key, any.clone());
        Ok(any)
    }

    /// Returns the alternatives by which all formulas hold; `None` if there are more than `most`.
    fn alternatives(
        &mut self,
        when: Vec<SignedExpr>,
        from: &Case,
        most: usize,
    ) -> Result<Option<Disjunction>, TooMany> {
        let (model, counters, context) = (self.model, self.counters, self.context);
        match (CaseSplitter { model, counters, context, work: self.work, most, by: SplitBy::Values })
            .union_of(when, from)
        {
            // An alternative is a conjunction of conditions: it cannot restrict a counter.
            Ok(disjunction) if disjunction.iter().any(|disjunct| !disjunct.counts.is_empty()) => Ok(None),
            Ok(disjunction) => {
                Ok(Some(disjunction.into_iter().map(|disjunct| disjunct.conditions.into_iter().collect()).collect()))
            }
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
            disjunct.into_iter().try_for_each(|part| split_conjunction(self.model, part, self.work, &mut all))?;
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
