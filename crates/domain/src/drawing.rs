//! Drawings: multi-line strings of a puzzle file, split into rows of cells with their places in the file.
//!
//! The rules are the same for all domains: line ends may be CRLF, blank lines at the start and the end are ignored,
//! every row is as wide as the first. The domain chooses the form of a cell (a character, or a word between spaces) and
//! its meaning.

pub mod fences;

use crate::diagnostic::{Diagnostic, MOST_KEPT, keep};
use std::ops::Range;
use toml::Spanned;

/// A cell: its text and its place.
#[derive(Clone)]
pub struct Cell<'a> {
    /// The text of the cell.
    pub text: &'a str,
    /// Its bytes in the value.
    value: Range<usize>,
    source_map: &'a SourceMap,
}

impl Cell<'_> {
    /// Returns its bytes in the file. Only errors need them.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.source_map.span(self.value.clone())
    }
}

/// A rectangle of cells, with at least one row and one column.
pub struct Drawing<'a> {
    value: &'a str,
    whole: Range<usize>,
    source_map: SourceMap,
    /// The byte range of each cell in the value, row by row: compact, because a board may have millions of cells.
    cells: Vec<Range<u32>>,
    width: usize,
}

impl<'a> Drawing<'a> {
    /// Reads a drawing in which every character is a cell.
    ///
    /// # Errors
    /// Reports every row whose width differs from the first, and all white space inside rows, each at its place.
    pub fn of_characters(text: &'a Spanned<String>, source: &str) -> Result<Drawing<'a>, Vec<Diagnostic>> {
        let (drawing, mut errors) = Drawing::read(text, source, |line, start, cells| {
            if line.is_ascii() {
                return cells.extend((start..start + line.len() as u32).map(|at| at..at + 1));
            }
            let ends = |(at, c): (usize, char)| start + at as u32..start + (at + c.len_utf8()) as u32;
            cells.extend(line.char_indices().map(ends));
        })?;
        let value = text.get_ref();
        // Nearly all cells are visible ASCII characters.
        if errors.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic() || matches!(byte, b'\r' | b'\n')) {
            return Ok(drawing);
        }
        // One error for each run of white space.
        let mut runs: Vec<Range<u32>> = Vec::new();
        let is_blank = |cell: &&Range<u32>| value[cell.start as usize..cell.end as usize].trim().is_empty();
        for cell in drawing.cells.iter().filter(is_blank) {
            let kept = runs.len();
            match runs.last_mut() {
                Some(run) if run.end == cell.start => run.end = cell.end,
                _ if kept == MOST_KEPT => break,
                _ => runs.push(cell.clone()),
            }
        }
        errors.extend(runs.iter().map(|run| {
            let behind = value[run.end as usize..].lines().next().unwrap_or_default();
            white_space(&drawing.cell(run), behind.is_empty())
        }));
        if errors.is_empty() { Ok(drawing) } else { Err(errors) }
    }

    /// Reads a drawing in which every word between spaces is a cell.
    ///
    /// # Errors
    /// Reports every row whose width differs from the first, at its place.
    pub fn of_words(text: &'a Spanned<String>, source: &str) -> Result<Drawing<'a>, Vec<Diagnostic>> {
        let (drawing, errors) = Drawing::read(text, source, |line, start, cells| {
            let at = |word: &str| start + (word.as_ptr() as usize - line.as_ptr() as usize) as u32;
            cells.extend(line.split_whitespace().map(|word| at(word)..at(word) + word.len() as u32));
        })?;
        if errors.is_empty() { Ok(drawing) } else { Err(errors) }
    }

    /// Reads a drawing, and reports rows of another width. `cut` appends the cells of a line that starts at a byte.
    fn read(
        text: &'a Spanned<String>,
        source: &str,
        cut: impl Fn(&str, u32, &mut Vec<Range<u32>>),
    ) -> Result<(Drawing<'a>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let value: &'a str = text.get_ref();
        let lines: Vec<&str> = value.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let is_drawn = |line: &&str| !line.trim().is_empty();
        let (Some(first), Some(last)) = (lines.iter().position(is_drawn), lines.iter().rposition(is_drawn)) else {
            return Err(vec![Diagnostic::at(text.span(), "the drawing is empty").label("expected at least one row")]);
        };
        let count = |line: &str| {
            let mut cells = Vec::new();
            cut(line, 0, &mut cells);
            cells.len()
        };
        // White space at the end of a row is an error of its own.
        let width = count(lines[first].trim_end());
        let source_map = SourceMap::of(text, source);
        let mut drawing = Drawing { value, whole: text.span(), source_map, cells: Vec::new(), width };
        let mut errors = Vec::new();
        let mut lines_before = LineCounter::default();
        for (row, line) in lines[first..=last].iter().enumerate() {
            let start = line.as_ptr() as usize - value.as_ptr() as usize;
            let before = drawing.cells.len();
            cut(line, start as u32, &mut drawing.cells);
            let is_trimmed = !line.ends_with(char::is_whitespace);
            let cells = if is_trimmed { drawing.cells.len() - before } else { count(line.trim_end()) };
            if cells != width {
                let span = drawing.source_map.span(start..start + line.len());
                keep(&mut errors, || {
                    let (row, line) = (row + 1, lines_before.line(source, span.start));
                    let message = format!("row {row} of the drawing (line {line}) has {}", counted(cells));
                    Diagnostic::at(span, message).label(format!("expected {}, as in row 1", counted(width)))
                });
            }
        }
        Ok((drawing, errors))
    }

    /// Returns the bytes of the file that hold the drawing.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.whole.clone()
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Returns the number of cells in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the cells with their row and column, row by row.
    // Inlined together with `cell`: otherwise each cell goes through memory, which takes most of reading a large board.
    #[inline]
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, Cell<'_>)> {
        let (mut row, mut column) = (0, 0);
        self.cells.iter().map(move |cell| {
            let at = (row, column, self.cell(cell));
            column += 1;
            if column == self.width {
                (row, column) = (row + 1, 0);
            }
            at
        })
    }

