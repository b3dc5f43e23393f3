//! Movers: variables that some operators change alone, while every other operator needs them at one value.
//!
//! Examples are the place of the man in Sokoban, and that of a ferry.

use super::reduce::Reduced;
use super::symmetry::{Permutation, are_kept};
use crate::packed::can_become_true;
use crate::task::{Condition, Effect, Operator, Source, Task, Value, Var};
use std::cmp::Reverse;

/// With fewer walks that are not free, macro moves would save next to nothing.
const FEWEST_WALKS: usize = 4;

/// A variable with walks, found from the operators alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mover {
    pub var: Var,
    /// The numbers of the operators that change it alone, in order.
    pub walks: Vec<u32>,
    /// True if the walks cost nothing and each is undone by another.
    pub has_regions: bool,
}

impl Mover {
    /// Returns the mover of a task; of several, the one with the most walks.
    ///
    /// Every symmetry takes it and its walks to themselves. Otherwise the macro moves of a state would not be those of
    /// its images, and the representative of a state would depend on where in its region the mover is.
    pub fn find(reduced: &Reduced, symmetries: &[Permutation]) -> Option<Mover> {
        let task = &reduced.task;
        let is_kept = |mover: &Mover| {
            symmetries.iter().all(|to| to.to[mover.var] == mover.var) && are_kept(task, symmetries, &mover.walks)
        };
        let movers = (0..task.variables.len()).filter_map(|var| Mover::of(reduced, var)).filter(is_kept);
        movers.min_by_key(|mover| (Reverse(mover.walks.len()), mover.var))
    }

    fn of(reduced: &Reduced, var: Var) -> Option<Mover> {
        let task = &reduced.task;
        let needs_one = |operator: &Operator| operator.condition(var).is_some_and(|values| values.only().is_some());
        if !task.operators.iter().all(needs_one) {
            return None;
        }
        let is_walk = |number: &u32| {
            let guarded = || task.never.iter().any(|never| can_become_true(task, *number as usize, never));
            walks_to(&task.operators[*number as usize], var).is_some() && !guarded()
        };
        let mut walks: Vec<u32> = (0..task.operators.len() as u32).filter(is_walk).collect();
        let free = walks.iter().copied().filter(|&number| task.operators[number as usize].cost == 0).collect();
        let free = closed_under_inverses(free, &reduced.inverse);
        let has_regions = !free.is_empty();
        if has_regions {
            walks = free;
        }
        (has_regions || walks.len() >= FEWEST_WALKS).then_some(Mover { var, walks, has_regions })
    }

    /// Returns whether a goal asks for the mover's value.
    pub(super) fn is_in_goals(&self, task: &Task) -> bool {
        let asks = |all: &[Condition]| all.iter().any(|(var, _)| *var == self.var);
        task.goals.iter().any(|goal| {
            asks(&goal.conditions)
                || goal.counts.iter().any(|count| asks(&count.of))
                || goal.disjunctions.iter().flatten().any(|all| asks(all))
        })
    }
}

/// Drops operators until each is undone by another of them, in every state.
pub(crate) fn closed_under_inverses(mut numbers: Vec<u32>, inverse: &[Option<u32>]) -> Vec<u32> {
    loop {
        let is_undone =
            |&&number: &&u32| inverse[number as usize].is_some_and(|other| numbers.binary_search(&other).is_ok());
        let kept: Vec<u32> = numbers.iter().filter(is_undone).copied().collect();
        if kept.len() == numbers.len() {
            return kept;
        }
        numbers = kept;
    }
}

/// Returns the value to which an operator takes a variable, if that is all it does.
pub(crate) fn walks_to(operator: &Operator, var: Var) -> Option<Value> {
    match operator.effects.as_slice() {
        // A walk is tested by its conditions alone.
        [Effect { target, source: Source::Value(value) }] if *target == var && operator.is_plain() => Some(*value),
        _ => None,
    }
}
