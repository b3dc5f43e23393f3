//! Transcripts of the edits of a puzzle: maps for people, JSON and CSV for programs.

use super::{Number, Subject, fact, heading};
use crate::diagnostic::json;
use crate::editing::{Answer, Canvas, CellSymbol, Direction, Edits, Effect, Minimized, Piece, Place, SingleEdit};
use crate::output_format::{Formats, OutputFormat};
use crate::plot::text::counted;
use crate::puzzle::Puzzle;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

/// Writes the edits of the puzzle in a file.
pub type EditsWriter = fn(&mut dyn Write, &str, &Edits) -> io::Result<()>;

/// All formats of edits.
pub const FORMATS: Formats<EditsWriter> = &[
    &OutputFormat { name: "text", summary: "maps of the drawing, one for each symbol", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object on one line", writer: write_json },
    &OutputFormat { name: "csv", summary: "one line for each edit", writer: write_csv },
];

/// The most edits of an effect that the summary names.
const MOST_NAMED: usize = 3;

/// Returns what a map shows for an edit.
fn mark(answer: Answer, effect: Effect) -> String {
    match (effect, answer) {
        (Effect::Same, _) => "=".to_owned(),
        (Effect::Unsolvable, _) => "x".to_owned(),
        (Effect::Invalid, _) => "!".to_owned(),
        (_, Answer::Solved { cost }) => Number(cost).rounded().to_string(),
        _ => "?".to_owned(),
    }
}

/// Describes an answer.
pub(super) fn answer_words(answer: Answer) -> String {
    match answer {
        Answer::Solved { cost } => Number(cost).to_string(),
        Answer::Unsolvable => "unsolvable".to_owned(),
        Answer::Invalid => "not a valid puzzle".to_owned(),
        Answer::Limit { limit } => limit.words(),
    }
}

/// Writes edits as text: a map for each symbol, a table of the pieces, and the number of edits of each effect.
fn write_text(out: &mut dyn Write, _: &str, edits: &Edits) -> io::Result<()> {
    let canvas = &edits.canvas;
    heading(out, canvas.puzzle())?;
    fact(out, "optimum", answer_words(edits.before))?;
    fact(out, "edits", edits.edits.len())?;
    writeln!(
        out,
        "\n= the optimum stays, x unsolvable, ! not valid, ? not known, . not an edit; else the new optimum"
    )?;
    let mut marks: HashMap<(Place, CellSymbol), String> = HashMap::new();
    let mut of_pieces: Vec<(&Piece, [String; 5])> = Vec::new();
    for (edit, answer, effect) in edits.effects() {
        let mark = mark(answer, effect);
        let (piece, column) = match edit {
            SingleEdit::Set(place, symbol) => {
                marks.insert((*place, *symbol), mark);
                continue;
            }
            SingleEdit::Remove(piece) => (piece, 0),
            SingleEdit::Shift(piece, direction) => (piece, 1 + *direction as usize),
        };
        match of_pieces.last_mut() {
            Some((last, row)) if *last == piece => row[column] = mark,
            _ => {
                let mut row: [String; 5] = std::array::from_fn(|_| ".".to_owned());
                row[column] = mark;
                of_pieces.push((piece, row));
            }
        }
    }
    for symbol in canvas.symbols() {
        let places: Vec<Place> = canvas.places().filter(|place| place.sheet == symbol.sheet).collect();
        let cells: Vec<Option<&String>> = places.iter().map(|place| marks.get(&(*place, symbol))).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        write!(out, "\n{}", map_title(canvas, symbol))?;
        let width = cells.iter().flatten().map(|mark| mark.len()).max().unwrap_or(1);
        for row in cells.chunks(canvas.columns()) {
            let row: Vec<String> =
                row.iter().map(|mark| format!("{:>width$}", mark.map_or(".", |mark| mark))).collect();
            writeln!(out, "{}", row.join(" "))?;
        }
    }
    if !of_pieces.is_empty() {
        let names: Vec<String> = of_pieces.iter().map(|(piece, _)| piece_words(canvas, piece)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        write!(out, "\n{:<width$} {:>9}", "piece", "without")?;
        for direction in Direction::ALL {
            write!(out, " {:>6}", direction.name())?;
        }
        writeln!(out)?;
        for (name, (_, row)) in names.iter().zip(&of_pieces) {
            let [without, shifts @ ..] = row;
            write!(out, "{name:<width$} {without:>9}")?;
            shifts.iter().try_for_each(|mark| write!(out, " {mark:>6}"))?;
            writeln!(out)?;
        }
    }
    writeln!(out)?;
    write_summary(out, edits)
}

/// Returns the line above a map.
fn map_title(canvas: &Canvas, symbol: CellSymbol) -> String {
    let text = &canvas.symbol(symbol).text;
    let drawings: Vec<&str> = canvas.drawings().map(|drawn| drawn.key[0]).collect();
    match drawings.len() {
        1 => format!("`{text}`\n"),
        _ => format!("`{text}` in `{}`\n", drawings[symbol.sheet]),
    }
}

fn piece_words(canvas: &Canvas, piece: &Piece) -> String {
    let (cell, columns) = (piece.cells[0], canvas.columns());
    format!("`{}` at row {}, column {}", canvas.name(piece), cell / columns + 1, cell % columns + 1)
}

/// Writes the number of edits of each effect, and the edits that lead farthest.
fn write_summary(out: &mut dyn Write, edits: &Edits) -> io::Result<()> {
    for effect in Effect::ALL {
        let of_effect: Vec<(&SingleEdit, Answer)> =
            edits.effects().filter(|(.., has)| *has == effect).map(|(edit, answer, _)| (edit, answer)).collect();
        let mut line = of_effect.len().to_string();
        if matches!(effect, Effect::Longer | Effect::Shorter | Effect::Solvable) {
            let costs = of_effect.iter().filter_map(|(_, answer)| answer.cost());
            let extreme = if effect == Effect::Longer { costs.reduce(f64::max) } else { costs.reduce(f64::min) };
            if let Some(extreme) = extreme {
                let best = of_effect.iter().filter(|(_, answer)| answer.cost() == Some(extreme));
                let named: Vec<String> =
                    best.clone().take(MOST_NAMED).map(|(edit, _)| edit.words(&edits.canvas)).collect();
                let most = if effect == Effect::Longer { "up to" } else { "down to" };
                let more = if best.count() > named.len() { "; …" } else { "" };
                line += &format!(", {most} {}: {}{more}", Number(extreme).rounded(), named.join("; "));
            }
        }
        fact(out, effect.name(), line)?;
    }
    if let Some(limit) = edits.limit {
        fact(out, "stopped", format!("at the {} limit: answers are missing", limit.name()))?;
    }
    Ok(())
}

/// The fields of the JSON format.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    rows: usize,
    columns: usize,
    outcome: &'a str,
    cost: Option<Number>,
    limit: Option<&'a str>,
    summary: serde_json::Map<String, serde_json::Value>,
    edits: Vec<EditRow<'a>>,
}

/// The fields of an edit, in JSON and CSV.
#[derive(Serialize)]
struct EditRow<'a> {
    edit: &'a str,
    /// The key of the drawing.
    drawing: String,
    /// The new symbol, or the name of the piece.
    symbol: &'a str,
    /// The place of the cell, or of the first cell of the piece, from 0.
    row: usize,
    column: usize,
    direction: Option<&'a str>,
    outcome: &'a str,
    cost: Option<Number>,
    limit: Option<&'a str>,
    effect: &'a str,
}

