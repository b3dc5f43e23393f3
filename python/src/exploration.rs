//! Whole spaces, as numbers and as arrays of numpy.

use crate::game::drawn;
use crate::solution::number;
use engine::domain::{Notation, Style};
use engine::puzzle;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What exploring a whole space found.
#[pyclass(frozen, module = "engine")]
pub struct Exploration {
    puzzle: Arc<engine::Puzzle>,
    states: u64,
    by_depth: Vec<u64>,
    costs: Option<Vec<u64>>,
    goals: u64,
    dead_ends: Option<u64>,
    hardest: Option<Hardest>,
    limit: Option<&'static str>,
    seconds: f64,
    peak_memory_bytes: u64,
}

/// A state farthest from a goal.
struct Hardest {
    cost: f64,
    count: u64,
    moves: Vec<String>,
    drawing: String,
}

impl Exploration {
    /// Takes what Python sees of an exploration.
    pub fn new(puzzle: &Arc<engine::Puzzle>, exploration: puzzle::Exploration) -> Exploration {
        let found = exploration.found;
        let hardest = found.hardest.as_ref().map(|hardest| Hardest {
            cost: hardest.cost,
            count: hardest.count,
            moves: hardest.example.moves(Notation::STANDARD),
            drawing: hardest.example.last(Style::Drawn),
        });
        Exploration {
            puzzle: Arc::clone(puzzle),
            states: found.states(),
            goals: found.goals,
            dead_ends: found.dead_ends,
            hardest,
            limit: found.limit.map(engine::search::Limit::name),
            seconds: exploration.time.as_secs_f64(),
            peak_memory_bytes: found.memory,
            by_depth: found.by_depth,
            costs: found.costs,
        }
    }
}

#[pymethods]
impl Exploration {
    /// The number of states that moves reach from the start.
    #[getter]
    fn states(&self) -> u64 {
        self.states
    }

    /// The number of states at each distance from the start, an array of unsigned integers of 64 bits.
    #[getter]
    fn by_depth<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.by_depth.clone().into_pyarray(py)
    }

    /// The distances of `by_depth`: 0, 1, 2 and so on, unless moves have other costs than 1.
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let distances = self.costs.clone().unwrap_or_else(|| (0..self.by_depth.len() as u64).collect());
        distances.into_pyarray(py)
    }

    /// The number of states that are goals.
    #[getter]
    fn goals(&self) -> u64 {
        self.goals
    }

    /// The number of states from which no goal can be reached; `None` if a limit ended the exploration.
    #[getter]
    fn dead_ends(&self) -> Option<u64> {
        self.dead_ends
    }

    /// The states farthest from a goal: a dictionary with `cost`, `count`, and of the first one `moves` from the start
    /// and `drawing`. `None` without a goal.
    #[getter]
    fn hardest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(hardest) = &self.hardest else { return Ok(None) };
        let values = PyDict::new(py);
        values.set_item("cost", number(py, hardest.cost)?)?;
        values.set_item("count", hardest.count)?;
        values.set_item("moves", &hardest.moves)?;
        values.set_item("drawing", &hardest.drawing)?;
        Ok(Some(values))
    }

    /// The limit that ended it, if one did: then the counts are of the states reached until then.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.limit
    }

    /// The time in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The most bytes in tables.
    #[getter]
    fn peak_memory_bytes(&self) -> u64 {
        self.peak_memory_bytes
    }

    fn __repr__(&self) -> String {
        let stopped = self.limit.map_or_else(String::new, |limit| format!(", stopped by the limit on {limit}"));
        format!("<engine.Exploration {} states, {} goals{stopped}>", self.states, self.goals)
    }

    /// The picture of a state farthest from a goal.
    fn _repr_svg_(&self) -> Option<String> {
        drawn(&self.puzzle, &self.hardest.as_ref()?.moves, true)
    }
}
