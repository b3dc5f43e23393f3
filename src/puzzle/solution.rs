//! The result of solving a puzzle, from which moves and positions can be read repeatedly.

use super::Explanation;
use crate::argument::Refutation;
use crate::domain::{Notation, PathStep, Route, Routes, Style};
use crate::search::{Algorithm, Found, Limit, Limits, Stats, Verdict};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The outcome of solving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// A solution was found.
    Solved,
    /// It is proven that there is no solution.
    Unsolvable,
    /// A limit ended the search.
    Limit,
}

impl Outcome {
    /// Returns the name that files and output use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Limit => "limit",
        }
    }
}

/// The result of solving a puzzle.
pub struct Solution {
    algorithm: Algorithm,
    heuristic: Option<&'static str>,
    heuristic_was_named: bool,
    /// What the heuristic of the search is, if nothing is known of it.
    unknown_heuristic: Option<&'static str>,
    outcome: Outcome,
    optimal: bool,
    cost: Option<f64>,
    lower_bound: Option<f64>,
    limit: Option<Limit>,
    refutation: Option<Refutation>,
    route: Option<Box<dyn Route>>,
    all_shortest: Option<Box<dyn Routes>>,
    /// The number of shortest solutions, if they were only counted.
    counted: Option<u128>,
    /// The number of shortest solutions to list.
    listed: usize,
    stats: Stats,
    time: Duration,
    build_time: Duration,
    guidance: Option<String>,
    note: Option<String>,
    explanation: Option<Explanation>,
}

impl Solution {
    /// Creates a result of which nothing is known yet.
    pub(super) fn unsearched(algorithm: Algorithm, heuristic: Option<&'static str>, was_named: bool) -> Solution {
        Solution {
            algorithm,
            heuristic,
            heuristic_was_named: was_named,
            unknown_heuristic: None,
            outcome: Outcome::Limit,
            optimal: false,
            cost: None,
            lower_bound: None,
            limit: None,
            refutation: None,
            route: None,
            all_shortest: None,
            counted: None,
            listed: 0,
            stats: Stats::default(),
            time: Duration::ZERO,
            build_time: Duration::ZERO,
            guidance: None,
            note: None,
            explanation: None,
        }
    }

    /// Sets the outcome of a puzzle that is proven unsolvable without a search.
    pub(super) fn unsolvable(self, refutation: Refutation, time: Duration) -> Solution {
        Solution { outcome: Outcome::Unsolvable, time, ..self }.because(refutation)
    }

    /// Sets the reason why there is no solution.
    pub(super) fn because(self, refutation: Refutation) -> Solution {
        Solution { refutation: Some(refutation), ..self }
    }

    /// Sets the outcome after a limit was reached before the search or one of its stages began; `lower_bound` is
    /// proven.
    pub(super) fn unfinished(self, limit: Limit, stats: Stats, lower_bound: f64, time: Duration) -> Solution {
        Solution { limit: Some(limit), lower_bound: Some(lower_bound), stats, time, ..self }
    }

    /// Sets, for people, what guides the search and which other process's limit ended it.
    pub(super) fn with_notes(self, guidance: Option<String>, note: Option<String>) -> Solution {
        Solution { guidance, note, ..self }
    }

    /// Sets the part of the time that building state spaces and their tables took.
    pub(super) fn built_in(self, build_time: Duration) -> Solution {
        Solution { build_time, ..self }
    }

    /// Sets why the search was chosen and what its parts saved.
    pub(super) fn explained(self, explanation: Option<Explanation>) -> Solution {
        Solution { explanation, ..self }
    }

    /// Sets what the heuristic of the search is, if nothing is known of it.
    pub(super) fn with_unknown_heuristic(self, unknown_heuristic: Option<&'static str>) -> Solution {
        Solution { unknown_heuristic, ..self }
    }

    /// Sets the outcome of a search that has ended; its proof holds if its heuristic is admissible.
    pub(super) fn found(self, found: Found<Box<dyn Route>>, admissible: bool, time: Duration) -> Solution {
        let stats = found.stats;
        match found.verdict {
            Verdict::Solved { path, cost, lower_bound } => Solution {
                outcome: Outcome::Solved,
                optimal: lower_bound >= cost && admissible,
                cost: Some(cost),
                lower_bound: Some(lower_bound).filter(|&bound| admissible && (bound > 0.0 || bound >= cost)),
                route: Some(path),
                stats,
                time,
                ..self
            },
            Verdict::Unsolvable => Solution { outcome: Outcome::Unsolvable, stats, time, ..self },
            Verdict::Limit { limit, lower_bound, best } => {
                let (route, cost) = best.unzip();
                let lower_bound = Some(if admissible { lower_bound } else { 0.0 });
                Solution { limit: Some(limit), lower_bound, route, cost, stats, time, ..self }
            }
        }
    }

