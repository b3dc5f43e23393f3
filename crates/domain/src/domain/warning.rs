//! The context in which domains look for warnings, and the warning that all domains share.

use super::BuildContext;
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// The parts of the file that [`Instance::warnings`](super::Instance::warnings) may use beside the puzzle.
#[derive(Clone)]
pub struct WarningContext<'a> {
    /// The text of the file. Spans point into it.
    pub source: &'a str,
    /// The bytes of the value of the key `goal`, where there is one.
    pub goal: Option<Range<usize>>,
    /// True if the file expects a solution without moves, so that a goal met at the start is no surprise.
    pub expects_no_moves: bool,
    /// True if the file expects that there is no solution, so that an unreachable goal is no surprise.
    pub expects_no_solution: bool,
    /// The limits of the work. If one ends it, which [`BuildContext::ended`] reports, the warnings are not used.
    pub limits: &'a BuildContext,
}

impl WarningContext<'_> {
    /// Returns the warning that the start meets the goal; `goal` is the place of the goal.
    #[must_use]
    pub fn met_at_the_start(&self, goal: Option<Range<usize>>) -> Option<Diagnostic> {
        let message = "the start already meets the goal";
        let warning = goal.map_or_else(|| Diagnostic::whole(message), |goal| Diagnostic::at(goal, message));
        let help = "change the start or the goal; if this is intended, set `cost = 0` in `[expect]`";
        (!self.expects_no_moves).then(|| warning.warning().label("no move is needed").help(help))
    }
}
