//! The boards of the levels.

use super::names::{Names, Objects};
use crate::game;
use std::sync::OnceLock;

/// A board: the objects of each cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainBoard {
    pub width: usize,
    pub height: usize,
    /// The cells, column by column: the cell of column x and row y has the index `x * height + y`.
    pub cells: Vec<Objects>,
}

/// A level.
#[derive(Clone, Debug)]
pub(super) enum Level {
    Message,
    /// Its rows as written, and its board once it is asked for: boards take far more memory.
    Board(Vec<String>, OnceLock<PlainBoard>),
}

/// Returns the levels of a game.
pub(super) fn levels(game: &game::Game) -> Vec<Level> {
    let level = |level: &game::Level| match level {
        game::Level::Message { .. } => Level::Message,
        game::Level::Board { rows, .. } => Level::Board(rows.clone(), OnceLock::new()),
    };
    game.levels.iter().map(level).collect()
}

/// Returns the board that rows of symbols describe. From an unknown symbol on, in the order of the cells, it is empty.
pub(super) fn board(rows: &[String], names: &Names) -> PlainBoard {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let (width, height) = (rows.first().map_or(0, Vec::len), rows.len());
    let mut board = PlainBoard { width, height, cells: vec![Objects::new(names.objects.len()); width * height] };
    for (index, cell) in board.cells.iter_mut().enumerate() {
        let row = &rows[index % height];
        let symbol = row.get(index / height).or(row.last());
        let Some(objects) = symbol.and_then(|symbol| names.symbol(&symbol.to_string())) else { return board };
        objects.into_iter().for_each(|object| cell.insert(object));
    }
    fill(&mut board, names);
    board
}

/// Puts a background into each cell that has none: the first that is on the board, or else the first of the game.
fn fill(board: &mut PlainBoard, names: &Names) {
    let Some(usual) = names.background() else { return };
    let layer = &names.layers[names.layer_of[usual]];
    let first = board.cells.iter().find(|cell| cell.has_any(layer));
    let of = |cell: &Objects| layer.iter().copied().filter(|&object| cell.has(object)).collect();
    let background = first.map_or(vec![usual], of);
    for cell in board.cells.iter_mut().filter(|cell| !cell.has_any(layer)) {
        background.iter().for_each(|&object| cell.insert(object));
    }
}
