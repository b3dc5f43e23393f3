//! A number for every board that can be reached: a perfect index.
//!
//! Leave the blank out, and the tiles stand in an order, cell by cell. A board is the cell of the blank and this order,
//! and so is its number. A move of the blank from one cell to another takes one tile past all that stand between the two:
//! past none to the left or right, past a row less one up or down, on joined edges past others. It turns a run of the
//! order round by one, and all digits of the order's number outside of the run stay.
//!
//! An order is numbered by its Lehmer code (Lehmer 1960): for each tile the number of smaller ones behind it, as digits
//! in the factorial number system. Where the cells can be coloured like a chessboard, the cell of the blank tells
//! whether the order is even. Then the last digit, 0 or 1, follows from all others and is left out: the number is halved.

use super::board::{Board, Cell, Tile};
use super::representation::Representation;
use super::solvability::Invariant;
use crate::space::PerfectIndex;
use std::marker::PhantomData;

/// The most cells of a board that is ranked: 16! is less than 2^64.
const MOST_CELLS: usize = 16;
/// Digits at the end of an order that are looked up: 6! endings fit a processor's nearest cache.
const ENDING: usize = 6;

/// The numbers of the boards that can be reached from one.
pub(super) struct Ranking<R> {
    size: u64,
    /// How many orders there are for each cell of the blank.
    orders: u64,
    /// By cell.
    neighbors: Vec<Vec<Cell>>,
    /// By position in the order, how much one more in its digit adds to the number; 0 where the digit is left out.
    weights: [u64; MOST_CELLS],
    /// The last digits of all orders that have the same before.
    endings: Vec<Ending>,
    /// By cell of the blank, whether the order is odd; none, if it may be either.
    odd: Option<Vec<bool>>,
    representation: PhantomData<fn() -> R>,
}

/// The last digits of an order.
#[derive(Clone, Copy)]
struct Ending {
    digits: [u8; ENDING],
    /// Whether their sum is odd.
    odd: bool,
}

/// A board by its digits; the default is the one of number 0, as far as its ending.
#[derive(Default)]
struct Decoded {
    index: u64,
    blank: Cell,
    /// By position.
    digits: [u8; MOST_CELLS],
    /// The number of the first board that differs in the ending only.
    first: u64,
    /// Whether the sum of the digits before the ending is odd.
    odd: bool,
}

impl<R: Representation> Ranking<R> {
    /// The numbers of all boards that can be reached from the start. None, if there are too many cells, or if they are a
    /// path or a ring in a single row, where tiles cannot pass each other.
    pub fn new(board: &Board) -> Option<Ranking<R>> {
        let cells = board.start.len();
        if cells > MOST_CELLS {
            return None;
        }
        let odd = match board.invariant() {
            Invariant::Parity => Some(parities(board)),
            Invariant::Nothing => None,
            Invariant::Order | Invariant::CyclicOrder => return None,
        };
        let neighbors = (0..cells as Cell).map(|cell| board.neighbors(cell).collect()).collect();
        let tiles = cells - 1;
        let (digits, halved) = if odd.is_some() { (tiles - 2, 2) } else { (tiles, 1) };
        let mut weights = [0; MOST_CELLS];
        for (position, weight) in weights[..digits].iter_mut().enumerate() {
            *weight = factorial(tiles - 1 - position) / halved;
        }
        let orders = factorial(tiles) / halved;
        let begins = tiles.saturating_sub(ENDING);
        let endings = (0..factorial(tiles - begins) / halved).map(|number| {
            let mut ending = Ending { digits: [0; ENDING], odd: false };
            ending.odd = write_digits(number, &weights[begins..digits], &mut ending.digits);
            ending
        });
        Some(Ranking {
            size: orders * cells as u64,
            orders,
            endings: endings.collect(),
            neighbors,
            weights,
            odd,
            representation: PhantomData,
        })
    }

    fn tiles(&self) -> usize {
        self.neighbors.len() - 1
    }

    /// Where the ending begins.
    fn before_ending(&self) -> usize {
        self.tiles().saturating_sub(ENDING)
    }

