//! Drawings: multi-line strings of a puzzle file, cut into rows of cells that know where in the file they stand.
//!
//! The rules are the same for all domains: line ends may be CRLF, blank lines at the start and the end say nothing,
//! every row is as wide as the first. What a cell is (a character, or a word between spaces) and what it means is
//! the domain's business.

use crate::diagnostic::Diagnostic;
use std::ops::Range;
use toml::Spanned;

/// One cell: what is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// What is written there.
    pub text: &'a str,
    /// The bytes of the file that say so.
    pub span: Range<usize>,
}

/// A rectangle of cells, at least one row of at least one.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    rows: Vec<Vec<Cell<'a>>>,
}

impl<'a> Drawing<'a> {
    /// Reads a drawing in which every character is a cell.
    ///
    /// # Errors
    /// Every row of another width than the first, and every white space inside a row, each at its place.
    pub fn of_characters(text: &'a Spanned<String>, source: &str) -> Result<Drawing<'a>, Vec<Diagnostic>> {
        Drawing::read(text, source, "cells", |line| {
            line.char_indices().map(|(at, c)| (at, &line[at..at + c.len_utf8()])).collect()
        })
        .and_then(|drawing| {
            let blank = |cell: &&Cell| cell.text.chars().all(char::is_whitespace);
            let errors: Vec<Diagnostic> = drawing.rows.iter().flatten().filter(blank).map(white_space).collect();
            if errors.is_empty() { Ok(drawing) } else { Err(errors) }
        })
    }

    /// Reads a drawing in which every word between spaces is a cell.
    ///
    /// # Errors
    /// Every row of another width than the first, at its place.
    pub fn of_words(text: &'a Spanned<String>, source: &str) -> Result<Drawing<'a>, Vec<Diagnostic>> {
        Drawing::read(text, source, "entries", |line| {
            let start = line.as_ptr() as usize;
            line.split_whitespace().map(|word| (word.as_ptr() as usize - start, word)).collect()
        })
    }

    fn read(
        text: &'a Spanned<String>,
        source: &str,
        unit: &str,
        cut: impl Fn(&'a str) -> Vec<(usize, &'a str)>,
    ) -> Result<Drawing<'a>, Vec<Diagnostic>> {
        let places = Places::of(text, source);
        let value: &'a str = text.get_ref();
        let lines: Vec<&'a str> = value.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let is_drawn = |line: &&str| !line.trim().is_empty();
        let (Some(first), Some(last)) = (lines.iter().position(is_drawn), lines.iter().rposition(is_drawn)) else {
            return Err(vec![Diagnostic::at(text.span(), "the drawing is empty").label("no row is drawn here")]);
        };
        let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(last - first + 1);
        let mut errors = Vec::new();
        for line in &lines[first..=last] {
            let start = line.as_ptr() as usize - value.as_ptr() as usize;
            let cell =
                |(at, text): (usize, &'a str)| Cell { text, span: places.span(start + at..start + at + text.len()) };
            let row: Vec<Cell> = cut(line).into_iter().map(cell).collect();
            let width = rows.first().map_or(row.len(), Vec::len);
            if row.len() != width {
                let span = places.span(start..start + line.len());
                errors.push(
                    Diagnostic::at(span, format!("row {} of the drawing has {} {unit}", rows.len(), row.len()))
                        .label(format!("{width} {unit}, as in the first row, would be right")),
                );
            }
            rows.push(row);
        }
        if errors.is_empty() { Ok(Drawing { rows }) } else { Err(errors) }
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The number of cells in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// The cells with their row and column, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, &Cell<'a>)> {
        self.rows.iter().enumerate().flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, cell)))
    }
}

fn white_space(cell: &Cell) -> Diagnostic {
    Diagnostic::at(cell.span.clone(), "white space inside a drawing")
        .label("white space is never a piece; `.` is an empty cell")
}

/// Where in the file each byte of a string's value stands: escapes make the two differ.
struct Places {
    /// By byte of the value, and one more for its end; empty where the text could not be followed.
    at: Vec<usize>,
    whole: Range<usize>,
}

impl Places {
    fn of(text: &Spanned<String>, source: &str) -> Places {
        let whole = text.span();
        let at = source.get(whole.clone()).and_then(|raw| follow(raw, text.get_ref(), whole.start)).unwrap_or_default();
        Places { at, whole }
    }

    fn span(&self, value: Range<usize>) -> Range<usize> {
        match (self.at.get(value.start), self.at.get(value.end)) {
            (Some(&start), Some(&end)) => start..end,
            _ => self.whole.clone(),
        }
    }
}

/// Follows a TOML string, quotes and all, along its value.
fn follow(raw: &str, value: &str, offset: usize) -> Option<Vec<usize>> {
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| raw.starts_with(quotes))?;
    let mut at = quotes.len();
    if quotes.len() == 3 {
        let rest = &raw[at..];
        at += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    }
    let mut places = Vec::with_capacity(value.len() + 1);
    for c in value.chars() {
        let mut rest = raw.get(at..)?;
        if quotes.starts_with('"') {
            // A backslash at the end of a line swallows the white space that follows.
            while let Some(after) =
                rest.strip_prefix('\\').filter(|after| after.trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
            {
                rest = after.trim_start();
            }
        }
        at = raw.len() - rest.len();
        let length = match rest.strip_prefix('\\').filter(|_| quotes.starts_with('"')) {
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
        places.extend(std::iter::repeat_n(offset + at, c.len_utf8()));
        at += length;
    }
    places.push(offset + at);
    Some(places)
}
