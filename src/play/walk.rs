//! Walks: the shortest sequence of moves that takes one figure to a far cell while all others stay.
//!
//! A breadth-first search over the positions that moves of this figure alone reach. It knows the figure by its place,
//! since a figure may turn round, and so look different, while it walks.

use super::{ClickAction, Effect, Game};
use crate::picture::Cell;
use crate::puzzle::Searchable;
use std::collections::HashSet;

/// The greatest number of moves that are tried, and of cells that are drawn for it.
const MAX_STEPS: usize = 1 << 14;
const MAX_CELLS: usize = 1 << 24;

/// A position of a walk.
struct Stand {
    at: Cell,
    /// `None` at the beginning.
    state: Option<Box<dyn Searchable>>,
    /// The number of the position before it, and the move between.
    before: Option<(usize, String)>,
}

impl Game {
    /// Returns the walk of a figure to a cell: of the one with this key, or of the only one that can move alone. The
    /// last move may take away what is on the cell.
    pub(super) fn walk(&self, to: Cell, key: Option<u64>) -> Option<ClickAction> {
        let alone = || self.effects().iter().filter_map(Effect::step).map(|step| step.key);
        let first = alone().next()?;
        let key = match key {
            Some(key) => alone().find(|&other| other == key)?,
            None => alone().all(|other| other == first).then_some(first)?,
        };
        let figure = self.figure(key)?;
        let is_there = |at: Cell| figure.cells.iter().any(|&(row, column)| (at.0 + row, at.1 + column) == to);
        let mut seen = HashSet::from([figure.at]);
        let mut stands = vec![Stand { at: figure.at, state: None, before: None }];
        let (mut steps, mut cells, mut number) = (0, 0, 0);
        while let Some(stand) = stands.get(number) {
            let state = stand.state.as_deref().unwrap_or_else(|| self.state());
            let before = state.picture()?;
            let mut reached = Vec::new();
            for written in state.legal_moves(self.notation) {
                (steps, cells) = (steps + 1, cells + before.ground.len());
                if steps > MAX_STEPS || cells > MAX_CELLS {
                    return None;
                }
                let Some(next) = state.after(&written, &[self.notation]) else { continue };
                let mut after = next.picture()?;
                after.follow(&before);
                let effect = Effect::between(&before, &after);
                let [motion] = &effect.motions[..] else { continue };
                if motion.from != stand.at {
                    continue;
                }
                if is_there(motion.to) {
                    return Some(ClickAction::Walk(path(&stands, number, written)));
                }
                if effect.is_alone && seen.insert(motion.to) {
                    reached.push(Stand { at: motion.to, state: Some(next), before: Some((number, written)) });
                }
            }
            stands.extend(reached);
            number += 1;
        }
        None
    }
}

/// Returns the moves to a position, and the last move from there.
fn path(stands: &[Stand], mut number: usize, last: String) -> Vec<String> {
    let mut moves = vec![last];
    while let Some((before, written)) = &stands[number].before {
        moves.push(written.clone());
        number = *before;
    }
    moves.reverse();
    moves
}
