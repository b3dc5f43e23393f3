//! Work in a child process that no other command does: the cells and the palette of a puzzle, the text after cells were
//! painted, completions, explanations and fixes, and solutions before the best is proven.

use crate::analysis::{Analyzer, Completion, TextKind, byte_of, completions, fix, hover, units_of};
use crate::cli::failure::{Ended, Failure};
use crate::cli::output::print_json;
use crate::cli::{Status, wall};
use crate::diagnostic::{Diagnostic, Report, SourceText};
use crate::domain::collection::CollectionFormat;
use crate::domain::{Drawn, PartKind};
use crate::editing::{self, Change, Sketch};
use crate::puzzle::{Loading, Puzzle, Source, collection_of};
use crate::search::{Limits, Stats};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    /// One solution after the other, each cheaper.
    Improve,
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
    /// The drawing, the cell and the symbol of each painted cell, in their order.
    #[serde(default)]
    set: Vec<(usize, usize, usize)>,
    /// Further changes, in their order.
    #[serde(default)]
    changes: Vec<Change>,
    /// The drawings as they were known last: their symbols remain while the puzzle is invalid.
    #[serde(default)]
    known: Vec<Palette>,
    /// A place in the text, in UTF-16 as scripts count.
    #[serde(default)]
    at: usize,
    /// The limit on time in seconds, for what may take longer.
    #[serde(default)]
    time: Option<u64>,
}

/// A drawing for the page.
#[derive(Serialize)]
struct Sheet {
    rows: usize,
    columns: usize,
    #[serde(flatten)]
    palette: Palette,
    /// The symbol of each cell.
    cells: Vec<u16>,
}

/// The symbols of a drawing.
#[derive(Serialize, Deserialize)]
struct Palette {
    key: String,
    has_words: bool,
    symbols: Vec<SymbolRow>,
    /// The kinds of the parts by their names.
    kinds: BTreeMap<String, Kind>,
}

/// A symbol for the page.
#[derive(Serialize, Deserialize)]
struct SymbolRow {
    text: String,
    parts: Vec<String>,
}

/// The kind of a part.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Ground,
    Obstacle,
    Piece,
    Block,
}

/// The answer.
#[derive(Serialize)]
struct Answer {
    sheets: Vec<Sheet>,
    /// Why there is no drawing.
    none: Option<String>,
    /// The text after the changes.
    text: String,
    /// What the names of such files end in, and the number of levels of a collection.
    ending: &'static str,
    levels: usize,
}

/// A solution for the page, not proven to be the best.
#[derive(Serialize)]
struct Better {
    cost: Option<f64>,
    moves: Vec<String>,
}

/// The puzzle of a text, or a level of its collection.
struct Opened {
    puzzle: Result<Puzzle, Report>,
    /// The number of the level, with its source if the collection can be read.
    level: Option<(usize, Option<Source>)>,
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
        let mut input = String::new();
        io::stdin().read_to_string(&mut input)?;
        let asked: Asked = serde_json::from_str(&input).map_err(io::Error::other)?;
        let time = asked.time.map_or(TIME, Duration::from_secs);
        let limits = Limits { time: Some(time), resident: Some(MEMORY), ..Limits::default() };
        wall::behind("work", "-", &limits, || {
            match self {
                WorkKind::Canvas => print_json(&asked.canvas(&limits)?)?,
                WorkKind::Complete => print_json(&asked.completions())?,
                WorkKind::Fixes => print_json(&fixes(&asked, &limits))?,
                WorkKind::Improve => asked.improve(&limits)?,
                WorkKind::Hover => print_json(&hover(&asked.text, asked.kind(), asked.byte()).map(|found| found.text))?,
            }
            Ok::<_, Failure>(Status::Good)
        })
    }
}

impl Asked {
    /// Changes the drawings. Returns them, and the text of the file with them.
    fn canvas(&self, limits: &Limits) -> Result<Answer, Failure> {
        let loading = loading(limits);
        let Opened { puzzle, level, levels } = self.opened(&loading)?;
        let puzzle = puzzle.ok();
        let level = level.as_ref().map(|(number, source)| (*number, source.as_ref()));
        let known: Vec<(String, Drawn)> = self.known.iter().map(Palette::drawn).collect();
        // Files in `.txt` may be anything.
        let own = |format: &CollectionFormat| format.extensions.iter().copied().find(|ending| *ending != "txt");
        let ending = collection_of(&self.text).map_or("toml", |format| own(format).unwrap_or("txt"));
        let is_changed = !self.set.is_empty() || !self.changes.is_empty();
        let mut sketch = match Sketch::of(&self.text, puzzle.as_ref(), level, &known) {
            Ok(sketch) => sketch,
            Err(why) if is_changed => return Err(refused(&why).into()),
            Err(why) => {
                return Ok(Answer { sheets: Vec::new(), none: Some(why), text: self.text.clone(), ending, levels });
            }
        };
        for &(sheet, cell, symbol) in &self.set {
            sketch.set(sheet, cell, symbol).map_err(|why| refused(&why))?;
        }
        for &change in &self.changes {
            sketch.make(change).map_err(|why| refused(&why))?;
        }
        let text = if is_changed { sketch.text() } else { self.text.clone() };
        if puzzle.is_some() && level.is_none() && self.changes.iter().any(|change| change.keeps_all()) {
            loading.parse(&text, "-").map_err(|report| {
                let why = report.diagnostics().first().map_or("it is invalid", |first| &first.message);
                refused(&format!("the puzzle would be wrong: {why}"))
            })?;
        }
        Ok(Answer { sheets: sheets(&sketch), none: None, text, ending, levels })
    }

