//! Tests whether expressions can hold together, by a backtracking search over reachable values.
//!
//! The search branches only on variables that an expression needs, and prunes as soon as one expression fails. Its work
//! is limited: if that is not enough it gives no answer, and no warning is issued.

use super::Review;
use crate::expression::{EvalError, Evaluator, Expr, Kind, Operation, Term, Unknown};
use crate::task::{Value, Values, Var};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The most work for the rules of a file, and again for its goals: evaluations and reads of variables.
const MOST_WORK: u64 = 400_000;

/// The deepest level of the search.
const DEEPEST: usize = 48;

/// A requirement on the value of an expression.
#[derive(Clone, Copy)]
pub(super) enum Requirement {
    /// The expression is true.
    IsTrue,
    /// The expression is one of the values of this variable.
    Fits(Var),
    /// The expression is a number.
    IsNumber,
}

/// An expression with its parameters, and the requirement on its value.
#[derive(Clone)]
pub(super) struct Query<'a> {
    pub expr: &'a Expr,
    pub parameters: Vec<Term>,
    pub requirement: Requirement,
}

pub(super) struct Trial<'a> {
    review: &'a Review<'a>,
    pub steps_left: u64,
}

/// The truth of an expression over a superset of the reachable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Always,
    Never,
    Perhaps,
}

impl<'a> Trial<'a> {
    pub fn new(review: &'a Review<'a>) -> Trial<'a> {
        Trial { review, steps_left: MOST_WORK }
    }

    /// Deducts work; `None` if not enough is left.
    pub fn spend(&mut self, work: usize) -> Option<()> {
        self.steps_left = self.steps_left.checked_sub(work as u64)?;
        Some(())
    }

    /// Returns whether all requirements can be met together, given restrictions on some variables; `None` if that takes
    /// too much work.
    pub fn can_hold(&mut self, all: &[Query], narrowed: &BTreeMap<Var, Values>) -> Option<bool> {
        self.search(all, narrowed, &mut BTreeMap::new())
    }

    fn search(
        &mut self,
        all: &[Query],
        narrowed: &BTreeMap<Var, Values>,
        known: &mut BTreeMap<Var, Value>,
    ) -> Option<bool> {
        let mut open = None;
        for query in all {
            match self.value(query, narrowed, known)? {
                Ok(false) => return Some(false),
                Ok(true) => {}
                Err(var) => open = open.or(Some(var)),
            }
        }
        let Some(var) = open else { return Some(true) };
        if known.len() == DEEPEST {
            return None;
        }
        for value in narrowed.get(&var).unwrap_or(&self.review.reached[var]).iter() {
            known.insert(var, value);
            let found = self.search(all, narrowed, known);
            if found != Some(false) {
                return found;
            }
            known.remove(&var);
        }
        Some(false)
    }

    /// Returns whether a requirement is met, or a variable that it depends on; `None` if that takes too much work.
    fn value(
        &mut self,
        query: &Query,
        narrowed: &BTreeMap<Var, Values>,
        known: &BTreeMap<Var, Value>,
    ) -> Option<Result<bool, Var>> {
        let reads = Cell::new(1);
        let reached = &self.review.reached;
        let lookup = |var: Var| {
            reads.set(reads.get() + 1);
            known.get(&var).copied().or_else(|| narrowed.get(&var).unwrap_or(&reached[var]).only())
        };
        let world = &self.review.model.world;
        let evaluator = Evaluator::new(world, &lookup, self.steps_left);
        let value = evaluator.value(query.expr, &mut query.parameters.clone());
        self.steps_left = evaluator.steps_left.get();
        self.spend(reads.get())?;
        match (value, query.requirement) {
            (Err(EvalError::TooLong | EvalError::Unknown(Unknown::Counter(_))), _) => None,
            (Err(EvalError::Undefined), _) => Some(Ok(false)),
            (Err(EvalError::Unknown(Unknown::Variable(var))), _) => Some(Err(var)),
            (Ok(term), Requirement::IsTrue) => Some(Ok(term == Term::Truth(true))),
            (Ok(term), Requirement::Fits(var)) => Some(Ok(world.value(var, &term).is_some())),
            (Ok(term), Requirement::IsNumber) => Some(Ok(term.as_number().is_some())),
        }
    }

    /// Returns the truth of an expression without parameters.
    pub fn holds(&mut self, expr: &Expr) -> Holds {
        let query = Query { expr, parameters: Vec::new(), requirement: Requirement::IsTrue };
        match self.can_fail(&query, &mut BTreeMap::new()) {
            Some(false) => return Holds::Always,
            None => return Holds::Perhaps,
            Some(true) => {}
        }
        match self.can_hold(&[query], &BTreeMap::new()) {
            Some(false) => Holds::Never,
            _ => Holds::Perhaps,
        }
    }

    /// Returns whether a requirement can fail; `None` if that takes too much work.
    fn can_fail(&mut self, query: &Query, known: &mut BTreeMap<Var, Value>) -> Option<bool> {
        let var = match self.value(query, &BTreeMap::new(), known)? {
            Ok(is) => return Some(!is),
            Err(_) if known.len() == DEEPEST => return None,
            Err(var) => var,
        };
        for value in self.review.reached[var].iter() {
            known.insert(var, value);
            let found = self.can_fail(query, known);
            if found != Some(false) {
                return found;
            }
            known.remove(&var);
        }
        Some(false)
    }
}

/// Splits a conjunction into its operands.
pub(super) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        Kind::Binary(Operation::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![expr],
    }
}
