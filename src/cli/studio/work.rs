//! Work on a drawing in a child process: the cells and the palette of a puzzle, and the text after cells were painted.

use crate::cli::failure::{Ended, Failure};
use crate::cli::output::print_json;
use crate::cli::{Status, wall};
use crate::diagnostic::{Diagnostic, Report};
use crate::editing::{Canvas, CellSymbol, Place};
use crate::puzzle::{Loading, Puzzle};
use crate::search::Limits;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::time::Duration;

/// The limits of the work.
const TIME: Duration = Duration::from_secs(5);
const MEMORY: u64 = 1 << 30;

/// A kind of work.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum WorkKind {
    /// The text of a puzzle on standard input: its cells and its palette.
    Canvas,
    /// A text with changes on standard input: the new text, with its cells.
    Paint,
}

/// The changes of a drawing.
#[derive(Deserialize)]
struct Paint {
    text: String,
    /// The drawing, the cell and the symbol of each change, in their order.
    set: Vec<(usize, usize, usize)>,
}

/// A drawing for the page.
#[derive(Serialize)]
struct Sheet {
    key: String,
    rows: usize,
    columns: usize,
    symbols: Vec<SymbolRow>,
    /// The symbol of each cell.
    cells: Vec<u16>,
}

/// A symbol for the page.
#[derive(Serialize)]
struct SymbolRow {
    text: String,
    parts: Vec<String>,
}

/// The answer.
#[derive(Serialize)]
struct Answer {
    sheets: Vec<Sheet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl WorkKind {
    pub fn run(self) -> Ended {
        let limits = Limits { time: Some(TIME), resident: Some(MEMORY), ..Limits::default() };
        let mut input = String::new();
        io::stdin().read_to_string(&mut input)?;
        wall::behind("work", "-", &limits, || {
            let answer = match self {
                WorkKind::Canvas => {
                    let puzzle = read(&input, &limits)?;
                    Answer { sheets: sheets(&Canvas::of(&puzzle)?), text: None }
                }
                WorkKind::Paint => painted(&input, &limits)?,
            };
            print_json(&answer)?;
            Ok::<_, Failure>(Status::Good)
        })
    }
}

/// Reads a puzzle that is still being written: it has no name.
fn read(text: &str, limits: &Limits) -> Result<Puzzle, Report> {
    Loading { limits: limits.clone(), ..Loading::default() }.parse(text, "-")
}

/// Changes cells, and returns the new text.
fn painted(input: &str, limits: &Limits) -> Result<Answer, Failure> {
    let Paint { text, set } = serde_json::from_str(input).map_err(io::Error::other)?;
    let puzzle = read(&text, limits)?;
    let mut canvas = Canvas::of(&puzzle)?;
    for (sheet, cell, symbol) in set {
        let (place, symbol) = (Place { sheet, cell }, CellSymbol { sheet, symbol });
        let is_there = canvas.cells().get(sheet).is_some_and(|cells| cell < cells.len())
            && canvas.symbols().any(|known| known == symbol);
        if !is_there {
            let error = Diagnostic::whole("the drawing has no such cell or symbol");
            return Err(Report::new("-", "", vec![error]).into());
        }
        canvas.set(place, symbol);
    }
    Ok(Answer { sheets: sheets(&canvas), text: Some(canvas.text()) })
}

fn sheets(canvas: &Canvas) -> Vec<Sheet> {
    let (rows, columns) = (canvas.rows(), canvas.columns());
    let drawings = canvas.drawings().zip(canvas.cells());
    let sheet = |(drawn, cells): (&crate::domain::Drawn, &Vec<u16>)| Sheet {
        key: drawn.key.join("."),
        rows,
        columns,
        symbols: drawn
            .symbols
            .iter()
            .map(|symbol| SymbolRow {
                text: symbol.text.clone(),
                parts: symbol.parts.iter().map(|part| drawn.parts[*part].name.clone()).collect(),
            })
            .collect(),
        cells: cells.clone(),
    };
    drawings.map(sheet).collect()
}
