//! The keys of a sliding-tile puzzle, and their validation.

use super::board::{Tile, TileBoard, TileGoal};
use super::board_file::Wrong;
use super::grouping::Grouping;
use super::heuristic::own as heuristic;
use super::listing::{Listing, wrong_size};
use super::scramble::MOST_SCRAMBLE_MOVES;
use super::surface::Surface;
use super::{Metric, Tiles, board_file, grouping};
use crate::diagnostic::{Diagnostic, keep, unknown_name};
use crate::document::{FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance, OWN_HEURISTICS, OwnHeuristic, own_heuristics};
use crate::drawing::Drawing;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The greatest number of cells of a packed board.
const MAX_PACKED: u32 = 25;

/// The values of the keys.
struct SlidingTile {
    start: Option<Spanned<String>>,
    start_file: Option<Spanned<String>>,
    rows: Option<Spanned<u32>>,
    columns: Option<Spanned<u32>>,
    scramble: Option<Spanned<Scramble>>,
    goal: Option<Spanned<String>>,
    surface: Surface,
    metric: Option<Spanned<Metric>>,
    representation: Option<Spanned<Representation>>,
    pattern_database: Option<Spanned<Grouping>>,
}

/// The value of `scramble`.
struct Scramble {
    moves: Option<u32>,
    seed: Option<u64>,
}

#[derive(Clone, Copy)]
enum Representation {
    Auto,
    Packed,
    Array,
}

impl FromToml for Scramble {
    fn from_toml(node: Node) -> Option<Scramble> {
        let keys = node.keys(&["moves", "seed"])?;
        Some(Scramble { moves: keys.take("moves"), seed: keys.take("seed") })
    }
}

impl FromToml for Surface {
    fn from_toml(node: Node) -> Option<Surface> {
        node.choice(&Surface::ALL.map(|surface| (surface.name(), surface)))
    }
}

impl FromToml for Metric {
    fn from_toml(node: Node) -> Option<Metric> {
        node.choice(&[("single", Metric::Single), ("multi", Metric::Multi)])
    }
}

impl FromToml for Representation {
    fn from_toml(node: Node) -> Option<Representation> {
        use Representation::*;
        node.choice(&[("auto", Auto), ("packed", Packed), ("array", Array)])
    }
}

/// Reads a board.
///
/// # Errors
/// Reports every mistake in the keys.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let description = SlidingTile {
        start: keys.take("start"),
        start_file: keys.take("start_file"),
        rows: keys.take("rows"),
        columns: keys.take("columns"),
        scramble: keys.take("scramble"),
        goal: keys.take("goal"),
        surface: keys.take("surface").unwrap_or_default(),
        metric: keys.take("metric"),
        representation: keys.take("representation"),
        pattern_database: keys.take("pattern_database"),
    };
    description.open(keys, file)
}

