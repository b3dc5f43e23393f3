//! Boards and goals as drawings.

use crate::diagnostic::{Diagnostic, keep, steers, unknown_name};
use crate::drawing::{Cell, Drawing};
use crate::klotski::board::{BlockBoard, Moves, Piece, Place, Target, Who, outline};
use unicode_width::UnicodeWidthStr;

/// Adds the drawing's walls, gates and pieces to the board.
pub(super) fn place(board: &mut BlockBoard, drawing: &Drawing, moves: Moves) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut pieces: Vec<(&str, Vec<Place>)> = Vec::new();
    let mut number = std::collections::HashMap::new();
    for (row, column, cell) in drawing.cells() {
        let place = (row, column);
        match cell.text {
            "." => {}
            "#" => board.walls.set(place),
            "=" => board.gates.set(place),
            name if name.width() == 0 || name.contains(steers) => keep(&mut errors, || {
                Diagnostic::at(cell.span(), "invisible character inside a drawing")
                    .label("expected a printable character")
            }),
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
            Piece { name: name.to_owned(), shape, shape_name: None, at, moves }
        })
        .collect();
    errors
}

/// Returns the required places of the pieces in a goal's drawing.
pub(super) fn goal(board: &BlockBoard, drawing: &Drawing) -> Result<Vec<Target>, Vec<Diagnostic>> {
    let (height, width) = (drawing.height(), drawing.width());
    if (height, width) != (board.rows, board.columns) {
        let message = format!("the goal is {height}x{width}, but the start is {}x{}", board.rows, board.columns);
        let label = format!("expected {}x{}", board.rows, board.columns);
        return Err(vec![Diagnostic::at(drawing.span(), message).label(label)]);
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
    let mut goal: Vec<Target> = Vec::new();
    let mut errors = Vec::new();
    for (cell, cells) in &named {
        match placement(board, cell, cells) {
            Ok(target) => goal.push(target),
            Err(wrong) => errors.push(wrong),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    for ((cell, _), target) in named.iter().zip(&goal) {
        let Who::Shape(shape) = &target.who else { continue };
        let drawn = goal.iter().filter(|other| board.shape_of(other) == shape).count();
        if drawn > board.count(shape) {
            let message = format!("too many pieces in the goal with the shape of `{}`", cell.text);
            let label = format!("{drawn} with {}, but {} in the start", describe(shape), board.count(shape));
            return Err(vec![Diagnostic::at(cell.span(), message).label(label)]);
        }
    }
    Ok(goal)
}

/// Returns the piece drawn on these cells of a goal, with its place; any piece of the shape if none has this name.
fn placement(board: &BlockBoard, cell: &Cell, cells: &[Place]) -> Result<Target, Diagnostic> {
    let name = cell.text;
    let at_cell = |message: String| Diagnostic::at(cell.span(), message);
    let (at, shape) = outline(cells);
    let Some(number) = board.pieces.iter().position(|piece| piece.name == name) else {
        if board.count(&shape) == 0 {
            let names = board.pieces.iter().map(|piece| piece.name.as_str());
            return Err(at_cell(format!("unknown piece `{name}` in the goal"))
                .label(format!("and no piece has this shape: {}", describe(&shape)))
                .help(unknown_name(name, names.take(40))));
        }
        if !board.fits(&shape, at) {
            return Err(at_cell(format!("`{name}` covers a wall in the goal")));
        }
        return Ok(Target { who: Who::Shape(shape), at });
    };
    if shape != board.pieces[number].shape {
        let start = &board.pieces[number].shape;
        let error = at_cell(format!("the piece `{name}` has a different shape in the goal")).label(format!(
            "{} here, {} in the start",
            describe(&shape),
            describe(start)
        ));
        return Err(match side_by_side(start, &shape) {
            Some(drawings) => error.help(drawings),
            None => error,
        });
    }
    if !board.fits(&shape, at) {
        return Err(at_cell(format!("the piece `{name}` covers a wall in the goal")));
    }
    Ok(Target { who: Who::Piece(number), at })
}

/// Returns the rows and columns of a shape.
fn size(shape: &[Place]) -> (usize, usize) {
    let height = shape.iter().map(|&(row, _)| row + 1).max().unwrap_or(0);
    (height, shape.iter().map(|&(_, column)| column + 1).max().unwrap_or(0))
}

fn describe(shape: &[Place]) -> String {
    let (height, width) = size(shape);
    let cells = if shape.len() == 1 { "cell" } else { "cells" };
    format!("{} {cells} in {height}x{width}", shape.len())
}

/// The greatest side of a shape that an error message draws.
const MOST_DRAWN: usize = 12;

/// Returns the drawings of a shape in the start and in the goal, side by side, or `None` if they are too large.
fn side_by_side(start: &[Place], goal: &[Place]) -> Option<String> {
    let ((start_height, start_width), (goal_height, goal_width)) = (size(start), size(goal));
    if [start_height, start_width, goal_height, goal_width].into_iter().max()? > MOST_DRAWN {
        return None;
    }
    let row = |shape: &[Place], row: usize, (height, width): Place| -> String {
        let columns = if row < height { width } else { 0 };
        (0..columns).map(|column| if shape.contains(&(row, column)) { '#' } else { '.' }).collect()
    };
    let heading = "in the start:";
    let left = start_width.max(heading.len());
    let mut lines = vec![format!("{heading}  in the goal:")];
    lines.extend((0..start_height.max(goal_height)).map(|number| {
        let start = row(start, number, (start_height, start_width));
        format!("{start:<left$}  {}", row(goal, number, (goal_height, goal_width))).trim_end().to_owned()
    }));
    Some(lines.join("\n"))
}
