//! Many games at once, for training: one call makes a move in each.

use crate::errors::{EngineError, refused, with_help};
use crate::positions::Positions;
use crate::puzzle::Puzzle;
use engine::domain::{Searchable, Style};
use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1};
use pyo3::prelude::*;
use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The states from whose moves the names of all moves are taken.
const LOOKED_AT: usize = 2_000;

/// Games of puzzles with the same moves, played side by side.
#[pyclass(frozen, module = "engine")]
pub struct Batch {
    names: Vec<String>,
    shape: (usize, usize),
    games: Mutex<Games>,
}

/// Games: the number of the position of each.
struct Games {
    positions: Positions,
    all: Vec<u32>,
}

/// What a step of all games returns: drawings, which moves are legal, in which games none is, and which are solved.
type Observed<'py> =
    (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// Returns the names of the moves in the states near the start, in the order in which they are found.
fn names_near(start: &dyn Searchable, names: &mut Vec<String>, known: &mut HashSet<String>) {
    let mut seen = HashSet::from([start.state_bytes()]);
    let mut open = VecDeque::from([start.here()]);
    while let Some(here) = open.pop_front() {
        for (name, _, after) in here.successors() {
            if known.insert(name.clone()) {
                names.push(name);
            }
            if seen.len() < LOOKED_AT && seen.insert(after.state_bytes()) {
                open.push_back(after);
            }
        }
    }
}

/// Returns the rows and columns of a drawing in letters.
fn extent(drawing: &str) -> (usize, usize) {
    (drawing.lines().count(), drawing.lines().map(|line| line.chars().count()).max().unwrap_or(0))
}

impl Batch {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Games {
    fn observe<'py>(&self, py: Python<'py>) -> Observed<'py> {
        let (rows, columns) = self.positions.shape();
        let (cells, mask, stuck, solved) = py.detach(|| {
            let positions = || self.all.iter().map(|&number| self.positions.of(number));
            let mut cells = Vec::with_capacity(self.all.len() * rows * columns);
            let mut mask = Vec::with_capacity(self.all.len() * self.positions.names().len());
            for position in positions() {
                cells.extend_from_slice(&position.cells);
                mask.extend_from_slice(&position.mask);
            }
            let stuck: Vec<bool> = positions().map(|position| position.mask.iter().all(|&legal| legal == 0)).collect();
            (cells, mask, stuck, positions().map(|position| position.is_goal).collect::<Vec<bool>>())
        });
        let cells = Array3::from_shape_vec((self.all.len(), rows, columns), cells);
        let mask = Array2::from_shape_vec((self.all.len(), self.positions.names().len()), mask);
        let (cells, mask) = (cells.expect("each has all cells"), mask.expect("each has all moves"));
        (cells.into_pyarray(py), mask.into_pyarray(py), stuck.into_pyarray(py), solved.into_pyarray(py))
    }
}

#[pymethods]
impl Batch {
    /// Creates games, each at the start of the first puzzle.
    #[new]
    fn new(py: Python<'_>, puzzles: Vec<PyRef<'_, Puzzle>>, count: usize) -> PyResult<Batch> {
        let (mut starts, mut names, mut known, mut shape) = (Vec::new(), Vec::new(), HashSet::new(), (0, 0));
        for puzzle in &puzzles {
            let start = puzzle.inner().space("zero").map_err(|error| refused(py, &error))?;
            if !puzzle.inner().is_drawn() {
                return Err(with_help::<EngineError>(py, "its positions are too large to be drawn", None));
            }
            py.detach(|| names_near(&*start, &mut names, &mut known));
            let (rows, columns) = extent(&start.draw(Style::Drawn));
            shape = (shape.0.max(rows), shape.1.max(columns));
            starts.push(start);
        }
        let mut positions = Positions::new(starts, names.clone(), shape);
        let first =
            positions.start(0).ok_or_else(|| with_help::<EngineError>(py, "no puzzle", Some("give one or more")))?;
        let games = Games { positions, all: vec![first; count] };
        Ok(Batch { names, shape, games: Mutex::new(games) })
    }

    /// The names of the moves; their numbers are the actions. Moves that no state near a start has are not among them.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The rows and columns of a drawing, of which shorter ones fill a part.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// Sets games to the starts of puzzles: `which` are the numbers of the games, `puzzles` those of the puzzles.
    fn reset<'py>(&self, py: Python<'py>, which: Vec<usize>, puzzles: Vec<usize>) -> PyResult<Observed<'py>> {
        let mut games = self.games();
        let Games { positions, all } = &mut *games;
        for (game, puzzle) in which.into_iter().zip(puzzles) {
            let (Some(game), Some(start)) = (all.get_mut(game), positions.start(puzzle)) else {
                return Err(with_help::<EngineError>(py, "no game or puzzle of this number", None));
            };
            *game = start;
        }
        Ok(games.observe(py))
    }

    /// Makes a move in each game: `actions` are their numbers in `names`. A move that is not legal changes nothing, and a
    /// negative number makes none.
    fn step<'py>(&self, py: Python<'py>, actions: PyReadonlyArray1<'py, i64>) -> PyResult<Observed<'py>> {
        let mut games = self.games();
        let actions: Vec<i64> = actions.as_array().to_vec();
        if actions.len() != games.all.len() {
            let message = format!("{} actions for {} games", actions.len(), games.all.len());
            return Err(with_help::<EngineError>(py, &message, Some("give one for each")));
        }
        let Games { positions, all } = &mut *games;
        py.detach(|| {
            positions.forget(all.iter_mut());
            for (number, &action) in all.iter_mut().zip(&actions) {
                let next = usize::try_from(action).ok().and_then(|action| positions.after(*number, action));
                *number = next.unwrap_or(*number);
            }
        });
        Ok(games.observe(py))
    }

    /// Returns the drawing of a game.
    fn draw(&self, game: usize) -> Option<String> {
        let games = self.games();
        games.all.get(game).map(|&number| games.positions.draw(number))
    }
}
