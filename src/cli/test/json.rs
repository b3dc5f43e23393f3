//! Results of tests as JSON: one object per puzzle.

use super::reports::difference;
use super::{TestFormat, TestWriter, Tested};
use crate::diagnostic::json;
use crate::puzzle::Outcome;
use crate::transcript::Number;
use serde::Serialize;

/// The format `json`.
pub(super) const JSON: TestFormat = TestFormat {
    name: "json",
    summary: "one JSON object per puzzle, one per line; the text goes to standard error",
    writer: TestWriter { each: Some(|out, tested| writeln!(out, "{}", json(&Row::of(tested))?)), all: None },
};

/// The JSON object of a puzzle; it has every field for every verdict.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    title: Option<&'a str>,
    domain: Option<&'a str>,
    verdict: &'a str,
    message: Option<String>,
    outcome: Option<&'a str>,
    cost: Option<Number>,
    optimal: bool,
    diff: Option<String>,
    seconds: f64,
}

impl Row<'_> {
    fn of(tested: &Tested) -> Row<'_> {
        Row {
            file: tested.file.display().to_string(),
            title: tested.title.as_deref(),
            domain: tested.domain.as_deref(),
            verdict: tested.verdict.name(),
            message: tested.verdict.message(),
            outcome: tested.outcome.map(Outcome::name),
            cost: tested.cost.map(Number),
            optimal: tested.optimal,
            diff: difference(tested),
            seconds: tested.time.as_secs_f64(),
        }
    }
}
