//! Jump point search: on maps where every step costs the same in its kind, most cells need not be expanded.
//!
//! Among the cheapest paths between two cells, a search needs only one: in eight directions the one that takes its
//! diagonal steps as early as possible, in four directions the one that takes its vertical steps as early as possible.
//! Such a path turns only beside walls, at *jump points*, so a search may jump from one to the next along straight
//! lines (Harabor and Grastien, Online graph pruning for pathfinding on grid maps, 2011; in four directions Baum, Jump
//! point search pathfinding in 4-connected grids, 2025). In eight directions this module uses the rules for steps that
//! cut no corner (Harabor and Grastien, The JPS pathfinding system, 2012): a straight path may have to turn where a
//! wall beside it has just ended, and a diagonal one where a straight jump to one of its sides reaches a jump point. In
//! four directions a horizontal path may have to turn where a wall beside it has just ended, and a vertical one where a
//! horizontal jump to one of its sides reaches a jump point. Lines are scanned 64 cells at a time (the same authors,
//! Improving jump point search, 2014).
//!
//! All jumps are paths with their true costs, and every pruned cell is reachable at no greater cost without the cell
//! being expanded. So the costs found are those of a search step by step.

use super::cell::Cell;
use super::map::{Direction, Directions, Map};

/// The walls of a map and the places where a straight jump ends, as bits, both by rows and by columns; for one goal.
pub(super) struct Jumps {
    rows: Lines,
    columns: Lines,
    /// The ends of jumps to the left and to the right, up and down.
    across: [Stops; 2],
    down: [Stops; 2],
    /// In columns, the cells beside which there is no wall, and the goal: where a vertical jump may have to turn in
    /// four directions.
    openings: Stops,
}

/// Lines of bits, one for each cell, set for walls. Walls surround the map.
struct Lines {
    words: usize,
    bits: Vec<u64>,
}

/// Lines of bits, set where jumps in one direction end: at walls, at the goal, and at other cells of interest.
struct Stops(Vec<u64>);

impl Lines {
    fn new(lines: u32, length: u32) -> Lines {
        let words = (length as usize + 2).div_ceil(64);
        Lines { words, bits: vec![u64::MAX; words * (lines as usize + 2)] }
    }

    /// Returns the columns as lines, given the rows.
    fn transposed(&self, lines: u32, length: u32) -> Lines {
        let mut columns = Lines::new(lines, length);
        for word in 0..self.words {
            for first in (0..length as usize + 2).step_by(64) {
                let row =
                    |number: usize| self.bits.get((first + number) * self.words + word).copied().unwrap_or(u64::MAX);
                let block = transposed(std::array::from_fn(row));
                for (number, bits) in block.into_iter().enumerate() {
                    if let Some(to) = columns.bits.get_mut((word * 64 + number) * columns.words + first / 64) {
                        *to = bits;
                    }
                }
            }
        }
        columns
    }

    /// Returns where jumps along the lines stop: at walls, at the goal, and at the cells of which `stops` returns the
    /// bits, given the walls of the lines before and after, and a word's number.
    fn stops(&self, (line, at): (u32, u32), stops: impl Fn([&[u64]; 2], usize) -> u64) -> Stops {
        let mut all = self.bits.clone();
        for line in 1..self.bits.len() / self.words - 1 {
            let beside = [self.line(line - 1), self.line(line + 1)];
            let from = line * self.words;
            all[from..from + self.words].iter_mut().enumerate().for_each(|(word, bits)| *bits |= stops(beside, word));
        }
        all[(line as usize + 1) * self.words + (at as usize + 1) / 64] |= 1 << ((at + 1) % 64);
        Stops(all)
    }

    /// Returns where jumps forward, or back, end: at walls, at the goal, and at jump points, beside which a wall has
    /// just ended.
    fn jump_points(&self, forward: bool, goal: (u32, u32)) -> Stops {
        // Shifts the walls of a word by one cell in the direction of the jump.
        let shifted = |of: &[u64], word: usize| {
            if forward {
                of[word] << 1 | word.checked_sub(1).map_or(1, |word| of[word] >> 63)
            } else {
                of[word] >> 1 | of.get(word + 1).map_or(1, |word| word & 1) << 63
            }
        };
        self.stops(goal, |beside, word| {
            beside.iter().map(|walls| shifted(walls, word) & !walls[word]).fold(0, |all, stops| all | stops)
        })
    }

    fn line(&self, line: usize) -> &[u64] {
        &self.bits[line * self.words..(line + 1) * self.words]
    }

