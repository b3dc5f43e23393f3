//! Which operator takes an operator back, wherever that one can be made.

use super::task::{Condition, Operator, Source, Task, Values, Var};
use std::collections::HashMap;

/// For each operator the first that takes it back; none where no operator does so in every state.
pub(super) fn inverses(task: &Task) -> Vec<Option<u32>> {
    let targets = |operator: &Operator| operator.effects.iter().map(|effect| effect.target).collect::<Vec<Var>>();
    let mut same: HashMap<Vec<Var>, Vec<u32>> = HashMap::new();
    for (number, operator) in (0..).zip(&task.operators) {
        same.entry(targets(operator)).or_default().push(number);
    }
    let inverse = |operator: &Operator| {
        let candidates = &same[&targets(operator)];
        candidates.iter().copied().find(|&other| takes_back(task, operator, &task.operators[other as usize]))
    };
    task.operators.iter().map(inverse).collect()
}

fn takes_back(task: &Task, first: &Operator, then: &Operator) -> bool {
    let after = |var: Var| match first.effect(var) {
        None => task.allowed(first, var),
        Some(Source::Value(value)) => Values::one(*value),
        Some(Source::Of(of, table)) => task.allowed(first, *of).iter().map(|value| table[usize::from(value)]).collect(),
    };
    let may = |(var, values): &Condition| after(*var).is_within(values);
    let restores = |target: Var, source: &Source| {
        let before = task.allowed(first, target);
        match source {
            Source::Value(value) => before == Values::one(*value),
            Source::Of(var, table) => match first.effect(*var) {
                Some(Source::Of(of, moved)) if *of == target => {
                    before.iter().all(|value| table[usize::from(moved[usize::from(value)])] == value)
                }
                _ => {
                    // What does not depend on the value that was there restores it only where it was known.
                    let restored: Values = after(*var).iter().map(|value| table[usize::from(value)]).collect();
                    before.len() == 1 && restored == before
                }
            },
        }
    };
    first.cost == then.cost
        && then.conditions.iter().all(may)
        && then.either.iter().all(|any| any.iter().any(|all| all.iter().all(may)))
        && then.effects.iter().all(|effect| restores(effect.target, &effect.source))
}
