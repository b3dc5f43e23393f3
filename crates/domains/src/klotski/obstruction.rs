//! The heuristic `obstruction`: the lengths of the paths of the pieces that a goal names, and the pieces that block
//! them.
//!
//! For each place of the goal, it takes the cheapest path of a piece that may stand there. A step costs 1, and 2 more
//! for each cell of another piece that the moving piece would cover. It overestimates: one move may take several steps,
//! or clear several cells. So it proves nothing. A search sees from it what to clear, where `goal-distance` is the same
//! for nearly all states.

use super::bits::Field;
use super::compiled_board::{CompiledBoard, Placement};
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
    /// For each anchor, those one step from it on the bare board, and those from which it is one step.
    steps: Vec<Vec<u32>>,
    steps_back: Vec<Vec<u32>>,
}

impl Obstruction {
    pub fn new(compiled: &CompiledBoard, fields: &[Field]) -> Obstruction {
        let class = |(class, &field): (&super::compiled_board::Class, &Field)| {
            let steps_from = |at: usize| -> Vec<u32> {
                let possible = class.steps.iter().filter(|step| step.from[at]);
                possible.map(|step| (at as i32 + step.delta) as u32).collect()
            };
            let steps: Vec<Vec<u32>> = (0..compiled.cells()).map(steps_from).collect();
            let mut steps_back = vec![Vec::new(); steps.len()];
            for (from, to) in (0..).zip(&steps) {
                to.iter().for_each(|&to| steps_back[to as usize].push(from));
            }
            Class { field, shape: class.cells.clone(), steps, steps_back }
        };
        let place = |placement: &Placement| Place { classes: placement.classes.clone(), at: placement.at.into() };
        Obstruction {
            goals: compiled.goals.iter().map(|goal| goal.iter().map(place).collect()).collect(),
            classes: compiled.classes.iter().zip(fields).map(class).collect(),
            cells: compiled.cells(),
        }
    }

    /// Returns the least sum over the goals; `anchors` calls back with the anchors in a field of the state.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        let mut covered = vec![0; self.cells];
        let mut search = PathSearch { sums: vec![NO_PATH; self.cells], reached: Vec::new(), open: BinaryHeap::new() };
        for class in &self.classes {
            anchors(&class.field, &mut |anchor| class.cover(&mut covered, anchor, 1));
        }
        let mut of_place = |place: &Place| {
            let mut least = NO_PATH;
            for class in place.classes.iter().map(|&class| &self.classes[class]) {
                let mut stands = vec![false; self.cells];
                anchors(&class.field, &mut |anchor| stands[anchor as usize] = true);
                // The nearest pieces come first: one that is as many steps away as the least cost cannot cost less.
                let (mut nearest, mut steps) = (vec![place.at], 0);
                let mut visited = vec![false; self.cells];
                visited[place.at as usize] = true;
                while steps < least && !nearest.is_empty() {
                    for &from in nearest.iter().filter(|&&from| stands[from as usize]) {
                        // The piece does not block itself.
                        class.cover(&mut covered, from, 0);
                        least = search.cost(class, from, place.at, &covered, least);
                        class.cover(&mut covered, from, 1);
                    }
                    let before = nearest.iter().flat_map(|&at| &class.steps_back[at as usize]).copied();
                    nearest = before.filter(|&at| !std::mem::replace(&mut visited[at as usize], true)).collect();
                    steps += 1;
                }
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
}

/// The memory of searches for the cheapest path of a piece, by Dijkstra's algorithm.
struct PathSearch {
    /// For each anchor, the cost of the cheapest path to it so far.
    sums: Vec<u32>,
    /// The anchors that have such a path.
    reached: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl PathSearch {
    /// Returns the cost of the cheapest path; `most` if no path costs less.
    fn cost(&mut self, class: &Class, from: u32, to: u32, covered: &[u32], most: u32) -> u32 {
        self.reached.drain(..).for_each(|at| self.sums[at as usize] = NO_PATH);
        self.open.clear();
        self.reach(from, 0);
        while let Some(Reverse((sum, at))) = self.open.pop().filter(|Reverse((sum, _))| *sum < most) {
            if at == to {
                return sum;
            }
            if sum > self.sums[at as usize] {
                continue;
            }
            for &next in &class.steps[at as usize] {
                let blocked: u32 =
                    class.shape.iter().map(|&cell| covered[next.wrapping_add_signed(cell) as usize]).sum();
                let sum = sum + 1 + COVERED * blocked;
                if sum < self.sums[next as usize] {
                    self.reach(next, sum);
                }
            }
        }
        most
    }

    fn reach(&mut self, at: u32, sum: u32) {
        self.sums[at as usize] = sum;
        self.reached.push(at);
        self.open.push(Reverse((sum, at)));
    }
}
