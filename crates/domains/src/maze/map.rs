//! A map: the kind of each cell, with walls all around, so that no step needs a bounds check.

use super::cell::{Cell, Kind};
use super::legend::Legend;
use crate::fences::Fences;
use crate::space::MOST_CELLS;
use crate::space::grid::{legal, open_around, open_beside};
use std::sync::Arc;

/// The greatest number of rows, and of columns.
pub(super) const MOST_ROWS: u64 = 32_768;

/// The greatest sum of the costs of all cells, so that the lengths of paths stay exact.
pub(super) const MOST_TOTAL: u64 = 500_000_000;

/// The directions of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Moves {
    #[default]
    Orthogonal,
    Diagonal,
}

/// The corners of walls that a diagonal step may cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Corners {
    /// None: both cells beside the step must be open.
    #[default]
    None,
    /// One: at least one of the two cells must be open.
    One,
    /// Any: the two cells do not matter.
    Any,
}

/// The directions, in the order of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
    /// From one cell of a portal to the other.
    Through,
}

impl Direction {
    pub const ALL: [Direction; 9] = {
        use Direction::*;
        [Up, Down, Left, Right, UpLeft, UpRight, DownLeft, DownRight, Through]
    };

    pub fn name(self) -> &'static str {
        ["u", "d", "l", "r", "ul", "ur", "dl", "dr", "t"][self as usize]
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Direction {
        use Direction::*;
        [Down, Up, Right, Left, DownRight, DownLeft, UpRight, UpLeft, Through][self as usize]
    }

    pub fn is_diagonal(self) -> bool {
        (4..8).contains(&(self as u8))
    }

    /// Returns the steps down and to the right; none for a portal.
    pub fn steps(self) -> (i32, i32) {
        [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)][self as usize]
    }

    /// Returns the two straight directions of a diagonal one.
    pub fn parts(self) -> Option<[Direction; 2]> {
        use Direction::*;
        match self {
            UpLeft => Some([Up, Left]),
            UpRight => Some([Up, Right]),
            DownLeft => Some([Down, Left]),
            DownRight => Some([Down, Right]),
            _ => None,
        }
    }

    /// Returns the direction of a straight or diagonal line, by the signs of its rows and columns.
    pub fn of(down: std::cmp::Ordering, right: std::cmp::Ordering) -> Option<Direction> {
        use Direction::*;
        let of = [
            Some(UpLeft),
            Some(Up),
            Some(UpRight),
            Some(Left),
            None,
            Some(Right),
            Some(DownLeft),
            Some(Down),
            Some(DownRight),
        ];
        of[((down as i8 + 1) * 3 + right as i8 + 1) as usize]
    }
}

/// Directions as bits, one for each of [`Direction::ALL`].
pub(super) struct Directions(pub u16);

impl Iterator for Directions {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        Direction::ALL.get(first).copied()
    }
}

/// A map with at least one cell.
pub(super) struct Map {
    pub rows: u32,
    pub columns: u32,
    /// The number of each cell's kind: 0 for a wall; up to 9 the cost.
    pub cells: Vec<u8>,
    pub kinds: Vec<Kind>,
    /// The corners that diagonal steps may cut.
    pub corners: Corners,
    /// True if some kind is a portal.
    pub has_portals: bool,
    /// The thin walls between cells, if there are any.
    pub fences: Option<Arc<Fences>>,
    /// 2^45 / (columns + 1), rounded up: division by the length of a row becomes a multiplication.
    reciprocal: u64,
}

impl Map {
    /// Returns a map without rows, with memory for `rows` of them.
    pub fn new(columns: u32, rows: u32) -> Map {
        let line = columns as usize + 1;
        let mut cells = Vec::with_capacity(line * (rows as usize + 2) + 1);
        cells.resize(line + 1, 0);
        let (kinds, corners) = (Legend::standard().kinds, Corners::None);
        let reciprocal = (1_u64 << 45).div_ceil(line as u64);
        Map { rows: 0, columns, cells, kinds, corners, has_portals: false, fences: None, reciprocal }
    }

