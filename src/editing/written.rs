//! The rows of a drawing where they are written: found in any text, valid or not, and written with other cells, so that
//! all else of the text stays.

use super::grid::Grid;
use crate::document::{DeValue, Value};
use std::ops::Range;

/// Rows of cells in a text.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The bytes of the lines with the rows.
    span: Range<usize>,
    /// The bytes of the value in a puzzle file.
    value: Option<Range<usize>>,
    /// Whether the lines stand in the text as they are, between quotes of several lines.
    is_plain: bool,
    /// Whether the cells are words between spaces.
    pub has_words: bool,
    /// Whether spaces are cells: rows may end early.
    pub has_spaces: bool,
    /// The lines without their ends, and the bytes of the cells in each.
    lines: Vec<(String, Vec<Range<usize>>)>,
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
        let mut found = Written::in_lines(lines, has_words, has_spaces)?;
        found.span = start + found.span.start..start + found.span.end;
        Some(Written { value: Some(span), is_plain, ..found })
    }

    /// Finds the rows in some lines of a text of another format.
    pub fn in_text(text: &str, span: Range<usize>, has_spaces: bool) -> Option<Written> {
        let mut found = Written::in_lines(text.get(span.clone())?, Some(false), has_spaces)?;
        found.span = span.start + found.span.start..span.start + found.span.end;
        Some(found)
    }

    fn in_lines(text: &str, has_words: Option<bool>, has_spaces: bool) -> Option<Written> {
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
        Some(Written {
            span: lines[0].0.start..lines[lines.len() - 1].0.end,
            value: None,
            is_plain: true,
            has_words,
            has_spaces,
            lines: lines.iter().map(|(_, line)| ((*line).to_owned(), cells(line))).collect(),
        })
    }

    /// Returns the number of rows, and that of the cells of the longest.
    pub fn size(&self) -> (usize, usize) {
        (self.lines.len(), self.lines.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0))
    }

    /// Returns the texts of all cells; those that are missing at the ends of rows are empty.
    pub fn grid(&self) -> Grid {
        let columns = self.size().1;
        let row = |(line, cells): &(String, Vec<Range<usize>>)| {
            let mut row: Vec<String> = cells.iter().map(|cell| line[cell.clone()].to_owned()).collect();
            row.resize(columns, String::new());
            row
        };
        Grid { columns, texts: self.lines.iter().flat_map(row).collect() }
    }

    /// Returns the bytes of a text that other cells replace, and what takes their place. `empty` stands for cells that are
    /// missing within a row.
    pub fn with(&self, text: &str, grid: &Grid, empty: &str) -> (Range<usize>, String) {
        let width = grid.texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
        let rows: Vec<String> = grid
            .texts
            .chunks(grid.columns.max(1))
            .enumerate()
            .map(|(row, texts)| self.row(row, texts, width, empty))
            .collect();
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let Some(value) = &self.value else { return (self.span.clone(), rows.join(line_end)) };
        let known = self.lines.iter().map(|(line, _)| line.as_str()).collect::<String>();
        // In strings of all kinds, such characters may mean something else.
        let is_plain = self.is_plain && !rows.concat().contains(|c| "'\"\\".contains(c) && !known.contains(c));
        match is_plain {
            true => (self.span.clone(), rows.join(line_end)),
            false if rows.len() == 1 => (value.clone(), Value::Text(rows.concat()).to_toml()),
            false => (value.clone(), Value::Drawing(rows.join("\n") + "\n").to_toml().replace('\n', line_end)),
        }
    }

    /// Returns a row with these cells.
    fn row(&self, row: usize, texts: &[String], width: usize, empty: &str) -> String {
        let known = self.lines.get(row).filter(|(_, cells)| cells.len() == texts.len() || !self.has_words);
        let (line, cells) = known.unwrap_or(&self.lines[row.min(self.lines.len() - 1)]);
        let end = texts.iter().rposition(|text| !text.is_empty()).map_or(0, |last| last + 1);
        let texts: Vec<&str> = texts[..end].iter().map(|text| if text.is_empty() { empty } else { text }).collect();
        if known.is_some() && cells.iter().map(|cell| &line[cell.clone()]).eq(texts.iter().copied()) {
            return line.clone();
        }
        let indent = line.len() - line.trim_start().len();
        if !self.has_words {
            let row = texts.concat();
            return if self.has_spaces { row.trim_end().to_owned() } else { format!("{}{row}", &line[..indent]) };
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
