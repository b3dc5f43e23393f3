//! The keys of a sliding-block puzzle, and their validation.

mod drawn;
mod listed;

use super::board::{BlockBoard, Grid, Metric, Moves, Place};
use super::compiled_board::CompiledBoard;
use super::{Blocks, MAX_CELLS, own};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::{DeValue, FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance};
use crate::drawing::Drawing;
use listed::ShapeKeys;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The greatest number of cells of a listed board, walls included.
const MAX_LISTED_CELLS: usize = 1 << 20;

/// The values of the keys.
pub(super) struct Klotski {
    start: Option<Spanned<String>>,
    goal: Option<Spanned<Goals>>,
    metric: Metric,
    moves: Moves,
    walls: Vec<Spanned<PlaceKeys>>,
    gates: Vec<Spanned<PlaceKeys>>,
    rows: Option<Spanned<usize>>,
    columns: Option<Spanned<usize>>,
    shapes: ShapeKeys,
    pieces: BTreeMap<String, Spanned<PieceKeys>>,
}

/// The keys of a piece; with a drawing, only `moves`.
struct PieceKeys {
    shape: Option<Spanned<String>>,
    at: Option<Spanned<PlaceKeys>>,
    moves: Option<Moves>,
}

/// A row and a column, if valid.
struct PlaceKeys(Vec<usize>);

/// One goal, or several alternatives.
enum Goals {
    One(GoalKeys),
    Several(Vec<Spanned<GoalKeys>>),
}

/// A goal, drawn or listed.
enum GoalKeys {
    Drawing(String),
    Places(BTreeMap<String, Spanned<PlacesKeys>>),
}

/// The place of a piece, or the places of pieces of a shape.
struct PlacesKeys(Vec<Spanned<PlaceKeys>>);

/// Reads sliding blocks.
///
/// # Errors
/// Reports every mistake in the keys.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let mut blocks = Klotski::take(keys).blocks(file)?;
    blocks.own = own::read_all(keys, file, &blocks.board, &blocks.compiled)?;
    Ok(Box::new(blocks))
}

impl Klotski {
    /// Takes the keys of a file.
    pub fn take(keys: &Keys) -> Klotski {
        Klotski {
            start: keys.take("start"),
            goal: keys.take("goal"),
            metric: keys.take("metric").unwrap_or_default(),
            moves: keys.take("moves").unwrap_or_default(),
            walls: keys.take("walls").unwrap_or_default(),
            gates: keys.take("gates").unwrap_or_default(),
            rows: keys.take("rows"),
            columns: keys.take("columns"),
            shapes: keys.take("shapes").unwrap_or_default(),
            pieces: keys.take("pieces").unwrap_or_default(),
        }
    }

