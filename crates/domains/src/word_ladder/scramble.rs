//! Random starts: by a walk backward from the goal, or drawn from all words from which it can be reached.
//!
//! What is drawn, and in which order, is part of the file format: a seed stands for one word for ever.

use super::Edits;
use super::words::{Word, Words};
use crate::domain::SplitMix64;

/// A word from which the goal can be reached: after so many moves backward, of which none takes the one before it back
/// where there is another; or, without their number, each of all such words but the goal as likely as any other.
pub(super) fn scramble(words: &Words, goal: Word, edits: Edits, moves: Option<u32>, seed: u64) -> Word {
    let random = &mut SplitMix64::new(seed);
    let before = |word: Word| words.neighbors(word, edits.reversed());
    let Some(moves) = moves else {
        let mut met = vec![false; words.len()];
        met[goal as usize] = true;
        let mut reached = vec![goal];
        let mut next = 0;
        while next < reached.len() {
            for word in before(reached[next]) {
                if !std::mem::replace(&mut met[word as usize], true) {
                    reached.push(word);
                }
            }
            next += 1;
        }
        // Where there is nothing but the goal, that is the start.
        let others = reached.len() as u64 - 1;
        return if others == 0 { goal } else { reached[1 + random.below(others) as usize] };
    };
    let (mut word, mut last) = (goal, None);
    for _ in 0..moves {
        let mut ways = before(word);
        if ways.len() > 1 {
            ways.retain(|&way| Some(way) != last);
        }
        if ways.is_empty() {
            break;
        }
        last = Some(word);
        word = ways[random.below(ways.len() as u64) as usize];
    }
    word
}
