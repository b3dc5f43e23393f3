//! Boards and goals as lists: sizes, shapes, pieces and places instead of drawings.

use super::{PieceKeys, PlaceKeys, PlacesKeys, place_on};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::{Findings, Spanned};
use crate::domain::LONGEST_NAME;
use crate::klotski::board::{BlockBoard, Moves, Piece, Place, Target, Who};
use std::collections::BTreeMap;

/// The table `[shapes]` of a file: rows of `#` and `.` by name.
pub(super) type ShapeKeys = BTreeMap<String, Spanned<Vec<Spanned<String>>>>;

/// Shapes by name, as cells in row-major order.
pub(super) type Shapes = BTreeMap<String, Vec<Place>>;

/// Reads the shapes, without the wrong ones, which it reports.
pub(super) fn shapes(keys: &ShapeKeys, errors: &mut Vec<Diagnostic>) -> Shapes {
    let mut shapes = Shapes::new();
    for (name, rows) in keys {
        if !is_name(name) {
            errors.push(misnamed("shape", name, rows.span()));
        }
        match shape(rows) {
            Ok(shape) => _ = shapes.insert(name.clone(), shape),
            Err(wrong) => errors.extend(wrong),
        }
    }
    shapes
}

fn shape(rows: &Spanned<Vec<Spanned<String>>>) -> Result<Vec<Place>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut cells = Vec::new();
    let width = rows.get_ref().first().map_or(0, |row| row.get_ref().chars().count());
    for (r, row) in rows.get_ref().iter().enumerate() {
        if row.get_ref().chars().count() != width {
            let message = format!("row {} of the shape has another width than row 1", r + 1);
            errors.push(Diagnostic::at(row.span(), message).label(format!("expected {width} characters")));
        }
        for (c, cell) in row.get_ref().chars().enumerate() {
            match cell {
                '#' => cells.push((r, c)),
                '.' => {}
                _ => errors.push(
                    Diagnostic::at(row.span(), format!("invalid character `{cell}` in a shape"))
                        .label("expected `#` for a cell or `.` for none"),
                ),
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if cells.is_empty() {
        let empty = Diagnostic::at(rows.span(), "the shape has no cells");
        return Err(vec![empty.help("for example: square = [\"##\", \"##\"]")]);
    }
    let height = rows.get_ref().len();
    let fills = |edge: &dyn Fn(&Place) -> bool| cells.iter().any(edge);
    if !fills(&|&(r, _)| r == 0)
        || !fills(&|&(_, c)| c == 0)
        || !fills(&|&(r, _)| r + 1 == height)
        || !fills(&|&(_, c)| c + 1 == width)
    {
        let message = "the shape has an empty row or column at its edge";
        return Err(vec![Diagnostic::at(rows.span(), message).label("remove the empty row or column")]);
    }
    Ok(cells)
}

/// Adds the pieces to the board.
pub(super) fn place(
    board: &mut BlockBoard,
    pieces: &BTreeMap<String, Spanned<PieceKeys>>,
    shapes: &Shapes,
    shape_keys: &ShapeKeys,
    moves: Moves,
    findings: &Findings,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (name, keys) in pieces {
        if !is_name(name) {
            errors.push(misnamed("piece", name, keys.span()));
        }
        if shape_keys.contains_key(name) {
            errors.push(Diagnostic::at(keys.span(), format!("`{name}` names both a piece and a shape")));
        }
        match piece(board, name, keys, shapes, shape_keys, moves, findings) {
            Ok(piece) => board.pieces.push(piece),
            Err(wrong) => errors.extend(wrong),
        }
    }
    errors
}

fn piece(
    board: &BlockBoard,
    name: &str,
    keys: &Spanned<PieceKeys>,
    shapes: &Shapes,
    shape_keys: &ShapeKeys,
    moves: Moves,
    findings: &Findings,
) -> Result<Piece, Vec<Diagnostic>> {
    let PieceKeys { shape, at, moves: own } = keys.get_ref();
    let missing = |key: &str, example: &str| {
        Diagnostic::at(keys.span(), format!("missing key `{key}` of the piece `{name}`"))
            .help(format!("for example: {example}"))
    };
    let (Some(shape), Some(at)) = (shape, at) else {
        let is_missing = |key: &str| !findings.refused_within(&format!("pieces.{name}.{key}"));
        let shape = (shape.is_none() && is_missing("shape")).then(|| missing("shape", "shape = \"square\""));
        let at = (at.is_none() && is_missing("at")).then(|| missing("at", "at = [0, 0]"));
        return Err(shape.into_iter().chain(at).collect());
    };
    let place = place_on(board, "piece", at);
    let Some(cells) = shapes.get(shape.get_ref()) else {
        // A wrong shape has been reported already.
        let name = shape.get_ref();
        let is_refused = findings.refused("shapes") || findings.refused_within(&format!("shapes.{name}"));
        let unknown = !shape_keys.contains_key(name) && !is_refused;
        let help = unknown_name(shape.get_ref(), shape_keys.keys().map(String::as_str));
        let message = format!("unknown shape `{}`", shape.get_ref());
        let error = unknown.then(|| Diagnostic::at(shape.span(), message).help(help));
        return Err(error.into_iter().chain(place.err()).collect());
    };
    let corner = place.map_err(|wrong| vec![wrong])?;
    let (name, shape_name) = (name.to_owned(), Some(shape.get_ref().clone()));
    let piece = Piece { name, shape: cells.clone(), shape_name, at: corner, moves: own.unwrap_or(moves) };
    let name = &piece.name;
    if !board.fits(cells, corner) {
        let message = format!("the piece `{name}` does not fit here: it leaves the board or covers a wall");
        return Err(vec![Diagnostic::at(at.span(), message)]);
    }
    let covered = cells.iter().map(|&(r, c)| (corner.0 + r, corner.1 + c));
    for place in covered {
        if let Some(other) = board.pieces.iter().find(|other| other.covers(place)) {
            let message = format!("the pieces `{}` and `{name}` both cover [{}, {}]", other.name, place.0, place.1);
            return Err(vec![Diagnostic::at(at.span(), message)]);
        }
    }
    Ok(piece)
}

/// Returns the required places of pieces, or of any pieces of a shape, in a goal's table.
pub(super) fn goal(
    board: &BlockBoard,
    places: &BTreeMap<String, Spanned<PlacesKeys>>,
    shapes: &Shapes,
    span: std::ops::Range<usize>,
    is_reported: &dyn Fn(&str) -> bool,
) -> Result<Vec<Target>, Vec<Diagnostic>> {
    if places.is_empty() {
        return Err(vec![Diagnostic::at(span, "the goal names no piece").label("name at least one piece here")]);
    }
    let mut goal = Vec::new();
    let mut errors = Vec::new();
    for (name, at) in places {
        let is_known = shapes.contains_key(name) || board.pieces.iter().any(|piece| piece.name == *name);
        if !is_known && is_reported(name) {
            errors.extend(at.get_ref().0.iter().filter_map(|at| place_on(board, "goal", at).err()));
            continue;
        }
        match targets(board, name, at, shapes) {
            Ok(targets) => goal.extend(targets),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(goal) } else { Err(errors) }
}

/// Returns the required places of one piece, or of pieces of one shape.
fn targets(
    board: &BlockBoard,
    name: &str,
    places: &Spanned<PlacesKeys>,
    shapes: &Shapes,
) -> Result<Vec<Target>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut listed: Vec<(&Spanned<PlaceKeys>, Place)> = Vec::new();
    for at in &places.get_ref().0 {
        match place_on(board, "goal", at) {
            Ok(place) => listed.push((at, place)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let piece = board.pieces.iter().position(|piece| piece.name == name);
    let wrong = |message: String| Diagnostic::at(places.span(), message);
    let (who, cells, pieces) = match (piece, shapes.get(name)) {
        (Some(number), _) => (Who::Piece(number), &board.pieces[number].shape, 1),
        (None, Some(shape)) => (Who::Shape(shape.clone()), shape, board.count(shape)),
        (None, None) => {
            let names = board.pieces.iter().map(|piece| piece.name.as_str()).chain(shapes.keys().map(String::as_str));
            let message = format!("unknown piece or shape `{name}` in the goal");
            return Err(vec![wrong(message).help(unknown_name(name, names.take(40)))]);
        }
    };
    if pieces == 0 {
        return Err(vec![wrong(format!("no piece has the shape `{name}`"))]);
    }
    if listed.len() > pieces {
        let several = |count: usize| if count == 1 { "1 piece has".to_owned() } else { format!("{count} pieces have") };
        return Err(vec![match who {
            Who::Piece(_) => wrong(format!("the piece `{name}` cannot stand at {} places", listed.len()))
                .help("give a piece one place; only a shape may have several: `square = [[2, 2], [0, 2]]`"),
            Who::Shape(_) => wrong(format!("{} places for the shape `{name}`", listed.len()))
                .label(format!("only {} this shape", several(pieces))),
        }]);
    }
    let mut targets: Vec<Target> = Vec::new();
    for (at, place) in listed {
        if !board.fits(cells, place) {
            let message = format!("`{name}` does not fit here: it leaves the board or covers a wall");
            errors.push(Diagnostic::at(at.span(), message));
        } else if targets.iter().any(|target| target.at == place) {
            let message = format!("the place [{}, {}] is listed twice", place.0, place.1);
            errors.push(Diagnostic::at(at.span(), message));
        } else {
            targets.push(Target { who: who.clone(), at: place });
        }
    }
    if errors.is_empty() { Ok(targets) } else { Err(errors) }
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(char::is_alphanumeric)
}

fn misnamed(what: &str, name: &str, span: std::ops::Range<usize>) -> Diagnostic {
    Diagnostic::at(span, format!("invalid name `{name}` for a {what}")).label("expected letters and digits")
}
