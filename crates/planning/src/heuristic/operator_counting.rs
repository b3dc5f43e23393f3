//! Operator counting: how often each operator is made at least, by a linear program for each state (Pommerening, Röger,
//! Helmert and Bonet, LP-based heuristics for cost-optimal planning, ICAPS 2014).
//!
//! Its constraints are what all solutions have in common. By the state equation, each fact is produced as often as it
//! is consumed, but for the difference between the state and the goal (van den Briel, Benton, Kambhampati and Vossen
//! 2007; Bonet 2013). And of each landmark of [`LmCut`](super::lm_cut), at least one operator is made. The least cost
//! of counts that satisfy these is a lower bound.
//!
//! The dual program is solved instead: its solution, rounded and checked in whole numbers, is a proof. There, the state
//! equation is a potential function for this one state, and each landmark takes a share of the cost of its operators.
//! So no bound is less than that of potentials for the state, or than that of the cuts. A state for which a potential
//! function without costs exceeds all goals is a dead end. h is not consistent.

use super::facts::{Facts, Loss, loss};
use super::lm_cut::{LmCut, UNREACHABLE};
use super::potentials::{Function, Landmarks, LossBound, Program};
use super::{DEAD, Heuristic, Proof, Registration};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Task, Value};
use std::sync::Arc;

/// The registration of operator counting.
pub static OPERATOR_COUNTING: Registration = Registration {
    facts: HeuristicFacts {
        name: "operator-counting",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "the least cost of numbers of moves that satisfy the state equation and contain the landmarks of \
                  `lm-cut`, by a linear program for each state (Pommerening and others 2014)",
        because: "the moves of every solution satisfy both",
    },
    build: |task, context| Ok(Arc::new(OperatorCounting::new(&task.reduced.task, context)?)),
    refuses: |task, context| OPERATOR_COUNTING.cannot_be_built(task, context),
};

/// With more rows, each evaluation takes too long: a tenth of a second for 1200.
const MOST_ROWS: usize = 2_500;

/// The most operators: each has a loss of its own.
const MOST_OPERATORS: usize = 20_000;

/// The constraints that all states share.
pub struct OperatorCounting {
    facts: Facts,
    /// The first fact of each variable.
    first: Vec<u32>,
    program: Program,
    landmarks: LmCut,
    /// The loss and the cost of each operator.
    losses: Vec<(Loss, u32)>,
    /// An evaluation ends with the search that it is for.
    context: BuildContext,
}

impl OperatorCounting {
    pub fn new(task: &Task, context: &BuildContext) -> Result<OperatorCounting, String> {
        if task.operators.len() > MOST_OPERATORS {
            return Err(format!("{} operators are too many for a linear program in each state", task.operators.len()));
        }
        let facts = Facts::new(task);
        let program = Program::new(task, &facts, context)?;
        let rows = program.rows(&program.goals);
        if rows > MOST_ROWS {
            return Err(format!("{rows} inequalities are too many for a linear program in each state"));
        }
        let landmarks = LmCut::new(task, context)?;
        let first = (0..task.variables.len()).map(|var| facts.number(var, 0) as u32).collect();
        let losses = { task.operators.iter() }.map(|operator| (loss(task, &facts, operator), operator.cost)).collect();
        let context = BuildContext { stop: context.stop.clone(), ..BuildContext::default() };
        Ok(OperatorCounting { facts, first, program, landmarks, losses, context })
    }

    /// Returns the least cost of counts, by the state equation and some landmarks; `None` if the program is unsolved.
    fn least(&self, state: &[Value], landmarks: &Landmarks) -> Option<u32> {
        let (goals, form) = (&self.program.goals, [self.facts.state(state)]);
        let solved = self.program.function_and_shares(goals, &form, LossBound::Costs, landmarks, &self.context);
        solved.map(|(function, shares)| function.bound(&self.first, state, shares))
    }

    /// Returns a weighted sum that no operator lowers, and that is greater in the state than in all goals.
    fn weights(&self, state: &[Value]) -> Option<Function> {
        let (goals, form) = (&self.program.goals, [self.facts.state(state)]);
        let function = self.program.function(goals, &form, LossBound::Nothing, &self.context)?;
        (function.excess(&self.first, state) > 0).then_some(function)
    }
}

impl Heuristic for OperatorCounting {
    /// Returns the lower bound; that of the cuts alone if a limit ends the search in the meantime.
    fn h(&self, state: &[Value]) -> u32 {
        let (h, landmarks) = self.landmarks.landmarks(state);
        if h == DEAD {
            return DEAD;
        }
        match self.least(state, &Landmarks::new(&landmarks, &self.losses)) {
            Some(least) => least.max(h),
            // The program is unbounded where the counts have no solution.
            None if self.weights(state).is_some() => DEAD,
            None => h,
        }
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        Some(match self.weights(state).map(|function| function.refutation(&self.first)) {
            Some((weights, goal)) => Proof::Potential(weights, goal),
            None => Proof::Words(UNREACHABLE),
        })
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        let forms = |loss: &Loss| loss.constant.len() + loss.parts.iter().flatten().map(Vec::len).sum::<usize>();
        let losses: usize = self.losses.iter().map(|(loss, _)| size_of::<Loss>() + 16 * forms(loss)).sum();
        self.landmarks.bytes() + losses as u64
    }

    fn describe(&self) -> String {
        let rows = self.program.rows(&self.program.goals);
        format!("{rows} inequalities for each state, and landmarks from {}", self.landmarks.describe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::tests::distances;
    use crate::heuristic::tests::puzzles::{freight, river, sokoban, tiles};

    #[test]
    fn bounds_are_at_least_those_of_either_constraint_and_some_are_more() {
        let mut more = 0;
        for task in [tiles(3, 2), freight(&[1, 2], &[2, 0], 4), river(), sokoban(&["@  $ .", " $   ."], 0)] {
            let counting = OperatorCounting::new(&task, &BuildContext::default()).expect("it applies");
            for (state, distance) in distances(&task).into_iter().step_by(7) {
                let Some(distance) = distance else { continue };
                let h = counting.h(&state);
                let cuts = counting.landmarks.h(&state);
                let equation = counting.least(&state, &Landmarks::default()).unwrap_or(0);
                assert!(h <= distance && h >= cuts.max(equation), "{cuts}, {equation}, {h}, {distance} at {state:?}");
                more += u32::from(h > cuts.max(equation));
            }
        }
        assert!(more > 4, "in {more} states both together prove more");
    }
}
