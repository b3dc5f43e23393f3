//! Conditions and assignments, taken apart into cases: in each case every variable has a set of values by itself.
//!
//! An expression that looks at one variable narrows its values. One that looks at several is decided by trying the values
//! of the variable that most of them look at, each a case of its own, until nothing is left to decide. Cases exclude each
//! other. So rules become operators of masks and tables, and a search never works out an expression.
//!
//! Values that are tried multiply. Where several cases may hold at once, a disjunction is split instead, so that its cases
//! add up ([`Cases::union`]). In the states an expression is true (T), false (F) or not defined; `&&` and `||` go from left
//! to right (the logic of McCarthy 1963), and quantifiers over values that are known are chains of them. So
//!
//! - T(a && b) = T(a) ∩ T(b), F(a || b) = F(a) ∩ F(b), T(!a) = F(a) and F(!a) = T(a): conjunctions are always split;
//! - T(a || b) = T(a) ∪ (F(a) ∩ T(b)), since b is looked at only where a is false. Adding T(a) ∩ T(b) changes no union
//!   with T(a), and where a is defined in all states, T(a) ∪ F(a) is all of them: then this is T(a) ∪ T(b). Else F(a) stays
//!   as a guard of b, and of all that comes after; where a is never defined, F(a) has no state, and nothing comes after;
//! - F(a && b) = F(a) ∪ (T(a) ∩ F(b)) is the same with true and false exchanged;
//! - T(c ? a : b) = (T(c) ∩ T(a)) ∪ (F(c) ∩ T(b)), and F in the same way.
//!
//! Operators need cases that exclude each other, since each case is a move of its own. Where these are too many, each
//! condition that ties variables together is kept whole, as its union of cases: the alternatives of an operator.

use super::defined::Definedness;
use super::expression::{Expr, Fail, Kind, Operation, Over, Quantifier, Term};
use super::model::Model;
use super::task::{Condition, Either, Source, Value, Values, Var};
use crate::domain::BuildContext;
use std::collections::{BTreeMap, HashSet};

/// A condition with more alternatives than these is not kept whole.
const MOST_ALTERNATIVES: usize = 256;

/// With more alternatives than these, a disjunction is distributed over a conjunction of at least `MANY_PARTS` parts: each may
/// double the alternatives.
const FEW_ALTERNATIVES: usize = 16;
const MANY_PARTS: usize = 8;

/// An expression with the parameters that it is to be worked out with.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    pub expr: &'a Expr,
    pub parameters: Vec<Term>,
    /// What a condition has to be: true, or false.
    pub truth: bool,
}

/// A case: what variables may be, and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Case {
    /// Variables without an entry may be anything.
    pub conditions: BTreeMap<Var, Values>,
    /// Of each of these, one alternative holds, too.
    pub either: Vec<Either>,
    pub effects: BTreeMap<Var, Source>,
    pub cost: i64,
}

/// The bound that was exceeded. A limit of the user ends the work as [`TooMany::Work`]: callers ask `BuildContext` first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMany {
    /// The number of cases that were found when they became too many.
    Cases(usize),
    /// There are more operators than all rules may become.
    Operators,
    /// To find all cases takes too much work.
    Work,
}

/// How conditions that tie variables together are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By the values of variables, each a case.
    Values,
    /// By alternatives of one case, where they are not too many; else by values.
    Alternatives,
}

/// What is to be decided.
#[derive(Clone, Default)]
pub(super) struct Question<'a> {
    /// All of these must hold.
    pub when: Vec<Asked<'a>>,
    /// What variables become.
    pub then: Vec<(Var, Asked<'a>)>,
    pub cost: Option<Asked<'a>>,
}

/// Takes questions apart.
pub(super) struct Cases<'a> {
    pub model: &'a Model,
    /// How many values may still be tried, over all questions.
    pub work: &'a mut u64,
    /// How many cases of one question there may be.
    pub most: usize,
    pub by: By,
    pub context: &'a BuildContext,
}

/// What one variable alone decides.
enum Decided {
    /// The values with which it holds.
    By(Var, Values),
    /// These two variables, at least, decide it.
    Together(Var, Var),
    Always(bool),
}

impl Case {
    /// The values that a variable may have.
    pub fn values(&self, model: &Model, var: Var) -> Values {
        self.conditions.get(&var).copied().unwrap_or_else(|| model.range(var))
    }

    /// Keeps only these values of a variable; false if none is left.
    pub fn narrow(&mut self, model: &Model, var: Var, to: &Values) -> bool {
        let values = self.values(model, var).and(to);
        self.conditions.insert(var, values);
        !values.is_empty()
    }

