//! The trace of a search, as one JSON object a line.

use super::Number;
use crate::diagnostic;
use crate::domain::{Style, TraceReceiver, TraceRecord, TracedPosition};
use crate::search::{PruneReason, Side, StepKind, TraceEvent, TraceStep};
use parking_lot::Mutex;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The version of the format.
const VERSION: u32 = 1;

/// Writes a trace as lines of JSON.
pub struct TraceWriter<W> {
    lines: Mutex<Lines<W>>,
}

struct Lines<W> {
    out: W,
    /// The maximum number of expansions.
    limit: Option<u64>,
    /// The expansions of all searches so far, and of this one.
    all: u64,
    expanded: u64,
    is_cut: bool,
    failed: Option<io::Error>,
}

/// A line. The fields that an event does not have are left out.
#[derive(Default, Serialize)]
struct Line<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u64>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    g: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    novelty: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generated: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
}

impl<W: Write> TraceWriter<W> {
    /// Creates a writer of a trace that ends after `limit` expansions, if that is set.
    pub fn new(out: W, limit: Option<u64>) -> TraceWriter<W> {
        let lines = Lines { out, limit, all: 0, expanded: 0, is_cut: false, failed: None };
        TraceWriter { lines: Mutex::new(lines) }
    }

    /// Returns what `ask` returns of the output.
    pub fn with_output<T>(&self, ask: impl FnOnce(&W) -> T) -> T {
        ask(&self.lines.lock().out)
    }

    /// Returns the output.
    ///
    /// # Errors
    /// A line could not be written; the trace ended there.
    pub fn finish(self) -> io::Result<W> {
        let Lines { out, failed, .. } = self.lines.into_inner();
        failed.map_or(Ok(out), Err)
    }
}

impl<W: Write + Send> TraceReceiver for TraceWriter<W> {
    fn receive(&self, record: &TraceRecord) -> bool {
        self.lines.lock().receive(record)
    }
}

impl<W: Write> Lines<W> {
    fn receive(&mut self, record: &TraceRecord) -> bool {
        if self.is_cut || self.failed.is_some() {
            return false;
        }
        let line = match *record {
            TraceRecord::Begin { puzzle, domain, algorithm, heuristic } => {
                self.expanded = 0;
                Line {
                    version: Some(VERSION),
                    puzzle: Some(puzzle),
                    domain: Some(domain),
                    algorithm: Some(algorithm),
                    heuristic,
                    start: Some(0),
                    ..event("begin")
                }
            }
            TraceRecord::Refuted { puzzle, domain, reason } => Line {
                version: Some(VERSION),
                puzzle: Some(puzzle),
                domain: Some(domain),
                reason: Some(reason),
                ..event("refuted")
            },
            TraceRecord::End { outcome, expanded, generated } => {
                Line { outcome: Some(outcome), expanded: Some(expanded), generated: Some(generated), ..event("end") }
            }
            TraceRecord::Event(TraceEvent::Iteration { number, threshold }, _) => {
                Line { number: Some(*number), threshold: threshold.map(Number), ..event("iteration") }
            }
            TraceRecord::Event(TraceEvent::Layer { depth, side }, _) => {
                Line { depth: Some(Number(*depth)), side: side.map(Side::name), ..event("layer") }
            }
            TraceRecord::Event(TraceEvent::Step(step), position) => {
                let mut number = None;
                if step.kind == StepKind::Expanded {
                    if self.limit.is_some_and(|limit| self.all >= limit) {
                        self.is_cut = true;
                        self.write(&Line { limit: self.limit, ..event("cut") });
                        return false;
                    }
                    self.all += 1;
                    self.expanded += 1;
                    number = Some(self.expanded);
                }
                Line { number, ..of_step(step, position) }
            }
        };
        self.write(&line)
    }

    fn write(&mut self, line: &Line) -> bool {
        let written = diagnostic::json(line).map_err(io::Error::from).and_then(|line| writeln!(self.out, "{line}"));
        self.failed = written.err();
        self.failed.is_none()
    }
}

fn event(name: &'static str) -> Line<'static> {
    Line { event: name, ..Line::default() }
}

/// Returns the line of an event about one state.
fn of_step<'a>(step: &TraceStep, position: Option<&dyn TracedPosition>) -> Line<'a> {
    let (name, has_move, has_position) = match step.kind {
        StepKind::Expanded => ("expanded", true, true),
        StepKind::Generated => ("generated", true, true),
        StepKind::Duplicate => ("duplicate", true, false),
        StepKind::Reopened => ("reopened", true, false),
        StepKind::Pruned(_) => ("pruned", true, false),
        StepKind::Goal => ("goal", false, false),
    };
    let finite = |cost: Option<f64>| cost.filter(|cost| cost.is_finite()).map(Number);
    let moves = position.filter(|_| has_move).map(|position| position.moves().join(" "));
    let shown = position.filter(|_| has_position);
    let drawn = shown.and_then(|position| position.draw(Style::Drawn));
    let key = shown.filter(|_| drawn.is_none()).map(|position| hexadecimal(&position.state_bytes()));
    Line {
        side: step.side.map(Side::name),
        node: step.node,
        parent: step.parent,
        moves: moves.filter(|moves| !moves.is_empty()),
        reason: if let StepKind::Pruned(reason) = step.kind { Some(PruneReason::name(reason)) } else { None },
        g: finite(step.g),
        h: finite(step.h),
        f: finite(step.f),
        novelty: step.novelty,
        position: drawn.map(|drawn| drawn.trim_end_matches('\n').to_owned()),
        key,
        ..event(name)
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
