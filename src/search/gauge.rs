//! How far a search has come, for whoever looks at it from another thread.
//!
//! A search writes here when it looks at its limits, which it does anyway, and at the end of a layer or a bound. Nobody
//! waits for anybody: what is read together may be of different moments, each of them recent. No answer depends on it.

use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search has done so far, and those before it for the same answer.
#[derive(Debug, Default)]
pub struct Gauge {
    task: Mutex<Task>,
    /// By searches in spaces that were built before.
    before: AtomicU64,
    expanded: AtomicU64,
    memory: AtomicU64,
    /// The bits of numbers that are not negative: these are ordered as the numbers are.
    level: AtomicU64,
    bound: AtomicU64,
}

/// What changes seldom.
#[derive(Clone, Copy, Debug, Default)]
struct Task {
    doing: Option<&'static str>,
    heuristic: Option<&'static str>,
    /// Whether the heuristic overestimates: then bounds that it led to prove nothing.
    misled: bool,
    unit: Option<&'static str>,
    /// Bytes that the state space holds.
    held: u64,
    started: Option<Instant>,
}

/// What a [`Gauge`] shows at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The algorithm, or what else is being done; none while the state space is built.
    pub doing: Option<&'static str>,
    /// The heuristic that guides it.
    pub heuristic: Option<&'static str>,
    /// The deepest level or f-bound completed, after what it counts.
    pub level: Option<(&'static str, f64)>,
    /// States whose moves were tried, with those of searches in spaces that were built before.
    pub expanded: u64,
    /// States a second, in the search that runs; none before it began.
    pub per_second: Option<f64>,
    /// Bytes in tables.
    pub memory: u64,
    /// No solution costs less, as far as is proven; 0 where nothing is.
    pub lower_bound: f64,
}

impl Gauge {
    /// A state space is about to be built, for a search with this heuristic.
    pub fn prepare(&self, heuristic: Option<&'static str>, admissible: bool) {
        self.before.fetch_add(self.expanded.load(Ordering::Relaxed), Ordering::Relaxed);
        self.restart();
        *self.task() = Task { heuristic, misled: !admissible, ..Task::default() };
    }

    /// A search begins, or its next part, which counts anew, in a space that holds so many bytes; `unit` is what its levels count.
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

    /// This level is completed, and no solution costs less than that.
    pub(super) fn reach(&self, level: f64, bound: f64) {
        self.level.store(level.max(0.0).to_bits(), Ordering::Relaxed);
        self.bound.fetch_max(bound.max(0.0).to_bits(), Ordering::Relaxed);
    }

    /// What it shows now.
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
            lower_bound: if task.misled { 0.0 } else { bound },
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
    fn searches_one_after_the_other_add_up_and_bounds_only_rise() {
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
        assert_eq!(gauge.read().doing, None, "nothing is searched while a table is built");
        gauge.begin("ida-star", Some("f"), 0);
        gauge.spend(5, 1);
        gauge.reach(0.0, 10.5);
        let second = gauge.read();
        assert_eq!((second.expanded, second.lower_bound), (12, 11.0), "what was proven stays proven");
        gauge.prepare(Some("wild"), false);
        gauge.reach(3.0, 99.0);
        assert_eq!(gauge.read().lower_bound, 0.0, "a heuristic that overestimates proves nothing");
    }
}
