//! The heuristic `goal-distance`: the moves that the pieces named in a goal would need if each were alone on the board.
//!
//! It is admissible and consistent: a move moves one piece, walls and gates apply as in the puzzle, and removing the
//! other pieces only shortens paths. The distances of named pieces are added, since each move belongs to one piece. For
//! a shape, the nearest piece counts. One move may bring a piece nearer to several such places, so the maximum of these
//! distances counts, not the sum. Of several goals, the nearest counts.

use super::bits::Field;
use super::board::Metric;
use super::layout::{CellIndex, Class, Layout, Placement};

/// The distances for every goal.
pub(super) struct GoalDistance {
    goals: Vec<Goal>,
}

struct Goal {
    /// The distances of named pieces.
    named: Vec<Distances>,
    /// For each required shape, the distances of the classes with this shape.
    any: Vec<Vec<Distances>>,
}

struct Distances {
    field: Field,
    /// The distance from each cell.
    to_goal: Vec<u32>,
}

/// The distance from cells that cannot reach the goal; sums of it do not overflow.
const UNREACHABLE: u32 = 1 << 20;

impl GoalDistance {
    pub fn new(layout: &Layout, fields: &[Field], metric: Metric) -> GoalDistance {
        let of_placement = |placement: &Placement| -> Vec<Distances> {
            let of_class = |&class: &usize| Distances {
                field: fields[class],
                to_goal: distances(&layout.classes[class], placement.at, metric),
            };
            placement.classes.iter().map(of_class).collect()
        };
        let of_goal = |goal: &Vec<Placement>| {
            // If no other piece of a shape can reach its place, a named piece may be required a second time.
            let mut summed = vec![false; layout.classes.len()];
            let is_named = |placement: &&Placement| match placement.classes[..] {
                [class] => layout.classes[class].is_named && !std::mem::replace(&mut summed[class], true),
                _ => false,
            };
            let (named, any): (Vec<&Placement>, Vec<&Placement>) = goal.iter().partition(is_named);
            let named = named.into_iter().flat_map(of_placement).collect();
            Goal { named, any: any.into_iter().map(of_placement).collect() }
        };
        GoalDistance { goals: layout.goals.iter().map(of_goal).collect() }
    }

    /// Returns the least bound over the goals; `anchors` calls back with the anchors in a field of the state.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        let nearest = |of: &Distances| {
            let mut least = UNREACHABLE;
            anchors(&of.field, &mut |anchor| least = least.min(of.to_goal[anchor as usize]));
            least
        };
        let bound = |goal: &Goal| {
            let sum: u32 = goal.named.iter().map(nearest).sum();
            let any = |of: &Vec<Distances>| of.iter().map(nearest).min().unwrap_or(0);
            sum.max(goal.any.iter().map(any).max().unwrap_or(0))
        };
        self.goals.iter().map(bound).min().unwrap_or(0)
    }
}

/// Returns for each cell the number of moves to `goal` of a piece alone on the board, by backward breadth-first search.
/// A piece that a goal names may enter gates, so all its steps are reversible.
fn distances(class: &Class, goal: CellIndex, metric: Metric) -> Vec<u32> {
    let mut to_goal = vec![UNREACHABLE; class.placements.len()];
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