    /// Adds a row of kinds, which must have `columns` cells.
    pub fn add(&mut self, row: impl Iterator<Item = u8>) {
        self.cells.extend(row);
        self.cells.push(0);
        self.rows += 1;
    }

    /// Adds the wall below the last row.
    pub fn close(mut self) -> Map {
        self.cells.resize(self.cells.len() + self.line() as usize, 0);
        self
    }

    /// Returns the cells of a kind, in order.
    pub fn cells_of(&self, kind: u8) -> impl Iterator<Item = Cell> {
        (0..).zip(&self.cells).filter(move |&(_, &of)| of == kind).map(|(cell, _)| cell)
    }

    /// Makes a portal of two cells of a kind.
    pub fn join(&mut self, kind: u8, cells: [Cell; 2]) {
        self.kinds[usize::from(kind)].portal = Some(cells);
        self.has_portals = true;
    }

    /// Returns the cost of entering a cell; 0 for a wall.
    #[inline]
    pub fn cost(&self, cell: Cell) -> u32 {
        self.kinds[usize::from(self.cells[cell as usize])].cost
    }

    /// Returns the two cells of the portal that a cell belongs to.
    pub fn portal(&self, cell: Cell) -> Option<[Cell; 2]> {
        self.kinds[usize::from(self.cells[cell as usize])].portal
    }

    /// Returns the other cell of the portal that a cell belongs to, or the cell itself.
    pub fn twin(&self, cell: Cell) -> Cell {
        self.portal(cell).map_or(cell, |[one, other]| if cell == one { other } else { one })
    }

    /// Returns the difference between a cell and the one below it.
    pub fn line(&self) -> u32 {
        self.columns + 1
    }

    /// Returns the difference between a cell and the one this many rows below it and columns to its right, for
    /// `wrapping_add`.
    pub fn step(&self, down: i32, right: i32) -> u32 {
        (down * self.line() as i32 + right) as u32
    }

    /// Returns the cell at a row and column of the map.
    pub fn cell(&self, row: u32, column: u32) -> Cell {
        (row + 1) * self.line() + column + 1
    }

    /// Returns the row and column of a cell, which must not be in the surrounding wall.
    #[inline]
    pub fn place(&self, cell: Cell) -> (u32, u32) {
        // The rounding adds less than cell · 2^-45, which stays below one part in a line: exact as long as cells · line
        // < 2^45.
        let row = ((u64::from(cell - 1) * self.reciprocal) >> 45) as u32;
        (row - 1, cell - 1 - row * self.line())
    }

    pub fn is_open(&self, cell: Cell) -> bool {
        self.cells[cell as usize] > 0
    }

    /// Returns the cell that a step leads to, which may be a wall. The cell must not be in the surrounding wall.
    #[inline]
    pub fn neighbor(&self, cell: Cell, direction: Direction) -> Cell {
        let line = self.line();
        match direction {
            Direction::Up => cell - line,
            Direction::Down => cell + line,
            Direction::Left => cell - 1,
            Direction::Right => cell + 1,
            Direction::UpLeft => cell - line - 1,
            Direction::UpRight => cell - line + 1,
            Direction::DownLeft => cell + line - 1,
            Direction::DownRight => cell + line + 1,
            Direction::Through => self.twin(cell),
        }
    }

    /// Returns the steps that cut no corner, a bit for each of [`Direction::ALL`]; without `diagonal`, the straight
    /// ones only.
    #[inline]
    pub fn steps(&self, cell: Cell, diagonal: bool) -> u8 {
        let (cells, line) = (&self.cells, self.line());
        if diagonal { legal(open_around(cells, line, cell)) } else { open_beside(cells, line, cell) }
    }

