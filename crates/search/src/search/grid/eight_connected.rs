//! A* in grids with eight neighbours a cell.
//!
//! A move changes f = g + h by nothing, or raises it by at least 2 - √2: that is what a straight step costs more than
//! it gains if it shortens the shorter side of the rectangle up to the goal. So the open list is a row of buckets of
//! this width. When a bucket becomes current it is sorted; what is added to it after that has the f of the cell just
//! expanded, and is the next to be popped. So cells are expanded in the exact order of f, without a heap.
//!
//! Among the cheapest paths between two cells, only the one that takes its diagonal steps as early as possible is
//! followed (Harabor and Grastien, Online graph pruning for pathfinding on grid maps, 2011), cell by cell: a table maps
//! the move into a cell and the walls around it to the moves that such a path may go on with.

use super::traced::Traced;
use super::{Ended, FIRST_MOVE, Found, OPEN, START, found};
use crate::search::limits::{Limit, Limits, Watch};
use crate::space::grid::{legal, open_around};
use crate::space::{Cost, Grid, Length, ONE, Ordinal, ROOT_TWO};
use std::mem::swap;

/// The least amount above 0 by which a move raises f: 2 - √2, in the units of [`Length`].
const WIDTH: u64 = (2 * ONE - ROOT_TWO) as u64;

/// The number of buckets: a move raises f by at most 2√2, less than five times the width.
const BUCKETS: usize = 8;

/// The steps down and to the right of the moves.
const STEPS: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A cell in the open list, ordered by f: f less that of its bucket in 30 bits, the cell in 27, in 4 the byte that
/// closes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u64);

impl Entry {
    #[inline]
    fn new(f: u64, cell: u32, mark: u8) -> Entry {
        Entry(f << 31 | u64::from(cell) << 4 | u64::from(mark))
    }

    #[inline]
    fn parts(self) -> (u64, u32, u8) {
        (self.0 >> 31, (self.0 >> 4) as u32 & ((1 << 27) - 1), (self.0 & 15) as u8)
    }
}

/// The open list.
struct Open {
    /// The current bucket, sorted: the least f last.
    today: Vec<Entry>,
    /// The buckets after it, from that number on, round and round.
    later: [Vec<Entry>; BUCKETS],
    number: usize,
}

impl Open {
    /// Removes the first entry; returns it with the number of buckets that have ended before it.
    #[inline]
    fn pop(&mut self) -> Option<(usize, Entry)> {
        if let Some(entry) = self.today.pop() {
            return Some((0, entry));
        }
        let ended = (1..BUCKETS).find(|ahead| !self.later[(self.number + ahead) % BUCKETS].is_empty())?;
        self.number = (self.number + ended) % BUCKETS;
        swap(&mut self.today, &mut self.later[self.number]);
        self.today.sort_unstable_by(|one, other| other.cmp(one));
        Some((ended, self.today.pop()?))
    }

    /// Adds a cell whose f is this much more than that of the current bucket.
    #[inline]
    fn push(&mut self, f: u64, cell: u32, mark: u8) {
        let ahead = f / WIDTH;
        let entry = Entry::new(f - ahead * WIDTH, cell, mark);
        let bucket =
            if ahead == 0 { &mut self.today } else { &mut self.later[(self.number + ahead as usize) % BUCKETS] };
        bucket.push(entry);
    }

    fn cells(&self) -> impl Iterator<Item = u32> {
        self.later.iter().chain([&self.today]).flatten().map(|entry| entry.parts().1)
    }

    fn bytes(&self) -> usize {
        self.later.iter().chain([&self.today]).map(Vec::capacity).sum::<usize>() * size_of::<Entry>()
    }
}

/// The moves with which a cheapest path may go on: by the byte that closes a cell, and by its open neighbours. After a
/// diagonal move: the same one and its two sides. After a straight move: the same one, and each side, straight and
/// diagonal, on which a wall has just ended.
static FOLLOWING: [[u8; 256]; FIRST_MOVE as usize + 8] = {
    let mut following = [[0; 256]; FIRST_MOVE as usize + 8];
    let mut open = 0;
    while open < 256 {
        let legal = legal(open as u8);
        following[START as usize][open] = legal;
        let mut last = 0;
        while last < 8 {
            let (down, right) = STEPS[last];
            let mut moves = 1 << last;
            if last >= 4 {
                moves |= 1 << number(down, 0) | 1 << number(0, right);
            } else {
                let mut side = 0;
                while side < 4 {
                    let (side_down, side_right) = STEPS[side];
                    let is_beside = (side_down == 0) != (down == 0);
                    if is_beside && open >> number(side_down - down, side_right - right) & 1 == 0 {
                        moves |= 1 << side | 1 << number(side_down + down, side_right + right);
                    }
                    side += 1;
                }
            }
            following[FIRST_MOVE as usize + last][open] = moves & legal;
            last += 1;
        }
        open += 1;
    }
    following
};

