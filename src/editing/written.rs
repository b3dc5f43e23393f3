//! The rows of a drawing where they are written: found in any text, valid or not, and written with other cells, so that
//! all else of the text stays.

use super::grid::Grid;
use crate::document::{DeValue, Value};
use std::ops::Range;

/// Rows of cells in a text.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The bytes of the value in a puzzle file.
    value: Option<Range<usize>>,
    /// Whether the lines stand in the text as they are, between quotes of several lines.
    is_plain: bool,
    /// Whether the cells are words between spaces.
    pub has_words: bool,
    /// Whether spaces are cells: rows may end early.
    pub has_spaces: bool,
    /// The columns of empty floor on the left of all rows.
    left: usize,
    lines: Vec<Line>,
}

/// A row where it is written.
#[derive(Clone, Debug)]
struct Line {
    /// Its bytes in the text.
    span: Range<usize>,
    /// The row without its end, where each cell is one character, or a word.
    row: String,
    /// The bytes of the cells in the row.
    cells: Vec<Range<usize>>,
}

impl Written {
    /// Finds the rows in a string of a puzzle file; `None` if it has none.
    pub fn in_value(
        text: &str,
        span: Range<usize>,
        value: &DeValue,
        has_words: Option<bool>,
        has_spaces: bool,
    ) -> Option<Written> {
        let DeValue::String(value) = value else { return None };
        let raw = text.get(span.clone())?;
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let body = raw.get(quotes..raw.len().checked_sub(quotes)?)?;
        // Escapes may join lines, or stand for the characters of cells.
        let is_plain = quotes == 3 && !(raw.starts_with('"') && body.contains('\\'));
        let lines = if is_plain { body } else { value.as_ref() };
        let start = if is_plain { span.start + quotes } else { span.start };
        let found = Written::in_lines(start, lines, has_words, has_spaces)?;
        Some(Written { value: Some(span), is_plain, ..found })
    }

    /// Finds the rows in some lines of a text of another format.
    pub fn in_text(text: &str, span: Range<usize>) -> Option<Written> {
        Written::in_lines(span.start, text.get(span)?, Some(false), false)
    }

    /// Takes the rows of a board with floor around it; `None` if there are none.
    pub fn of_rows(rows: Vec<(Range<usize>, String)>) -> Option<Written> {
        let floor = |(_, row): &(Range<usize>, String)| row.find(|symbol| !" -_\u{a0}".contains(symbol));
        let columns = |row: &(Range<usize>, String)| floor(row).map(|end| row.1[..end].chars().count());
        let left = rows.iter().filter_map(columns).min()?;
        let line = |(span, row): (Range<usize>, String)| {
            let cells = row.char_indices().skip(left).map(|(at, cell)| at..at + cell.len_utf8()).collect();
            Line { span, row, cells }
        };
        let lines = rows.into_iter().map(line).collect();
        Some(Written { value: None, is_plain: true, has_words: false, has_spaces: true, left, lines })
    }

