//! Splits conditions and assignments into cases: in each case the values of every variable are restricted
//! independently.
//!
//! An expression over one variable restricts its values. An expression over several is decided by case distinction on
//! the variable that most open expressions read, until none is open. The cases exclude each other. So rules become
//! operators of masks and tables, and a search never evaluates an expression.
//!
//! Case distinctions multiply. Where cases may overlap, a disjunction is split instead, so that the numbers of cases
//! add up ([`CaseSplitter::union`]). In a state, an expression is true (T), false (F) or undefined. `&&` and `||` are
//! evaluated from left to right (the logic of McCarthy 1963), and quantifiers over known values are chains of them.
//! Therefore:
//!
//! - T(a && b) = T(a) ∩ T(b), F(a || b) = F(a) ∩ F(b), T(!a) = F(a) and F(!a) = T(a): conjunctions are always split;
//! - T(a || b) = T(a) ∪ (F(a) ∩ T(b)), since b is evaluated only where a is false. Adding T(a) ∩ T(b) does not change
//!   the union. Where a is defined in all states, T(a) ∪ F(a) contains all of them: then this is T(a) ∪ T(b). Otherwise
//!   F(a) stays as a guard of b and of all later operands; if a is never defined, F(a) is empty, and so are they;
//! - F(a && b) = F(a) ∪ (T(a) ∩ F(b)) is the dual;
//! - T(c ? a : b) = (T(c) ∩ T(a)) ∪ (F(c) ∩ T(b)), and likewise for F.
//!
//! Operators need cases that exclude each other, since each case is a move of its own. If there are too many, each
//! condition over several variables is kept whole, as a disjunction of cases: the alternatives of an operator.
//!
//! A [count](super::counting) over many variables is no reason to distinguish their values: cases restrict its number.
//! And that any of many facts of single variables holds is a count of at least 1.

mod evaluation;
mod numbers;
mod whole;

use super::counting::{Counters, Ranges};
use super::definedness::Definedness;
use super::expression::{Collection, EvalError, Expr, Kind, Operation, Quantifier, Term, Unknown};
use super::model::Model;
use super::task::{Condition, Disjunction, Source, Values, Var};
use crate::domain::BuildContext;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A signed formula: an expression, the values of its parameters, and the truth value that it must have.
#[derive(Clone)]
pub(super) struct SignedExpr<'a> {
    pub expr: &'a Expr,
    pub parameters: Vec<Term>,
    /// The truth value that a condition must have.
    pub truth: bool,
}

/// A case: the values that variables may have, and the effects on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Case {
    /// Sorted by variable. A variable without a condition may have any value.
    pub conditions: Vec<Condition>,
    /// One alternative of each disjunction must hold.
    pub disjunctions: Vec<Disjunction>,
    /// The least and the greatest value that a counter may have, if that excludes more than the conditions.
    pub counts: BTreeMap<usize, (u32, u32)>,
    pub effects: BTreeMap<Var, Source>,
    pub cost: i64,
}

/// The bound that was exceeded. A limit of the user ends the work as [`TooMany::Work`]: callers ask `BuildContext`
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMany {
    /// Too many cases of one expression or rule, with their number so far.
    Cases(usize),
    /// Too many operators of all rules together.
    Operators,
    /// Finding all cases takes too many steps.
    Work,
}

/// The method of deciding conditions over several variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SplitBy {
    /// By case distinction on the values of variables.
    Values,
    /// By alternatives within one case if they are few enough, else by values.
    Alternatives,
}

/// A rule with fixed parameters, or a condition by itself.
#[derive(Clone, Default)]
pub(super) struct GroundRule<'a> {
    /// All conditions must hold.
    pub when: Vec<SignedExpr<'a>>,
    /// The new values of variables.
    pub then: Vec<(Var, SignedExpr<'a>)>,
    pub cost: Option<SignedExpr<'a>>,
}

/// The puzzle that is compiled, and the limits of the work.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub model: &'a Model,
    pub counters: &'a Counters<'a>,
    pub context: &'a BuildContext,
}

