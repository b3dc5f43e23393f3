//! Sets of places, and of values of the mover.

use engine_search::bit_set::FixedSet;

/// A set of numbers of places, all below 64 `N`.
pub type Places<const N: usize> = FixedSet<usize, N>;

/// Adds to a set all numbers that are reached from some over `next`, through numbers in `open` alone.
pub(super) fn grow<const N: usize>(from: Places<N>, set: &mut Places<N>, next: &[Vec<u16>], open: &Places<N>) {
    let (mut frontier, mut open) = (from, open.without(set));
    let (set, frontier, open) = (set.words_mut(), frontier.words_mut(), open.words_mut());
    let mut at = 0;
    loop {
        while frontier[at] != 0 {
            let number = at * 64 + frontier[at].trailing_zeros() as usize;
            frontier[at] &= frontier[at] - 1;
            for &next in &next[number] {
                let (word, bit) = (usize::from(next) / 64, 1 << (next % 64));
                let new = open[word] & bit;
                open[word] ^= new;
                set[word] |= new;
                frontier[word] |= new;
            }
        }
        match (0..N).find(|&word| frontier[word] != 0) {
            Some(word) => at = word,
            None => return,
        }
    }
}
