//! Counters of what each technique saves a search, for people who ask for an explanation. Other searches have none, so
//! that counting costs them nothing.

use crate::heuristic::DeadEnd;
use engine_search::space::Saving;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counters of one state space.
#[derive(Default)]
pub struct Counters {
    /// Operators that are left out, since no goal can be reached after them.
    left_out: u64,
    /// Expanded states of the graph of macro moves, and the places of the mover reached from them.
    expanded: AtomicU64,
    reached: AtomicU64,
    /// States that were replaced by an image.
    images: AtomicU64,
    /// Moves outside a stubborn set, of tokens or of operators.
    not_stubborn: AtomicU64,
    /// The cost that conflicts add to lower bounds.
    conflicts: AtomicU64,
    /// Dead ends, by reason.
    dead_ends: [AtomicU64; DeadEnd::ALL.len()],
}

impl Counters {
    pub fn new(left_out: u64) -> Counters {
        Counters { left_out, ..Counters::default() }
    }

    /// Counts an expanded state from which the mover reaches some places.
    pub fn expanded(&self, reached: usize) {
        self.expanded.fetch_add(1, Ordering::Relaxed);
        self.reached.fetch_add(reached as u64, Ordering::Relaxed);
    }

    /// Returns the canonical representative of a state, and counts it unless it is the state itself.
    pub fn image<W: PartialEq>(&self, state: W, canonical: W) -> W {
        if state != canonical {
            self.twin();
        }
        canonical
    }

    /// Counts a state that is left out for an image of it.
    pub fn twin(&self) {
        self.images.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts moves that are left out, since others suffice.
    pub fn not_stubborn(&self, moves: u64) {
        self.not_stubborn.fetch_add(moves, Ordering::Relaxed);
    }

    /// Counts what conflicts add to a lower bound.
    pub fn conflicts(&self, excess: u32) {
        self.conflicts.fetch_add(excess.into(), Ordering::Relaxed);
    }

    pub fn dead_end(&self, reason: DeadEnd) {
        self.dead_ends[reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the counts that are not 0. `has_regions` is true if the graph is one of regions.
    pub fn savings(&self, has_regions: bool) -> Vec<Saving> {
        let (expanded, reached) = (self.expanded.load(Ordering::Relaxed), self.reached.load(Ordering::Relaxed));
        let mean = reached as f64 / (expanded.max(1)) as f64;
        let (name, walks) = if has_regions {
            ("regions", format!("positions that free moves join with an expanded one, {mean:.1} to each"))
        } else {
            ("macro-moves", format!("positions within walks, up to {mean:.1} from each expanded one"))
        };
        let saving = |name, count, text: &str| Saving { name, count, text: text.to_owned() };
        let mut savings = vec![
            saving(name, reached.saturating_sub(expanded), &walks),
            saving("symmetries", self.images.load(Ordering::Relaxed), "positions left out for an image of theirs"),
            saving("dead-moves", self.left_out, "operators that no solution contains, left out"),
            saving(
                "stubborn-sets",
                self.not_stubborn.load(Ordering::Relaxed),
                "moves left out, since others come first",
            ),
        ];
        let added = "added to lower bounds, since two pieces need more together than each alone";
        savings.push(saving("conflicts", self.conflicts.load(Ordering::Relaxed), added));
        for reason in DeadEnd::ALL {
            let (name, text) = reason.words();
            savings.push(saving(name, self.dead_ends[reason as usize].load(Ordering::Relaxed), text));
        }
        savings.retain(|saving| saving.count > 0);
        savings
    }
}
