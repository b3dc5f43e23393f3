//! Drawings of boards of tiles, the plain board format, and the notation of moves.

use super::BLANK;
use super::board::{Cell, Tile, TileBoard};
use super::heuristic::Heuristic;
use super::multi::{MultiSpace, blank_path};
use super::representation::Representation;
use super::space::{Action, TileSpace};
use crate::domain::mechanics::{Mechanics, Moves, NamePart, Operator, Operators, Source, Target};
use crate::domain::{Alternative, GoalView, Notation, Style, View};
use crate::picture::{Figure, Form, Ground, MOST_FIGURES, Paint, Picture};
use std::fmt::Write;
use std::sync::Arc;

/// The view of a board.
pub(super) struct TileView {
    pub board: Arc<TileBoard>,
}

impl<R: Representation, H: Heuristic> View<TileSpace<R, H>> for TileView {
    /// The tile on each cell.
    type Position = Vec<Tile>;

    fn initial(&self) -> Vec<Tile> {
        self.board.start.clone()
    }

    fn position(&self, _space: &TileSpace<R, H>, key: &R::Key) -> Option<Vec<Tile>> {
        Some(R::tiles(key, self.board.cells()).collect())
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

    fn goal(&self) -> GoalView {
        goal(&self.board)
    }

    fn mechanics(&self, _space: &TileSpace<R, H>) -> Option<Mechanics> {
        let board = &self.board;
        let slides = |from: Cell| board.neighbors(from).map(move |to| slide(board, &[from, to])).collect::<Vec<_>>();
        mechanics(board, slides)
    }

    fn figures(&self, tiles: &[u32]) -> Vec<Figure> {
        tiles.iter().enumerate().filter_map(|(cell, &tile)| figure(&self.board, tile, cell)).collect()
    }
}

impl<R: Representation> View<MultiSpace<R>> for TileView {
    /// The tile on each cell.
    type Position = Vec<Tile>;

    fn initial(&self) -> Vec<Tile> {
        self.board.start.clone()
    }

    fn position(&self, _space: &MultiSpace<R>, key: &R::Key) -> Option<Vec<Tile>> {
        Some(R::tiles(key, self.board.cells()).collect())
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

    fn goal(&self) -> GoalView {
        goal(&self.board)
    }

    fn mechanics(&self, space: &MultiSpace<R>) -> Option<Mechanics> {
        let board = &self.board;
        let push = |action: Action| {
            let path: Vec<Cell> = std::iter::once(action.from).chain(blank_path(board, action)).collect();
            slide(board, &path)
        };
        mechanics(board, |from| space.moves_from(from).map(push).collect())
    }

    fn figures(&self, tiles: &[u32]) -> Vec<Figure> {
        tiles.iter().enumerate().filter_map(|(cell, &tile)| figure(&self.board, tile, cell)).collect()
    }
}

/// The greatest number of cells of a board whose rules are given as data.
const MOST_DESCRIBED: Cell = 1024;

/// Returns the rules as data: a variable for each cell, whose value is the tile there; `None` for large boards.
fn mechanics(board: &TileBoard, moves: impl Fn(Cell) -> Vec<Operator>) -> Option<Mechanics> {
    let cells = board.cells();
    let goal = (0..cells).map(|cell| (cell as usize, vec![board.goal_tile(cell)]));
    (cells <= MOST_DESCRIBED).then(|| Mechanics {
        start: board.start.clone(),
        domains: vec![(0..cells).collect(); cells as usize],
        goals: vec![Target { conditions: goal.collect(), ..Target::default() }],
        moves: Moves::Operators(Operators {
            operators: (0..cells).flat_map(moves).collect(),
            value_names: vec![(0..cells).map(|tile| tile.to_string()).collect(); cells as usize],
            ..Operators::default()
        }),
    })
}

/// Returns the operator that moves the blank along a path of cells, and each tile there the other way.
fn slide(board: &TileBoard, path: &[Cell]) -> Operator {
    let last = path[path.len() - 1];
    let copies = path.windows(2).map(|pair| (pair[0] as usize, Source::Copy(pair[1] as usize)));
    Operator {
        name: vec![NamePart::Value(last as usize), NamePart::Text(board.direction(path[1], path[0]).to_string())],
        cost: 1.0,
        conditions: vec![(path[0] as usize, vec![0])],
        disjunctions: Vec::new(),
        counts: Vec::new(),
        effects: copies.chain([(last as usize, Source::Constant(0))]).collect(),
    }
}

/// Returns the figure of a tile on a cell; tiles of the same goal row have the same colour.
fn figure(board: &TileBoard, tile: Tile, cell: usize) -> Option<Figure> {
    let columns = board.columns as usize;
    let paint = Paint::Hue((board.goal_cell(tile) / board.columns) as usize);
    (tile != 0)
        .then(|| Figure::single(tile.into(), tile.to_string(), paint, Form::Block, (cell / columns, cell % columns)))
}

/// Returns a board as rows of text.
pub(super) fn draw(board: &TileBoard, tiles: &[Tile], style: Style) -> String {
    let TileBoard { rows, columns, .. } = *board;
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

/// Returns the goal for people: the goal board.
fn goal(board: &TileBoard) -> GoalView {
    let tiles: Vec<Tile> = (0..board.cells()).map(|cell| board.goal_tile(cell)).collect();
    let drawing = Some(draw(board, &tiles, Style::Drawn));
    GoalView::one(Alternative { drawing, picture: picture(board, &tiles), words: Vec::new() })
}

/// Returns a picture of a board.
fn picture(board: &TileBoard, tiles: &[Tile]) -> Option<Picture> {
    if tiles.len() > MOST_FIGURES {
        return None;
    }
    let columns = board.columns as usize;
    let mut picture = Picture::new(board.rows as usize, columns, Ground::Floor);
    let mut cells = vec![0; tiles.len()];
    tiles.iter().enumerate().for_each(|(cell, &tile)| cells[tile as usize] = cell);
    picture.figures = (0..).zip(cells).filter_map(|(tile, cell)| figure(board, tile, cell)).collect();
    Some(picture)
}
