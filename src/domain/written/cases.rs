//! Conditions and assignments, taken apart into cases: in each case every variable has a set of values by itself.
//!
//! An expression that looks at one variable narrows its values. One that looks at several is decided by trying the values
//! of the variable that most of them look at, each a case of its own, until nothing is left to decide. Cases exclude each
//! other. So rules become operators of masks and tables, and a search never works out an expression.

use super::expression::{Expr, Fail, Kind, Operation, Quantifier, Term};
use super::model::Model;
use super::task::{Source, Value, Values, Var};
use crate::domain::Means;
use std::collections::BTreeMap;

/// An expression with the parameters that it is to be worked out with.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    pub expr: &'a Expr,
    pub parameters: Vec<Term>,
}

/// A case: what variables may be, and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Case {
    /// Variables without an entry may be anything.
    pub conditions: BTreeMap<Var, Values>,
    pub effects: BTreeMap<Var, Source>,
    pub cost: i64,
}

/// More cases, or more work to find them, than are allowed; or limits ended it, which whoever set them asks first.
#[derive(Debug)]
pub(super) struct TooMany;

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
    pub means: &'a Means,
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
        let all = || Values::below(model.world.values[var].len());
        self.conditions.get(&var).copied().unwrap_or_else(all)
    }

    /// Keeps only these values of a variable; false if none is left.
    pub fn narrow(&mut self, model: &Model, var: Var, to: &Values) -> bool {
        let values = self.values(model, var).and(to);
        self.conditions.insert(var, values);
        !values.is_empty()
    }
}

/// Splits what must hold together, so that each part can be decided by itself.
pub(super) fn parts<'a>(
    model: &Model,
    asked: Asked<'a>,
    work: &mut u64,
    into: &mut Vec<Asked<'a>>,
) -> Result<(), TooMany> {
    match &asked.expr.kind {
        Kind::Binary(Operation::And, left, right) => {
            parts(model, Asked { expr: left, parameters: asked.parameters.clone() }, work, into)?;
            parts(model, Asked { expr: right, parameters: asked.parameters }, work, into)?;
        }
        Kind::Quantified(Quantifier::All, _, over, body) => {
            let scene = model.scene_within(&|_| None, *work);
            let terms = scene.over(over, &mut asked.parameters.clone());
            *work = scene.left.get();
            match terms {
                Ok(terms) => {
                    let copied = terms.len() * (1 + asked.parameters.len());
                    *work = work.checked_sub(copied as u64).ok_or(TooMany)?;
                    for term in terms {
                        let parameters = [&asked.parameters[..], &[term]].concat();
                        parts(model, Asked { expr: body, parameters }, work, into)?;
                    }
                }
                Err(Fail::TooLong) => return Err(TooMany),
                Err(Fail::Undefined | Fail::Unknown(_)) => into.push(asked),
            }
        }
        _ => into.push(asked),
    }
    Ok(())
}

impl Cases<'_> {
    /// The cases in which all holds that a question asks for.
    pub fn of(&mut self, question: &Question, from: Case) -> Result<Vec<Case>, TooMany> {
        let mut found = Vec::new();
        let mut open = vec![(from, question.when.clone(), question.then.clone())];
        while let Some((mut case, mut when, mut then)) = open.pop() {
            let Some(split) = self.settle(&mut case, &mut when, &mut then, question.cost.as_ref())? else { continue };
            match split {
                None => found.push(case),
                Some(var) => {
                    // The first value is taken first. What is still to be decided is kept with each.
                    let values: Vec<Value> = case.values(self.model, var).iter().collect();
                    let kept = values.len() * (when.len() + then.len() + case.conditions.len());
                    *self.work = self.work.checked_sub(kept as u64).ok_or(TooMany)?;
                    for value in values.into_iter().rev() {
                        let mut one = case.clone();
                        one.conditions.insert(var, Values::one(value));
                        open.push((one, when.clone(), then.clone()));
                    }
                }
            }
            if found.len() + open.len() > self.most || self.means.is_over() {
                return Err(TooMany);
            }
        }
        Ok(found)
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
                Ok(term) => case.cost = term.as_number().unwrap_or(-1),
                Err(Fail::Undefined | Fail::TooLong) => return Ok(None),
                Err(Fail::Unknown(var)) => together(var, var),
            }
        }
        let most = tally.values().copied().max();
        Ok(Some(tally.into_iter().find(|&(_, count)| Some(count) == most).map(|(var, _)| var)))
    }

    /// What an expression is worth in a case, and where some more variables are known.
    fn work_out(&mut self, asked: &Asked, case: &Case, known: &[(Var, Value)]) -> Result<Result<Term, Fail>, TooMany> {
        *self.work = self.work.checked_sub(1).ok_or(TooMany)?;
        let look = |var: Var| {
            let known = known.iter().find(|(known, _)| *known == var).map(|&(_, value)| value);
            known.or_else(|| case.values(self.model, var).only())
        };
        let scene = self.model.scene_within(&look, *self.work);
        let worth = scene.value(asked.expr, &mut asked.parameters.clone());
        *self.work = scene.left.get();
        if worth == Err(Fail::TooLong) { Err(TooMany) } else { Ok(worth) }
    }

    fn decide(&mut self, asked: &Asked, case: &Case) -> Result<Decided, TooMany> {
        let var = match self.work_out(asked, case, &[])? {
            Ok(term) => return Ok(Decided::Always(term == Term::Truth(true))),
            Err(Fail::Undefined | Fail::TooLong) => return Ok(Decided::Always(false)),
            Err(Fail::Unknown(var)) => var,
        };
        let mut values = Values::NONE;
        for value in case.values(self.model, var).iter() {
            match self.work_out(asked, case, &[(var, value)])? {
                Ok(Term::Truth(true)) => values.insert(value),
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
