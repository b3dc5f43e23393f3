//! Boards as text, read tile by tile: detects invalid, repeated and missing tiles.

use super::board::Tile;
use engine_search::bit_set::BitSet;

/// The greatest number of rows, and of columns, of a board.
pub(super) const MAX_SIDE: u32 = 32768;

/// A board that is being read.
pub(super) struct Listing {
    pub rows: u32,
    pub columns: u32,
    /// The valid tiles, by cell.
    pub tiles: Vec<Tile>,
    seen: BitSet<Tile>,
}

/// The message about a wrong tile, and the label at its place.
pub(super) struct Wrong {
    pub message: String,
    pub label: String,
}

impl Listing {
    /// Returns an empty board of up to [`MAX_SIDE`] rows and columns, with memory for `capacity` tiles.
    pub fn new(rows: u32, columns: u32, capacity: usize) -> Listing {
        Listing { rows, columns, tiles: Vec::with_capacity(capacity), seen: BitSet::default() }
    }

    /// Adds the tile of the next cell.
    pub fn add(&mut self, word: &str) -> Result<(), Wrong> {
        let cells = self.rows * self.columns;
        let wrong = |message: String, label: String| Err(Wrong { message, label });
        let Some(tile) = (if word == "." { Some(0) } else { number(word) }) else {
            return wrong(
                format!("invalid tile `{word}`"),
                "expected a whole number, or `0` or `.` for the blank".to_owned(),
            );
        };
        if tile >= u64::from(cells) {
            return match cells {
                1 => wrong(
                    format!("tile {word} is out of range"),
                    "a board of one cell has only the blank, `0` or `.`".to_owned(),
                ),
                _ => wrong(
                    format!("tile {word} is out of range"),
                    format!("the tiles of a {}x{} board are 1 to {}", self.rows, self.columns, cells - 1),
                ),
            };
        }
        self.tiles.push(tile as Tile);
        if !self.seen.insert(tile as Tile) {
            let name = if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") };
            return wrong(format!("{name} appears more than once"), String::new());
        }
        Ok(())
    }

    /// Returns the names of the first missing tiles, if any.
    pub fn missing(&self) -> Option<String> {
        let missing = (0..self.rows * self.columns).filter(|&tile| !self.seen.contains(tile));
        let names: Vec<String> = missing.take(9).map(|tile| tile.to_string()).collect();
        let more = if names.len() > 8 { ", …" } else { "" };
        let blank = if names.first().is_some_and(|first| first == "0") { " (0 is the blank)" } else { "" };
        let names = names[..names.len().min(8)].join(", ");
        (!names.is_empty()).then(|| format!("missing: {names}{more}{blank}"))
    }
}

/// Returns an error message if the size is not allowed.
pub(super) fn wrong_size(rows: u64, columns: u64) -> Option<String> {
    let fits = |side: u64| (1..=u64::from(MAX_SIDE)).contains(&side);
    let message = || format!("invalid size {rows}x{columns}: expected 1 to {MAX_SIDE} rows and columns");
    (!fits(rows) || !fits(columns)).then(message)
}

/// Returns an unsigned number of any length; those that do not fit become the greatest `u64`.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}