impl SlidingTile {
    fn open(self, keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let start = self.start(file);
        let goal = self
            .goal
            .as_ref()
            .map_or(Ok(GoalDescription::Named(TileGoal::BlankLast)), |goal| read_goal(goal, file.source));
        let metric = self.metric();
        let (start, goal, metric) = match (start, goal, metric) {
            (Ok(start), Ok(goal), Ok(metric)) => (start, goal, metric),
            (start, goal, metric) => {
                let errors = [start.err(), goal.err(), metric.err()];
                return Err(errors.into_iter().flatten().flatten().collect());
            }
        };
        let (rows, columns) = start.size();
        let goal = match goal {
            GoalDescription::Named(goal) => Ok(goal),
            GoalDescription::Drawn(goal, _) if (goal.rows, goal.columns) == (rows, columns) => {
                Ok(TileGoal::listed(goal.tiles))
            }
            GoalDescription::Drawn(goal, span) => {
                let message = format!("the goal is {}x{}, but the start is {rows}x{columns}", goal.rows, goal.columns);
                Err(vec![Diagnostic::at(span, message).label(format!("expected {rows}x{columns}"))])
            }
        };
        let (goal, packed) = match (goal, is_packed(self.representation.as_ref(), rows * columns)) {
            (Ok(goal), Ok(packed)) => (goal, packed),
            (goal, packed) => return Err([goal.err(), packed.err()].into_iter().flatten().flatten().collect()),
        };
        let (start, scramble) = match start {
            Start::Listed(listing) => (listing.tiles, None),
            Start::Scrambled { moves, seed, .. } => (Vec::new(), Some((moves, seed))),
        };
        let frame = TileBoard { rows, columns, surface: self.surface, start, goal };
        let grouping = self.pattern_database.as_ref();
        let partition = grouping.map(|grouping| grouping::read(grouping, &frame, file.source)).transpose()?;
        let frame = Arc::new(frame);
        let mut tiles = Tiles {
            frame,
            scramble,
            has_drawing: self.start.is_some(),
            board: OnceLock::new(),
            metric,
            packed,
            partition,
            walking: OnceLock::new(),
            own: Vec::new(),
        };
        // A large board is made when it is needed.
        if tiles.is_drawn() {
            tiles.make_board(file.context);
        }
        tiles.own = own(keys, file, &tiles)?;
        Ok(Box::new(tiles))
    }
}

/// The start that the file describes.
enum Start {
    Listed(Listing),
    Scrambled { rows: u32, columns: u32, moves: Option<u32>, seed: u64 },
}

impl Start {
    fn size(&self) -> (u32, u32) {
        match self {
            Start::Listed(listing) => (listing.rows, listing.columns),
            Start::Scrambled { rows, columns, .. } => (*rows, *columns),
        }
    }
}

/// The number of bytes for each cell while a board is built.
const CELL_BYTES: u64 = 8;

impl SlidingTile {
    /// Reads the start from whichever keys describe it.
    fn start(&self, file: &FileContext) -> Result<Start, Vec<Diagnostic>> {
        let drawn = self.start.as_ref().map(|start| ("start", start.span()));
        let listed = self.start_file.as_ref().map(|path| ("start_file", path.span()));
        let rows = self.rows.as_ref().map(|rows| ("rows", rows.span()));
        let columns = self.columns.as_ref().map(|columns| ("columns", columns.span()));
        let scramble = self.scramble.as_ref().map(|scramble| ("scramble", scramble.span()));
        let whole = drawn.is_some() || listed.is_some();
        let given: Vec<(&str, Range<usize>)> = [drawn, listed, scramble, rows, columns].into_iter().flatten().collect();
        if let ([(first, _), others @ ..], true) = (&given[..], whole)
            && !others.is_empty()
        {
            let beside = |(name, span): &(&str, Range<usize>)| {
                Diagnostic::at(span.clone(), format!("`{name}` cannot be combined with `{first}`"))
                    .label(format!("`{first}` gives the whole board"))
                    .help("give the start in one of three ways: `start`; `start_file`; or `rows`, `columns` and `scramble`")
            };
            return Err(others.iter().map(beside).collect());
        }
        match (&self.start, &self.start_file) {
            (Some(start), _) => Ok(Start::Listed(read_board(start, file.source)?)),
            (None, Some(path)) => {
                let wrong = |message| Diagnostic::at(path.span(), message);
                let opened =
                    file.open_stream(path.get_ref(), path.span(), "a board file").map_err(|error| vec![error])?;
                let read = board_file::read(opened, |cells| file.declare_memory(cells * CELL_BYTES, &path.span()));
                read.map(Start::Listed).map_err(|error| match error {
                    Wrong::Mistakes(mistakes) => mistakes.into_iter().map(wrong).collect(),
                    Wrong::TooLarge(error) => vec![error],
                })
            }
            (None, None) if given.is_empty() => {
                // If one of the keys was present but refused, the error is reported already.
                let choices = ["start", "start_file", "rows", "columns", "scramble"];
                let tried = choices.iter().any(|key| file.findings.refused(key));
                let missing = || file.missing("start", "start = \"\"\"\\n1 2\\n3 0\\n\"\"\"");
                let or = "; or use `start_file`, or `rows`, `columns` and `scramble`";
                let missing = || missing().help(missing().help.unwrap_or_default() + or);
                Err(if tried { Vec::new() } else { vec![missing()] })
            }
            (None, None) => self.scrambled(file),
        }
    }

