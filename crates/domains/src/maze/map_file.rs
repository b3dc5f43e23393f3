//! Maps in the format of the Moving AI Lab (Sturtevant, Benchmarks for grid-based pathfinding, 2012): four lines of
//! header, then a character for each cell.
//!
//! A file is read line by line, so that a map takes a byte a cell, however long its text is; and no line is held whole
//! that is longer than it should be.

use super::map::{Map, wrong_size};
use crate::domain::NamedFile;
use std::io::{self, BufRead, BufReader, Read};

/// What such a file is called.
pub(super) const A_MAP_FILE: &str = "a map file";

/// The beginning of each map.
pub(super) const TYPE: &str = "type octile";

/// More of a line of the header is not read.
const MAX_HEADER: usize = 80;

/// Reads the map in a file: `.`, `G` and `S` can be entered, all else is a wall.
///
/// # Errors
/// The first thing that is wrong with it, with file, line and column.
pub(super) fn read(opened: NamedFile) -> Result<Map, String> {
    let NamedFile { file, name, bytes } = opened;
    read_from(BufReader::with_capacity(1 << 16, file), bytes, &name)
}

/// The same of a text that is called `name`, and said to have about so many bytes.
pub(super) fn read_from(input: impl BufRead, bytes: u64, name: &str) -> Result<Map, String> {
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
            // So many digits that the size is told to be too large below.
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

    // A small file that claims a large size gets no room for it.
    let room = rows.min(bytes / columns + 1);
    let mut map = Map::new(columns as u32, room as u32);
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
        map.add(cells.iter().map(|cell| u8::from(b".GS".contains(cell))));
    }
    while lines.next(1)? {
        if !lines.words().is_empty() {
            return Err(lines.wrong(1, format!("unexpected text after row {rows}, the last of the map")));
        }
    }
    Ok(map.close())
}

/// The lines of a file, one after the other.
struct Lines<'a, R> {
    input: R,
    name: &'a str,
    /// That of the current line, from 1.
    number: u64,
    /// Its bytes, with its end; of a long line, the beginning.
    line: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads the next line, of which no more than this many bytes, and a line end, are kept; false at the end.
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

    /// The current line without its end.
    fn cells(&self) -> &[u8] {
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Its words; of what is no text, one that is none of the header's.
    fn words(&self) -> Vec<&str> {
        std::str::from_utf8(self.cells()).map_or(vec!["?"], |line| line.split_whitespace().collect())
    }

    /// The current line as it may be shown.
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
        read_from(text, text.len() as u64, "m.map")
    }

    #[test]
    fn maps_are_read_whatever_their_line_ends() {
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
    fn what_is_wrong_is_told_with_its_place() {
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
            assert!(error.contains(why), "`{why}` is not said but: {error}");
        }
        assert!(read(&[0xff; 100_000]).is_err() && read(&[b'\n'; 1000]).is_err());
        let endless = std::io::Read::take(std::io::repeat(b'.'), 1 << 20);
        assert!(read_from(BufReader::new(endless), 0, "m.map").is_err());
    }
}
