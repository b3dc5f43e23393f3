//! Solutions as data.

use crate::game::Game;
use crate::numbers::number;
use crate::pictures::{drawn, drawn_film};
use engine::domain::Notation;
use engine::puzzle::Outcome;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a search found out.
#[pyclass(frozen, eq, hash, module = "engine")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// A solution, and the proof that none costs less.
    #[pyo3(name = "PROVEN_OPTIMAL")]
    ProvenOptimal,
    /// A solution; another may cost less.
    #[pyo3(name = "SOLVED")]
    Solved,
    /// The proof that there is no solution.
    #[pyo3(name = "UNSOLVABLE")]
    Unsolvable,
    /// A limit ended the search. There may be a solution all the same, and `lower_bound`.
    #[pyo3(name = "LIMIT")]
    Limit,
}

/// The answer of a search, as one process sends it to another.
#[derive(Clone, Serialize, Deserialize)]
pub struct Answer {
    outcome: Outcome,
    optimal: bool,
    cost: Option<f64>,
    lower_bound: Option<f64>,
    limit: Option<String>,
    reason: Option<String>,
    lack_of_proof: Option<String>,
    /// The moves before the search.
    after: Vec<String>,
    /// The moves of the solution; `None` if there is none.
    moves: Option<Vec<String>>,
    algorithm: String,
    heuristic: Option<String>,
    expanded: u64,
    generated: u64,
    stored: u64,
    peak_memory_bytes: u64,
    seconds: f64,
    build_seconds: f64,
}

impl Answer {
    /// Takes what Python sees of a solution.
    pub fn of(solution: &engine::Solution, after: &[String]) -> Answer {
        let stats = solution.stats();
        Answer {
            outcome: solution.outcome(),
            optimal: solution.is_optimal(),
            cost: solution.cost(),
            lower_bound: solution.lower_bound(),
            limit: solution.limit().map(|limit| limit.name().to_owned()),
            reason: solution.reason().map(str::to_owned),
            lack_of_proof: solution.lack_of_proof(),
            after: after.to_vec(),
            moves: solution.route().map(|_| solution.moves()),
            algorithm: solution.algorithm().name().to_owned(),
            heuristic: solution.heuristic().map(str::to_owned),
            expanded: stats.expanded,
            generated: stats.generated,
            stored: stats.stored,
            peak_memory_bytes: stats.memory,
            seconds: solution.time().as_secs_f64(),
            build_seconds: solution.build_time().as_secs_f64(),
        }
    }
}

/// Returns the answer of a search whose process ended before it answered.
#[pyfunction]
#[pyo3(name = "_ended_answer")]
pub fn ended_answer(algorithm: Option<String>, limit: String) -> String {
    let answer = Answer {
        outcome: Outcome::Limit,
        optimal: false,
        cost: None,
        lower_bound: Some(0.0),
        limit: Some(limit),
        reason: None,
        lack_of_proof: None,
        after: Vec::new(),
        moves: None,
        algorithm: algorithm.unwrap_or_default(),
        heuristic: None,
        expanded: 0,
        generated: 0,
        stored: 0,
        peak_memory_bytes: 0,
        seconds: 0.0,
        build_seconds: 0.0,
    };
    serde_json::to_string(&answer).unwrap_or_default()
}

/// The answer of a search: `status`, and what is known.
#[pyclass(frozen, module = "engine")]
pub struct Solution {
    puzzle: Arc<engine::Puzzle>,
    answer: Answer,
}

impl Solution {
    /// Creates the answer of a search in this puzzle.
    pub fn new(puzzle: &Arc<engine::Puzzle>, answer: Answer) -> Solution {
        Solution { puzzle: Arc::clone(puzzle), answer }
    }

    /// Reads what another process wrote.
    pub fn from_json(puzzle: &Arc<engine::Puzzle>, text: &str) -> PyResult<Solution> {
        let answer = serde_json::from_str(text)
            .map_err(|error| PyValueError::new_err(format!("the answer of another process: {error}")))?;
        Ok(Solution::new(puzzle, answer))
    }

    fn all_moves(&self) -> Vec<String> {
        self.answer.after.iter().chain(self.answer.moves.iter().flatten()).cloned().collect()
    }
}

#[pymethods]
impl Solution {
    /// What the search found out.
    #[getter]
    fn status(&self) -> Status {
        match (self.answer.outcome, self.answer.optimal) {
            (Outcome::Solved, true) => Status::ProvenOptimal,
            (Outcome::Solved, false) => Status::Solved,
            (Outcome::Unsolvable, _) => Status::Unsolvable,
            _ => Status::Limit,
        }
    }

