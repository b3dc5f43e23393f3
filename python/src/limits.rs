//! Limits as Python writes them: seconds or `timedelta`, bytes or a text such as `"2GiB"`.

use engine::Limits;
use engine::search::Gauge;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A time.
#[derive(FromPyObject)]
pub enum Time {
    /// A `timedelta`.
    Delta(Duration),
    /// Seconds.
    Seconds(f64),
}

/// An amount of memory.
#[derive(FromPyObject)]
pub enum Memory {
    /// Bytes.
    Bytes(u64),
    /// A number with its unit.
    Text(String),
}

impl Time {
    /// Returns the time.
    pub fn duration(&self) -> PyResult<Duration> {
        match self {
            Time::Delta(duration) => Ok(*duration),
            Time::Seconds(seconds) => Duration::try_from_secs_f64(*seconds)
                .map_err(|_| PyValueError::new_err(format!("a time limit of {seconds} seconds: give 0 or more"))),
        }
    }
}

impl Memory {
    fn bytes(&self) -> PyResult<u64> {
        match self {
            Memory::Bytes(bytes) => Ok(*bytes),
            Memory::Text(text) => text.parse().map(|size: bytesize::ByteSize| size.as_u64()).map_err(|_| {
                PyValueError::new_err(format!("a memory limit of `{text}`: give bytes, or a text such as \"2GiB\""))
            }),
        }
    }
}

/// The limits of a call, all of them optional.
#[derive(Default)]
pub struct Given {
    /// The time.
    pub time: Option<Time>,
    /// The memory of the whole process.
    pub memory: Option<Memory>,
    /// The states to expand.
    pub nodes: Option<u64>,
    /// The moves of a solution.
    pub depth: Option<u32>,
    /// The number of threads.
    pub threads: Option<usize>,
}

impl Given {
    /// Returns the limits, with the flag by which another thread ends the work and the gauge of its progress.
    pub fn limits(&self, interrupt: &Arc<AtomicBool>, gauge: &Arc<Gauge>) -> PyResult<Limits> {
        let memory = self.memory.as_ref().map(Memory::bytes).transpose()?;
        Ok(Limits {
            time: self.time.as_ref().map(Time::duration).transpose()?,
            memory,
            resident: memory,
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads.map(at_least_one).transpose()?,
            interrupt: Some(Arc::clone(interrupt)),
            gauge: Some(Arc::clone(gauge)),
            ..Limits::default()
        })
    }
}

fn at_least_one(threads: usize) -> PyResult<NonZero<usize>> {
    NonZero::new(threads).ok_or_else(|| PyValueError::new_err("0 threads: give 1 or more"))
}
