//! The limits of a search, and the place where searches check them. Tables that are built before a search check them
//! through a [`BuildContext`](super::BuildContext).
//!
//! Time and interrupts are checked after the first expansion, then at intervals that double up to [`POLL_EVERY`]
//! expansions, fewer if states are large; an interval that takes longer than [`SLOW_POLL`] is halved. Nodes are exact.
//! Memory is the accounted size of the tables, checked before they grow. If the whole process has a limit, other
//! resident memory is subtracted at the start of a search, and checked periodically. A search that reaches a limit
//! stops with what it has found: that is an outcome, not an error.

use super::memory::resident;
use super::proof_log::{Counts, ProofLog};
use super::trace::Trace;
use super::{Gauge, Stats};
pub use crate::limit::Limit;
use crate::space::CostUnit;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Expansions between two checks of the clock, for states of a few bytes.
const POLL_EVERY: u64 = 2048;

/// If checks are further apart than this, they become more frequent.
const SLOW_POLL: Duration = Duration::from_millis(100);

/// States between two limit checks of a loop that expands nothing.
const CHECK_EVERY: u32 = 1024;

/// Allocations below this size do not check the resident memory.
const MIN_CHECKED_BYTES: u64 = 1 << 20;

/// The time between two checks of the resident memory.
const RESIDENT_CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Returns the time that the system takes to free memory, which counts towards the time limit: some 130 ms per
/// gibibyte.
fn time_to_free(bytes: u64) -> Duration {
    Duration::from_nanos(bytes >> 3)
}

/// Returns the bytes that may be resident: the limit, and the bytes that a file declares.
fn most_resident(resident: Option<u64>, declared: Option<&Arc<AtomicU64>>) -> Option<u64> {
    let declared = declared.map_or(0, |declared| declared.load(Ordering::Relaxed));
    resident.map(|limit| limit.saturating_add(declared))
}

/// The budgets of a search; unlimited by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes for the tables of the search; domains choose the size of theirs by it.
    pub memory: Option<u64>,
    /// Resident bytes of the whole process. The method of solving never depends on it.
    pub resident: Option<u64>,
    /// Bytes that a file declares and that may be resident beyond the limit. Reading adds to them; `None` if nothing may.
    pub declared: Option<Arc<AtomicU64>>,
    /// States that may be expanded.
    pub nodes: Option<u64>,
    /// Moves in a solution; if moves have other costs than 1, A* limits the cost instead.
    pub depth: Option<u32>,
    /// The length of the transposition table of a depth-first search; only for algorithms with
    /// [`Algorithm::takes_closed_limit`].
    ///
    /// [`Algorithm::takes_closed_limit`]: super::Algorithm::takes_closed_limit
    pub closed: Option<NonZero<usize>>,
    /// The number of threads; by default one for each processor.
    pub threads: Option<NonZero<usize>>,
    /// Set by another thread to stop the search.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// True if A* goes on by iterative deepening with a transposition table when the memory ends. Without it, and where
    /// costs are fractions, that ends the search.
    pub deepens: bool,
    /// Receives the progress of the search.
    pub gauge: Option<Arc<Gauge>>,
    /// Receives what the search has proven. Uninformed searches then do without symmetry reduction, so that checkers
    /// get the same counts.
    pub proof_log: Option<Arc<ProofLog>>,
    /// Receives what the search does, event by event. It then runs on one thread.
    pub trace: Option<Trace>,
    /// The unit of the costs in the space, for progress and proof logs. `depth` is in this unit.
    pub cost_unit: CostUnit,
}

impl Limits {
    /// Returns the bytes that may be resident in the whole process, with those that a file declares.
    #[must_use]
    pub fn most_resident(&self) -> Option<u64> {
        most_resident(self.resident, self.declared.as_ref())
    }

