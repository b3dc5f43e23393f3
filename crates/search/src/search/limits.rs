//! What a search may spend, and the one place where it asks whether it has spent it.
//!
//! Time and interrupts are looked at every [`POLL_EVERY`] expansions, more often where states are large; nodes exactly.
//! Memory is what the tables account for, looked at before they grow; and where the whole process has a limit, what is
//! resident besides is taken off at the start of a search, and looked at now and then. A search that reaches a limit
//! stops with what it knows: that is an outcome, not an error.

use super::memory::resident;
use super::record::{Counts, Record};
use super::{Gauge, Stats};
pub use crate::limit::Limit;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many expansions pass between two looks at the clock, where states are a few bytes.
const POLL_EVERY: u64 = 2048;

/// Looks that lie further apart become more frequent.
const SLOW: Duration = Duration::from_millis(100);

/// How many states pass between two pauses of a walk.
const PAUSE_EVERY: u32 = 1024;

/// Less than this is not worth a look at what is resident.
const LEAST_LOOKED_AT: u64 = 1 << 20;

/// How much time passes between two looks at what is resident.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The time that the system takes to free so many bytes, which counts towards the limit: some 130 ms a gibibyte.
fn to_free(bytes: u64) -> Duration {
    Duration::from_nanos(bytes >> 3)
}

/// What a search may spend. The default is: whatever it takes.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes that the search's tables may hold; domains choose by it how large to make theirs.
    pub memory: Option<u64>,
    /// Bytes that may be resident of the whole process. How a puzzle is solved never depends on it.
    pub resident: Option<u64>,
    /// States that may be expanded.
    pub nodes: Option<u64>,
    /// Moves that a solution may have; where moves cost other than 1, what it may cost is A*'s limit.
    pub depth: Option<u32>,
    /// States that the closed list of a search in depth may hold; only those of [`Algorithm::takes_closed_limit`] have it.
    ///
    /// [`Algorithm::takes_closed_limit`]: super::Algorithm::takes_closed_limit
    pub closed: Option<NonZero<usize>>,
    /// Threads that may work at once; as many as there are processors where nothing is said.
    pub threads: Option<NonZero<usize>>,
    /// Set from elsewhere to stop the search.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Where the search is to write how far it has come.
    pub gauge: Option<Arc<Gauge>>,
    /// Where it is to write what it has proven. Symmetries are not made use of then, so that others get the same counts.
    pub record: Option<Arc<Record>>,
}

impl Limits {
    /// A search begins within these limits; see [`Gauge`].
    pub fn begin(&self, doing: &'static str, unit: Option<&'static str>, held: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.begin(doing, unit, held);
        }
    }

    /// A level is completed, and no solution costs less than `bound`.
    pub fn reach(&self, level: f64, bound: f64) {
        if let Some(gauge) = &self.gauge {
            gauge.reach(level, bound);
        }
    }

    /// So many states are expanded, and so many bytes taken.
    pub fn spend(&self, expanded: u64, bytes: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, bytes);
        }
    }

    /// The limits of a search in a space whose tables take so many bytes: its own may take what is left.
    pub(super) fn beside(&self, held: u64) -> Limits {
        let left = self.memory.map(|memory| memory.saturating_sub(held));
        // Tables in files are resident only as far as they were looked at.
        let free = self.resident.map(|limit| limit.saturating_sub(resident().max(held)));
        Limits { memory: left.into_iter().chain(free).min(), ..self.clone() }
    }

    /// What ends whatever is done within these limits, if it begins now.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop {
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            interrupt: self.interrupt.clone(),
            resident: self.resident,
        }
    }

    /// A search begins whose steps count so.
    pub(super) fn record(&self, search: impl Into<String>, counts: Counts) {
        if let Some(record) = &self.record {
            record.begin(search.into(), counts);
        }
    }

    /// A step is completed, of the search that is so many before the last one recorded.
    pub(super) fn complete(&self, before_last: usize, within: f64, states: u64) {
        if let Some(record) = &self.record {
            record.complete(before_last, within, states);
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

/// When to stop, whatever is being done: time is up, somebody said so, or memory is short.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    resident: Option<u64>,
}

impl Stop {
    /// Why to stop now, if so. It takes some microseconds.
    #[must_use]
    pub fn now(&self) -> Option<Limit> {
        self.soon().or_else(|| self.resident.filter(|&limit| resident() > limit).map(|_| Limit::Memory))
    }

    /// Whether so many bytes more may be resident: what was given back may still be kept by the allocator.
    #[must_use]
    pub fn leaves(&self, bytes: u64) -> bool {
        bytes < LEAST_LOOKED_AT || self.resident.is_none_or(|limit| resident().saturating_add(bytes) <= limit)
    }

    /// The time that is left, where it is limited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Why to stop now but for memory: a look at that takes longest.
    #[must_use]
    pub fn soon(&self) -> Option<Limit> {
        self.soon_after(Duration::ZERO)
    }

    /// The same for work that takes so long to end.
    fn soon_after(&self, ending: Duration) -> Option<Limit> {
        if self.deadline.is_some_and(|deadline| Instant::now() + ending >= deadline) {
            Some(Limit::Time)
        } else if self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            Some(Limit::Interrupt)
        } else {
            None
        }
    }
}

