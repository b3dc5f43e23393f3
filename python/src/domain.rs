//! Domains written in Python: a subclass of `engine.Domain` or `engine.ArrayDomain`, searched by every algorithm.
//!
//! - `objects`: a state is any hashable object, and functions get one state;
//! - `rows`: a state is a row of an array of numpy, and functions get many states;
//! - `numbered`: the tables of both, from states to numbers;
//! - `breadth_first`: the search that needs nothing but these numbers.

mod breadth_first;
mod numbered;
mod objects;
mod rows;

use crate::errors::{EngineError, with_help};
use crate::limits::{Given, Memory, Time};
use crate::numbers::number;
use crate::puzzle::named;
use crate::solution::Status;
use crate::watch::watched;
use breadth_first::breadth_first;
use engine::domain::{Discovered, Notation, discovered};
use engine::search::{Algorithm, Found, Gauge, Limits, Request, Stored, Verdict, Work};
use engine::space::{Cost, Facts, Length};
use objects::Objects;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rows::Rows;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The greatest cost of a move: sums of costs then stay far below the infinite one.
const GREATEST_COST: f64 = 10_000.0;

/// The least cost of a move: costs are kept to six decimals.
const LEAST_COST: f64 = 1e-6;

/// A domain in Python, and the first error in one of its functions, which ends the search.
#[derive(Clone)]
struct Asking {
    domain: Arc<Py<PyAny>>,
    is_admissible: bool,
    error: Arc<Mutex<Option<PyErr>>>,
    interrupt: Arc<AtomicBool>,
}

impl Asking {
    /// Returns the answer of a function in Python; after an error, another one.
    fn ask<T>(&self, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>, otherwise: impl FnOnce() -> T) -> T {
        Python::attach(|py| {
            question(self.domain.bind(py)).unwrap_or_else(|error| {
                self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.interrupt.store(true, Ordering::Relaxed);
                otherwise()
            })
        })
    }

    /// Returns a heuristic value. That no goal can be reached is believed if the heuristic is admissible.
    fn h<C: Cost>(&self, value: f64) -> PyResult<C> {
        match value {
            0.0..1e6 => Ok(C::at_least(value)),
            1e6.. if self.is_admissible && value.is_infinite() => Ok(C::INFINITY),
            1e6.. => Ok(C::whole(1_000_000)),
            _ => Err(PyValueError::new_err(format!("`h` returned {value}: expected a number from 0 on"))),
        }
    }
}

/// Returns the cost of a move.
fn cost_of<C: Cost>(cost: f64) -> PyResult<C> {
    match (LEAST_COST..=GREATEST_COST).contains(&cost) {
        true => Ok(C::at_least(cost)),
        false => {
            let wrong = format!("a move of cost {cost}: expected a number above 0 and up to {GREATEST_COST}");
            Err(PyValueError::new_err(wrong))
        }
    }
}

/// Returns the facts of a domain.
fn facts(has_costs: bool, state_bytes: usize) -> Facts {
    Facts { unit_cost: !has_costs, key_heap_bytes: state_bytes, ..Facts::default() }
}

