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
    walls: Vec<Spanned<Place>>,
    #[serde(default)]
    gates: Vec<Spanned<Place>>,
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
        let goal = file.required("goal", "goal = \"\"\"\\n..\\n.a\\n\"\"\"", goal);
        let (start, goal) = match (start, goal) {
            (Ok(start), Ok(goal)) => (start, goal),
            (start, goal) => return Err([start.err(), goal.err()].into_iter().flatten().flatten().collect()),
        };
        let drawing = Drawing::of_characters(&start, file.source)?;
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
        let mut errors = place_pieces(&mut board, &drawing, moves);
        errors.extend(mark(&mut board, &walls, &gates));
        for goal in goal_drawings(goal) {
            match read_goal(&board, &goal, file.source) {
                Ok(goal) => board.goals.push(goal),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let layout = Layout::new(&board);
        if layout.cells() > MAX_CELLS {
            let message = format!("the board has {} cells within its walls", layout.cells());
            return Err(vec![
                Diagnostic::at(start.span(), message).label(format!("at most {MAX_CELLS} are supported")),
            ]);
        }
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
            name if name.chars().all(char::is_control) => {
                errors.push(Diagnostic::at(cell.span.clone(), "a control character inside a drawing"));
            }
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
fn mark(board: &mut Board, walls: &[Spanned<Place>], gates: &[Spanned<Place>]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let (rows, columns) = (board.rows, board.columns);
    let mut inside = |what: &str, place: &Spanned<Place>| {
        let &(row, column) = place.get_ref();
        let inside = row < rows && column < columns;
        if !inside {
            let message = format!("the {what} [{row}, {column}] is not on the board");
            errors.push(Diagnostic::at(place.span(), message).label(format!(
                "rows are 0 to {}, columns 0 to {}",
                rows - 1,
                columns - 1
            )));
        }
        inside
    };
    let walls: Vec<_> = walls.iter().filter(|place| inside("wall", place)).collect();
    let gates: Vec<_> = gates.iter().filter(|place| inside("gate", place)).collect();
    for wall in walls {
        let place = *wall.get_ref();
        let covers = |piece: &&Piece| piece.shape.iter().any(|&(r, c)| (piece.at.0 + r, piece.at.1 + c) == place);
        match board.pieces.iter().find(covers) {
            Some(piece) => errors.push(
                Diagnostic::at(
                    wall.span(),
                    format!("the wall [{}, {}] is under the piece `{}`", place.0, place.1, piece.name),
                )
                .label("no piece can stand on a wall"),
            ),
            None => board.walls.set(place),
        }
    }
    for gate in gates {
        board.gates.set(*gate.get_ref());
    }
    errors
}

fn goal_drawings(goal: Spanned<Drawings>) -> Vec<Spanned<String>> {
    let span = goal.span();
    match goal.into_inner() {
        Drawings::One(drawing) => vec![Spanned::new(span, drawing)],
        Drawings::Several(drawings) => drawings,
    }
}

/// Where a goal's drawing says that pieces must stand.
fn read_goal(board: &Board, text: &Spanned<String>, source: &str) -> Result<Vec<(usize, Place)>, Vec<Diagnostic>> {
    let drawing = Drawing::of_characters(text, source)?;
    let (height, width) = (drawing.height(), drawing.width());
    if (height, width) != (board.rows, board.columns) {
        let message = format!("the goal is {height}x{width}, the start {}x{}", board.rows, board.columns);
        return Err(vec![Diagnostic::at(text.span(), message).label("both must have the same rows and columns")]);
    }
    let mut named: Vec<(&Cell, Vec<Place>)> = Vec::new();
    for (row, column, cell) in drawing.cells().filter(|(_, _, cell)| !matches!(cell.text, "." | "#" | "=")) {
        match named.iter_mut().find(|(first, _)| first.text == cell.text) {
            Some((_, cells)) => cells.push((row, column)),
            None => named.push((cell, vec![(row, column)])),
        }
    }
    if named.is_empty() {
        return Err(vec![Diagnostic::at(text.span(), "the goal names no piece").label("draw at least one piece here")]);
    }
    let mut goal = Vec::new();
    let mut errors = Vec::new();
    for (cell, cells) in named {
        match stand(board, cell, &cells) {
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