fn rows<'a>(edits: &'a Edits) -> impl Iterator<Item = EditRow<'a>> {
    edits.effects().map(|(edit, answer, effect)| row(&edits.canvas, edit, answer, effect))
}

fn row<'a>(canvas: &'a Canvas, edit: &SingleEdit, answer: Answer, effect: Effect) -> EditRow<'a> {
    let (name, symbol, cell, direction) = match edit {
        SingleEdit::Set(place, symbol) => ("set", &*canvas.symbol(*symbol).text, place.cell, None),
        SingleEdit::Remove(piece) => ("remove", canvas.name(piece), piece.cells[0], None),
        SingleEdit::Shift(piece, direction) => ("move", canvas.name(piece), piece.cells[0], Some(direction.name())),
    };
    EditRow {
        edit: name,
        drawing: canvas.drawings().nth(edit.sheet()).map_or(String::new(), |drawn| drawn.key.join(".")),
        symbol,
        row: cell / canvas.columns(),
        column: cell % canvas.columns(),
        direction,
        outcome: answer.name(),
        cost: answer.cost().map(Number),
        limit: limit_of(answer),
        effect: effect.name(),
    }
}

/// An edit, and its symbol in the text of its collection.
#[derive(Serialize)]
struct Event<'a> {
    #[serde(flatten)]
    row: EditRow<'a>,
    level: Option<String>,
}

/// Describes an edit on one line of JSON, as the JSON of all edits does, with the symbol in the text of a collection.
///
/// # Errors
/// It cannot be written as JSON.
pub fn edit_json(
    canvas: &Canvas,
    edit: &SingleEdit,
    answer: Answer,
    effect: Effect,
    level: Option<String>,
) -> io::Result<String> {
    Ok(json(&Event { row: row(canvas, edit, answer, effect), level })?)
}

