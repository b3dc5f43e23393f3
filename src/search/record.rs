//! What a search has proven, step by step: for certificates, which others check.
//!
//! A step is a depth or a bound within which everything was searched, and how much that was. It is the same on every run
//! and machine, unless time or memory ended the search.

use parking_lot::{Mutex, MutexGuard};

/// The steps of searches, one after the other.
#[derive(Debug, Default)]
pub struct Record(Mutex<Vec<Part>>);

/// The steps of one search, or of one end of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The algorithm, and from which end it went if there are two.
    pub search: String,
    /// The heuristic that guided it, once that is told.
    pub heuristic: Option<&'static str>,
    /// What its steps count.
    pub counts: Counts,
    /// The steps that were completed, in order.
    pub steps: Vec<Completed>,
}

/// What the steps of a search count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The states at a depth, each of which was met for the first time.
    Layers,
    /// The states expanded within a bound, and not within the one before.
    Bounds,
}

/// Everything within a depth or a bound was searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Completed {
    /// The depth, or the bound.
    pub within: f64,
    /// How many states.
    pub states: u64,
}

impl Record {
    /// A search begins, or one end of it.
    pub(super) fn begin(&self, search: String, counts: Counts) {
        self.parts().push(Part { search, heuristic: None, counts, steps: Vec::new() });
    }

    /// A step of the search that is so many before the last one to begin is completed.
    pub(super) fn complete(&self, before_last: usize, within: f64, states: u64) {
        let mut parts = self.parts();
        let number = parts.len().checked_sub(before_last + 1);
        if let Some(part) = number.and_then(|number| parts.get_mut(number)) {
            part.steps.push(Completed { within, states });
        }
    }

    /// The searches since this was told last were guided by this heuristic.
    pub fn guided_by(&self, heuristic: &'static str) {
        self.parts().iter_mut().for_each(|part| {
            part.heuristic.get_or_insert(heuristic);
        });
    }

    /// All searches so far.
    #[must_use]
    pub fn read(&self) -> Vec<Part> {
        self.parts().clone()
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Part>> {
        self.0.lock()
    }
}