    /// Returns the next stop along a line, unless it is a wall.
    #[inline]
    fn next(&self, stops: &Stops, line: u32, at: u32, forward: bool) -> Option<u32> {
        let first = (line as usize + 1) * self.words;
        let at = at as usize + 1;
        let mut word = first + at / 64;
        let mut found = stops.0[word] & beyond(at % 64, forward);
        while found == 0 {
            word = if forward { word + 1 } else { word - 1 };
            found = stops.0[word];
        }
        let bit = first_bit(found, forward);
        let is_wall = self.bits[word] >> bit & 1 == 1;
        (!is_wall).then(|| ((word - first) * 64) as u32 + bit - 1)
    }
}

/// Returns the bits of a word that come after one of them.
#[inline]
fn beyond(bit: usize, forward: bool) -> u64 {
    if forward { u64::MAX << bit << 1 } else { (1 << bit) - 1 }
}

/// Returns the bit of a word that is not 0 that comes first.
#[inline]
fn first_bit(word: u64, forward: bool) -> u32 {
    if forward { word.trailing_zeros() } else { 63 - word.leading_zeros() }
}

/// Returns the transpose of a square of bits: exchanges ever smaller blocks (Warren, Hacker's Delight, 2002).
fn transposed(mut rows: [u64; 64]) -> [u64; 64] {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        for row in (0..64).filter(|row| row & width == 0) {
            let changed = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= changed << width;
            rows[row + width] ^= changed;
        }
        width /= 2;
        mask ^= mask << width;
    }
    rows
}

impl Jumps {
    pub fn new(map: &Map, goal: Cell) -> Jumps {
        let mut rows = Lines::new(map.rows, map.columns);
        for row in 0..map.rows {
            // The walls on both sides of the row are cells, too.
            let first = map.cell(row, 0) as usize - 1;
            let cells = &map.cells[first..first + map.columns as usize + 2];
            let line = (row as usize + 1) * rows.words;
            for (word, cells) in rows.bits[line..].iter_mut().zip(cells.chunks(64)) {
                let walls = |walls: u64, (bit, &kind): (usize, &u8)| walls | u64::from(kind == 0) << bit;
                *word = cells.iter().enumerate().fold(0, walls);
            }
            // Cells beyond the wall are walls.
            let used = (map.columns as usize + 2) % 64;
            if used > 0 {
                rows.bits[line + rows.words - 1] |= u64::MAX << used;
            }
        }
        let columns = rows.transposed(map.columns, map.rows);
        let (row, column) = map.place(goal);
        let across = [false, true].map(|forward| rows.jump_points(forward, (row, column)));
        let down = [false, true].map(|forward| columns.jump_points(forward, (column, row)));
        let openings = columns.stops((column, row), |beside, word| !(beside[0][word] & beside[1][word]));
        Jumps { rows, columns, across, down, openings }
    }

    /// Calls `visit` like [`visit_jump_points`](Self::visit_jump_points), on a map with four directions.
    #[inline]
    pub fn visit_straight_jump_points(
        &self,
        map: &Map,
        cell: Cell,
        reached: Option<Direction>,
        goal: Cell,
        mut visit: impl FnMut(Direction, u32, Cell),
    ) {
        let (row, column) = map.place(cell);
        let legal =
            map.steps(cell, false) & reached.map_or(u8::MAX, |direction| straight_directions(map, cell, direction));
        for direction in Directions(legal.into()) {
            let (down, right) = direction.steps();
            if right != 0 {
                if let Some(to) = self.across(row, column, right > 0) {
                    visit(direction, to.abs_diff(column), map.cell(row, to));
                }
                continue;
            }
            let mut at = row;
            while let Some(to) = self.columns.next(&self.openings, column, at, down > 0) {
                let turns = |right| self.across(to, column, right).is_some();
                let reached = map.cell(to, column);
                if reached == goal || turns(false) || turns(true) {
                    visit(direction, to.abs_diff(row), reached);
                    break;
                }
                at = to;
            }
        }
    }

    /// Calls `visit` with each jump point of a cell that was reached in a direction, in the order of the directions,
    /// with the number of steps to it; on a map with eight directions.
    #[inline]
    pub fn visit_jump_points(
        &self,
        map: &Map,
        cell: Cell,
        reached: Option<Direction>,
        goal: Cell,
        mut visit: impl FnMut(Direction, u32, Cell),
    ) {
        let (row, column) = map.place(cell);
        let legal =
            map.steps(cell, true) & reached.map_or(u8::MAX, |direction| natural_and_forced(map, cell, direction));
        for direction in Directions(legal.into()) {
            let (down, right) = direction.steps();
            if !direction.is_diagonal() {
                if down != 0 {
                    if let Some(to) = self.down(row, column, down > 0) {
                        visit(direction, to.abs_diff(row), map.cell(to, column));
                    }
                } else if let Some(to) = self.across(row, column, right > 0) {
                    visit(direction, to.abs_diff(column), map.cell(row, to));
                }
                continue;
            }
            let sides = [map.step(down, 0), map.step(0, right)];
            let ahead = map.step(down, right);
            let (mut at, mut place) = (cell, (row, column));
            for steps in 1.. {
                let is_open = |step: u32| map.is_open(at.wrapping_add(step));
                if !(is_open(sides[0]) && is_open(sides[1]) && is_open(ahead)) {
                    break;
                }
                at = at.wrapping_add(ahead);
                place = (place.0.wrapping_add_signed(down), place.1.wrapping_add_signed(right));
                if at == goal
                    || self.across(place.0, place.1, right > 0).is_some()
                    || self.down(place.0, place.1, down > 0).is_some()
                {
                    visit(direction, steps, at);
                    break;
                }
            }
        }
    }

