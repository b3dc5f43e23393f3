//! Potentials: a weight for each value of each variable, whose sum never says too much.
//!
//! The weights are such that no operator takes more than its cost away from their sum, and that the sum is at most 0 in
//! every goal. Then the sum is at most the cost of any way to a goal, by adding up what its operators take away: it is
//! admissible, and consistent. The best such weights for a state are the answer of a linear program (Pommerening,
//! Helmert, Röger and Seipp, From non-negative to general operator cost partitioning, AAAI 2015); one is solved for the
//! start, one for the average of states on the way (Seipp, Pommerening and Helmert, New optimization functions for
//! potential heuristics, ICAPS 2015). h is the maximum, rounded up.
//!
//! With 0 in place of the costs, the sum never falls on any way: where it is above 0, no goal can be reached. For peg
//! solitaire these are the pagoda functions of Conway (Berlekamp, Conway and Guy, Winning Ways, 1982). One is looked for
//! where walks from the start end up.
//!
//! The program is solved in floating point, and nothing rests on that: the weights are rounded to whole numbers, over a
//! scale, and every condition is checked again in whole numbers. Weights that break one are not used.

mod program;

use super::facts::{Facts, Form};
use super::{DEAD, ended, sample};
use crate::domain::BuildContext;
use crate::lifting::Weighing;
use crate::task::{Task, Value};
use program::{Program, Right};

/// The most functions for dead ends.
const MOST_DEAD_ENDS: usize = 8;

/// How many rows all programs for dead ends may have together.
const DEAD_END_ROWS: usize = 8_000;

/// Functions of a state: each a sum of weights.
pub(in super::super) struct Potentials {
    /// The number of the first fact of each variable.
    first: Box<[u32]>,
    /// Those for dead ends come first.
    functions: Vec<Function>,
    dead_ends: usize,
    rows: usize,
}

/// A sum of weights, above what a goal can have.
pub(super) struct Function {
    /// By fact.
    weights: Box<[i32]>,
    /// The most that the sum is in a goal.
    goal: i64,
    /// What counts as 1.
    scale: i64,
}

impl Function {
    /// How much the sum is above that of any goal, in units of the scale.
    #[inline]
    fn excess(&self, first: &[u32], state: &[Value]) -> i64 {
        let facts = first.iter().zip(state).map(|(&first, &value)| first as usize + usize::from(value));
        facts.map(|fact| i64::from(self.weights[fact])).sum::<i64>() - self.goal
    }
}

impl Potentials {
    pub fn new(task: &Task, context: &BuildContext) -> Result<Potentials, String> {
        let facts = Facts::new(task);
        let program = Program::new(task, &facts, context)?;
        let first = (0..task.variables.len()).map(|var| facts.number(var, 0) as u32).collect();
        let mut all = Potentials { first, functions: Vec::new(), dead_ends: 0, rows: program.rows() };
        let samples = sample::states(task, context);
        all.find_dead_ends(&program, task, &facts, &samples, context);
        all.dead_ends = all.functions.len();
        if !all.is_dead(&task.start) {
            all.add(program.function(&[facts.state(&task.start)], Right::Costs, context));
        }
        let live: Vec<Form> =
            samples.iter().filter(|state| !all.is_dead(state)).map(|state| facts.state(state)).collect();
        if !live.is_empty() {
            all.add(program.function(&live, Right::Costs, context));
        }
        if context.should_stop() {
            return Err(ended());
        }
        if all.functions.is_empty() {
            return Err("no weights of values tell anything of the distance".to_owned());
        }
        Ok(all)
    }

    /// Adds a function if it tells states from each other.
    fn add(&mut self, function: Option<Function>) {
        self.functions.extend(function.filter(|function| function.weights.iter().any(|&weight| weight != 0)));
    }

    /// Looks for functions that tell dead ends: for the start, then for some of the samples.
    fn find_dead_ends(
        &mut self,
        program: &Program,
        task: &Task,
        facts: &Facts,
        samples: &[Vec<Value>],
        context: &BuildContext,
    ) {
        let tries = (DEAD_END_ROWS / program.rows().max(1)).clamp(1, 24);
        let every = samples.len().div_ceil(tries).max(1);
        for state in [&task.start].into_iter().chain(samples.iter().step_by(every)) {
            self.dead_ends = self.functions.len();
            if self.dead_ends == MOST_DEAD_ENDS || self.is_dead(&task.start) || context.should_stop() {
                break;
            }
            if !self.is_dead(state)
                && let Some(function) = program.function(&[facts.state(state)], Right::Nothing, context)
                && function.excess(&self.first, state) > 0
            {
                self.functions.push(function);
            }
        }
    }

    fn is_dead(&self, state: &[Value]) -> bool {
        self.functions[..self.dead_ends].iter().any(|function| function.excess(&self.first, state) > 0)
    }

    #[inline]
    pub fn h(&self, state: &[Value]) -> u32 {
        if self.is_dead(state) {
            return DEAD;
        }
        let functions = self.functions[self.dead_ends..].iter();
        let most = functions.map(|function| {
            let excess = function.excess(&self.first, state);
            if excess > 0 { (excess as u64).div_ceil(function.scale as u64) } else { 0 }
        });
        most.max().unwrap_or(0).min(u64::from(DEAD - 1)) as u32
    }

    /// The weights by variable and value that prove that a state is dead, with the most that they are in a goal.
    pub fn refutation(&self, state: &[Value]) -> Option<(Weighing, i64)> {
        let dead_ends = self.functions[..self.dead_ends].iter();
        let function = { dead_ends }.find(|function| function.excess(&self.first, state) > 0)?;
        let ends = self.first[1..].iter().copied().chain([function.weights.len() as u32]);
        let of = |(&first, end): (&u32, u32)| {
            function.weights[first as usize..end as usize].iter().map(|&weight| weight.into()).collect()
        };
        Some((self.first.iter().zip(ends).map(of).collect(), function.goal))
    }

    pub fn bytes(&self) -> u64 {
        self.functions.iter().map(|function| function.weights.len() as u64 * 4).sum()
    }

    pub fn describe(&self) -> String {
        let dead_ends = match self.dead_ends {
            0 => String::new(),
            1 => ", and 1 for dead ends".to_owned(),
            more => format!(", and {more} for dead ends"),
        };
        let functions = self.functions.len() - self.dead_ends;
        format!("{functions} functions of weights{dead_ends}, from {} inequalities", self.rows)
    }
}
