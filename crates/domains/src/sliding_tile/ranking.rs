//! A perfect index of all reachable boards.
//!
//! Without the blank, the tiles form an order, cell by cell. A board is the cell of the blank and this order, and both
//! make up its rank. A move of the blank from one cell to another moves one tile past all tiles between the two: past
//! none horizontally, past one less than a row vertically, and past others across joined edges. It rotates a segment of
//! the order by one, and all digits of the rank outside of the segment stay. A move past no tile keeps the order, so it
//! adds the same to the rank of all boards with the blank on this cell: it is a [`Shift`].
//!
//! An order is ranked by its Lehmer code (Lehmer 1960): for each tile, the number of smaller tiles after it, as a digit
//! in the factorial number system. If the cells can be coloured like a chessboard, the cell of the blank determines the
//! parity of the order. Then the last digit, 0 or 1, follows from all others and is omitted, which halves the rank.

use super::board::{Cell, Tile, TileBoard};
use super::representation::Representation;
use super::solvability::Invariant;
use crate::space::{PerfectIndex, Shift};
use std::marker::PhantomData;

/// The greatest number of cells of a ranked board: 16! is less than 2^64.
const MOST_CELLS: usize = 16;
/// The number of digits at the end of an order that are looked up: 6! endings fit into the first-level cache.
const ENDING: usize = 6;

/// A ranking of the boards reachable from one.
pub(super) struct Ranking<R> {
    size: u64,
    /// The number of orders for each cell of the blank.
    orders: u64,
    /// The neighbours of each cell.
    neighbors: Vec<Vec<Cell>>,
    /// The neighbours that no shift leads to.
    unshifted: Vec<Vec<Cell>>,
    shifts: Vec<Shift>,
    /// The weight of each position's digit in the rank; 0 for an omitted digit.
    weights: [u64; MOST_CELLS],
    /// The last digits of all orders with the same first digits.
    endings: Vec<Ending>,
    /// For each cell of the blank, whether the order is odd; `None` if both parities occur.
    odd: Option<Vec<bool>>,
    representation: PhantomData<fn() -> R>,
}

/// The last digits of an order.
#[derive(Clone, Copy)]
struct Ending {
    digits: [u8; ENDING],
    /// True if the sum of the digits is odd.
    odd: bool,
}

/// A board as its digits. The default has rank 0, except for its ending.
#[derive(Default)]
struct Decoded {
    index: u64,
    blank: Cell,
    /// The digits by position.
    digits: [u8; MOST_CELLS],
    /// The rank of the first board that differs only in the ending.
    first: u64,
    /// True if the sum of the digits before the ending is odd.
    odd: bool,
}

impl<R: Representation> Ranking<R> {
    /// Returns the ranking of all boards reachable from the start. Returns `None` if there are too many cells, or if
    /// they form a path or a ring in a single row, where tiles cannot pass each other.
    pub fn new(board: &TileBoard) -> Option<Ranking<R>> {
        let cells = board.start.len();
        if cells > MOST_CELLS {
            return None;
        }
        let odd = match board.invariant() {
            Invariant::Parity => Some(parities(board)),
            Invariant::Nothing => None,
            Invariant::Order | Invariant::CyclicOrder => return None,
        };
        let tiles = cells - 1;
        let (digits, halved) = if odd.is_some() { (tiles - 2, 2) } else { (tiles, 1) };
        let mut weights = [0; MOST_CELLS];
        for (position, weight) in weights[..digits].iter_mut().enumerate() {
            *weight = factorial(tiles - 1 - position) / halved;
        }
        let orders = factorial(tiles) / halved;
        // A search makes a shift for whole words of 64 states.
        let shifts = |cell: Cell, to: Cell| cell.abs_diff(to) == 1 && orders.is_multiple_of(64);
        let neighbors: Vec<Vec<Cell>> = (0..cells as Cell).map(|cell| board.neighbors(cell).collect()).collect();
        let (mut unshifted, mut shifted) = (vec![Vec::new(); cells], Vec::new());
        for cell in 0..cells as Cell {
            for to in board.neighbors(cell) {
                if shifts(cell, to) {
                    let (first, by) = (u64::from(cell) * orders, (i64::from(to) - i64::from(cell)) * orders as i64);
                    shifted.push(Shift { states: first..first + orders, by });
                } else {
                    unshifted[cell as usize].push(to);
                }
            }
        }
        let start = tiles.saturating_sub(ENDING);
        let endings = (0..factorial(tiles - start) / halved).map(|number| {
            let mut ending = Ending { digits: [0; ENDING], odd: false };
            ending.odd = write_digits(number, &weights[start..digits], &mut ending.digits);
            ending
        });
        Some(Ranking {
            size: orders * cells as u64,
            orders,
            endings: endings.collect(),
            neighbors,
            unshifted,
            shifts: shifted,
            weights,
            odd,
            representation: PhantomData,
        })
    }

