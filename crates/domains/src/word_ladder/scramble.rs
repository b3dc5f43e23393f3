//! Random starts: by a random walk backwards from the goal, or drawn from all words from which the goal is reachable.
//!
//! The result for a seed is part of the file format, so it never changes.

use super::Edits;
use super::words::{Word, Words};
use crate::domain::{BuildContext, SplitMix64};

/// Returns a word from which the goal is reachable: after this many moves backwards, which reverse the previous one
/// only if there is no other; or, without a number, a uniformly random one except the goal. A limit breaks the work off.
pub(super) fn scramble(
    words: &Words,
    goal: Word,
    edits: Edits,
    moves: Option<u32>,
    seed: u64,
    context: &BuildContext,
) -> Word {
    let random = &mut SplitMix64::new(seed);
    let before = |word: Word| words.neighbors(word, edits.reversed());
    let Some(moves) = moves else {
        let mut visited = vec![false; words.len()];
        visited[goal as usize] = true;
        let mut reached = vec![goal];
        let mut next = 0;
        while next < reached.len() && !context.should_stop() {
            for word in before(reached[next]) {
                if !std::mem::replace(&mut visited[word as usize], true) {
                    reached.push(word);
                }
            }
            next += 1;
        }
        // If no other word reaches the goal, the start is the goal.
        let others = reached.len() as u64 - 1;
        return if others == 0 { goal } else { reached[1 + random.below(others) as usize] };
    };
    let (mut word, mut last) = (goal, None);
    for _ in 0..moves {
        let mut choices = before(word);
        if choices.len() > 1 {
            choices.retain(|&choice| Some(choice) != last);
        }
        if choices.is_empty() || context.should_stop() {
            break;
        }
        last = Some(word);
        word = choices[random.below(choices.len() as u64) as usize];
    }
    word
}