/// Solves a domain in Python: returns a dictionary.
#[pyfunction]
#[pyo3(name = "_solve_domain")]
#[pyo3(signature = (
    domain, start, is_array, has_h, is_admissible, algorithm=None, time_limit=None, memory_limit=None, node_limit=None,
    depth_limit=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn solve_domain<'py>(
    py: Python<'py>,
    domain: Py<PyAny>,
    start: Bound<'py, PyAny>,
    is_array: bool,
    has_h: bool,
    is_admissible: bool,
    algorithm: Option<&str>,
    time_limit: Option<Time>,
    memory_limit: Option<Memory>,
    node_limit: Option<u64>,
    depth_limit: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let algorithm = algorithm.map(|name| named(py, name)).transpose()?;
    let given =
        Given { time: time_limit, memory: memory_limit, nodes: node_limit, depth: depth_limit, threads: Some(1) };
    let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
    let limits = given.limits(&interrupt, &gauge)?;
    let asking = Asking { domain: Arc::new(domain), is_admissible, error: Arc::default(), interrupt };
    let with_costs = match is_array {
        true => rows::has_costs(&asking, &start)?,
        false => objects::has_costs(&asking, &start)?,
    };
    let plainest = if has_h || with_costs { Algorithm::AStar } else { Algorithm::Bfs };
    let algorithm = algorithm.unwrap_or(plainest);
    let search = Search { asking, has_h, algorithm, limits };
    match (is_array, with_costs) {
        (true, true) => search.run::<Length>(py, Box::new(Rows::of(&search, &start, true)?)),
        (true, false) => search.run_unit(py, Box::new(Rows::of(&search, &start, false)?)),
        (false, true) => search.run::<Length>(py, Box::new(Objects::of(&search, &start, true)?)),
        (false, false) => search.run_unit(py, Box::new(Objects::of(&search, &start, false)?)),
    }
}

/// A search in a domain.
struct Search {
    asking: Asking,
    has_h: bool,
    algorithm: Algorithm,
    limits: Limits,
}

impl Search {
    fn run<'py, C: Cost>(&self, py: Python<'py>, graph: Box<dyn Discovered<C>>) -> PyResult<Bound<'py, PyDict>>
    where
        u32: Stored<C>,
    {
        let space = discovered(graph);
        let Search { asking, algorithm, limits, .. } = self;
        if let Some(objection) = space.objection(*algorithm) {
            return Err(with_help::<EngineError>(py, objection, None));
        }
        let request = Request::in_memory(Work::Search(*algorithm), limits);
        let found = watched(py, &asking.interrupt, None, || space.run(&request))?;
        self.failed()?;
        let found = found.map_err(|error| with_help::<EngineError>(py, &error.message, Some(&error.help)))?;
        self.answer(py, found.answer.found().map(|path| path.moves(Notation::STANDARD)))
    }

    /// Searches a domain whose moves cost 1.
    fn run_unit<'py>(&self, py: Python<'py>, graph: Box<dyn Discovered<u32>>) -> PyResult<Bound<'py, PyDict>> {
        if self.algorithm != Algorithm::Bfs {
            return self.run(py, graph);
        }
        // The thread has the interpreter's lock all the time, since it asks a function in Python about each state. It gives
        // it away for a moment now and then.
        let search = || Python::attach(|py| breadth_first(&*graph, &self.limits, || py.detach(|| ())));
        let found = watched(py, &self.asking.interrupt, None, search)?;
        self.failed()?;
        let name = |(state, action)| graph.notation(state, action);
        let found = found.map(|path| path.into_iter().map(name).collect());
        self.failed()?;
        self.answer(py, found)
    }

    /// Returns the first error of a function in Python.
    fn failed(&self) -> PyResult<()> {
        self.asking.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Returns the answer as a dictionary; a path is the names of its moves.
    fn answer<'py>(&self, py: Python<'py>, found: Found<Vec<String>>) -> PyResult<Bound<'py, PyDict>> {
        let Search { asking, algorithm, .. } = self;
        let result = PyDict::new(py);
        let proves = algorithm.proves_shortest() && (asking.is_admissible || !algorithm.facts().informed);
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
        let rounded = |cost: f64| (cost / LEAST_COST).round() * LEAST_COST;
        let shown = |cost: f64| if (cost - cost.round()).abs() < LEAST_COST { cost.round() } else { rounded(cost) };
        result.set_item("status", Bound::new(py, status)?)?;
        result.set_item("cost", cost.map(|cost| number(py, shown(cost))).transpose()?)?;
        result.set_item("moves", PyTuple::new(py, path.map_or(&[][..], |path| path))?)?;
        result.set_item("expanded", found.stats.expanded)?;
        result.set_item("generated", found.stats.generated)?;
        Ok(result)
    }
}
