//! What a puzzle file says of sliding tiles, and the validated board that it means.

use super::Tiles;
use super::board::{Board, Goal, Tile};
use super::surface::Surface;
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::domain::{Domain, FileContext, Instance};
use crate::drawing::Drawing;
use serde::Deserialize;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// The most cells of a packed board.
const MAX_PACKED: usize = 25;

/// The keys of a file, as they stand there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlidingTile {
    start: Option<Spanned<String>>,
    goal: Option<Spanned<String>>,
    #[serde(default)]
    surface: Surface,
    #[serde(default, rename = "metric")]
    _metric: Metric,
    representation: Option<Spanned<Representation>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Metric {
    #[default]
    Single,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Representation {
    Auto,
    Packed,
    Array,
}

#[typetag::deserialize(name = "sliding-tile")]
impl Domain for SlidingTile {
    fn open(self: Box<Self>, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let start = file.required("start", "start = \"\"\"\\n1 2\\n3 0\\n\"\"\"", self.start);
        let start = start.and_then(|start| read_board(&start, file.source));
        let goal = self.goal.as_ref().map_or(Ok(Wanted::Named(Goal::BlankLast)), |goal| read_goal(goal, file.source));
        let (start, goal) = match (start, goal) {
            (Ok(start), Ok(goal)) => (start, goal),
            (start, goal) => return Err([start.err(), goal.err()].into_iter().flatten().flatten().collect()),
        };
        let goal = match goal {
            Wanted::Named(goal) => goal,
            Wanted::Drawn(goal, _) if (goal.rows, goal.columns) == (start.rows, start.columns) => {
                Goal::listed(goal.tiles)
            }
            Wanted::Drawn(goal, span) => {
                let message =
                    format!("the goal is {}x{}, the start {}x{}", goal.rows, goal.columns, start.rows, start.columns);
                return Err(vec![Diagnostic::at(span, message).label("both must have the same rows and columns")]);
            }
        };
        let (rows, columns) = (start.rows as u32, start.columns as u32);
        let board = Board { rows, columns, surface: self.surface, start: start.tiles, goal };
        let packed = packs(self.representation.as_ref(), board.start.len())?;
        Ok(Box::new(Tiles { board: Arc::new(board), packed }))
    }
}

/// A board as it is drawn.
struct Drawn {
    rows: usize,
    columns: usize,
    tiles: Vec<Tile>,
}

/// A drawing of every tile, each once.
fn read_board(text: &Spanned<String>, source: &str) -> Result<Drawn, Vec<Diagnostic>> {
    let drawing = Drawing::of_words(text, source)?;
    let (rows, columns) = (drawing.height(), drawing.width());
    let cells = rows * columns;
    let mut errors = Vec::new();
    let mut tiles: Vec<Tile> = Vec::with_capacity(cells);
    let mut seen = vec![false; cells];
    for (_, _, cell) in drawing.cells() {
        let at_cell = |message: String| Diagnostic::at(cell.span.clone(), message);
        let tile = if cell.text == "." { Some(0) } else { number(cell.text) };
        match tile.map(|tile| (tile, usize::try_from(tile).ok().and_then(|tile| seen.get_mut(tile)))) {
            None => errors.push(
                at_cell(format!("`{}` is no tile", cell.text))
                    .label("tiles are whole numbers, the blank is `0` or `.`"),
            ),
            Some((_, None)) if cells == 1 => errors.push(
                at_cell("a board of one cell has no tiles".to_owned()).label("the blank, `0` or `.`, would be right"),
            ),
            Some((_, None)) => errors.push(
                at_cell(format!("tile {} is out of range", cell.text))
                    .label(format!("tiles are 1 to {} on {rows}x{columns} cells", cells - 1)),
            ),
            Some((tile, Some(seen))) => {
                tiles.push(tile as Tile);
                if std::mem::replace(seen, true) {
                    let name = if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") };
                    errors.push(at_cell(format!("{name} stands here a second time")));
                }
            }
        }
    }
    if errors.is_empty() {
        return Ok(Drawn { rows, columns, tiles });
    }
    let missing: Vec<String> = (0..cells).filter(|&tile| !seen[tile]).map(|tile| tile.to_string()).collect();
    if let (Some(first), false) = (errors.first_mut(), missing.is_empty()) {
        let more = if missing.len() > 8 { ", …" } else { "" };
        let names = missing[..missing.len().min(8)].join(", ");
        first.help = Some(format!("missing so far: {names}{more} (0 is the blank)"));
    }
    Err(errors)
}

/// A number of any length that fits, without sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().unwrap_or(u64::MAX))
}

/// A goal as the file says it.
enum Wanted {
    Named(Goal),
    Drawn(Drawn, Range<usize>),
}

/// A goal by its name, or drawn.
fn read_goal(text: &Spanned<String>, source: &str) -> Result<Wanted, Vec<Diagnostic>> {
    match text.get_ref().trim() {
        "blank-last" => Ok(Wanted::Named(Goal::BlankLast)),
        "blank-first" => Ok(Wanted::Named(Goal::BlankFirst)),
        name if name.starts_with(char::is_alphabetic) && !name.contains(char::is_whitespace) => {
            let help = unknown_name(name, ["blank-last", "blank-first"]) + ", or a drawing of the board";
            Err(vec![Diagnostic::at(text.span(), format!("there is no goal `{name}`")).help(help)])
        }
        _ => Ok(Wanted::Drawn(read_board(text, source)?, text.span())),
    }
}

/// Whether a board of this size is to be packed.
fn packs(wish: Option<&Spanned<Representation>>, cells: usize) -> Result<bool, Vec<Diagnostic>> {
    match wish.map(|wish| (*wish.get_ref(), wish.span())) {
        None | Some((Representation::Auto, _)) => Ok(cells <= MAX_PACKED),
        Some((Representation::Array, _)) => Ok(false),
        Some((Representation::Packed, _)) if cells <= MAX_PACKED => Ok(true),
        Some((Representation::Packed, span)) => {
            let message = format!("a board of {cells} cells cannot be packed");
            Err(vec![Diagnostic::at(span, message).label(format!("`packed` holds up to {MAX_PACKED} cells"))])
        }
    }
}
