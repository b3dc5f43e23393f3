//! The linear program for potentials, and the check of its rounded solution in whole numbers.
//!
//! One row for each loss of operators: the loss is at most the cost. Each part of a loss is a maximum over old values,
//! so an auxiliary variable bounds its forms from above. One row for each goal: the sum is at most 0 in all of its
//! states. These are all choices of values that its conditions leave and that satisfy its counts. LP duality bounds
//! their maximum. With multipliers m ≥ 0 for "at most" and n ≥ 0 for "at least", it is at most Σ over the variables of
//! max (w − Σ (m − n) of the facts counted) + Σ (most · m − least · n). This holds for any m and n; for a single count
//! the best ones are exact. Landmarks may take shares of the costs, which count at the start.

use super::Function;
use super::landmarks::Landmarks;
use super::rational::common_denominator;
use super::repair::Repair;
use crate::heuristic::facts::{Facts, Form, Loss, losses, remaining_values, sum};
use crate::heuristic::limit_message;
use crate::search::BuildContext;
use crate::task::{Count, Goal, Task, Values, Var};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, Variable};
use rustc_hash::FxHashMap;

/// Programs with more rows take too long.
const MOST_ROWS: usize = 6_000;

/// Programs with more weights take too long.
const MOST_FACTS: usize = 3_000;

/// The denominators to try, in order. Optimal weights are mostly small fractions.
const SCALES: [i64; 9] = [1, 2, 3, 4, 6, 12, 60, 840, 55_440];

/// The denominators to try where the rounded weights are repaired.
const REPAIR_SCALES: [i64; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];

/// Sums of weights that exceed the goals by less are rounding errors.
const LEAST_EXCESS: f64 = 1e-7;

/// The largest absolute value of a weight.
const MOST_WEIGHT: f64 = 1e6;

/// The bound on the loss of operators.
#[derive(Clone, Copy, PartialEq)]
pub(in super::super) enum LossBound {
    /// The cost of the operator.
    Costs,
    /// Zero. Weights are then at most 1, since any multiple would be feasible.
    Nothing,
}

/// The constraints on weights.
pub(in super::super) struct Program {
    /// For each fact, true if it has a weight. The first value of each variable has none.
    has_weight: Vec<bool>,
    losses: Vec<(Loss, u32)>,
    /// The goals that are not contradictory.
    pub goals: Vec<GoalConstraint>,
    /// The rows of the losses.
    loss_rows: usize,
}

/// The states of a goal as constraints.
pub(in super::super) struct GoalConstraint {
    /// For each variable, the facts that it may hold, each with the indices of the counts that include it.
    facts: Vec<Vec<(Form, Vec<usize>)>>,
    /// The least and the greatest value of each count, unless trivial.
    counts: Vec<(Option<u32>, Option<u32>)>,
}

/// The variables of one program.
struct Columns {
    weights: Vec<Variable>,
    /// The share of each landmark.
    shares: Vec<Variable>,
    /// For each goal and count: the multipliers of "at least" and "at most".
    multipliers: Vec<Vec<(Option<Variable>, Option<Variable>)>>,
}

impl Program {
    /// Computes the constraints.
    ///
    /// # Errors
    /// Why there can be no program.
    pub fn new(task: &Task, facts: &Facts, context: &BuildContext) -> Result<Program, String> {
        if task.goals.is_empty() {
            return Err("there is no goal".to_owned());
        }
        let losses = losses(task, facts, context);
        if context.should_stop() {
            return Err(limit_message());
        }
        let goals: Vec<GoalConstraint> =
            task.goals.iter().filter_map(|goal| GoalConstraint::new(task, facts, goal)).collect();
        let of_losses = losses.iter().map(|(loss, _)| 1 + loss.parts.iter().map(Vec::len).sum::<usize>());
        let loss_rows = of_losses.sum::<usize>();
        if goals.is_empty() {
            return Err("no state is a goal".to_owned());
        }
        let has_weight = (0..facts.count).map(|fact| facts.fact(fact).1 > 0).collect();
        Ok(Program { has_weight, losses, goals, loss_rows })
    }

