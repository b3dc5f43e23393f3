//! The layout of the places: a drawing of their numbers, with gaps, in which labels replace the numbers.
//!
//! Numbers above each other form a column. In the drawing of a position, all columns are as wide as the widest label,
//! with the gaps between them that the file has.

use super::images::Place;
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::drawing::SourceMap;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The greatest length of a drawing in bytes: it is drawn anew for every position.
const LONGEST: usize = 1 << 16;

/// The word for a gap.
const GAP: &str = ".";

/// A drawing of the places: rows of pairs of a column and a place.
#[derive(Clone, Debug)]
pub(super) struct DrawingLayout {
    rows: Vec<Vec<(usize, Place)>>,
    /// For each column, the number of spaces before it.
    spaces: Vec<usize>,
}

/// A word of the drawing: its range of columns in the row, its text and its byte offset.
struct Word<'a> {
    columns: Range<usize>,
    text: &'a str,
    at: usize,
}

impl DrawingLayout {
    /// Returns a layout with all places in one row.
    pub fn line(places: usize) -> DrawingLayout {
        let row = (0..places).map(|place| (place, place as Place)).collect();
        DrawingLayout { rows: vec![row], spaces: (0..places).map(|place| usize::from(place > 0)).collect() }
    }

    /// Returns a layout with the places in as few lines as possible, of equal length and at most this many places.
    pub fn lines(places: usize, most: usize) -> DrawingLayout {
        let length = places.div_ceil(places.div_ceil(most).max(1)).max(1);
        let all: Vec<(usize, Place)> = (0..places).map(|place| (place % length, place as Place)).collect();
        DrawingLayout { rows: all.chunks(length).map(<[_]>::to_vec).collect(), ..DrawingLayout::line(length) }
    }

    /// Reads the drawing of the file.
    ///
    /// # Errors
    /// Reports every word that is not a place, and every place that is drawn twice.
    pub fn read(drawing: &Spanned<String>, places: usize, source: &str) -> Result<DrawingLayout, Vec<Diagnostic>> {
        let written = SourceMap::of(drawing, source);
        let text = drawing.get_ref();
        if text.len() > LONGEST {
            let message = format!("the layout is too large: {} bytes", text.len());
            return Err(vec![Diagnostic::at(drawing.span(), message).label(format!("at most {LONGEST} bytes"))]);
        }
        let lines: Vec<Vec<Word>> = text.split('\n').map(|line| words(line, text)).collect();
        let is_drawn = |line: &Vec<Word>| !line.is_empty();
        let (Some(first), Some(last)) = (lines.iter().position(is_drawn), lines.iter().rposition(is_drawn)) else {
            return Err(vec![
                Diagnostic::at(drawing.span(), "the layout is empty").label("expected at least one place"),
            ]);
        };
        let lines = &lines[first..=last];
        let mut errors = Vec::new();
        let mut seen = vec![false; places];
        let mut wrong = |word: &Word, message: String, label: &str| {
            errors.push(Diagnostic::at(written.span(word.at..word.at + word.text.len()), message).label(label));
        };
        for word in lines.iter().flatten().filter(|word| word.text != GAP) {
            let number = word.text.parse::<usize>().ok().filter(|_| word.text.chars().all(|c| c.is_ascii_digit()));
            match number.map(|number| (number, seen.get_mut(number.wrapping_sub(1)))) {
                None => wrong(word, format!("invalid place `{}`", word.text), "expected a number, or `.` for a gap"),
                Some((number, None)) => {
                    wrong(word, format!("unknown place {number}"), &format!("expected 1 to {places}"));
                }
                Some((number, Some(seen))) if *seen => {
                    wrong(word, format!("place {number} appears more than once"), "remove it here");
                }
                Some((_, Some(seen))) => *seen = true,
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let columns = columns(lines);
        let column = |word: &Word| columns.partition_point(|column| column.end < word.columns.end);
        let place = |word: &Word| word.text.parse::<Place>().ok().map(|number| (column(word), number - 1));
        let rows = lines.iter().map(|line| line.iter().filter_map(place).collect()).collect();
        let ends = columns.iter().map(|column| column.end);
        let left = columns.first().map_or(0, |column| column.start);
        let before = std::iter::once(left).chain(ends).zip(&columns);
        let spaces = before.map(|(end, column)| column.start.checked_sub(end).unwrap_or(1));
        Ok(DrawingLayout { rows, spaces: spaces.collect() })
    }

    /// Returns each place of the layout, with its row and column.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize, Place)> + '_ {
        let row = |(row, places): (usize, &'_ Vec<(usize, Place)>)| {
            places.iter().map(move |&(column, place)| (row, column, place)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row)
    }

    /// Draws a position, given by the label of each place.
    pub fn draw(&self, label: impl Fn(Place) -> String) -> String {
        let rows: Vec<Vec<(usize, String)>> =
            self.rows.iter().map(|row| row.iter().map(|&(column, place)| (column, label(place))).collect()).collect();
        let width = rows.iter().flatten().map(|(_, label)| label.width()).max().unwrap_or(1);
        let mut starts = Vec::with_capacity(self.spaces.len());
        let mut at = 0;
        for spaces in &self.spaces {
            starts.push(at + spaces);
            at += spaces + width;
        }
        let mut drawn = String::new();
        for row in &rows {
            let mut at = 0;
            for (column, label) in row {
                let gap = (starts[*column] + width).saturating_sub(at + label.width());
                drawn.extend(std::iter::repeat_n(' ', gap));
                drawn += label;
                at += gap + label.width();
            }
            drawn.push('\n');
        }
        drawn
    }
}

/// Splits a line into words.
fn words<'a>(line: &'a str, text: &str) -> Vec<Word<'a>> {
    let word = |word: &'a str| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        let column = line[..start].chars().count();
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        Word { columns: column..column + word.chars().count(), text: word, at }
    };
    line.split_whitespace().map(word).collect()
}

/// Returns the columns. Words that overlap vertically share a column, unless this would put two words of a line into
/// one. Then only words with the same right end share a column.
fn columns(lines: &[Vec<Word>]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = lines.iter().flatten().map(|word| word.columns.clone()).collect();
    words.sort_by_key(|word| (word.start, word.end));
    let mut columns: Vec<Range<usize>> = Vec::new();
    for word in &words {
        match columns.last_mut().filter(|last| word.start < last.end) {
            Some(last) => last.end = last.end.max(word.end),
            None => columns.push(word.clone()),
        }
    }
    let column = |word: &Word| columns.partition_point(|column| column.end < word.columns.end);
    let shared = |line: &Vec<Word>| line.windows(2).any(|pair| column(&pair[0]) == column(&pair[1]));
    if lines.iter().any(shared) {
        words.sort_by_key(|word| word.end);
        words.dedup_by_key(|word| word.end);
        columns = words;
    }
    columns
}