    /// Returns the bytes of the cells in the value, row by row.
    pub fn places(&self) -> impl Iterator<Item = Range<usize>> {
        self.cells.iter().map(|cell| cell.start as usize..cell.end as usize)
    }

    /// Returns the drawing with other texts in some cells, with a line end after the last row; `None` if it lacks one of
    /// the cells.
    #[must_use]
    pub fn with(&self, cells: &[(usize, usize, String)]) -> Option<String> {
        let place = |(row, column, text): &'_ (usize, usize, String)| {
            let index = (*column < self.width).then(|| row.checked_mul(self.width)?.checked_add(*column))??;
            Some((self.cells.get(index)?.clone(), text.clone()))
        };
        let mut places = cells.iter().map(place).collect::<Option<Vec<_>>>()?;
        // From the end, so that the bytes of the other cells stay where they are.
        places.sort_by_key(|(cell, _)| std::cmp::Reverse(cell.start));
        let mut drawn = self.value.to_owned();
        for (cell, text) in places {
            drawn.replace_range(cell.start as usize..cell.end as usize, &text);
        }
        if !drawn.ends_with('\n') {
            drawn.push('\n');
        }
        Some(drawn)
    }

    #[inline]
    fn cell(&self, cell: &Range<u32>) -> Cell<'_> {
        let value = cell.start as usize..cell.end as usize;
        Cell { text: &self.value[value.clone()], value, source_map: &self.source_map }
    }
}

fn white_space(cell: &Cell, is_at_end: bool) -> Diagnostic {
    let (place, fix) = match is_at_end {
        true => ("at the end of a row", "remove it"),
        false => ("inside a drawing", "use `.` for an empty cell"),
    };
    Diagnostic::at(cell.span(), format!("white space {place}")).label(fix)
}

/// Returns a number of cells in words.
fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") }
}

/// Counts the lines before places of a text, from one place to the next.
#[derive(Default)]
struct LineCounter {
    at: usize,
    newlines: usize,
}

impl LineCounter {
    /// Returns the line of a place, from 1; a place is behind the one before.
    fn line(&mut self, source: &str, at: usize) -> usize {
        self.newlines += source.get(self.at..at).map_or(0, |between| between.matches('\n').count());
        self.at = at;
        self.newlines + 1
    }
}

/// A map from the bytes of a string's value to the bytes of the file.
pub enum SourceMap {
    /// The value stands in the file verbatim, from this byte on.
    Verbatim(usize),
    /// For each byte of the value, the file's bytes of its character: escapes make the two differ.
    Mapped(Vec<Range<usize>>),
    /// The map is unknown: every byte maps to the whole string.
    Unknown(Range<usize>),
}

impl SourceMap {
    /// Builds the map for a string of the file.
    #[must_use]
    pub fn of(text: &Spanned<String>, source: &str) -> SourceMap {
        let (whole, value) = (text.span(), text.get_ref());
        let Some((raw, opening)) = source.get(whole.clone()).and_then(|raw| Some((raw, opening(raw)?))) else {
            return SourceMap::Unknown(whole);
        };
        if raw[opening..].starts_with(value.as_str()) {
            return SourceMap::Verbatim(whole.start + opening);
        }
        map_escapes(raw, opening, value, whole.start).map_or(SourceMap::Unknown(whole), SourceMap::Mapped)
    }

