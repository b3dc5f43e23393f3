//! Potential heuristics: the sum of a weight for each value of each variable.
//!
//! No operator lowers the sum by more than its cost, and the sum is at most 0 in every goal. Summed along a path to a
//! goal, this bounds the sum by the cost of the path: the heuristic is admissible and consistent. The best weights for
//! a state solve a linear program (Pommerening, Helmert, Röger and Seipp, From non-negative to general operator cost
//! partitioning, AAAI 2015). One program maximizes the start, one the average of sampled states (Seipp, Pommerening and
//! Helmert, New optimization functions for potential heuristics, ICAPS 2015). h is the maximum, rounded up.
//!
//! With costs replaced by 0, the sum never falls along a path: a state with a sum above 0 is a dead end. In peg
//! solitaire these are Conway's pagoda functions (Berlekamp, Conway and Guy, Winning Ways, 1982). They are computed for
//! the ends of sampled random walks.
//!
//! The program is solved in floating point, but soundness does not depend on that. Weights are rounded to whole numbers
//! over a scale, and all conditions are checked again in whole numbers. Weights that violate one are discarded.

mod landmarks;
mod program;
mod rational;
mod refuting;
mod repair;

use super::facts::{Facts, Form};
use super::{DEAD, Heuristic, Proof, Registration, limit_message, sample};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::lifting::FactWeights;
use crate::task::{Task, Value, Variable};
use engine_search::space::Parts;
pub(super) use landmarks::Landmarks;
pub(super) use program::{LossBound, Program};
pub(crate) use rational::gcd;
pub(crate) use refuting::{Refuting, refuting_potentials};
use std::sync::Arc;

/// The registration of potentials.
pub static POTENTIALS: Registration = Registration {
    facts: HeuristicFacts {
        name: "potentials",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "a weight for each value of each variable, by linear programming (Pommerening, Helmert, Röger, \
                  Seipp 2015): the sum of the weights is a lower bound on the remaining cost",
        because: "no move lowers the sum by more than its cost, and at a goal the sum is at most 0; both are \
                  checked in integers",
    },
    build: |task, context| Ok(Arc::new(Potentials::new(&task.reduced.task, context)?)),
    refuses: |_, _| None,
};

/// The most dead-end functions.
const MOST_DEAD_ENDS: usize = 8;

/// The most rows of all programs for dead ends together.
const DEAD_END_ROWS: usize = 8_000;

/// Potential functions of a task.
pub struct Potentials {
    /// The first fact of each variable.
    first: Box<[u32]>,
    /// The functions that detect dead ends come first.
    functions: Vec<Function>,
    dead_ends: usize,
    rows: usize,
}

/// A potential function, compared with its maximum over goals.
pub(super) struct Function {
    /// The weight of each fact.
    weights: Box<[i32]>,
    /// The maximum of the sum over goals.
    goal: i64,
    /// The denominator of the weights.
    scale: i64,
}

impl Function {
    /// Returns the sum minus its maximum over goals, in units of 1/scale.
    #[inline]
    pub fn excess(&self, first: &[u32], state: &[Value]) -> i64 {
        let facts = first.iter().zip(state).map(|(&first, &value)| first as usize + usize::from(value));
        facts.map(|fact| i64::from(self.weights[fact])).sum::<i64>() - self.goal
    }

    /// Returns the least whole number of costs that weights and shares of landmarks prove for a state.
    pub fn bound(&self, first: &[u32], state: &[Value], shares: i64) -> u32 {
        let sum = self.excess(first, state) + shares;
        (sum.max(0) as u64).div_ceil(self.scale as u64).min(u64::from(DEAD - 1)) as u32
    }

    /// Returns the weights by variable and value, and the maximum of their sum over goals.
    pub fn refutation(&self, first: &[u32]) -> (FactWeights, i64) {
        (self.by_variable(first), self.goal)
    }

    /// Returns the weights by variable and value.
    fn by_variable(&self, first: &[u32]) -> FactWeights {
        let ends = first.iter().skip(1).copied().chain([self.weights.len() as u32]);
        let of = |(&first, end): (&u32, u32)| {
            self.weights[first as usize..end as usize].iter().map(|&weight| weight.into()).collect()
        };
        first.iter().zip(ends).map(of).collect()
    }
}