/// Splits ground rules and conditions into cases.
pub(super) struct CaseSplitter<'a> {
    pub scope: Scope<'a>,
    /// The number of evaluations left, over all calls.
    pub work: &'a mut u64,
    /// The largest number of cases of one ground rule.
    pub most: usize,
    pub by: SplitBy,
}

/// The criterion that a case is split by.
enum Split {
    Variable(Var),
    /// By the ranges that the value of a counter may be in.
    Numbers(usize, Ranges),
}

/// The result of evaluating a condition with at most one more variable or counter known.
enum Decision {
    /// The values of this variable for which the condition holds.
    Restricts(Var, Values),
    /// The ranges of this counter in which the condition holds.
    Counts(usize, Ranges),
    /// The condition depends on at least these two.
    Depends(Unknown, Unknown),
    Constant(bool),
}

impl Case {
    /// Returns the values that a variable may have.
    pub fn values(&self, model: &Model, var: Var) -> Values {
        self.place(var).map_or_else(|_| model.range(var), |at| self.conditions[at].1.clone())
    }

    /// Returns the index of the condition on a variable, or that of a new one.
    fn place(&self, var: Var) -> Result<usize, usize> {
        self.conditions.binary_search_by_key(&var, |(of, _)| *of)
    }

    /// Puts a condition in place of that on the same variable.
    pub fn set(&mut self, var: Var, values: Values) {
        match self.place(var) {
            Ok(at) => self.conditions[at].1 = values,
            Err(at) => self.conditions.insert(at, (var, values)),
        }
    }

    /// Restricts a variable to these values. Returns false if none is left.
    pub fn narrow(&mut self, model: &Model, var: Var, to: &Values) -> bool {
        let at = self.place(var).unwrap_or_else(|at| {
            self.conditions.insert(at, (var, model.range(var)));
            at
        });
        let values = &mut self.conditions[at].1;
        *values = values.and(to);
        !values.is_empty()
    }

    /// Removes from the disjunctions and counts everything that the conditions imply. Returns false if a disjunction
    /// has no alternative left, or a counter no value.
    fn simplify(&mut self, model: &Model, counters: &Counters) -> bool {
        if self.disjunctions.is_empty() && self.counts.is_empty() {
            return true;
        }
        let mut open = std::mem::take(&mut self.disjunctions);
        loop {
            let size = |conditions: &[Condition]| conditions.iter().map(|(_, values)| values.len()).sum::<usize>();
            let before = (self.conditions.len(), size(&self.conditions));
            if !self.settle_counts(model, counters) {
                return false;
            }
            let mut left: Vec<Disjunction> = Vec::new();
            for any in open {
                let any: Disjunction = any.iter().filter_map(|all| self.remaining(model, all)).collect();
                match &any[..] {
                    [] => return false,
                    _ if any.iter().any(Vec::is_empty) => {}
                    [all] => {
                        if !all.iter().all(|(var, values)| self.narrow(model, *var, values)) {
                            return false;
                        }
                    }
                    _ if left.contains(&any) => {}
                    _ => left.push(any),
                }
            }
            open = left;
            // Narrower conditions may simplify the disjunctions further.
            if before == (self.conditions.len(), size(&self.conditions)) {
                self.disjunctions = open;
                return true;
            }
        }
    }

    /// Returns the conditions that are not implied yet; `None` if they cannot hold.
    fn remaining(&self, model: &Model, all: &[Condition]) -> Option<Vec<Condition>> {
        let mut left = Vec::new();
        for (var, values) in all {
            let known = self.values(model, *var);
            let values = values.and(&known);
            if values.is_empty() {
                return None;
            }
            if values != known {
                left.push((*var, values));
            }
        }
        Some(left)
    }
}

/// Deducts steps from the budget.
fn spend(work: &mut u64, steps: usize) -> Result<(), TooMany> {
    *work = work.checked_sub(steps as u64).ok_or(TooMany::Work)?;
    Ok(())
}

