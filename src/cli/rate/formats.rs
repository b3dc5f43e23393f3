//! The formats of ratings.

use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::rating::Rating;
use serde::Serialize;
use std::io::{self, Write};

/// A rated puzzle. Serialised, each part of the rating is a field of its own.
#[derive(Serialize)]
pub struct Rated {
    pub file: String,
    pub title: String,
    #[serde(flatten)]
    pub rating: Rating,
}

/// Writes ratings.
pub type RateWriter = fn(&mut dyn Write, &[Rated]) -> io::Result<()>;

/// A format of ratings.
pub type RateFormat = OutputFormat<RateWriter>;

/// All formats of ratings.
pub const FORMATS: Formats<RateWriter> = &[&TEXT, &JSON];

/// Text for people.
pub const TEXT: RateFormat = OutputFormat { name: "text", summary: "a table", writer: write_text };

const JSON: RateFormat =
    OutputFormat { name: "json", summary: "one JSON object a puzzle, one per line", writer: write_json };

fn write_text(out: &mut dyn Write, rated: &[Rated]) -> io::Result<()> {
    for one in rated {
        let score = one.rating.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.2}"));
        writeln!(out, "{score:>6}  {}", one.file)?;
    }
    Ok(())
}

fn write_json(out: &mut dyn Write, rated: &[Rated]) -> io::Result<()> {
    rated.iter().try_for_each(|one| writeln!(out, "{}", json(one)?))
}
