//! Random starts for a maze: by a random walk from a goal, or drawn from all cells connected to one.
//!
//! The result for a seed is part of the file format, so it never changes.

use super::map::{Cell, Direction, Directions, Map, Moves};
use crate::domain::SplitMix64;
use std::collections::HashSet;

/// Returns a start after this many random moves from a goal, or, without a number, a uniformly random cell connected
/// to one. With `elsewhere`, it is never a goal or the cell of a portal, which a drawing could not show. Returns `None`
/// if there is none.
pub(super) fn scramble(
    map: &Map,
    goals: &[Cell],
    moves: Moves,
    moves_count: Option<u32>,
    seed: u64,
    elsewhere: bool,
) -> Option<Cell> {
    let random = &mut SplitMix64::new(seed);
    let ends: HashSet<Cell> = goals.iter().copied().collect();
    let is_taken = |cell: Cell| elsewhere && (ends.contains(&cell) || map.portal(cell).is_some());
    let is_start = |&(cell, &reached): &(Cell, &bool)| reached && !is_taken(cell);
    let Some(steps) = moves_count else {
        let reached = map.reached_from(goals);
        let cells = (0..).zip(&reached).filter(is_start).count() as u64;
        let chosen = (cells > 0).then(|| random.below(cells) as usize)?;
        return (0..).zip(&reached).filter(is_start).nth(chosen).map(|(cell, _)| cell);
    };
    // The walk reverses its last move only if there is no other. A walk that ends at a cell that is taken continues, if
    // that can lead elsewhere.
    let mut at = match goals {
        [goal] => *goal,
        _ => goals[random.below(goals.len() as u64) as usize],
    };
    if elsewhere && !(0..).zip(&map.reached_from(&[at])).any(|cell| is_start(&cell)) {
        return None;
    }
    let mut back = None;
    let mut steps_left = steps;
    while steps_left > 0 || is_taken(at) {
        let legal = map.moves(at, moves == Moves::Diagonal);
        let onward = legal & !back.map_or(0, |back: Direction| 1 << back as u8);
        let choices = if onward == 0 { legal } else { onward };
        if choices == 0 {
            return Some(at);
        }
        let chosen = random.below(u64::from(choices.count_ones())) as usize;
        let direction = Directions(choices).nth(chosen)?;
        at = map.neighbor(at, direction);
        back = Some(direction.opposite());
        steps_left = steps_left.saturating_sub(1);
    }
    Some(at)
}