/// Returns the values that a quantified name takes; `None` if they depend on a variable that may change.
fn bound_values(
    model: &Model,
    collection: &Collection,
    parameters: &[Term],
    work: &mut u64,
) -> Result<Option<Vec<Term>>, TooMany> {
    let lookup = |var: Var| model.range(var).only();
    let evaluator = model.evaluator(&lookup, *work);
    let terms = evaluator.members(collection, &mut parameters.to_vec());
    *work = evaluator.steps_left.get();
    match terms {
        Ok(terms) => {
            spend(work, terms.len() * (1 + parameters.len()))?;
            Ok(Some(terms))
        }
        Err(EvalError::TooLong) => Err(TooMany::Work),
        Err(EvalError::Undefined | EvalError::Unknown(_)) => Ok(None),
    }
}

impl<'a> SignedExpr<'a> {
    /// Returns a subexpression with the same parameters.
    fn part(&self, expr: &'a Expr, truth: bool) -> SignedExpr<'a> {
        SignedExpr { expr, parameters: self.parameters.clone(), truth }
    }

    /// Returns the body of a quantifier with its name bound to a value.
    fn body(&self, expr: &'a Expr, term: Term, truth: bool) -> SignedExpr<'a> {
        SignedExpr { expr, parameters: [&self.parameters[..], &[term]].concat(), truth }
    }
}

/// Splits a conjunction into parts that can be decided one by one.
pub(super) fn split_conjunction<'a>(
    model: &Model,
    signed: SignedExpr<'a>,
    work: &mut u64,
    into: &mut Vec<SignedExpr<'a>>,
) -> Result<(), TooMany> {
    match (&signed.expr.kind, signed.truth) {
        (Kind::Not(inner), truth) => split_conjunction(model, signed.part(inner, !truth), work, into)?,
        (Kind::Binary(Operation::And, left, right), true) | (Kind::Binary(Operation::Or, left, right), false) => {
            split_conjunction(model, signed.part(left, signed.truth), work, into)?;
            split_conjunction(model, signed.part(right, signed.truth), work, into)?;
        }
        (Kind::Quantified(Quantifier::All, _, collection, body), true)
        | (Kind::Quantified(Quantifier::Any, _, collection, body), false) => {
            match bound_values(model, collection, &signed.parameters, work)? {
                Some(terms) => {
                    for term in terms {
                        split_conjunction(model, signed.body(body, term, signed.truth), work, into)?;
                    }
                }
                None => into.push(signed),
            }
        }
        _ => into.push(signed),
    }
    Ok(())
}

impl CaseSplitter<'_> {
    /// Returns cases that exclude each other and together cover the states in which a ground rule applies.
    pub fn exclusive(&mut self, ground_rule: &GroundRule, from: Case) -> Result<Vec<Case>, TooMany> {
        let mut found = Vec::new();
        // Conditions are kept whole before any case distinction, so that this work is done once.
        let mut is_first = true;
        let mut open = vec![(from, ground_rule.when.clone(), ground_rule.then.clone())];
        while let Some((mut case, mut when, mut then)) = open.pop() {
            let Some(mut split) = self.propagate(&mut case, &mut when, &mut then, ground_rule.cost.as_ref())? else {
                continue;
            };
            if std::mem::take(&mut is_first) && split.is_some() {
                if !self.decide_facts(&mut case, &mut when)? {
                    continue;
                }
                if self.by == SplitBy::Alternatives {
                    self.keep_whole(&mut case, &mut when)?;
                }
                let Some(now) = self.propagate(&mut case, &mut when, &mut then, ground_rule.cost.as_ref())? else {
                    continue;
                };
                split = now;
            }
            match split {
                None => {
                    // Each operator gets its own copy of the alternatives.
                    spend(self.work, case.disjunctions.iter().map(|any| 4 * any.len()).sum())?;
                    if case.simplify(self.scope.model, self.scope.counters) {
                        found.push(case);
                    }
                }
                Some(split) => {
                    // Each case copies all open conditions.
                    let alternatives: usize = case.disjunctions.iter().map(Vec::len).sum();
                    let kept = when.len() + then.len() + case.conditions.len() + alternatives;
                    let parts = self.parts(&case, &split, kept)?;
                    open.extend(parts.into_iter().map(|one| (one, when.clone(), then.clone())));
                }
            }
            self.check_count(found.len() + open.len())?;
        }
        Ok(found)
    }

    fn check_count(&self, cases: usize) -> Result<(), TooMany> {
        match cases > self.most {
            true => Err(TooMany::Cases(cases)),
            false if self.scope.context.should_stop() => Err(TooMany::Work),
            false => Ok(()),
        }
    }

