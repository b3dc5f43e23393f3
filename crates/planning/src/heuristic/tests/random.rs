//! Random tasks that use every feature of tasks.

use crate::search::SplitMix64;
use crate::task::{Condition, Count, CountRange, Counter, Effect, Goal, Never, Operator, Source, Task};
use crate::task::{Value, Values, Var, Variable};

/// Returns the task of a seed.
pub(in super::super) fn task(seed: u64) -> Task {
    let mut random = SplitMix64::new(seed);
    let variables: Vec<Variable> = (0..2 + random.below(4))
        .map(|var| {
            let values = (0..2 + random.below(3)).map(|value| format!("value{value}")).collect();
            Variable { name: format!("var{var}"), values }
        })
        .collect();
    let sizes: Vec<usize> = variables.iter().map(|variable| variable.values.len()).collect();
    let start: Vec<Value> = sizes.iter().map(|&size| random.below(size as u64) as Value).collect();
    let mut task = Task { variables, start, ..Task::default() };
    for _ in 0..random.below(3) {
        task.counters.push(conditions(&mut random, &sizes, 1));
    }
    for action in 0..1 + random.below(8) {
        let mut operator = operator(&mut random, &sizes, action as u32);
        operator.counts = counts(&mut random, &task.counters, 3);
        task.operators.extend(Some(operator).filter(|operator| !operator.effects.is_empty()));
    }
    for _ in 0..1 + random.below(2) {
        let conditions = conditions(&mut random, &sizes, 2);
        let mut goal = Goal { conditions, ..Goal::default() };
        if random.below(3) == 0 {
            let of = self::conditions(&mut random, &sizes, 1);
            let least = random.below(of.len() as u64 + 1) as u32;
            let most = least + random.below(of.len() as u64 + 1) as u32;
            goal.counts.push(Count { of, least, most });
        }
        task.goals.push(goal);
    }
    for _ in 0..random.below(3) {
        let conditions = conditions(&mut random, &sizes, 2);
        let never = Never { conditions, counts: counts(&mut random, &task.counters, 3) };
        task.never.extend(Some(never).filter(|never| !never.conditions.is_empty() || !never.counts.is_empty()));
        if !task.is_allowed(&task.start) {
            task.never.pop();
        }
    }
    task
}

/// Returns conditions on about one in `of` variables.
fn conditions(random: &mut SplitMix64, sizes: &[usize], of: u64) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (var, &size) in sizes.iter().enumerate() {
        let values: Values = (0..size as Value).filter(|_| random.below(2) == 0).collect();
        if random.below(of) == 0 && !values.is_empty() && values.len() < size {
            conditions.push((var, values));
        }
    }
    conditions
}

/// Returns ranges of about one in `of` counters.
fn counts(random: &mut SplitMix64, counters: &[Counter], of: u64) -> Vec<CountRange> {
    let mut counts = Vec::new();
    for (counter, facts) in counters.iter().enumerate() {
        let least = random.below(facts.len() as u64 + 1) as u32;
        let most = least + random.below(facts.len() as u64 + 1) as u32;
        if random.below(of) == 0 {
            counts.push(CountRange { counter, least, most });
        }
    }
    counts
}

fn operator(random: &mut SplitMix64, sizes: &[usize], action: u32) -> Operator {
    let conditions = conditions(random, sizes, 3);
    let mut effects: Vec<Effect> = Vec::new();
    for target in 0..sizes.len() {
        if random.below(2) == 0 {
            continue;
        }
        let value = |random: &mut SplitMix64| random.below(sizes[target] as u64) as Value;
        let source = if random.below(2) == 0 {
            Source::Value(value(random))
        } else {
            let of = random.below(sizes.len() as u64) as Var;
            Source::Table(of, (0..sizes[of]).map(|_| value(random)).collect())
        };
        effects.push(Effect { target, source });
    }
    let mut disjunctions = Vec::new();
    if random.below(4) == 0 {
        let any: Vec<Vec<Condition>> = (0..1 + random.below(3)).map(|_| self::conditions(random, sizes, 2)).collect();
        disjunctions.extend(Some(any).filter(|any| any.iter().all(|all| !all.is_empty())));
    }
    Operator { cost: random.below(4) as u32, conditions, disjunctions, counts: Vec::new(), effects, action }
}
