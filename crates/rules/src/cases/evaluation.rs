//! Evaluates expressions in a case, and decides what one more value would tell.

use super::{Case, CaseSplitter, Decision, SignedExpr, TooMany, spend};
use crate::counting::Known;
use crate::expression::{Counted, EvalError, Term, Unknown};
use crate::task::{Source, Value, Values, Var};
use std::cell::Cell;

/// The number of subexpressions that an evaluation takes without a further step of work.
const EVALUATED_FREELY: u64 = 64;

/// The number of further subexpressions that one step of work evaluates.
const EVALUATED_PER_STEP: u64 = 8;

/// An assumption of an evaluation besides its case.
#[derive(Clone, Copy)]
pub(super) enum Assumed {
    Value(Var, Value),
    Number(usize, u32),
}

impl CaseSplitter<'_> {
    /// Evaluates an expression in a case, with one more variable or counter known.
    pub(super) fn evaluate(
        &mut self,
        signed: &SignedExpr,
        case: &Case,
        known: Option<Assumed>,
    ) -> Result<Result<Term, EvalError>, TooMany> {
        spend(self.work, 1)?;
        let lookup = |var: Var| match known {
            Some(Assumed::Value(of, value)) if of == var => Some(value),
            _ => case.values(self.scope.model, var).only(),
        };
        let values = |var: Var| lookup(var).map_or_else(|| case.values(self.scope.model, var), Values::one);
        let (with, number) = match known {
            Some(Assumed::Value(var, value)) => (Some((var, value)), None),
            Some(Assumed::Number(counter, number)) => (None, Some((counter, number))),
            None => (None, None),
        };
        let range = |counter: usize| case.range_of(self.scope.counters, counter, with);
        let known = Known { values: &values, range: &range, number };
        let count_of = |count: Counted, steps_left: &Cell<u64>| self.scope.counters.count(count, &known, steps_left);
        let mut evaluator = self.scope.model.evaluator(&lookup, *self.work);
        evaluator.count_of = Some(&count_of);
        let value = evaluator.value(signed.expr, &mut signed.parameters.clone());
        // Iterations of quantifiers are deducted already.
        let further = evaluator.evaluated.get().saturating_sub(EVALUATED_FREELY);
        let long = self.work.saturating_sub(further / EVALUATED_PER_STEP);
        *self.work = evaluator.steps_left.get().min(long);
        if value == Err(EvalError::TooLong) { Err(TooMany::Work) } else { Ok(value) }
    }

    pub(super) fn decide(&mut self, signed: &SignedExpr, case: &Case) -> Result<Decision, TooMany> {
        let var = match self.evaluate(signed, case, None)? {
            Ok(term) => return Ok(Decision::Constant(term == Term::Truth(signed.truth))),
            Err(EvalError::Undefined | EvalError::TooLong) => return Ok(Decision::Constant(false)),
            Err(EvalError::Unknown(Unknown::Variable(var))) => var,
            Err(EvalError::Unknown(Unknown::Counter(counter))) => return self.decide_by_number(signed, case, counter),
        };
        let mut values = Values::NONE;
        for value in case.values(self.scope.model, var).iter() {
            match self.evaluate(signed, case, Some(Assumed::Value(var, value)))? {
                Ok(Term::Truth(truth)) if truth == signed.truth => _ = values.insert(value),
                Ok(_) | Err(EvalError::Undefined | EvalError::TooLong) => {}
                Err(EvalError::Unknown(other)) => return Ok(Decision::Depends(Unknown::Variable(var), other)),
            }
        }
        Ok(Decision::Restricts(var, values))
    }

    /// Finds the effect of an assignment: `Ok(None)` if the case is contradictory, two unknowns if the value depends
    /// on both.
    pub(super) fn assign(
        &mut self,
        target: Var,
        signed: &SignedExpr,
        case: &mut Case,
    ) -> Result<Result<Option<Source>, (Unknown, Unknown)>, TooMany> {
        let var = match self.evaluate(signed, case, None)? {
            Ok(term) => return Ok(Ok(self.scope.model.world.value(target, &term).map(Source::Value))),
            Err(EvalError::Undefined | EvalError::TooLong) => return Ok(Ok(None)),
            Err(EvalError::Unknown(Unknown::Variable(var))) => var,
            Err(EvalError::Unknown(counter)) => return Ok(Err((counter, counter))),
        };
        let mut values = Values::NONE;
        let mut table = vec![0; self.scope.model.world.values[var].len()];
        for value in case.values(self.scope.model, var).iter() {
            match self.evaluate(signed, case, Some(Assumed::Value(var, value)))? {
                Ok(term) => {
                    if let Some(becomes) = self.scope.model.world.value(target, &term) {
                        values.insert(value);
                        table[usize::from(value)] = becomes;
                    }
                }
                Err(EvalError::Undefined | EvalError::TooLong) => {}
                Err(EvalError::Unknown(other)) => return Ok(Err((Unknown::Variable(var), other))),
            }
        }
        if !case.narrow(self.scope.model, var, &values) {
            return Ok(Ok(None));
        }
        Ok(Ok(Some(Source::Table(var, table.into()))))
    }
}
