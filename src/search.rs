//! Search: algorithms over any [`StateSpace`], chosen once by name, then compiled for the space.
//!
//! [`search`] is the one place that turns a name into an algorithm. Adding one is a file below `search/`, a variant
//! of [`Algorithm`], its line in [`Algorithm::ALL`] and its line in the match.

mod bidirectional;
mod breadth_first;
mod crew;
mod explore;
mod frontier;
mod graph;
mod key_set;
#[cfg(test)]
pub(crate) mod laws;
mod layers;
mod limits;
mod node_table;
mod path;

pub use explore::{Explored, Hardest, explore};
pub use limits::{Limit, Limits};

use crate::space::StateSpace;
use bidirectional::bidirectional_search;
use breadth_first::{breadth_first_search, is_layered};
use frontier::{BoundedStack, Buckets, Queue, Stack};
use graph::graph_search;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// Breadth-first search.
    Bfs,
    /// Depth-first search.
    Dfs,
    /// A*.
    AStar,
    /// Breadth-first search from both ends.
    Bidirectional,
}

/// What is to be said of an algorithm: to its users, and to whoever parses its name.
pub struct AlgorithmFacts {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The name that files, command lines and output use.
    pub name: &'static str,
    /// Other spellings that are understood.
    pub aliases: &'static [&'static str],
    /// Whether it looks at the heuristic.
    pub informed: bool,
    /// What it does, promises and costs, and where it comes from.
    pub summary: &'static str,
}

impl Algorithm {
    /// Every algorithm, in the order in which they are listed.
    pub const ALL: &[AlgorithmFacts] = &[
        AlgorithmFacts {
            algorithm: Algorithm::Bfs,
            name: "bfs",
            aliases: &["breadth-first"],
            informed: false,
            summary: "breadth-first search (Moore 1959): complete; shortest where every move costs the same; \
                      time and memory grow with the states within the solution's depth",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Dfs,
            name: "dfs",
            aliases: &["depth-first"],
            informed: false,
            summary: "depth-first search (Trémaux 1882, Tarjan 1972): the first solution it meets, no claim on its \
                      length; with a depth limit it searches all within it and the shortest there is, is proven",
        },
        AlgorithmFacts {
            algorithm: Algorithm::AStar,
            name: "a-star",
            aliases: &["astar", "a*"],
            informed: true,
            summary: "A* (Hart, Nilsson, Raphael 1968): complete; shortest with an admissible heuristic; \
                      expands every state with f below the optimum, and remembers all it has met",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Bidirectional,
            name: "bidirectional",
            aliases: &["bidirectional-bfs"],
            informed: false,
            summary: "breadth-first search from the start and from all goals, the smaller frontier first, until they \
                      meet (Pohl 1971): complete, shortest; for goals that can be listed, and moves of equal cost that \
                      can be taken back",
        },
    ];

    /// What there is to say of it.
    #[must_use]
    pub fn facts(self) -> &'static AlgorithmFacts {
        Algorithm::ALL.iter().find(|facts| facts.algorithm == self).expect("every algorithm is listed")
    }

    /// The name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The algorithm with this name or alias.
    #[must_use]
    pub fn named(name: &str) -> Option<Algorithm> {
        let name = name.to_ascii_lowercase();
        let known = Algorithm::ALL.iter().find(|facts| facts.name == name || facts.aliases.contains(&&*name));
        known.map(|facts| facts.algorithm)
    }
}

/// What a search found, and what it took; `P` is how a way to a goal is told.
pub struct Found<P> {
    /// What is known now.
    pub verdict: Verdict<P>,
    /// What it took.
    pub stats: Stats,
}

/// How a search ended.
pub enum Verdict<P> {
    /// With a way to a goal.
    Solved {
        /// The way.
        path: P,
        /// Its cost.
        cost: f64,
        /// Whether it is proven that no solution costs less.
        optimal: bool,
    },
    /// With proof that there is none.
    Unsolvable,
    /// At a limit.
    Limit {
        /// Which.
        limit: Limit,
        /// No solution costs less.
        lower_bound: f64,
    },
}

impl<P> Found<P> {
    /// The same, with the way told otherwise.
    pub fn map<Q>(self, tell: impl FnOnce(P) -> Q) -> Found<Q> {
        let verdict = match self.verdict {
            Verdict::Solved { path, cost, optimal } => Verdict::Solved { path: tell(path), cost, optimal },
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Limit { limit, lower_bound } => Verdict::Limit { limit, lower_bound },
        };
        Found { verdict, stats: self.stats }
    }
}

/// What a search took: the same on every run and machine, unless time or memory ended it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// States whose moves were tried.
    pub expanded: u64,
    /// Children made, except by the move that takes the last one back.
    pub generated: u64,
    /// The most states held at once.
    pub stored: u64,
    /// The deepest level or f-bound completed; the solution's cost where there is one.
    pub depth: f64,
    /// The most bytes that the search's tables took.
    pub memory: u64,
}

/// Why an algorithm cannot search a space, if it cannot.
pub fn objection<S: StateSpace>(space: &S, algorithm: Algorithm) -> Option<&'static str> {
    if algorithm != Algorithm::Bidirectional {
        None
    } else if !is_layered(space) {
        Some("it goes back from the goals, and here not every move can be taken back by a move of the same cost")
    } else if space.goals(MOST_GOALS).is_none() {
        Some("it starts from all goals, and here they are too many to list")
    } else {
        None
    }
}

/// More goals are not listed.
const MOST_GOALS: usize = 1 << 21;

/// Searches a space for a way from its initial state to a goal. What A* proves it proves for an admissible heuristic.
/// An algorithm to which there is an [`objection`] gives way to breadth-first search.
pub fn search<S: StateSpace>(space: &S, algorithm: Algorithm, limits: &Limits) -> Found<Vec<S::Action>> {
    match (algorithm, limits.depth) {
        (Algorithm::Bidirectional, _) if is_layered(space) => bidirectional_search(space, limits),
        (Algorithm::Bfs, _) if is_layered(space) => breadth_first_search(space, limits),
        (Algorithm::Bfs | Algorithm::Bidirectional, depth) => graph_search(space, Queue::new(depth), limits),
        (Algorithm::Dfs, None) => graph_search(space, Stack::new(), limits),
        (Algorithm::Dfs, Some(depth)) => graph_search(space, BoundedStack::new(depth), limits),
        (Algorithm::AStar, depth) => graph_search(space, Buckets::new(depth), limits),
    }
}