    /// Takes a board to that of another number; quickly, where they differ in the ending only.
    #[inline]
    fn decode(&self, board: &mut Decoded, index: u64) {
        board.index = index;
        let begins = self.before_ending();
        // A number below the first wraps to one that is no less than any.
        if index.wrapping_sub(board.first) >= self.endings.len() as u64 {
            board.blank = (index / self.orders) as Cell;
            let order = index % self.orders;
            board.odd = write_digits(order, &self.weights[..begins], &mut board.digits);
            board.first = index - order % self.endings.len() as u64;
        }
        let ending = &self.endings[(index - board.first) as usize];
        board.digits[begins..begins + ENDING].copy_from_slice(&ending.digits);
        if let Some(parities) = &self.odd {
            let implied = parities[board.blank as usize] ^ board.odd ^ ending.odd;
            board.digits[self.tiles() - 2] = u8::from(implied);
        }
    }

    /// The number of a board after its blank has gone to another cell.
    ///
    /// Digits are enough for that: a tile is larger than another behind it exactly if its digit is more than the tiles
    /// behind it that are smaller than the other.
    #[inline]
    fn slide(&self, board: &Decoded, to: Cell) -> u64 {
        let Decoded { index, blank, ref digits, .. } = *board;
        let (first, last) = (to.min(blank) as usize, to.max(blank) as usize - 1);
        let digit = |position: usize| i64::from(digits[position]);
        let worth = |digit: i64, position: usize| digit * self.weights[position] as i64;
        let mut change = (i64::from(to) - i64::from(blank)) * self.orders as i64;
        // The digits of those that are passed change by whether they are larger than the tile that moves, and its own by
        // how many of them are smaller.
        if to > blank {
            let mut own = digit(last);
            change -= worth(own, last);
            for position in (first..last).rev() {
                let larger = i64::from(digit(position) > own);
                change += worth(digit(position) - larger, position + 1) - worth(digit(position), position);
                own += 1 - larger;
            }
            change += worth(own, first);
        } else {
            let mut own = digit(first);
            change -= worth(own, first);
            for position in first + 1..=last {
                let larger = i64::from(digit(position) >= own);
                change += worth(digit(position) + larger, position - 1) - worth(digit(position), position);
                own -= 1 - larger;
            }
            change += worth(own, last);
        }
        index.wrapping_add_signed(change)
    }
}

impl<R: Representation> PerfectIndex<R::Key> for Ranking<R> {
    fn size(&self) -> u64 {
        self.size
    }

    fn rank(&self, key: &R::Key) -> Option<u64> {
        let (mut number, mut odd) = (u64::from(R::blank(key)) * self.orders, false);
        let mut left: u32 = (1 << self.tiles()) - 1;
        let order = R::tiles(key, self.neighbors.len() as Cell).filter(|&tile| tile != 0);
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
        let mut board = Decoded::default();
        self.decode(&mut board, index);
        let mut left: Vec<Tile> = (1..=self.tiles() as Tile).collect();
        let mut tiles: Vec<Tile> = board.digits[..left.len()].iter().map(|&digit| left.remove(digit.into())).collect();
        tiles.insert(board.blank as usize, 0);
        R::pack(&tiles)
    }

    fn neighbors(&self, of: &[u64], neighbors: &mut Vec<u64>) {
        let mut board = Decoded::default();
        for &index in of {
            self.decode(&mut board, index);
            neighbors.extend(self.neighbors[board.blank as usize].iter().map(|&to| self.slide(&board, to)));
        }
    }
}

/// By cell of the blank, whether the order of the tiles is odd: it changes with the colour of the cell, as on a
/// chessboard, but for the tiles that are passed, one less than the cells from here to there.
fn parities(board: &Board) -> Vec<bool> {
    let order: Vec<Tile> = board.start.iter().copied().filter(|&tile| tile != 0).collect();
    let smaller_behind = |at: usize| order[at..].iter().filter(|&&tile| tile < order[at]).count();
    let inversions: usize = (0..order.len()).map(smaller_behind).sum();
    let side = |cell: Cell| (cell + cell / board.columns + cell % board.columns) % 2 == 1;
    let parity = |cell: Cell| (inversions % 2 == 1) ^ side(cell) ^ side(board.blank());
    (0..board.cells()).map(parity).collect()
}

/// Writes the digits of a number in which they have these weights; returns whether their sum is odd.
fn write_digits(mut number: u64, weights: &[u64], digits: &mut [u8]) -> bool {
    let mut odd = false;
    for (digit, weight) in digits.iter_mut().zip(weights) {
        *digit = (number / weight) as u8;
        number %= weight;
        odd ^= *digit % 2 == 1;
    }
    odd
}

fn factorial(of: usize) -> u64 {
    (1..=of as u64).product()
}