    /// Reads the start from `rows`, `columns` and `scramble`, of which at least one is present.
    fn scrambled(&self, file: &FileContext) -> Result<Start, Vec<Diagnostic>> {
        let rows = file.required("rows", "rows = 4", self.rows.as_ref());
        let columns = file.required("columns", "columns = 4", self.columns.as_ref());
        let example = "scramble = { moves = 100, seed = 7 }";
        let scramble = file.required("scramble", example, self.scramble.as_ref()).and_then(|scramble| {
            let Scramble { moves, seed } = *scramble.get_ref();
            let scramble_span = scramble.span();
            if let Some(moves) = moves.filter(|&moves| moves > MOST_SCRAMBLE_MOVES) {
                let message = format!("invalid value `{moves}` for `moves`: expected at most {MOST_SCRAMBLE_MOVES}");
                let help = "leave `moves` out to draw the start from all solvable positions";
                return Err(vec![Diagnostic::at(scramble_span, message).help(help)]);
            }
            seed.map(|seed| (moves, seed)).ok_or_else(|| {
                let refused = file.findings.refused("scramble.seed");
                let missing = Diagnostic::at(scramble.span(), "missing key `seed` in `scramble`");
                if refused { Vec::new() } else { vec![missing.help(format!("for example: {example}"))] }
            })
        });
        let too_large = |rows: &Spanned<u32>, columns: &Spanned<u32>| {
            let message = wrong_size(u64::from(*rows.get_ref()), u64::from(*columns.get_ref()))?;
            let first_is_right = wrong_size(u64::from(*rows.get_ref()), 1).is_none();
            Some(Diagnostic::at(if first_is_right { columns.span() } else { rows.span() }, message))
        };
        match (rows, columns, scramble) {
            (Ok(rows), Ok(columns), scramble) => match (too_large(rows, columns), scramble) {
                (None, Ok((moves, seed))) => {
                    let cells = u64::from(*rows.get_ref()) * u64::from(*columns.get_ref());
                    file.declare_memory(cells * CELL_BYTES, &rows.span()).map_err(|error| vec![error])?;
                    Ok(Start::Scrambled { rows: *rows.get_ref(), columns: *columns.get_ref(), moves, seed })
                }
                (size, scramble) => Err(size.into_iter().chain(scramble.err().into_iter().flatten()).collect()),
            },
            (rows, columns, scramble) => {
                Err([rows.err(), columns.err(), scramble.err()].into_iter().flatten().flatten().collect())
            }
        }
    }

    /// Returns the metric, if the surface supports it.
    fn metric(&self) -> Result<Metric, Vec<Diagnostic>> {
        match self.metric.as_ref().map(|metric| (*metric.get_ref(), metric.span())) {
            Some((Metric::Multi, span)) if self.surface != Surface::Plane => Err(vec![
                Diagnostic::at(span, "the metric `multi` needs the surface `plane`")
                    .label(format!("on the surface `{}`, rows and columns have no ends", self.surface.name()))
                    .help("use the metric `single`, or leave `surface` out"),
            ]),
            metric => Ok(metric.map_or(Metric::Single, |(metric, _)| metric)),
        }
    }
}

