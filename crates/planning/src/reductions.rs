//! The reductions of searches that `--without` turns off one by one. Each has its name beside its code.

use crate::analysis::symmetry::SYMMETRIES;
use crate::heuristic::{CONFLICTS, DEAD_PAIRS, DEAD_PATTERNS, FROZEN, STUBBORN_SETS};
use crate::search::Named;
use crate::space::{DEAD_MOVES, MACRO_MOVES};

/// All reductions, in the order in which users see them.
pub const ALL: [Named; 8] =
    [MACRO_MOVES, SYMMETRIES, DEAD_MOVES, DEAD_PAIRS, FROZEN, CONFLICTS, DEAD_PATTERNS, STUBBORN_SETS];
