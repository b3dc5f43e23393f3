//! A reduced task with the analyses of it, each made on demand.

use super::bound;
use super::reduce::Reduced;
use super::symmetry::{Permutation, Symmetries, symmetries};
use super::vanishing::{Stable, may_vanish};
use crate::memo::Memo;
use crate::packed::StateLayout;
use crate::search::BuildContext;
use crate::task::Task;
use std::sync::Arc;

/// Returns the permutations of a reduced task's variables that may be symmetries, as its language knows them.
pub type Candidates = Box<dyn Fn(&Task) -> Vec<Permutation> + Send + Sync>;

/// A reduced task with its analyses: all that heuristics and state spaces are built of.
pub struct AnalysedTask {
    pub reduced: Reduced,
    /// The number of the first variables of the whole task that are the cells of a grid.
    pub cells: usize,
    /// An upper bound on the base-2 logarithm of the number of states.
    pub log2_states: f64,
    /// The results of further analyses.
    pub memo: Memo,
    candidates: Candidates,
}

impl AnalysedTask {
    /// Wraps a reduced task. The first `cells` variables of the whole task are the cells of a grid.
    pub fn new(whole: &Task, reduced: Reduced, cells: usize, candidates: Candidates) -> AnalysedTask {
        let log2_states = bound::log2_states(whole, &reduced.reached, cells);
        AnalysedTask { reduced, cells, log2_states, memo: Memo::default(), candidates }
    }

    /// Returns the number of bits of a packed state.
    pub fn bits(&self) -> usize {
        StateLayout::new(&self.reduced.task).bits
    }

    /// Returns the symmetries of the task.
    pub fn symmetries(&self, context: &BuildContext) -> Arc<Symmetries> {
        let task = &self.reduced.task;
        self.memo.get("symmetries", context, || Arc::new(symmetries(task, &(self.candidates)(task), context)))
    }

    /// Returns the stable states, if others vanish.
    pub fn stable(&self, context: &BuildContext) -> Option<Arc<Stable>> {
        let task = &self.reduced.task;
        let find = || Stable::new(task, self.symmetries(context).group(), context).map(Arc::new);
        self.memo.get("stable states", context, || may_vanish(task).then(find)?)
    }
}