/// Returns the number of the move with these steps down and to the right.
const fn number(down: i32, right: i32) -> usize {
    let mut number = 0;
    while STEPS[number].0 != down || STEPS[number].1 != right {
        number += 1;
    }
    number
}

/// Implements [`grid_a_star`](super::grid_a_star).
pub(super) fn a_star(mut grid: Grid, limits: &Limits) -> Found<Vec<Ordinal>> {
    let (start, goal, steps) = (grid.start, grid.goal, grid.steps());
    let (line, is_guided) = (grid.line, grid.is_guided);
    let (goal_row, goal_column) = (goal / line, goal % line);
    let h = |row: u32, column: u32| {
        let (down, right) = (u64::from(row.abs_diff(goal_row)), u64::from(column.abs_diff(goal_column)));
        let h = down.max(right) * ONE as u64 + down.min(right) * (ROOT_TWO - ONE) as u64;
        if is_guided { h } else { 0 }
    };
    // 2^45 / line, rounded up: division by a line becomes a multiplication, exact while cells · line < 2^45.
    let reciprocal = (1_u64 << 45).div_ceil(u64::from(line));
    let distance = |cell: u32| Length(h(cell / line, cell % line) as i64);
    let mut trace = Traced::new(&grid, limits, distance(start));
    let mut watch = Watch::new(limits, 0);
    let mut open = Open { today: Vec::new(), later: Default::default(), number: 0 };
    open.push(0, start, START);
    // The f of the current bucket, the greatest f of a closed cell, and the last one below that.
    let mut current = h(start / line, start % line);
    let (mut f, mut completed) = (current, 0);
    let (mut expanded, mut generated) = (0, 0);
    let cells = grid.cells.len();
    let bytes = |open: &Open| (cells + open.bytes()) as u64;

    let limit = 'search: {
        if start != goal && watch.check_memory(bytes(&open)).is_err() {
            break 'search Some(Limit::Memory);
        }
        while let Some((ended, entry)) = open.pop() {
            current += ended as u64 * WIDTH;
            let (beyond, cell, mark) = entry.parts();
            let at = &mut grid.cells[cell as usize];
            if *at != OPEN {
                continue;
            }
            *at = mark;
            if current + beyond > f {
                (completed, f) = (f, current + beyond);
            }
            if cell == goal {
                break 'search None;
            }
            let held = || {
                let [completed, f] = [completed, f].map(|f| Length(f as i64));
                limits.reach(completed.as_f64(), f.as_f64());
                bytes(&open)
            };
            if let Some(limit) = watch.exceeded(expanded, held) {
                // The cell stays in the open list.
                grid.cells[cell as usize] = OPEN;
                open.today.push(entry);
                break 'search Some(limit);
            }
            expanded += 1;
            let row = ((u64::from(cell) * reciprocal) >> 45) as u32;
            let column = cell - row * line;
            let here = h(row, column);
            let mut moves = FOLLOWING[usize::from(mark)][usize::from(open_around(&grid.cells, line, cell))];
            generated += u64::from(moves.count_ones());
            if let Some(trace) = &mut trace {
                trace.expansion(&grid, cell, mark, moves, distance);
            }
            while moves > 0 {
                let number = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let to = cell.wrapping_add(steps[number]);
                if grid.cells[to as usize] == OPEN {
                    let (down, right) = STEPS[number];
                    let cost = if number < 4 { ONE } else { ROOT_TWO } as u64;
                    let then = h(row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                    open.push(beyond + cost + then - here, to, FIRST_MOVE + number as u8);
                }
            }
        }
        None
    };
    let memory = bytes(&open);
    let [f, completed] = [f, completed].map(|f| Length(f as i64));
    let found = found(grid, open.cells(), &Ended { limit, expanded, generated, memory, f, completed });
    if let Some(trace) = &mut trace {
        trace.end(goal, &found);
    }
    found
}