    /// Reports to the [`Gauge`] that a search begins.
    pub fn begin(&self, doing: &'static str, unit: Option<&'static str>, held: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.begin(doing, unit, held);
        }
    }

    /// Reports a completed level, and a lower bound on the cost of every solution.
    pub fn reach(&self, level: f64, bound: f64) {
        if let Some(gauge) = &self.gauge {
            gauge.reach(level, self.cost_unit.cost(bound));
        }
    }

    /// Reports the number of expanded states, and the bytes in use.
    pub fn spend(&self, expanded: u64, bytes: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, bytes);
        }
    }

    /// Returns the limits for a search in a space whose tables occupy `held` bytes: it gets the remaining memory.
    pub(super) fn after_reserving(&self, held: u64) -> Limits {
        let left = self.memory.map(|memory| memory.saturating_sub(held));
        // Memory-mapped tables are resident only as far as they were read.
        let free = self.resident.map(|limit| limit.saturating_sub(resident().max(held)));
        Limits { memory: left.into_iter().chain(free).min(), ..self.clone() }
    }

    /// Returns the stop condition of work that starts now within these limits.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop {
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            interrupt: self.interrupt.clone(),
            resident: self.resident,
            declared: self.declared.clone(),
        }
    }

    /// Begins the log of a search with this kind of steps.
    pub(super) fn begin_proof_log(&self, search: impl Into<String>, counts: Counts) {
        if let Some(proof_log) = &self.proof_log {
            proof_log.begin(search.into(), counts);
        }
    }

    /// Logs a completed step of the search that began `before_last` searches before the last.
    pub(super) fn complete_step(&self, before_last: usize, within: f64, states: u64) {
        if let Some(proof_log) = &self.proof_log {
            proof_log.complete(before_last, self.cost_unit.cost(within), states);
        }
    }

    /// Returns the limits that remain after a search with these statistics and this time.
    #[must_use]
    pub fn remaining(&self, spent: &Stats, time: Duration) -> Limits {
        Limits {
            time: self.time.map(|limit| limit.saturating_sub(time)),
            nodes: self.nodes.map(|limit| limit.saturating_sub(spent.expanded)),
            ..self.clone()
        }
    }
}

/// A stop condition for any work: a deadline, an interrupt, or a limit on resident memory.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    resident: Option<u64>,
    declared: Option<Arc<AtomicU64>>,
}

impl Stop {
    /// Returns the limit that stops the work now, if any. Takes some microseconds.
    #[must_use]
    pub fn now(&self) -> Option<Limit> {
        self.check_cheap().or_else(|| self.most_resident().filter(|&limit| resident() > limit).map(|_| Limit::Memory))
    }

    /// Returns whether `bytes` more bytes may become resident. Freed memory may still be held by the allocator and
    /// counts.
    #[must_use]
    pub fn allows(&self, bytes: u64) -> bool {
        bytes < MIN_CHECKED_BYTES || self.most_resident().is_none_or(|limit| resident().saturating_add(bytes) <= limit)
    }

    fn most_resident(&self) -> Option<u64> {
        most_resident(self.resident, self.declared.as_ref())
    }

    /// Returns the time left, if it is limited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns the limit that stops the work now, except memory, whose check is the slowest.
    #[must_use]
    pub fn check_cheap(&self) -> Option<Limit> {
        self.check_cheap_within(Duration::ZERO)
    }

    /// Implements [`check_cheap`](Self::check_cheap) for work that takes `ending` to finish.
    fn check_cheap_within(&self, ending: Duration) -> Option<Limit> {
        if self.deadline.is_some_and(|deadline| Instant::now() + ending >= deadline) {
            Some(Limit::Time)
        } else if self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            Some(Limit::Interrupt)
        } else {
            None
        }
    }
}

/// Checks the limits while a search runs.
pub(super) struct Watch {
    stop: Stop,
    memory: u64,
    nodes: u64,
    /// The bytes in use at the last check.
    held: u64,
    gauge: Option<Arc<Gauge>>,
    every: u64,
    /// The upper bound on `every`.
    max_every: u64,
    last_poll: Instant,
    next_poll: u64,
    /// The time of the next check of resident memory, if that is limited.
    next_resident_check: Option<Instant>,
    /// The number of the part that is searched, and the first part that contains a goal: later ones are given up.
    part: Option<(usize, Arc<AtomicUsize>)>,
}

