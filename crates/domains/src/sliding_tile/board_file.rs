//! Plain board files: a line with the size, N or `rows columns`, then the numbers, row by row.
//!
//! A file is read as a stream, word by word, so that a board takes only four bytes for each cell, whatever the file's
//! size.

use super::listing::{Listing, number, wrong_size};
use crate::diagnostic::{Diagnostic, MOST_SHOWN};
use crate::domain::NamedFile;
use std::io::{self, BufRead, BufReader};

/// The greatest length of a word in bytes; no number of a board is longer.
const MAX_WORD: usize = 40;

/// The error of a board file.
pub(super) enum Wrong {
    /// Its mistakes, each with file, line and column.
    Mistakes(Vec<String>),
    /// It does not fit into the memory.
    TooLarge(Diagnostic),
}

impl From<Vec<String>> for Wrong {
    fn from(mistakes: Vec<String>) -> Wrong {
        Wrong::Mistakes(mistakes)
    }
}

/// Reads the board in a file. `declare` reserves memory for its cells.
///
/// # Errors
/// Reports its mistakes; reading ends after as many as are shown. Or it does not fit into the memory.
pub(super) fn read(opened: NamedFile, declare: impl FnOnce(u64) -> Result<(), Diagnostic>) -> Result<Listing, Wrong> {
    let NamedFile { file, name, bytes, .. } = opened;
    let failed = |error: io::Error| vec![format!("{name} cannot be read: {error}")];
    let mut words = Words::new(BufReader::with_capacity(1 << 16, file));
    let at = |(line, column): (u64, u64), message: &str| format!("{name}:{line}:{column}: {message}");

    let Some(place) = words.next().map_err(failed)? else {
        return Err(vec![format!("{name} is empty: expected the size of the board, `N` or `ROWS COLUMNS`")].into());
    };
    let side = |word: &str, place| {
        let message = || at(place, &format!("invalid size `{word}`: a board file starts with `N` or `ROWS COLUMNS`"));
        number(word).ok_or_else(|| vec![message()])
    };
    let rows = side(&words.word, place)?;
    let mut next = words.next().map_err(failed)?;
    let mut columns = rows;
    if let Some(second) = next.filter(|second| second.0 == place.0) {
        columns = side(&words.word, second)?;
        next = words.next().map_err(failed)?;
        if let Some(third) = next.filter(|third| third.0 == place.0) {
            let message = "unexpected third number: the first line has only the size, `N` or `ROWS COLUMNS`";
            return Err(vec![at(third, message)].into());
        }
    }
    if let Some(message) = wrong_size(rows, columns) {
        return Err(vec![at(place, &message)].into());
    }

    let cells = rows * columns;
    // A small file that claims a large size gets no memory for it: a tile takes at least two bytes of text.
    let capacity = cells.min(bytes / 2 + 1);
    declare(capacity).map_err(Wrong::TooLarge)?;
    let mut board = Listing::new(rows as u32, columns as u32, capacity as usize);
    let mut errors = Vec::new();
    let mut read = 0;
    while let Some(place) = next {
        if read == cells {
            errors.push(at(place, &format!("too many numbers: expected {cells} for {rows}x{columns} cells")));
            break;
        }
        read += 1;
        if let Err(wrong) = board.add(&words.word) {
            let label = if wrong.label.is_empty() { String::new() } else { format!("; {}", wrong.label) };
            errors.push(at(place, &format!("{}{label}", wrong.message)));
            if errors.len() == MOST_SHOWN {
                return Err(errors.into());
            }
        }
        next = words.next().map_err(failed)?;
    }
    if read < cells {
        errors.push(at(
            words.place,
            &format!("the file ends after {read} numbers: expected {cells} for {rows}x{columns} cells"),
        ));
    }
    match (errors.first_mut(), board.missing()) {
        (None, _) => return Ok(board),
        (Some(first), Some(missing)) => *first += &format!("; {missing}"),
        (Some(_), None) => {}
    }
    Err(errors.into())
}

/// A reader of the words of a stream, with their places.
struct Words<R> {
    input: R,
    /// The line and column of the next byte, counted from 1.
    place: (u64, u64),
    /// The last word, or the beginning of an overlong word.
    word: String,
}

impl<R: BufRead> Words<R> {
    fn new(input: R) -> Words<R> {
        Words { input, place: (1, 1), word: String::new() }
    }

    /// Reads the next word, and returns its line and column, or `None` at the end.
    fn next(&mut self) -> io::Result<Option<(u64, u64)>> {
        self.word.clear();
        let mut start = None;
        loop {
            let bytes = self.input.fill_buf()?;
            let mut used = 0;
            for &byte in bytes {
                if byte.is_ascii_whitespace() || self.word.len() >= MAX_WORD {
                    if start.is_some() {
                        self.input.consume(used);
                        return Ok(start);
                    }
                } else {
                    start = start.or(Some(self.place));
                    // Bytes that are not printable ASCII are not part of any number.
                    self.word.push(if byte.is_ascii_graphic() { char::from(byte) } else { '?' });
                }
                used += 1;
                self.place = if byte == b'\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
            }
            if used == 0 {
                return Ok(start);
            }
            self.input.consume(used);
        }
    }
}
