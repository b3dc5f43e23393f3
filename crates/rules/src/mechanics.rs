//! A task as data for programs that play without the engine: the operators that can ever apply, over all variables.

use super::expression::Term;
use super::model::{Compiled, MovePart};
use super::task::{self, CountRange, Task, Values, Var};
use crate::domain::mechanics::{
    Condition, CountBounds, Disjunction, Mechanics, Moves, NamePart, Operator, Operators, Source, Target,
};
use std::sync::Arc;

/// Returns the rules of a puzzle. `task` is its task without unreachable values and operators, and `reached` has the
/// reachable values of each variable.
pub(super) fn mechanics(puzzle: &Compiled, task: &Task, reached: &[Values]) -> Mechanics {
    let counts = |count: &task::Count| (conditions(&count.of), count.least, count.most);
    let target = |goal: &task::Goal| Target {
        conditions: conditions(&goal.conditions),
        disjunctions: disjunctions(&goal.disjunctions),
        counts: goal.counts.iter().map(counts).collect(),
    };
    let part = |part: &MovePart| match part {
        MovePart::Text(text) => NamePart::Text(text.clone()),
        MovePart::Symbol(var) => NamePart::Value(*var),
    };
    let operator = |operator: &task::Operator| {
        let source = |effect: &task::Effect| {
            let old = |var: Var| operator.condition(var).unwrap_or(&reached[var]).and(&reached[var]);
            let source = match &effect.source {
                task::Source::Value(value) => Source::Constant((*value).into()),
                task::Source::Table(var, _) if effect.source.copied(old).is_some() => Source::Copy(*var),
                task::Source::Table(var, table) => {
                    let pair = |value: task::Value| (value.into(), table[usize::from(value)].into());
                    Source::Table(*var, old(*var).iter().map(pair).collect())
                }
            };
            (effect.target, source)
        };
        Operator {
            name: puzzle.moves[operator.action as usize].iter().map(part).collect(),
            cost: task.cost_unit.cost(operator.cost.into()),
            conditions: conditions(&operator.conditions),
            disjunctions: disjunctions(&operator.disjunctions),
            counts: bounds(&operator.counts),
            effects: operator.effects.iter().map(source).collect(),
        }
    };
    let names = |terms: &Arc<[Term]>| terms.iter().map(ToString::to_string).collect();
    Mechanics {
        start: puzzle.task.start.iter().map(|&value| value.into()).collect(),
        domains: reached.iter().map(values).collect(),
        goals: task.goals.iter().map(target).collect(),
        moves: Moves::Operators(Operators {
            operators: task.operators.iter().map(operator).collect(),
            counters: task.counters.iter().map(|counter| conditions(counter)).collect(),
            never: task.never.iter().map(|never| (conditions(&never.conditions), bounds(&never.counts))).collect(),
            value_names: puzzle.model.world.values.iter().map(names).collect(),
        }),
    }
}

fn values(values: &Values) -> Vec<u32> {
    values.iter().map(u32::from).collect()
}

fn conditions(all: &[task::Condition]) -> Vec<Condition> {
    all.iter().map(|(var, one)| (*var, values(one))).collect()
}

fn disjunctions(all: &[task::Disjunction]) -> Vec<Disjunction> {
    all.iter().map(|any| any.iter().map(|one| conditions(one)).collect()).collect()
}

fn bounds(all: &[CountRange]) -> Vec<CountBounds> {
    all.iter().map(|range| (range.counter, range.least, range.most)).collect()
}
