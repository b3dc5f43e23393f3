//! Exploration of a puzzle's whole space: in memory, or with its layers on disk.

use super::Puzzle;
use crate::domain::{BuildContext, HeuristicFacts, Route, Searchable};
use crate::search::{Cluster, DiskError, Explored, Limit, Limits, OnDisk, Stats, Together};
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
    /// Explores the whole space reachable from the start.
    #[must_use]
    pub fn explore(&self, limits: &Limits) -> Exploration {
        let started = Instant::now();
        let found = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore(&limits),
            Err(limit) => Explored::unfinished(limit),
        };
        Exploration { found, time: started.elapsed(), note: None }
    }

    /// Explores the space with the layers on disk, and resumes an earlier run; `disk` must have this puzzle's
    /// fingerprint.
    ///
    /// # Errors
    /// The folder cannot be used, one of its files is damaged or belongs to another puzzle, or this puzzle cannot be
    /// explored on disk.
    pub fn explore_on_disk(&self, limits: &Limits, disk: &OnDisk) -> Result<Exploration, DiskError> {
        let started = Instant::now();
        let found = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore_on_disk(&limits, disk)?,
            Err(limit) => Explored::unfinished(limit),
        };
        Ok(Exploration { found, time: started.elapsed(), note: None })
    }

    /// Explores the space together with other processes; `cluster` must have this puzzle's fingerprint.
    ///
    /// # Errors
    /// Other processes are missing or fail, a file fails, or this puzzle cannot be explored on several machines.
    pub fn explore_together(&self, limits: &Limits, cluster: &Cluster) -> Result<Exploration, DiskError> {
        let started = Instant::now();
        let Together { answer: found, note } = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore_together(&limits, cluster)?,
            Err(limit) => Together { answer: Explored::unfinished(limit), note: None },
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
