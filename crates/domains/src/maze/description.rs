//! The keys of a maze, and their validation.

use super::instance::Maze;
use super::map::{Cell, Map, Moves, wrong_size};
use super::map_file;
use crate::diagnostic::{Diagnostic, MOST_SHOWN};
use crate::document::{FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance};
use crate::drawing::Drawing;
use std::ops::Range;
use std::sync::Arc;

/// The values of the keys.
struct Description {
    map: Option<Spanned<String>>,
    map_file: Option<Spanned<String>>,
    start: Option<Spanned<[u32; 2]>>,
    goal: Option<Spanned<[u32; 2]>>,
    moves: Moves,
}

impl FromToml for Moves {
    fn from_toml(node: Node) -> Option<Moves> {
        node.choice(&[("orthogonal", Moves::Orthogonal), ("diagonal", Moves::Diagonal)])
    }
}

/// Reads a maze.
///
/// # Errors
/// Reports every mistake in the keys.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let description = Description {
        map: keys.take("map"),
        map_file: keys.take("map_file"),
        start: keys.take("start"),
        goal: keys.take("goal"),
        moves: keys.take("moves").unwrap_or_default(),
    };
    description.open(file)
}

impl Description {
    fn open(self, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let (map, start, goal) = match (&self.map, &self.map_file) {
            (Some(map), _) => {
                let others = self.beside_a_drawing();
                let read = read_drawing(map, file.source);
                if !others.is_empty() {
                    return Err(others.into_iter().chain(read.err().into_iter().flatten()).collect());
                }
                read?
            }
            (None, Some(path)) => self.listed(path, file)?,
            (None, None) => {
                let tried = ["map", "map_file"].iter().any(|key| file.findings.refused(key));
                let example = "map = \"\"\"\\nS.#\\n..G\\n\"\"\"";
                let missing = file.missing("map", example);
                let help = missing.help.clone().unwrap_or_default() + "; or use `map_file`, `start` and `goal`";
                return Err(if tried { Vec::new() } else { vec![missing.help(help)] });
            }
        };
        Ok(Box::new(Maze::new(Arc::new(map), start, goal, self.moves, self.map.is_some())))
    }

    /// Reports the keys that repeat parts of a drawing.
    fn beside_a_drawing(&self) -> Vec<Diagnostic> {
        let places = [("start", &self.start, "`S`"), ("goal", &self.goal, "`G`")];
        let path = self.map_file.as_ref().map(|path| {
            Diagnostic::at(path.span(), "`map_file` cannot be combined with `map`").label("`map` gives the whole map")
        });
        let place = |(name, place, letter): (&str, &Option<Spanned<[u32; 2]>>, &str)| {
            let message = format!("`{name}` cannot be combined with `map`");
            Some(Diagnostic::at(place.as_ref()?.span(), message).label(format!("the drawing marks it with {letter}")))
        };
        path.into_iter().chain(places.into_iter().filter_map(place)).collect()
    }

    /// Reads a map file, with the start and the goal from the keys.
    fn listed(&self, path: &Spanned<String>, file: &FileContext) -> Result<(Map, Cell, Cell), Vec<Diagnostic>> {
        let opened = file.open(path.get_ref(), path.span(), map_file::A_MAP_FILE);
        let wrong = |message| Diagnostic::at(path.span(), message);
        let map = opened.and_then(|opened| map_file::read(opened).map_err(wrong)).map_err(|error| vec![error]);
        let place = |key: &str, example: &str, place: &Option<Spanned<[u32; 2]>>| {
            let place = file.required(key, example, place.as_ref())?;
            let Ok(map) = &map else { return Err(Vec::new()) };
            on_the_map(map, *place.get_ref()).map_err(|message| vec![Diagnostic::at(place.span(), message)])
        };
        let start = place("start", "start = [0, 0]", &self.start);
        let goal = place("goal", "goal = [9, 9]", &self.goal);
        match (start, goal) {
            (Ok(start), Ok(goal)) => map.map(|map| (map, start, goal)),
            (start, goal) => Err([map.err(), start.err(), goal.err()].into_iter().flatten().flatten().collect()),
        }
    }
}

