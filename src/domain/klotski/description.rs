//! What a puzzle file says of sliding blocks, and the validated board that it means.

use super::board::{Board, Grid, Metric, Moves, Piece, Place, outline};
use super::layout::Layout;
use super::{Blocks, MAX_CELLS};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::domain::{Domain, FileContext, Instance};
use crate::drawing::{Cell, Drawing};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;
use toml::Spanned;
use unicode_width::UnicodeWidthStr;

/// The keys of a file, as they stand there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Klotski {
    start: Option<Spanned<String>>,
    goal: Option<Spanned<Drawings>>,
    #[serde(default)]
    metric: Metric,
    #[serde(default)]
    moves: Moves,
    #[serde(default)]
    walls: Vec<Spanned<Vec<usize>>>,
    #[serde(default)]
    gates: Vec<Spanned<Vec<usize>>>,
}

/// One drawing, or any one of several.
enum Drawings {
    One(String),
    Several(Vec<Spanned<String>>),
}

#[typetag::deserialize(name = "klotski")]
impl Domain for Klotski {
    fn open(self: Box<Self>, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        Ok(Box::new(self.blocks(file)?))
    }
}

impl Klotski {
    /// The validated puzzle.
    pub fn blocks(self, file: &FileContext) -> Result<Blocks, Vec<Diagnostic>> {
        let Klotski { start, goal, metric, moves, walls, gates } = self;
        let start = file.required("start", "start = \"\"\"\\na.\\n..\\n\"\"\"", start);
        let goal = file.required("goal", "goal = \"\"\"\\n..\\n.a\\n\"\"\"", goal).map(goal_drawings);
        let mut errors = Vec::new();
        let mut keep = |wrong: Vec<Diagnostic>| errors.extend(wrong);
        let drawing = start.as_ref().map_err(Vec::clone).and_then(|start| Drawing::of_characters(start, file.source));
        let drawing = drawing.map_err(&mut keep).ok();
        let goals: Vec<&Spanned<String>> =
            goal.as_ref().map_err(|wrong| keep(wrong.clone())).iter().flat_map(|goals| goals.iter()).collect();
        let goals: Vec<Option<Drawing>> =
            goals.iter().map(|goal| Drawing::of_characters(goal, file.source).map_err(&mut keep).ok()).collect();
        let Some(drawing) = drawing else { return Err(errors) };

        let (rows, columns) = (drawing.height(), drawing.width());
        let mut board = Board {
            rows,
            columns,
            walls: Grid::new(rows, columns),
            gates: Grid::new(rows, columns),
            pieces: Vec::new(),
            goals: Vec::new(),
            metric,
        };
        errors.extend(place_pieces(&mut board, &drawing, moves));
        let (_, inner_rows, inner_columns) = board.inner();
        if inner_rows * inner_columns > MAX_CELLS {
            let message = format!("the board has {inner_rows}x{inner_columns} cells within its walls");
            errors.push(
                Diagnostic::at(drawing.span(), message).label(format!("at most {MAX_CELLS} cells are supported")),
            );
            return Err(errors);
        }
        errors.extend(mark(&mut board, &walls, &gates));
        for goal in goals.iter().flatten() {
            match read_goal(&board, goal) {
                Ok(goal) => board.goals.push(goal),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let layout = Layout::new(&board);
        Ok(Blocks { board: Arc::new(board), layout: Arc::new(layout) })
    }
}

/// Puts the drawing's walls, gates and pieces on the board.
fn place_pieces(board: &mut Board, drawing: &Drawing, moves: Moves) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut pieces: Vec<(&str, Vec<Place>)> = Vec::new();
    let mut number = std::collections::HashMap::new();
    for (row, column, cell) in drawing.cells() {
        let place = (row, column);
        match cell.text {
            "." => {}
            "#" => board.walls.set(place),
            "=" => board.gates.set(place),
            name if name.width() == 0 || name.contains(char::is_control) => errors.push(
                Diagnostic::at(cell.span, "a character that cannot be seen inside a drawing")
                    .label("a piece is a printable character"),
            ),
            name => {
                let number = *number.entry(name).or_insert(pieces.len());
                if number == pieces.len() {
                    pieces.push((name, Vec::new()));
                }
                pieces[number].1.push(place);
            }
        }
    }
    board.pieces = pieces
        .into_iter()
        .map(|(name, cells)| {
            let (at, shape) = outline(&cells);
            Piece { name: name.to_owned(), shape, at, moves }
        })
        .collect();
    errors
}

/// Adds the walls and gates that stand beside the drawing.
fn mark(board: &mut Board, walls: &[Spanned<Vec<usize>>], gates: &[Spanned<Vec<usize>>]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for wall in walls {
        match place_on(board, "wall", wall) {
            Ok(place) => match board.pieces.iter().find(|piece| piece.covers(place)) {
                Some(piece) => errors.push(
                    Diagnostic::at(
                        wall.span(),
                        format!("the wall {:?} is under the piece `{}`", wall.get_ref(), piece.name),
                    )
                    .label("no piece can stand on a wall"),
                ),
                None => board.walls.set(place),
            },
            Err(error) => errors.push(error),
        }
    }
    for gate in gates {
        match place_on(board, "gate", gate) {
            Ok(place) => board.gates.set(place),
            Err(error) => errors.push(error),
        }
    }
    errors
}

/// A place that is given as row and column.
fn place_on(board: &Board, what: &str, place: &Spanned<Vec<usize>>) -> Result<Place, Diagnostic> {
    let label = format!("rows are 0 to {}, columns 0 to {}", board.rows - 1, board.columns - 1);
    match place.get_ref()[..] {
        [row, column] if row < board.rows && column < board.columns => Ok((row, column)),
        [row, column] => {
            Err(Diagnostic::at(place.span(), format!("the {what} [{row}, {column}] is not on the board")).label(label))
        }
        _ => {
            Err(Diagnostic::at(place.span(), format!("a {what} is a place")).label("expected an array `[row, column]`"))
        }
    }
}

fn goal_drawings(goal: Spanned<Drawings>) -> Vec<Spanned<String>> {
    let span = goal.span();
    match goal.into_inner() {
        Drawings::One(drawing) => vec![Spanned::new(span, drawing)],
        Drawings::Several(drawings) => drawings,
    }
}

/// Where a goal's drawing says that pieces must stand.
fn read_goal(board: &Board, drawing: &Drawing) -> Result<Vec<(usize, Place)>, Vec<Diagnostic>> {
    let (height, width) = (drawing.height(), drawing.width());
    if (height, width) != (board.rows, board.columns) {
        let message = format!("the goal is {height}x{width}, the start {}x{}", board.rows, board.columns);
        return Err(vec![Diagnostic::at(drawing.span(), message).label("both must have the same rows and columns")]);
    }
    let mut named: Vec<(Cell, Vec<Place>)> = Vec::new();
    for (row, column, cell) in drawing.cells().filter(|(_, _, cell)| !matches!(cell.text, "." | "#" | "=")) {
        match named.iter_mut().find(|(first, _)| first.text == cell.text) {
            Some((_, cells)) => cells.push((row, column)),
            None => named.push((cell, vec![(row, column)])),
        }
    }
    if named.is_empty() {
        return Err(vec![
            Diagnostic::at(drawing.span(), "the goal names no piece").label("draw at least one piece here"),
        ]);
    }
    let mut goal = Vec::new();
    let mut errors = Vec::new();
    for (cell, cells) in named {
        match stand(board, &cell, &cells) {
            Ok(stands) => goal.push(stands),
            Err(wrong) => errors.push(wrong),
        }
    }
    if errors.is_empty() { Ok(goal) } else { Err(errors) }
}

/// The piece that is drawn on these cells of a goal, and where it would stand.
fn stand(board: &Board, cell: &Cell, cells: &[Place]) -> Result<(usize, Place), Diagnostic> {
    let name = cell.text;
    let at_cell = |message: String| Diagnostic::at(cell.span.clone(), message);
    let Some(number) = board.pieces.iter().position(|piece| piece.name == name) else {
        let names = board.pieces.iter().map(|piece| piece.name.as_str());
        return Err(at_cell(format!("the goal names the piece `{name}`, which is not on the board"))
            .help(unknown_name(name, names.take(40))));
    };
    let (at, shape) = outline(cells);
    if shape != board.pieces[number].shape {
        let (is, was) = (describe(&shape), describe(&board.pieces[number].shape));
        return Err(at_cell(format!("the piece `{name}` has another shape in the goal"))
            .label(format!("{is} here, {was} in the start")));
    }
    if !board.fits(&shape, at) {
        return Err(at_cell(format!("the piece `{name}` would stand on a wall in the goal")));
    }
    Ok((number, at))
}

fn describe(shape: &[Place]) -> String {
    let height = shape.iter().map(|&(row, _)| row + 1).max().unwrap_or(0);
    let width = shape.iter().map(|&(_, column)| column + 1).max().unwrap_or(0);
    let cells = if shape.len() == 1 { "cell" } else { "cells" };
    format!("{} {cells} in {height}x{width}", shape.len())
}

impl<'de> Deserialize<'de> for Drawings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;

        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Drawings;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a drawing or an array of drawings")
            }

            fn visit_str<E: de::Error>(self, drawing: &str) -> Result<Drawings, E> {
                Ok(Drawings::One(drawing.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut drawings: A) -> Result<Drawings, A::Error> {
                let mut several = Vec::new();
                while let Some(drawing) = drawings.next_element()? {
                    several.push(drawing);
                }
                if several.is_empty() {
                    Err(de::Error::invalid_length(0, &"at least one drawing"))
                } else {
                    Ok(Drawings::Several(several))
                }
            }
        }

        deserializer.deserialize_any(OneOrSeveral)
    }
}
