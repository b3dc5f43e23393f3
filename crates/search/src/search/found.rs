//! The result of a search, and its statistics.

use crate::limit::Limit;
use crate::space::CostUnit;

/// The result of a search and its statistics; `P` represents a path to a goal.
pub struct Found<P> {
    /// The outcome.
    pub verdict: Verdict<P>,
    /// The statistics.
    pub stats: Stats,
}

/// The outcome of a search.
pub enum Verdict<P> {
    /// The search found a path to a goal.
    Solved {
        /// The path.
        path: P,
        /// Its cost.
        cost: f64,
        /// A lower bound on the cost of every solution, given an admissible heuristic; the cost itself if it is proven
        /// optimal.
        lower_bound: f64,
    },
    /// The search proved that there is no solution.
    Unsolvable,
    /// The search stopped at a limit.
    Limit {
        /// The limit.
        limit: Limit,
        /// A lower bound on the cost of every solution.
        lower_bound: f64,
        /// The best path to a goal so far and its cost, if there is one.
        best: Option<(P, f64)>,
    },
}

impl<P> Found<P> {
    /// Converts the path.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> Found<Q> {
        let mut convert = Some(convert);
        self.map_once(&mut |path| convert.take().expect("there is one path")(path))
    }

    /// Returns what remains of the result if the effect of some move is unknown because of `limit`: a solution, if
    /// there is one, but no proof.
    #[must_use]
    pub fn without_proof(self, limit: Limit) -> Found<P> {
        let verdict = match self.verdict {
            Verdict::Solved { path, cost, lower_bound } => {
                Verdict::Solved { path, cost, lower_bound: lower_bound.min(1.0) }
            }
            Verdict::Unsolvable => Verdict::Limit { limit, lower_bound: 1.0, best: None },
            Verdict::Limit { limit, lower_bound, best } => {
                Verdict::Limit { limit, lower_bound: lower_bound.min(1.0), best }
            }
        };
        Found { verdict, stats: self.stats }
    }

    /// Converts costs in units to those that people see.
    #[must_use]
    pub fn in_unit(mut self, unit: CostUnit) -> Found<P> {
        match &mut self.verdict {
            Verdict::Solved { cost, lower_bound, .. } => {
                (*cost, *lower_bound) = (unit.cost(*cost), unit.cost(*lower_bound));
            }
            Verdict::Unsolvable => {}
            Verdict::Limit { lower_bound, best, .. } => {
                *lower_bound = unit.cost(*lower_bound);
                best.iter_mut().for_each(|(_, cost)| *cost = unit.cost(*cost));
            }
        }
        self.stats.depth = unit.cost(self.stats.depth);
        self
    }

    /// Implements [`map`](Self::map); compiled once for each pair of types.
    pub(super) fn map_once<Q>(self, convert: &mut dyn FnMut(P) -> Q) -> Found<Q> {
        let verdict = match self.verdict {
            Verdict::Solved { path, cost, lower_bound } => Verdict::Solved { path: convert(path), cost, lower_bound },
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Limit { limit, lower_bound, best } => {
                Verdict::Limit { limit, lower_bound, best: best.map(|(path, cost)| (convert(path), cost)) }
            }
        };
        Found { verdict, stats: self.stats }
    }
}

/// Statistics of a search: equal on every run and machine, unless time or memory ended it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Expanded states.
    pub expanded: u64,
    /// Generated states, without those that a move reaches by undoing the last one.
    pub generated: u64,
    /// The maximum number of states held at once.
    pub stored: u64,
    /// The deepest level or f-threshold completed; the cost of the solution if there is one.
    pub depth: f64,
    /// The maximum number of bytes that the search's tables occupied.
    pub memory: u64,
    /// True if states were pruned because the heuristic proves that no goal is reachable from them.
    pub pruned: bool,
    /// The number of expanded states after which memory ended and [iterative deepening](super::Limits::deepens) went on, if
    /// so.
    pub deepened_after: Option<u64>,
}

impl Stats {
    /// Returns the statistics of two consecutive searches together, with `depth` and `pruned` of the second.
    #[must_use]
    pub fn and(&self, then: &Stats) -> Stats {
        Stats {
            expanded: self.expanded + then.expanded,
            generated: self.generated + then.generated,
            stored: self.stored.max(then.stored),
            depth: then.depth,
            memory: self.memory.max(then.memory),
            pruned: then.pruned,
            deepened_after: self.deepened_after.or(then.deepened_after.map(|after| self.expanded + after)),
        }
    }
}
