//! The orders of the tiles of a group along the cells that they occupy, and how a move changes them.

use super::MOST_TILES;

/// The orders, by number.
pub(super) struct Orders {
    /// For each order, the tiles by position.
    pub list: Vec<[u8; MOST_TILES]>,
    /// For the position that a tile leaves and the one it takes, the next order for each order.
    after: Vec<Vec<u16>>,
}

impl Orders {
    pub fn new(tiles: usize) -> Orders {
        let mut list: Vec<[u8; MOST_TILES]> = vec![[0; MOST_TILES]];
        for tile in 1..tiles {
            let longer = |order: &[u8; MOST_TILES]| {
                let order = *order;
                (0..=tile).map(move |place| {
                    let mut longer = order;
                    longer.copy_within(place..tile, place + 1);
                    longer[place] = tile as u8;
                    longer
                })
            };
            list = list.iter().flat_map(longer).collect();
        }
        list.sort_unstable();
        let moved = |order: &[u8; MOST_TILES], from: usize, to: usize| {
            let mut moved = *order;
            if from < to {
                moved[from..=to].rotate_left(1)
            } else {
                moved[to..=from].rotate_right(1)
            }
            list.binary_search(&moved).expect("every order is listed") as u16
        };
        let places = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let after = |(from, to)| {
            if from == to { Vec::new() } else { list.iter().map(|order| moved(order, from, to)).collect() }
        };
        let after = places.map(after).collect();
        Orders { list, after }
    }

    /// Returns the number of words of a set of orders.
    pub fn words(&self) -> usize {
        self.list.len().div_ceil(64)
    }

    /// Adds to a set of orders those that follow from another set by a move between two positions, as one number.
    #[inline]
    pub fn add_moved(&self, set: &mut [u64], others: &[u64], places: u8) {
        let after = &self.after[usize::from(places)];
        if after.is_empty() {
            // The tile passes no other.
            set.iter_mut().zip(others).for_each(|(word, others)| *word |= others);
            return;
        }
        for (number, &word) in others.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let child = usize::from(after[64 * number + left.trailing_zeros() as usize]);
                set[child / 64] |= 1 << (child % 64);
                left &= left - 1;
            }
        }
    }
}

/// Returns the numbers of the bits of a word.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_between_two_positions_rotates_the_tiles_between() {
        let orders = Orders::new(6);
        for (from, to) in [(0, 0), (5, 5), (0, 5), (4, 1), (2, 3)] {
            for (number, order) in orders.list.iter().enumerate().step_by(7) {
                let mut moved = order[..6].to_vec();
                let tile = moved.remove(from);
                moved.insert(to, tile);
                let (mut set, mut others) = (vec![0; orders.words()], vec![0; orders.words()]);
                others[number / 64] |= 1 << (number % 64);
                orders.add_moved(&mut set, &others, (from * 6 + to) as u8);
                let found: Vec<usize> = (0..720).filter(|&order| set[order / 64] >> (order % 64) & 1 == 1).collect();
                assert_eq!(found.len(), 1);
                assert_eq!(orders.list[found[0]][..6], moved, "{order:?} from {from} to {to}");
            }
        }
    }
}
