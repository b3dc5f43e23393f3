//! The heuristic `obstruction`: the lengths of the paths of the pieces that a goal names, and the pieces that block
//! them.
//!
//! For each place of the goal, it takes the cheapest path of a piece that may stand there. A step costs 1, and 2 more
//! for each cell of another piece that the moving piece would cover. It overestimates: one move may take several steps,
//! or clear several cells. So it proves nothing. A search sees from it what to clear, where `goal-distance` is the same
//! for nearly all states.

use super::bits::Field;
use super::layout::{Layout, Placement};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The weight of a covered cell; a step counts 1.
const COVERED: u32 = 2;

/// More than the cost of any path on the largest board.
const NO_PATH: u32 = 1 << 24;

/// The places of each goal.
pub(super) struct Obstruction {
    goals: Vec<Vec<Place>>,
    /// All classes of pieces.
    classes: Vec<Class>,
    cells: usize,
}

/// A place of a goal: the classes whose pieces it may have, and its anchor.
struct Place {
    classes: Vec<usize>,
    at: u32,
}

struct Class {
    field: Field,
    /// The cells of a piece, as offsets from its anchor.
    shape: Vec<i32>,
    /// For each anchor, those one step from it on the bare board.
    steps: Vec<Vec<u32>>,
}

impl Obstruction {
    pub fn new(layout: &Layout, fields: &[Field]) -> Obstruction {
        let class = |(class, &field): (&super::layout::Class, &Field)| {
            let steps_from = |at: usize| {
                let possible = class.steps.iter().filter(|step| step.from[at]);
                possible.map(|step| (at as i32 + step.delta) as u32).collect()
            };
            Class { field, shape: class.cells.clone(), steps: (0..layout.cells()).map(steps_from).collect() }
        };
        let place = |placement: &Placement| Place { classes: placement.classes.clone(), at: placement.at.into() };
        Obstruction {
            goals: layout.goals.iter().map(|goal| goal.iter().map(place).collect()).collect(),
            classes: layout.classes.iter().zip(fields).map(class).collect(),
            cells: layout.cells(),
        }
    }

    /// Returns the least sum over the goals; `anchors` calls back with the anchors in a field of the state.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        let mut covered = vec![0; self.cells];
        for class in &self.classes {
            anchors(&class.field, &mut |anchor| class.cover(&mut covered, anchor, 1));
        }
        let mut of_place = |place: &Place| {
            let mut least = NO_PATH;
            for class in place.classes.iter().map(|&class| &self.classes[class]) {
                anchors(&class.field, &mut |from| {
                    // The piece does not block itself.
                    class.cover(&mut covered, from, 0);
                    least = least.min(class.path_cost(from, place.at, &covered));
                    class.cover(&mut covered, from, 1);
                });
            }
            least
        };
        let of_goal = |goal: &Vec<Place>| goal.iter().map(&mut of_place).fold(0, u32::saturating_add);
        self.goals.iter().map(of_goal).min().unwrap_or(0).min(NO_PATH)
    }
}

impl Class {
    /// Writes a number into each cell of a piece.
    fn cover(&self, covered: &mut [u32], anchor: u32, with: u32) {
        self.shape.iter().for_each(|&cell| covered[anchor.wrapping_add_signed(cell) as usize] = with);
    }

    /// Returns the cost of the cheapest path of a piece, by Dijkstra's algorithm.
    fn path_cost(&self, from: u32, to: u32, covered: &[u32]) -> u32 {
        let mut sums = vec![NO_PATH; covered.len()];
        let mut open = BinaryHeap::from([Reverse((0, from))]);
        sums[from as usize] = 0;
        while let Some(Reverse((sum, at))) = open.pop() {
            if at == to {
                return sum;
            }
            if sum > sums[at as usize] {
                continue;
            }
            for &next in &self.steps[at as usize] {
                let blocked: u32 =
                    self.shape.iter().map(|&cell| covered[next.wrapping_add_signed(cell) as usize]).sum();
                let sum = sum + 1 + COVERED * blocked;
                if sum < sums[next as usize] {
                    sums[next as usize] = sum;
                    open.push(Reverse((sum, next)));
                }
            }
        }
        NO_PATH
    }
}