impl Potentials {
    pub(super) fn new(task: &Task, context: &BuildContext) -> Result<Potentials, String> {
        let facts = Facts::new(task);
        let program = Program::new(task, &facts, context)?;
        program.check_size()?;
        let goals = &program.goals;
        let first = (0..task.variables.len()).map(|var| facts.number(var, 0) as u32).collect();
        let mut all = Potentials { first, functions: Vec::new(), dead_ends: 0, rows: program.rows(goals) };
        let samples = sample::states(task, context);
        all.find_dead_ends(&program, task, &facts, &samples, context);
        all.dead_ends = all.functions.len();
        if !all.is_dead(&task.start) {
            all.add(program.function(goals, &[facts.state(&task.start)], LossBound::Costs, context));
        }
        let live: Vec<Form> =
            samples.iter().filter(|state| !all.is_dead(state)).map(|state| facts.state(state)).collect();
        if !live.is_empty() {
            all.add(program.function(goals, &live, LossBound::Costs, context));
        }
        if context.should_stop() {
            return Err(limit_message());
        }
        if all.functions.is_empty() {
            return Err("no weights give a lower bound above 0".to_owned());
        }
        Ok(all)
    }

    /// Adds a function unless it is constant.
    fn add(&mut self, function: Option<Function>) {
        self.functions.extend(function.filter(|function| function.weights.iter().any(|&weight| weight != 0)));
    }

    /// Finds dead-end functions for the start and some of the samples.
    fn find_dead_ends(
        &mut self,
        program: &Program,
        task: &Task,
        facts: &Facts,
        samples: &[Vec<Value>],
        context: &BuildContext,
    ) {
        let tries = (DEAD_END_ROWS / program.rows(&program.goals).max(1)).clamp(1, 24);
        let every = samples.len().div_ceil(tries).max(1);
        for state in [&task.start].into_iter().chain(samples.iter().step_by(every)) {
            self.dead_ends = self.functions.len();
            if self.dead_ends == MOST_DEAD_ENDS || self.is_dead(&task.start) || context.should_stop() {
                break;
            }
            if !self.is_dead(state)
                && let Some(function) =
                    program.function(&program.goals, &[facts.state(state)], LossBound::Nothing, context)
                && function.excess(&self.first, state) > 0
            {
                self.functions.push(function);
            }
        }
    }

    fn is_dead(&self, state: &[Value]) -> bool {
        self.functions[..self.dead_ends].iter().any(|function| function.excess(&self.first, state) > 0)
    }
}

impl Heuristic for Potentials {
    fn h(&self, state: &[Value]) -> u32 {
        if self.is_dead(state) {
            return DEAD;
        }
        let functions = self.functions[self.dead_ends..].iter();
        functions.map(|function| function.bound(&self.first, state, 0)).max().unwrap_or(0)
    }

    fn parts(&self, task: &Task, state: &[Value]) -> Parts {
        let functions = &self.functions[self.dead_ends..];
        let greatest = functions.iter().rev().max_by_key(|function| function.bound(&self.first, state, 0));
        let Some(function) = greatest else { return Parts::default() };
        let scaled = |weight: i64| weight as f64 / function.scale as f64;
        let fact = |(var, &first): (usize, &u32)| {
            let (variable, value) = (&task.variables[var], usize::from(state[var]));
            let name = format!("{} is {}", variable.name, variable.values[value]);
            Variable::part(name, scaled(function.weights[first as usize + value].into()), [variable])
        };
        let sum = function.excess(&self.first, state);
        let rounding = f64::from(function.bound(&self.first, state, 0)) - scaled(sum);
        let rest = [("greatest sum of a goal, subtracted", scaled(-function.goal)), ("rounding up", rounding)];
        let rest = rest.map(|(name, value)| Variable::part(name.to_owned(), value, []));
        let facts = self.first.iter().enumerate().map(fact);
        Parts::sum(facts.chain(rest)).greatest_of(functions.len(), "weighted sums of facts")
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let dead_ends = self.functions[..self.dead_ends].iter();
        let function = { dead_ends }.find(|function| function.excess(&self.first, state) > 0)?;
        let (weights, goal) = function.refutation(&self.first);
        Some(Proof::Potential(weights, goal))
    }

    fn dead_end_weights(&self) -> Vec<(FactWeights, i64)> {
        self.functions[..self.dead_ends].iter().map(|function| function.refutation(&self.first)).collect()
    }

    fn bytes(&self) -> u64 {
        self.functions.iter().map(|function| function.weights.len() as u64 * 4).sum()
    }

    fn describe(&self) -> String {
        let dead_ends = match self.dead_ends {
            0 => String::new(),
            1 => ", and 1 for dead ends".to_owned(),
            more => format!(", and {more} for dead ends"),
        };
        let functions = self.functions.len() - self.dead_ends;
        format!("{functions} potential functions{dead_ends}, from {} inequalities", self.rows)
    }
}
