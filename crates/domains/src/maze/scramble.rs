//! Random starts for a maze: by a random walk from the goal, or drawn from all cells connected to it.
//!
//! The result for a seed is part of the file format, so it never changes.

use super::map::{Cell, Direction, Map, Moves};
use crate::domain::SplitMix64;

/// Returns a start after this many random moves from the goal, or, without a number, a uniformly random cell connected
/// to it. With `elsewhere`, it is never the goal itself. Returns `None` if there is none.
pub(super) fn scramble(
    map: &Map,
    goal: Cell,
    moves: Moves,
    moves_count: Option<u32>,
    seed: u64,
    elsewhere: bool,
) -> Option<Cell> {
    let random = &mut SplitMix64::new(seed);
    let Some(steps) = moves_count else {
        let mut reached = map.reached_from(goal);
        reached[goal as usize] &= !elsewhere;
        let cells = reached.iter().filter(|&&reached| reached).count() as u64;
        let chosen = (cells > 0).then(|| random.below(cells) as usize)?;
        return (0..).zip(&reached).filter(|&(_, &reached)| reached).nth(chosen).map(|(cell, _)| cell);
    };
    // The walk reverses its last move only if there is no other. A walk that ends at the goal continues if `elsewhere`
    // is set.
    let mut at = goal;
    let mut back = None;
    let mut steps_left = steps;
    while steps_left > 0 || (elsewhere && at == goal) {
        let legal = map.moves(at, moves == Moves::Diagonal);
        let onward = legal & !back.map_or(0, |back: Direction| 1 << back as u8);
        let choices = if onward == 0 { legal } else { onward };
        if choices == 0 {
            return (!elsewhere).then_some(goal);
        }
        let chosen = random.below(u64::from(choices.count_ones())) as usize;
        let of_those = Direction::ALL.into_iter().filter(|&direction| choices >> direction as u8 & 1 == 1);
        let direction = of_those.into_iter().nth(chosen)?;
        at = map.neighbor(at, direction);
        back = Some(direction.opposite());
        steps_left = steps_left.saturating_sub(1);
    }
    Some(at)
}
