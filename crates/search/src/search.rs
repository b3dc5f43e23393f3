//! Search: algorithms over any state space, chosen once by name.
//!
//! What stores states works on a [`Graph`](crate::space::Graph), and is compiled once for each kind of key; depth-first searches in place
//! are compiled for each space. [`search`] is the one place that turns a name into an algorithm. Adding one is a file below `search/`, a variant
//! of [`Algorithm`], its line in [`Algorithm::ALL`] and its line in the match.

mod all_shortest;
mod bidirectional;
mod breadth_first;
mod closed_list;
#[cfg(feature = "cluster")]
mod cluster;
mod crew;
mod deepening;
mod depth_first;
mod disk;
mod estimate;
mod explore;
mod frontier;
mod gauge;
mod graph;
mod hosts;
mod key_set;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
mod layers;
mod limits;
mod memory;
mod node_table;
mod random;
mod record;
mod stored;
mod together;

pub use all_shortest::{AllShortest, all_shortest};
pub use crew::Crew;
pub use disk::{DiskError, OnDisk, explore_on_disk};
pub use estimate::model::{Machines, Needs};
pub use estimate::{Basis, Budget, Estimate, Guess, Layer, Measured, Question, estimate};
pub use explore::{Explored, Hardest, explore};
pub use gauge::{Gauge, Reading};
pub use hosts::{Host, read_hosts};
pub use limits::{Limit, Limits, Stop};
pub use memory::resident;
pub use random::SplitMix64;
pub use record::{Completed, Counts, Part, Record};
pub use stored::{Searched, Stored};
pub use together::{Cluster, Together, explore_together, search_together};

use crate::space::{Cost, InPlace, Key, Ordinal, Weighted, Whole, moves_along};
use bidirectional::bidirectional_search;
use breadth_first::{breadth_first_search, is_layered};
use deepening::iterative_deepening;
use depth_first::{Measure, depth_first_search};
use frontier::{BoundedStack, Buckets, Exactly, Order, Queue, Stack};
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
    /// Iterative deepening depth-first search.
    Iddfs,
    /// Iterative deepening A*.
    IdaStar,
    /// Greedy best-first search.
    Greedy,
    /// Weighted A*.
    WeightedAStar(Weight),
}

/// How much more weighted A* looks at h than at g: from 1 to 1,000, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// What is taken where nothing is said.
    pub const DEFAULT: Weight = Weight(2000);

    /// A weight, cut to thousandths; none outside 1 to 1,000.
    #[must_use]
    pub fn new(weight: f64) -> Option<Weight> {
        (1.0..=1000.0).contains(&weight).then_some(Weight((weight * 1000.0 + 1e-6) as u32))
    }

    /// g + W h, rounded down.
    fn weighted(self, g: usize, h: usize) -> usize {
        g + (h * self.0 as usize) / 1000
    }

    /// What g + h is at least where g + W h, rounded down, is this.
    fn unweighted(self, f: usize) -> usize {
        (f * 1000).div_ceil(self.0 as usize)
    }

    /// The weight in thousandths.
    fn in_thousandths(self) -> u32 {
        self.0
    }

    /// The weight as people write it.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
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
        AlgorithmFacts {
            algorithm: Algorithm::Iddfs,
            name: "iddfs",
            aliases: &["iterative-deepening"],
            informed: false,
            summary: "iterative deepening depth-first search (Slate and Atkin 1977): shortest, in the memory of one \
                      solution; meets a state as often as there are ways to it; without a solution it may never end",
        },
        AlgorithmFacts {
            algorithm: Algorithm::IdaStar,
            name: "ida-star",
            aliases: &["idastar", "ida*"],
            informed: true,
            summary: "iterative deepening A* (Korf 1985): shortest with an admissible heuristic, in the memory of one \
                      solution; meets a state as often as there are ways to it; without a solution it may never end",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Greedy,
            name: "greedy",
            aliases: &["greedy-best-first"],
            informed: true,
            summary: "greedy best-first search (Doran and Michie 1966): the state that looks nearest to a goal first; \
                      complete, fast, no claim on the length of the solution",
        },
        AlgorithmFacts {
            algorithm: Algorithm::WeightedAStar(Weight::DEFAULT),
            name: "weighted-a-star",
            aliases: &["weighted-astar", "wa*"],
            informed: true,
            summary: "weighted A* (Pohl 1970): A* by g + W h, W from `weight` or 2: with an admissible heuristic the \
                      solution costs at most W times the least; complete, expands far fewer states than A*",
        },
    ];

    /// What there is to say of it.
    #[must_use]
    pub fn facts(self) -> &'static AlgorithmFacts {
        let same = |other: &Algorithm| std::mem::discriminant(other) == std::mem::discriminant(&self);
        Algorithm::ALL.iter().find(|facts| same(&facts.algorithm)).expect("every algorithm is listed")
    }

    /// The name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether the first solution it finds is proven to be a shortest one, where moves cost 1.
    #[must_use]
    pub fn proves_shortest(self) -> bool {
        !matches!(self, Algorithm::Dfs | Algorithm::Greedy | Algorithm::WeightedAStar(_))
    }

    /// Whether the heuristic decides which state is taken next of all that are stored.
    fn is_guided(self) -> bool {
        matches!(self, Algorithm::AStar | Algorithm::Greedy | Algorithm::WeightedAStar(_))
    }

    /// Whether it can do with a closed list of bounded length.
    #[must_use]
    pub fn takes_closed_limit(self) -> bool {
        matches!(self, Algorithm::Dfs | Algorithm::Iddfs | Algorithm::IdaStar)
    }

    /// What its levels count, where it has levels that say something.
    fn level(self) -> Option<&'static str> {
        match self {
            Algorithm::Bfs | Algorithm::Bidirectional | Algorithm::Iddfs => Some("depth"),
            Algorithm::AStar | Algorithm::IdaStar => Some("f"),
            Algorithm::Dfs | Algorithm::Greedy | Algorithm::WeightedAStar(_) => None,
        }
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
        /// What no solution costs less than, with an admissible heuristic; the cost itself where it is proven to be
        /// the least.
        lower_bound: f64,
    },
    /// With proof that there is none.
    Unsolvable,
    /// At a limit.
    Limit {
        /// Which.
        limit: Limit,
        /// No solution costs less.
        lower_bound: f64,
        /// The best way to a goal so far, if there is one, and its cost.
        best: Option<(P, f64)>,
    },
}

