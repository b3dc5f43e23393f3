//! A number for every board that can be reached: a perfect index.
//!
//! Leave the blank out, and the tiles stand in an order, cell by cell. A board is this order and the cell of the blank,
//! and its number is that of the order times the cells, plus the cell. A move of the blank from one cell to another takes
//! one tile past all that stand between them: to the left or right, past none, up or down, past a row less one. So
//! neighbours differ in few digits of the order's number, and the number of one is had from the other's by adding up
//! these.
//!
//! An order is numbered by its Lehmer code (Lehmer 1960): for each tile the number of smaller ones behind it, as digits
//! in the factorial number system. Where the cells can be coloured like a chessboard, the cell of the blank tells
//! whether the order is even. Then the last digit, 0 or 1, follows from all others and is left out: the number is halved.

use super::board::{Board, Cell, Tile};
use super::representation::Representation;
use crate::space::PerfectIndex;
use std::marker::PhantomData;

/// The most cells of a board that is ranked: 16! is less than 2^64.
const MOST_CELLS: usize = 16;

/// The numbers of the boards that can be reached from one.
pub(super) struct Ranking<R> {
    size: u64,
    /// By cell.
    neighbors: Vec<Vec<Cell>>,
    /// By position in the order, how much one more in its digit adds to the number; 0 where the digit is left out.
    weights: [u64; MOST_CELLS],
    /// How many digits are not left out.
    digits: usize,
    /// By cell of the blank, whether the order is odd; none, if it may be either.
    odd: Option<Vec<bool>>,
    representation: PhantomData<fn() -> R>,
}

/// The order of a board as far as the digits before some position say.
#[derive(Clone, Copy, Default)]
struct Prefix {
    /// The number of the first board that has these digits.
    first: u64,
    /// The tiles that are left, as a set of bits.
    left: u32,
    /// Whether the sum of the digits is odd.
    odd: bool,
}

/// An order of tiles and its digits.
#[derive(Default)]
struct Order {
    /// By position, the tile, as one bit.
    tiles: [u32; MOST_CELLS],
    digits: [u64; MOST_CELLS],
    /// By position, what the digits before it say.
    prefixes: [Prefix; MOST_CELLS],
    /// How many of the digits hold.
    known: usize,
}

impl<R: Representation> Ranking<R> {
    /// The numbers of all boards that can be reached from the start. None, if there are too many cells, or if the cells
    /// lie on a path or a cycle, where the tiles cannot pass each other.
    ///
    /// Elsewhere every order can be reached, or every one whose parity fits the cell of the blank (Wilson 1974): the
    /// cells of every surface with more joints than cells are 2-connected, and none of them is Wilson's exception, seven
    /// cells with eight joints.
    pub fn new(board: &Board) -> Option<Ranking<R>> {
        let cells = board.start.len();
        if cells > MOST_CELLS {
            return None;
        }
        let neighbors: Vec<Vec<Cell>> = (0..cells as Cell).map(|cell| board.neighbors(cell).collect()).collect();
        if neighbors.iter().map(Vec::len).sum::<usize>() <= 2 * cells {
            return None;
        }
        let odd = parities(&neighbors, board);
        let tiles = cells - 1;
        let digits = if odd.is_some() { tiles - 2 } else { tiles - 1 };
        let halved = if odd.is_some() { 2 } else { 1 };
        let mut weights = [0; MOST_CELLS];
        for (position, weight) in weights[..digits].iter_mut().enumerate() {
            *weight = factorial(tiles - 1 - position) / halved * cells as u64;
        }
        let size = factorial(cells) / halved;
        Some(Ranking { size, neighbors, weights, digits, odd, representation: PhantomData })
    }

    fn tiles(&self) -> usize {
        self.neighbors.len() - 1
    }

    /// The order and the cell of the blank of a number. What holds of the order before is kept.
    #[inline]
    fn decode(&self, order: &mut Order, index: u64) -> Cell {
        let Order { tiles, digits, prefixes, known } = order;
        prefixes[0].left = (1 << self.tiles()) - 1;
        // A number below the first wraps to one that is no less than any weight.
        while *known > 0 && index.wrapping_sub(prefixes[*known].first) >= self.weights[*known - 1] {
            *known -= 1;
        }
        for position in *known..self.digits {
            let Prefix { mut first, left, mut odd } = prefixes[position];
            let (mut larger, mut digit) = (left, 0);
            while index - first >= self.weights[position] {
                first += self.weights[position];
                larger &= larger - 1;
                digit += 1;
                odd = !odd;
            }
            tiles[position] = lowest(larger);
            digits[position] = digit;
            prefixes[position + 1] = Prefix { first, left: left & !tiles[position], odd };
        }
        *known = self.digits;
        let Prefix { first, left, odd } = prefixes[self.digits];
        let blank = index - first;
        let low = lowest(left);
        let last = self.tiles() - 1;
        match &self.odd {
            None => tiles[last] = low,
            Some(parities) => {
                let swapped = parities[blank as usize] != odd;
                (tiles[last - 1], tiles[last]) = if swapped { (left ^ low, low) } else { (low, left ^ low) };
                digits[last - 1] = u64::from(swapped);
            }
        }
        blank as Cell
    }