/// Watches the limits while a search runs.
pub(super) struct Watch {
    stop: Stop,
    memory: u64,
    nodes: u64,
    /// The bytes that were held when that was last told.
    held: u64,
    gauge: Option<Arc<Gauge>>,
    every: u64,
    /// It becomes no more than this.
    most: u64,
    last_poll: Instant,
    next_poll: u64,
    /// When to look at what is resident, where that is limited.
    next_look: Option<Instant>,
}

impl Watch {
    /// Watches the limits of a search whose states take this many bytes beside their keys.
    pub(super) fn new(limits: &Limits, state_bytes: usize) -> Watch {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let most = (POLL_EVERY * 64 / (64 + state_bytes as u64)).max(1);
        Watch {
            stop: limits.stop(),
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes,
            held: 0,
            gauge: limits.gauge.clone(),
            every: 1,
            most,
            last_poll: Instant::now(),
            next_poll: nodes.min(1),
            next_look: limits.resident.map(|_| Instant::now()),
        }
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
        self.held = bytes;
        if expanded >= self.nodes {
            return Some(Limit::Nodes);
        }
        if let Some(limit) = self.pause() {
            return Some(limit);
        }
        if bytes > self.memory {
            return Some(Limit::Memory);
        }
        // An expansion may take long: some heuristics solve a problem of their own for each child.
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.last_poll, now);
        self.every = if took > SLOW { (self.every / 2).max(1) } else { (self.every * 2).min(self.most) };
        self.next_poll = self.nodes.min(expanded + self.every);
        None
    }

    /// To be asked now and then within work that expands nothing.
    pub(super) fn pause(&mut self) -> Option<Limit> {
        let now = Instant::now();
        let soon = self.stop.soon_after(to_free(self.held));
        if soon.is_none() && self.next_look.is_some_and(|look| now >= look) {
            self.next_look = Some(now + LOOK_EVERY);
            return self.stop.now();
        }
        soon
    }
    /// The same, in the middle of a walk over many states: to be asked at each of them, by number.
    #[inline]
    pub(super) fn pause_at(&mut self, number: u32) -> Result<(), Limit> {
        if number.is_multiple_of(PAUSE_EVERY) { self.pause().map_or(Ok(()), Err) } else { Ok(()) }
    }

    /// Whether so many bytes may be held in all.
    pub(super) fn room_for(&self, bytes: u64) -> Result<(), Limit> {
        if bytes > self.memory { Err(Limit::Memory) } else { Ok(()) }
    }
}
