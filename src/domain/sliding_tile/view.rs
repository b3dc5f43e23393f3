//! How boards of tiles look: drawings, the plain board format, and moves in writing.

use super::BLANK;
use super::board::{Board, Tile};
use super::heuristic::Heuristic;
use super::representation::Representation;
use super::space::{Action, TileSpace};
use crate::domain::{Notation, Style, View};
use std::fmt::Write;
use std::sync::Arc;

/// Draws the tiles of a board.
pub(super) struct TileView {
    pub board: Arc<Board>,
}

impl<R: Representation, H: Heuristic> View<TileSpace<R, H>> for TileView {
    /// By cell, the tile.
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
        let Board { rows, columns, .. } = *self.board;
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
}
