//! The assignment of equal figures to their new places: the one decision behind motions in games, films and pages.

use super::Cell;
use std::collections::HashSet;

/// The greatest number of pairs of places to compare.
const MAX_PAIRS: usize = 1 << 16;

/// Returns, for each of the places `to` at which equal figures appeared, the index of the place in `from` that its
/// figure left; `None` if it is new. Neither list contains a place of the other.
///
/// Each new place takes the nearest figure that left its place. There is one exception: if another figure left as well,
/// and the nearest stood on the line between that one and the new place, the farther one moved: it jumped over the
/// nearest and captured it, as in peg solitaire.
#[must_use]
pub fn movers(from: &[Cell], to: &[Cell]) -> Vec<Option<usize>> {
    let mut movers = vec![None; to.len()];
    if from.len().saturating_mul(to.len()) > MAX_PAIRS {
        return movers;
    }
    let distance = |one: Cell, other: Cell| one.0.abs_diff(other.0) + one.1.abs_diff(other.1);
    let pairs = (0..to.len()).flat_map(|new| (0..from.len()).map(move |old| (new, old)));
    let mut pairs: Vec<_> = pairs.map(|(new, old)| (distance(to[new], from[old]), new, old)).collect();
    pairs.sort_unstable();
    let mut left: HashSet<usize> = (0..from.len()).collect();
    for &(_, new, old) in &pairs {
        if movers[new].is_none() && left.remove(&old) {
            movers[new] = Some(old);
        }
    }
    for (_, new, old) in pairs {
        if let Some(nearer) = movers[new].filter(|&nearer| is_between(from[old], from[nearer], to[new]))
            && left.remove(&old)
        {
            left.insert(nearer);
            movers[new] = Some(old);
        }
    }
    movers
}

/// Returns whether a cell lies on the line between two others.
fn is_between(one: Cell, middle: Cell, other: Cell) -> bool {
    let by = |from: Cell, to: Cell| (to.0 as i64 - from.0 as i64, to.1 as i64 - from.1 as i64);
    let (first, second) = (by(one, middle), by(middle, other));
    let is_straight = first.0 * second.1 == first.1 * second.0;
    is_straight && first.0 * second.0 + first.1 * second.1 > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_equal_figures_move() {
        assert_eq!(movers(&[(0, 1), (0, 6)], &[(0, 5), (0, 2)]), [Some(1), Some(0)]);
        assert_eq!(movers(&[(0, 1)], &[(0, 9), (0, 2)]), [None, Some(0)], "the other one is new");
        assert_eq!(movers(&[(0, 1), (3, 4)], &[(0, 4)]), [Some(0)], "the other one vanishes elsewhere");
        assert!(movers(&[], &[(0, 0)]) == [None] && movers(&[(0, 0)], &[]).is_empty());
    }

    #[test]
    fn a_figure_that_jumps_over_equal_ones_takes_them() {
        assert_eq!(movers(&[(0, 0), (0, 1)], &[(0, 2)]), [Some(0)]);
        assert_eq!(movers(&[(1, 1), (2, 2)], &[(0, 0)]), [Some(1)], "on a diagonal");
        assert_eq!(movers(&[(4, 0), (3, 0), (2, 0)], &[(1, 0)]), [Some(0)], "over two");
        assert_eq!(movers(&[(0, 0), (0, 1)], &[(1, 1)]), [Some(1)], "not around a corner");
    }
}
