//! A table of a heuristic: for each cell the distance to the nearest of several goals, through portals where that is
//! shorter, on the map without walls where every cell costs 1.
//!
//! Walls and costs only make paths dearer, so the distances are admissible; as the exact distances of one graph that
//! has all moves at no greater cost, they are consistent. Two passes over the cells, one from each corner, compute the
//! distances to any set of cells (distance transform: Rosenfeld and Pfaltz 1966, Borgefors 1986): without walls, some
//! shortest path takes all steps of the first pass before those of the second.

use super::cell::Cell;
use super::map::Map;
use super::steps::Steps;
use crate::domain::BuildContext;

/// Returns the distance of a number of rows and columns without walls, in four directions or in eight.
#[inline]
pub(super) fn distance<C: Steps>(down: u32, right: u32, has_diagonals: bool) -> C {
    let diagonal = if has_diagonals { down.min(right) } else { 0 };
    C::of(down + right - 2 * diagonal, diagonal)
}

/// Returns the distance from each cell to the nearest goal. If a limit ends the work, all are 0.
pub(super) fn distances<C: Steps>(map: &Map, goals: &[Cell], has_diagonals: bool, context: &BuildContext) -> Vec<C> {
    let mut table = vec![C::INFINITY; map.cells.len()];
    goals.iter().for_each(|&goal| table[goal as usize] = C::ZERO);
    let is_done = sweep(map, &mut table, has_diagonals, context)
        && (!map.has_portals || {
            through_portals(map, &mut table, has_diagonals);
            sweep(map, &mut table, has_diagonals, context)
        });
    if !is_done {
        table.fill(C::ZERO);
    }
    table
}

/// Lowers the distances of the cells of portals until none is shorter through another portal.
fn through_portals<C: Steps>(map: &Map, table: &mut [C], has_diagonals: bool) {
    let cells: Vec<Cell> = map.kinds.iter().filter_map(|kind| kind.portal).flatten().collect();
    let between = |one: Cell, other: Cell| {
        let (one, other) = (map.place(one), map.place(other));
        distance::<C>(one.0.abs_diff(other.0), one.1.abs_diff(other.1), has_diagonals)
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &from in &cells {
            let (leads, here) = (map.twin(from), table[from as usize]);
            for &to in &cells {
                let step = if to == leads { C::of(1, 0) } else { between(from, to) };
                if here + step < table[to as usize] {
                    table[to as usize] = here + step;
                    changed = true;
                }
            }
        }
    }
}

/// Spreads the distances over the map: first down and to the right, then back. Returns false if a limit ends it.
fn sweep<C: Steps>(map: &Map, table: &mut [C], has_diagonals: bool, context: &BuildContext) -> bool {
    let (straight, aslant) = (C::of(1, 0), if has_diagonals { C::of(0, 1) } else { C::INFINITY });
    // The surrounding wall stays at infinity.
    let mut pass = |row: u32, column: u32, [beside, across, left, right]: [u32; 4]| {
        let cell = map.cell(row, column);
        let at = |step: u32| table[cell.wrapping_add(step) as usize];
        let mut least = table[cell as usize].min(at(beside) + straight).min(at(across) + straight);
        if has_diagonals {
            least = least.min(at(left) + aslant).min(at(right) + aslant);
        }
        table[cell as usize] = least;
    };
    let back = [map.step(0, -1), map.step(-1, 0), map.step(-1, -1), map.step(-1, 1)];
    let on = back.map(u32::wrapping_neg);
    for row in 0..map.rows {
        (0..map.columns).for_each(|column| pass(row, column, back));
        if context.should_stop() {
            return false;
        }
    }
    for row in (0..map.rows).rev() {
        (0..map.columns).rev().for_each(|column| pass(row, column, on));
        if context.should_stop() {
            return false;
        }
    }
    true
}