fn limit_of(answer: Answer) -> Option<&'static str> {
    match answer {
        Answer::Limit { limit } => Some(limit.name()),
        _ => None,
    }
}

fn write_json(out: &mut dyn Write, file: &str, edits: &Edits) -> io::Result<()> {
    let canvas = &edits.canvas;
    let count = |effect: Effect| edits.effects().filter(|(.., has)| *has == effect).count();
    let row = Row {
        subject: Subject::new(file, canvas.puzzle()),
        rows: canvas.rows(),
        columns: canvas.columns(),
        outcome: edits.before.name(),
        cost: edits.before.cost().map(Number),
        limit: edits.limit.map(|limit| limit.name()).or(limit_of(edits.before)),
        summary: Effect::ALL.map(|effect| (effect.name().to_owned(), count(effect).into())).into_iter().collect(),
        edits: rows(edits).collect(),
    };
    writeln!(out, "{}", json(&row)?)
}

fn write_csv(out: &mut dyn Write, _: &str, edits: &Edits) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    for row in rows(edits) {
        csv.serialize(row)?;
    }
    csv.flush()
}

/// Describes what was taken away from a puzzle, in lines.
#[must_use]
pub fn minimized_text(found: &Minimized) -> Vec<String> {
    let Minimized { before, removed, needed, undecided, solutions, .. } = found;
    let mut lines = vec![format!("optimum {}", answer_words(found.answer))];
    if let Some(solutions) = solutions {
        lines[0] += &format!(", {solutions} shortest solutions");
    }
    lines[0] += &format!(
        ": {} taken away",
        counted(removed.len() as u64, "wall or piece").replace("wall or pieces", "walls and pieces")
    );
    lines.extend(removed.iter().map(|edit| format!("decoration: {}", removed_words(before, edit))));
    lines.push(format!("needed: {needed}"));
    if *undecided > 0 {
        lines.push(format!("not known within the limit on nodes, and kept: {undecided}"));
    }
    if let Some(limit) = found.limit {
        lines.push(format!("{}: more may be decoration", limit.words()));
    }
    lines
}

/// Describes what an edit took away.
fn removed_words(before: &Canvas, edit: &SingleEdit) -> String {
    match edit {
        SingleEdit::Set(place, _) => {
            let old = &before.symbol(before.at(*place)).text;
            SingleEdit::Set(*place, before.at(*place)).words(before).replacen(
                &format!("`{old}`"),
                &format!("the `{old}`"),
                1,
            )
        }
        _ => edit.words(before).replacen("without", "the piece", 1),
    }
}

/// The fields of the JSON of a minimized puzzle.
#[derive(Serialize)]
struct MinimizedRow<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    outcome: &'a str,
    cost: Option<Number>,
    /// In decimal digits: it may be too large for a number.
    solutions: Option<String>,
    removed: Vec<RemovedRow<'a>>,
    needed: usize,
    undecided: usize,
    limit: Option<&'a str>,
    before: String,
    after: String,
    text: &'a str,
}

#[derive(Serialize)]
struct RemovedRow<'a> {
    drawing: String,
    symbol: &'a str,
    cells: Vec<[usize; 2]>,
}

/// Returns the JSON of a minimized puzzle. `text` is that of its smaller file.
///
/// # Errors
/// A value cannot be written.
pub fn minimized_json(file: &str, found: &Minimized, text: &str) -> io::Result<String> {
    let Minimized { before, after, .. } = found;
    let removed = |edit: &SingleEdit| {
        let (symbol, cells) = match edit {
            SingleEdit::Set(place, _) => (&*before.symbol(before.at(*place)).text, vec![place.cell]),
            SingleEdit::Remove(piece) | SingleEdit::Shift(piece, _) => (before.name(piece), piece.cells.clone()),
        };
        let cells = cells.into_iter().map(|cell| [cell / before.columns(), cell % before.columns()]).collect();
        let drawing = before.drawings().nth(edit.sheet()).map_or(String::new(), |drawn| drawn.key.join("."));
        RemovedRow { drawing, symbol, cells }
    };
    let puzzle: &Puzzle = before.puzzle();
    Ok(json(&MinimizedRow {
        subject: Subject::new(file, puzzle),
        outcome: found.answer.name(),
        cost: found.answer.cost().map(Number),
        solutions: found.solutions.map(|solutions| solutions.to_string()),
        removed: found.removed.iter().map(removed).collect(),
        needed: found.needed,
        undecided: found.undecided,
        limit: found.limit.map(|limit| limit.name()),
        before: before.drawn(),
        after: after.drawn(),
        text,
    })?)
}
