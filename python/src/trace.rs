//! A search as an iterator of its events.

use crate::errors::{InternalError, refused};
use engine::Options;
use engine::puzzle::SolveError;
use engine::transcript::TraceWriter;
use pyo3::prelude::*;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// The number of lines that wait for their reader: the search then waits, too.
const WAITING: usize = 4096;

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// An iterator of events. It ends the search when it is deleted.
#[pyclass(frozen, module = "engine")]
pub struct Trace {
    running: Mutex<Running>,
    interrupt: Arc<AtomicBool>,
}

struct Running {
    /// `None` once the last event was read.
    lines: Option<Receiver<String>>,
    search: Option<JoinHandle<Result<(), SolveError>>>,
}

/// Sends each line that is written to it.
struct Lines {
    line: Vec<u8>,
    to: SyncSender<String>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8(std::mem::take(&mut self.line)).map_err(io::Error::other)?;
            self.to.send(line).map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Trace {
    /// Starts the search.
    pub fn start(
        puzzle: &Arc<engine::Puzzle>,
        options: Options,
        limit: Option<u64>,
        interrupt: Arc<AtomicBool>,
    ) -> PyResult<Trace> {
        let (to, lines) = sync_channel(WAITING);
        let puzzle = Arc::clone(puzzle);
        let search = Builder::new().stack_size(256 << 20).spawn(move || {
            let writer = Arc::new(TraceWriter::new(Lines { line: Vec::new(), to }, limit));
            puzzle.solve(&Options { trace: Some(writer), ..options }).map(|_| ())
        })?;
        let running = Running { lines: Some(lines), search: Some(search) };
        Ok(Trace { running: Mutex::new(running), interrupt })
    }
}

#[pymethods]
impl Trace {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let received = py.detach(|| {
                let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
                running.lines.as_ref().map(|lines| lines.recv_timeout(LOOK))
            });
            match received {
                None => return Ok(None),
                Some(Ok(line)) => return py.import("json")?.call_method1("loads", (line,)).map(Some),
                Some(Err(RecvTimeoutError::Timeout)) => py.check_signals()?,
                Some(Err(RecvTimeoutError::Disconnected)) => {
                    let ended = py.detach(|| {
                        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
                        running.lines = None;
                        running.search.take().map(JoinHandle::join)
                    });
                    return match ended {
                        None | Some(Ok(Ok(()))) => Ok(None),
                        Some(Ok(Err(error))) => Err(refused(py, &error)),
                        Some(Err(_)) => Err(InternalError::new_err("the search ended with a panic")),
                    };
                }
            }
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // The search fails to write its next line.
        self.running.get_mut().unwrap_or_else(PoisonError::into_inner).lines = None;
    }
}
