//! Designing levels: ratings, edits, smaller puzzles, differences and generated levels, as the JSON of the program.
//!
//! The commands of the program print the same values by `--json`. So the names are documented in one place.

use crate::errors::{EngineError, of_report, refused, with_help};
use crate::limits::{Given, Memory, Time};
use crate::position::Function;
use crate::watch::watched;
use engine::diagnostic::{Report, json};
use engine::editing::{Canvas, Minimizing, NODES, NotMinimized, Side, edits, minimize};
use engine::generating::{Generator, Task};
use engine::output_format::named;
use engine::puzzle::HeuristicQuestion;
use engine::rating::RatingOptions;
use engine::search::{Gauge, Limits};
use engine::transcript::edits::minimized_json;
use engine::transcript::rating::Rated;
use engine::transcript::{difference, edits as edits_as, heuristics_row, heuristics_text};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The limits of a work on a puzzle.
#[derive(Default)]
pub struct Within {
    pub nodes: Option<u64>,
    pub time: Option<Time>,
    pub memory: Option<Memory>,
}

/// Does a work without the interpreter's lock, within limits. The limit on nodes is apart: it is one for each edit.
fn within<T: Send>(py: Python<'_>, limits: Within, work: impl FnOnce(u64, &Limits) -> T + Send) -> PyResult<T> {
    let nodes = limits.nodes.unwrap_or(NODES);
    let (interrupt, all) = bounds(limits)?;
    watched(py, &interrupt, None, || work(nodes, &all))
}

/// Returns the limits, and the flag that ends the work.
fn bounds(limits: Within) -> PyResult<(Arc<AtomicBool>, Limits)> {
    let given = Given { time: limits.time, memory: limits.memory, ..Given::default() };
    let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
    let all = given.limits(&interrupt, &gauge)?;
    Ok((interrupt, all))
}

/// Returns a line of JSON as values of Python.
fn record<'py>(py: Python<'py>, text: impl AsRef<[u8]>) -> PyResult<Bound<'py, PyAny>> {
    py.import("engine._record")?.call_method1("read", (text.as_ref(),))
}

fn unwritable(py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
    with_help::<EngineError>(py, &format!("the result cannot be written as JSON: {error}"), None)
}

/// Rates a puzzle.
pub fn rate<'py>(
    py: Python<'py>,
    puzzle: &engine::Puzzle,
    states: usize,
    seed: u64,
    limits: Within,
) -> PyResult<Bound<'py, PyAny>> {
    let rating = within(py, limits, |_, limits| {
        puzzle.rate(&RatingOptions { limits: limits.clone(), most_states: states, seed })
    })?;
    let (file, title) = (puzzle.name().to_owned(), puzzle.title().to_owned());
    let text = json(&Rated { file, title, rating, heat: None }).map_err(|error| unwritable(py, &error))?;
    record(py, text)
}

/// Answers every single edit of a puzzle.
pub fn edited<'py>(py: Python<'py>, puzzle: &engine::Puzzle, limits: Within) -> PyResult<Bound<'py, PyAny>> {
    let canvas = Canvas::of(puzzle).map_err(|report| of_report(py, &report))?;
    let format = named(edits_as::FORMATS, "json").expect("edits are written as JSON");
    let text = within(py, limits, |nodes, limits| {
        let mut text = Vec::new();
        (format.writer)(&mut text, puzzle.name(), &edits(canvas, nodes, limits)).map(|()| text)
    })?;
    record(py, text.map_err(|error| unwritable(py, &error))?)
}

/// Takes away what a puzzle does not need. Returns the record, and the text of the smaller puzzle.
pub fn minimized<'py>(
    py: Python<'py>,
    puzzle: &engine::Puzzle,
    unique: bool,
    limits: Within,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let canvas = Canvas::of(puzzle).map_err(|report| of_report(py, &report))?;
    let made = within(py, limits, |nodes, limits| {
        let options = Minimizing { unique, ..Minimizing::default() };
        minimize(canvas, options, nodes, limits).map(|found| {
            let smaller = found.after.text();
            minimized_json(puzzle.name(), &found, &smaller).map(|text| (text, smaller))
        })
    })?;
    let made = made.map_err(|why| match &why {
        NotMinimized::Uncountable(error) => refused(py, error),
        NotMinimized::Limit(_) => {
            with_help::<EngineError>(py, &why.to_string(), Some("allow more by `node_limit` or `time_limit`"))
        }
    })?;
    let (text, smaller) = made.map_err(|error| unwritable(py, &error))?;
    Ok((record(py, text)?, smaller))
}

/// Compares two versions of a puzzle.
pub fn differences<'py>(
    py: Python<'py>,
    before: &engine::Puzzle,
    after: &engine::Puzzle,
    limits: Within,
) -> PyResult<Bound<'py, PyAny>> {
    let format = named(difference::FORMATS, "json").expect("differences are written as JSON");
    let text = within(py, limits, |nodes, limits| {
        let side = |puzzle: &engine::Puzzle| Side::of(puzzle.name().to_owned(), puzzle, nodes, limits);
        let mut text = Vec::new();
        (format.writer)(&mut text, &side(before), &side(after)).map(|()| text)
    })?;
    record(py, text.map_err(|error| unwritable(py, &error))?)
}

/// Checks a function as a heuristic.
pub fn checked<'py>(
    puzzle: &engine::Puzzle,
    function: &Bound<'py, PyAny>,
    question: HeuristicQuestion,
    limits: Within,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let (interrupt, limits) = bounds(limits)?;
    let function = Function::new(function, &interrupt)?;
    let check = watched(py, &interrupt, None, || puzzle.check_given_heuristic(&function.heuristic, question, &limits))?;
    function.failed()?;
    let check = check
        .map_err(|limit| with_help::<EngineError>(py, &format!("stopped by the limit on {}", limit.name()), None))?;
    let text = json(&heuristics_row(&check)).map_err(|error| unwritable(py, &error))?;
    let words = heuristics_text(puzzle.title(), &check);
    let found = record(py, text)?;
    let found = py.import("engine._record")?.call_method1("check", (found, words))?;
    Ok(found)
}

/// Makes levels from a template. Returns the record, and the texts of its levels.
pub fn generated<'py>(
    py: Python<'py>,
    template: &engine::Puzzle,
    task: Task,
    limits: Within,
) -> PyResult<(Bound<'py, PyAny>, Vec<String>)> {
    let nodes = limits.nodes;
    let made = within(py, limits, |_, limits| {
        let mut generator = Generator::new(template, task)?;
        let limits = Limits { nodes, ..limits.clone() };
        let ended = generator.run(&limits, |_| Ok::<(), Report>(()))?;
        // After a limit on time, there is none for ratings.
        let levels = generator.levels(ended.is_none(), &Limits { time: None, nodes: None, ..limits })?;
        let text = json(&generator.report(&levels, &[], ended));
        Ok((text, levels))
    })?;
    let (text, levels) = made.map_err(|report: Report| of_report(py, &report))?;
    let found = record(py, text.map_err(|error| unwritable(py, &error))?)?;
    Ok((found, levels.into_iter().map(|level| level.text).collect()))
}
