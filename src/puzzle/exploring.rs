//! Exploration of a puzzle's whole space: in memory, with its layers on disk, or by several processes.

use super::Puzzle;
use crate::domain::{BuildContext, HeuristicFacts, Route, Searchable};
use crate::search::{DiskError, Explored, Limit, Limits, Place, Request, Response, Stats, Work};
use std::time::{Duration, Instant};

/// The result of exploring a whole space.
pub struct Exploration {
    /// The states found.
    pub found: Explored<Box<dyn Route>>,
    /// The time it took, including the time to build the tables.
    pub time: Duration,
    /// The process whose limit ended it, if it was another process.
    pub note: Option<String>,
}

impl Puzzle {
    /// Explores the whole space reachable from the start, in memory.
    #[must_use]
    pub fn explore(&self, limits: &Limits) -> Exploration {
        self.explore_at(limits, &Place::Memory).expect("only files and processes fail")
    }

    /// Explores the space in a place, which must have this puzzle's fingerprint if it is not memory. On disk, an earlier
    /// run is resumed.
    ///
    /// # Errors
    /// Outside memory: the folder cannot be used, one of its files is damaged or belongs to another puzzle, other
    /// processes are missing or fail, or this puzzle cannot be explored there.
    pub fn explore_at(&self, limits: &Limits, place: &Place) -> Result<Exploration, DiskError> {
        let started = Instant::now();
        let (found, note) = match self.opened(limits, started) {
            Ok((space, limits)) => {
                let Response { answer, note } = space.run(&Request { work: Work::Explore, limits: &limits, place })?;
                (answer.explored(), note)
            }
            Err(limit) => (Explored::unfinished(limit), None),
        };
        Ok(Exploration { found, time: started.elapsed(), note })
    }

    /// Returns the state space and the remaining limits, or the limit that ended its construction.
    pub(super) fn opened(&self, limits: &Limits, started: Instant) -> Result<(Box<dyn Searchable>, Limits), Limit> {
        let context = BuildContext::within(limits);
        self.instance.prepare(&context);
        context.ended().map_or(Ok(()), Err)?;
        let space = self.instance.space(&HeuristicFacts::ZERO, &context);
        context.ended().map_or(Ok(()), Err)?;
        Ok((space, limits.remaining(&Stats::default(), started.elapsed())))
    }
}
