//! The heuristic `goal-distance`: how many moves each piece that a goal names would need if it were alone.
//!
//! Admissible and consistent: a move moves one piece, walls and gates bind it as they do in the puzzle, and taking
//! the other pieces away only makes ways shorter. Of several goals the nearest counts.

use super::bits::Field;
use super::board::Metric;
use super::layout::{CellIndex, Class, Layout};

/// For every goal, the pieces it names, each with its distances.
pub(super) struct GoalDistance {
    goals: Vec<Vec<Distances>>,
}

struct Distances {
    field: Field,
    /// By what the field holds.
    to_goal: Vec<u32>,
}

/// Stands for cells from which the piece cannot get there; sums of it don't overflow.
const NEVER: u32 = 1 << 20;

impl GoalDistance {
    pub fn new(layout: &Layout, fields: &[Field], metric: Metric) -> GoalDistance {
        let distances = |&(class, goal): &(usize, CellIndex)| {
            let field = fields[class];
            let by_cell = distances(&layout.classes[class], goal, metric);
            Distances { field, to_goal: by_cell[field.min as usize..].to_vec() }
        };
        GoalDistance { goals: layout.goals.iter().map(|goal| goal.iter().map(distances).collect()).collect() }
    }

    /// The least sum over the goals, for a state whose fields `read` tells.
    pub fn h(&self, read: impl Fn(&Field) -> u64) -> u32 {
        let sum = |goal: &Vec<Distances>| goal.iter().map(|piece| piece.to_goal[read(&piece.field) as usize]).sum();
        self.goals.iter().map(sum).min().unwrap_or(0)
    }
}

/// By cell, the moves from there to `goal` of a piece alone on the board: breadth-first, backwards. A piece with a
/// role may enter gates, so whatever step it takes, it can take back.
fn distances(class: &Class, goal: CellIndex, metric: Metric) -> Vec<u32> {
    let mut to_goal = vec![NEVER; class.placements.len()];
    to_goal[usize::from(goal)] = 0;
    let mut level = vec![goal];
    let mut distance = 0;
    while !level.is_empty() {
        distance += u32::from(distance == 0 || metric != Metric::Turn);
        let mut next = Vec::new();
        for anchor in level {
            for step in &class.steps {
                let mut at = anchor;
                while step.from[usize::from(at)] {
                    at = (i32::from(at) + step.delta) as CellIndex;
                    if to_goal[usize::from(at)] > distance {
                        to_goal[usize::from(at)] = distance;
                        next.push(at);
                    }
                    if metric == Metric::Step {
                        break;
                    }
                }
            }
        }
        level = next;
    }
    to_goal
}
