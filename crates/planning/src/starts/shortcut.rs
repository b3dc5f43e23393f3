//! Solutions that cost less than a known one, as numbers of operators, which may be tried from other starts of the same task.

use super::{IndexedGoal, NO_PARENT, Starts};
use crate::task::{Goal, Value};

impl Starts {
    /// Searches for a solution that costs less than `below`. Returns the numbers of its operators, the inner `None` if there
    /// is none, and the outer one as [`search`](Self::search).
    #[must_use]
    pub fn shortcut(&self, start: &[Value], goals: &[Goal], below: u64, most: u64) -> Option<Option<Vec<u32>>> {
        let run = self.searched(start, goals, Some(below), most)?;
        let Some(mut number) = run.end else { return Some(None) };
        let mut path = Vec::new();
        while run.known.parents[number as usize] != NO_PARENT {
            let (before, operator) = run.known.parents[number as usize];
            path.push(operator);
            number = before;
        }
        path.reverse();
        Some(Some(path))
    }

    /// Returns whether these operators, one after the other, lead from a start to a goal.
    #[must_use]
    pub fn is_solution(&self, start: &[Value], goals: &[Goal], path: &[u32]) -> bool {
        let mut state: Vec<u8> = start.iter().map(|value| *value as u8).collect();
        let (mut counts, mut wide) = (Vec::new(), Vec::new());
        if self.is_forbidden(&state) {
            return false;
        }
        for &number in path {
            self.count(&state, &mut counts);
            let operator = &self.operators[number as usize];
            if !self.triggers(number, &state) || !self.applies(operator, &state, &counts, &mut wide) {
                return false;
            }
            let writes: Vec<(usize, u8)> = operator.writes(&state).collect();
            writes.into_iter().for_each(|(target, value)| state[target] = value);
            if self.is_forbidden(&state) {
                return false;
            }
        }
        goals.iter().any(|goal| IndexedGoal::of(goal).holds(&state, &mut wide))
    }

    /// Returns whether the trigger of an operator holds, if it has one.
    fn triggers(&self, number: u32, state: &[u8]) -> bool {
        self.operators[number as usize].trigger.is_none_or(|(var, mask)| mask >> state[usize::from(var)] & 1 == 1)
    }
}
