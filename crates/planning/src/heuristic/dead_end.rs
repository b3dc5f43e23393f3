//! The reasons why a heuristic calls a state a dead end, for people.

/// A reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadEnd {
    /// A token reaches no target.
    Distance,
    /// Two tokens never both reach targets.
    Pair,
    /// A token that can never move again is on no target.
    Frozen,
    /// The tokens cannot all have targets of their own.
    Matching,
    /// Frozen tokens bar others from their targets, or two others never both reach targets beside them.
    Wall,
    /// The tokens around a corral never all reach targets.
    Pattern,
    /// Another argument of the heuristic.
    Other,
}

impl DeadEnd {
    /// All reasons, in the order of their numbers.
    pub const ALL: [DeadEnd; 7] = [
        DeadEnd::Distance,
        DeadEnd::Pair,
        DeadEnd::Frozen,
        DeadEnd::Matching,
        DeadEnd::Wall,
        DeadEnd::Pattern,
        DeadEnd::Other,
    ];

    /// Returns the name, and what it says of the states that are counted.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            DeadEnd::Distance => ("distances", "dead ends: a piece never reaches a target"),
            DeadEnd::Pair => ("dead-pairs", "dead ends: two pieces never both reach targets"),
            DeadEnd::Frozen => ("frozen", "dead ends: a piece off its target can never move again"),
            DeadEnd::Matching => ("matching", "dead ends: the pieces cannot all have targets of their own"),
            DeadEnd::Wall => ("walls", "dead ends: pieces that can never move again bar others from their targets"),
            DeadEnd::Pattern => ("dead-patterns", "dead ends: the pieces around a corral never all reach targets"),
            DeadEnd::Other => ("heuristic", "dead ends: the heuristic proves that no goal can be reached"),
        }
    }
}
