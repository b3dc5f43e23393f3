//! Which levels are alike: those whose drawings are images of each other under the symmetries of a rectangle, whatever
//! the names of their pieces; and how much others differ.

use crate::editing::{Canvas, CellSymbol};
use std::collections::HashMap;
use std::hash::Hasher;

/// What an empty cell holds.
const EMPTY: u64 = 0;

/// A drawing under the symmetries of a rectangle, without the names of its pieces.
pub(super) struct Images {
    /// The width of each image, and then what each cell holds.
    images: [Vec<u64>; 8],
}

/// A symbol of a drawing.
pub(super) enum Symbol {
    Empty,
    /// The name of a piece, which does not matter: its cells do.
    Name,
    Other,
}

impl Images {
    /// Returns the images of a drawing of one or more sheets of cells of this width. `symbol` returns what a symbol of a
    /// sheet is.
    pub fn of(sheets: &[Vec<u16>], columns: usize, symbol: &dyn Fn(usize, u16) -> Symbol) -> Images {
        let rows = sheets[0].len() / columns;
        let image = |symmetry: usize| {
            let (is_turned, is_left, is_up) = (symmetry & 4 != 0, symmetry & 1 != 0, symmetry & 2 != 0);
            let (height, width) = if is_turned { (columns, rows) } else { (rows, columns) };
            let from = |at: usize| {
                let (row, column) = (at / width, at % width);
                let (row, column) = if is_turned { (column, row) } else { (row, column) };
                let row = if is_up { rows - 1 - row } else { row };
                let column = if is_left { columns - 1 - column } else { column };
                row * columns + column
            };
            let mut image = vec![width as u64];
            for (number, sheet) in sheets.iter().enumerate() {
                let symbols: Vec<u16> = (0..height * width).map(|at| sheet[from(at)]).collect();
                let mut pieces: HashMap<u16, Vec<usize>> = HashMap::new();
                for (at, symbol) in symbols.iter().enumerate() {
                    pieces.entry(*symbol).or_default().push(at);
                }
                image.extend(symbols.iter().enumerate().map(|(at, &held)| match symbol(number, held) {
                    Symbol::Empty => EMPTY,
                    Symbol::Name => around(at, &pieces[&held]),
                    Symbol::Other => 1 + u64::from(held),
                }));
            }
            image
        };
        Images { images: std::array::from_fn(image) }
    }

    /// Returns the images of a canvas with these symbols.
    pub fn of_canvas(canvas: &Canvas, cells: &[Vec<u16>]) -> Images {
        let empty: Vec<Option<u16>> =
            canvas.drawings().map(|drawn| drawn.empty().map(|symbol| symbol as u16)).collect();
        Images::of(cells, canvas.columns(), &|sheet, symbol| match sheet {
            _ if empty[sheet] == Some(symbol) => Symbol::Empty,
            0 if canvas.is_block(CellSymbol { sheet, symbol: symbol.into() }) => Symbol::Name,
            _ => Symbol::Other,
        })
    }

    /// Returns a key that is equal for drawings that are alike.
    pub fn key(&self) -> u64 {
        self.images.iter().map(|image| hash(image.iter().copied())).min().unwrap_or_default()
    }

    /// Returns in what share of the cells that are not empty in both of two drawings these differ: in the image in which
    /// the share is least.
    pub fn difference(&self, other: &Images) -> f64 {
        let one = &self.images[0];
        let share = |other: &Vec<u64>| {
            let held = one.iter().zip(other).skip(1).filter(|&(&one, &other)| (one, other) != (EMPTY, EMPTY));
            let (mut all, mut differing) = (0_u32, 0_u32);
            for (one, other) in held {
                all += 1;
                differing += u32::from(one != other);
            }
            f64::from(differing) / f64::from(all.max(1))
        };
        let images = other.images.iter().filter(|image| image[0] == one[0] && image.len() == one.len());
        images.map(share).fold(1.0, f64::min)
    }
}

/// Returns a number for the cells of a piece as one of them sees them.
fn around(at: usize, cells: &[usize]) -> u64 {
    // Above all numbers of symbols.
    1 << 32 | hash(cells.iter().map(|&cell| (cell as u64).wrapping_sub(at as u64)))
}

/// Returns a hash of numbers in their order.
pub(super) fn hash(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut hash = rustc_hash::FxHasher::default();
    numbers.for_each(|number| hash.write_u64(number));
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cars(drawing: &str) -> Images {
        let cells = drawing.chars().filter(|cell| *cell != '\n').map(|cell| cell as u16).collect();
        Images::of(&[cells], 4, &|_, cell| match u8::try_from(cell) {
            Ok(b'.') => Symbol::Empty,
            Ok(b'#') => Symbol::Other,
            _ => Symbol::Name,
        })
    }

    #[test]
    fn names_and_mirror_images_make_no_difference() {
        let one = cars("..BC\nAABC\nDDE.\n..E.");
        for same in ["..XY\nAAXY\nZZB.\n..B.", "CB..\nCBAA\n.EDD\n.E..", "..E.\nDDE.\nAABC\n..BC"] {
            assert_eq!(one.key(), cars(same).key(), "{same}");
            assert_eq!(one.difference(&cars(same)).to_bits(), 0.0_f64.to_bits(), "{same}");
        }
    }

    #[test]
    fn one_more_car_is_a_small_difference_although_it_shifts_all_letters() {
        let (one, more) = (cars("...B\nAA.B\nCCD.\n..D."), cars("BB.C\nAA.C\nDDE.\n..E."));
        assert_ne!(one.key(), more.key());
        assert!((one.difference(&more) - 0.2).abs() < 1e-9, "two of ten cells: {}", one.difference(&more));
        // Two cars in a row are not one long car.
        assert!(cars("AABB\n....\n....\n....").difference(&cars("AAAA\n....\n....\n....")) > 0.9);
        assert!(cars("AA..\n....\n....\n....").difference(&cars("....\nAA..\n....\n....")) > 0.9);
    }
}
