//! Exploration of a puzzle's whole space: in memory, with its layers on disk, or by several processes.

use super::Puzzle;
use crate::domain::{BuildContext, HeuristicFacts, Route, Searchable};
use crate::search::{DiskError, Explored, Limit, Limits, Place, Request, Response, Stats, Work};
use std::time::{Duration, Instant};

/// The reduction by which free moves join positions.
const JOINS: &str = "macro-moves";

/// The heuristic that sees what players see, where like pieces have like targets.
const MATCHES: &str = "matching";

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

    /// Returns the names of all reductions of the domain but that of joining positions by free moves.
    pub(super) fn prunings(&self) -> Vec<String> {
        let names = self.facts.reductions.iter().map(|reduction| reduction.name.to_owned());
        names.filter(|name| name != JOINS).collect()
    }

    /// Returns the state space of which a player sees all, dead ends included: without any reduction but that free moves
    /// join positions. Its heuristic is one that may overestimate, if the domain has one, else a matching, else the
    /// default one.
    ///
    /// # Errors
    /// The limit that ended its construction.
    pub fn space_of_players(&self, limits: &Limits) -> Result<(Box<dyn Searchable>, &'static HeuristicFacts), Limit> {
        let context = BuildContext { without: self.prunings(), size: Some(0), ..BuildContext::within(limits) };
        self.instance.prepare(&context);
        let usual = || self.guide(None).ok().and_then(|name| self.heuristic(name).ok());
        let guide = self.rough_heuristic(true, &context).or_else(usual).unwrap_or(&HeuristicFacts::ZERO);
        let space = self.instance.space(guide, &context);
        context.ended().map_or(Ok((space, guide)), Err)
    }

    /// Returns the heuristic that leads to solutions soonest where none need be shortest, if it is not the default one: one
    /// that may overestimate, if that is allowed and the domain has one, else a matching.
    pub(super) fn rough_heuristic(
        &self,
        may_overestimate: bool,
        context: &BuildContext,
    ) -> Option<&'static HeuristicFacts> {
        let suits = |facts: &&'static HeuristicFacts| self.instance.refuses(facts, context).is_none();
        let of_domain = || self.facts.heuristics.iter().filter(|facts| self.instance.concerns(facts));
        let rough = of_domain().find(|facts| may_overestimate && !facts.admissible).filter(suits);
        rough.or_else(|| of_domain().find(|facts| facts.name == MATCHES).filter(suits))
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