    /// Returns the number of inequalities of the program for some goals.
    pub fn rows(&self, goals: &[GoalConstraint]) -> usize {
        self.loss_rows + goals.iter().map(GoalConstraint::rows).sum::<usize>()
    }

    /// Checks that the program for all goals is small enough.
    ///
    /// # Errors
    /// That it is too large.
    pub fn check_size(&self) -> Result<(), String> {
        let (rows, facts) = (self.rows(&self.goals), self.has_weight.len());
        if rows > MOST_ROWS || facts > MOST_FACTS {
            return Err(format!("{facts} values and {rows} inequalities are too many for the linear program"));
        }
        Ok(())
    }

    /// Returns the whole-number weights with the largest sum over some states, less the maximum in some goals; `None`
    /// if the program is unbounded or unsolved.
    pub fn function(
        &self,
        goals: &[GoalConstraint],
        states: &[Form],
        bound: LossBound,
        context: &BuildContext,
    ) -> Option<Function> {
        self.function_and_shares(goals, states, bound, &Landmarks::default(), context).map(|(function, _)| function)
    }

    /// Returns the weights of [`function`](Self::function) and the shares of landmarks, in the same unit, that together
    /// have the largest sum.
    pub fn function_and_shares(
        &self,
        goals: &[GoalConstraint],
        states: &[Form],
        bound: LossBound,
        landmarks: &Landmarks,
        context: &BuildContext,
    ) -> Option<(Function, i64)> {
        if context.should_stop() {
            return None;
        }
        let (mut problem, columns) = self.problem(goals, states, bound, landmarks);
        if let Some(time) = context.stop.left() {
            problem.set_time_limit(time);
        }
        let solution = problem.solve().ok()?.into_solution().ok()?;
        let wanted = solution.objective();
        // Most states are no dead ends.
        if bound == LossBound::Nothing && wanted < LEAST_EXCESS {
            return None;
        }
        let mut best: Option<(f64, (Function, i64))> = None;
        let rounded = |scale, repair| self.rounded(goals, (&solution, &columns), (scale, bound), landmarks, repair);
        let values = columns.weights.iter().chain(&columns.shares).map(|&weight| solution.var_value(weight));
        for scale in SCALES.into_iter().chain(common_denominator(values)) {
            let Some((function, shares)) = rounded(scale, None) else { continue };
            let objective = function.objective(states) + shares as f64 / scale as f64;
            if best.as_ref().is_none_or(|(best, _)| objective > best + 1e-9) {
                best = Some((objective, (function, shares)));
            }
            if objective >= wanted - 1e-6 * wanted.abs().max(1.0) {
                break;
            }
        }
        if bound == LossBound::Nothing && best.as_ref().is_none_or(|(best, _)| *best <= 0.0) {
            // Any weights with a positive sum will do, not only the best.
            let attempts = REPAIR_SCALES.into_iter().flat_map(|scale| Repair::ALL.map(|repair| (scale, repair)));
            return { attempts }
                .filter_map(|(scale, repair)| rounded(scale, Some(repair)))
                .find(|(function, _)| function.objective(states) > 0.0);
        }
        best.map(|(_, found)| found)
    }

