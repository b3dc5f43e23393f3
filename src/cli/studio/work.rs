//! Work in a child process that no other command does: the cells and the palette of a puzzle, the text after cells were
//! painted, completions, explanations and fixes.

use crate::analysis::{Analyzer, Completion, TextKind, completions, fix, hover};
use crate::cli::failure::{Ended, Failure};
use crate::cli::output::print_json;
use crate::cli::{Status, wall};
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::editing::{Canvas, CellSymbol, Place};
use crate::puzzle::{Loading, collection_of};
use crate::search::Limits;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

/// The limits of the work.
const TIME: Duration = Duration::from_secs(5);
const MEMORY: u64 = 1 << 30;
/// The most completions that are offered.
const MOST_OFFERS: usize = 100;

/// A kind of work.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum WorkKind {
    /// The cells and the palette of a puzzle, after changes.
    Canvas,
    /// The completions at a place.
    Complete,
    /// The explanation of a place.
    Hover,
    /// What would mend the mistakes.
    Fixes,
}

/// A request about a text.
#[derive(Deserialize)]
struct Asked {
    text: String,
    /// The name of its file, by whose ending the kind of the text is known.
    #[serde(default)]
    file: Option<PathBuf>,
    /// The number of a level of a collection.
    #[serde(default)]
    level: Option<usize>,
    /// The drawing, the cell and the symbol of each change, in their order.
    #[serde(default)]
    set: Vec<(usize, usize, usize)>,
    /// A place in the text, in UTF-16 as scripts count.
    #[serde(default)]
    at: usize,
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
    /// The text after the changes.
    text: String,
    /// The number of levels of a collection.
    levels: usize,
}

/// A completion for the page: the text that replaces what lies between two places.
#[derive(Serialize)]
struct Offer {
    label: String,
    about: String,
    text: String,
    from: usize,
    to: usize,
}

/// A change that mends a mistake: the text that replaces what lies between two places.
#[derive(Serialize)]
struct Fix {
    from: usize,
    to: usize,
    text: String,
}

impl WorkKind {
    pub fn run(self) -> Ended {
        let limits = Limits { time: Some(TIME), resident: Some(MEMORY), ..Limits::default() };
        let mut input = String::new();
        io::stdin().read_to_string(&mut input)?;
        let asked: Asked = serde_json::from_str(&input).map_err(io::Error::other)?;
        wall::behind("work", "-", &limits, || {
            match self {
                WorkKind::Canvas => print_json(&asked.canvas(&limits)?)?,
                WorkKind::Complete => print_json(&asked.completions())?,
                WorkKind::Fixes => print_json(&fixes(&asked, &limits))?,
                WorkKind::Hover => print_json(&hover(&asked.text, asked.kind(), asked.byte()).map(|found| found.text))?,
            }
            Ok::<_, Failure>(Status::Good)
        })
    }
}

impl Asked {
    /// Changes cells. Returns the drawing, and the text of the file with it.
    fn canvas(&self, limits: &Limits) -> Result<Answer, Failure> {
        let loading = Loading { limits: limits.clone(), ..Loading::default() };
        let path = self.path();
        let format = self.level.and_then(|_| collection_of(&self.text));
        let levels = format.map(|format| loading.levels(format, &path, self.text.as_str(), None)).transpose()?;
        let puzzle = match (&levels, self.level) {
            (Some(levels), Some(number)) => {
                let missing = || refused("the collection has no such level");
                loading.load_source(levels.get(number.wrapping_sub(1)).ok_or_else(missing)?)?
            }
            _ => loading.parse(&self.text, "-")?,
        };
        let mut canvas = Canvas::of(&puzzle)?;
        for &(sheet, cell, symbol) in &self.set {
            let (place, symbol) = (Place { sheet, cell }, CellSymbol { sheet, symbol });
            let is_there = canvas.cells().get(sheet).is_some_and(|cells| cell < cells.len())
                && canvas.symbols().any(|known| known == symbol);
            if !is_there {
                return Err(refused("the drawing has no such cell or symbol").into());
            }
            canvas.set(place, symbol);
        }
        let text = match (&levels, self.set.is_empty()) {
            (_, true) => self.text.clone(),
            (None, _) => canvas.text(),
            (Some(_), _) => of_game(&canvas)
                .ok_or_else(|| refused("cells of this collection cannot be painted: change the level in the text"))?,
        };
        Ok(Answer { sheets: sheets(&canvas), text, levels: levels.map_or(0, |levels| levels.len()) })
    }

    fn path(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| PathBuf::from("new.toml"))
    }

    fn kind(&self) -> TextKind {
        TextKind::of(&self.path(), &self.text)
    }

    /// Returns the byte of the place.
    fn byte(&self) -> usize {
        let mut units = 0;
        let is_before = |(_, letter): &(usize, char)| {
            let is_before = units < self.at;
            units += letter.len_utf16();
            is_before
        };
        self.text.char_indices().take_while(is_before).last().map_or(0, |(byte, letter)| byte + letter.len_utf8())
    }

    fn completions(&self) -> Vec<Offer> {
        let units = |byte: usize| self.text[..byte].encode_utf16().count();
        let offer = |found: Completion| Offer {
            from: units(found.span.start),
            to: units(found.span.end),
            label: found.label,
            about: found.documentation,
            text: found.text,
        };
        completions(&self.text, self.kind(), self.byte()).into_iter().take(MOST_OFFERS).map(offer).collect()
    }
}

/// Returns what mends the errors of a text.
fn fixes(asked: &Asked, limits: &Limits) -> Vec<Fix> {
    let text = SourceText::from(asked.text.as_str());
    let found = Analyzer::default().analyse(&asked.path(), &text, limits);
    let units = |byte: usize| asked.text[..byte].encode_utf16().count();
    let of_error = |error: &Diagnostic| {
        let (span, text) = fix(&asked.text, error)?;
        Some(Fix { from: units(span.start), to: units(span.end), text })
    };
    found.diagnostics.iter().filter_map(of_error).collect()
}

fn refused(message: &str) -> Report {
    Report::new("-", "", vec![Diagnostic::whole(message)])
}

/// Returns the text of a game with a changed level, of which the puzzle file of the level has a copy.
fn of_game(canvas: &Canvas) -> Option<String> {
    let file: toml::Table = canvas.text().parse().ok()?;
    let key = canvas.drawings().next().filter(|drawn| drawn.lines.is_some())?.key;
    let [key] = key else { return None };
    Some(file.get(*key)?.as_str()?.to_owned())
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
