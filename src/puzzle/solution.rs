//! What solving a puzzle brought to light; the moves and positions can be asked for as often as one likes.

use crate::argument::Refutation;
use crate::domain::{Notation, Route, Routes, Step, Style};
use crate::search::{Algorithm, Found, Limit, Limits, Stats, Verdict};
use std::time::{Duration, Instant};

/// How solving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// With a solution.
    Solved,
    /// With proof that there is none.
    Unsolvable,
    /// At a limit.
    Limit,
}

impl Outcome {
    /// The name that files and output use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Solved => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Limit => "limit",
        }
    }
}

/// What solving a puzzle brought to light.
pub struct Solution {
    algorithm: Algorithm,
    heuristic: Option<&'static str>,
    heuristic_was_named: bool,
    outcome: Outcome,
    optimal: bool,
    cost: Option<f64>,
    lower_bound: Option<f64>,
    limit: Option<Limit>,
    refutation: Option<Refutation>,
    route: Option<Box<dyn Route>>,
    all_shortest: Option<Box<dyn Routes>>,
    /// How many of all shortest solutions are to be told.
    told: usize,
    stats: Stats,
    time: Duration,
    guidance: Option<String>,
    note: Option<String>,
}

impl Solution {
    /// Nothing is known yet.
    pub(super) fn unsearched(algorithm: Algorithm, heuristic: Option<&'static str>, was_named: bool) -> Solution {
        Solution {
            algorithm,
            heuristic,
            heuristic_was_named: was_named,
            outcome: Outcome::Limit,
            optimal: false,
            cost: None,
            lower_bound: None,
            limit: None,
            refutation: None,
            route: None,
            all_shortest: None,
            told: 0,
            stats: Stats::default(),
            time: Duration::ZERO,
            guidance: None,
            note: None,
        }
    }

    /// It was told without a search that there is no solution.
    pub(super) fn unsolvable(self, refutation: Refutation, time: Duration) -> Solution {
        Solution { outcome: Outcome::Unsolvable, time, ..self }.because(refutation)
    }

    /// Why there is no solution.
    pub(super) fn because(self, refutation: Refutation) -> Solution {
        Solution { refutation: Some(refutation), ..self }
    }

    /// A limit was reached before the search began, or before the next one did; this was proven by then.
    pub(super) fn unfinished(self, limit: Limit, stats: Stats, lower_bound: f64, time: Duration) -> Solution {
        Solution { limit: Some(limit), lower_bound: Some(lower_bound), stats, time, ..self }
    }

    /// What guides the search, and whose limit ended it if it was that of another process, for people.
    pub(super) fn told(self, guidance: Option<String>, note: Option<String>) -> Solution {
        Solution { guidance, note, ..self }
    }

    /// A search has ended; what it proves holds if its heuristic is admissible.
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

    /// Where a shortest one was found, all shortest ones are looked for, too, within what is left of the limits.
    pub(super) fn with_all_shortest(mut self, told: usize, limits: &Limits, started: Instant) -> Solution {
        match self.route.as_ref().map(|route| route.all_shortest(limits)) {
            Some(Ok(all)) => {
                self.stats.memory = self.stats.memory.max(all.memory());
                self.all_shortest = Some(all);
            }
            Some(Err(limit)) => (self.outcome, self.limit) = (Outcome::Limit, Some(limit)),
            None => {}
        }
        Solution { told, time: started.elapsed(), ..self }
    }

    /// The algorithm that was used.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The heuristic, where the algorithm uses one or one was named.
    #[must_use]
    pub fn heuristic(&self) -> Option<&'static str> {
        self.heuristic
    }

    /// Whether the file or the options named the heuristic.
    #[must_use]
    pub fn heuristic_was_named(&self) -> bool {
        self.heuristic_was_named
    }

    /// How solving ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether the solution is proven to be a shortest one.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }

    /// The cost of the solution, if there is one.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.cost
    }

    /// No solution costs less; none where nothing is proven, or there is no solution.
    #[must_use]
    pub fn lower_bound(&self) -> Option<f64> {
        self.lower_bound
    }

    /// The limit that ended the search, if one did.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Why there is no solution, where there is none.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.refutation.as_ref().map(|refutation| refutation.reason.as_str())
    }

    /// The same with weights and as data, as far as it is more than a search.
    #[must_use]
    pub fn refutation(&self) -> Option<&Refutation> {
        self.refutation.as_ref()
    }

    /// Whose limit ended the search, if it was that of another process, for people.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// How many shortest solutions there are, where that was asked and found out; `u128::MAX` stands for itself and all
    /// beyond.
    #[must_use]
    pub fn solutions(&self) -> Option<u128> {
        self.all_shortest.as_ref().map(|all| all.count())
    }

    /// The first of all shortest solutions in the order of the moves, as many as were asked for; none where none were,
    /// or a limit ended the search for them.
    #[must_use]
    pub fn all_shortest(&self) -> Option<impl Iterator<Item = Box<dyn Route>>> {
        let all = self.all_shortest.as_ref().filter(|_| self.told > 0)?;
        Some(all.iter().take(self.told))
    }

    /// The way that was found, if there is one.
    #[must_use]
    pub fn route(&self) -> Option<&dyn Route> {
        self.route.as_deref()
    }

    /// The moves, in the domain's notation; none where there is no solution.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.moves_in(Notation::STANDARD)
    }

    /// The moves, in this notation.
    #[must_use]
    pub fn moves_in(&self, notation: Notation) -> Vec<String> {
        self.route.as_ref().map_or_else(Vec::new, |route| route.moves(notation))
    }

    /// The positions, drawn, from the start to the goal; none where there is no solution.
    #[must_use]
    pub fn positions(&self) -> Vec<Step> {
        let mut positions = Vec::new();
        self.walk(Notation::STANDARD, Style::Drawn, &mut |step| positions.push(step));
        positions
    }

    /// Visits the positions in turn, from the start to the goal, without keeping them.
    pub fn walk(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(Step)) {
        if let Some(route) = &self.route {
            route.visit_steps(notation, style, visit);
        }
    }

    /// What the search took.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// What guided the search, for people: what the domain chose, and the value at the start; none where it chooses nothing.
    #[must_use]
    pub fn guidance(&self) -> Option<&str> {
        self.guidance.as_deref()
    }

    /// The time it took, with all that was built for it.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.time
    }
}