    fn problem(
        &self,
        goals: &[GoalConstraint],
        states: &[Form],
        bound: LossBound,
        landmarks: &Landmarks,
    ) -> (Problem, Columns) {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let mut objective = vec![0.0; self.has_weight.len()];
        for &(fact, count) in states.iter().flatten() {
            objective[fact] += f64::from(count) / states.len() as f64;
        }
        let most = if bound == LossBound::Nothing { 1.0 } else { f64::INFINITY };
        let weights: Vec<Variable> = objective
            .iter()
            .zip(&self.has_weight)
            .map(|(&objective, &has_weight)| {
                problem.add_var(objective, if has_weight { (-most, most) } else { (0.0, 0.0) })
            })
            .collect();
        // A constant added to the sum, so that goals have at most 0.
        let shift = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
        let mut upper_bounds = FxHashMap::default();
        let shares: Vec<Variable> = (0..landmarks.number).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
        let alone = self.losses.iter().map(|(loss, cost)| (loss, *cost, &[][..]));
        for (loss, cost, within) in alone.chain(landmarks.rows()) {
            let mut row = terms(&weights, &loss.constant, 1.0);
            row.extend(
                loss.parts.iter().map(|part| (upper_bound(&mut problem, &mut upper_bounds, &weights, part), 1.0)),
            );
            row.extend(within.iter().map(|&landmark| (shares[landmark], 1.0)));
            let cost = if bound == LossBound::Costs { f64::from(cost) } else { 0.0 };
            problem.add_constraint(&row[..], ComparisonOp::Le, cost);
        }
        let mut multipliers = Vec::new();
        for goal in goals {
            let mut row = vec![(shift, 1.0)];
            let own = goal.multipliers(&mut problem, &mut row);
            for facts in &goal.facts {
                goal.add_variable(&mut problem, &mut upper_bounds, &weights, &own, facts, &mut row);
            }
            problem.add_constraint(&merged(row)[..], ComparisonOp::Le, 0.0);
            multipliers.push(own);
        }
        (problem, Columns { weights, shares, multipliers })
    }

    /// Rounds a solution to multiples of 1/scale, and repairs violated losses if `repair` is given; `None` if a
    /// constraint is violated then. Returns the weights, and the sum of the shares.
    fn rounded(
        &self,
        goals: &[GoalConstraint],
        (solution, columns): (&Solution, &Columns),
        (scale, bound): (i64, LossBound),
        landmarks: &Landmarks,
        repair: Option<Repair>,
    ) -> Option<(Function, i64)> {
        let whole = |variable: Variable| {
            let value = solution.var_value(variable);
            (value.abs() <= MOST_WEIGHT && value.abs() * (scale as f64) < f64::from(i32::MAX / 2))
                .then(|| (value * scale as f64).round() as i64)
        };
        let mut weights: Vec<i32> =
            columns.weights.iter().map(|&weight| whole(weight).map(|whole| whole as i32)).collect::<Option<_>>()?;
        let losses = self.losses.iter();
        let losses = losses.map(|(loss, cost)| {
            let cost = if bound == LossBound::Costs { i64::from(*cost) } else { 0 };
            (loss, cost * scale)
        });
        if let Some(repair) = repair {
            repair.apply(losses.clone(), &mut weights)?;
        }
        let shares: Vec<i64> =
            columns.shares.iter().map(|&share| whole(share).map(|whole| whole.max(0))).collect::<Option<_>>()?;
        let mut shared = landmarks.rows().map(|(loss, cost, within)| {
            let taken: i64 = within.iter().map(|&landmark| shares[landmark]).sum();
            (loss, i64::from(cost) * scale - taken)
        });
        let is_within = |(loss, most): (&Loss, i64)| greatest_loss(&weights, loss) <= most;
        let is_feasible = { losses }.all(is_within) && shared.all(is_within);
        let mut goal = i64::MIN;
        for (constraint, multipliers) in goals.iter().zip(&columns.multipliers) {
            let multiplier = |variable: Option<Variable>| variable.map_or(Some(0), whole).map(|whole| whole.max(0));
            let multipliers: Vec<(i64, i64)> = multipliers
                .iter()
                .map(|&(least, most)| Some((multiplier(least)?, multiplier(most)?)))
                .collect::<Option<_>>()?;
            goal = goal.max(constraint.most(&weights, &multipliers));
        }
        is_feasible.then(|| (Function { weights: weights.into(), goal, scale }, shares.iter().sum()))
    }
}

