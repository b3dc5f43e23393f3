//! The heuristic `goal-distance`: how many moves the pieces that a goal names would need if each were alone.
//!
//! Admissible and consistent: a move moves one piece, walls and gates bind it as they do in the puzzle, and taking
//! the other pieces away only makes ways shorter. The distances of pieces that are named add up, since each move is one
//! piece's. Of a shape, the nearest piece counts; one move may bring a piece nearer to several such places, so of these
//! the greatest distance counts, not the sum. Of several goals the nearest counts.

use super::bits::Field;
use super::board::Metric;
use super::layout::{CellIndex, Class, Layout, Stand};

/// The distances for every goal.
pub(super) struct GoalDistance {
    goals: Vec<Goal>,
}

struct Goal {
    /// Of pieces that are named.
    roles: Vec<Distances>,
    /// Of any one of the pieces of some classes.
    any: Vec<Vec<Distances>>,
}

struct Distances {
    field: Field,
    /// By cell.
    to_goal: Vec<u32>,
}

/// Stands for cells from which the piece cannot get there; sums of it don't overflow.
const NEVER: u32 = 1 << 20;

impl GoalDistance {
    pub fn new(layout: &Layout, fields: &[Field], metric: Metric) -> GoalDistance {
        let of_stand = |stand: &Stand| -> Vec<Distances> {
            let of_class = |&class: &usize| Distances {
                field: fields[class],
                to_goal: distances(&layout.classes[class], stand.at, metric),
            };
            stand.classes.iter().map(of_class).collect()
        };
        let of_goal = |goal: &Vec<Stand>| {
            // Where no other piece of a shape can get to its place, a piece that is named may be asked for a second time.
            let mut summed = vec![false; layout.classes.len()];
            let is_role = |stand: &&Stand| match stand.classes[..] {
                [class] => layout.classes[class].has_role && !std::mem::replace(&mut summed[class], true),
                _ => false,
            };
            let (roles, any): (Vec<&Stand>, Vec<&Stand>) = goal.iter().partition(is_role);
            let roles = roles.into_iter().flat_map(of_stand).collect();
            Goal { roles, any: any.into_iter().map(of_stand).collect() }
        };
        GoalDistance { goals: layout.goals.iter().map(of_goal).collect() }
    }

    /// The least bound over the goals, for a state whose fields `anchors` tells.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        let nearest = |of: &Distances| {
            let mut least = NEVER;
            anchors(&of.field, &mut |anchor| least = least.min(of.to_goal[anchor as usize]));
            least
        };
        let bound = |goal: &Goal| {
            let sum: u32 = goal.roles.iter().map(nearest).sum();
            let any = |of: &Vec<Distances>| of.iter().map(nearest).min().unwrap_or(0);
            sum.max(goal.any.iter().map(any).max().unwrap_or(0))
        };
        self.goals.iter().map(bound).min().unwrap_or(0)
    }
}

/// By cell, the moves from there to `goal` of a piece alone on the board: breadth-first, backwards. A piece that
/// a goal names may enter gates, so whatever step it takes, it can take back.
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