    /// Returns the legal moves, a bit for each of [`Direction::ALL`]; without `diagonal`, no diagonal ones.
    #[inline]
    pub fn moves(&self, cell: Cell, diagonal: bool) -> u16 {
        let steps = match self.corners {
            _ if self.fences.is_some() => self.steps_past_fences(cell, diagonal),
            Corners::One if diagonal => cutting_one(open_around(&self.cells, self.line(), cell)),
            Corners::Any if diagonal => open_around(&self.cells, self.line(), cell),
            _ => self.steps(cell, diagonal),
        };
        let is_portal = self.has_portals && self.portal(cell).is_some();
        u16::from(steps) | u16::from(is_portal) << Direction::Through as u8
    }

    /// Returns the legal steps on a map with fences. A diagonal step has two sides, each with a cell and two places of
    /// fences, past which two straight steps would lead. `corners` is the number of sides that must be free; with
    /// [`Corners::Any`], one must be free of fences.
    fn steps_past_fences(&self, cell: Cell, diagonal: bool) -> u8 {
        let Some(fences) = &self.fences else { return 0 };
        let is_barred = |cell: Cell, direction: Direction| {
            let (row, column) = self.place(cell);
            fences.bars((row as usize, column as usize), 1 << direction as u8)
        };
        // Whether two straight steps after each other lead past no fence, and past no wall.
        let side = |first: Direction, second: Direction| {
            let between = self.neighbor(cell, first);
            let has_no_fence = !is_barred(cell, first) && !is_barred(between, second);
            (has_no_fence, has_no_fence && self.is_open(between))
        };
        let is_legal = |direction: Direction| {
            if !self.is_open(self.neighbor(cell, direction)) {
                return false;
            }
            let Some([one, other]) = direction.parts() else { return !is_barred(cell, direction) };
            let sides = [side(one, other), side(other, one)];
            match self.corners {
                Corners::None => sides.iter().all(|&(_, is_free)| is_free),
                Corners::One => sides.iter().any(|&(_, is_free)| is_free),
                Corners::Any => sides.iter().any(|&(has_no_fence, _)| has_no_fence),
            }
        };
        let directions = &Direction::ALL[..if diagonal { 8 } else { 4 }];
        directions
            .iter()
            .filter(|&&direction| is_legal(direction))
            .fold(0, |steps, &direction| steps | 1 << direction as u8)
    }

    /// Returns whether straight steps reach the same cells as all moves do, and nothing but walls is between cells. A
    /// diagonal step does if a cell beside it must be open.
    pub fn is_connected_by_straight_steps(&self) -> bool {
        !self.has_portals && self.fences.is_none() && self.corners != Corners::Any
    }

    /// Returns whether straight steps connect two cells. The search is depth-first and tries the direction to the other
    /// cell first, so that it is fast if there is a path.
    pub fn connects(&self, from: Cell, to: Cell) -> bool {
        let goal = self.place(to);
        let [up, down, left, right] = [self.step(-1, 0), self.step(1, 0), self.step(0, -1), self.step(0, 1)];
        // The steps in the order in which they are pushed, by where the other cell is.
        let orders: [[u32; 4]; 8] = std::array::from_fn(|place| {
            let rows = if place & 1 > 0 { [down, up] } else { [up, down] };
            let columns = if place & 2 > 0 { [right, left] } else { [left, right] };
            let last = if place & 4 > 0 { [columns[1], rows[1]] } else { [rows[1], columns[1]] };
            [rows[0], columns[0], last[0], last[1]]
        });
        // Cells that are reached become walls.
        let mut cells = self.cells.clone();
        cells[from as usize] = 0;
        let mut frontier = vec![from];
        while let Some(cell) = frontier.pop() {
            if cell == to {
                return true;
            }
            let (row, column) = self.place(cell);
            let is_farther = goal.0.abs_diff(row) > goal.1.abs_diff(column);
            let place = usize::from(goal.0 < row) | usize::from(goal.1 < column) << 1 | usize::from(is_farther) << 2;
            for step in orders[place] {
                let neighbor = cell.wrapping_add(step);
                if std::mem::take(&mut cells[neighbor as usize]) > 0 {
                    frontier.push(neighbor);
                }
            }
        }
        false
    }

