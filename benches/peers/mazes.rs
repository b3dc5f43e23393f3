//! Grid maps with `pathfinding`: a state is a row and a column, a cost an integer number of billionths.

use pathfinding::prelude::astar;

/// The cost of a straight step.
const ONE: u64 = 1_000_000_000;
/// The cost of a diagonal step.
const ROOT_TWO: u64 = 1_414_213_562;

/// A map of open cells and walls, with a start and a goal.
pub struct Grid {
    pub open: Vec<Vec<bool>>,
    pub start: (usize, usize),
    pub goal: (usize, usize),
    pub diagonal: bool,
}

impl Grid {
    /// Returns the cost of the cheapest path, by A* with the Manhattan or the octile distance.
    pub fn a_star(&self, on_expand: impl Fn()) -> Option<f64> {
        let successors = |&place: &(usize, usize)| {
            on_expand();
            self.successors(place)
        };
        let (_, cost) = astar(&self.start, successors, |&place| self.distance(place), |&place| place == self.goal)?;
        Some(cost as f64 / ONE as f64)
    }

    fn successors(&self, (row, column): (usize, usize)) -> Vec<((usize, usize), u64)> {
        let open = |down: isize, right: isize| {
            let place = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
            let is_open = self.open.get(place.0).and_then(|row| row.get(place.1)) == Some(&true);
            is_open.then_some(place)
        };
        let mut successors = Vec::with_capacity(8);
        for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            successors.extend(open(down, right).map(|place| (place, ONE)));
        }
        if self.diagonal {
            for (down, right) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let beside = open(down, 0).and(open(0, right));
                successors.extend(beside.and(open(down, right)).map(|place| (place, ROOT_TWO)));
            }
        }
        successors
    }

    fn distance(&self, (row, column): (usize, usize)) -> u64 {
        let (down, right) = (row.abs_diff(self.goal.0) as u64, column.abs_diff(self.goal.1) as u64);
        if self.diagonal { down.abs_diff(right) * ONE + down.min(right) * ROOT_TWO } else { (down + right) * ONE }
    }
}
