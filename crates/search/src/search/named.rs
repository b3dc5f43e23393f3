//! Heuristics and other choices by name, as a domain lists them and users choose them.

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
        summary: "0 for every state: turns A* into uniform-cost search",
        because: "no cost is negative",
    };
}