    /// Reads the puzzle.
    fn opened(&self, loading: &Loading) -> Result<Opened, Failure> {
        let format = self.level.and_then(|_| collection_of(&self.text));
        let levels = format.map(|format| loading.levels(format, &self.path(), self.text.as_str(), None));
        match (levels, self.level) {
            (Some(Ok(levels)), Some(number)) => {
                let missing = || refused("the collection has no such level");
                let source = levels.get(number.wrapping_sub(1)).ok_or_else(missing)?.clone();
                let puzzle = loading.load_source(&source);
                Ok(Opened { puzzle, level: Some((number, Some(source))), levels: levels.len() })
            }
            (Some(Err(report)), Some(number)) => {
                Ok(Opened { puzzle: Err(report), level: Some((number, None)), levels: 0 })
            }
            _ => Ok(Opened { puzzle: loading.parse(&self.text, "-"), level: None, levels: 0 }),
        }
    }

    /// Prints one solution after the other.
    fn improve(&self, limits: &Limits) -> Result<(), Failure> {
        let started = Instant::now();
        let puzzle = self.opened(&loading(limits))?.puzzle?;
        puzzle.improve(&limits.remaining(&Stats::default(), started.elapsed()), |solution| {
            // A closed pipe means that the child is ended in a moment.
            let _ = print_json(&Better { cost: solution.cost(), moves: solution.moves() });
        });
        Ok(())
    }

    fn path(&self) -> PathBuf {
        self.file.clone().unwrap_or_else(|| PathBuf::from("new.toml"))
    }

    fn kind(&self) -> TextKind {
        TextKind::of(&self.path(), &self.text)
    }

    /// Returns the byte of the place.
    fn byte(&self) -> usize {
        byte_of(&self.text, self.at)
    }

    fn completions(&self) -> Vec<Offer> {
        let units = |byte: usize| units_of(&self.text[..byte]);
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

fn loading(limits: &Limits) -> Loading {
    Loading { limits: limits.clone(), ..Loading::default() }
}

/// Returns what mends the errors of a text.
fn fixes(asked: &Asked, limits: &Limits) -> Vec<Fix> {
    let text = SourceText::from(asked.text.as_str());
    let found = Analyzer::default().analyse(&asked.path(), &text, limits);
    let units = |byte: usize| units_of(&asked.text[..byte]);
    let of_error = |error: &Diagnostic| {
        let (span, text) = fix(&asked.text, error)?;
        Some(Fix { from: units(span.start), to: units(span.end), text })
    };
    found.diagnostics.iter().filter_map(of_error).collect()
}

fn refused(message: &str) -> Report {
    Report::new("-", "", vec![Diagnostic::whole(message)])
}

impl Palette {
    /// Returns the symbols of a drawing as a domain describes them.
    fn drawn(&self) -> (String, Drawn) {
        let mut drawn = Drawn { has_words: self.has_words, ..Drawn::default() };
        for symbol in &self.symbols {
            let kind = |part: &String| match self.kinds.get(part) {
                Some(Kind::Obstacle) => PartKind::Obstacle,
                Some(Kind::Piece) => PartKind::Piece,
                Some(Kind::Block) => PartKind::Block,
                Some(Kind::Ground) | None => PartKind::Ground,
            };
            let parts: Vec<(&str, PartKind)> = symbol.parts.iter().map(|part| (part.as_str(), kind(part))).collect();
            drawn.add(&*symbol.text, &parts);
        }
        (self.key.clone(), drawn)
    }
}

fn sheets(sketch: &Sketch) -> Vec<Sheet> {
    let (rows, columns) = (sketch.rows(), sketch.columns());
    let kind = |kind: PartKind| match kind {
        PartKind::Ground => Kind::Ground,
        PartKind::Obstacle => Kind::Obstacle,
        PartKind::Piece => Kind::Piece,
        PartKind::Block => Kind::Block,
    };
    let palette = |key: &str, drawn: &Drawn| Palette {
        key: key.to_owned(),
        has_words: drawn.has_words,
        symbols: drawn
            .symbols
            .iter()
            .map(|symbol| SymbolRow {
                text: symbol.text.clone(),
                parts: symbol.parts.iter().map(|part| drawn.parts[*part].name.clone()).collect(),
            })
            .collect(),
        kinds: drawn.parts.iter().map(|part| (part.name.clone(), kind(part.kind))).collect(),
    };
    let sheet = |sheet: &editing::Sheet| Sheet {
        rows,
        columns,
        palette: palette(&sheet.key, &sheet.drawn),
        cells: sheet.cells(),
    };
    sketch.sheets().iter().map(sheet).collect()
}
