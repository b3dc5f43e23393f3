//! The progress of a search, readable from another thread.
//!
//! A search writes here when it checks its limits, and at the end of a layer or an iteration. Neither side waits for
//! the other: the values of one reading may come from different recent moments. No answer depends on them.

use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The progress of a search, including earlier searches for the same answer.
#[derive(Debug, Default)]
pub struct Gauge {
    task: Mutex<Task>,
    /// Expansions of searches in spaces that were built before.
    before: AtomicU64,
    expanded: AtomicU64,
    memory: AtomicU64,
    /// Bits of non-negative floating-point numbers: they have the same order as the numbers.
    level: AtomicU64,
    bound: AtomicU64,
}

/// The fields that seldom change.
#[derive(Clone, Copy, Debug, Default)]
struct Task {
    doing: Option<&'static str>,
    heuristic: Option<&'static str>,
    /// True if the heuristic overestimates: then its bounds prove nothing.
    is_inadmissible: bool,
    unit: Option<&'static str>,
    /// Bytes that the state space holds.
    held: u64,
    started: Option<Instant>,
}

/// The values of a [`Gauge`] at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The algorithm, or other work in progress; none while the state space is built.
    pub doing: Option<&'static str>,
    /// The heuristic that guides it.
    pub heuristic: Option<&'static str>,
    /// The deepest level or f-threshold completed, with the name of its unit.
    pub level: Option<(&'static str, f64)>,
    /// Expanded states, including those of searches in spaces that were built before.
    pub expanded: u64,
    /// States expanded per second in the current search; none before it began.
    pub per_second: Option<f64>,
    /// Bytes in tables.
    pub memory: u64,
    /// A proven lower bound on the cost of every solution; 0 if nothing is proven.
    pub lower_bound: f64,
}

impl Gauge {
    /// Announces that a state space is about to be built, for a search with this heuristic.
    pub fn prepare(&self, heuristic: Option<&'static str>, admissible: bool) {
        self.before.fetch_add(self.expanded.load(Ordering::Relaxed), Ordering::Relaxed);
        self.restart();
        *self.task() = Task { heuristic, is_inadmissible: !admissible, ..Task::default() };
    }

    /// Begins a search, or its next phase, which counts from zero, in a space of `held` bytes; `unit` is what its
    /// levels count.
    pub(super) fn begin(&self, doing: &'static str, unit: Option<&'static str>, held: u64) {
        self.restart();
        let mut task = self.task();
        *task = Task { doing: Some(doing), unit, held, started: Some(Instant::now()), ..*task };
    }

    fn restart(&self) {
        self.expanded.store(0, Ordering::Relaxed);
        self.memory.store(0, Ordering::Relaxed);
        self.level.store(0, Ordering::Relaxed);
    }

    pub(super) fn spend(&self, expanded: u64, bytes: u64) {
        self.expanded.store(expanded, Ordering::Relaxed);
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// Reports a completed level, and a lower bound on the cost of every solution.
    pub(super) fn reach(&self, level: f64, bound: f64) {
        self.level.store(level.max(0.0).to_bits(), Ordering::Relaxed);
        // Such a bound proves nothing, for later searches neither.
        if self.task().is_inadmissible {
            return;
        }
        self.bound.fetch_max(bound.max(0.0).to_bits(), Ordering::Relaxed);
    }

    /// Returns the current values.
    #[must_use]
    pub fn read(&self) -> Reading {
        let task = *self.task();
        let expanded = self.expanded.load(Ordering::Relaxed);
        let rate = |running: Duration| expanded as f64 / running.as_secs_f64().max(1e-3);
        let bound = f64::from_bits(self.bound.load(Ordering::Relaxed));
        Reading {
            doing: task.doing,
            heuristic: task.heuristic,
            level: task.unit.map(|unit| (unit, f64::from_bits(self.level.load(Ordering::Relaxed)))),
            expanded: expanded + self.before.load(Ordering::Relaxed),
            per_second: task.started.map(|started| rate(started.elapsed())),
            memory: task.held + self.memory.load(Ordering::Relaxed),
            lower_bound: if task.is_inadmissible { 0.0 } else { bound },
        }
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_searches_add_up_and_bounds_never_decrease() {
        let gauge = Gauge::default();
        assert_eq!(gauge.read(), Reading::default());
        gauge.prepare(Some("manhattan"), true);
        gauge.begin("ida-star", Some("f"), 100);
        gauge.spend(7, 20);
        gauge.reach(9.0, 11.0);
        let first = gauge.read();
        assert_eq!(
            (first.doing, first.heuristic, first.level),
            (Some("ida-star"), Some("manhattan"), Some(("f", 9.0)))
        );
        assert_eq!((first.expanded, first.memory, first.lower_bound), (7, 120, 11.0));
        gauge.prepare(Some("pattern-database"), true);
        assert_eq!(gauge.read().doing, None, "no search runs while a table is built");
        gauge.begin("ida-star", Some("f"), 0);
        gauge.spend(5, 1);
        gauge.reach(0.0, 10.5);
        let second = gauge.read();
        assert_eq!((second.expanded, second.lower_bound), (12, 11.0), "a proven bound never decreases");
        gauge.prepare(Some("wild"), false);
        gauge.reach(3.0, 99.0);
        assert_eq!(gauge.read().lower_bound, 0.0, "a heuristic that overestimates proves nothing");
        gauge.prepare(Some("zero"), true);
        assert_eq!(gauge.read().lower_bound, 11.0, "nor does it for later searches");
    }
}