    /// Returns whether a cell is open, by its row and by its column.
    #[cfg(test)]
    pub fn is_open(&self, row: u32, column: u32) -> [bool; 2] {
        let open = |lines: &Lines, line: u32, at: u32| {
            lines.line(line as usize + 1)[(at as usize + 1) / 64] >> ((at + 1) % 64) & 1 == 0
        };
        [open(&self.rows, row, column), open(&self.columns, column, row)]
    }

    #[inline]
    fn across(&self, row: u32, column: u32, forward: bool) -> Option<u32> {
        self.rows.next(&self.across[usize::from(forward)], row, column, forward)
    }

    #[inline]
    fn down(&self, row: u32, column: u32, forward: bool) -> Option<u32> {
        self.columns.next(&self.down[usize::from(forward)], column, row, forward)
    }
}

/// Returns whether more than one open cell in seven is a jump point of horizontal jumps, by every eighth row: then a
/// search cell by cell is faster. Measured on random obstacles and rooms of 4 to 32 cells.
pub(super) fn has_frequent_jump_points(map: &Map) -> bool {
    let (mut open, mut points) = (0_u64, 0_u64);
    for row in (0..map.rows).step_by(8) {
        let line = |down: i32| {
            let first = map.cell(row, 0).wrapping_add(map.step(down, -1)) as usize;
            &map.cells[first..first + map.columns as usize + 1]
        };
        let beside = line(-1).windows(2).zip(line(1).windows(2));
        for (&cell, (above, below)) in line(0)[1..].iter().zip(beside) {
            let ends = |walls: &[u8]| (walls[0] == 0) & (walls[1] > 0);
            open += u64::from(cell > 0);
            points += u64::from((cell > 0) & (ends(above) | ends(below)));
        }
    }
    7 * points > open
}

/// Returns the natural and forced directions of a cell that was reached in a direction, a bit for each. After a
/// diagonal step: the same direction and its two sides. After a straight step: the same direction, and each side,
/// straight and diagonal, on which a wall has just ended.
fn natural_and_forced(map: &Map, cell: Cell, direction: Direction) -> u8 {
    use Direction::*;
    let bits = |directions: &[Direction]| directions.iter().fold(0, |bits, &direction| bits | 1 << direction as u8);
    let [one, other] = match direction {
        Up => [(Left, UpLeft), (Right, UpRight)],
        Down => [(Left, DownLeft), (Right, DownRight)],
        Left => [(Up, UpLeft), (Down, DownLeft)],
        Right => [(Up, UpRight), (Down, DownRight)],
        UpLeft => return bits(&[Up, Left, UpLeft]),
        UpRight => return bits(&[Up, Right, UpRight]),
        DownLeft => return bits(&[Down, Left, DownLeft]),
        DownRight => return bits(&[Down, Right, DownRight]),
        // A plain maze has no portals.
        Through => return u8::MAX,
    };
    let before = map.neighbor(cell, direction.opposite());
    let forced = |(side, diagonal)| if map.is_open(map.neighbor(before, side)) { 0 } else { bits(&[side, diagonal]) };
    bits(&[direction]) | forced(one) | forced(other)
}

/// Returns the natural and forced directions of a cell that was reached in one of four directions, a bit for each.
/// After a vertical step: the same direction and both sides. After a horizontal step: the same direction, and each side
/// on which a wall has just ended.
fn straight_directions(map: &Map, cell: Cell, direction: Direction) -> u8 {
    use Direction::*;
    let bit = |direction: Direction| 1_u8 << direction as u8;
    if matches!(direction, Up | Down) {
        return bit(direction) | bit(Left) | bit(Right);
    }
    let before = map.neighbor(cell, direction.opposite());
    let forced = |side| if map.is_open(map.neighbor(before, side)) { 0 } else { bit(side) };
    bit(direction) | forced(Up) | forced(Down)
}
