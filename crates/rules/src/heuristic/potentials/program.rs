//! The linear program whose answers are weights, and the check of what it answers in whole numbers.
//!
//! A row for each loss of operators: what it takes away is at most its cost. A part of it is a maximum over old values;
//! a variable of the program stands above each of these. A row for each goal: the sum is at most 0 in all its states. The
//! states of a goal are all choices of the values that its conditions leave, in which its counts hold; their maximum is
//! bounded by the dual of the program over choices: with multipliers m ≥ 0 for "at most", n ≥ 0 for "at least", it is at
//! most Σ over the variables of max (w − Σ (m − n) of the facts counted) + Σ (most · m − least · n). That holds for any m
//! and n, and for one count the best are exact.

use super::Function;
use crate::domain::BuildContext;
use crate::heuristic::ended;
use crate::heuristic::facts::{Facts, Form, Loss, left, losses};
use crate::task::{Count, Goal, Task, Values, Var};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, Variable};
use std::collections::BTreeMap;

/// More rows than this take too long.
const MOST_ROWS: usize = 6_000;

/// More weights than this take too long.
const MOST_FACTS: usize = 3_000;

/// What weights are rounded over, in the order in which that is tried: answers are mostly fractions of small numbers.
const SCALES: [i64; 9] = [1, 2, 3, 4, 6, 12, 60, 840, 55_440];

/// No weight is larger, over its scale.
const MOST_WEIGHT: f64 = 1e6;

/// What an operator may take away.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Right {
    /// What it costs.
    Costs,
    /// Nothing: then weights are at most 1, since any multiple would do.
    Nothing,
}

/// What weights have to keep.
pub(super) struct Program {
    /// For each fact, whether it has a weight: the first value of a variable has 0.
    weighs: Vec<bool>,
    losses: Vec<(Loss, u32)>,
    goals: Vec<Ends>,
    rows: usize,
}

/// The states of a goal, as far as they are looked at.
struct Ends {
    /// For each variable the facts that it may hold, each with the counts that count it.
    left: Vec<Vec<(Form, Vec<usize>)>>,
    /// The least and the most, where they say anything.
    counts: Vec<(Option<u32>, Option<u32>)>,
}

/// The variables of one problem.
struct Columns {
    weights: Vec<Variable>,
    /// By goal and count: the multipliers of "at least" and "at most".
    multipliers: Vec<Vec<(Option<Variable>, Option<Variable>)>>,
}

