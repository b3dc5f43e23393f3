//! Ratings, and their agreement with what people did, as text, JSON and CSV.

use crate::diagnostic::{json, printable};
use crate::output_format::{Formats, OutputFormat};
use crate::plot::text::counted;
use crate::rating::{Agreement, Heat, Rating};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// A rated puzzle. Serialised, each part of the rating is a field of its own.
#[derive(Serialize)]
pub struct Rated {
    /// The file, or the level of a collection.
    pub file: String,
    /// The title.
    pub title: String,
    /// The rating.
    #[serde(flatten)]
    pub rating: Rating,
    /// The map of games, if it is drawn.
    #[serde(skip)]
    pub heat: Option<Heat>,
}

/// The agreement of ratings with people.
#[derive(Serialize)]
pub struct Against {
    /// The table of what people did.
    pub file: String,
    /// The name of its column.
    pub column: String,
    /// True if greater numbers are of easier puzzles: agreements are with the order that is turned round.
    pub easier: bool,
    /// The number of puzzles that have both numbers.
    pub puzzles: usize,
    /// The number compared, with its agreement; then the least cost alone.
    pub by: Vec<(String, Option<Agreement>)>,
}

/// What is written.
pub enum Results<'a> {
    /// Puzzles with their ratings.
    Ratings(&'a [Rated]),
    /// The agreement with a table.
    Against(&'a Against),
}

/// Writes ratings or an agreement.
pub type RateWriter = fn(&mut dyn Write, &Results) -> io::Result<()>;

/// A format of ratings.
pub type RateFormat = OutputFormat<RateWriter>;

/// All formats of ratings.
pub const FORMATS: Formats<RateWriter> = &[&TEXT, &JSON, &CSV];

/// Text for people.
pub const TEXT: RateFormat = OutputFormat {
    name: "text",
    summary: "of one puzzle the parts and a map of games, of several a table",
    writer: |out, results| match results {
        Results::Ratings([one]) => write_one(out, one),
        Results::Ratings(all) => write_table(out, all),
        Results::Against(against) => write_against(out, against),
    },
};

const JSON: RateFormat = OutputFormat {
    name: "json",
    summary: "one JSON object a puzzle, one per line",
    writer: |out, results| match results {
        Results::Ratings(all) => all.iter().try_for_each(|one| writeln!(out, "{}", json(one)?)),
        Results::Against(against) => against.objects().iter().try_for_each(|row| writeln!(out, "{}", json(row)?)),
    },
};

const CSV: RateFormat = OutputFormat { name: "csv", summary: "one line per puzzle", writer: write_csv };

/// The columns of the CSV format that come first; the others follow in the order of their names.
const FIRST: [&str; 5] = ["file", "title", "outcome", "score", "cost"];

/// Returns the fields of a rated puzzle, or of its parts, by their names.
pub(super) fn fields(one: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(one) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Returns a number of a rated puzzle by its name; `None` if it was not measured.
///
/// # Errors
/// No number has this name: returns the names of those that were measured.
pub fn part(one: &Rated, name: &str) -> Result<Option<f64>, Vec<String>> {
    let fields = fields(one);
    match fields.get(name) {
        Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => Ok(number.as_f64()),
        _ => Err(fields.iter().filter(|(_, value)| value.is_number()).map(|(name, _)| format!("`{name}`")).collect()),
    }
}

/// Returns a value as text: nothing for none, numbers to three decimals.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let text = format!("{:.3}", number.as_f64().unwrap_or(0.0));
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} {}", shown(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn write_one(out: &mut dyn Write, one: &Rated) -> io::Result<()> {
    writeln!(out, "{}\n", printable(&one.title))?;
    for (name, value) in fields(one).into_iter().filter(|(name, _)| !["file", "title"].contains(&name.as_str())) {
        let value = shown(&value);
        if !value.is_empty() {
            writeln!(out, "{name:<18}  {value}")?;
        }
    }
    let Some(heat) = &one.heat else { return Ok(()) };
    writeln!(out, "\nwhere pieces go\n{}", heat.draw(&heat.visits).trim_end())?;
    if let Some(lost) = &heat.lost {
        writeln!(out, "\nwhere games are lost\n{}", heat.draw(lost).trim_end())?;
    }
    Ok(())
}

fn write_table(out: &mut dyn Write, all: &[Rated]) -> io::Result<()> {
    writeln!(out, "{:>7}  {:>6}  FILE", "SCORE", "COST")?;
    for one in all {
        let number = |number: Option<f64>, decimals| {
            number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
        };
        let note = match (one.rating.limit, one.rating.outcome.name()) {
            (Some(limit), _) => format!("  ({})", limit.words()),
            (None, "solved") if one.rating.parts.sampled => "  (sampled)".to_owned(),
            (None, "solved") => String::new(),
            (None, outcome) => format!("  ({outcome})"),
        };
        let (score, cost) = (number(one.rating.score, 2), number(one.rating.cost, 0));
        writeln!(out, "{score:>7}  {cost:>6}  {}{note}", printable(&one.file))?;
    }
    Ok(())
}

fn write_csv(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    match results {
        Results::Against(against) => {
            for row in against.objects() {
                csv.serialize(row)?;
            }
        }
        Results::Ratings(all) => {
            for (number, one) in all.iter().enumerate() {
                let mut fields = fields(one);
                let first = FIRST.map(|name| (name.to_owned(), fields.remove(name).unwrap_or(Value::Null)));
                let row: Vec<(String, Value)> = first.into_iter().chain(fields).collect();
                if number == 0 {
                    csv.write_record(row.iter().map(|(name, _)| name))?;
                }
                csv.write_record(row.iter().map(|(_, value)| shown(value)))?;
            }
        }
    }
    csv.flush()
}

/// An agreement as an object for programs.
#[derive(Serialize)]
struct AgreementRow<'a> {
    file: &'a str,
    column: &'a str,
    easier: bool,
    puzzles: usize,
    by: &'a str,
    spearman: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    pairs: Option<f64>,
}

impl Against {
    fn objects(&self) -> Vec<AgreementRow<'_>> {
        self.by
            .iter()
            .map(|(by, agreement)| AgreementRow {
                file: &self.file,
                column: &self.column,
                easier: self.easier,
                puzzles: self.puzzles,
                by,
                spearman: agreement.map(|one| one.spearman),
                low: agreement.map(|one| one.low),
                high: agreement.map(|one| one.high),
                pairs: agreement.map(|one| one.pairs),
            })
            .collect()
    }
}

fn write_against(out: &mut dyn Write, against: &Against) -> io::Result<()> {
    let puzzles = counted(against.puzzles as u64, "puzzle");
    let order = if against.easier { ", greater is easier" } else { "" };
    writeln!(out, "{puzzles}, column `{}` of {}{order}\n", printable(&against.column), printable(&against.file))?;
    writeln!(out, "{:<12}  SPEARMAN  95 % INTERVAL   PAIRS IN ORDER", "BY")?;
    for (by, agreement) in &against.by {
        match agreement {
            Some(Agreement { spearman, low, high, pairs }) => {
                let percent = pairs * 100.0;
                writeln!(out, "{by:<12}  {spearman:>8.2}  {low:>5.2} to {high:>5.2}  {percent:>12.1} %")?;
            }
            None => writeln!(out, "{by:<12}  too few puzzles")?,
        }
    }
    Ok(())
}
