//! Heuristics and other choices by name, as a domain lists them and users choose them.

use parking_lot::Mutex;
use std::collections::BTreeMap;

/// A name with its description.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The name as it is written in files.
    pub name: &'static str,
    /// A description of one line.
    pub summary: &'static str,
}

/// The facts of a heuristic.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicFacts {
    /// The name as it is written in files.
    pub name: &'static str,
    /// True if it never overestimates the remaining cost.
    pub admissible: bool,
    /// True if no move lowers it by more than the move's cost.
    pub consistent: bool,
    /// True if people can compute it with paper and pencil: it needs no table and no search.
    pub by_hand: bool,
    /// Its definition and its source.
    pub summary: &'static str,
    /// The argument for its admissibility, for readers of a proof that depends on it; empty if it is inadmissible.
    pub because: &'static str,
}

impl HeuristicFacts {
    /// The heuristic zero, which every domain has.
    pub const ZERO: HeuristicFacts = HeuristicFacts {
        name: "zero",
        admissible: true,
        consistent: true,
        by_hand: true,
        summary: "0 for every state: turns A* into uniform-cost search",
        because: "no cost is negative",
    };

    /// The summary of the heuristics that puzzle files define.
    const OF_FILE: &str = "a heuristic of the file";

    /// Returns the facts of a heuristic that a puzzle file defines: nothing is known of it but its name. They are made
    /// once for each name, and kept.
    #[must_use]
    pub fn of_file(name: &str) -> &'static HeuristicFacts {
        static KNOWN: Mutex<BTreeMap<&'static str, &'static HeuristicFacts>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock();
        if let Some(facts) = known.get(name) {
            return facts;
        }
        let name: &'static str = Box::leak(name.into());
        let summary = HeuristicFacts::OF_FILE;
        let (admissible, consistent, by_hand) = (false, false, true);
        let facts = HeuristicFacts { name, admissible, consistent, by_hand, summary, because: "" };
        known.entry(name).or_insert(Box::leak(Box::new(facts)))
    }

    /// Returns whether a puzzle file defines it.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        self.summary == HeuristicFacts::OF_FILE
    }
}
