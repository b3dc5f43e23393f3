//! Which levels are alike: those whose drawings are images of each other under the symmetries of a rectangle, whatever
//! the names of their pieces.

use std::collections::HashMap;
use std::hash::Hasher;

/// Returns a key that is equal for drawings that are alike. A drawing has one or more sheets of cells of this width;
/// `is_name` returns whether a symbol of the first sheet is the name of a piece, which does not matter.
pub(super) fn key(sheets: &[Vec<u16>], columns: usize, is_name: &dyn Fn(u16) -> bool) -> u64 {
    let rows = sheets[0].len() / columns;
    let image = |symmetry: usize| {
        let (is_turned, is_left, is_up) = (symmetry & 4 != 0, symmetry & 1 != 0, symmetry & 2 != 0);
        let (height, width) = if is_turned { (columns, rows) } else { (rows, columns) };
        let mut hash = rustc_hash::FxHasher::default();
        hash.write_usize(width);
        for (number, sheet) in sheets.iter().enumerate() {
            let mut names = HashMap::new();
            for at in 0..height * width {
                let (row, column) = (at / width, at % width);
                let (row, column) = if is_turned { (column, row) } else { (row, column) };
                let row = if is_up { rows - 1 - row } else { row };
                let column = if is_left { columns - 1 - column } else { column };
                let symbol = sheet[row * columns + column];
                let count = names.len() as u16;
                let is_name = number == 0 && is_name(symbol);
                hash.write_u32(if is_name {
                    1 << 16 | u32::from(*names.entry(symbol).or_insert(count))
                } else {
                    symbol.into()
                });
            }
        }
        hash.finish()
    };
    (0..8).map(image).min().unwrap_or_default()
}
