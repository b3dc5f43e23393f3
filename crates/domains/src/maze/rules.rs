//! The reference rules: the map as rows, and a walker that checks the cell of each step.
//!
//! They share only the description of the map with the state spaces.

use super::map::{Cell, Map, Moves};
use super::view::MOST_DRAWN;
use crate::domain::{Rules, Successor};
use std::f64::consts::SQRT_2;

/// The names of the steps.
const DIRECTIONS: [&str; 8] = ["u", "d", "l", "r", "ul", "ur", "dl", "dr"];

/// A row and a column.
type Place = (i64, i64);

/// A maze in play.
pub(super) struct MazeRules {
    /// The cost of entering each cell, by row and column; 0 for a wall.
    rows: Vec<Vec<u8>>,
    start: Place,
    goal: Place,
    moves: Moves,
    walker: Place,
    /// The cost of the straight steps so far, and of the diagonal ones, without the factor √2.
    straight: u64,
    diagonal: u64,
}

impl MazeRules {
    pub fn new(map: &Map, start: Cell, goal: Cell, moves: Moves) -> MazeRules {
        let cost = |row, column| map.costs[map.cell(row, column) as usize];
        let rows = (0..map.rows).map(|row| (0..map.columns).map(|column| cost(row, column)).collect()).collect();
        let place = |cell| {
            let (row, column) = map.place(cell);
            (row.into(), column.into())
        };
        let (start, goal) = (place(start), place(goal));
        MazeRules { rows, start, goal, moves, walker: start, straight: 0, diagonal: 0 }
    }

    /// Returns the cost of entering a place, or `None` for a wall or outside the map.
    fn cost_of(&self, (row, column): Place) -> Option<u8> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied().filter(|&cost| cost > 0)
    }

    /// Returns the place that a step leads to, the cost of entering it, and whether the step is diagonal.
    ///
    /// # Errors
    /// Returns why the step is not legal.
    fn step(&self, written: &str) -> Result<(Place, u8, bool), String> {
        let (down, right) = match written {
            "u" => (-1, 0),
            "d" => (1, 0),
            "l" => (0, -1),
            "r" => (0, 1),
            "ul" => (-1, -1),
            "ur" => (-1, 1),
            "dl" => (1, -1),
            "dr" => (1, 1),
            _ => return Err("unknown direction: expected one of u, d, l, r, ul, ur, dl, dr".to_owned()),
        };
        let (row, column) = self.walker;
        let to = (row + down, column + right);
        let diagonal_step = down != 0 && right != 0;
        if diagonal_step && self.moves == Moves::Orthogonal {
            return Err("this maze has no diagonal moves".to_owned());
        }
        let Some(cost) = self.cost_of(to) else { return Err("there is a wall or the edge of the map".to_owned()) };
        if diagonal_step && (self.cost_of((row, to.1)).is_none() || self.cost_of((to.0, column)).is_none()) {
            return Err("it would cut the corner of a wall".to_owned());
        }
        Ok((to, cost, diagonal_step))
    }
}

impl Rules for MazeRules {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let (to, cost, is_diagonal) = self.step(written)?;
        let sum = if is_diagonal { &mut self.diagonal } else { &mut self.straight };
        *sum += u64::from(cost);
        self.walker = to;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.walker == self.goal
    }

    fn cost(&self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * SQRT_2
    }

    fn draw(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        if self.rows.len().max(columns) > MOST_DRAWN as usize {
            let (row, column) = self.walker;
            return format!("[{row}, {column}] of a map of {}x{columns}\n", self.rows.len());
        }
        let cell = |place: Place, cost: u8| match cost {
            _ if place == self.start => 'S',
            _ if place == self.walker => '@',
            _ if place == self.goal => 'G',
            0 => '#',
            1 => '.',
            cost => char::from(b'0' + cost),
        };
        let row = |(row, costs): (i64, &Vec<u8>)| {
            (0..).zip(costs).map(|(column, &cost)| cell((row, column), cost)).chain(['\n']).collect::<String>()
        };
        (0..).zip(&self.rows).map(row).collect()
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(vec![self.walker.0 as u32, self.walker.1 as u32])
    }

    fn set_position(&mut self, position: &[u32]) {
        self.walker = (position[0].into(), position[1].into());
    }

    /// The cost of each step is exact: as a difference of long sums, it would not be.
    fn successors(&mut self) -> Vec<Successor> {
        let steps = DIRECTIONS.iter().filter_map(|written| self.step(written).ok());
        let successor = |((row, column), cost, is_diagonal): (Place, u8, bool)| {
            let factor = if is_diagonal { SQRT_2 } else { 1.0 };
            Successor { position: vec![row as u32, column as u32], cost: f64::from(cost) * factor }
        };
        steps.map(successor).collect()
    }

    fn candidates(&self) -> Vec<String> {
        DIRECTIONS.map(str::to_owned).to_vec()
    }
}