    /// Finds all shortest solutions, within the remaining limits, if a shortest one was found; `admissible` is whether
    /// the heuristic is.
    pub(super) fn with_all_shortest(
        mut self,
        listed: usize,
        admissible: bool,
        limits: &Limits,
        started: Instant,
    ) -> Solution {
        match self.route.as_ref().map(|route| route.all_shortest(admissible, limits)) {
            Some(Ok(all)) => {
                self.stats.memory = self.stats.memory.max(all.memory());
                self.all_shortest = Some(all);
            }
            Some(Err(limit)) => (self.outcome, self.limit) = (Outcome::Limit, Some(limit)),
            None => {}
        }
        Solution { listed, time: started.elapsed(), ..self }
    }

    /// Sets the number of shortest solutions, or the limit that ended the search for it.
    pub(super) fn with_count(mut self, count: Result<u128, Limit>, started: Instant) -> Solution {
        match count {
            Ok(count) => self.counted = Some(count),
            Err(limit) => (self.outcome, self.limit) = (Outcome::Limit, Some(limit)),
        }
        Solution { time: started.elapsed(), ..self }
    }

    /// Returns the algorithm of the search.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the heuristic, if the algorithm uses one or one was named.
    #[must_use]
    pub fn heuristic(&self) -> Option<&'static str> {
        self.heuristic
    }

    /// Returns whether the file or the options named the heuristic.
    #[must_use]
    pub fn heuristic_was_named(&self) -> bool {
        self.heuristic_was_named
    }

    /// Returns why the solution is not proven to be a shortest one although its algorithm proves that of others, in words
    /// that follow a colon.
    #[must_use]
    pub fn lack_of_proof(&self) -> Option<String> {
        let what = self.unknown_heuristic.filter(|_| !self.optimal && self.algorithm.proves_shortest())?;
        Some(format!("`{}` is {what}, which may overestimate", self.heuristic?))
    }

    /// Returns the outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns whether the solution is proven to be a shortest one.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }

    /// Returns the cost of the solution, if there is one.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.cost
    }

    /// Returns a proven lower bound of the cost of all solutions; `None` if nothing is proven or there is no solution.
    #[must_use]
    pub fn lower_bound(&self) -> Option<f64> {
        self.lower_bound
    }

    /// Returns the limit that ended the search, if one did.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns why there is no solution, if there is none.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.refutation.as_ref().map(|refutation| refutation.reason.as_str())
    }

    /// Returns the proof that there is no solution, with weights and as data, as far as it is more than a search.
    #[must_use]
    pub fn refutation(&self) -> Option<&Refutation> {
        self.refutation.as_ref()
    }

    /// Returns, for people, whose limit ended the search, if it was another process's.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the number of shortest solutions, if they were counted; `u128::MAX` stands for that number and all
    /// greater ones.
    #[must_use]
    pub fn solutions(&self) -> Option<u128> {
        self.counted.or_else(|| self.all_shortest.as_ref().map(|all| all.count()))
    }

    /// Returns the first of all shortest solutions in the order of the moves, as many as requested. `None` if none were
    /// requested, or if a limit ended the search for them.
    #[must_use]
    pub fn all_shortest(&self) -> Option<impl Iterator<Item = Box<dyn Route>>> {
        let all = self.all_shortest.as_ref().filter(|_| self.listed > 0)?;
        Some(all.iter().take(self.listed))
    }

    /// Returns the path found, if there is one.
    #[must_use]
    pub fn route(&self) -> Option<&dyn Route> {
        self.route.as_deref()
    }

    /// Returns the moves in the domain's standard notation; none if there is no solution.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.moves_in(Notation::STANDARD)
    }

    /// Returns the moves in this notation.
    #[must_use]
    pub fn moves_in(&self, notation: Notation) -> Vec<String> {
        self.route.as_ref().map_or_else(Vec::new, |route| route.moves(notation))
    }

    /// Returns the drawn positions from the start to the goal; none if there is no solution.
    #[must_use]
    pub fn positions(&self) -> Vec<PathStep> {
        let mut positions = Vec::new();
        self.walk(Notation::STANDARD, Style::Drawn, &mut |step| positions.push(step));
        positions
    }

    /// Visits the positions in turn, from the start to the goal, without keeping them.
    pub fn walk(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(PathStep)) {
        if let Some(route) = &self.route {
            route.visit_steps(notation, style, visit);
        }
    }

    /// Returns the effort of the search.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Describes for people what guided the search: the domain's choice, and the value at the start; `None` if it makes
    /// no choice.
    #[must_use]
    pub fn guidance(&self) -> Option<&str> {
        self.guidance.as_deref()
    }

    /// Returns why the search was chosen and what its parts saved, if [`Options::explain`](super::Options::explain)
    /// asks.
    #[must_use]
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    /// Returns the time it took, including the time to build tables.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Returns the part of the [`time`](Self::time) that building the state space and its tables took.
    #[must_use]
    pub fn build_time(&self) -> Duration {
        self.build_time
    }
}
