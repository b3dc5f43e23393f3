//! The keys of a maze, and their validation.

use super::cell::Cell;
use super::instance::Maze;
use super::legend::{Legend, OTHER};
use super::map::{Corners, MOST_TOTAL, Map, Moves, wrong_size};
use super::{map_file, own};
use crate::diagnostic::{Diagnostic, MOST_SHOWN, keep};
use crate::document::{DeValue, FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance};
use crate::drawing::{self, Drawing};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The values of the keys.
struct Description {
    map: Option<Spanned<String>>,
    map_file: Option<Spanned<String>>,
    fences: Option<Spanned<String>>,
    start: Option<Spanned<[u32; 2]>>,
    goal: Option<Spanned<Goals>>,
    moves: Moves,
    corners: Option<Spanned<Corners>>,
    legend: Legend,
}

/// The value of `goal`: a place, or several.
struct Goals(Vec<Spanned<[u32; 2]>>);

impl FromToml for Goals {
    fn from_toml(node: Node) -> Option<Goals> {
        let is_list = |items: &[Spanned<DeValue>]| items.first().is_some_and(|first| first.get_ref().is_array());
        match node.value() {
            DeValue::Array(items) if is_list(items) => node.read().map(Goals),
            _ => node.read().map(|place| Goals(vec![place])),
        }
    }
}

impl FromToml for Corners {
    fn from_toml(node: Node) -> Option<Corners> {
        node.choice(&[("none", Corners::None), ("one", Corners::One), ("any", Corners::Any)])
    }
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
    let (legend, errors) = match Legend::read(keys) {
        Ok(legend) => (legend, Vec::new()),
        Err(errors) => (Legend::standard(), errors),
    };
    let description = Description {
        map: keys.take("map"),
        map_file: keys.take("map_file"),
        fences: keys.take("fences"),
        start: keys.take("start"),
        goal: keys.take("goal"),
        moves: keys.take("moves").unwrap_or_default(),
        corners: keys.take("corners"),
        legend,
    };
    // Characters of a wrong legend would be reported again wherever the map has them.
    if errors.is_empty() { description.open(keys, file) } else { Err(errors) }
}

