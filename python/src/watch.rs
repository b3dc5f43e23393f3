//! Work without the interpreter's lock, which Ctrl-C ends and a function of Python watches.

use crate::errors::InternalError;
use engine::search::{Gauge, Reading};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// The time between two reports of progress.
const REPORT: Duration = Duration::from_millis(200);

/// The stack of a search, of which depth-first searches use a part for each move.
const STACK: usize = 256 << 20;

/// Does the work on a thread of its own. Ctrl-C, and an error of `on_progress`, set `interrupt`, which must end it.
pub fn watched<T: Send>(
    py: Python<'_>,
    interrupt: &AtomicBool,
    progress: Option<(&Py<PyAny>, &Arc<Gauge>)>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (done, ended) = channel::<()>();
        // A receiver is for one thread at a time, which a lock makes sure of.
        let ended = Mutex::new(ended);
        let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
            // A thread that Python knows: calls of functions in Python are much faster there.
            let result = Python::attach(|py| py.detach(work));
            drop(done);
            result
        })?;
        let mut reported = Instant::now();
        let failure = loop {
            // The sender is dropped at the end of the work, and by a panic, too.
            if py.detach(|| wait(&ended)) == Err(RecvTimeoutError::Disconnected) {
                break None;
            }
            if let Err(error) = py.check_signals() {
                break Some(error);
            }
            if let Some((function, gauge)) = progress
                && reported.elapsed() >= REPORT
            {
                reported = Instant::now();
                if let Err(error) = reading(py, gauge.read()).and_then(|reading| function.call1(py, (reading,))) {
                    break Some(error);
                }
            }
        };
        if failure.is_some() {
            interrupt.store(true, Ordering::Relaxed);
        }
        let result = py.detach(|| worker.join());
        failure.map_or(Ok(()), Err)?;
        result.map_err(|panic| InternalError::new_err(message(&*panic)))
    })
}

fn wait(ended: &Mutex<Receiver<()>>) -> Result<(), RecvTimeoutError> {
    ended.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the search ended with a panic").to_owned()
}

/// Returns the progress as a dictionary.
fn reading(py: Python<'_>, reading: Reading) -> PyResult<Bound<'_, PyDict>> {
    let values = PyDict::new(py);
    values.set_item("doing", reading.doing)?;
    values.set_item("heuristic", reading.heuristic)?;
    values.set_item("level", reading.level.map(|(_, level)| level))?;
    values.set_item("unit", reading.level.map(|(unit, _)| unit))?;
    values.set_item("expanded", reading.expanded)?;
    values.set_item("per_second", reading.per_second)?;
    values.set_item("memory", reading.memory)?;
    values.set_item("lower_bound", reading.lower_bound)?;
    Ok(values)
}

/// Fails as a mistake of the engine would: for the test that such a mistake is an exception.
#[pyfunction]
#[pyo3(name = "_fail")]
pub fn fail(py: Python<'_>) -> PyResult<()> {
    watched(py, &AtomicBool::new(false), None, || panic!("asked to fail"))
}
