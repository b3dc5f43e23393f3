//! A* in grids with four neighbours a cell.
//!
//! A move towards the goal keeps f, and every other one raises it by the same amount, so two stacks are the open list.
//! Among equal f, the last in is the first out.
//!
//! In a maze nobody can predict which neighbours are walls, so a neighbour is written on both stacks in any case, and
//! only the heights say whether it counts: a branch that is predicted wrongly takes longer than all of this.

use super::traced::Traced;
use super::{Ended, FIRST_MOVE, Found, OPEN, START, WALL, found};
use crate::search::limits::{Limit, Limits, Watch};
use crate::space::grid::open_beside;
use crate::space::{Cost, Grid, Length, Ordinal};
use std::mem::swap;

/// A cell in the open list, with the byte that closes it.
#[derive(Clone, Copy)]
struct Entry(u32);

impl Entry {
    #[inline]
    fn new(cell: u32, mark: u8) -> Entry {
        Entry(cell << 3 | u32::from(mark))
    }

    #[inline]
    fn parts(self) -> (u32, u8) {
        (self.0 >> 3, (self.0 & 7) as u8)
    }
}

/// A part of the open list. Entries above the height do not count.
struct Stack {
    entries: Vec<Entry>,
    height: usize,
}

impl Stack {
    fn new() -> Stack {
        Stack { entries: vec![Entry(0); 64], height: 0 }
    }

    /// Returns the room for the neighbours of a cell, above the height.
    #[inline]
    fn room(&mut self) -> &mut [Entry; 4] {
        if self.height + 4 > self.entries.len() {
            self.entries.resize(2 * self.entries.len(), Entry(0));
        }
        self.entries[self.height..].first_chunk_mut().expect("there is room for four")
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        self.height = self.height.checked_sub(1)?;
        Some(self.entries[self.height])
    }

    fn cells(&self) -> impl Iterator<Item = u32> {
        self.entries[..self.height].iter().map(|entry| entry.parts().0)
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

/// Implements [`grid_a_star`](super::grid_a_star).
pub(super) fn a_star(mut grid: Grid, limits: &Limits) -> Found<Vec<Ordinal>> {
    let (start, goal, steps) = (grid.start, grid.goal, grid.steps());
    let (line, is_guided) = (grid.line, grid.is_guided);
    let [(row, column), (goal_row, goal_column)] = [start, goal].map(|cell| (cell / grid.line, cell % grid.line));
    let h = if grid.is_guided { row.abs_diff(goal_row) + column.abs_diff(goal_column) } else { 0 };
    // A move changes h by 1.
    let rise = if grid.is_guided { 2 } else { 1 };
    // 2^45 / line, rounded up: division by a line becomes a multiplication, exact while cells · line < 2^45.
    let reciprocal = (1_u64 << 45).div_ceil(u64::from(grid.line));
    let mut watch = Watch::new(limits, 0);
    // The entries with the least f, and those with the next.
    let (mut open, mut later) = (Stack::new(), Stack::new());
    open.room()[0] = Entry::new(start, START);
    open.height = 1;
    let (mut f, mut completed) = (h, 0);
    let (mut expanded, mut generated) = (0, 0);
    let cells = grid.cells.len();
    let distance = |cell: u32| {
        let (row, column) = (cell / line, cell % line);
        let h = row.abs_diff(goal_row) + column.abs_diff(goal_column);
        Length::whole(if is_guided { h } else { 0 })
    };
    let mut trace = Traced::new(&grid, limits, distance(start));
    let bytes = |open: &Stack, later: &Stack| (cells + open.bytes() + later.bytes()) as u64;

    let limit = 'search: {
        if start != goal && watch.check_memory(bytes(&open, &later)).is_err() {
            break 'search Some(Limit::Memory);
        }
        loop {
            let Some(entry) = open.pop() else {
                if later.height == 0 {
                    break 'search None;
                }
                swap(&mut open, &mut later);
                (completed, f) = (f, f + rise);
                continue;
            };
            let (cell, mark) = entry.parts();
            let at = &mut grid.cells[cell as usize];
            if *at != OPEN {
                continue;
            }
            *at = mark;
            if cell == goal {
                break 'search None;
            }
            let held = || {
                limits.reach(f64::from(completed), f64::from(f));
                bytes(&open, &later)
            };
            if let Some(limit) = watch.exceeded(expanded, held) {
                // The cell stays in the open list.
                grid.cells[cell as usize] = OPEN;
                open.height += 1;
                break 'search Some(limit);
            }
            expanded += 1;
            if let Some(trace) = &mut trace {
                let back = mark.checked_sub(FIRST_MOVE).map_or(0, |number| 1 << (number ^ 1));
                let moves = open_beside(&grid.cells, line, cell) & !back;
                trace.expansion(&grid, cell, mark, moves, distance);
            }
            let rooms = (open.room(), later.room());
            let (mut more, mut more_later) = (0, 0);
            let row = ((u64::from(cell) * reciprocal) >> 45) as u32;
            let column = cell - row * grid.line;
            let nearer = [row > goal_row, row < goal_row, column > goal_column, column < goal_column];
            for (mark, (step, nearer)) in (FIRST_MOVE..).zip(steps.into_iter().zip(nearer)) {
                let to = cell.wrapping_add(step);
                let at = grid.cells[to as usize];
                generated += u64::from(at != WALL);
                let (is_open, f_stays, entry) = (at == OPEN, nearer & grid.is_guided, Entry::new(to, mark));
                // At most three entries come before another.
                rooms.0[more & 3] = entry;
                more += usize::from(is_open & f_stays);
                rooms.1[more_later & 3] = entry;
                more_later += usize::from(is_open & !f_stays);
            }
            open.height += more;
            later.height += more_later;
            // The move back is not counted.
            generated -= u64::from(cell != start);
        }
    };
    let memory = bytes(&open, &later);
    let [f, completed] = [f, completed].map(Length::whole);
    let found =
        found(grid, open.cells().chain(later.cells()), &Ended { limit, expanded, generated, memory, f, completed });
    if let Some(trace) = &mut trace {
        trace.end(goal, &found);
    }
    found
}