    /// Leaves out of the alternatives what the conditions say already; false if none is left of some.
    fn simplify(&mut self, model: &Model) -> bool {
        let mut open = std::mem::take(&mut self.either);
        loop {
            let before: usize = self.conditions.values().map(Values::len).sum();
            let count = self.conditions.len();
            let mut left: Vec<Either> = Vec::new();
            for any in open {
                let any: Either = any.iter().filter_map(|all| self.remaining(model, all)).collect();
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
            // Narrower conditions may decide more.
            if count == self.conditions.len() && before == self.conditions.values().map(Values::len).sum::<usize>() {
                self.either = open;
                return true;
            }
        }
    }

    /// What is left to ask of some conditions; nothing if they cannot hold.
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

/// Takes from what may still be done.
fn spend(work: &mut u64, steps: usize) -> Result<(), TooMany> {
    *work = work.checked_sub(steps as u64).ok_or(TooMany::Work)?;
    Ok(())
}

/// What a name runs over, where that depends on no variable that may change.
fn choices(model: &Model, over: &Over, parameters: &[Term], work: &mut u64) -> Result<Option<Vec<Term>>, TooMany> {
    let look = |var: Var| model.range(var).only();
    let scene = model.scene_within(&look, *work);
    let terms = scene.over(over, &mut parameters.to_vec());
    *work = scene.left.get();
    match terms {
        Ok(terms) => {
            spend(work, terms.len() * (1 + parameters.len()))?;
            Ok(Some(terms))
        }
        Err(Fail::TooLong) => Err(TooMany::Work),
        Err(Fail::Undefined | Fail::Unknown(_)) => Ok(None),
    }
}

impl<'a> Asked<'a> {
    /// A part of it, with the same parameters.
    fn part(&self, expr: &'a Expr, truth: bool) -> Asked<'a> {
        Asked { expr, parameters: self.parameters.clone(), truth }
    }

    /// The body of a quantifier with one choice of its name.
    fn body(&self, expr: &'a Expr, term: Term, truth: bool) -> Asked<'a> {
        Asked { expr, parameters: [&self.parameters[..], &[term]].concat(), truth }
    }
}

/// Splits what must hold together, so that each part can be decided by itself.
pub(super) fn parts<'a>(
    model: &Model,
    asked: Asked<'a>,
    work: &mut u64,
    into: &mut Vec<Asked<'a>>,
) -> Result<(), TooMany> {
    match (&asked.expr.kind, asked.truth) {
        (Kind::Not(inner), truth) => parts(model, asked.part(inner, !truth), work, into)?,
        (Kind::Binary(Operation::And, left, right), true) | (Kind::Binary(Operation::Or, left, right), false) => {
            parts(model, asked.part(left, asked.truth), work, into)?;
            parts(model, asked.part(right, asked.truth), work, into)?;
        }
        (Kind::Quantified(Quantifier::All, _, over, body), true)
        | (Kind::Quantified(Quantifier::Any, _, over, body), false) => {
            match choices(model, over, &asked.parameters, work)? {
                Some(terms) => {
                    for term in terms {
                        parts(model, asked.body(body, term, asked.truth), work, into)?;
                    }
                }
                None => into.push(asked),
            }
        }
        _ => into.push(asked),
    }
    Ok(())
}

impl Cases<'_> {
    /// The cases in which all holds that a question asks for; no two of them hold at once.
    pub fn of(&mut self, question: &Question, from: Case) -> Result<Vec<Case>, TooMany> {
        let mut found = Vec::new();
        // Conditions are kept whole before any value is tried, so that they are not worked out for each.
        let mut to_keep = self.by == By::Alternatives;
        let mut open = vec![(from, question.when.clone(), question.then.clone())];
        while let Some((mut case, mut when, mut then)) = open.pop() {
            let Some(mut split) = self.settle(&mut case, &mut when, &mut then, question.cost.as_ref())? else {
                continue;
            };
            if std::mem::take(&mut to_keep) && split.is_some() {
                self.keep(&mut case, &mut when)?;
                let Some(now) = self.settle(&mut case, &mut when, &mut then, question.cost.as_ref())? else {
                    continue;
                };
                split = now;
            }
            match split {
                None => {
                    // Each operator has alternatives of its own.
                    spend(self.work, case.either.iter().map(|any| 4 * any.len()).sum())?;
                    if case.simplify(self.model) {
                        found.push(case);
                    }
                }
                Some(var) => {
                    // The first value is taken first. What is still to be decided is kept with each.
                    let values: Vec<Value> = case.values(self.model, var).iter().collect();
                    let alternatives: usize = case.either.iter().map(Vec::len).sum();
                    let kept = when.len() + then.len() + case.conditions.len() + alternatives;
                    spend(self.work, values.len() * kept)?;
                    for value in values.into_iter().rev() {
                        let mut one = case.clone();
                        one.conditions.insert(var, Values::one(value));
                        open.push((one, when.clone(), then.clone()));
                    }
                }
            }
            self.count(found.len() + open.len())?;
        }
        Ok(found)
    }

    fn count(&self, cases: usize) -> Result<(), TooMany> {
        match cases > self.most {
            true => Err(TooMany::Cases(cases)),
            false if self.context.should_stop() => Err(TooMany::Work),
            false => Ok(()),
        }
    }

    /// Cases in which something must hold: it does in all of them, and nowhere else. Several may hold at once.
    pub fn union(&mut self, asked: Asked, from: &Case) -> Result<Vec<Case>, TooMany> {
        let mut when = Vec::new();
        parts(self.model, asked, self.work, &mut when)?;
        self.union_of(when, from)
    }

    /// The same, for what must hold together.
    fn union_of(&mut self, when: Vec<Asked>, from: &Case) -> Result<Vec<Case>, TooMany> {
        let (mut found, mut met) = (Vec::new(), HashSet::new());
        let mut open = vec![(from.clone(), when)];
        while let Some((mut case, mut when)) = open.pop() {
            let Some(split) = self.settle(&mut case, &mut when, &mut Vec::new(), None)? else { continue };
            let Some(var) = split else {
                if met.insert(case.conditions.clone()) {
                    found.push(case);
                }
                continue;
            };
            let mut ways = None;
            for at in 0..when.len() {
                if let Some(disjuncts) = self.disjuncts(&when[at], &case)? {
                    when.remove(at);
                    ways = Some(disjuncts);
                    break;
                }
            }
            let kept = when.len() + case.conditions.len();
            match ways {
                Some(disjuncts) => {
                    spend(self.work, disjuncts.len() * (1 + kept))?;
                    for disjunct in disjuncts.into_iter().rev() {
                        let mut all = when.clone();
                        disjunct.into_iter().try_for_each(|part| parts(self.model, part, self.work, &mut all))?;
                        open.push((case.clone(), all));
                    }
                }
                None => {
                    let values: Vec<Value> = case.values(self.model, var).iter().collect();
                    spend(self.work, values.len() * (1 + kept))?;
                    for value in values.into_iter().rev() {
                        let mut one = case.clone();
                        one.conditions.insert(var, Values::one(value));
                        open.push((one, when.clone()));
                    }
                }
            }
            self.count(found.len() + open.len())?;
        }
        Ok(found)
    }

    /// The ways in which a disjunction may hold, in its order; none of what is no disjunction.
    fn disjuncts<'a>(&mut self, asked: &Asked<'a>, case: &Case) -> Result<Option<Vec<Vec<Asked<'a>>>>, TooMany> {
        let truth = asked.truth;
        let operands: Vec<Asked<'a>> = match (&asked.expr.kind, truth) {
            (Kind::Binary(by @ (Operation::Or | Operation::And), ..), _) if (*by == Operation::Or) == truth => {
                // A chain of the same sign is one disjunction.
                let mut operands = Vec::new();
                let mut chain = asked.expr;
                while let Kind::Binary(sign, left, right) = &chain.kind
                    && sign == by
                {
                    operands.push(asked.part(right, truth));
                    chain = left;
                }
                operands.push(asked.part(chain, truth));
                operands.reverse();
                operands
            }
            (Kind::Quantified(Quantifier::Any, _, over, body), true)
            | (Kind::Quantified(Quantifier::All, _, over, body), false) => {
                match choices(self.model, over, &asked.parameters, self.work)? {
                    Some(terms) => terms.into_iter().map(|term| asked.body(body, term, truth)).collect(),
                    None => return Ok(None),
                }
            }
            (Kind::Choice(which, yes, no), _) => {
                return Ok(Some(vec![
                    vec![asked.part(which, true), asked.part(yes, truth)],
                    vec![asked.part(which, false), asked.part(no, truth)],
                ]));
            }
            _ => return Ok(None),
        };
        // What must be so that the next operand is looked at, where it is not told that the one before is defined.
        let mut guards: Vec<Asked<'a>> = Vec::new();
        let mut ways = Vec::new();
        let last = operands.len().saturating_sub(1);
        for (at, operand) in operands.into_iter().enumerate() {
            let is_guard = at < last && !self.is_defined(&operand, case)?;
            let guard = is_guard.then(|| Asked { truth: !truth, ..operand.clone() });
            spend(self.work, 1 + guards.len())?;
            ways.push(guards.iter().cloned().chain([operand]).collect());
            guards.extend(guard);
        }
        Ok(Some(ways))
    }

    /// Whether something is told to be true or false in all states of a case.
    fn is_defined(&mut self, asked: &Asked, case: &Case) -> Result<bool, TooMany> {
        let values = |var: Var| case.values(self.model, var);
        let defined = Definedness { model: self.model, values: &values, left: (*self.work).into() };
        let told = defined.is_truth(asked.expr, &asked.parameters);
        *self.work = defined.left.get();
        told.map_err(|_| TooMany::Work)
    }

    /// Takes conditions that tie variables together as alternatives of a case, where these are not too many.
    pub fn keep(&mut self, case: &mut Case, when: &mut Vec<Asked>) -> Result<(), TooMany> {
        let bare = Case { conditions: case.conditions.clone(), ..Case::default() };
        let mut left = Vec::new();
        for asked in when.drain(..) {
            // What has few alternatives is found at once, and what has many is better distributed.
            if let Some(any) = self.alternatives(vec![asked.clone()], &bare, FEW_ALTERNATIVES)? {
                case.either.push(any);
            } else if let Some(all) = self.distributed(&asked, &bare, MANY_PARTS)? {
                case.either.extend(all);
            } else if let Some(any) = self.alternatives(vec![asked.clone()], &bare, MOST_ALTERNATIVES)? {
                case.either.push(any);
            } else {
                left.push(asked);
            }
        }
        *when = left;
        Ok(())
    }

    /// The alternatives by which all of some conditions hold, if there are no more than so many.
    fn alternatives(&mut self, when: Vec<Asked>, from: &Case, most: usize) -> Result<Option<Either>, TooMany> {
        match (Cases { model: self.model, context: self.context, work: self.work, most, by: By::Values })
            .union_of(when, from)
        {
            Ok(ways) => Ok(Some(ways.into_iter().map(|way| way.conditions.into_iter().collect()).collect())),
            Err(TooMany::Work) => Err(TooMany::Work),
            Err(TooMany::Cases(_) | TooMany::Operators) => Ok(None),
        }
    }

    /// A disjunction as a conjunction of disjunctions, by (p ∩ q) ∪ r = (p ∪ r) ∩ (q ∪ r) for the way with the most parts;
    /// none where that is too much, where no way has so many parts, or where it is no disjunction.
    fn distributed(&mut self, asked: &Asked, from: &Case, least: usize) -> Result<Option<Vec<Either>>, TooMany> {
        let Some(ways) = self.disjuncts(asked, from)? else { return Ok(None) };
        let mut split: Vec<Vec<Asked>> = Vec::new();
        for way in ways {
            let mut all = Vec::new();
            way.into_iter().try_for_each(|part| parts(self.model, part, self.work, &mut all))?;
            split.push(all);
        }
        let longest = (0..split.len()).rev().max_by_key(|&at| split[at].len());
        let Some(longest) = longest.filter(|&at| split[at].len() >= least) else { return Ok(None) };
        let longest = split.swap_remove(longest);
        let mut others = Either::new();
        for way in split {
            let Some(any) = self.alternatives(way, from, MOST_ALTERNATIVES)? else { return Ok(None) };
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

    /// Whether there is a state of a case in which all holds that a question asks for.
    pub fn can_be(&mut self, question: &Question, from: Case) -> Result<bool, TooMany> {
        for case in self.of(question, from)? {
            if self.is_possible(&case)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a case holds in some state: alternatives may rule each other out.
    pub fn is_possible(&mut self, case: &Case) -> Result<bool, TooMany> {
        let mut open = vec![case.clone()];
        while let Some(mut case) = open.pop() {
            spend(self.work, 1 + case.either.iter().map(Vec::len).sum::<usize>())?;
            if !case.simplify(self.model) {
                continue;
            }
            let Some(any) = case.either.pop() else { return Ok(true) };
            for all in any.iter().rev() {
                let mut one = case.clone();
                if all.iter().all(|(var, values)| one.narrow(self.model, *var, values)) {
                    open.push(one);
                }
            }
        }
        Ok(false)
    }

    /// Decides what can be decided: nothing if the case cannot be, a variable to be tried if there is more to decide.
    fn settle(
        &mut self,
        case: &mut Case,
        when: &mut Vec<Asked>,
        then: &mut Vec<(Var, Asked)>,
        cost: Option<&Asked>,
    ) -> Result<Option<Option<Var>>, TooMany> {
        let mut tally: BTreeMap<Var, usize> = BTreeMap::new();
        let mut together = |one: Var, other: Var| {
            *tally.entry(one).or_default() += 1;
            *tally.entry(other).or_default() += 1;
        };
        let mut left = Vec::new();
        for asked in when.drain(..) {
            match self.decide(&asked, case)? {
                Decided::Always(true) => {}
                Decided::Always(false) => return Ok(None),
                Decided::By(var, values) => {
                    if !case.narrow(self.model, var, &values) {
                        return Ok(None);
                    }
                }
                Decided::Together(one, other) => {
                    together(one, other);
                    left.push(asked);
                }
            }
        }
        *when = left;
        let mut open = Vec::new();
        for (target, asked) in then.drain(..) {
            match self.assign(target, &asked, case)? {
                Ok(Some(source)) => {
                    case.effects.insert(target, source);
                }
                Ok(None) => return Ok(None),
                Err((one, other)) => {
                    together(one, other);
                    open.push((target, asked));
                }
            }
        }
        *then = open;
        if let Some(asked) = cost {
            match self.work_out(asked, case, &[])? {
                Ok(Term::Number(cost)) => case.cost = cost,
                Ok(_) | Err(Fail::Undefined | Fail::TooLong) => return Ok(None),
                Err(Fail::Unknown(var)) => together(var, var),
            }
        }
        let most = tally.values().copied().max();
        Ok(Some(tally.into_iter().find(|&(_, count)| Some(count) == most).map(|(var, _)| var)))
    }

    /// What an expression is worth in a case, and where some more variables are known.
    fn work_out(&mut self, asked: &Asked, case: &Case, known: &[(Var, Value)]) -> Result<Result<Term, Fail>, TooMany> {
        spend(self.work, 1)?;
        let look = |var: Var| {
            let known = known.iter().find(|(known, _)| *known == var).map(|&(_, value)| value);
            known.or_else(|| case.values(self.model, var).only())
        };
        let scene = self.model.scene_within(&look, *self.work);
        let worth = scene.value(asked.expr, &mut asked.parameters.clone());
        *self.work = scene.left.get();
        if worth == Err(Fail::TooLong) { Err(TooMany::Work) } else { Ok(worth) }
    }

    fn decide(&mut self, asked: &Asked, case: &Case) -> Result<Decided, TooMany> {
        let var = match self.work_out(asked, case, &[])? {
            Ok(term) => return Ok(Decided::Always(term == Term::Truth(asked.truth))),
            Err(Fail::Undefined | Fail::TooLong) => return Ok(Decided::Always(false)),
            Err(Fail::Unknown(var)) => var,
        };
        let mut values = Values::NONE;
        for value in case.values(self.model, var).iter() {
            match self.work_out(asked, case, &[(var, value)])? {
                Ok(Term::Truth(truth)) if truth == asked.truth => values.insert(value),
                Ok(_) | Err(Fail::Undefined | Fail::TooLong) => {}
                Err(Fail::Unknown(other)) => return Ok(Decided::Together(var, other)),
            }
        }
        Ok(Decided::By(var, values))
    }

    /// What a variable becomes; nothing if the case cannot be, two variables if both decide it.
    fn assign(
        &mut self,
        target: Var,
        asked: &Asked,
        case: &mut Case,
    ) -> Result<Result<Option<Source>, (Var, Var)>, TooMany> {
        let var = match self.work_out(asked, case, &[])? {
            Ok(term) => return Ok(Ok(self.model.world.value(target, &term).map(Source::Value))),
            Err(Fail::Undefined | Fail::TooLong) => return Ok(Ok(None)),
            Err(Fail::Unknown(var)) => var,
        };
        let mut values = Values::NONE;
        let mut table = vec![0; self.model.world.values[var].len()];
        for value in case.values(self.model, var).iter() {
            match self.work_out(asked, case, &[(var, value)])? {
                Ok(term) => {
                    if let Some(becomes) = self.model.world.value(target, &term) {
                        values.insert(value);
                        table[usize::from(value)] = becomes;
                    }
                }
                Err(Fail::Undefined | Fail::TooLong) => {}
                Err(Fail::Unknown(other)) => return Ok(Err((var, other))),
            }
        }
        if !case.narrow(self.model, var, &values) {
            return Ok(Ok(None));
        }
        Ok(Ok(Some(Source::Of(var, table.into()))))
    }
}

#[cfg(test)]
mod tests;