impl Watch {
    /// Creates a watch for a search whose keys own `key_heap_bytes` bytes on the heap.
    pub(super) fn new(limits: &Limits, key_heap_bytes: usize) -> Watch {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let max_every = (POLL_EVERY * 64 / (64 + key_heap_bytes as u64)).max(1);
        Watch {
            stop: limits.stop(),
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes,
            held: 0,
            gauge: limits.gauge.clone(),
            every: 1,
            max_every,
            last_poll: Instant::now(),
            next_poll: nodes.min(1),
            next_resident_check: limits.resident.map(|_| Instant::now()),
            part: None,
        }
    }

    /// Returns a watch over one of several parts that threads search, in which `nodes` states may be expanded. It ends
    /// with [`Limit::Interrupt`] when a goal is in an earlier part.
    pub(super) fn for_part(&self, nodes: u64, first_goal: &Arc<AtomicUsize>, part: usize) -> Watch {
        Watch {
            stop: self.stop.clone(),
            nodes,
            gauge: None,
            last_poll: Instant::now(),
            next_poll: nodes.min(self.every),
            part: Some((part, Arc::clone(first_goal))),
            ..*self
        }
    }

    /// Reports the number of expanded states.
    pub(super) fn report(&self, expanded: u64) {
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, self.held);
        }
    }

    /// Checks the limits if a check is due; called before each expansion, with the number of earlier ones and the bytes
    /// in use.
    #[inline]
    pub(super) fn exceeded(&mut self, expanded: u64, bytes: impl FnOnce() -> u64) -> Option<Limit> {
        if expanded < self.next_poll { None } else { self.poll(expanded, bytes()) }
    }

    /// Returns the condition on which threads of the search stop.
    pub(super) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns how many more expansions are allowed.
    pub(super) fn nodes_left(&self, expanded: u64) -> u64 {
        self.nodes - expanded
    }

    /// Checks the limits now.
    #[cold]
    pub(super) fn poll(&mut self, expanded: u64, bytes: u64) -> Option<Limit> {
        if let Some(gauge) = &self.gauge {
            gauge.spend(expanded, bytes);
        }
        self.held = bytes;
        if expanded >= self.nodes {
            return Some(Limit::Nodes);
        }
        if self.part.as_ref().is_some_and(|(part, first_goal)| first_goal.load(Ordering::Relaxed) < *part) {
            return Some(Limit::Interrupt);
        }
        if let Some(limit) = self.check() {
            return Some(limit);
        }
        if bytes > self.memory {
            return Some(Limit::Memory);
        }
        // An expansion may take long: some heuristics solve a subproblem for each child.
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.last_poll, now);
        self.every = if took > SLOW_POLL { (self.every / 2).max(1) } else { (self.every * 2).min(self.max_every) };
        self.next_poll = self.nodes.min(expanded + self.every);
        None
    }

    /// Checks time, interrupts and resident memory within work that expands nothing.
    pub(super) fn check(&mut self) -> Option<Limit> {
        let now = Instant::now();
        let reached = self.stop.check_cheap_within(time_to_free(self.held));
        if reached.is_none() && self.next_resident_check.is_some_and(|due| now >= due) {
            self.next_resident_check = Some(now + RESIDENT_CHECK_INTERVAL);
            return self.stop.now();
        }
        reached
    }

    /// Checks like [`check`](Self::check) in a loop over many states; called for each of them, with its number.
    #[inline]
    pub(super) fn check_at(&mut self, number: u32) -> Result<(), Limit> {
        if number.is_multiple_of(CHECK_EVERY) { self.check().map_or(Ok(()), Err) } else { Ok(()) }
    }

    /// Checks whether this many bytes in total are allowed.
    pub(super) fn check_memory(&self, bytes: u64) -> Result<(), Limit> {
        if bytes > self.memory { Err(Limit::Memory) } else { Ok(()) }
    }
}
