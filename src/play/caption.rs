//! Captions: text below the board of a picture, such as the variables of written rules and their goals.

use crate::picture::{Figure, Form, Ground, Picture};
use std::collections::BTreeMap;

/// Returns the number of rows of the board, and the lines of text below it.
///
/// A picture of text alone has no captions.
#[must_use]
pub fn captions(picture: &Picture) -> (usize, Vec<String>) {
    let is_board = |row: usize| {
        let ground = &picture.ground[row * picture.columns..(row + 1) * picture.columns];
        ground.iter().any(|ground| *ground != Ground::Void)
    };
    let last_row = |figure: &Figure| figure.covered().map(|cell| cell.0).max().unwrap_or(0);
    let pieces = picture.figures.iter().filter(|figure| figure.form != Form::Text).chain(&picture.marks);
    let lowest = (0..picture.rows).rev().find(|&row| is_board(row)).into_iter().chain(pieces.map(last_row)).max();
    let Some(lowest) = lowest else { return (picture.rows, Vec::new()) };
    let mut rows: BTreeMap<usize, Vec<&Figure>> = BTreeMap::new();
    for figure in picture.figures.iter().filter(|figure| figure.at.0 > lowest) {
        rows.entry(figure.at.0).or_default().push(figure);
    }
    if rows.is_empty() {
        return (picture.rows, Vec::new());
    }
    (lowest + 1, rows.into_values().map(line).collect())
}

/// Returns the text of figures in one row: letters of adjacent cells form words, unless there are longer texts.
pub(super) fn line(mut figures: Vec<&Figure>) -> String {
    figures.sort_by_key(|figure| figure.at.1);
    let is_spelled = figures.iter().all(|figure| figure.label.chars().count() < 2);
    let mut line = String::new();
    let mut end = 0;
    for figure in figures {
        if !line.is_empty() && (figure.at.1 > end || !is_spelled) {
            line.push(' ');
        }
        line += &figure.label;
        end = figure.at.1 + figure.cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(1);
    }
    line
}

/// Returns the headings of the columns, if the first row is nothing but text: each column of the others is then a
/// value.
pub(super) fn headings(picture: &Picture) -> Option<BTreeMap<usize, &str>> {
    let is_void = picture.ground.iter().take(picture.columns).all(|ground| *ground == Ground::Void);
    let is_table = picture.ground.iter().any(|ground| *ground != Ground::Void);
    let first: Vec<&Figure> = picture.figures.iter().filter(|figure| figure.at.0 == 0).collect();
    let is_text = !first.is_empty() && first.iter().all(|figure| figure.form == Form::Text);
    (is_void && is_table && is_text).then(|| first.iter().map(|figure| (figure.at.1, &*figure.label)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Cell, Paint};

    fn text(label: &str, (row, column): Cell, width: usize) -> Figure {
        let key = (row * 100 + column) as u64;
        let cells = (0..width).map(|column| (0, column)).collect();
        Figure { cells, ..Figure::single(key, label, Paint::Plain, Form::Text, (row, column)) }
    }

    #[test]
    fn letters_and_longer_texts_below_the_board_are_captions() {
        let mut picture = Picture::new(4, 6, Ground::Void);
        assert_eq!(captions(&picture), (4, vec![]), "text alone has none");
        picture.figures.push(Figure::single(0, "a", Paint::Plain, Form::Block, (0, 0)));
        assert_eq!(captions(&picture), (4, vec![]));
        for (column, letter) in
            ["k", "e", "y", "", "2"].into_iter().enumerate().filter(|(_, letter)| !letter.is_empty())
        {
            picture.figures.push(text(letter, (2, column), 1));
        }
        picture.figures.push(text("5", (3, 3), 1));
        picture.figures.push(text("6", (3, 4), 1));
        picture.figures.push(text("purse", (3, 0), 3));
        assert_eq!(captions(&picture), (1, vec!["key 2".to_owned(), "purse 5 6".to_owned()]));
    }
}
