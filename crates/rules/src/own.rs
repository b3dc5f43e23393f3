//! Heuristics of the file: expressions over the variables, evaluated in each state.

use super::expression::{Evaluator, Expr, Kind, Quantifier};
use super::heuristic::{Heuristic, Proof};
use super::model::{Compiled, Model, OwnExpression};
use super::task::{Task, Value, lifting::Lifting};
use super::term::Term;
use engine_search::space::{CostUnit, Part, Parts};
use std::sync::Arc;

/// The most steps of the quantifiers of an evaluation.
const MOST_STEPS: u64 = 1_000_000;

/// Returns the value of an expression in a state; none if it is undefined.
pub(super) fn value(model: &Model, expr: &Expr, state: &[Value]) -> Option<i64> {
    let lookup = |var: usize| Some(state[var]);
    Evaluator::new(&model.world, &lookup, MOST_STEPS).number(expr, &mut Vec::new()).ok()
}

/// Returns the members over which an expression is a sum or a count, each with its term in a state; none if it is neither or
/// undefined.
fn terms(model: &Model, expr: &Expr, state: &[Value]) -> Option<Vec<(String, i64)>> {
    let Kind::Quantified(quantifier @ (Quantifier::Sum | Quantifier::Count), _, members, body) = &expr.kind else {
        return None;
    };
    let lookup = |var: usize| Some(state[var]);
    let evaluator = Evaluator::new(&model.world, &lookup, MOST_STEPS);
    let mut parameters = Vec::new();
    let members = evaluator.members(members, &mut parameters).ok()?;
    let term = |member: Term| {
        let name = model.world.written(&member);
        parameters.push(member);
        let term = match quantifier {
            Quantifier::Sum => evaluator.number(body, &mut parameters),
            _ => evaluator.truth(body, &mut parameters).map(i64::from),
        };
        parameters.pop();
        Some((name, term.ok()?))
    };
    members.into_iter().map(term).collect()
}

/// A heuristic of the file for the states of a reduced task.
pub(super) struct OwnOfTask {
    own: Arc<OwnExpression>,
    compiled: Arc<Compiled>,
    lifting: Arc<Lifting>,
    unit: CostUnit,
}

impl OwnOfTask {
    pub fn new(own: &Arc<OwnExpression>, compiled: &Arc<Compiled>, lifting: &Arc<Lifting>) -> OwnOfTask {
        let unit = compiled.task.cost_unit;
        OwnOfTask { own: Arc::clone(own), compiled: Arc::clone(compiled), lifting: Arc::clone(lifting), unit }
    }
}

impl Heuristic for OwnOfTask {
    fn h(&self, state: &[Value]) -> u32 {
        let state = self.lifting.state(state);
        let h = self.own.heuristic.h_of(value(&self.compiled.model, &self.own.written.expr, &state));
        self.unit.within(h)
    }

    fn parts(&self, _task: &Task, state: &[Value]) -> Parts {
        let terms = terms(&self.compiled.model, &self.own.written.expr, &self.lifting.state(state));
        let units = f64::from(self.unit.within(1));
        let part = |(name, term): (String, i64)| Part::of(name, term as f64 * units, [""; 0]);
        Parts::sum(terms.unwrap_or_default().into_iter().map(part))
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        None
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn describe(&self) -> String {
        "an expression of the file".to_owned()
    }
}