    /// Finds the rows in lines that begin at a byte.
    fn in_lines(start: usize, text: &str, has_words: Option<bool>, has_spaces: bool) -> Option<Written> {
        let mut at = 0;
        let mut lines: Vec<(Range<usize>, &str)> = Vec::new();
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            lines.push((at..at + content.len(), content));
            at += line.len();
        }
        let is_drawn = |line: &(Range<usize>, &str)| !line.1.trim().is_empty();
        let (first, last) = (lines.iter().position(is_drawn)?, lines.iter().rposition(is_drawn)?);
        let lines = &lines[first..=last];
        let has_words =
            has_words.unwrap_or_else(|| lines.iter().any(|(_, line)| line.trim().contains(char::is_whitespace)));
        let cells = |line: &str| -> Vec<Range<usize>> {
            let place = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
            if has_words {
                return line.split_whitespace().map(|word| place(word)..place(word) + word.len()).collect();
            }
            let row = if has_spaces { line.trim_end() } else { line.trim() };
            let start = if row.is_empty() { 0 } else { place(row) };
            row.char_indices().map(|(at, cell)| start + at..start + at + cell.len_utf8()).collect()
        };
        let line = |(span, row): &(Range<usize>, &str)| Line {
            span: start + span.start..start + span.end,
            row: (*row).to_owned(),
            cells: cells(row),
        };
        let lines = lines.iter().map(line).collect();
        Some(Written { value: None, is_plain: true, has_words, has_spaces, left: 0, lines })
    }

    /// Returns the number of rows, and that of the cells of the longest.
    pub fn size(&self) -> (usize, usize) {
        (self.lines.len(), self.lines.iter().map(|line| line.cells.len()).max().unwrap_or(0))
    }

    /// Returns the texts of all cells; those that are missing at the ends of rows are empty.
    pub fn grid(&self) -> Grid {
        let columns = self.size().1;
        let row = |line: &Line| {
            let mut row: Vec<String> = line.cells.iter().map(|cell| line.row[cell.clone()].to_owned()).collect();
            row.resize(columns, String::new());
            row
        };
        Grid { columns, texts: self.lines.iter().flat_map(row).collect() }
    }

    /// Returns the bytes of a text that other cells replace, and what takes their place: those of each other row, if the number
    /// of rows stays. `empty` stands for cells that are missing within a row.
    pub fn with(&self, text: &str, grid: &Grid, empty: &str) -> Vec<(Range<usize>, String)> {
        let width = grid.texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
        let rows: Vec<String> = grid
            .texts
            .chunks(grid.columns.max(1))
            .enumerate()
            .map(|(row, texts)| self.row(row, texts, width, empty))
            .collect();
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let known = self.lines.iter().map(|line| line.row.as_str()).collect::<String>();
        // In strings of all kinds, such characters may mean something else.
        let is_plain = self.is_plain && !rows.concat().contains(|c| "'\"\\".contains(c) && !known.contains(c));
        if let Some(value) = self.value.as_ref().filter(|_| !is_plain) {
            let drawn = match rows.len() {
                1 => Value::Text(rows.concat()).to_toml(),
                _ => Value::Drawing(rows.join("\n") + "\n").to_toml().replace('\n', line_end),
            };
            return vec![(value.clone(), drawn)];
        }
        if rows.len() == self.lines.len() {
            let is_other = |(line, row): &(&Line, String)| line.row != *row;
            return self.lines.iter().zip(rows).filter(is_other).map(|(line, row)| (line.span.clone(), row)).collect();
        }
        // Rows may end with more than the line.
        let between = self.lines.get(1).and_then(|next| text.get(self.lines[0].span.end..next.span.start));
        let whole = self.lines[0].span.start..self.lines[self.lines.len() - 1].span.end;
        vec![(whole, rows.join(between.unwrap_or(line_end)))]
    }

    /// Returns a row with these cells.
    fn row(&self, row: usize, texts: &[String], width: usize, empty: &str) -> String {
        let known = self.lines.get(row).filter(|line| line.cells.len() == texts.len() || !self.has_words);
        let Line { row: line, cells, .. } = known.unwrap_or(&self.lines[row.min(self.lines.len() - 1)]);
        let end = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
        let texts: Vec<&str> = texts[..end].iter().map(|text| if text.is_empty() { empty } else { text }).collect();
        if known.is_some() && cells.iter().map(|cell| &line[cell.clone()]).eq(texts.iter().copied()) {
            return line.clone();
        }
        let indent = line.len() - line.trim_start().len();
        if !self.has_words {
            let row = texts.concat();
            let floor = || line.chars().chain(std::iter::repeat(' ')).take(self.left).collect::<String>();
            // Rows that were not written cell by cell, such as those with lengths, end at a space.
            let is_encoded = self.lines.iter().any(|one| one.span.len() != one.row.len());
            return match self.has_spaces {
                true if is_encoded => (floor() + &row).trim_end().replace(' ', "-"),
                true => (floor() + &row).trim_end().to_owned(),
                false => format!("{}{row}", &line[..indent]),
            };
        }
        // Words keep the columns in which they end, where there is room.
        let mut out = String::new();
        for (column, text) in texts.iter().enumerate() {
            let least = out.chars().count() + usize::from(column > 0);
            let ends = match known {
                Some(_) => line[..cells[column].end].chars().count(),
                None => indent + (column + 1) * (width + 1) - 1,
            };
            let start = ends.saturating_sub(text.chars().count()).max(least);
            out.extend(std::iter::repeat_n(' ', start - out.chars().count()));
            out += text;
        }
        out
    }
}
