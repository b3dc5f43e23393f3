//! A puzzle's whole space, explored: in memory, or with its layers on disk.

use super::Puzzle;
use crate::domain::{BuildContext, HeuristicFacts, Route, Searchable};
use crate::search::{Cluster, DiskError, Explored, Limit, Limits, OnDisk, Stats, Together};
use std::time::{Duration, Instant};

/// A whole space, explored.
pub struct Exploration {
    /// What there is.
    pub found: Explored<Box<dyn Route>>,
    /// The time it took, with all that was built for it.
    pub time: Duration,
    /// Whose limit ended it, if it was that of another process.
    pub note: Option<String>,
}

impl Puzzle {
    /// Walks the whole space that can be reached from the start.
    #[must_use]
    pub fn explore(&self, limits: &Limits) -> Exploration {
        let started = Instant::now();
        let found = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore(&limits),
            Err(limit) => Explored::unfinished(limit),
        };
        Exploration { found, time: started.elapsed(), note: None }
    }

    /// The same with the layers on disk, from wherever an earlier run left it; the fingerprint is to be this puzzle's.
    ///
    /// # Errors
    /// That the folder cannot be used, a file of it is damaged or of another puzzle, or that this puzzle is not for the disk.
    pub fn explore_on_disk(&self, limits: &Limits, disk: &OnDisk) -> Result<Exploration, DiskError> {
        let started = Instant::now();
        let found = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore_on_disk(&limits, disk)?,
            Err(limit) => Explored::unfinished(limit),
        };
        Ok(Exploration { found, time: started.elapsed(), note: None })
    }

    /// The same together with other processes; the fingerprint is to be this puzzle's.
    ///
    /// # Errors
    /// That others are not there or fail, or what concerns files, or that this puzzle is not for it.
    pub fn explore_together(&self, limits: &Limits, cluster: &Cluster) -> Result<Exploration, DiskError> {
        let started = Instant::now();
        let Together { answer: found, note } = match self.opened(limits, started) {
            Ok((space, limits)) => space.explore_together(&limits, cluster)?,
            Err(limit) => Together { answer: Explored::unfinished(limit), note: None },
        };
        Ok(Exploration { found, time: started.elapsed(), note })
    }

    /// The state space, and what is left of the limits once it is there; else the limit that kept it from being made.
    pub(super) fn opened(&self, limits: &Limits, started: Instant) -> Result<(Box<dyn Searchable>, Limits), Limit> {
        let context = BuildContext::within(limits);
        self.instance.prepare(&context);
        context.ended().map_or(Ok(()), Err)?;
        let space = self.instance.space(&HeuristicFacts::ZERO, &context);
        context.ended().map_or(Ok(()), Err)?;
        Ok((space, limits.remaining(&Stats::default(), started.elapsed())))
    }
}
