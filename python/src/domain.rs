//! Domains written in Python: a subclass of `engine.Domain`, searched by every algorithm.
//!
//! A state is any hashable object. The searches see its number in the order of discovery; the objects stay in one list.

use crate::errors::{EngineError, with_help};
use crate::limits::{Given, Memory, Time};
use crate::numbers::number;
use crate::puzzle::named;
use crate::solution::Status;
use crate::watch::watched;
use engine::domain::{Notation, Plain, Style, plain};
use engine::search::{Gauge, Request, Verdict, Work};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A domain in Python, as a puzzle in its simplest form. Its states are their numbers, and so are its moves.
struct Written {
    domain: Py<PyAny>,
    has_h: bool,
    known: Arc<Mutex<Known>>,
    interrupt: Arc<AtomicBool>,
}

/// What is known of the states.
struct Known {
    /// The states, and their numbers, by the equality of Python.
    states: Vec<Py<PyAny>>,
    numbers: Py<PyDict>,
    /// The names of moves, and their numbers.
    names: Vec<String>,
    moves: HashMap<String, u32>,
    /// The first error of a function in Python, which ends the search.
    error: Option<PyErr>,
}

impl Written {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what a function in Python returns; after an error, what is empty.
    fn ask<T: Default>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        Python::attach(|py| {
            question(py).unwrap_or_else(|error| {
                self.known().error.get_or_insert(error);
                self.interrupt.store(true, Ordering::Relaxed);
                T::default()
            })
        })
    }

    fn state(&self, py: Python<'_>, number: u32) -> Py<PyAny> {
        self.known().states[number as usize].clone_ref(py)
    }

    /// Returns the number of a state, a new one if it was not seen before.
    fn number(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<u32> {
        let numbers = self.known().numbers.clone_ref(py).into_bound(py);
        // Not under the lock: hash and equality may be functions in Python.
        if let Some(number) = numbers.get_item(state)? {
            return number.extract();
        }
        let mut known = self.known();
        let number = known.states.len() as u32;
        known.states.push(state.clone().unbind());
        drop(known);
        numbers.set_item(state, number)?;
        Ok(number)
    }

    fn move_number(&self, name: String) -> u32 {
        let mut known = self.known();
        let next = known.names.len() as u32;
        if let Some(&number) = known.moves.get(&name) {
            return number;
        }
        known.names.push(name.clone());
        known.moves.insert(name, next);
        next
    }
}

impl Plain for Written {
    type State = u32;
    type Action = u32;

    fn initial(&self) -> u32 {
        0
    }

    fn is_goal(&self, &state: &u32) -> bool {
        self.ask(|py| self.domain.call_method1(py, "is_goal", (self.state(py, state),))?.is_truthy(py))
    }

    fn successors(&self, &state: &u32) -> Vec<(u32, u32)> {
        self.ask(|py| {
            let moves = self.domain.bind(py).call_method1("moves", (self.state(py, state),))?;
            let mut all = Vec::new();
            for one in moves.try_iter()? {
                let (name, next): (Bound<'_, PyAny>, Bound<'_, PyAny>) = one?.extract()?;
                all.push((self.move_number(name.str()?.extract()?), self.number(py, &next)?));
            }
            Ok(all)
        })
    }

    fn h(&self, &state: &u32) -> u32 {
        if !self.has_h {
            return 0;
        }
        self.ask(|py| self.domain.call_method1(py, "h", (self.state(py, state),))?.extract(py))
    }

    fn notation(&self, _state: &u32, action: u32) -> String {
        self.known().names[action as usize].clone()
    }

    fn draw(&self, &state: &u32, _style: Style) -> String {
        self.ask(|py| Ok(self.state(py, state).bind(py).str()?.extract::<String>()? + "\n"))
    }
}

/// Solves a domain in Python: returns a dictionary.
#[pyfunction]
#[pyo3(name = "_solve_domain")]
#[pyo3(signature = (
    domain, start, has_h, is_admissible, algorithm, time_limit=None, memory_limit=None, node_limit=None,
    depth_limit=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn solve_domain<'py>(
    py: Python<'py>,
    domain: Py<PyAny>,
    start: Bound<'py, PyAny>,
    has_h: bool,
    is_admissible: bool,
    algorithm: &str,
    time_limit: Option<Time>,
    memory_limit: Option<Memory>,
    node_limit: Option<u64>,
    depth_limit: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm = named(py, algorithm)?;
    let given =
        Given { time: time_limit, memory: memory_limit, nodes: node_limit, depth: depth_limit, threads: Some(1) };
    let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
    let limits = given.limits(&interrupt, &gauge)?;
    let known = Arc::new(Mutex::new(Known {
        states: Vec::new(),
        numbers: PyDict::new(py).unbind(),
        names: Vec::new(),
        moves: HashMap::new(),
        error: None,
    }));
    let written = Written { domain, has_h, known: Arc::clone(&known), interrupt: Arc::clone(&interrupt) };
    written.number(py, &start)?;
    let space = plain(written);
    if let Some(objection) = space.objection(algorithm) {
        return Err(with_help::<EngineError>(py, objection, None));
    }
    let found = watched(py, &interrupt, None, || space.run(&Request::in_memory(Work::Search(algorithm), &limits)))?;
    let mut known_now = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = known_now.error.take() {
        return Err(error);
    }
    drop(known_now);
    let found = found.map_err(|error| with_help::<EngineError>(py, &error.message, Some(&error.help)))?.answer.found();
    let result = PyDict::new(py);
    let proves = algorithm.proves_shortest() && (is_admissible || !algorithm.facts().informed);
    let (status, path, cost) = match &found.verdict {
        Verdict::Solved { path, cost, lower_bound } if proves && lower_bound == cost => {
            (Status::ProvenOptimal, Some(path), Some(*cost))
        }
        Verdict::Solved { path, cost, .. } => (Status::Solved, Some(path), Some(*cost)),
        Verdict::Unsolvable => (Status::Unsolvable, None, None),
        Verdict::Limit { limit, best, .. } => {
            result.set_item("limit", limit.name())?;
            (Status::Limit, best.as_ref().map(|(path, _)| path), best.as_ref().map(|(_, cost)| *cost))
        }
    };
    result.set_item("status", Bound::new(py, status)?)?;
    result.set_item("cost", cost.map(|cost| number(py, cost)).transpose()?)?;
    let moves = path.map(|path| path.moves(Notation::STANDARD)).unwrap_or_default();
    result.set_item("moves", PyTuple::new(py, moves)?)?;
    result.set_item("expanded", found.stats.expanded)?;
    result.set_item("generated", found.stats.generated)?;
    Ok(result)
}
