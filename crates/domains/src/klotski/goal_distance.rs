//! The heuristic `goal-distance`: the moves that the pieces of a goal would need if each were alone on the board.
//!
//! It is admissible and consistent: a move moves one piece, walls and gates apply as in the puzzle, and removing the
//! other pieces only shortens paths. The distances of different pieces are added, since each move belongs to one piece.
//!
//! Where a goal demands shapes, a solution gives each place a piece of its own, so the cheapest such assignment is a
//! lower bound. A move changes the distances of one piece by at most 1, and the piece has at most one place, so the
//! cost of the assignment changes by at most 1 too. Of several goals, the nearest counts.

use super::assignment::Assignment;
use super::bits::Field;
use super::board::Metric;
use super::compiled_board::{CellIndex, Class, CompiledBoard, Placement};
use crate::space::{Part, Parts};

/// The greatest number of places that an assignment considers together: fewer places are a lower bound too.
const MOST_PLACES: usize = 16;

/// The distances for every goal.
pub(super) struct GoalDistance {
    goals: Vec<Vec<Group>>,
}

/// Places of a goal that have pieces in common; different groups have different pieces.
struct Group {
    /// For each place, the distances of the classes whose pieces it may have.
    places: Vec<Vec<Distances>>,
    /// The names of the pieces.
    names: Vec<String>,
}

struct Distances {
    field: Field,
    /// The distance from each cell.
    to_goal: Vec<u32>,
}

/// The distance from cells that cannot reach the goal; sums of it do not overflow.
const UNREACHABLE: u32 = 1 << 20;

impl GoalDistance {
    pub fn new(compiled: &CompiledBoard, fields: &[Field], metric: Metric) -> GoalDistance {
        let group = |placements: Vec<&Placement>| {
            // Each place has an entry for each class of the group, in the same order.
            let mut classes: Vec<usize> = placements.iter().flat_map(|placement| &placement.classes).copied().collect();
            classes.sort_unstable();
            classes.dedup();
            let place = |placement: &&Placement| {
                let of_class = |&class: &usize| Distances {
                    field: fields[class],
                    to_goal: if placement.classes.contains(&class) {
                        distances(&compiled.classes[class], placement.at, metric)
                    } else {
                        vec![UNREACHABLE; compiled.cells()]
                    },
                };
                classes.iter().map(of_class).collect()
            };
            let names = classes.iter().flat_map(|&class| compiled.classes[class].names.clone()).collect();
            Group { places: placements.iter().take(MOST_PLACES).map(place).collect(), names }
        };
        let goal = |goal: &Vec<Placement>| groups(goal, compiled.classes.len()).into_iter().map(group).collect();
        GoalDistance { goals: compiled.goals.iter().map(goal).collect() }
    }

    /// Returns the least bound over the goals; `anchors` calls back with the anchors in a field of the state.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        self.goals.iter().map(|goal| goal.iter().map(|group| group.bound(&anchors)).sum()).min().unwrap_or(0)
    }

    /// Returns the parts of the least bound.
    pub fn parts(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> Parts {
        let bound = |goal: &&Vec<Group>| goal.iter().map(|group| group.bound(&anchors)).sum::<u32>();
        let Some(nearest) = self.goals.iter().min_by_key(bound) else { return Parts::default() };
        let part =
            |group: &Group| Part::of(format!("piece {}", group.names.join(" ")), group.bound(&anchors), &group.names);
        let mut parts = Parts::sum(nearest.iter().map(part));
        if self.goals.len() > 1 {
            parts.choice = format!("for the nearest of {} goals", self.goals.len());
        }
        parts
    }
}

impl Group {
    #[inline]
    fn bound(&self, anchors: &impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        match &self.places[..] {
            [place] => {
                let nearest = |of: &Distances| {
                    let mut least = UNREACHABLE;
                    anchors(&of.field, &mut |anchor| least = least.min(of.to_goal[anchor as usize]));
                    least
                };
                place.iter().map(nearest).min().unwrap_or(0)
            }
            places => {
                let mut assignment = Assignment::default();
                for place in places {
                    let costs = assignment.row();
                    for of in place {
                        anchors(&of.field, &mut |anchor| costs.push(of.to_goal[anchor as usize]));
                    }
                }
                assignment.cost()
            }
        }
    }
}

/// Returns the placements in groups: two with one of these classes in common are in one group.
fn groups(goal: &[Placement], classes: usize) -> Vec<Vec<&Placement>> {
    let mut groups: Vec<Vec<&Placement>> = Vec::new();
    let mut group_of: Vec<Option<usize>> = vec![None; classes];
    for placement in goal {
        let group = placement.classes.iter().find_map(|&class| group_of[class]).unwrap_or(groups.len());
        groups.resize(groups.len().max(group + 1), Vec::new());
        for &class in &placement.classes {
            if let Some(other) = group_of[class].filter(|&other| other != group) {
                let moved = std::mem::take(&mut groups[other]);
                groups[group].extend(moved);
                group_of.iter_mut().filter(|of| **of == Some(other)).for_each(|of| *of = Some(group));
            }
            group_of[class] = Some(group);
        }
        groups[group].push(placement);
    }
    groups.retain(|group| !group.is_empty());
    groups
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