    /// The cost of the solution: whole numbers as `int`. `None` without a solution.
    #[getter]
    fn cost(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.answer.cost.map(|cost| number(py, cost)).transpose()
    }

    /// A proven lower bound on the cost of every solution.
    #[getter]
    fn lower_bound(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.answer.lower_bound.map(|bound| number(py, bound)).transpose()
    }

    /// The moves; empty without a solution.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.answer.moves.clone().unwrap_or_default()
    }

    /// The positions as text: the one from which the search began, then the one after each move; empty without a
    /// solution.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let Some(moves) = &self.answer.moves else { return Ok(Vec::new()) };
        let game = Game::at_start(&self.puzzle);
        self.answer.after.iter().try_for_each(|written| game.push(py, written))?;
        let mut positions = vec![game.draw()];
        for written in moves {
            game.push(py, written)?;
            positions.push(game.draw());
        }
        Ok(positions)
    }

    /// The limit that ended the search, if one did: `time`, `memory`, `nodes`, `depth` or `interrupt`.
    #[getter]
    fn limit(&self) -> Option<&str> {
        self.answer.limit.as_deref()
    }

    /// Why there is no solution, in words.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.answer.reason.as_deref()
    }

    /// Why the solution is not proven shortest, in words.
    #[getter]
    fn lack_of_proof(&self) -> Option<&str> {
        self.answer.lack_of_proof.as_deref()
    }

    /// The algorithm.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.answer.algorithm
    }

    /// The heuristic that the last search used.
    #[getter]
    fn heuristic(&self) -> Option<&str> {
        self.answer.heuristic.as_deref()
    }

    /// The states expanded.
    #[getter]
    fn expanded(&self) -> u64 {
        self.answer.expanded
    }

    /// The states generated.
    #[getter]
    fn generated(&self) -> u64 {
        self.answer.generated
    }

    /// The most states stored at once.
    #[getter]
    fn stored(&self) -> u64 {
        self.answer.stored
    }

    /// The most bytes in tables.
    #[getter]
    fn peak_memory_bytes(&self) -> u64 {
        self.answer.peak_memory_bytes
    }

    /// The time in seconds, with what was built.
    #[getter]
    fn seconds(&self) -> f64 {
        self.answer.seconds
    }

    /// The time in seconds to build what the searches used.
    #[getter]
    fn build_seconds(&self) -> f64 {
        self.answer.build_seconds
    }

    fn __bool__(&self) -> bool {
        self.answer.moves.is_some()
    }

    fn __len__(&self) -> usize {
        self.answer.moves.as_ref().map_or(0, Vec::len)
    }

    fn __repr__(&self) -> String {
        let name = match self.status() {
            Status::ProvenOptimal => "PROVEN_OPTIMAL",
            Status::Solved => "SOLVED",
            Status::Unsolvable => "UNSOLVABLE",
            Status::Limit => "LIMIT",
        };
        let cost = self.answer.cost.map_or_else(String::new, |cost| format!(", cost {cost}"));
        format!("<engine.Solution {name}{cost}, {} states expanded by {}>", self.answer.expanded, self.answer.algorithm)
    }

    fn _repr_svg_(&self) -> Option<String> {
        drawn(&self.puzzle, &self.all_moves(), false)
    }

    /// Returns a page as HTML: the solution to step through, by keys and a slider.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        drawn_film(py, &self.puzzle, &self.all_moves())
    }

    /// The answer as one process sends it to another.
    fn _to_json(&self) -> String {
        serde_json::to_string(&self.answer).unwrap_or_default()
    }
}

/// All shortest solutions: a sequence of lists of moves.
#[pyclass(frozen, sequence, module = "engine")]
pub struct Paths {
    /// The number of all shortest solutions; the greatest number of 128 bits also stands for all greater ones.
    #[pyo3(get)]
    count: u128,
    /// What each of them costs.
    cost: f64,
    listed: Vec<Vec<String>>,
}

impl Paths {
    /// Takes the solutions that were listed; `None` if there are none.
    pub fn of(solution: &engine::Solution) -> Option<Paths> {
        let listed = solution.all_shortest()?.map(|route| route.moves(Notation::STANDARD)).collect();
        Some(Paths { count: solution.solutions()?, cost: solution.cost()?, listed })
    }
}

#[pymethods]
impl Paths {
    /// What each of them costs.
    #[getter]
    fn cost(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        number(py, self.cost)
    }

    fn __len__(&self) -> usize {
        self.listed.len()
    }

    fn __getitem__(&self, at: isize) -> PyResult<Vec<String>> {
        let at = if at < 0 { at + self.listed.len() as isize } else { at };
        let found = usize::try_from(at).ok().and_then(|at| self.listed.get(at));
        found.cloned().ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no solution of this number is listed"))
    }
}