    /// Validates the puzzle.
    pub fn blocks(mut self, file: &FileContext) -> Result<Blocks, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let example = "goal = \"\"\"\\n..\\n.a\\n\"\"\"";
        let goals = match file.required("goal", example, self.goal.take()) {
            Ok(goals) => several(goals),
            Err(wrong) => {
                errors.extend(wrong);
                Vec::new()
            }
        };
        let shapes = listed::shapes(&self.shapes, &mut errors);
        let board = match &self.start {
            Some(start) => self.drawn_board(start, file, &mut errors),
            None => self.listed_board(file, &shapes, &mut errors),
        };
        let Some(mut board) = board else {
            // Drawings of goals are still checked for mistakes of their own.
            let drawings = goals.iter().filter_map(as_drawing);
            errors.extend(drawings.filter_map(|text| Drawing::of_characters(&text, file.source).err()).flatten());
            return Err(errors);
        };
        for goal in &goals {
            let read = match goal.get_ref() {
                GoalKeys::Places(places) if places.is_empty() && file.findings.refused_within("goal") => continue,
                GoalKeys::Places(places) => {
                    // A piece or shape that is wrong itself is no unknown one.
                    let is_reported = |name: &str| {
                        let findings = file.findings;
                        let is_refused =
                            |key: &str| findings.refused(key) || findings.refused_within(&format!("{key}.{name}"));
                        self.pieces.contains_key(name)
                            || self.shapes.contains_key(name)
                            || is_refused("pieces")
                            || is_refused("shapes")
                    };
                    listed::goal(&board, places, &shapes, goal.span(), &is_reported)
                }
                GoalKeys::Drawing(text) => {
                    let text = Spanned::new(goal.span(), text.clone());
                    Drawing::of_characters(&text, file.source).and_then(|drawing| drawn::goal(&board, &drawing))
                }
            };
            match read {
                Ok(goal) => board.goals.push(goal),
                Err(wrong) => errors.extend(wrong),
            }
        }
        let is_incomplete = ["goal", "shapes", "pieces"].iter().any(|key| file.findings.refused_within(key));
        if is_incomplete || !errors.is_empty() {
            return Err(errors);
        }
        if let Some(wrong) = self.ambiguous_name(&board) {
            return Err(vec![wrong]);
        }
        let compiled = CompiledBoard::new(&board);
        let place = |wall: &Spanned<PlaceKeys>| match wall.get_ref().0[..] {
            [row, column] => Some((row, column)),
            [..] => None,
        };
        let listed_walls = self.walls.iter().filter_map(place).collect();
        let has_drawing = self.start.is_some();
        Ok(Blocks { board: Arc::new(board), compiled: Arc::new(compiled), has_drawing, listed_walls, own: Vec::new() })
    }

    /// Returns an error if two moves of different pieces may be written alike: a move in turns is a name and a path of
    /// any number of steps, and one name may be another with a path.
    fn ambiguous_name<'b>(&self, board: &'b BlockBoard) -> Option<Diagnostic> {
        if board.metric != Metric::Turn {
            return None;
        }
        let names: HashSet<&str> = board.pieces.iter().map(|piece| &*piece.name).collect();
        let split = |name: &'b str| {
            let mut others = path_starts(name).into_iter().map(|at| &name[..at]);
            others.find(|other| names.contains(other)).map(|other| (name, other))
        };
        let (name, other) = board.pieces.iter().find_map(|piece| split(&piece.name))?;
        let message = format!("in the metric `turn`, moves of `{name}` would be written like moves of `{other}`");
        let error = match self.pieces.get(name) {
            Some(keys) => Diagnostic::at(keys.span(), message),
            None => Diagnostic::whole(message),
        };
        Some(error.help(format!("rename the piece: the end of its name, after `{other}`, reads like a path")))
    }

    /// Returns the board drawn in `start`, or `None` if it is unreadable.
    fn drawn_board(
        &self,
        start: &Spanned<String>,
        file: &FileContext,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<BlockBoard> {
        let beside = [self.rows.as_ref().map(Spanned::span), self.columns.as_ref().map(Spanned::span)];
        for (key, span) in ["rows", "columns"].into_iter().zip(beside) {
            errors.extend(span.map(|span| {
                Diagnostic::at(span, format!("`{key}` cannot be combined with `start`"))
                    .label("the drawing gives the size")
            }));
        }
        let drawing = Drawing::of_characters(start, file.source).map_err(|wrong| errors.extend(wrong)).ok()?;
        let mut board = self.empty_board(drawing.height(), drawing.width());
        errors.extend(drawn::place(&mut board, &drawing, self.moves));
        if !is_supported(&board, drawing.span(), errors) {
            return None;
        }
        for (name, keys) in &self.pieces {
            let PieceKeys { shape, at, moves } = keys.get_ref();
            let drawn = [("shape", shape.as_ref().map(Spanned::span)), ("at", at.as_ref().map(Spanned::span))];
            errors.extend(drawn.into_iter().filter_map(|(key, span)| {
                let message = format!("`{key}` of a piece cannot be combined with `start`");
                Some(Diagnostic::at(span?, message).label("the drawing gives the shapes and places of all pieces"))
            }));
            let names = board.pieces.iter().map(|piece| piece.name.clone()).take(40).collect::<Vec<_>>();
            match board.pieces.iter_mut().find(|piece| piece.name == *name) {
                Some(piece) => piece.moves = moves.unwrap_or(self.moves),
                None => errors.push(
                    Diagnostic::at(keys.span(), format!("unknown piece `{name}`"))
                        .help(unknown_name(name, names.iter().map(String::as_str))),
                ),
            }
        }
        errors.extend(mark(&mut board, &self.walls, &self.gates));
        Some(board)
    }

    /// Returns the board described by sizes, shapes and pieces, or `None` if its size is unknown.
    fn listed_board(
        &self,
        file: &FileContext,
        shapes: &listed::Shapes,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<BlockBoard> {
        let (Some(rows), Some(columns)) = (&self.rows, &self.columns) else {
            let (key, example) = match (&self.rows, &self.columns) {
                (Some(_), _) => ("columns", "columns = 4"),
                (None, Some(_)) => ("rows", "rows = 5"),
                (None, None) => ("start", "start = \"\"\"\\na.\\n..\\n\"\"\""),
            };
            errors.extend(file.required(key, example, None::<()>).err().into_iter().flatten());
            return None;
        };
        let (height, width) = (*rows.get_ref(), *columns.get_ref());
        if height.checked_mul(width).is_none_or(|cells| cells == 0 || cells > MAX_LISTED_CELLS) {
            let message = format!("invalid size {height}x{width}");
            let label = format!("expected at least 1 cell, and at most {MAX_CELLS} within the walls");
            errors.push(Diagnostic::at(rows.span(), message).label(label));
            return None;
        }
        let mut board = self.empty_board(height, width);
        for wall in &self.walls {
            if let Ok(place) = place_on(&board, "wall", wall) {
                board.walls.set(place);
            }
        }
        if !is_supported(&board, rows.span(), errors) {
            return None;
        }
        errors.extend(listed::place(&mut board, &self.pieces, shapes, &self.shapes, self.moves, file.findings));
        errors.extend(mark(&mut board, &self.walls, &self.gates));
        Some(board)
    }

    fn empty_board(&self, rows: usize, columns: usize) -> BlockBoard {
        let grid = || Grid::new(rows, columns);
        BlockBoard {
            rows,
            columns,
            walls: grid(),
            gates: grid(),
            pieces: Vec::new(),
            goals: Vec::new(),
            metric: self.metric,
        }
    }
}

/// Returns whether the size of the board is supported. Call it before any work that visits pieces or cells repeatedly.
fn is_supported(board: &BlockBoard, span: Range<usize>, errors: &mut Vec<Diagnostic>) -> bool {
    let (_, rows, columns) = board.inner();
    let is_supported = rows * columns <= MAX_CELLS;
    if !is_supported {
        let message = format!("the board is too large: {rows}x{columns} cells within its walls");
        errors.push(Diagnostic::at(span, message).label(format!("at most {MAX_CELLS} cells")));
    }
    is_supported
}

/// Adds the walls and gates listed beside the drawing.
fn mark(board: &mut BlockBoard, walls: &[Spanned<PlaceKeys>], gates: &[Spanned<PlaceKeys>]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for wall in walls {
        match place_on(board, "wall", wall) {
            Ok(place) => match board.pieces.iter().find(|piece| piece.covers(place)) {
                Some(piece) => errors.push(
                    Diagnostic::at(
                        wall.span(),
                        format!("the wall at {:?} is under the piece `{}`", wall.get_ref().0, piece.name),
                    )
                    .label("a piece cannot cover a wall"),
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

/// Returns a place given as row and column.
fn place_on(board: &BlockBoard, what: &str, place: &Spanned<PlaceKeys>) -> Result<Place, Diagnostic> {
    let label = format!("expected a place from [0, 0] to [{}, {}]", board.rows - 1, board.columns - 1);
    match place.get_ref().0[..] {
        [row, column] if row < board.rows && column < board.columns => Ok((row, column)),
        [row, column] => {
            let message = format!("the {what} at [{row}, {column}] is outside the board");
            Err(Diagnostic::at(place.span(), message).label(label))
        }
        [..] => {
            let message = format!("invalid place of a {what}: expected `[row, column]`");
            Err(Diagnostic::at(place.span(), message).help("rows and columns are counted from 0"))
        }
    }
}

fn several(goals: Spanned<Goals>) -> Vec<Spanned<GoalKeys>> {
    let span = goals.span();
    match goals.into_inner() {
        Goals::One(goal) => vec![Spanned::new(span, goal)],
        Goals::Several(goals) => goals,
    }
}

/// Returns the goal's drawing, if it has one.
fn as_drawing(goal: &Spanned<GoalKeys>) -> Option<Spanned<String>> {
    match goal.get_ref() {
        GoalKeys::Drawing(drawing) => Some(Spanned::new(goal.span(), drawing.clone())),
        GoalKeys::Places(_) => None,
    }
}

impl FromToml for Metric {
    fn from_toml(node: Node) -> Option<Metric> {
        node.choice(&[("slide", Metric::Slide), ("step", Metric::Step), ("turn", Metric::Turn)])
    }
}

impl FromToml for Moves {
    fn from_toml(node: Node) -> Option<Moves> {
        node.choice(&[
            ("any", Moves::Any),
            ("horizontal", Moves::Horizontal),
            ("vertical", Moves::Vertical),
            ("lengthwise", Moves::Lengthwise),
            ("none", Moves::None),
        ])
    }
}

impl FromToml for PlaceKeys {
    fn from_toml(node: Node) -> Option<PlaceKeys> {
        match node.value() {
            DeValue::Array(_) => node.read().map(PlaceKeys),
            _ => node.wrong_type("a place `[row, column]`"),
        }
    }
}

impl FromToml for PlacesKeys {
    fn from_toml(node: Node) -> Option<PlacesKeys> {
        match node.value() {
            DeValue::Array(places) if places.iter().any(|place| matches!(place.get_ref(), DeValue::Array(_))) => {
                node.read().map(PlacesKeys)
            }
            DeValue::Array(_) => Some(PlacesKeys(vec![Spanned::new(node.span(), node.read()?)])),
            _ => node.wrong_type("a place `[row, column]`, or for a shape an array of places"),
        }
    }
}

impl FromToml for PieceKeys {
    fn from_toml(node: Node) -> Option<PieceKeys> {
        let keys = node.keys(&["shape", "at", "moves"])?;
        Some(PieceKeys { shape: keys.take("shape"), at: keys.take("at"), moves: keys.take("moves") })
    }
}

impl FromToml for GoalKeys {
    fn from_toml(node: Node) -> Option<GoalKeys> {
        match node.value() {
            DeValue::String(_) => node.read().map(GoalKeys::Drawing),
            DeValue::Table(_) => node.read().map(GoalKeys::Places),
            _ => node.wrong_type("a drawing (a string) or a table of places"),
        }
    }
}

impl FromToml for Goals {
    fn from_toml(node: Node) -> Option<Goals> {
        match node.value() {
            DeValue::String(_) | DeValue::Table(_) => node.read().map(Goals::One),
            DeValue::Array(goals) if goals.is_empty() => {
                let message = format!("`{}` is empty: expected at least one goal", node.key());
                node.refuse(Diagnostic::at(node.span(), message))
            }
            DeValue::Array(_) => node.read().map(Goals::Several),
            _ => node.wrong_type("a drawing (a string), a table of places, or an array of these"),
        }
    }
}

/// Returns the bytes of a name from which on it is a path as moves are written, directions with distances, such as
/// `u1l2`.
fn path_starts(name: &str) -> Vec<usize> {
    let (mut starts, mut end) = (Vec::new(), name.len());
    for (at, byte) in name.bytes().enumerate().rev() {
        match byte {
            b'0'..=b'9' => {}
            // A direction needs a distance, which ends with the name or at the next direction.
            b'u' | b'd' | b'l' | b'r' if at + 1 < end => {
                starts.push(at);
                end = at;
            }
            _ => break,
        }
    }
    starts.reverse();
    starts
}

#[cfg(test)]
mod tests {
    use super::path_starts;

    #[test]
    fn a_name_of_any_length_is_tried_as_another_with_a_path() {
        assert_eq!(path_starts("au1l12"), [1, 3]);
        assert_eq!(path_starts(&format!("a{}", "u1l1".repeat(60))).len(), 120);
        for name in ["a", "a1", "u", "au", "1", ""] {
            assert_eq!(path_starts(name), [0; 0], "{name}");
        }
    }
}
