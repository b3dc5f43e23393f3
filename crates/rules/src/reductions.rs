//! The names of the reductions that `--without` turns off one by one.

pub(super) const MACRO_MOVES: &str = "macro-moves";
pub(super) const SYMMETRIES: &str = "symmetries";
pub(super) const DEAD_MOVES: &str = "dead-moves";
pub(super) const DEAD_PAIRS: &str = "dead-pairs";
pub(super) const FROZEN: &str = "frozen";
pub(super) const CONFLICTS: &str = "conflicts";
pub(super) const DEAD_PATTERNS: &str = "dead-patterns";
pub(super) const STUBBORN_SETS: &str = "stubborn-sets";
