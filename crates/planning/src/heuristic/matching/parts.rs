//! The parts of a matching for people: each token with its target.

use super::assignment::Assignment;
use super::{DEAD, Kinds};
use crate::task::{Task, Value, Variable};
use engine_search::space::{Part, Parts};

impl<const N: usize> Kinds<N> {
    /// Returns the distances of tokens to their targets in a matching of least cost for the nearest goal.
    pub(super) fn parts(&self, task: &Task, state: &[Value]) -> Parts {
        let mut assignment = Assignment::default();
        let to_goal = |goal: &usize| self.h_to(*goal, state, &mut assignment);
        let Some(goal) = (0..self.goals).min_by_key(to_goal) else { return Parts::default() };
        let mut parts = Vec::new();
        for kind in &self.kinds {
            let targets = &kind.goals[goal];
            // It leaves the assignment as it was if nothing has to move.
            if matches!(kind.h(targets, state, &mut assignment), 0 | DEAD) {
                continue;
            }
            let (tokens, mover) = kind.read(state);
            let tokens: Vec<usize> = tokens.iter().collect();
            let are_all_needed = targets.required.len() == tokens.len();
            for (row, column) in assignment.pairs() {
                let column = if are_all_needed { targets.required[column] } else { column };
                let (place, target) = (tokens[row], usize::from(targets.places[column]));
                let distance = targets.distances(kind.node(place, mover as Value))[column];
                let [from, to] = [place, target].map(|place| &task.variables[kind.places[place].0]);
                let name = format!("{} from {} to {}", kind.symbol, from.name, to.name);
                parts.push(Variable::part(name, f64::from(distance) / f64::from(kind.scale), [from]));
            }
        }
        let sum = parts.iter().map(|part: &Part| part.value).sum::<f64>();
        let rounding =
            Variable::part("rounding up".to_owned(), f64::from(self.h_to(goal, state, &mut assignment)) - sum, []);
        Parts::sum(parts.into_iter().chain([rounding]))
    }
}
