//! Weights that prove the start a dead end, one set of weights for each goal.
//!
//! A single set for all goals need not exist where each goal has one of its own. Only the start is considered, so this
//! takes one program for each goal, and mostly only one in all: the first goal is not refuted.

use super::Function;
use super::program::{LossBound, Program};
use crate::heuristic::facts::{Facts, sum};
use crate::search::BuildContext;
use crate::task::Task;
use crate::task::lifting::FactWeights;

/// The greatest sum of the squares of the rows of all programs. Their time grows about as these, a tenth of a second
/// for 1200 rows.
const MOST_SQUARED_ROWS: usize = 2_500 * 2_500;

/// The most facts.
const MOST_FACTS: usize = 2_000;

/// The most operators: each takes time even if many have the same losses.
const MOST_OPERATORS: usize = 20_000;

/// A weighted sum that no operator lowers and that is larger at the start than in some goals.
pub(crate) struct Refuting {
    pub weights: FactWeights,
    /// The sum at the start.
    pub start: i64,
    /// The maximum of the sum over the goals that it refutes.
    pub goal: i64,
}

/// Returns weighted sums such that each goal is refuted by one of them; `None` if there are none for some goal, or if
/// the programs are too large.
pub(crate) fn refuting_potentials(task: &Task, context: &BuildContext) -> Option<Vec<Refuting>> {
    let facts = Facts::new(task);
    if facts.count > MOST_FACTS || task.operators.len() > MOST_OPERATORS {
        return None;
    }
    let program = Program::new(task, &facts, context).ok()?;
    let start = [facts.state(&task.start)];
    let mut squared_rows = 0;
    let mut functions: Vec<Function> = Vec::new();
    // Slices of one goal each.
    for goal in program.goals.chunks(1) {
        let refuted = functions.iter_mut().any(|function| {
            let most = function.goal.max(goal[0].most_without_counts(&function.weights));
            let refutes = sum(&function.weights, &start[0]) > most;
            if refutes {
                function.goal = most;
            }
            refutes
        });
        if refuted {
            continue;
        }
        squared_rows += program.rows(goal).pow(2);
        if squared_rows > MOST_SQUARED_ROWS {
            return None;
        }
        let function = program.function(goal, &start, LossBound::Nothing, context)?;
        if sum(&function.weights, &start[0]) <= function.goal {
            return None;
        }
        functions.push(function);
    }
    let first: Vec<u32> = (0..task.variables.len()).map(|var| facts.number(var, 0) as u32).collect();
    let refuting = |function: &Function| Refuting {
        weights: function.by_variable(&first),
        start: sum(&function.weights, &start[0]),
        goal: function.goal,
    };
    Some(functions.iter().map(refuting).collect())
}
