//! Whole spaces, as numbers and as arrays of numpy.

use crate::numbers::number;
use engine::domain::{Notation, Route, Style};
use engine::puzzle;
use engine::search::{Explored, Limit};
use engine::transcript::explore::write_svg;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What exploring a whole space found.
#[pyclass(frozen, module = "engine")]
pub struct Exploration {
    puzzle: Arc<engine::Puzzle>,
    exploration: puzzle::Exploration,
}

impl Exploration {
    /// Shows an exploration to Python.
    pub fn new(puzzle: &Arc<engine::Puzzle>, exploration: puzzle::Exploration) -> Exploration {
        Exploration { puzzle: Arc::clone(puzzle), exploration }
    }

    fn found(&self) -> &Explored<Box<dyn Route>> {
        &self.exploration.found
    }
}

#[pymethods]
impl Exploration {
    /// The number of states that moves reach from the start.
    #[getter]
    fn states(&self) -> u64 {
        self.found().states()
    }

    /// The number of states at each distance from the start, an array of unsigned integers of 64 bits.
    #[getter]
    fn by_depth<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.found().by_depth.clone().into_pyarray(py)
    }

    /// The distances of `by_depth`: 0, 1, 2 and so on, unless moves have other costs than 1.
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let distances = self.found().costs.clone().unwrap_or_else(|| (0..self.found().by_depth.len() as u64).collect());
        distances.into_pyarray(py)
    }

    /// The number of states that are goals.
    #[getter]
    fn goals(&self) -> u64 {
        self.found().goals
    }

    /// The number of states from which no goal can be reached; `None` if a limit ended the exploration.
    #[getter]
    fn dead_ends(&self) -> Option<u64> {
        self.found().dead_ends
    }

    /// The states farthest from a goal: a dictionary with `cost`, `count`, and of the first one `moves` from the start
    /// and `drawing`. `None` without a goal.
    #[getter]
    fn hardest<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(hardest) = &self.found().hardest else { return Ok(None) };
        let values = PyDict::new(py);
        values.set_item("cost", number(py, hardest.cost)?)?;
        values.set_item("count", hardest.count)?;
        values.set_item("moves", hardest.example.moves(Notation::STANDARD))?;
        values.set_item("drawing", hardest.example.last(Style::Drawn))?;
        Ok(Some(values))
    }

    /// The limit that ended it, if one did: then the counts are of the states reached until then.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.found().limit.map(Limit::name)
    }

    /// The time in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.exploration.time.as_secs_f64()
    }

    /// The most bytes in tables.
    #[getter]
    fn peak_memory_bytes(&self) -> u64 {
        self.found().memory
    }

    fn __repr__(&self) -> String {
        let found = self.found();
        let stopped =
            found.limit.map_or_else(String::new, |limit| format!(", stopped by the limit on {}", limit.name()));
        format!("<engine.Exploration {} states, {} goals{stopped}>", found.states(), found.goals)
    }

    /// The chart of the states by their distance from the start.
    fn _repr_svg_(&self) -> Option<String> {
        let mut chart = Vec::new();
        write_svg(&mut chart, &self.puzzle, &self.exploration).ok()?;
        String::from_utf8(chart).ok()
    }
}