impl GoalConstraint {
    /// Returns the constraints of a goal; `None` if its conditions are contradictory.
    fn new(task: &Task, facts: &Facts, goal: &Goal) -> Option<GoalConstraint> {
        let counted = |var: Var, value| {
            let counts = |count: &Count| count.of.iter().any(|(of, values)| *of == var && values.contains(value));
            (0..goal.counts.len()).filter(|&at| counts(&goal.counts[at])).collect::<Vec<usize>>()
        };
        let fact = |var: Var, value| (facts.form(var, value), counted(var, value));
        let values = remaining_values(task, &goal.conditions);
        let left = values.iter().enumerate();
        let facts: Vec<Vec<_>> =
            left.map(|(var, values)| values.iter().map(|value| fact(var, value)).collect()).collect();
        let counts = goal.counts.iter();
        let counts = counts.map(|count| {
            let least = (count.least > 0).then_some(count.least);
            (least, Some(count.most).filter(|&most| (most as usize) < count.of.len()))
        });
        let counts = counts.collect();
        (!values.contains(&Values::NONE)).then_some(GoalConstraint { facts, counts })
    }

    /// Returns an upper bound on the number of inequalities.
    fn rows(&self) -> usize {
        1 + self.facts.iter().map(Vec::len).sum::<usize>()
    }

    /// Adds the multipliers of the counts, and their terms in the goal's row.
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

    /// Adds the maximum over a variable's facts to the goal's row.
    fn add_variable(
        &self,
        problem: &mut Problem,
        upper_bounds: &mut FxHashMap<Vec<Form>, Variable>,
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
                    row.push((upper_bound(problem, upper_bounds, weights, &forms), 1.0));
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

    /// Returns an upper bound on the sum of weights in states that satisfy the goal's conditions.
    pub fn most_without_counts(&self, weights: &[i32]) -> i64 {
        self.most(weights, &vec![(0, 0); self.counts.len()])
    }

    /// Returns an upper bound on the sum of weights in states of this goal.
    fn most(&self, weights: &[i32], multipliers: &[(i64, i64)]) -> i64 {
        let by_counts = self.counts.iter().zip(multipliers).map(|((least, most), (m_least, m_most))| {
            most.map_or(0, |most| i64::from(most) * m_most) - least.map_or(0, |least| i64::from(least) * m_least)
        });
        let by_variables = self.facts.iter().map(|facts| {
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
    /// Returns the average over some states.
    fn objective(&self, states: &[Form]) -> f64 {
        let total: i64 = states.iter().map(|state| sum(&self.weights, state) - self.goal).sum();
        total as f64 / states.len() as f64 / self.scale as f64
    }
}

/// Returns a variable bounded from below by each of some forms. Equal lists of forms share a variable.
fn upper_bound(
    problem: &mut Problem,
    upper_bounds: &mut FxHashMap<Vec<Form>, Variable>,
    weights: &[Variable],
    forms: &[Form],
) -> Variable {
    if let Some(&known) = upper_bounds.get(forms) {
        return known;
    }
    let most = problem.add_var(0.0, (f64::NEG_INFINITY, f64::INFINITY));
    for form in forms {
        let mut below = terms(weights, form, 1.0);
        below.push((most, -1.0));
        problem.add_constraint(&below[..], ComparisonOp::Le, 0.0);
    }
    upper_bounds.insert(forms.to_vec(), most);
    most
}

fn terms(weights: &[Variable], form: &Form, times: f64) -> Vec<(Variable, f64)> {
    form.iter().map(|&(fact, count)| (weights[fact], times * f64::from(count))).collect()
}

/// Merges terms of the same variable.
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

/// Returns the greatest value of a loss over all old values.
fn greatest_loss(weights: &[i32], loss: &Loss) -> i64 {
    let parts = loss.parts.iter().map(|part| part.iter().map(|form| sum(weights, form)).max().unwrap_or(0));
    sum(weights, &loss.constant) + parts.sum::<i64>()
}
