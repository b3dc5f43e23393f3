//! Restricts a task to values that can be reached, and drops and renumbers what is left over.

use crate::task::lifting::Origin;
use crate::task::{Condition, Count, CountRange, Counter, Disjunction, Effect, Goal, Never, Operator, Source, Task};
use crate::task::{Value, Values, Var, Variable, images};
use std::sync::Arc;

/// Restricts conditions to reachable values; `None` if they cannot hold.
fn narrowed(conditions: &[Condition], reached: &[Values]) -> Option<Vec<Condition>> {
    let mut narrow = Vec::with_capacity(conditions.len());
    for (var, values) in conditions {
        let values = values.and(&reached[*var]);
        if values.is_empty() {
            return None;
        }
        if values != reached[*var] {
            narrow.push((*var, values));
        }
    }
    Some(narrow)
}

/// Restricts disjunctions to reachable values and drops those that always hold; `None` if one cannot hold.
fn narrowed_disjunctions(disjunctions: &[Disjunction], reached: &[Values]) -> Option<Vec<Disjunction>> {
    let mut narrow = Vec::new();
    for any in disjunctions {
        let any: Disjunction = any.iter().filter_map(|all| narrowed(all, reached)).collect();
        match any.iter().any(Vec::is_empty) {
            true => {}
            false if any.is_empty() => return None,
            false => narrow.push(any),
        }
    }
    Some(narrow)
}

/// Restricts the facts that are counted to reachable values, without those that always hold, of which it returns the
/// number, and those that never do.
fn narrowed_counter(counter: &Counter, reached: &[Values]) -> (Counter, u32) {
    let (mut narrow, mut always) = (Counter::new(), 0);
    for (var, values) in counter {
        let values = values.and(&reached[*var]);
        match values == reached[*var] {
            true => always += 1,
            false if values.is_empty() => {}
            false => narrow.push((*var, values)),
        }
    }
    (narrow, always)
}

/// Adapts ranges to counters that have become less by some numbers, and drops those that exclude nothing; `None` if one
/// cannot hold.
pub(super) fn shifted(counts: &[CountRange], counters: &[Counter], less: &[i64]) -> Option<Vec<CountRange>> {
    let mut all = Vec::new();
    for range in counts {
        let (shift, facts) = (less[range.counter], counters[range.counter].len() as i64);
        let (least, most) = ((i64::from(range.least) - shift).max(0), (i64::from(range.most) - shift).min(facts));
        if least > most {
            return None;
        }
        if least > 0 || most < facts {
            all.push(CountRange { counter: range.counter, least: least as u32, most: most as u32 });
        }
    }
    Some(all)
}

/// Replaces an effect that reads a variable with a single possible value by its constant.
fn simplified_effect(effect: &Effect, conditions: &[Condition], reached: &[Values]) -> Effect {
    let narrow = |var: Var| conditions.iter().find(|(narrow, _)| *narrow == var).map(|(_, values)| values);
    let source = effect.source.simplified(|var| narrow(var).unwrap_or(&reached[var]).clone());
    Effect { target: effect.target, source }
}

/// Returns a task with all conditions restricted to reachable values, without operators that never apply or change
/// nothing, and the numbers of those that are left. `numbers` are those of all operators.
pub(super) fn without_unreachable(task: &Task, numbers: &[u32], reached: &[Values]) -> (Task, Vec<u32>) {
    let narrow: Vec<(Counter, u32)> = task.counters.iter().map(|counter| narrowed_counter(counter, reached)).collect();
    let less: Vec<i64> = narrow.iter().map(|(_, always)| i64::from(*always)).collect();
    let counters: Vec<Counter> = narrow.into_iter().map(|(counter, _)| counter).collect();
    let mut origin = Vec::new();
    let mut operators = Vec::new();
    for (operator, &from) in task.operators.iter().zip(numbers) {
        let Some(conditions) = narrowed(&operator.conditions, reached) else { continue };
        let Some(disjunctions) = narrowed_disjunctions(&operator.disjunctions, reached) else { continue };
        let Some(counts) = shifted(&operator.counts, &counters, &less) else { continue };
        let changes = operator.effects.iter().filter(|effect| reached[effect.target].len() > 1);
        let effects: Vec<Effect> = changes.map(|effect| simplified_effect(effect, &conditions, reached)).collect();
        if !effects.is_empty() {
            operators.push(Operator { conditions, disjunctions, counts, effects, ..*operator });
            origin.push(from);
        }
    }
    let never = |never: &Never| {
        let counts = shifted(&never.counts, &counters, &less)?;
        Some(Never { conditions: narrowed(&never.conditions, reached)?, counts })
    };
    let never = task.never.iter().filter_map(never).collect();
    let goal = |goal: &Goal| {
        let count = |count: &Count| {
            let of = count.of.iter().map(|(var, values)| (*var, values.and(&reached[*var]), &reached[*var]));
            let of: Vec<(Var, Values, &Values)> = of.filter(|(_, values, _)| !values.is_empty()).collect();
            // Facts that always hold are subtracted from the bounds.
            let fixed = of.iter().filter(|(_, values, all)| values == *all).count() as u32;
            let of = of.into_iter().filter(|(_, values, all)| values != *all).map(|(var, values, _)| (var, values));
            Some(Count {
                of: of.collect(),
                least: count.least.saturating_sub(fixed),
                most: count.most.checked_sub(fixed)?,
            })
        };
        let counts = goal.counts.iter().map(count).collect::<Option<Vec<_>>>()?;
        let counts =
            counts.into_iter().filter(|count| count.least > 0 || (count.most as usize) < count.of.len()).collect();
        let disjunctions = narrowed_disjunctions(&goal.disjunctions, reached)?;
        Some(Goal { conditions: narrowed(&goal.conditions, reached)?, counts, disjunctions })
    };
    let mut goals: Vec<Goal> = task.goals.iter().filter_map(goal).collect();
    goals.retain(|goal| goal.counts.iter().all(|count| count.least as usize <= count.of.len()));
    let (variables, start) = (task.variables.clone(), task.start.clone());
    let mut task = Task { variables, counters, operators, start, goals, never, cost_unit: task.cost_unit };
    task.tidy_counters();
    (task, origin)
}

