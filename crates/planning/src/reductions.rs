//! The names of the reductions that `--without` turns off one by one.

pub const MACRO_MOVES: &str = "macro-moves";
pub const SYMMETRIES: &str = "symmetries";
pub const DEAD_MOVES: &str = "dead-moves";
pub const DEAD_PAIRS: &str = "dead-pairs";
pub const FROZEN: &str = "frozen";
pub const CONFLICTS: &str = "conflicts";
pub const DEAD_PATTERNS: &str = "dead-patterns";
pub const STUBBORN_SETS: &str = "stubborn-sets";
