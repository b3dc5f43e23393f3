//! A* in grids.
//!
//! A* over a general graph spends its time on tables and lists. In a grid, one byte a cell is the map and the closed
//! list, and an entry of the open list is one integer: a cell with the move into it. With a consistent heuristic a cell
//! has its least g when it is expanded first (Hart, Nilsson, Raphael 1968), so no g is stored to compare paths. The
//! open list holds a cell once for each move into it; all but the first are dropped when they are popped.

mod eight_connected;
mod four_connected;
mod traced;

use super::limits::{Limit, Limits};
use super::{Found, Stats, Verdict};
use crate::space::grid::{legal, open_around, open_beside};
use crate::space::{Cost, Grid, Length, Ordinal};

/// The byte of a wall, and of an open cell that is not closed.
const WALL: u8 = 0;
const OPEN: u8 = 1;

/// The byte of the closed start, and of a cell that is closed by the first of the moves; those of the others follow.
const START: u8 = 2;
const FIRST_MOVE: u8 = 3;

/// Searches a grid for a shortest path, without a limit on its length.
pub(super) fn grid_a_star(grid: Grid, limits: &Limits) -> Found<Vec<Ordinal>> {
    if grid.has_diagonals { eight_connected::a_star(grid, limits) } else { four_connected::a_star(grid, limits) }
}

/// The outcome of a search in a grid.
struct Ended {
    /// The limit that ended it, if one did.
    limit: Option<Limit>,
    expanded: u64,
    generated: u64,
    memory: u64,
    /// The least f of the open list, and the last one below it.
    f: Length,
    completed: Length,
}

/// Returns the result of a search whose open list holds these cells.
fn found(mut grid: Grid, open: impl Iterator<Item = u32>, ended: &Ended) -> Found<Vec<Ordinal>> {
    let is_found = grid.cells[grid.goal as usize] != OPEN;
    // Every cell once: a cell of the open list is closed as it is counted.
    let mut stored = ended.expanded + u64::from(is_found);
    for cell in open {
        let at = &mut grid.cells[cell as usize];
        stored += u64::from(*at == OPEN);
        *at = (*at).max(START);
    }
    let verdict = match ended.limit {
        Some(limit) => Verdict::Limit { limit, lower_bound: ended.f.as_f64(), best: None },
        None if is_found => {
            let cost = ended.f.as_f64();
            Verdict::Solved { path: path(&grid), cost, lower_bound: cost }
        }
        None => Verdict::Unsolvable,
    };
    let depth = if matches!(verdict, Verdict::Solved { .. }) { ended.f } else { ended.completed };
    let stats = Stats {
        expanded: ended.expanded,
        generated: ended.generated,
        stored,
        depth: depth.as_f64(),
        memory: ended.memory,
        ..Stats::default()
    };
    Found { verdict, stats }
}

/// Returns the path to the goal by the moves that closed its cells, each as its number among the legal moves.
fn path(grid: &Grid) -> Vec<Ordinal> {
    let steps = grid.steps();
    let (mut at, mut path) = (grid.goal, Vec::new());
    while at != grid.start {
        let number = grid.cells[at as usize] - FIRST_MOVE;
        at = at.wrapping_sub(steps[usize::from(number)]);
        path.push(ordinal(grid, at, number));
    }
    path.reverse();
    path
}

/// Returns the number of a move among the legal moves of a cell.
fn ordinal(grid: &Grid, cell: u32, number: u8) -> Ordinal {
    // The straight moves come first.
    let legal = if number < 4 {
        open_beside(&grid.cells, grid.line, cell)
    } else {
        legal(open_around(&grid.cells, grid.line, cell))
    };
    (legal & ((1 << number) - 1)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches an open grid of 40 rows and columns from corner to corner, with a wall across unless it has a gap.
    fn searched(has_gap: bool, [has_diagonals, is_guided]: [bool; 2], limits: &Limits) -> Found<Vec<Ordinal>> {
        let line = 41;
        let mut cells = vec![WALL; 41 * 42 + 1];
        for row in 1..=40 {
            cells[row * line + 1..][..40].fill(if row == 20 { WALL } else { OPEN });
        }
        if has_gap {
            cells[20 * line + 1] = OPEN;
        }
        let (start, goal) = (line as u32 + 1, 40 * line as u32 + 40);
        grid_a_star(Grid { cells, line: line as u32, start, goal, has_diagonals, is_guided }, limits)
    }

    #[test]
    fn limits_end_the_search_with_a_bound() {
        for (kind, moves, length) in [
            ([false, false], 78, Length::of(78, 0)),
            ([false, true], 78, Length::of(78, 0)),
            ([true, false], 59, Length::of(40, 19)),
            ([true, true], 59, Length::of(40, 19)),
        ] {
            let within = |limits| searched(true, kind, &limits);
            let Verdict::Solved { path, cost, lower_bound } = within(Limits::default()).verdict else {
                panic!("there is a path");
            };
            assert_eq!((path.len(), cost, lower_bound), (moves, length.as_f64(), length.as_f64()));
            let by_nodes = within(Limits { nodes: Some(30), ..Limits::default() });
            assert_eq!(by_nodes.stats.expanded, 30);
            assert!(by_nodes.stats.stored > 30, "open cells are stored");
            let at_once = within(Limits { nodes: Some(0), ..Limits::default() });
            assert_eq!(at_once.stats.stored, 1, "a cell that is not expanded stays stored");
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
                assert!(lower_bound <= cost, "{lower_bound}");
                assert_eq!(lower_bound > 10.0, kind[1], "an unguided search has seen 30 cells");
            }
            assert!(matches!(searched(false, kind, &Limits::default()).verdict, Verdict::Unsolvable));
        }
    }
}