    /// Returns the bytes of the file that hold these bytes of the value.
    #[must_use]
    pub fn span(&self, value: Range<usize>) -> Range<usize> {
        match self {
            SourceMap::Verbatim(start) => start + value.start..start + value.end,
            SourceMap::Mapped(at) => match (at.get(value.start), at[..value.end].last()) {
                (Some(first), Some(last)) => first.start..last.end.max(first.start),
                _ => 0..0,
            },
            SourceMap::Unknown(whole) => whole.clone(),
        }
    }
}

/// Returns the length of the quotes that open a TOML string, with the line end that belongs to them.
fn opening(raw: &str) -> Option<usize> {
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| raw.starts_with(quotes))?;
    let line_end = ["\r\n", "\n"].into_iter().find(|end| quotes.len() == 3 && raw[3..].starts_with(end));
    Some(quotes.len() + line_end.map_or(0, str::len))
}

/// Maps each byte of `value` to the file, by reading the TOML string `raw` from byte `at` on.
fn map_escapes(raw: &str, mut at: usize, value: &str, offset: usize) -> Option<Vec<Range<usize>>> {
    let has_escapes = raw.starts_with('"');
    let mut source_map = Vec::with_capacity(value.len());
    for c in value.chars() {
        let mut rest = raw.get(at..)?;
        // A backslash at the end of a line removes the white space that follows.
        while let Some(after) = rest.strip_prefix('\\').filter(|after| has_escapes && ends_line(after)) {
            rest = after.trim_start();
        }
        at = raw.len() - rest.len();
        let length = match rest.strip_prefix('\\').filter(|_| has_escapes) {
            None if rest.starts_with("\r\n") && c == '\n' => 2,
            None if rest.starts_with(c) => c.len_utf8(),
            None => return None,
            Some(escape) => match escape.chars().next()? {
                'x' => 4,
                'u' => 6,
                'U' => 10,
                _ => 2,
            },
        };
        source_map.extend(std::iter::repeat_n(offset + at..offset + at + length, c.len_utf8()));
        at += length;
    }
    Some(source_map)
}

/// Returns whether the rest of a line is white space.
fn ends_line(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct File {
        text: Spanned<String>,
    }

    /// Returns the parts of `source` at the places of the cells of `text = …`.
    fn source_of_cells(source: &str) -> Vec<&str> {
        let file: File = toml::from_str(source).expect("the test's file is TOML");
        let drawing = Drawing::of_characters(&file.text, source).unwrap_or_else(|errors| panic!("{errors:?}"));
        drawing.cells().map(|(_, _, cell)| &source[cell.span()]).collect()
    }

    #[test]
    fn every_cell_has_the_place_where_it_is_written() {
        assert_eq!(source_of_cells("text = \"ab\""), ["a", "b"]);
        assert_eq!(source_of_cells("text = 'ab'"), ["a", "b"]);
        assert_eq!(source_of_cells("text = \"\"\"\nab\ncd\n\"\"\""), ["a", "b", "c", "d"]);
        assert_eq!(source_of_cells("text = '''\r\nab\r\nöd\r\n'''"), ["a", "b", "ö", "d"]);
        assert_eq!(source_of_cells("text = \"\"\"ab\n  \n\n\"\"\""), ["a", "b"], "blank lines at the end are ignored");
    }

    #[test]
    fn every_cell_after_an_escape_has_the_place_where_it_is_written() {
        assert_eq!(source_of_cells(r#"text = "\u0061b\ncd""#), [r"\u0061", "b", "c", "d"]);
        assert_eq!(source_of_cells(r#"text = "a\U0001F600""#), ["a", r"\U0001F600"]);
        assert_eq!(source_of_cells("text = \"\"\"a\\  \n  b\\\\\"\"\""), ["a", "b", "\\\\"], "a line continued");
        assert_eq!(source_of_cells("text = \"a\\\"b\""), ["a", "\\\"", "b"]);
    }

    #[test]
    fn every_row_of_another_width_is_reported() {
        let source = "text = '''\nabc\nab\nabcd\nabc\n'''";
        let file: File = toml::from_str(source).expect("the test's file is TOML");
        let errors = Drawing::of_characters(&file.text, source).err().expect("two rows are wrong");
        let reported: Vec<&str> = errors.iter().filter_map(|error| Some(&source[error.span.clone()?])).collect();
        assert_eq!(reported, ["ab", "abcd"]);
    }
}
