//! Maps in the format of the Moving AI Lab (Sturtevant, Benchmarks for grid-based pathfinding, 2012): four header
//! lines, then a character for each cell.
//!
//! A file is read line by line, so that a map takes one byte for each cell, whatever the file's size. Only the
//! beginning of an overlong line is stored.

use super::legend::{Legend, OTHER};
use super::map::{Map, wrong_size};
use crate::domain::NamedFile;
use std::io::{self, BufRead, BufReader, Read};

/// The name of this kind of file in messages.
pub(super) const A_MAP_FILE: &str = "a map file";

/// The first line of every map.
pub(super) const TYPE: &str = "type octile";

/// The greatest length of a header line that is read, in bytes.
const MAX_HEADER: usize = 80;

/// Reads the map in a file: the characters `.`, `G` and `S` are open cells of cost 1, those that the legend adds are
/// what it says, all others are walls.
///
/// # Errors
/// Reports the first mistake, with file, line and column.
pub(super) fn read(opened: NamedFile, legend: &Legend) -> Result<Map, String> {
    let NamedFile { file, name, bytes, .. } = opened;
    read_from(BufReader::with_capacity(1 << 16, file), bytes, &name, legend)
}

/// Reads a map from a text, which messages call `name`. `bytes` is its approximate size.
pub(super) fn read_from(input: impl BufRead, bytes: u64, name: &str, legend: &Legend) -> Result<Map, String> {
    let mut lines = Lines { input, name, number: 0, line: Vec::new(), ended: false };
    if !lines.next(MAX_HEADER)? {
        return Err(format!("{name} is empty: expected `{TYPE}` on its first line"));
    }
    if lines.words() != TYPE.split(' ').collect::<Vec<_>>() {
        return Err(lines.wrong(1, format!("expected `{TYPE}`, found `{}`", lines.shown())));
    }
    let (mut rows, mut columns) = (None, None);
    while rows.is_none() || columns.is_none() {
        let missing = if rows.is_none() { "height" } else { "width" };
        if !lines.next(MAX_HEADER)? {
            return Err(lines.wrong(1, format!("the file ends before its `{missing}`")));
        }
        let (side, number) = match lines.words()[..] {
            ["height", number] if rows.is_none() => (&mut rows, number),
            ["width", number] if columns.is_none() => (&mut columns, number),
            _ => {
                let message = format!("expected `{missing} N`, found `{}`", lines.shown());
                return Err(lines.wrong(1, message));
            }
        };
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        match number.parse::<u64>() {
            Ok(read) => *side = Some(read),
            // The number has too many digits, so the check below reports that the size is too large.
            Err(_) if digits => *side = Some(u64::MAX),
            Err(_) => return Err(lines.wrong(1, format!("invalid {missing} `{number}`: expected a whole number"))),
        }
    }
    let (rows, columns) = (rows.unwrap_or(0), columns.unwrap_or(0));
    if let Some(message) = wrong_size(rows, columns) {
        return Err(lines.wrong(1, message));
    }
    if !lines.next(MAX_HEADER)? || lines.words() != ["map"] {
        return Err(lines.wrong(1, "expected the line `map` before the rows".to_owned()));
    }

    // A small file that claims a large size gets no memory for it.
    let capacity = rows.min(bytes / columns + 1);
    let mut map = Map::new(columns as u32, capacity as u32);
    map.kinds.clone_from(&legend.kinds);
    let mut numbers = legend.numbers;
    numbers.iter_mut().filter(|number| **number == OTHER).for_each(|number| *number = 0);
    (b'1'..=b'9').for_each(|digit| numbers[usize::from(digit)] = 0);
    b".GS".iter().for_each(|&open| numbers[usize::from(open)] = 1);
    for row in 0..rows {
        if !lines.next(columns as usize + 1)? {
            return Err(lines.wrong(1, format!("the file ends after {row} of its {rows} rows")));
        }
        let cells = lines.cells();
        if cells.len() as u64 != columns {
            let (more, has) = (cells.len() as u64 > columns, cells.len());
            let has = if more { format!("more than {columns}") } else { format!("{has}") };
            let column = cells.len().min(columns as usize) + 1;
            return Err(lines.wrong(column, format!("row {} of the map has {has} cells: expected {columns}", row + 1)));
        }
        map.add(cells.iter().map(|&cell| numbers[usize::from(cell)]));
    }
    while lines.next(1)? {
        if !lines.words().is_empty() {
            return Err(lines.wrong(1, format!("unexpected text after row {rows}, the last of the map")));
        }
    }
    Ok(map.close())
}

