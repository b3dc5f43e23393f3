//! Records a search while it runs, by its trace.

use super::record::{Queue, RecordedNode, SearchEvent, SearchRecord};
use crate::domain::{TraceReceiver, TraceRecord, TracedPosition};
use crate::picture::Figure;
use crate::plot::thousands;
use crate::puzzle::{Options, Outcome, Puzzle, Solution, SolveError};
use crate::search::{Algorithm, PruneReason, Side, StepKind, TraceEvent, TraceStep};
use crate::space::{Part, Parts};
use crate::transcript::outcome;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

/// The greatest number of events of a record, and of figures in all of its positions. Positions beyond it have no drawing.
const MOST_EVENTS: u64 = 1_000_000;
const MOST_FIGURES: usize = 1_000_000;
/// The greatest number of parts of h in a record. Positions beyond it have none.
const MOST_PARTS: usize = 300_000;

/// Solves a puzzle and records what the search does until it has expanded `most` states; it goes on to its answer. If the
/// search has several stages, each is a record of its own.
///
/// # Errors
/// Those of [`Puzzle::solve`].
pub fn recorded(puzzle: &Puzzle, options: &Options, most: u64) -> Result<(Vec<SearchRecord>, Solution), SolveError> {
    let remembers_path = options.limits.closed.is_some();
    let recording = Recording { most, remembers_path, ..Recording::default() };
    let recorder = Arc::new(Recorder(Mutex::new(recording)));
    let solution = puzzle.solve(&Options { trace: Some(Arc::<Recorder>::clone(&recorder)), ..options.clone() })?;
    let mut recording = recorder.0.lock();
    if recording.records.is_empty() {
        recording.begin(solution.algorithm().name(), None);
        let refuted = recording.refuted.take();
        let words = |reason| format!("There is no search, since no solution exists: {reason}");
        recording.records[0].cut = refuted.map(words);
        let figures = puzzle.space("zero").ok().and_then(|start| start.picture()).map(|picture| picture.figures);
        recording.records[0].nodes[0].picture = figures;
    }
    let mut records = take(&mut recording.records);
    drop(recording);
    if let Some(last) = records.last_mut() {
        let text = outcome(&solution);
        last.outcome = match solution.outcome() {
            Outcome::Solved => format!("solved at cost {text}"),
            _ => text,
        };
    }
    Ok((records, solution))
}

struct Recorder(Mutex<Recording>);

impl TraceReceiver for Recorder {
    fn receive(&self, record: &TraceRecord) -> bool {
        self.0.lock().receive(record)
    }
}

/// The records so far.
#[derive(Default)]
struct Recording {
    records: Vec<SearchRecord>,
    /// The greatest number of expansions of a record.
    most: u64,
    /// True if depth-first search remembers its path and a table of bounded length.
    remembers_path: bool,
    /// The index of each node of the trace.
    nodes: HashMap<u64, usize>,
    /// The events of this search, and the expansions among them.
    events: u64,
    expanded: u64,
    /// The figures of this search, and the parts of h.
    figures: usize,
    parts: usize,
    /// Why there is no solution, if no search finds that out.
    refuted: Option<String>,
}

impl Recording {
    fn receive(&mut self, record: &TraceRecord) -> bool {
        match record {
            TraceRecord::Begin { algorithm, heuristic, .. } => self.begin(algorithm, *heuristic),
            TraceRecord::Refuted { reason, .. } => self.refuted = Some((*reason).to_owned()),
            TraceRecord::Event(event, position) => {
                let is_expansion = matches!(event, TraceEvent::Step(TraceStep { kind: StepKind::Expanded, .. }));
                if self.events == MOST_EVENTS || is_expansion && self.expanded == self.most {
                    let expanded = thousands(self.expanded);
                    if let Some(record) = self.records.last_mut() {
                        record.cut = Some(format!("the record ends after {expanded} expansions"));
                    }
                    return false;
                }
                self.events += 1;
                self.event(event, *position);
            }
            TraceRecord::End { outcome, expanded, .. } => {
                if let Some(record) = self.records.last_mut() {
                    record.outcome = format!("{outcome} after {} expansions", thousands(*expanded));
                    if self.expanded == 0 && *expanded > 0 {
                        record.cut = Some("the page has no record of this search".to_owned());
                    }
                }
            }
        }
        true
    }

    fn begin(&mut self, algorithm: &str, heuristic: Option<&str>) {
        let queue = match Algorithm::named(algorithm) {
            Some(Algorithm::Bfs | Algorithm::Iddfs | Algorithm::IdaStar) => Queue::First,
            Some(Algorithm::Dfs) if self.remembers_path => Queue::Path,
            Some(Algorithm::Dfs) => Queue::Last,
            Some(Algorithm::AStar | Algorithm::WeightedAStar(_)) => Queue::LeastF,
            Some(Algorithm::Greedy) => Queue::LeastH,
            Some(Algorithm::Beam(_)) => Queue::Beam,
            Some(Algorithm::BestFirstWidth) => Queue::Novelty,
            Some(Algorithm::Bidirectional) => Queue::EndsByCost,
            _ => Queue::Other,
        };
        let name = heuristic.map_or(algorithm.to_owned(), |heuristic| format!("{algorithm} · {heuristic}"));
        self.records.push(SearchRecord {
            name,
            queue,
            outcome: String::new(),
            cut: None,
            nodes: Vec::new(),
            events: Vec::new(),
        });
        self.nodes.clear();
        (self.events, self.expanded, self.figures, self.parts) = (0, 0, 0, 0);
        // The start is no event; its first expansion has its values.
        self.add(0, RecordedNode::default());
    }

