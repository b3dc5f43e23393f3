//! Random walks from the start of a puzzle, for domains whose solvable starts cannot be drawn at random.

use super::{BuildContext, Notation, Searchable, Style};
use crate::search::SplitMix64;

/// The length of a walk if none is given.
pub const DEFAULT_WALK: u32 = 1000;

/// Returns the names of random moves from the start of a space: `moves` of them, fewer only where no move is legal. A
/// move that leads back to the position before the last one is made only if there is no other. The same seed gives the
/// same moves on every machine. Returns `None` if a limit of `context` ends the walk.
pub fn random_walk(space: Box<dyn Searchable>, moves: u32, seed: u64, context: &BuildContext) -> Option<Vec<String>> {
    let random = &mut SplitMix64::new(seed);
    let (mut here, mut before) = (space, None);
    let mut walk = Vec::new();
    for _ in 0..moves {
        let mut legal: Vec<usize> = (0..here.count_moves()).collect();
        let next = loop {
            if legal.is_empty() {
                return Some(walk);
            }
            if context.should_stop() {
                return None;
            }
            let number = legal.swap_remove(random.below(legal.len() as u64) as usize);
            let Some((name, next)) = here.after_move(number, Notation::STANDARD) else { continue };
            if legal.is_empty() || before.as_ref() != Some(&next.draw(Style::Plain)) {
                walk.push(name);
                break next;
            }
        };
        before = Some(here.draw(Style::Plain));
        here = next;
    }
    Some(walk)
}