    /// The number of the board after the blank has gone from one cell to another.
    #[inline]
    fn slide(&self, order: &Order, from: Cell, to: Cell) -> u64 {
        let Order { tiles, digits, prefixes, .. } = order;
        let weights = &self.weights;
        let (first, last) = (from.min(to) as usize, from.max(to) as usize - 1);
        // The digits of those that are passed change by whether they are larger than the tile that moves, and its own by
        // how many of them are smaller.
        let (mut number, mut smaller) = (0, 0);
        if from < to {
            for position in first..last {
                let larger = u64::from(tiles[position] > tiles[last]);
                number += (digits[position] - larger) * weights[position + 1];
                smaller += 1 - larger;
            }
            number += (digits[last] + smaller) * weights[first];
        } else {
            for position in first + 1..=last {
                let larger = u64::from(tiles[position] > tiles[first]);
                number += (digits[position] + larger) * weights[position - 1];
                smaller += 1 - larger;
            }
            number += (digits[first] - smaller) * weights[last];
        }
        let before = |position: usize| prefixes[position.min(self.digits)].first;
        before(first) + number + (before(self.digits) - before(last + 1)) + u64::from(to)
    }
}

impl<R: Representation> PerfectIndex<R::Key> for Ranking<R> {
    fn size(&self) -> u64 {
        self.size
    }

    fn rank(&self, key: &R::Key) -> Option<u64> {
        let (mut number, mut odd) = (u64::from(R::blank(key)), false);
        let mut left: u32 = (1 << self.tiles()) - 1;
        let order = R::tiles(key, self.neighbors.len()).filter(|&tile| tile != 0);
        for (tile, weight) in order.zip(self.weights) {
            let bit = 1 << (tile - 1);
            let digit = (left & (bit - 1)).count_ones();
            number += u64::from(digit) * weight;
            odd ^= digit % 2 == 1;
            left ^= bit;
        }
        let fits = self.odd.as_ref().is_none_or(|parities| parities[R::blank(key) as usize] == odd);
        fits.then_some(number)
    }

    fn unrank(&self, index: u64) -> R::Key {
        let mut order = Order::default();
        let blank = self.decode(&mut order, index);
        let mut tiles: Vec<Tile> = order.tiles[..self.tiles()].iter().map(|tile| tile.trailing_zeros() + 1).collect();
        tiles.insert(blank as usize, 0);
        R::pack(&tiles)
    }

    fn neighbors(&self, of: impl Iterator<Item = u64>, mut neighbor: impl FnMut(u64)) {
        let mut order = Order::default();
        of.for_each(|index| {
            let blank = self.decode(&mut order, index);
            for &to in &self.neighbors[blank as usize] {
                neighbor(self.slide(&order, blank, to));
            }
        });
    }
}

/// By cell of the blank, whether the order of the tiles is odd; none, if it may be either.
fn parities(neighbors: &[Vec<Cell>], board: &Board) -> Option<Vec<bool>> {
    let order: Vec<Tile> = board.start.iter().copied().filter(|&tile| tile != 0).collect();
    let inversions = |(at, tile): (usize, &Tile)| order[at..].iter().filter(|&behind| behind < tile).count();
    let mut parities = vec![None; neighbors.len()];
    parities[board.blank() as usize] = Some(order.iter().enumerate().map(inversions).sum::<usize>() % 2 == 1);
    let mut reached = vec![board.blank()];
    while let Some(from) = reached.pop() {
        for &to in &neighbors[from as usize] {
            // The tile passes all that stand between.
            let parity = parities[from as usize].map(|odd| odd ^ (from.abs_diff(to) % 2 == 0));
            if parities[to as usize].is_none() {
                parities[to as usize] = parity;
                reached.push(to);
            } else if parities[to as usize] != parity {
                return None;
            }
        }
    }
    parities.into_iter().collect()
}

fn lowest(set: u32) -> u32 {
    set & set.wrapping_neg()
}

fn factorial(of: usize) -> u64 {
    (1..=of as u64).product()
}