    /// Returns cases that together cover exactly the states in which a formula holds. They may overlap.
    pub fn union(&mut self, signed: SignedExpr, from: &Case) -> Result<Vec<Case>, TooMany> {
        let mut when = Vec::new();
        split_conjunction(self.scope.model, signed, self.work, &mut when)?;
        self.union_of(when, from)
    }

    /// Returns overlapping cases that cover the states in which all formulas hold.
    fn union_of(&mut self, when: Vec<SignedExpr>, from: &Case) -> Result<Vec<Case>, TooMany> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut open = vec![(from.clone(), when)];
        while let Some((mut case, mut when)) = open.pop() {
            let Some(split) = self.propagate(&mut case, &mut when, &mut Vec::new(), None)? else { continue };
            let Some(split) = split else {
                let is_possible = case.settle_counts(self.scope.model, self.scope.counters);
                if is_possible && seen.insert((case.conditions.clone(), case.counts.clone())) {
                    found.push(case);
                }
                continue;
            };
            let mut disjunction = None;
            for at in 0..when.len() {
                if let Some(disjuncts) = self.disjuncts(&when[at], &case)? {
                    when.remove(at);
                    disjunction = Some(disjuncts);
                    break;
                }
            }
            let kept = when.len() + case.conditions.len();
            match disjunction {
                Some(disjuncts) => {
                    spend(self.work, disjuncts.len() * (1 + kept))?;
                    for disjunct in disjuncts.into_iter().rev() {
                        let mut all = when.clone();
                        disjunct
                            .into_iter()
                            .try_for_each(|part| split_conjunction(self.scope.model, part, self.work, &mut all))?;
                        open.push((case.clone(), all));
                    }
                }
                None => {
                    let parts = self.parts(&case, &split, 1 + kept)?;
                    open.extend(parts.into_iter().map(|one| (one, when.clone())));
                }
            }
            self.check_count(found.len() + open.len())?;
        }
        Ok(found)
    }

    /// Returns the disjuncts of a disjunction in their order; `None` if the formula is no disjunction.
    fn disjuncts<'a>(
        &mut self,
        signed: &SignedExpr<'a>,
        case: &Case,
    ) -> Result<Option<Vec<Vec<SignedExpr<'a>>>>, TooMany> {
        let truth = signed.truth;
        let operands: Vec<SignedExpr<'a>> = match (&signed.expr.kind, truth) {
            (Kind::Binary(by @ (Operation::Or | Operation::And), ..), _) if (*by == Operation::Or) == truth => {
                // A chain of the same connective is one disjunction.
                let mut operands = Vec::new();
                let mut chain = signed.expr;
                while let Kind::Binary(sign, left, right) = &chain.kind
                    && sign == by
                {
                    operands.push(signed.part(right, truth));
                    chain = left;
                }
                operands.push(signed.part(chain, truth));
                operands.reverse();
                operands
            }
            (Kind::Quantified(Quantifier::Any, _, collection, body), true)
            | (Kind::Quantified(Quantifier::All, _, collection, body), false) => {
                match bound_values(self.scope.model, collection, &signed.parameters, self.work)? {
                    Some(terms) => terms.into_iter().map(|term| signed.body(body, term, truth)).collect(),
                    None => return Ok(None),
                }
            }
            (Kind::Conditional(condition, yes, no), _) => {
                return Ok(Some(vec![
                    vec![signed.part(condition, true), signed.part(yes, truth)],
                    vec![signed.part(condition, false), signed.part(no, truth)],
                ]));
            }
            _ => return Ok(None),
        };
        // The guards under which the next operand is evaluated: operands before it that may be undefined must be false.
        let mut guards: Vec<SignedExpr<'a>> = Vec::new();
        let mut disjunction = Vec::new();
        let last = operands.len().saturating_sub(1);
        for (at, operand) in operands.into_iter().enumerate() {
            let is_guard = at < last && !self.is_defined(&operand, case)?;
            let guard = is_guard.then(|| SignedExpr { truth: !truth, ..operand.clone() });
            spend(self.work, 1 + guards.len())?;
            disjunction.push(guards.iter().cloned().chain([operand]).collect());
            guards.extend(guard);
        }
        Ok(Some(disjunction))
    }

    /// Returns whether a formula is provably defined in all states of a case.
    fn is_defined(&mut self, signed: &SignedExpr, case: &Case) -> Result<bool, TooMany> {
        let values = |var: Var| case.values(self.scope.model, var);
        let defined = Definedness { model: self.scope.model, values: &values, steps_left: (*self.work).into() };
        let result = defined.is_truth(signed.expr, &signed.parameters);
        *self.work = defined.steps_left.get();
        result.map_err(|_| TooMany::Work)
    }

    /// Returns whether a ground rule applies in any state of a case.
    pub fn can_apply(&mut self, ground_rule: &GroundRule, from: Case) -> Result<bool, TooMany> {
        for case in self.exclusive(ground_rule, from)? {
            if self.is_satisfiable(&case)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a case holds in any state: its alternatives may rule each other out.
    pub fn is_satisfiable(&mut self, case: &Case) -> Result<bool, TooMany> {
        let mut open = vec![case.clone()];
        while let Some(mut case) = open.pop() {
            spend(self.work, 1 + case.disjunctions.iter().map(Vec::len).sum::<usize>())?;
            if !case.simplify(self.scope.model, self.scope.counters) {
                continue;
            }
            let Some(any) = case.disjunctions.pop() else {
                if self.can_count(&case)? {
                    return Ok(true);
                }
                continue;
            };
            for all in any.iter().rev() {
                let mut one = case.clone();
                if all.iter().all(|(var, values)| one.narrow(self.scope.model, *var, values)) {
                    open.push(one);
                }
            }
        }
        Ok(false)
    }

    /// Decides all formulas that can be decided. Returns `None` if the case is contradictory, else what to split it by
    /// if any formula is still open.
    fn propagate(
        &mut self,
        case: &mut Case,
        when: &mut Vec<SignedExpr>,
        then: &mut Vec<(Var, SignedExpr)>,
        cost: Option<&SignedExpr>,
    ) -> Result<Option<Option<Split>>, TooMany> {
        let mut unknown: Vec<Unknown> = Vec::new();
        let mut together = |one: Unknown, other: Unknown| unknown.extend([one, other]);
        let mut apart = None;
        let mut left = Vec::new();
        for signed in when.drain(..) {
            match self.decide(&signed, case)? {
                Decision::Constant(true) => {}
                Decision::Constant(false) => return Ok(None),
                Decision::Restricts(var, values) => {
                    if !case.narrow(self.scope.model, var, &values) {
                        return Ok(None);
                    }
                }
                Decision::Counts(counter, ranges) => match ranges[..] {
                    [] => return Ok(None),
                    [range] => {
                        if !case.restrict_count(self.scope.model, self.scope.counters, counter, range) {
                            return Ok(None);
                        }
                    }
                    _ => {
                        apart.get_or_insert(Split::Numbers(counter, ranges));
                        left.push(signed);
                    }
                },
                Decision::Depends(one, other) => {
                    together(one, other);
                    left.push(signed);
                }
            }
        }
        *when = left;
        let mut open = Vec::new();
        for (target, signed) in then.drain(..) {
            match self.assign(target, &signed, case)? {
                Ok(Some(source)) => {
                    case.effects.insert(target, source);
                }
                Ok(None) => return Ok(None),
                Err((one, other)) => {
                    together(one, other);
                    open.push((target, signed));
                }
            }
        }
        *then = open;
        if let Some(signed) = cost {
            match self.evaluate(signed, case, None)? {
                Ok(Term::Number(cost)) => case.cost = cost,
                Ok(_) | Err(EvalError::Undefined | EvalError::TooLong) => return Ok(None),
                Err(EvalError::Unknown(unknown)) => together(unknown, unknown),
            }
        }
        unknown.sort_unstable();
        // The first of those that are needed most often.
        let first = unknown.chunk_by(Unknown::eq).rev().max_by_key(|same| same.len()).map(|same| same[0]);
        Ok(Some(apart.or_else(|| first.map(|unknown| self.split_by(case, unknown)))))
    }
}

#[cfg(test)]
mod tests;
