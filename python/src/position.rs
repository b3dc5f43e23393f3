//! Positions as functions in Python see them, and such functions as heuristics.

use crate::errors::{EngineError, with_help};
use engine::domain::{GivenHeuristic, Notation, Searchable, Style};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::intern;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A position of a puzzle.
#[pyclass(frozen, module = "engine")]
pub struct Position {
    state: Box<dyn Searchable>,
}

impl Position {
    /// Shows a state to Python.
    pub fn new(state: Box<dyn Searchable>) -> Position {
        Position { state }
    }
}

#[pymethods]
impl Position {
    /// Returns the position as text.
    fn draw(&self) -> String {
        self.state.draw(Style::Drawn)
    }

    fn __str__(&self) -> String {
        self.draw()
    }

    fn __repr__(&self) -> String {
        format!("<engine.Position\n{}>", self.draw())
    }

    /// The letters of the drawing: an array of rows by columns of unsigned bytes; 255 stands for letters beyond them.
    #[getter]
    fn letters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let all = letters(&[&*self.state]);
        let shape = [all.shape()[1], all.shape()[2]];
        all.into_pyarray(py).reshape(shape)
    }

    /// The numbers between the spaces of the drawing: an array of rows by columns of signed integers of 64 bits.
    /// Other words are 0.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let all = numbers(&[&*self.state]);
        let shape = [all.shape()[1], all.shape()[2]];
        all.into_pyarray(py).reshape(shape)
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.state.legal_moves(Notation::STANDARD)
    }

    /// Whether the position is a goal.
    #[getter]
    fn is_solved(&self) -> bool {
        self.state.is_goal()
    }
}

/// Returns an array of some rows of cells for each text; shorter ones fill a part of theirs.
fn cells<T: Copy + Default>(texts: &[Vec<Vec<T>>]) -> Array3<T> {
    let rows = texts.iter().map(Vec::len).max().unwrap_or(0);
    let columns = texts.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let mut all = Array3::default((texts.len(), rows, columns));
    for (number, text) in texts.iter().enumerate() {
        for (row, line) in text.iter().enumerate() {
            for (column, &cell) in line.iter().enumerate() {
                all[[number, row, column]] = cell;
            }
        }
    }
    all
}

/// Returns the letters of the drawings of positions, an array for each.
pub fn letters(positions: &[&dyn Searchable]) -> Array3<u8> {
    let line = |line: &str| line.chars().map(|letter| u8::try_from(letter).unwrap_or(u8::MAX)).collect();
    let text = |position: &&dyn Searchable| position.draw(Style::Drawn).lines().map(line).collect();
    cells(&positions.iter().map(text).collect::<Vec<_>>())
}

/// Returns the numbers between the spaces of the drawings of positions, an array for each.
fn numbers(positions: &[&dyn Searchable]) -> Array3<i64> {
    let line = |line: &str| line.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
    let text = |position: &&dyn Searchable| position.draw(Style::Drawn).lines().map(line).collect();
    cells(&positions.iter().map(text).collect::<Vec<_>>())
}

/// The form in which a function gets positions.
#[derive(Clone, Copy)]
enum Form {
    /// One position.
    One,
    /// An array of the letters of several.
    Letters,
    /// An array of the numbers of several.
    Numbers,
}

/// A function in Python as a heuristic. The first error in it ends the search.
pub struct Function {
    pub heuristic: Arc<GivenHeuristic>,
    error: Arc<Mutex<Option<PyErr>>>,
}

impl Function {
    /// Takes a function, or what `engine.batched` made of one.
    pub fn new(function: &Bound<'_, PyAny>, interrupt: &Arc<AtomicBool>) -> PyResult<Function> {
        let py = function.py();
        if !function.is_callable() {
            let help = "give a name of `puzzle.heuristics`, or a function of a position";
            return Err(with_help::<EngineError>(py, "this heuristic is neither a name nor a function", Some(help)));
        }
        let (form, batch) = match function.getattr_opt("_positions")? {
            None => (Form::One, 1),
            Some(form) => match form.extract::<String>()?.as_str() {
                "numbers" => (Form::Numbers, function.getattr("_size")?.extract()?),
                _ => (Form::Letters, function.getattr("_size")?.extract()?),
            },
        };
        let name = match function.getattr_opt(intern!(py, "__name__"))? {
            Some(name) => name.extract()?,
            None => "function".to_owned(),
        };
        let error = Arc::new(Mutex::new(None));
        let (function, failed, interrupt) = (function.clone().unbind(), Arc::clone(&error), Arc::clone(interrupt));
        let evaluate = move |positions: &[&dyn Searchable]| {
            Python::attach(|py| {
                values(function.bind(py), form, positions).unwrap_or_else(|error| {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    interrupt.store(true, Ordering::Relaxed);
                    vec![0.0; positions.len()]
                })
            })
        };
        Ok(Function { heuristic: Arc::new(GivenHeuristic::new(&name, batch, evaluate)), error })
    }

    /// Returns the first error of the function.
    pub fn failed(&self) -> PyResult<()> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Returns the values of a function in Python.
fn values(function: &Bound<'_, PyAny>, form: Form, positions: &[&dyn Searchable]) -> PyResult<Vec<f64>> {
    let py = function.py();
    let argument = match form {
        Form::One => {
            let value = |position: &&dyn Searchable| function.call1((Position { state: position.here() },))?.extract();
            return positions.iter().map(value).collect();
        }
        Form::Letters => letters(positions).into_pyarray(py).into_any(),
        Form::Numbers => numbers(positions).into_pyarray(py).into_any(),
    };
    let result = py.import("numpy")?.call_method1("asarray", (function.call1((argument,))?, "float64"))?;
    let wrong = || {
        let message = format!("a function of {} positions returned an array of another shape", positions.len());
        with_help::<EngineError>(py, &message, Some("return an array with a value for each position"))
    };
    let result: PyReadonlyArray1<'_, f64> = result.extract().map_err(|_| wrong())?;
    let values = result.as_array().to_vec();
    if values.len() == positions.len() { Ok(values) } else { Err(wrong()) }
}