impl Description {
    fn open(self, keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let (mut map, start, goals) = match (&self.map, &self.map_file) {
            (Some(map), _) => {
                let others = self.beside_a_drawing();
                let read = read_drawing(map, file.source, &self.legend);
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
        if let Some(corners) = &self.corners {
            if self.moves == Moves::Orthogonal && *corners.get_ref() != Corners::None {
                let message = "`corners` needs diagonal moves";
                return Err(vec![Diagnostic::at(corners.span(), message).help("add `moves = \"diagonal\"`")]);
            }
            map.corners = *corners.get_ref();
        }
        if let Some(fences) = &self.fences {
            let fences = drawing::fences::read(fences, file.source, (map.rows as usize, map.columns as usize))?;
            map.fences = (!fences.is_empty()).then(|| Arc::new(fences));
        }
        self.join_portals(&mut map)?;
        self.check_total(&map)?;
        let own = own::read_all(keys, file, &map, start, &goals)?;
        Ok(Box::new(Maze::new(Arc::new(map), start, goals, self.moves, self.map.is_some()).with_own(own)))
    }

    /// Joins the two cells of each portal.
    fn join_portals(&self, map: &mut Map) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for (character, span) in &self.legend.portals {
            let kind = self.legend.numbers[usize::from(*character)];
            let cells: Vec<Cell> = map.cells_of(kind).take(3).collect();
            let found = match cells[..] {
                // Like a character of `costs` that is nowhere: a pair may be removed from the map alone.
                [] => continue,
                [one, other] => {
                    map.join(kind, [one, other]);
                    continue;
                }
                [_] => "only one cell",
                _ => "more than two cells",
            };
            let message = format!("the portal `{}` is on {found} of the map", char::from(*character));
            let error = Diagnostic::at(span.clone(), message).label("a portal joins exactly two cells");
            errors.push(error.help(RULES));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Checks that the lengths of paths stay exact.
    fn check_total(&self, map: &Map) -> Result<(), Vec<Diagnostic>> {
        let Some(span) = &self.legend.costs else { return Ok(()) };
        let total: u64 = map.cells.iter().map(|&kind| u64::from(map.kinds[usize::from(kind)].cost)).sum();
        if total <= MOST_TOTAL {
            return Ok(());
        }
        let message = format!("the costs of all cells add up to {total}: at most {MOST_TOTAL} are allowed");
        Err(vec![Diagnostic::at(span.clone(), message).help("divide all costs by a common factor")])
    }

    /// Reports the keys that repeat parts of a drawing.
    fn beside_a_drawing(&self) -> Vec<Diagnostic> {
        let [start, goal] = [self.start.as_ref().map(Spanned::span), self.goal.as_ref().map(Spanned::span)];
        let path = self.map_file.as_ref().map(|path| {
            Diagnostic::at(path.span(), "`map_file` cannot be combined with `map`").label("`map` gives the whole map")
        });
        let place = |(name, span, letter): (&str, Option<Range<usize>>, &str)| {
            let message = format!("`{name}` cannot be combined with `map`");
            Some(Diagnostic::at(span?, message).label(format!("the drawing marks it with {letter}")))
        };
        let places = [("start", start, "`S`"), ("goal", goal, "`G`")];
        path.into_iter().chain(places.into_iter().filter_map(place)).collect()
    }

    /// Reads a map file, with the start and the goals from the keys.
    fn listed(&self, path: &Spanned<String>, file: &FileContext) -> Result<(Map, Cell, Vec<Cell>), Vec<Diagnostic>> {
        let opened = file.open(path.get_ref(), path.span(), map_file::A_MAP_FILE);
        let wrong = |message| Diagnostic::at(path.span(), message);
        let map =
            opened.and_then(|opened| map_file::read(opened, &self.legend).map_err(wrong)).map_err(|error| vec![error]);
        let places = |key: &str, example: &str, places: Option<&[Spanned<[u32; 2]>]>| {
            let places = file.required(key, example, places)?;
            let Ok(map) = &map else { return Err(Vec::new()) };
            let (mut cells, mut seen, mut errors) = (Vec::new(), HashSet::new(), Vec::new());
            for place in places {
                match on_the_map(map, *place.get_ref()) {
                    Ok(cell) if seen.insert(cell) => cells.push(cell),
                    Ok(_) => keep(&mut errors, || {
                        Diagnostic::at(place.span(), format!("a second goal at {:?}", place.get_ref()))
                            .label("name each goal once")
                    }),
                    Err(message) => keep(&mut errors, || Diagnostic::at(place.span(), message)),
                }
            }
            if errors.is_empty() { Ok(cells) } else { Err(errors) }
        };
        let start = places("start", "start = [0, 0]", self.start.as_ref().map(std::slice::from_ref));
        let goals = places("goal", "goal = [9, 9]", self.goal.as_ref().map(|goals| &*goals.get_ref().0));
        match (start, goals) {
            (Ok(start), Ok(goals)) => map.map(|map| (map, start[0], goals)),
            (start, goals) => Err([map.err(), start.err(), goals.err()].into_iter().flatten().flatten().collect()),
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

/// The advice for mazes with more than this domain has.
const RULES: &str =
    "one-way doors, keys, ice, and portals of another kind need `domain = \"rules\"`: see docs/cookbook.md";

/// Reads a drawing with one `S` and at least one `G`.
fn read_drawing(
    text: &Spanned<String>,
    source: &str,
    legend: &Legend,
) -> Result<(Map, Cell, Vec<Cell>), Vec<Diagnostic>> {
    let drawing = Drawing::of_characters(text, source)?;
    let (rows, columns) = (drawing.height(), drawing.width());
    if let Some(message) = wrong_size(rows as u64, columns as u64) {
        return Err(vec![Diagnostic::at(drawing.span(), message)]);
    }
    let mut map = Map::new(columns as u32, rows as u32);
    map.kinds.clone_from(&legend.kinds);
    let mut line = Vec::with_capacity(columns);
    let (mut start, mut goals) = (None, Vec::new());
    let mut errors = Vec::new();
    for (row, column, cell) in drawing.cells() {
        line.push(match cell.text.as_bytes() {
            &[byte] if legend.numbers[usize::from(byte)] != OTHER => legend.numbers[usize::from(byte)],
            b"S" => {
                match start {
                    Some((_, first)) => errors.push(second_start(first, cell.span())),
                    None => start = Some((map.cell(row as u32, column as u32), [row, column])),
                }
                1
            }
            b"G" => {
                goals.push(map.cell(row as u32, column as u32));
                1
            }
            _ => {
                errors.push(no_cell(cell.text, cell.span(), legend));
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
    if start.is_none() {
        errors.push(Diagnostic::at(drawing.span(), "missing start: mark one cell with `S`"));
    }
    if goals.is_empty() {
        errors.push(Diagnostic::at(drawing.span(), "missing goal: mark one cell with `G`"));
    }
    match (start, errors.is_empty()) {
        (Some((start, _)), true) => Ok((map.close(), start, goals)),
        _ => Err(errors),
    }
}

fn second_start([row, column]: [usize; 2], span: Range<usize>) -> Diagnostic {
    Diagnostic::at(span, "the map has a second start").label(format!("the first `S` is at [{row}, {column}]"))
}

fn no_cell(text: &str, span: Range<usize>, legend: &Legend) -> Diagnostic {
    let suggestion = match text {
        "s" => "did you mean `S`, the start? ",
        "g" => "did you mean `G`, the goal? ",
        "0" => "a cost is at least 1. ",
        _ => "",
    };
    let others = match legend.others() {
        others if others.is_empty() => String::new(),
        others => format!(", or {others}"),
    };
    let error = Diagnostic::at(span, format!("invalid cell `{text}`")).label(format!(
        "{suggestion}expected `#` (wall), `.` (floor), `S` (start), `G` (goal) or 1 to 9 (cost of entering){others}"
    ));
    let is_for_a_legend = matches!(text.as_bytes(), [byte] if byte.is_ascii_graphic() && !matches!(byte, b's' | b'g'));
    let help = "name other characters in `costs` (`[costs]` with `{} = 12`) or `portals`; doors, keys and ice need \
                `domain = \"rules\"`: see docs/cookbook.md";
    if is_for_a_legend { error.help(help.replace("{}", &quoted(text))) } else { error }
}

/// Returns a character as a key of TOML.
fn quoted(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
        text.to_owned()
    } else if text.contains(['"', '\\']) {
        format!("'{text}'")
    } else {
        format!("\"{text}\"")
    }
}
