//! Free moves: operators that cost nothing and are undone by others of them.

use super::mover::closed_under_inverses;
use super::reduce::Reduced;
use super::symmetry::{Permutation, are_kept};

/// The operators that cost nothing and are undone by others of them, and the operators that are neither free nor lead
/// to a dead end.
pub struct FreeMoves {
    /// For each operator, whether it is free.
    pub is_free: Vec<bool>,
    pub is_dead_end: Vec<bool>,
}

impl FreeMoves {
    /// Returns the free moves of a task; none if it has none, or if a symmetry takes one of them to another move.
    pub fn find(reduced: &Reduced, symmetries: &[Permutation], dead_ends: &[bool]) -> Option<FreeMoves> {
        let task = &reduced.task;
        let free = (0..).zip(&task.operators).filter(|(_, operator)| operator.cost == 0).map(|(number, _)| number);
        let free = closed_under_inverses(free.collect(), &reduced.inverse);
        let count = task.operators.len();
        (!free.is_empty() && are_kept(task, symmetries, &free)).then(|| FreeMoves {
            is_free: (0..count as u32).map(|number| free.binary_search(&number).is_ok()).collect(),
            is_dead_end: (0..count).map(|number| dead_ends.get(number) == Some(&true)).collect(),
        })
    }

    /// Returns the number of free operators.
    pub fn count(&self) -> usize {
        self.is_free.iter().filter(|free| **free).count()
    }
}
