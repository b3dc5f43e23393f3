//! Errors as Python's exceptions, with their place and their help as attributes.

use engine::diagnostic::{Report, Severity};
use engine::puzzle;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

create_exception!(engine, EngineError, PyValueError, "A request that cannot be met. `help` says what would be right.");
create_exception!(
    engine,
    PuzzleError,
    EngineError,
    "A puzzle with mistakes. Its text draws each with its place; `file`, `line`, `column` and `help` are those of the \
     first, and `diagnostics` lists all."
);
create_exception!(
    engine,
    SolveError,
    EngineError,
    "A search that this puzzle does not allow, such as by a heuristic that its domain does not have."
);
create_exception!(engine, IllegalMove, EngineError, "A move that is not legal in this position.");
create_exception!(
    engine,
    InternalError,
    PyRuntimeError,
    "A mistake of the engine. The interpreter goes on; please report how it came about."
);

/// Returns an error with a help.
pub fn with_help<E: pyo3::PyTypeInfo>(py: Python<'_>, message: &str, help: Option<&str>) -> PyErr {
    let text = help.map_or_else(|| message.to_owned(), |help| format!("{message}\nhelp: {help}"));
    let error = PyErr::from_type(py.get_type::<E>(), text);
    match error.value(py).setattr("help", help) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Returns the error for a search that is refused.
pub fn refused(py: Python<'_>, error: &puzzle::SolveError) -> PyErr {
    with_help::<SolveError>(py, &error.to_string(), Some(error.help()))
}

/// Returns the error for a puzzle with mistakes.
pub fn of_report(py: Python<'_>, report: &Report) -> PyErr {
    let error = PyErr::from_type(py.get_type::<PuzzleError>(), report.render(false));
    match describe(py, &error, report) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn describe(py: Python<'_>, error: &PyErr, report: &Report) -> PyResult<()> {
    let all = PyList::empty(py);
    for diagnostic in report.diagnostics() {
        let place = report.places(diagnostic).map(|(start, _)| start);
        let one = PyDict::new(py);
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        one.set_item("severity", severity)?;
        one.set_item("message", &diagnostic.message)?;
        one.set_item("file", report.file())?;
        one.set_item("line", place.map(|place| place.line))?;
        one.set_item("column", place.map(|place| place.column))?;
        one.set_item("help", &diagnostic.help)?;
        all.append(one)?;
    }
    let value = error.value(py);
    let first = all.get_item(0).ok();
    for name in ["file", "line", "column", "help"] {
        let of_first = first.as_ref().map(|first| first.get_item(name)).transpose()?;
        value.setattr(name, of_first)?;
    }
    value.setattr("diagnostics", all)
}