/// Returns the open cell at a row and column.
///
/// # Errors
/// Returns a message if it is outside the map, or a wall.
pub(super) fn on_the_map(map: &Map, [row, column]: [u32; 2]) -> Result<Cell, String> {
    if row >= map.rows || column >= map.columns {
        return Err(format!("[{row}, {column}] is outside the map of {} rows and {} columns", map.rows, map.columns));
    }
    let cell = map.cell(row, column);
    if map.is_open(cell) { Ok(cell) } else { Err(format!("[{row}, {column}] is a wall")) }
}

/// No cost: what is drawn is neither a wall nor a floor.
const OTHER: u8 = u8::MAX;

/// The cost of entering a cell, by the byte that draws it; 0 for a wall. A table, because walls cannot be predicted, and
/// a branch that is predicted wrongly takes longer.
static COSTS: [u8; 256] = {
    let mut costs = [OTHER; 256];
    costs[b'#' as usize] = 0;
    costs[b'.' as usize] = 1;
    let mut cost = 1;
    while cost <= 9 {
        costs[(b'0' + cost) as usize] = cost;
        cost += 1;
    }
    costs
};

/// Reads a drawing with one `S` and one `G`.
fn read_drawing(text: &Spanned<String>, source: &str) -> Result<(Map, Cell, Cell), Vec<Diagnostic>> {
    let drawing = Drawing::of_characters(text, source)?;
    let (rows, columns) = (drawing.height(), drawing.width());
    if let Some(message) = wrong_size(rows as u64, columns as u64) {
        return Err(vec![Diagnostic::at(drawing.span(), message)]);
    }
    let mut map = Map::new(columns as u32, rows as u32);
    let mut line = Vec::with_capacity(columns);
    let mut ends: [Option<(Cell, [usize; 2])>; 2] = [None, None];
    let mut errors = Vec::new();
    for (row, column, cell) in drawing.cells() {
        line.push(match cell.text.as_bytes() {
            &[byte] if COSTS[usize::from(byte)] != OTHER => COSTS[usize::from(byte)],
            [letter @ (b'S' | b'G')] => {
                let end = usize::from(*letter == b'G');
                match &mut ends[end] {
                    Some((_, first)) => errors.push(twice(*letter, *first, cell.span())),
                    end => *end = Some((map.cell(row as u32, column as u32), [row, column])),
                }
                1
            }
            _ => {
                errors.push(no_cell(cell.text, cell.span()));
                0
            }
        });
        if line.len() == columns {
            map.add(line.drain(..));
        }
        if errors.len() == MOST_SHOWN {
            return Err(errors);
        }
    }
    for (end, message) in
        ends.iter().zip(["missing start: mark one cell with `S`", "missing goal: mark one cell with `G`"])
    {
        if end.is_none() {
            errors.push(Diagnostic::at(drawing.span(), message));
        }
    }
    match (ends, errors.is_empty()) {
        ([Some((start, _)), Some((goal, _))], true) => Ok((map.close(), start, goal)),
        _ => Err(errors),
    }
}

fn twice(letter: u8, [row, column]: [usize; 2], span: Range<usize>) -> Diagnostic {
    let name = if letter == b'S' { "start" } else { "goal" };
    let letter = char::from(letter);
    Diagnostic::at(span, format!("the map has a second {name}"))
        .label(format!("the first `{letter}` is at [{row}, {column}]"))
}

fn no_cell(text: &str, span: Range<usize>) -> Diagnostic {
    let suggestion = match text {
        "s" => "did you mean `S`, the start? ",
        "g" => "did you mean `G`, the goal? ",
        "0" => "a cost is at least 1. ",
        _ => "",
    };
    Diagnostic::at(span, format!("invalid cell `{text}`")).label(format!(
        "{suggestion}expected `#` (wall), `.` (floor), `S` (start), `G` (goal) or 1 to 9 (cost of entering)"
    ))
}
