//! A log of what a search has proven, step by step: the source of certificates, which other programs check.
//!
//! A step is a depth or a threshold within which everything was searched, with the number of states. It is equal on
//! every run and machine, unless time or memory ended the search.

use crate::argument::Pruned;
use parking_lot::{Mutex, MutexGuard};

/// The steps of consecutive searches, and the dead ends that they left out.
#[derive(Debug, Default)]
pub struct ProofLog {
    parts: Mutex<Vec<ProofPart>>,
    pruned: Mutex<Pruned>,
}

/// The steps of one search, or of one direction of a bidirectional search.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofPart {
    /// The algorithm, with the direction if there are two.
    pub search: String,
    /// The heuristic that guided it, once known.
    pub heuristic: Option<&'static str>,
    /// The unit of the steps.
    pub counts: Counts,
    /// The completed steps, in order.
    pub steps: Vec<CompletedStep>,
}

/// The quantity that the steps of a search count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The states at a depth, each reached there for the first time.
    Layers,
    /// The states expanded within a threshold but not within the previous one.
    Bounds,
}

/// A completed step: everything within a depth or a threshold was searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompletedStep {
    /// The depth or the threshold.
    pub within: f64,
    /// The number of states.
    pub states: u64,
}

impl ProofLog {
    /// Begins the log of a search, or of one direction of it.
    pub(super) fn begin(&self, search: String, counts: Counts) {
        self.parts().push(ProofPart { search, heuristic: None, counts, steps: Vec::new() });
    }

    /// Adds a completed step to the log that began `before_last` logs before the last one.
    pub(super) fn complete(&self, before_last: usize, within: f64, states: u64) {
        let mut parts = self.parts();
        let number = parts.len().checked_sub(before_last + 1);
        if let Some(part) = number.and_then(|number| parts.get_mut(number)) {
            part.steps.push(CompletedStep { within, states });
        }
    }

    /// Assigns this heuristic to all searches that have none yet.
    pub fn guided_by(&self, heuristic: &'static str) {
        self.parts().iter_mut().for_each(|part| {
            part.heuristic.get_or_insert(heuristic);
        });
    }

    /// Returns the logs of all searches so far.
    #[must_use]
    pub fn read(&self) -> Vec<ProofPart> {
        self.parts().clone()
    }

    /// Returns the dead ends that searches left out. State spaces add what they can prove by data.
    pub fn pruned(&self) -> MutexGuard<'_, Pruned> {
        self.pruned.lock()
    }

    fn parts(&self) -> MutexGuard<'_, Vec<ProofPart>> {
        self.parts.lock()
    }
}
