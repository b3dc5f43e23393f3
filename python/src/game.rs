//! Games: a puzzle played move by move.

use crate::errors::{EngineError, IllegalMove, InternalError, refused, with_help};
use crate::limits::{Given, Time};
use crate::numbers::number;
use crate::pictures::drawn;
use crate::position::Position;
use crate::watch::watched;
use engine::domain::Notation;
use engine::play;
use engine::puzzle::{Options, Outcome};
use engine::render::{Film, PNG, RenderStyle, Show};
use engine::search::{Gauge, Limits};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use resvg::tiny_skia::Pixmap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A puzzle being played: `legal_moves`, `push`, `pop`.
#[pyclass(frozen, module = "engine")]
pub struct Game {
    game: Mutex<play::Game>,
    puzzle: Arc<engine::Puzzle>,
}

impl Game {
    /// Starts a game.
    pub fn at_start(puzzle: &Arc<engine::Puzzle>) -> Game {
        let game = play::Game::new(Arc::clone(puzzle), Notation::STANDARD);
        Game { game: Mutex::new(game), puzzle: Arc::clone(puzzle) }
    }

    fn game(&self) -> MutexGuard<'_, play::Game> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the value of a heuristic after some moves.
pub fn h_after(py: Python<'_>, puzzle: &engine::Puzzle, moves: &[String], heuristic: Option<&str>) -> PyResult<f64> {
    let value = py.detach(|| {
        let name = puzzle.guide(heuristic)?;
        puzzle.h_after(moves, name, &Limits::default())
    });
    value
        .map_err(|error| refused(py, &error))?
        .map_err(|limit| with_help::<EngineError>(py, &format!("stopped by the limit on {}", limit.name()), None))
}

#[pymethods]
impl Game {
    /// The legal moves, in the order in which searches try them.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.game().legal().to_vec()
    }

    /// Makes a move.
    pub fn push(&self, py: Python<'_>, written: &str) -> PyResult<()> {
        let played = self.game().play(written);
        played.map(|_| ()).map_err(|why| {
            let legal = self.game().legal().join(" ");
            let help = if legal.len() > 400 { None } else { Some(format!("legal moves: {legal}")) };
            with_help::<IllegalMove>(py, &format!("`{written}`: {why}"), help.as_deref())
        })
    }

    /// Takes the last move back and returns it.
    fn pop(&self) -> PyResult<String> {
        let mut game = self.game();
        let Some(last) = game.made().last().cloned() else {
            return Err(PyIndexError::new_err("no move was made"));
        };
        let before = game.made()[..game.made().len() - 1].to_vec();
        game.go_to(&before).map_err(PyIndexError::new_err)?;
        Ok(last)
    }

    /// The moves made.
    #[getter]
    pub fn moves(&self) -> Vec<String> {
        self.game().made().to_vec()
    }

    /// The cost of the moves made.
    #[getter]
    fn cost(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let cost = self.game().cost();
        number(py, cost)
    }

    /// Whether the position is a goal.
    #[getter]
    fn is_solved(&self) -> bool {
        self.game().is_solved()
    }

    /// Returns the value of a heuristic; by default of the file's, else the domain's.
    #[pyo3(signature = (heuristic=None))]
    fn h(&self, py: Python<'_>, heuristic: Option<&str>) -> PyResult<f64> {
        let made = self.game().made().to_vec();
        h_after(py, &self.puzzle, &made, heuristic)
    }

    /// Returns the cost of a shortest solution from here: infinite if there is none, `None` if it is not known within
    /// the time, in seconds or as a `timedelta`.
    #[pyo3(signature = (time_limit=None))]
    fn distance(&self, py: Python<'_>, time_limit: Option<Time>) -> PyResult<Option<Py<PyAny>>> {
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let time = time_limit.unwrap_or(Time::Seconds(10.0));
        let limits = Given { time: Some(time), ..Given::default() }.limits(&interrupt, &gauge)?;
        let options = Options { after: self.game().made().to_vec(), limits, ..Options::default() };
        let solution = watched(py, &interrupt, None, || self.puzzle.solve(&options))?;
        let solution = solution.map_err(|error| refused(py, &error))?;
        match solution.outcome() {
            Outcome::Unsolvable => Ok(Some(f64::INFINITY.into_pyobject(py)?.into_any().unbind())),
            _ if solution.is_optimal() => solution.cost().map(|cost| number(py, cost)).transpose(),
            _ => Ok(None),
        }
    }

    /// Returns the position, as heuristics see it.
    fn position(&self) -> Position {
        Position::new(self.game().state().here())
    }

    /// Returns the same game, to be played on by itself.
    fn copy(&self, py: Python<'_>) -> PyResult<Game> {
        let copy = Game::at_start(&self.puzzle);
        let made = self.game().made().to_vec();
        copy.game().go_to(&made).map_err(|why| with_help::<IllegalMove>(py, &why, None))?;
        Ok(copy)
    }

    /// Returns the position as text.
    pub fn draw(&self) -> String {
        self.game().draw()
    }

    fn __str__(&self) -> String {
        self.draw()
    }

    fn __repr__(&self) -> String {
        format!("<engine.Game {:?} after {} moves>", self.puzzle.title(), self.game().made().len())
    }

    fn _repr_svg_(&self) -> Option<String> {
        drawn(&self.puzzle, &self.moves(), true)
    }

    /// Returns the position as the bytes of a PNG file; a cell has an edge of `cell` pixels.
    #[pyo3(signature = (cell=None))]
    fn png(&self, py: Python<'_>, cell: Option<f64>) -> PyResult<Vec<u8>> {
        let wrong = |error: &dyn std::fmt::Display| with_help::<EngineError>(py, &error.to_string(), None);
        // As a start, so that all positions have the same size.
        let here = self.game().state().here();
        let film = Film::new(here, &[], self.puzzle.domain().notations).map_err(|error| wrong(&error))?;
        let style = RenderStyle { cell, ..RenderStyle::default() };
        PNG.picture(&film, Show::After(0), &style).map_err(|error| wrong(&error))
    }

    /// Returns the position as an array of rows, columns and three colours of 8 bits.
    #[pyo3(signature = (cell=None))]
    fn image<'py>(&self, py: Python<'py>, cell: Option<f64>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let bytes = self.png(py, cell)?;
        let pixels = Pixmap::decode_png(&bytes).map_err(|error| InternalError::new_err(error.to_string()))?;
        let (rows, columns) = (pixels.height() as usize, pixels.width() as usize);
        let colours: Vec<u8> = pixels.data().chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        let image = Array3::from_shape_vec((rows, columns, 3), colours);
        Ok(image.map_err(|error| InternalError::new_err(error.to_string()))?.into_pyarray(py))
    }
}
