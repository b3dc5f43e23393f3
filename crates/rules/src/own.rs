//! Heuristics of the file: expressions over the variables, evaluated in each state.

use super::expression::{Evaluator, Expr};
use super::heuristic::{Heuristic, Proof};
use super::model::{Compiled, Model, OwnExpression};
use super::task::{Value, lifting::Lifting};
use engine_search::space::CostUnit;
use std::sync::Arc;

/// The most steps of the quantifiers of an evaluation.
const MOST_STEPS: u64 = 1_000_000;

/// Returns the value of an expression in a state; none if it is undefined.
pub(super) fn value(model: &Model, expr: &Expr, state: &[Value]) -> Option<i64> {
    let lookup = |var: usize| Some(state[var]);
    Evaluator::new(&model.world, &lookup, MOST_STEPS).number(expr, &mut Vec::new()).ok()
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
