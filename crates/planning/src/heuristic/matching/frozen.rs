//! Frozen tokens: those that can never move again, since each of their steps needs a place free that another frozen
//! token holds (freeze deadlocks of Sokoban, for any rules).
//!
//! The first step of a set of frozen tokens would need a place that is held by one of them, which has not moved before.
//! So none of them ever moves, whatever becomes of the others.

use super::places::Places;
use crate::search::Named;

/// The name of this reduction.
pub const FROZEN: Named =
    Named { name: "frozen", summary: "no positions with a piece off its target that can never move again" };

/// For each place, the sets of places that must hold no token for a step of a token there: one set for each step,
/// without those that contain another.
pub(super) struct Blocks<const N: usize>(Vec<Vec<Places<N>>>);

impl<const N: usize> Blocks<N> {
    pub fn new(places: usize, steps: impl Iterator<Item = (usize, Places<N>)>) -> Blocks<N> {
        let mut blocks: Vec<Vec<Places<N>>> = vec![Vec::new(); places];
        for (from, needs_free) in steps {
            let known = &mut blocks[from];
            if !known.iter().any(|other| other.is_within(&needs_free)) {
                known.retain(|other| !needs_free.is_within(other));
                known.push(needs_free);
            }
        }
        Blocks(blocks)
    }

    /// Returns the tokens that never move again.
    #[inline]
    pub fn frozen(&self, tokens: &Places<N>) -> Places<N> {
        let mut frozen = *tokens;
        loop {
            let mut is_done = true;
            for place in { frozen }.iter() {
                if self.0[place].iter().any(|needs_free| !needs_free.meets(&frozen)) {
                    frozen.remove(place);
                    is_done = false;
                }
            }
            if is_done {
                return frozen;
            }
        }
    }
}
