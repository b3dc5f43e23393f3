//! The end of a turn that takes too long: by its own limit, or because someone asks for it.

use super::Workspace;
use std::fmt;
use std::sync::Arc;

/// Cells, and combinations of matches, that a turn may look at. A rule of several rows has as many combinations as the
/// product of their matches: a turn of a careless game would take hours.
const MAX_WORK: usize = 50_000_000;

/// The work between two calls of a [`StopSignal`]: some milliseconds.
const CHECK_EVERY: usize = 1 << 16;

/// A function that turns call now and then: a turn gives up once it returns true.
#[derive(Clone, Default)]
pub struct StopSignal {
    is_due: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
    /// The work since the last call.
    unchecked: usize,
}

impl StopSignal {
    /// Returns a stop that is due once `is_due` returns true.
    #[must_use]
    pub fn when(is_due: impl Fn() -> bool + Send + Sync + 'static) -> StopSignal {
        StopSignal { is_due: Some(Arc::new(is_due)), unchecked: 0 }
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop").field("may_be_due", &self.is_due.is_some()).finish_non_exhaustive()
    }
}

impl Workspace {
    /// Replaces the stop of all turns from now on. Returns the one before; by default, a turn has its own limit only.
    pub fn set_stop(&mut self, stop: StopSignal) -> StopSignal {
        std::mem::replace(&mut self.stop, stop)
    }

    /// Returns whether the last turn broke off: it is not what the game does.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.work > MAX_WORK
    }

    /// Returns the work that this turn may still do.
    pub(super) fn work_left(&self) -> usize {
        MAX_WORK.saturating_sub(self.work)
    }

    /// Breaks the turn off.
    #[cold]
    pub(super) fn give_up(&mut self) {
        self.work = usize::MAX;
    }

    /// Returns the work of the last turn; it means nothing if the turn gave up.
    pub(crate) fn work(&self) -> usize {
        self.work
    }

    /// Counts work of the present turn.
    #[inline]
    pub(super) fn spend(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
        self.stop.unchecked = self.stop.unchecked.saturating_add(work);
        if self.stop.unchecked >= CHECK_EVERY {
            self.check_stop();
        }
    }

    #[cold]
    fn check_stop(&mut self) {
        self.stop.unchecked = 0;
        if self.stop.is_due.as_ref().is_some_and(|is_due| is_due()) {
            self.give_up();
        }
    }
}