impl Program {
    pub fn new(task: &Task, facts: &Facts, context: &BuildContext) -> Result<Program, String> {
        if task.goals.is_empty() {
            return Err("there is no goal".to_owned());
        }
        let losses = losses(task, facts, context);
        if context.should_stop() {
            return Err(ended());
        }
        let goals: Vec<Ends> = task.goals.iter().filter_map(|goal| Ends::new(task, facts, goal)).collect();
        let of_losses = losses.iter().map(|(loss, _)| 1 + loss.parts.iter().map(Vec::len).sum::<usize>());
        let of_goals = goals.iter().map(|goal| 1 + goal.left.iter().map(Vec::len).sum::<usize>());
        let rows = of_losses.sum::<usize>() + of_goals.sum::<usize>();
        if rows > MOST_ROWS || facts.count > MOST_FACTS {
            return Err(format!("{} values and {rows} inequalities are too many for weights", facts.count));
        }
        if goals.is_empty() {
            return Err("no state is a goal".to_owned());
        }
        let weighs = (0..facts.count).map(|fact| facts.fact(fact).1 > 0).collect();
        Ok(Program { weighs, losses, goals, rows })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The weights with the largest sum over some states, in whole numbers; none where there is no such sum, or where it
    /// could not be found.
    pub fn function(&self, states: &[Form], right: Right, context: &BuildContext) -> Option<Function> {
        if context.should_stop() {
            return None;
        }
        let (mut problem, columns) = self.problem(states, right);
        if let Some(time) = context.stop.left() {
            problem.set_time_limit(time);
        }
        let solution = problem.solve().ok()?.into_solution().ok()?;
        let wanted = solution.objective();
        let mut best: Option<(f64, Function)> = None;
        for scale in SCALES {
            let Some(function) = self.rounded(&solution, &columns, scale, right) else { continue };
            let worth = function.worth(states);
            if best.as_ref().is_none_or(|(best, _)| worth > best + 1e-9) {
                best = Some((worth, function));
            }
            if worth >= wanted - 1e-6 * wanted.abs().max(1.0) {
                break;
            }
        }
        best.map(|(_, function)| function)
    }

    fn problem(&self, states: &[Form], right: Right) -> (Problem, Columns) {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let mut worth = vec![0.0; self.weighs.len()];
        for &(fact, count) in states.iter().flatten() {
            worth[fact] += f64::from(count) / states.len() as f64;
        }
        let most = if right == Right::Nothing { 1.0 } else { f64::INFINITY };
        let weights: Vec<Variable> = worth
            .iter()
            .zip(&self.weighs)
            .map(|(&worth, &weighs)| problem.add_var(worth, if weighs { (-most, most) } else { (0.0, 0.0) }))
            .collect();
        // What is added to the sum, so that goals have at most 0.
        let shift = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
        let mut above = BTreeMap::new();
        for (loss, cost) in &self.losses {
            let mut row = terms(&weights, &loss.constant, 1.0);
            row.extend(loss.parts.iter().map(|part| (above_all(&mut problem, &mut above, &weights, part), 1.0)));
            let cost = if right == Right::Costs { f64::from(*cost) } else { 0.0 };
            problem.add_constraint(&row[..], ComparisonOp::Le, cost);
        }
        let mut multipliers = Vec::new();
        for goal in &self.goals {
            let mut row = vec![(shift, 1.0)];
            let own = goal.multipliers(&mut problem, &mut row);
            for facts in &goal.left {
                goal.add_variable(&mut problem, &mut above, &weights, &own, facts, &mut row);
            }
            problem.add_constraint(&merged(row)[..], ComparisonOp::Le, 0.0);
            multipliers.push(own);
        }
        (problem, Columns { weights, multipliers })
    }

    /// The answer in whole numbers over a scale, if that keeps what it has to.
    fn rounded(&self, solution: &Solution, columns: &Columns, scale: i64, right: Right) -> Option<Function> {
        let whole = |variable: Variable| {
            let value = solution.var_value(variable);
            (value.abs() <= MOST_WEIGHT && value.abs() * (scale as f64) < f64::from(i32::MAX / 2))
                .then(|| (value * scale as f64).round() as i64)
        };
        let weights: Vec<i32> =
            columns.weights.iter().map(|&weight| whole(weight).map(|whole| whole as i32)).collect::<Option<_>>()?;
        let keeps = self.losses.iter().all(|(loss, cost)| {
            let most = loss.parts.iter().map(|part| greatest(&weights, part.iter())).sum::<i64>();
            let cost = if right == Right::Costs { i64::from(*cost) } else { 0 };
            sum(&weights, &loss.constant) + most <= cost * scale
        });
        let mut goal = i64::MIN;
        for (ends, multipliers) in self.goals.iter().zip(&columns.multipliers) {
            let multiplier = |variable: Option<Variable>| variable.map_or(Some(0), whole).map(|whole| whole.max(0));
            let multipliers: Vec<(i64, i64)> = multipliers
                .iter()
                .map(|&(least, most)| Some((multiplier(least)?, multiplier(most)?)))
                .collect::<Option<_>>()?;
            goal = goal.max(ends.most(&weights, &multipliers));
        }
        keeps.then(|| Function { weights: weights.into(), goal, scale })
    }
}

impl Ends {
    /// Nothing where the goal leaves a variable no value.
    fn new(task: &Task, facts: &Facts, goal: &Goal) -> Option<Ends> {
        let counted = |var: Var, value| {
            let counts = |count: &Count| count.of.iter().any(|(of, values)| *of == var && values.contains(value));
            (0..goal.counts.len()).filter(|&at| counts(&goal.counts[at])).collect::<Vec<usize>>()
        };
        let fact = |var: Var, value| (facts.form(var, value), counted(var, value));
        let values = left(task, &goal.conditions);
        let left = values.iter().enumerate();
        let left: Vec<Vec<_>> =
            left.map(|(var, values)| values.iter().map(|value| fact(var, value)).collect()).collect();
        let counts = goal.counts.iter();
        let counts = counts.map(|count| {
            let least = (count.least > 0).then_some(count.least);
            (least, Some(count.most).filter(|&most| (most as usize) < count.of.len()))
        });
        let counts = counts.collect();
        (!values.contains(&Values::NONE)).then_some(Ends { left, counts })
    }

