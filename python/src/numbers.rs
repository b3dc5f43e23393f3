//! Costs as Python's numbers.

use pyo3::prelude::*;

/// Returns a whole number as Python's `int`.
pub fn number(py: Python<'_>, value: f64) -> PyResult<Py<PyAny>> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Ok((value as i64).into_pyobject(py)?.into_any().unbind());
    }
    Ok(value.into_pyobject(py)?.into_any().unbind())
}