/// Drops the variables of a task that never change, and renumbers the reachable values. `numbers` are those of all
/// operators; also returns those of the operators that are left, and the old variable and the old values of each
/// variable that is left.
pub(super) fn renumbered(task: &Task, numbers: &[u32], reached: &[Values]) -> (Task, Vec<u32>, Origin) {
    let (narrow, origin) = without_unreachable(task, numbers, reached);
    let kept: Vec<Var> = (0..reached.len()).filter(|&var| reached[var].len() > 1).collect();
    let mut new_var = vec![usize::MAX; reached.len()];
    kept.iter().enumerate().for_each(|(new, &old)| new_var[old] = new);
    let ranks: Vec<Vec<Value>> = (0..reached.len()).map(|var| ranks(&reached[var], task.size(var))).collect();
    let rank = |var: Var, value: Value| ranks[var][usize::from(value)];
    // The values that can be reached are the first ones of most variables.
    let stay: Vec<bool> = reached.iter().map(|values| *values == Values::below(values.len())).collect();
    let condition = |(var, values): &mut Condition| {
        if !stay[*var] {
            *values = images(values, &reached[*var], |value| rank(*var, value));
        }
        *var = new_var[*var];
    };
    let effect = |effect: &mut Effect| {
        match &mut effect.source {
            Source::Value(value) => *value = rank(effect.target, *value),
            Source::Table(var, table) => {
                let known = reached[*var].iter().map(|value| rank(effect.target, table[usize::from(value)]));
                *table = known.collect();
                *var = new_var[*var];
            }
        }
        effect.target = new_var[effect.target];
    };
    let conjunction = |mut all: Vec<Condition>| {
        all.iter_mut().for_each(condition);
        all
    };
    let operator = |mut operator: Operator| {
        operator.conditions.iter_mut().for_each(condition);
        operator.disjunctions.iter_mut().flatten().flatten().for_each(condition);
        operator.effects.iter_mut().for_each(effect);
        operator
    };
    let variable = |&var: &Var| Variable {
        name: task.variables[var].name.clone(),
        values: match stay[var] && reached[var].len() == task.size(var) {
            true => Arc::clone(&task.variables[var].values),
            false => reached[var].iter().map(|value| task.variables[var].values[usize::from(value)].clone()).collect(),
        },
    };
    let renumbered = Task {
        variables: kept.iter().map(variable).collect(),
        counters: narrow.counters.into_iter().map(conjunction).collect(),
        operators: narrow.operators.into_iter().map(operator).collect(),
        start: kept.iter().map(|&var| rank(var, task.start[var])).collect(),
        goals: narrow.goals.iter().map(|goal| goal.with(|all| conjunction(all.to_vec()))).collect(),
        never: narrow
            .never
            .into_iter()
            .map(|never| Never { conditions: conjunction(never.conditions), ..never })
            .collect(),
        cost_unit: task.cost_unit,
    };
    (renumbered, origin, kept.into_iter().map(|var| (var, reached[var].iter().collect())).collect())
}

/// Returns the number of each value among those of a set; 0 for others.
fn ranks(values: &Values, size: usize) -> Vec<Value> {
    let mut ranks = vec![0; size];
    (0..).zip(values.iter()).for_each(|(rank, value)| ranks[usize::from(value)] = rank);
    ranks
}