    /// Adds the multipliers of the counts, with what they give to the row of the goal.
    fn multipliers(
        &self,
        problem: &mut Problem,
        row: &mut Vec<(Variable, f64)>,
    ) -> Vec<(Option<Variable>, Option<Variable>)> {
        let mut add = |number: Option<u32>, sign: f64| {
            let variable = problem.add_var(0.0, (0.0, f64::INFINITY));
            number.map(|number| {
                row.push((variable, sign * f64::from(number)));
                variable
            })
        };
        self.counts.iter().map(|&(least, most)| (add(least, -1.0), add(most, 1.0))).collect()
    }

    /// Adds the most that a variable gives to the row of the goal.
    fn add_variable(
        &self,
        problem: &mut Problem,
        above: &mut BTreeMap<Vec<Form>, Variable>,
        weights: &[Variable],
        multipliers: &[(Option<Variable>, Option<Variable>)],
        facts: &[(Form, Vec<usize>)],
        row: &mut Vec<(Variable, f64)>,
    ) {
        if facts.iter().all(|(_, counts)| counts.is_empty()) {
            match facts {
                [(only, _)] => row.extend(terms(weights, only, 1.0)),
                _ => {
                    let forms: Vec<Form> = facts.iter().map(|(form, _)| form.clone()).collect();
                    row.push((above_all(problem, above, weights, &forms), 1.0));
                }
            }
            return;
        }
        let most = problem.add_var(0.0, (f64::NEG_INFINITY, f64::INFINITY));
        for (form, counts) in facts {
            let mut below = terms(weights, form, 1.0);
            below.push((most, -1.0));
            for &count in counts {
                let (least, most) = multipliers[count];
                below.extend(least.map(|least| (least, 1.0)));
                below.extend(most.map(|most| (most, -1.0)));
            }
            problem.add_constraint(&below[..], ComparisonOp::Le, 0.0);
        }
        row.push((most, 1.0));
    }

    /// The most that weights are in a state of this goal, or more.
    fn most(&self, weights: &[i32], multipliers: &[(i64, i64)]) -> i64 {
        let by_counts = self.counts.iter().zip(multipliers).map(|((least, most), (m_least, m_most))| {
            most.map_or(0, |most| i64::from(most) * m_most) - least.map_or(0, |least| i64::from(least) * m_least)
        });
        let by_variables = self.left.iter().map(|facts| {
            let facts = facts.iter().map(|(form, counts)| {
                let counted = counts.iter().map(|&count| {
                    let (least, most) = self.counts[count];
                    most.map_or(0, |_| multipliers[count].1) - least.map_or(0, |_| multipliers[count].0)
                });
                sum(weights, form) - counted.sum::<i64>()
            });
            facts.max().unwrap_or(0)
        });
        by_counts.sum::<i64>() + by_variables.sum::<i64>()
    }
}

impl Function {
    /// The average of some states.
    fn worth(&self, states: &[Form]) -> f64 {
        let total: i64 = states.iter().map(|state| sum(&self.weights, state) - self.goal).sum();
        total as f64 / states.len() as f64 / self.scale as f64
    }
}

/// A variable of the problem that is no less than any of some forms; one for the same forms.
fn above_all(
    problem: &mut Problem,
    above: &mut BTreeMap<Vec<Form>, Variable>,
    weights: &[Variable],
    forms: &[Form],
) -> Variable {
    if let Some(&known) = above.get(forms) {
        return known;
    }
    let most = problem.add_var(0.0, (f64::NEG_INFINITY, f64::INFINITY));
    for form in forms {
        let mut below = terms(weights, form, 1.0);
        below.push((most, -1.0));
        problem.add_constraint(&below[..], ComparisonOp::Le, 0.0);
    }
    above.insert(forms.to_vec(), most);
    most
}

fn terms(weights: &[Variable], form: &Form, times: f64) -> Vec<(Variable, f64)> {
    form.iter().map(|&(fact, count)| (weights[fact], times * f64::from(count))).collect()
}

/// The terms, with those of one variable made one.
fn merged(mut row: Vec<(Variable, f64)>) -> Vec<(Variable, f64)> {
    row.sort_by_key(|(variable, _)| variable.idx());
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    row
}

fn sum(weights: &[i32], form: &Form) -> i64 {
    form.iter().map(|&(fact, count)| i64::from(weights[fact]) * i64::from(count)).sum()
}

fn greatest<'a>(weights: &[i32], forms: impl Iterator<Item = &'a Form>) -> i64 {
    forms.map(|form| sum(weights, form)).max().unwrap_or(0)
}
