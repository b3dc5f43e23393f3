//! Random starts for a maze: by a random walk from a goal, or drawn from all cells connected to one.
//!
//! The result for a seed is part of the file format, so it never changes.

use super::cell::Cell;
use super::map::{Direction, Directions, Map, Moves};
use crate::domain::{BuildContext, SplitMix64};
use std::collections::HashSet;

/// The moves of a walk between two looks at the limits.
const CHECK_EVERY: u32 = 1 << 10;

/// Returns a start after this many random moves from a goal, or, without a number, a uniformly random cell connected
/// to one. With `elsewhere`, it is never a goal or the cell of a portal, which a drawing could not show. Returns `None`
/// if there is none. A limit breaks the walk off.
pub(super) fn scramble(
    map: &Map,
    goals: &[Cell],
    moves: Moves,
    moves_count: Option<u32>,
    seed: u64,
    elsewhere: bool,
    context: &BuildContext,
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
        if steps_left % CHECK_EVERY == CHECK_EVERY - 1 && context.should_stop() {
            break;
        }
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