    /// Adds a node, which is number `node` of the trace from now on.
    fn add(&mut self, node: u64, recorded: RecordedNode) -> usize {
        let Some(record) = self.records.last_mut() else { return 0 };
        record.nodes.push(recorded);
        self.nodes.insert(node, record.nodes.len() - 1);
        record.nodes.len() - 1
    }

    fn push(&mut self, event: SearchEvent) {
        if let Some(record) = self.records.last_mut() {
            record.events.push(event);
        }
    }

    fn event(&mut self, event: &TraceEvent, position: Option<&dyn TracedPosition>) {
        match event {
            TraceEvent::Iteration { number, threshold } => {
                let Some(record) = self.records.last_mut() else { return };
                record.queue = Queue::Path;
                record.events.push(SearchEvent::Iteration(*number, threshold.unwrap_or(f64::INFINITY)));
                // Each iteration is a tree of its own.
                if record.nodes.len() > 1 || self.expanded > 0 {
                    let root = record.nodes[0].clone();
                    self.add(0, root);
                }
            }
            TraceEvent::Layer { depth, side } => {
                if let Some(record) = self.records.last_mut().filter(|_| side.is_some()) {
                    record.queue = Queue::EndsByLayers;
                }
                self.push(SearchEvent::Layer(*depth));
            }
            TraceEvent::Step(step) => self.step(step, position),
        }
    }

    fn step(&mut self, step: &TraceStep, position: Option<&dyn TracedPosition>) {
        let parent = step.parent.and_then(|parent| self.nodes.get(&parent).copied());
        let known = step.node.and_then(|node| self.nodes.get(&node).copied());
        let event = match step.kind {
            StepKind::Expanded => {
                self.expanded += 1;
                let node = match known {
                    Some(node) => node,
                    None => self.arrive(step, parent, position),
                };
                self.complete(node, step, position);
                SearchEvent::Expanded(node)
            }
            StepKind::Generated => SearchEvent::Generated(self.arrive(step, parent, position)),
            StepKind::Duplicate => SearchEvent::Duplicate(known.or(parent).unwrap_or(0), parent.unwrap_or(0)),
            StepKind::Reopened => {
                let node = self.arrive(step, parent, position);
                known.map_or(SearchEvent::Generated(node), |before| SearchEvent::Replaced(before, node))
            }
            StepKind::Pruned(reason) => {
                let written = position.map(|position| position.moves().join(" "));
                // A node that is left out is known from now on.
                if step.node.is_some() && known.is_none() {
                    self.arrive(step, parent, position);
                }
                let f = step.f.or(step.h.filter(|h| h.is_infinite()));
                let is_generated = step.state.is_some() && reason != PruneReason::Symmetry;
                SearchEvent::Pruned { parent: parent.unwrap_or(0), reason: reason.name(), f, written, is_generated }
            }
            StepKind::Goal => SearchEvent::Goal(known.unwrap_or(0), step.g.unwrap_or(0.0)),
        };
        self.push(event);
    }

    /// Adds the node of an event.
    fn arrive(&mut self, step: &TraceStep, parent: Option<usize>, position: Option<&dyn TracedPosition>) -> usize {
        let g = step.g.unwrap_or(0.0);
        // Greedy search orders by h alone, which is no f.
        let is_greedy = self.records.last().is_some_and(|record| record.queue == Queue::LeastH);
        let sum = g + step.h.unwrap_or(0.0);
        let moves = position.map(|position| position.moves().join(" "));
        let node = RecordedNode {
            parent,
            written: moves.filter(|moves| !moves.is_empty()),
            g,
            h: step.h,
            f: step.f.filter(|f| !is_greedy && *f != sum),
            picture: self.figures(position),
            is_backward: step.side == Some(Side::Backward),
            novelty: step.novelty,
            parts: self.parts(step, position),
        };
        match step.node {
            Some(number) => self.add(number, node),
            None => 0,
        }
    }

    /// Completes the start by its first expansion.
    fn complete(&mut self, node: usize, step: &TraceStep, position: Option<&dyn TracedPosition>) {
        let is_start = node == 0;
        let figures = if is_start { self.figures(position) } else { None };
        let parts = if is_start { self.parts(step, position) } else { Parts::default() };
        let Some(node) = self.records.last_mut().and_then(|record| record.nodes.get_mut(node)) else { return };
        node.h = node.h.or(step.h);
        node.picture = node.picture.take().or(figures);
        if is_start {
            (node.parts, node.novelty) = (parts, step.novelty);
        }
    }

    /// Returns the parts of h of a position, if there is room for them.
    fn parts(&mut self, step: &TraceStep, position: Option<&dyn TracedPosition>) -> Parts {
        let position = position.filter(|_| step.h.is_some() && self.parts < MOST_PARTS);
        let mut parts = position.map_or_else(Parts::default, |position| position.parts());
        // A search may know more than its heuristic: conflicts of boxes near each other, for example.
        let beyond = step.h.unwrap_or(0.0) - parts.all.iter().map(|part| part.value).sum::<f64>();
        if !parts.all.is_empty() && beyond.is_finite() && beyond > 1e-6 {
            parts.all.push(Part::of("found by the search beyond that", beyond, [""; 0]));
        }
        self.parts += parts.all.len();
        parts
    }

    /// Returns the figures of a position, if it can be drawn and there is room for them.
    fn figures(&mut self, position: Option<&dyn TracedPosition>) -> Option<Vec<Figure>> {
        if self.figures >= MOST_FIGURES {
            return None;
        }
        let figures = position?.figures()?;
        self.figures += figures.len();
        Some(figures)
    }
}