/// A reader of the lines of a file.
struct Lines<'a, R> {
    input: R,
    name: &'a str,
    /// The number of the current line, from 1.
    number: u64,
    /// The bytes of the line with its line end, or the beginning of an overlong line.
    line: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads the next line, and stores at most `most` bytes of it and a line end. Returns false at the end.
    fn next(&mut self, most: usize) -> Result<bool, String> {
        self.line.clear();
        if self.ended {
            return Ok(false);
        }
        let failed = |name: &str, error: io::Error| format!("{name} cannot be read: {error}");
        let most = most as u64 + 2;
        let read = (&mut self.input).take(most).read_until(b'\n', &mut self.line);
        read.map_err(|error| failed(self.name, error))?;
        self.ended = self.line.is_empty();
        self.number += 1;
        Ok(!self.ended)
    }

    /// Returns the current line without its line end.
    fn cells(&self) -> &[u8] {
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Returns the words of the line. For a line that is not UTF-8, returns a word that occurs in no header.
    fn words(&self) -> Vec<&str> {
        std::str::from_utf8(self.cells()).map_or(vec!["?"], |line| line.split_whitespace().collect())
    }

    /// Returns the current line, shortened for messages.
    fn shown(&self) -> String {
        let line: String = String::from_utf8_lossy(self.cells()).chars().take(40).collect();
        if line.len() < self.cells().len() { line + "…" } else { line }
    }

    fn wrong(&self, column: usize, message: String) -> String {
        format!("{}:{}:{column}: {message}", self.name, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Map, String> {
        read_from(text, text.len() as u64, "m.map", &Legend::standard())
    }

    #[test]
    fn maps_are_read_with_any_line_ends() {
        for text in [
            "type octile\nheight 2\nwidth 3\nmap\n.G@\nTSW\n",
            "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.G@\r\nTSW\r\n\r\n",
            "type octile\nwidth 3\nheight 2\nmap\n.G@\nTSW",
        ] {
            let map = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((map.rows, map.columns), (2, 3));
            let open = |row, column| map.is_open(map.cell(row, column));
            assert_eq!([open(0, 0), open(0, 1), open(0, 2)], [true, true, false]);
            assert_eq!([open(1, 0), open(1, 1), open(1, 2)], [false, true, false]);
        }
    }

    #[test]
    fn errors_name_their_place() {
        let huge = format!("type octile\nheight 9{}\nwidth 1\nmap\n", "9".repeat(60));
        for (text, why) in [
            ("", "m.map is empty"),
            ("type tile\n", "m.map:1:1: expected `type octile`, found `type tile`"),
            ("type octile\nheight x\n", "m.map:2:1: invalid height `x`"),
            ("type octile\nheight 3\nheight 3\n", "m.map:3:1: expected `width N`, found `height 3`"),
            ("type octile\nheight 3\n", "m.map:3:1: the file ends before its `width`"),
            ("type octile\nheight 0\nwidth 3\nmap\n", "m.map:3:1: invalid size 0x3"),
            ("type octile\nheight 100000\nwidth 100000\nmap\n", "m.map:3:1: a map of 100000x100000 is too large"),
            (&*huge, "is too large"),
            ("type octile\nheight 1\nwidth 3\n...\n", "m.map:4:1: expected the line `map`"),
            ("type octile\nheight 2\nwidth 3\nmap\n...\n..\n", "m.map:6:3: row 2 of the map has 2 cells: expected 3"),
            ("type octile\nheight 2\nwidth 3\nmap\n....\n...\n", "m.map:5:4: row 1 of the map has more than 3 cells"),
            ("type octile\nheight 2\nwidth 3\nmap\n...\n", "m.map:6:1: the file ends after 1 of its 2 rows"),
            ("type octile\nheight 1\nwidth 3\nmap\n...\n...\n", "m.map:6:1: unexpected text after row 1"),
            ("type octile\nheight 32768\nwidth 3000\nmap\n...\n", "m.map:5:4: row 1 of the map has 3 cells"),
        ] {
            let error = read(text.as_bytes()).err().unwrap_or_else(|| panic!("{text} was accepted"));
            assert!(error.contains(why), "expected `{why}`, got: {error}");
        }
        assert!(read(&[0xff; 100_000]).is_err() && read(&[b'\n'; 1000]).is_err());
        let endless = std::io::Read::take(std::io::repeat(b'.'), 1 << 20);
        assert!(read_from(BufReader::new(endless), 0, "m.map", &Legend::standard()).is_err());
    }
}
