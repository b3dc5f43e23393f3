//! Tests whether expressions can hold together, by a backtracking search over reachable values.
//!
//! The search branches only on variables that an expression needs, and prunes as soon as one expression fails. Its work
//! is limited: if that is not enough it gives no answer, and no warning is issued.

use super::Review;
use crate::expression::{Expr, Fail, Kind, Operation, Scene, Term};
use crate::task::{Value, Values, Var};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The most work for the rules of a file, and again for its goals: evaluations and reads of variables.
const MOST_WORK: u64 = 400_000;

/// The deepest level of the search.
const MOST_TRIED: usize = 48;

/// A requirement on the value of an expression.
#[derive(Clone, Copy)]
pub(super) enum Wish {
    /// The expression is true.
    Holds,
    /// The expression is one of the values of this variable.
    Fits(Var),
    /// The expression is a number.
    Number,
}

/// An expression with its parameters, and the requirement on its value.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    pub expr: &'a Expr,
    pub parameters: Vec<Term>,
    pub wish: Wish,
}

pub(super) struct Trial<'a> {
    review: &'a Review<'a>,
    pub left: u64,
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
        Trial { review, left: MOST_WORK }
    }

    /// Deducts work; `None` if not enough is left.
    pub fn take(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work as u64)?;
        Some(())
    }

    /// Returns whether all requirements can be met together, given restrictions on some variables; `None` if that takes
    /// too much work.
    pub fn can(&mut self, all: &[Asked], narrowed: &BTreeMap<Var, Values>) -> Option<bool> {
        self.search(all, narrowed, &mut BTreeMap::new())
    }

    fn search(
        &mut self,
        all: &[Asked],
        narrowed: &BTreeMap<Var, Values>,
        known: &mut BTreeMap<Var, Value>,
    ) -> Option<bool> {
        let mut open = None;
        for asked in all {
            match self.value(asked, narrowed, known)? {
                Ok(false) => return Some(false),
                Ok(true) => {}
                Err(var) => open = open.or(Some(var)),
            }
        }
        let Some(var) = open else { return Some(true) };
        if known.len() == MOST_TRIED {
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
        asked: &Asked,
        narrowed: &BTreeMap<Var, Values>,
        known: &BTreeMap<Var, Value>,
    ) -> Option<Result<bool, Var>> {
        let looks = Cell::new(1);
        let reached = &self.review.reached;
        let look = |var: Var| {
            looks.set(looks.get() + 1);
            known.get(&var).copied().or_else(|| narrowed.get(&var).unwrap_or(&reached[var]).only())
        };
        let world = &self.review.model.world;
        let scene = Scene { world, look: &look, left: self.left.into() };
        let value = scene.value(asked.expr, &mut asked.parameters.clone());
        self.left = scene.left.get();
        self.take(looks.get())?;
        match (value, asked.wish) {
            (Err(Fail::TooLong), _) => None,
            (Err(Fail::Undefined), _) => Some(Ok(false)),
            (Err(Fail::Unknown(var)), _) => Some(Err(var)),
            (Ok(term), Wish::Holds) => Some(Ok(term == Term::Truth(true))),
            (Ok(term), Wish::Fits(var)) => Some(Ok(world.value(var, &term).is_some())),
            (Ok(term), Wish::Number) => Some(Ok(term.as_number().is_some())),
        }
    }

    /// Returns the truth of an expression without parameters.
    pub fn holds(&mut self, expr: &Expr) -> Holds {
        let asked = Asked { expr, parameters: Vec::new(), wish: Wish::Holds };
        match self.fails(&asked, &mut BTreeMap::new()) {
            Some(false) => return Holds::Always,
            None => return Holds::Perhaps,
            Some(true) => {}
        }
        match self.can(&[asked], &BTreeMap::new()) {
            Some(false) => Holds::Never,
            _ => Holds::Perhaps,
        }
    }

    /// Returns whether a requirement can fail; `None` if that takes too much work.
    fn fails(&mut self, asked: &Asked, known: &mut BTreeMap<Var, Value>) -> Option<bool> {
        let var = match self.value(asked, &BTreeMap::new(), known)? {
            Ok(is) => return Some(!is),
            Err(_) if known.len() == MOST_TRIED => return None,
            Err(var) => var,
        };
        for value in self.review.reached[var].iter() {
            known.insert(var, value);
            let found = self.fails(asked, known);
            if found != Some(false) {
                return found;
            }
            known.remove(&var);
        }
        Some(false)
    }
}

/// Splits a conjunction into its operands.
pub(super) fn conjuncts<'a>(expr: &'a Expr, into: &mut Vec<&'a Expr>) {
    match &expr.kind {
        Kind::Binary(Operation::And, left, right) => {
            conjuncts(left, into);
            conjuncts(right, into);
        }
        _ => into.push(expr),
    }
}
