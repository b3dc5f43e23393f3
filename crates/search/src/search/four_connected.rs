//! A* in grids with four neighbours a cell.
//!
//! A* over a general graph spends its time on tables and lists. Here one byte a cell is the map and the closed list, and
//! an entry of the open list takes four bytes. With a consistent heuristic a cell has its least g when it is expanded
//! first (Hart, Nilsson, Raphael 1968), so no g is stored to compare paths. A move towards the goal keeps f, and every
//! other one raises it by the same amount, so two stacks are the open list. It holds a cell once for each move into it;
//! all but the first are dropped when they are popped. Among equal f, the last in is the first out.

use super::limits::{Limit, Limits, Watch};
use super::{Found, Stats, Verdict};
use crate::space::{FourConnected, Ordinal};
use std::mem::swap;

/// The byte of a wall, and of an open cell that is not closed.
const WALL: u8 = 0;
const OPEN: u8 = 1;

/// The byte of the closed start, and of a cell that is closed by the first of the moves; those of the others follow.
const START: u8 = 2;
const FIRST_MOVE: u8 = 3;

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

/// Searches a grid for a shortest path, without a limit on its length.
pub(super) fn four_connected_a_star(mut grid: FourConnected, limits: &Limits) -> Found<Vec<Ordinal>> {
    let (start, goal, steps) = (grid.start, grid.goal, grid.steps());
    let [(row, column), (goal_row, goal_column)] = [start, goal].map(|cell| (cell / grid.line, cell % grid.line));
    let h = if grid.is_guided { row.abs_diff(goal_row) + column.abs_diff(goal_column) } else { 0 };
    // A move changes h by 1.
    let rise = if grid.is_guided { 2 } else { 1 };
    // 2^45 / line, rounded up: division by a line becomes a multiplication, exact while cells · line < 2^45.
    let reciprocal = (1_u64 << 45).div_ceil(u64::from(grid.line));
    let mut watch = Watch::new(limits, 0);
    let mut open = vec![Entry::new(start, START)];
    // The entries with the next f.
    let mut later: Vec<Entry> = Vec::new();
    let (mut f, mut completed) = (h, 0);
    let (mut expanded, mut generated) = (0, 0);
    let cells = grid.cells.len();
    let bytes = |open: &Vec<Entry>, later: &Vec<Entry>| {
        (cells + (open.capacity() + later.capacity()) * size_of::<Entry>()) as u64
    };

    let limit = 'search: {
        if start != goal && watch.check_memory(bytes(&open, &later)).is_err() {
            break 'search Some(Limit::Memory);
        }
        loop {
            let Some(entry) = open.pop() else {
                if later.is_empty() {
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
                break 'search Some(limit);
            }
            expanded += 1;
            let row = ((u64::from(cell) * reciprocal) >> 45) as u32;
            let column = cell - row * grid.line;
            let nearer = [row > goal_row, row < goal_row, column > goal_column, column < goal_column];
            for (mark, (step, nearer)) in (FIRST_MOVE..).zip(steps.into_iter().zip(nearer)) {
                let to = cell.wrapping_add(step);
                let at = grid.cells[to as usize];
                generated += u64::from(at != WALL);
                if at == OPEN {
                    let f_stays = nearer && grid.is_guided;
                    (if f_stays { &mut open } else { &mut later }).push(Entry::new(to, mark));
                }
            }
            // The move back is not counted.
            generated -= u64::from(cell != start);
        }
    };

    let is_found = grid.cells[goal as usize] != OPEN;
    let stats = Stats {
        expanded,
        generated,
        stored: expanded + (open.len() + later.len()) as u64,
        depth: f64::from(if is_found { f } else { completed }),
        memory: bytes(&open, &later),
        ..Stats::default()
    };
    let verdict = match limit {
        Some(limit) => Verdict::Limit { limit, lower_bound: f64::from(f), best: None },
        None if is_found => Verdict::Solved { path: path(&grid), cost: f64::from(f), lower_bound: f64::from(f) },
        None => Verdict::Unsolvable,
    };
    Found { verdict, stats }
}

/// Returns the path to the goal by the moves that closed its cells, each as its number among the legal moves.
fn path(grid: &FourConnected) -> Vec<Ordinal> {
    let (mut at, mut path) = (grid.goal, Vec::new());
    while at != grid.start {
        let number = grid.cells[at as usize] - FIRST_MOVE;
        at = at.wrapping_sub(grid.steps()[usize::from(number)]);
        let before = grid.steps().into_iter().take(number.into());
        let is_legal = |step: &u32| grid.cells[at.wrapping_add(*step) as usize] != WALL;
        path.push(before.filter(is_legal).count() as Ordinal);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Found;

    /// Searches an open grid of 40 rows and columns from corner to corner, with a wall across unless it has a gap.
    fn searched(has_gap: bool, is_guided: bool, limits: &Limits) -> Found<Vec<Ordinal>> {
        let line = 41;
        let mut cells = vec![WALL; 41 * 42 + 1];
        for row in 1..=40 {
            cells[row * line + 1..][..40].fill(if row == 20 { WALL } else { OPEN });
        }
        if has_gap {
            cells[20 * line + 1] = OPEN;
        }
        let (start, goal) = (line as u32 + 1, 40 * line as u32 + 40);
        four_connected_a_star(FourConnected { cells, line: line as u32, start, goal, is_guided }, limits)
    }

    #[test]
    fn limits_end_the_search_with_a_bound() {
        for is_guided in [false, true] {
            let within = |limits| searched(true, is_guided, &limits);
            let Verdict::Solved { path, cost, lower_bound } = within(Limits::default()).verdict else {
                panic!("there is a path");
            };
            assert_eq!((path.len(), cost, lower_bound), (78, 78.0, 78.0));
            let by_nodes = within(Limits { nodes: Some(30), ..Limits::default() });
            assert_eq!(by_nodes.stats.expanded, 30);
            let by_memory = within(Limits { memory: Some(100), ..Limits::default() });
            let interrupt = Some(std::sync::Arc::new(true.into()));
            let interrupted = within(Limits { interrupt, ..Limits::default() });
            for (found, expected) in
                [(by_nodes, Limit::Nodes), (by_memory, Limit::Memory), (interrupted, Limit::Interrupt)]
            {
                let Verdict::Limit { limit, lower_bound, .. } = found.verdict else {
                    panic!("{expected:?} is reached")
                };
                assert_eq!(limit, expected);
                assert!(lower_bound <= 78.0 && (lower_bound == 78.0) == is_guided, "{lower_bound}");
            }
            assert!(matches!(searched(false, is_guided, &Limits::default()).verdict, Verdict::Unsolvable));
        }
    }
}