impl<P> Found<P> {
    /// Converts the path.
    pub fn map<Q>(self, convert: impl FnOnce(P) -> Q) -> Found<Q> {
        let mut convert = Some(convert);
        self.map_once(&mut |path| convert.take().expect("there is one path")(path))
    }

    /// [`map`](Self::map), compiled once for each pair of types.
    fn map_once<Q>(self, convert: &mut dyn FnMut(P) -> Q) -> Found<Q> {
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
    /// Whether states were left out because the heuristic proves that no goal can be reached from them.
    pub pruned: bool,
}

impl Stats {
    /// What two searches took, one after the other; how deep the second came.
    #[must_use]
    pub fn and(&self, then: &Stats) -> Stats {
        Stats {
            expanded: self.expanded + then.expanded,
            generated: self.generated + then.generated,
            stored: self.stored.max(then.stored),
            depth: then.depth,
            memory: self.memory.max(then.memory),
            pruned: then.pruned,
        }
    }
}

/// Why an algorithm cannot search a graph, if it cannot.
pub fn objection<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, algorithm: Algorithm) -> Option<&'static str> {
    if matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar) && graph.facts().free_moves {
        Some("it remembers no states, and moves that cost nothing could lead it round for ever")
    } else if algorithm != Algorithm::Bidirectional {
        None
    } else if !is_layered(graph) {
        Some("it goes back from the goals, and here not every move can be taken back by a move of the same cost")
    } else if graph.goals(MOST_GOALS).is_none() {
        Some("it starts from all goals, and here they are too many to list")
    } else {
        None
    }
}

/// More goals are not listed.
const MOST_GOALS: usize = 1 << 21;

/// Searches a space for a way from one of its states to a goal. What A* proves it proves for an admissible heuristic.
/// An algorithm to which there is an [`objection`] gives way to breadth-first search.
pub fn search<S: Searched>(
    space: &S,
    start: &dyn Fn() -> S::State,
    algorithm: Algorithm,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let held = space.facts().table_bytes;
    let limits = &limits.beside(held);
    limits.begin(algorithm.name(), algorithm.level(), held);
    let mut found = match (algorithm, limits.closed) {
        (Algorithm::Dfs, Some(_)) => depth_first_search(Measure::Moves, space, start, limits),
        (Algorithm::Iddfs | Algorithm::IdaStar, Some(_)) => {
            depth_first_search(Measure::Costs { informed: algorithm == Algorithm::IdaStar }, space, start, limits)
        }
        (Algorithm::Iddfs, None) => iterative_deepening(space, false, start, limits),
        (Algorithm::IdaStar, None) => iterative_deepening(space, true, start, limits),
        _ => {
            let found = S::Key::search(&Whole(space), &space.pack(&start()), algorithm, limits);
            found.map(|ordinals| actions(space, start(), &ordinals))
        }
    };
    found.stats.memory += held;
    found
}

/// The moves of these numbers, one after the other.
pub fn actions<S: InPlace>(space: &S, mut state: S::State, ordinals: &[Ordinal]) -> Vec<S::Action> {
    let action = |&ordinal: &Ordinal| {
        let action = space.actions(&state).nth(ordinal as usize).expect("a legal move has this number");
        space.apply(&mut state, action);
        action
    };
    ordinals.iter().map(action).collect()
}

/// Searches a graph by an algorithm that stores states; iterative deepening gives way to breadth-first search.
pub fn search_graph<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    algorithm: Algorithm,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let name = algorithm.name();
    // Counts that are recorded for others are those of a search without symmetries.
    let quotient = if limits.record.is_none() || algorithm.is_guided() { graph.quotient() } else { None };
    let jumps = if algorithm.is_guided() { graph.jumps() } else { None };
    let graph = jumps.as_deref().or(quotient.as_deref()).unwrap_or(graph);
    let unit_cost = graph.facts().unit_cost;
    let order = match algorithm {
        Algorithm::AStar => Order::AStar,
        Algorithm::Greedy => Order::Greedy,
        Algorithm::WeightedAStar(weight) => Order::Weighted(weight),
        Algorithm::Dfs => {
            return match limits.depth {
                None => graph_search(graph, start, name, Stack::new(), limits),
                Some(depth) => graph_search(graph, start, name, BoundedStack::new(depth, unit_cost), limits),
            };
        }
        Algorithm::Bfs | Algorithm::Bidirectional | Algorithm::Iddfs | Algorithm::IdaStar => {
            if !is_layered(graph) {
                return graph_search(graph, start, name, Queue::new(limits.depth, unit_cost), limits);
            }
            let search =
                if algorithm == Algorithm::Bidirectional { bidirectional_search } else { breadth_first_search };
            let found = search(graph, start, limits);
            return found.map(|way| moves_along(graph, start.clone(), &way).0);
        }
    };
    if C::OWN_BUCKETS {
        graph_search(graph, start, name, Buckets::new(order, limits.depth), limits)
    } else {
        graph_search(graph, start, name, Exactly::new(order, limits.depth), limits)
    }
}
