//! The exact distance of every state of a small space to the nearest goal, and so an optimal policy.

use crate::errors::{EngineError, IllegalMove, with_help};
use crate::game::Game;
use crate::limits::{Given, Memory, Time};
use crate::watch::watched;
use engine::domain::Searchable;
use engine::search::{Gauge, Limit, Limits};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The distances of all states that moves reach from the start.
#[pyclass(frozen, module = "engine")]
pub struct Distances {
    start: Box<dyn Searchable>,
    numbers: HashMap<Vec<u8>, u32>,
    /// By the number of the state: its cost to the nearest goal, infinite if there is none.
    costs: Vec<f64>,
    /// The same as an array.
    values: Py<PyArray1<f64>>,
    /// The fewest moves from the start, as an array.
    depths: Py<PyArray1<u32>>,
}

/// A space: its states by their bytes, their depths, and for each state where moves into it come from.
struct Space {
    numbers: HashMap<Vec<u8>, u32>,
    depths: Vec<u32>,
    goals: Vec<u32>,
    before: Vec<Vec<(u32, f64)>>,
}

/// A cost that is never NaN.
#[derive(PartialEq)]
struct Cost(f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Cost) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Cost) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Lists the states that moves reach, breadth first. Returns `None` if there are more than `at_most`.
fn explored(start: &dyn Searchable, at_most: usize, limits: &Limits) -> Result<Option<Space>, Limit> {
    let stop = limits.stop();
    let mut space = Space {
        numbers: HashMap::from([(start.state_bytes(), 0)]),
        depths: vec![0],
        goals: Vec::new(),
        before: vec![Vec::new()],
    };
    // Only states that were not expanded yet are held as such: they are far larger than their bytes.
    let mut open = std::collections::VecDeque::from([start.here()]);
    let mut number = 0_u32;
    while let Some(here) = open.pop_front() {
        stop.now().map_or(Ok(()), Err)?;
        if here.is_goal() {
            space.goals.push(number);
        }
        for (_, cost, after) in here.successors() {
            let next = space.numbers.len() as u32;
            let child = *space.numbers.entry(after.state_bytes()).or_insert(next);
            if child == next {
                if next as usize == at_most {
                    return Ok(None);
                }
                space.depths.push(space.depths[number as usize] + 1);
                space.before.push(Vec::new());
                open.push_back(after);
            }
            space.before[child as usize].push((number, cost));
        }
        number += 1;
    }
    Ok(Some(space))
}

impl Space {
    /// Returns the cost from each state to the nearest goal: Dijkstra (1959), from all goals against the moves.
    fn costs(&self) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.depths.len()];
        let mut queue: BinaryHeap<_> = self.goals.iter().map(|&goal| Reverse((Cost(0.0), goal))).collect();
        self.goals.iter().for_each(|&goal| costs[goal as usize] = 0.0);
        while let Some(Reverse((Cost(cost), at))) = queue.pop() {
            if cost > costs[at as usize] {
                continue;
            }
            for &(before, step) in &self.before[at as usize] {
                let better = cost + step;
                if better < costs[before as usize] {
                    costs[before as usize] = better;
                    queue.push(Reverse((Cost(better), before)));
                }
            }
        }
        costs
    }
}

impl Distances {
    fn cost(&self, state: &dyn Searchable) -> f64 {
        self.numbers.get(&state.state_bytes()).map_or(f64::INFINITY, |&number| self.costs[number as usize])
    }

    /// Returns the state after the moves of a game. Bytes of states are those of one space.
    fn state(&self, py: Python<'_>, game: &Game) -> PyResult<Box<dyn Searchable>> {
        let mut at = self.start.here();
        for written in game.moves() {
            at = at
                .after(&written, engine_notations())
                .ok_or_else(|| with_help::<IllegalMove>(py, &format!("`{written}` is no move of this puzzle"), None))?;
        }
        Ok(at)
    }
}

fn engine_notations() -> &'static [engine::domain::Notation] {
    &[engine::domain::Notation::STANDARD]
}

/// Explores a puzzle from its start, and returns the distances of all states; `None` if there are more than `at_most`.
#[pyfunction]
#[pyo3(signature = (puzzle, at_most=1_000_000, *, time_limit=None, memory_limit=None))]
pub fn distances(
    py: Python<'_>,
    puzzle: &crate::puzzle::Puzzle,
    at_most: usize,
    time_limit: Option<Time>,
    memory_limit: Option<Memory>,
) -> PyResult<Option<Distances>> {
    let given = Given { time: time_limit, memory: memory_limit, ..Given::default() };
    let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
    let limits = given.limits(&interrupt, &gauge)?;
    let start = puzzle.inner().space("zero").map_err(|error| crate::errors::refused(py, &error))?;
    let at_most = at_most.min(u32::MAX as usize);
    let found = watched(py, &interrupt, None, || {
        explored(&*start, at_most, &limits).map(|space| space.map(|space| (space.costs(), space)))
    })?;
    let found = found
        .map_err(|limit| with_help::<EngineError>(py, &format!("stopped by the limit on {}", limit.name()), None))?;
    Ok(found.map(|(costs, space)| Distances {
        start,
        numbers: space.numbers,
        values: costs.clone().into_pyarray(py).unbind(),
        costs,
        depths: space.depths.into_pyarray(py).unbind(),
    }))
}

#[pymethods]
impl Distances {
    /// The cost from each state to the nearest goal, infinite where there is none: an array of floats, in the order of
    /// discovery by breadth-first search, the start first.
    #[getter]
    fn to_goal(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        self.values.clone_ref(py)
    }

    /// The fewest moves from the start to each state: an array of unsigned integers of 32 bits, in the same order.
    #[getter]
    fn depths(&self, py: Python<'_>) -> Py<PyArray1<u32>> {
        self.depths.clone_ref(py)
    }

    /// Returns the cost of a shortest solution from the position of a game; infinite if there is none.
    fn of(&self, py: Python<'_>, game: &Game) -> PyResult<f64> {
        Ok(self.cost(&*self.state(py, game)?))
    }

    /// Returns the moves that begin a shortest solution from the position of a game: an optimal policy.
    fn best_moves(&self, py: Python<'_>, game: &Game) -> PyResult<Vec<String>> {
        let here = self.state(py, game)?;
        let cost = self.cost(&*here);
        let is_best = |step: f64, after: &dyn Searchable| cost.is_finite() && step + self.cost(after) <= cost + 1e-9;
        let moves = here.successors().into_iter();
        Ok(moves.filter_map(|(name, step, after)| is_best(step, &*after).then_some(name)).collect())
    }

    fn __len__(&self) -> usize {
        self.costs.len()
    }
}
