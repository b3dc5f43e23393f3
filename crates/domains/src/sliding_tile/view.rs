//! Drawings of boards of tiles, the plain board format, and the notation of moves.

use super::BLANK;
use super::board::{Board, Tile};
use super::heuristic::Heuristic;
use super::multi::{MultiSpace, blank_path};
use super::representation::Representation;
use super::space::{Action, TileSpace};
use crate::domain::{Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use std::fmt::Write;
use std::sync::Arc;

/// The view of a board.
pub(super) struct TileView {
    pub board: Arc<Board>,
}

impl<R: Representation, H: Heuristic> View<TileSpace<R, H>> for TileView {
    /// The tile on each cell.
    type Position = Vec<Tile>;

    fn initial(&self) -> Vec<Tile> {
        self.board.start.clone()
    }

    fn apply(&self, tiles: &mut Vec<Tile>, Action { from, to }: Action) {
        tiles.swap(from as usize, to as usize);
    }

    fn notation(&self, tiles: &Vec<Tile>, Action { from, to }: Action, notation: Notation) -> String {
        if notation == BLANK {
            self.board.direction(from, to).to_ascii_uppercase().to_string()
        } else {
            format!("{}{}", tiles[to as usize], self.board.direction(to, from))
        }
    }

    fn draw(&self, tiles: &Vec<Tile>, style: Style) -> String {
        draw(&self.board, tiles, style)
    }

    fn picture(&self, tiles: &Vec<Tile>) -> Option<Picture> {
        picture(&self.board, tiles)
    }
}

impl<R: Representation> View<MultiSpace<R>> for TileView {
    /// The tile on each cell.
    type Position = Vec<Tile>;

    fn initial(&self) -> Vec<Tile> {
        self.board.start.clone()
    }

    fn apply(&self, tiles: &mut Vec<Tile>, action: Action) {
        let mut blank = action.from;
        for cell in blank_path(&self.board, action) {
            tiles.swap(blank as usize, cell as usize);
            blank = cell;
        }
    }

    /// Returns the farthest tile and its direction, or the path of the blank with a letter for each cell.
    fn notation(&self, tiles: &Vec<Tile>, action: Action, notation: Notation) -> String {
        let mut cells = blank_path(&self.board, action);
        let Some(nearest) = cells.next() else { return String::new() };
        if notation == BLANK {
            let letter = self.board.direction(action.from, nearest).to_ascii_uppercase();
            String::from_iter(std::iter::repeat_n(letter, 1 + cells.count()))
        } else {
            format!("{}{}", tiles[action.to as usize], self.board.direction(nearest, action.from))
        }
    }

    fn draw(&self, tiles: &Vec<Tile>, style: Style) -> String {
        draw(&self.board, tiles, style)
    }

    fn picture(&self, tiles: &Vec<Tile>) -> Option<Picture> {
        picture(&self.board, tiles)
    }
}

/// Returns a board as rows of text.
pub(super) fn draw(board: &Board, tiles: &[Tile], style: Style) -> String {
    let Board { rows, columns, .. } = *board;
    let width = (tiles.len() - 1).to_string().len();
    let mut out = String::new();
    if style == Style::Plain {
        out = if rows == columns { format!("{rows}\n") } else { format!("{rows} {columns}\n") };
    }
    for row in tiles.chunks(columns as usize) {
        for (column, tile) in row.iter().enumerate() {
            let gap = if column == 0 { "" } else { " " };
            let _ = match (tile, style) {
                (0, Style::Drawn) => write!(out, "{gap}{:>width$}", "."),
                _ => write!(out, "{gap}{tile:>width$}"),
            };
        }
        out.push('\n');
    }
    out
}

/// Returns a picture of a board; tiles of the same goal row have the same colour.
fn picture(board: &Board, tiles: &[Tile]) -> Option<Picture> {
    if tiles.len() > MOST_FIGURES {
        return None;
    }
    let columns = board.columns as usize;
    let mut picture = Picture::new(board.rows as usize, columns, Ground::Floor);
    let mut cells = vec![0; tiles.len()];
    tiles.iter().enumerate().for_each(|(cell, &tile)| cells[tile as usize] = cell);
    let figure = |(tile, cell): (usize, usize)| {
        let paint = Paint::Hue((board.goal_cell(tile as Tile) / board.columns) as usize);
        Figure::single(tile as u64, tile.to_string(), paint, Form::Block, (cell / columns, cell % columns))
    };
    picture.figures = cells.into_iter().enumerate().skip(1).map(figure).collect();
    Some(picture)
}
