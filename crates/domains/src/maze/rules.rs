//! The reference rules: the map as rows, and a walker that checks the cell of each step.
//!
//! They share only the description of the map with the state spaces.

use super::cell::{Cell, Kind};
use super::map::{Corners, Map, Moves};
use super::view::MOST_DRAWN;
use crate::domain::{Rules, Successor};
use crate::fences::{Fences, towards};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::SQRT_2;
use std::sync::Arc;

/// The names of the moves.
const MOVES: [&str; 9] = ["u", "d", "l", "r", "ul", "ur", "dl", "dr", "t"];

/// A row and a column.
type Place = (i64, i64);

/// A maze in play.
pub(super) struct MazeRules {
    /// The number of each cell's kind, by row and column.
    rows: Vec<Vec<u8>>,
    kinds: Vec<Kind>,
    start: Place,
    goals: BTreeSet<Place>,
    /// From each cell of a portal to the other.
    portals: BTreeMap<Place, Place>,
    moves: Moves,
    corners: Corners,
    fences: Option<Arc<Fences>>,
    walker: Place,
    /// The cost of the straight steps so far, and of the diagonal ones, without the factor √2.
    straight: u64,
    diagonal: u64,
}

impl MazeRules {
    pub fn new(map: &Map, start: Cell, goals: &[Cell], moves: Moves) -> MazeRules {
        let kind = |row, column| map.cells[map.cell(row, column) as usize];
        let rows = (0..map.rows).map(|row| (0..map.columns).map(|column| kind(row, column)).collect()).collect();
        let place = |cell| {
            let (row, column) = map.place(cell);
            (row.into(), column.into())
        };
        let portals = map.kinds.iter().filter_map(|kind| kind.portal).flat_map(|[one, other]| {
            let (one, other) = (place(one), place(other));
            [(one, other), (other, one)]
        });
        MazeRules {
            rows,
            kinds: map.kinds.clone(),
            start: place(start),
            goals: goals.iter().map(|&goal| place(goal)).collect(),
            portals: portals.collect(),
            moves,
            corners: map.corners,
            fences: map.fences.clone(),
            walker: place(start),
            straight: 0,
            diagonal: 0,
        }
    }

    /// Returns the cost of entering a place, or `None` for a wall or outside the map.
    fn cost_of(&self, (row, column): Place) -> Option<u32> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        let kind = row.get(usize::try_from(column).ok()?).copied()?;
        Some(self.kinds[usize::from(kind)].cost).filter(|&cost| cost > 0)
    }

    /// Returns whether a fence stands between two neighbours.
    fn is_fenced(&self, one: Place, other: Place) -> bool {
        let side = towards(other.0 - one.0, other.1 - one.1);
        self.fences.as_ref().is_some_and(|fences| fences.around((one.0 as usize, one.1 as usize)) & side > 0)
    }

    /// Returns whether a diagonal step of the walker is barred by walls and fences beside it.
    fn cuts_a_corner(&self, to: Place) -> bool {
        let sides = [(self.walker.0, to.1), (to.0, self.walker.1)];
        let is_fenced = |side: Place| self.is_fenced(self.walker, side) || self.is_fenced(side, to);
        let is_barred = |side: Place| self.cost_of(side).is_none() || is_fenced(side);
        match self.corners {
            Corners::None => sides.into_iter().any(is_barred),
            Corners::One => sides.into_iter().all(is_barred),
            Corners::Any => sides.into_iter().all(is_fenced),
        }
    }

    /// Returns the place that a step leads to, the cost of entering it, and whether the step is diagonal.
    ///
    /// # Errors
    /// Returns why the step is not legal.
    fn step(&self, written: &str) -> Result<(Place, u32, bool), String> {
        if written == "t" {
            let to = self.portals.get(&self.walker).copied();
            let cost = to.and_then(|to| self.cost_of(to));
            let (Some(to), Some(cost)) = (to, cost) else { return Err("the walker is not on a portal".to_owned()) };
            return Ok((to, cost, false));
        }
        let (down, right) = match written {
            "u" => (-1, 0),
            "d" => (1, 0),
            "l" => (0, -1),
            "r" => (0, 1),
            "ul" => (-1, -1),
            "ur" => (-1, 1),
            "dl" => (1, -1),
            "dr" => (1, 1),
            _ => return Err("unknown direction: expected one of u, d, l, r, ul, ur, dl, dr, t".to_owned()),
        };
        let (row, column) = self.walker;
        let to = (row + down, column + right);
        let diagonal_step = down != 0 && right != 0;
        if diagonal_step && self.moves == Moves::Orthogonal {
            return Err("this maze has no diagonal moves".to_owned());
        }
        let Some(cost) = self.cost_of(to) else { return Err("there is a wall or the edge of the map".to_owned()) };
        if diagonal_step && self.cuts_a_corner(to) {
            return Err("it would cut the corner of a wall".to_owned());
        }
        if !diagonal_step && self.is_fenced(self.walker, to) {
            return Err("there is a fence".to_owned());
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
        self.goals.contains(&self.walker)
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
        let cell = |place: Place, kind: u8| match place {
            _ if place == self.start => 'S',
            _ if place == self.walker => '@',
            _ if self.goals.contains(&place) => 'G',
            _ => char::from(self.kinds[usize::from(kind)].character),
        };
        let row = |(row, kinds): (i64, &Vec<u8>)| {
            (0..).zip(kinds).map(|(column, &kind)| cell((row, column), kind)).chain(['\n']).collect::<String>()
        };
        let cells: String = (0..).zip(&self.rows).map(row).collect();
        match &self.fences {
            Some(fences) => fences.drawn_around(&cells),
            None => cells,
        }
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(vec![self.walker.0 as u32, self.walker.1 as u32])
    }

    fn set_position(&mut self, position: &[u32]) {
        self.walker = (position[0].into(), position[1].into());
    }

    /// The cost of each step is exact: as a difference of long sums, it would not be.
    fn successors(&mut self) -> Vec<Successor> {
        let steps = MOVES.iter().filter_map(|written| self.step(written).ok());
        let successor = |((row, column), cost, is_diagonal): (Place, u32, bool)| {
            let factor = if is_diagonal { SQRT_2 } else { 1.0 };
            Successor { position: vec![row as u32, column as u32], cost: f64::from(cost) * factor }
        };
        steps.map(successor).collect()
    }

    fn candidates(&self) -> Vec<String> {
        MOVES.map(str::to_owned).to_vec()
    }
}