/// Reads the heuristics of the file.
fn own(keys: &Keys, file: &FileContext, tiles: &Tiles) -> Result<Vec<Arc<OwnHeuristic>>, Vec<Diagnostic>> {
    let Some(span) = keys.span(OWN_HEURISTICS.name) else { return Ok(Vec::new()) };
    let frame = &tiles.frame;
    if frame.cells() > heuristic::MOST_CELLS {
        let message = format!("a board of more than {} cells has no heuristics of its own", heuristic::MOST_CELLS);
        return Err(vec![Diagnostic::at(span, message).help("leave them out")]);
    }
    let vocabulary = heuristic::vocabulary(frame);
    // Without a board, a limit ended making it.
    let Some(board) = tiles.board.get() else { return own_heuristics(keys, file, &vocabulary, None) };
    let cells = heuristic::cells(&board.start);
    let start = |function: usize, arguments: &[i64]| heuristic::read(board, &cells, &board.start, function, arguments);
    own_heuristics(keys, file, &vocabulary, Some(&start))
}

/// Reads a drawing of all tiles, each once.
fn read_board(text: &Spanned<String>, source: &str) -> Result<Listing, Vec<Diagnostic>> {
    let drawing = Drawing::of_words(text, source)?;
    let (rows, columns) = (drawing.height(), drawing.width());
    if let Some(message) = wrong_size(rows as u64, columns as u64) {
        return Err(vec![Diagnostic::at(drawing.span(), message)]);
    }
    // The least number of digits that no tile of one column has.
    let too_long = rows.to_string().len() + 1;
    if let Some((_, _, cell)) =
        drawing.cells().next().filter(|(_, _, cell)| columns == 1 && cell.text.len() >= too_long)
    {
        let error = Diagnostic::at(cell.span(), format!("`{}` is one tile", cell.text));
        return Err(vec![error.help("separate the tiles of a row by spaces, such as `1 2 3`")]);
    }
    let mut board = Listing::new(rows as u32, columns as u32, rows * columns);
    let mut errors = Vec::new();
    for (_, _, cell) in drawing.cells() {
        if let Err(wrong) = board.add(cell.text) {
            keep(&mut errors, || Diagnostic::at(cell.span(), wrong.message).label(wrong.label));
        }
    }
    match errors.first_mut() {
        None => Ok(board),
        Some(first) => {
            first.help = board.missing();
            Err(errors)
        }
    }
}

/// A goal that the file describes.
enum GoalDescription {
    Named(TileGoal),
    Drawn(Listing, Range<usize>),
}

/// Reads a goal, given by name or drawn.
fn read_goal(text: &Spanned<String>, source: &str) -> Result<GoalDescription, Vec<Diagnostic>> {
    match text.get_ref().trim() {
        "blank-last" => Ok(GoalDescription::Named(TileGoal::BlankLast)),
        "blank-first" => Ok(GoalDescription::Named(TileGoal::BlankFirst)),
        name if name.starts_with(char::is_alphabetic) && !name.contains(char::is_whitespace) => {
            let help = unknown_name(name, ["blank-last", "blank-first"]) + ", or a drawing of the board";
            Err(vec![Diagnostic::at(text.span(), format!("invalid value `{name}` for `goal`")).help(help)])
        }
        _ => Ok(GoalDescription::Drawn(read_board(text, source)?, text.span())),
    }
}

/// Returns whether a board of this size is packed.
fn is_packed(requested: Option<&Spanned<Representation>>, cells: Tile) -> Result<bool, Vec<Diagnostic>> {
    match requested.map(|requested| (*requested.get_ref(), requested.span())) {
        None | Some((Representation::Auto, _)) => Ok(cells <= MAX_PACKED),
        Some((Representation::Array, _)) => Ok(false),
        Some((Representation::Packed, _)) if cells <= MAX_PACKED => Ok(true),
        Some((Representation::Packed, span)) => {
            let message = format!("a board of {cells} cells is too large for `packed`");
            Err(vec![Diagnostic::at(span, message).label(format!("at most {MAX_PACKED} cells; use `auto` or `array`"))])
        }
    }
}
