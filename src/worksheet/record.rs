//! The first steps of a search, as exercises ask for them.

use super::{Board, Material};
use crate::domain::{TraceReceiver, TraceRecord};
use crate::picture::Picture;
use crate::puzzle::{Options, Style};
use crate::search::{Algorithm, Limits, PruneReason, StepKind, TraceEvent};
use parking_lot::Mutex;
use std::mem::take;
use std::sync::Arc;

/// The most steps that are recorded.
const MOST_STEPS: usize = 200;

/// The states after which the search itself ends: exercises are about the first few.
const MOST_STATES: u64 = 100;

/// A step of a search.
pub(super) struct Step {
    pub kind: StepKind,
    /// The number of the node; none if the state was cut off.
    pub node: Option<u64>,
    pub parent: Option<u64>,
    /// The move from the parent; empty for the start.
    pub written: String,
    pub g: f64,
    pub h: f64,
    pub f: f64,
    /// The position, if it can be drawn.
    pub board: Option<Board>,
}

/// An iteration of a search with thresholds; the only one of other searches.
#[derive(Default)]
pub(super) struct Iteration {
    pub threshold: f64,
    pub steps: Vec<Step>,
    /// True if the record holds all of it.
    pub is_whole: bool,
}

/// Records the first steps of a search with a heuristic.
///
/// # Errors
/// Returns why the puzzle cannot be searched so.
pub(super) fn record(material: &Material, algorithm: Algorithm, heuristic: &str) -> Result<Vec<Iteration>, String> {
    let recorder = Arc::new(Recorder { start: material.start()?.picture(), ..Recorder::default() });
    let limits = Limits { nodes: Some(MOST_STATES), ..material.limits.clone() };
    let options = Options {
        algorithm: Some(algorithm),
        heuristic: Some(heuristic.to_owned()),
        trace: Some(Arc::clone(&recorder) as Arc<dyn TraceReceiver>),
        limits,
        ..Options::default()
    };
    material.puzzle.solve(&options).map_err(|error| error.to_string())?;
    Ok(take(&mut recorder.iterations.lock()))
}

#[derive(Default)]
struct Recorder {
    /// The picture of the start, whose ground all positions share.
    start: Option<Picture>,
    iterations: Mutex<Vec<Iteration>>,
}

impl TraceReceiver for Recorder {
    fn receive(&self, record: &TraceRecord) -> bool {
        let mut iterations = self.iterations.lock();
        match record {
            TraceRecord::Event(TraceEvent::Iteration { threshold, .. }, _) => {
                if let Some(last) = iterations.last_mut() {
                    last.is_whole = true;
                }
                iterations.push(Iteration { threshold: threshold.unwrap_or(0.0), ..Iteration::default() });
            }
            TraceRecord::Event(TraceEvent::Step(step), position) => {
                if iterations.is_empty() {
                    iterations.push(Iteration::default());
                }
                let iteration = iterations.last_mut().expect("there is one");
                let board = position.and_then(|position| {
                    let text = position.draw(Style::Drawn)?;
                    let picture = self.start.clone().zip(position.figures());
                    let picture = picture.map(|(start, figures)| Picture { figures, ..start });
                    Some(Board { caption: String::new(), text, picture })
                });
                iteration.steps.push(Step {
                    kind: step.kind,
                    node: step.node,
                    parent: step.parent,
                    written: position.map_or(String::new(), |position| position.moves().join(" ")),
                    g: step.g.unwrap_or(0.0),
                    h: step.h.unwrap_or(0.0),
                    f: step.f.unwrap_or(0.0),
                    board,
                });
            }
            TraceRecord::Event(..) | TraceRecord::Begin { .. } | TraceRecord::Refuted { .. } => {}
            TraceRecord::End { .. } => return false,
        }
        iterations.iter().map(|iteration| iteration.steps.len()).sum::<usize>() < MOST_STEPS
    }
}

/// Returns whether a step leaves a state out since its f exceeds the threshold.
pub(super) fn is_cut(step: &Step) -> bool {
    step.kind == StepKind::Pruned(PruneReason::Threshold)
}