    fn tiles(&self) -> usize {
        self.neighbors.len() - 1
    }

    /// Returns the position where the ending begins.
    fn before_ending(&self) -> usize {
        self.tiles().saturating_sub(ENDING)
    }

    /// Changes a board to that of another rank; fast if they differ only in the ending.
    #[inline]
    fn decode(&self, board: &mut Decoded, index: u64) {
        board.index = index;
        let start = self.before_ending();
        // For an index below `first`, the difference wraps to a number that is greater than any length.
        if index.wrapping_sub(board.first) >= self.endings.len() as u64 {
            board.blank = (index / self.orders) as Cell;
            let order = index % self.orders;
            board.odd = write_digits(order, &self.weights[..start], &mut board.digits);
            board.first = index - order % self.endings.len() as u64;
        }
        let ending = &self.endings[(index - board.first) as usize];
        board.digits[start..start + ENDING].copy_from_slice(&ending.digits);
        if let Some(parities) = &self.odd {
            let implied = parities[board.blank as usize] ^ board.odd ^ ending.odd;
            board.digits[self.tiles() - 2] = u8::from(implied);
        }
    }

    /// Returns the rank of a board after its blank has moved to another cell.
    ///
    /// The digits suffice: a tile is larger than another one after it exactly if its digit exceeds the number of tiles
    /// after it that are smaller than the other.
    #[inline]
    fn slide(&self, board: &Decoded, to: Cell) -> u64 {
        let Decoded { index, blank, ref digits, .. } = *board;
        let (first, last) = (to.min(blank) as usize, to.max(blank) as usize - 1);
        let digit = |position: usize| i64::from(digits[position]);
        let weighted = |digit: i64, position: usize| digit * self.weights[position] as i64;
        let mut change = (i64::from(to) - i64::from(blank)) * self.orders as i64;
        // The digit of a passed tile changes if the tile is larger than the moved one. The digit of the moved tile
        // changes by the number of passed tiles that are smaller.
        if to > blank {
            let mut own = digit(last);
            change -= weighted(own, last);
            for position in (first..last).rev() {
                let larger = i64::from(digit(position) > own);
                change += weighted(digit(position) - larger, position + 1) - weighted(digit(position), position);
                own += 1 - larger;
            }
            change += weighted(own, first);
        } else {
            let mut own = digit(first);
            change -= weighted(own, first);
            for position in first + 1..=last {
                let larger = i64::from(digit(position) >= own);
                change += weighted(digit(position) + larger, position - 1) - weighted(digit(position), position);
                own -= 1 - larger;
            }
            change += weighted(own, last);
        }
        index.wrapping_add_signed(change)
    }

    /// Appends the ranks of some boards after their blank has moved to each of the cells listed for its own.
    fn slide_all(&self, of: &[u64], cells: &[Vec<Cell>], slid: &mut Vec<u64>) {
        let mut board = Decoded::default();
        for &index in of {
            self.decode(&mut board, index);
            slid.extend(cells[board.blank as usize].iter().map(|&to| self.slide(&board, to)));
        }
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
        self.slide_all(of, &self.neighbors, neighbors);
    }

    fn neighbors_except_shifts(&self, of: &[u64], neighbors: &mut Vec<u64>) {
        self.slide_all(of, &self.unshifted, neighbors);
    }

    fn shifts(&self) -> Vec<Shift> {
        self.shifts.clone()
    }
}

/// Returns for each cell of the blank whether the order of the tiles is odd. The parity changes with the colour of the
/// cell, as on a chessboard, and with the number of passed tiles, one less than the number of cells from here to there.
fn parities(board: &TileBoard) -> Vec<bool> {
    let order: Vec<Tile> = board.start.iter().copied().filter(|&tile| tile != 0).collect();
    let smaller_behind = |at: usize| order[at..].iter().filter(|&&tile| tile < order[at]).count();
    let inversions: usize = (0..order.len()).map(smaller_behind).sum();
    let side = |cell: Cell| (cell + cell / board.columns + cell % board.columns) % 2 == 1;
    let parity = |cell: Cell| (inversions % 2 == 1) ^ side(cell) ^ side(board.blank());
    (0..board.cells()).map(parity).collect()
}

/// Writes the digits of a number with these weights, and returns whether their sum is odd.
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
