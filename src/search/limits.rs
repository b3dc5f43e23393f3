//! What a search may spend, and the one place where it asks whether it has spent it.
//!
//! Time and interrupts are looked at every [`POLL_EVERY`] expansions, more often where states are large; nodes exactly.
//! Memory is what the tables account for, looked at before they grow. A search that reaches a limit stops with what it
//! knows: that is an outcome, not an error.

use super::{Gauge, Stats};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many expansions pass between two looks at the clock, where states are a few bytes.
const POLL_EVERY: u64 = 2048;

/// What a search may spend. The default is: whatever it takes.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes that the search's tables may hold.
    pub memory: Option<u64>,
    /// States that may be expanded.
    pub nodes: Option<u64>,
    /// Moves that a solution may have; where moves cost other than 1, what it may cost is A*'s limit.
    pub depth: Option<u32>,
    /// Threads that may work at once; as many as there are processors where nothing is said.
    pub threads: Option<NonZero<usize>>,
    /// Set from elsewhere to stop the search.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Where the search is to write how far it has come.
    pub gauge: Option<Arc<Gauge>>,
}

impl Limits {
    /// A search begins within these limits; see [`Gauge`].
    pub(super) fn begin(&self, doing: &'static str, unit: Option<&'static str>, held: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.begin(doing, unit, held);
        }
    }

    /// A level is completed, and no solution costs less than `bound`.
    pub(super) fn reach(&self, level: f64, bound: f64) {
        if let Some(gauge) = &self.gauge {
            gauge.reach(level, bound);
        }
    }

    /// What is left after a search that took this, and so long.
    #[must_use]
    pub fn less(&self, spent: &Stats, time: Duration) -> Limits {
        Limits {
            time: self.time.map(|limit| limit.saturating_sub(time)),
            nodes: self.nodes.map(|limit| limit.saturating_sub(spent.expanded)),
            ..self.clone()
        }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The time was up.
    Time,
    /// The tables could not grow any more.
    Memory,
    /// As many states as allowed were expanded.
    Nodes,
    /// Everything within the allowed depth was searched, and there is more beyond.
    Depth,
    /// Files may not take more room.
    Disk,
    /// Somebody asked the search to stop.
    Interrupt,
}

impl Limit {
    /// The name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Nodes => "nodes",
            Limit::Depth => "depth",
            Limit::Disk => "disk",
            Limit::Interrupt => "interrupt",
        }
    }
}

/// Watches the limits while a search runs.
pub(super) struct Watch {
    deadline: Option<Instant>,
    memory: u64,
    nodes: u64,
    interrupt: Option<Arc<AtomicBool>>,
    gauge: Option<Arc<Gauge>>,
    every: u64,
    next_poll: u64,
}

impl Watch {
    /// Watches the limits of a search whose states take this many bytes beside their keys.
    pub(super) fn new(limits: &Limits, state_bytes: usize) -> Watch {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let memory = limits.memory.unwrap_or(u64::MAX);
        let (interrupt, gauge) = (limits.interrupt.clone(), limits.gauge.clone());
        let every = (POLL_EVERY * 64 / (64 + state_bytes as u64)).max(1);
        Watch { deadline, memory, nodes, interrupt, gauge, every, next_poll: nodes.min(every) }
    }

    /// To be asked before each expansion, with the number of those already made and the bytes that are held.
    #[inline]
    pub(super) fn exceeded(&mut self, expanded: u64, bytes: impl FnOnce() -> u64) -> Option<Limit> {
        if expanded < self.next_poll { None } else { self.poll(expanded, bytes()) }
    }

    /// How many expansions more are allowed.
    pub(super) fn nodes_left(&self, expanded: u64) -> u64 {
        self.nodes - expanded
    }

    /// The same, whenever it is asked.
    #[cold]
    pub(super) fn poll(&mut self, expanded: u64, bytes: u64) -> Option<Limit> {
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, bytes);
        }
        if expanded >= self.nodes {
            return Some(Limit::Nodes);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Limit::Time);
        }
        if self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            return Some(Limit::Interrupt);
        }
        if bytes > self.memory {
            return Some(Limit::Memory);
        }
        self.next_poll = self.nodes.min(expanded + self.every);
        None
    }
}