    /// Returns for each cell whether it is reachable from some of these cells.
    pub fn reached_from(&self, from: &[Cell]) -> Vec<bool> {
        let mut reached = vec![false; self.cells.len()];
        let line = self.line();
        let mut seeds = from.to_vec();
        if !self.is_connected_by_straight_steps() {
            seeds.iter().for_each(|&cell| reached[cell as usize] = true);
            while let Some(cell) = seeds.pop() {
                for direction in Directions(self.moves(cell, self.corners == Corners::Any)) {
                    let neighbor = self.neighbor(cell, direction);
                    if !std::mem::replace(&mut reached[neighbor as usize], true) {
                        seeds.push(neighbor);
                    }
                }
            }
            return reached;
        }
        // Span filling (Smith 1979): a row is filled from wall to wall, then seeds are added above and below.
        while let Some(seed) = seeds.pop() {
            if reached[seed as usize] {
                continue;
            }
            let mut left = seed;
            while self.is_open(left - 1) {
                left -= 1;
            }
            let mut at = left;
            let mut was_open = [false; 2];
            while self.is_open(at) {
                reached[at as usize] = true;
                for (neighbor, was_open) in [at - line, at + line].into_iter().zip(&mut was_open) {
                    let open = self.is_open(neighbor) && !reached[neighbor as usize];
                    if open && !*was_open {
                        seeds.push(neighbor);
                    }
                    *was_open = open;
                }
                at += 1;
            }
        }
        reached
    }
}

/// Returns the legal steps of a cell with these open neighbours, a bit for each, if a diagonal step needs only one of
/// the cells beside it open.
#[inline]
const fn cutting_one(open: u8) -> u8 {
    let [up, down, left, right] = [open & 1, open >> 1 & 1, open >> 2 & 1, open >> 3 & 1];
    open & (15 | (up | left) << 4 | (up | right) << 5 | (down | left) << 6 | (down | right) << 7)
}

/// Returns an error message if the size is not allowed.
pub(super) fn wrong_size(rows: u64, columns: u64) -> Option<String> {
    if rows == 0 || columns == 0 {
        return Some(format!("invalid size {rows}x{columns}: expected at least one row and one column"));
    }
    if rows > MOST_ROWS || columns > MOST_ROWS {
        return Some(format!("a map of {rows}x{columns} is too large: at most {MOST_ROWS} rows and columns"));
    }
    let cells = rows * columns;
    (cells > MOST_CELLS).then(|| format!("a map of {rows}x{columns} is too large: {cells} cells, at most {MOST_CELLS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_inverts_cell_on_maps_of_every_shape() {
        for (rows, columns) in
            [(1, 1), (1, 32_768), (32_768, 1), (3000, 32_768), (32_768, 3000), (10_000, 10_000), (7, 5)]
        {
            let map = Map { rows, ..Map::new(columns, 0) };
            for row in [0, 1, rows / 2, rows.saturating_sub(2), rows - 1] {
                for column in [0, columns / 2, columns - 1] {
                    if row < rows {
                        assert_eq!(map.place(map.cell(row, column)), (row, column), "of {rows}x{columns}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_direction_has_an_opposite() {
        let map = Map::new(4, 0);
        for direction in Direction::ALL.into_iter().filter(|&direction| direction != Direction::Through) {
            assert_eq!(map.neighbor(map.neighbor(100, direction), direction.opposite()), 100);
            assert_eq!(direction.is_diagonal(), direction.name().len() == 2);
        }
    }

    #[test]
    fn excessive_sizes_are_refused() {
        assert_eq!(wrong_size(10_000, 10_000), None);
        for (rows, columns) in [(0, 5), (5, 0), (100_000, 100_000), (u64::MAX, u64::MAX), (32_768, 32_768), (1, 40_000)]
        {
            assert!(wrong_size(rows, columns).is_some(), "{rows}x{columns}");
        }
    }
}
