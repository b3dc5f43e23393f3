//! Search algorithms over any state space, selected once by name.
//!
//! Algorithms that store states work on a [`Graph`](crate::space::Graph) and are compiled once for each kind of key.
//! Depth-first searches in place are compiled for each space. Only [`search`] maps a name to an algorithm. To add an
//! algorithm, add a file below `search/`, a variant of [`Algorithm`], an entry in [`Algorithm::ALL`] and an arm in the
//! match.

mod all_shortest;
mod beam;
mod best_first_width;
mod beyond_memory;
mod bidirectional;
mod breadth_first;
mod build_context;
#[cfg(feature = "cluster")]
mod cluster;
mod deepening;
mod depth_first;
mod disk;
mod ending;
mod estimate;
mod explore;
mod frontier;
mod gauge;
mod graph;
mod grid;
mod hosts;
mod key_set;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
mod layer_store;
mod layers;
mod limits;
mod memory;
mod node_table;
mod path_in_place;
mod place;
mod proof_log;
mod random;
mod request;
mod run;
mod stage;
mod stored;
mod thread_pool;
mod transposition_table;

pub use all_shortest::AllShortest;
pub use beam::BeamWidth;
pub use build_context::{BuildContext, Observer, Progress};
pub use disk::{DiskError, OnDisk};
pub use estimate::model::{Machines, Needs};
pub use estimate::{Basis, Budget, Estimate, Layer, Measured, Question, StateCount};
pub use explore::{Explored, Hardest, explore};
pub use gauge::{Gauge, Reading};
pub use graph::ahead::simulation::{Simulation, Spread};
pub use hosts::{Host, read_hosts};
pub use limits::{Limit, Limits, Stop};
pub use memory::resident;
pub use place::{Cluster, Place};
pub use proof_log::{CompletedStep, Counts, ProofLog, ProofPart};
pub use random::SplitMix64;
pub use request::{Answer, Request, Response, Task};
pub use run::run;
pub use stage::Stage;
pub use stored::{Searched, Searches, Stored};
pub use thread_pool::LazyPool;

use crate::space::{Cost, CostUnit, InPlace, Key, Ordinal, Weighted, moves_on_path};
use beam::beam_search;
use best_first_width::best_first_width_search;
use beyond_memory::search_beyond_memory;
use bidirectional::{bidirectional_search, bidirectional_search_by_cost, goals};
use breadth_first::{breadth_first_search, is_layered};
use deepening::iterative_deepening;
use depth_first::depth_first;
use frontier::{BoundedStack, Buckets, CalendarFrontier, Order, Queue, Stack};
use graph::graph_search;
use grid::grid_a_star;
use path_in_place::Measure;
use run::run_stored;
use std::time::Instant;

/// A search algorithm.
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
    /// Beam search.
    Beam(BeamWidth),
    /// Best-first width search.
    BestFirstWidth,
}

/// The factor by which weighted A* multiplies h: from 1 to 1,000, stored in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// The default weight.
    pub const DEFAULT: Weight = Weight(2000);

    /// Returns a weight, rounded down to thousandths; none outside 1 to 1,000.
    #[must_use]
    pub fn new(weight: f64) -> Option<Weight> {
        (1.0..=1000.0).contains(&weight).then_some(Weight((weight * 1000.0 + 1e-6) as u32))
    }

    /// Returns g + W h, rounded down.
    fn weighted(self, g: usize, h: usize) -> usize {
        g + (h * self.0 as usize) / 1000
    }

    /// Returns a lower bound on g + h, if g + W h, rounded down, is `f`.
    fn unweighted(self, f: usize) -> usize {
        (f * 1000).div_ceil(self.0 as usize)
    }

    /// Returns the weight in thousandths.
    fn permille(self) -> u32 {
        self.0
    }

    /// Returns the weight as people write it.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// Properties of an algorithm for its users and for the parser of its name.
pub struct AlgorithmFacts {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The name in files, command lines and output.
    pub name: &'static str,
    /// Other accepted spellings.
    pub aliases: &'static [&'static str],
    /// True if it uses the heuristic.
    pub informed: bool,
    /// Its method, guarantees and costs, with a citation.
    pub summary: &'static str,
}

impl Algorithm {
    /// Every algorithm, in the order of listings.
    pub const ALL: &[AlgorithmFacts] = &[
        AlgorithmFacts {
            algorithm: Algorithm::Bfs,
            name: "bfs",
            aliases: &["breadth-first"],
            informed: false,
            summary: "breadth-first search (Moore 1959): complete; shortest if all moves cost the same; time and \
                      memory grow with the number of states up to the depth of the solution",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Dfs,
            name: "dfs",
            aliases: &["depth-first"],
            informed: false,
            summary: "depth-first search (Trémaux, in Lucas 1882; Tarjan 1972): returns the first solution it finds, with no \
                      guarantee on its length; with a depth limit it searches everything within the limit, and proves \
                      its solution shortest if all moves cost the same",
        },
        AlgorithmFacts {
            algorithm: Algorithm::AStar,
            name: "a-star",
            aliases: &["astar", "a*"],
            informed: true,
            summary: "A* (Hart, Nilsson, Raphael 1968): complete; shortest with an admissible heuristic; expands every \
                      state with f below the optimum, and stores every generated state",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Bidirectional,
            name: "bidirectional",
            aliases: &["bidirectional-bfs"],
            informed: false,
            summary: "search from the start and from all goals, breadth-first or, if moves cost different amounts, by \
                      Dijkstra's algorithm, the smaller frontier first, until no shorter path can be missing (Pohl \
                      1971): complete, shortest; needs goals that can be enumerated, and moves of which each is \
                      undone by one of the same cost",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Iddfs,
            name: "iddfs",
            aliases: &["iterative-deepening"],
            informed: false,
            summary: "iterative deepening depth-first search (Slate and Atkin 1977): shortest; memory is linear in the \
                      depth; visits a state once for each path to it; without a solution it may not terminate",
        },
        AlgorithmFacts {
            algorithm: Algorithm::IdaStar,
            name: "ida-star",
            aliases: &["idastar", "ida*"],
            informed: true,
            summary: "iterative deepening A* (Korf 1985): shortest with an admissible heuristic; memory is linear in \
                      the depth; visits a state once for each path to it; without a solution it may not terminate",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Greedy,
            name: "greedy",
            aliases: &["greedy-best-first"],
            informed: true,
            summary: "greedy best-first search (Doran and Michie 1966): expands a state with the least h first; \
                      complete, fast, no guarantee on the length of the solution",
        },
        AlgorithmFacts {
            algorithm: Algorithm::WeightedAStar(Weight::DEFAULT),
            name: "weighted-a-star",
            aliases: &["weighted-astar", "wa*"],
            informed: true,
            summary: "weighted A* (Pohl 1970): A* with f = g + W h, where W is `weight` (default 2); with an \
                      admissible heuristic the solution costs at most W times the optimum; complete; usually expands \
                      far fewer states than A*",
        },
        AlgorithmFacts {
            algorithm: Algorithm::Beam(BeamWidth::DEFAULT),
            name: "beam",
            aliases: &["beam-search"],
            informed: true,
            summary: "beam search (Lowerre 1976): breadth-first search that keeps only the `width` states of each \
                      layer with the least g + h (default 1000); time and memory are linear in width and depth; no \
                      guarantee on the length, and it may miss every solution; if it never drops a state, it is \
                      complete, and shortest if moves cost 1",
        },
        AlgorithmFacts {
            algorithm: Algorithm::BestFirstWidth,
            name: "bfws",
            aliases: &["best-first-width"],
            informed: true,
            summary: "best-first width search (Lipovetzky and Geffner 2017): expands first a state with something new, \
                      such as two values that no state with the same h has had together, and among these \
                      one with the least h; complete, often finds a solution where every other algorithm needs too \
                      long, no guarantee on its length",
        },
    ];

    /// Returns the properties of the algorithm.
    #[must_use]
    pub fn facts(self) -> &'static AlgorithmFacts {
        let same = |other: &Algorithm| std::mem::discriminant(other) == std::mem::discriminant(&self);
        Algorithm::ALL.iter().find(|facts| same(&facts.algorithm)).expect("every algorithm is listed")
    }

    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns whether the first solution it finds is proven optimal if moves cost 1.
    #[must_use]
    pub fn proves_shortest(self) -> bool {
        self.level().is_some()
    }

    /// Returns whether it expands the stored states in an order that depends on the heuristic.
    fn is_guided(self) -> bool {
        matches!(
            self,
            Algorithm::AStar
                | Algorithm::Greedy
                | Algorithm::WeightedAStar(_)
                | Algorithm::Beam(_)
                | Algorithm::BestFirstWidth
        )
    }

    /// Returns whether it can use a transposition table (a closed list of bounded length).
    #[must_use]
    pub fn takes_closed_limit(self) -> bool {
        matches!(self, Algorithm::Dfs | Algorithm::Iddfs | Algorithm::IdaStar)
    }

    /// Returns the quantity that its levels count; none if its levels prove nothing.
    fn level(self) -> Option<&'static str> {
        match self {
            Algorithm::Bfs | Algorithm::Bidirectional | Algorithm::Iddfs => Some("depth"),
            Algorithm::AStar | Algorithm::IdaStar => Some("f"),
            Algorithm::Dfs
            | Algorithm::Greedy
            | Algorithm::WeightedAStar(_)
            | Algorithm::Beam(_)
            | Algorithm::BestFirstWidth => None,
        }
    }

    /// Returns the algorithm with this name or alias.
    #[must_use]
    pub fn named(name: &str) -> Option<Algorithm> {
        let name = name.to_ascii_lowercase();
        let known = Algorithm::ALL.iter().find(|facts| facts.name == name || facts.aliases.contains(&&*name));
        known.map(|facts| facts.algorithm)
    }
}

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
    /// The number of expanded states after which memory ended and [iterative deepening](Limits::deepens) went on, if
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

/// Returns the reason why an algorithm cannot search a graph, if there is one.
pub fn objection<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, algorithm: Algorithm) -> Option<&'static str> {
    if matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar) && graph.facts().free_cycles {
        Some("it stores no visited states, so moves of cost 0 could lead it into an endless cycle")
    } else if algorithm == Algorithm::BestFirstWidth && !graph.facts().has_features {
        Some("it looks for states with new features, and the positions of this kind of puzzle have none")
    } else if algorithm != Algorithm::Bidirectional {
        None
    } else if !graph.facts().reversible {
        Some("it searches backwards from the goals, and some move has no inverse")
    } else if !graph.facts().has_symmetric_costs() {
        Some("it searches backwards from the goals, and some move costs more or less than the one that undoes it")
    } else if graph.goals(MAX_GOALS).is_none() {
        Some("it starts from all goals, which are too many to enumerate")
    } else {
        None
    }
}

/// The maximum number of goals that are listed.
const MAX_GOALS: usize = 1 << 21;

/// Searches a space for a path from a state to a goal. Proofs of A* assume an admissible heuristic. Algorithms that
/// store states fall back to breadth-first search if they have an [`objection`]; iterative deepening does not, so with
/// cycles of free moves it may never end.
pub fn search<S: Searched>(
    space: &S,
    start: &dyn Fn() -> S::State,
    algorithm: Algorithm,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let held = space.facts().table_bytes;
    let limits = &limits.after_reserving(held);
    limits.begin(algorithm.name(), algorithm.level(), held);
    let mut found = match (algorithm, limits.closed) {
        (Algorithm::Dfs, Some(_)) => depth_first(Measure::Moves, space, start, limits),
        (Algorithm::Iddfs | Algorithm::IdaStar, Some(_)) => {
            depth_first(Measure::Costs { informed: algorithm == Algorithm::IdaStar }, space, start, limits)
        }
        (Algorithm::Iddfs, None) => iterative_deepening(space, false, start, limits),
        (Algorithm::IdaStar, None) => iterative_deepening(space, true, start, limits),
        _ => {
            let response = run_stored(space, start, &Request::in_memory(Task::Search(algorithm), limits));
            response.expect("only files and processes fail").answer.found()
        }
    };
    found.stats.memory += held;
    found
}

/// Converts the ordinals of consecutive moves to actions.
pub fn actions<S: InPlace>(space: &S, mut state: S::State, ordinals: &[Ordinal]) -> Vec<S::Action> {
    let action = |&ordinal: &Ordinal| {
        let action = space.nth_action(&state, ordinal as usize).expect("the ordinal is that of a legal move");
        space.apply(&mut state, action);
        action
    };
    ordinals.iter().map(action).collect()
}

/// Returns the cost of a path.
pub fn cost_of<S: InPlace>(space: &S, mut state: S::State, path: &[S::Action]) -> S::Cost {
    path.iter().fold(S::Cost::ZERO, |cost, &action| cost + space.apply(&mut state, action).0)
}

/// The greatest cost of a path that A* and its kin follow: sums with the cost of a move and with h do not overflow.
const MOST_COST: u32 = u32::INFINITY / 2;

/// Returns the greatest cost of a path within the limits.
fn most_cost(limits: &Limits) -> u32 {
    limits.depth.map_or(MOST_COST, |depth| depth.min(MOST_COST))
}

/// Searches a graph by an algorithm that stores states; iterative deepening falls back to breadth-first search.
fn search_graph<K: Key, C: Cost>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    algorithm: Algorithm,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let name = algorithm.name();
    // A depth limit asks what lies beyond it; checkers and simulations need the states one by one.
    let is_plain = limits.depth.is_none() && limits.proof_log.is_none() && limits.simulation.is_none();
    let grid = if algorithm == Algorithm::AStar && is_plain { graph.grid(start) } else { None };
    // Checkers recount the layers of uninformed searches, so these do without symmetry reduction.
    let quotient = if limits.proof_log.is_none() || algorithm.is_guided() { graph.quotient() } else { None };
    // Beam search relies on moves of cost 1, and a jump may have another cost.
    let jumps = algorithm.is_guided() && !(matches!(algorithm, Algorithm::Beam(_)) && graph.facts().unit_cost);
    let jump_graph = if jumps { graph.jump_graph() } else { None };
    let graph = jump_graph.as_deref().or(quotient.as_deref()).unwrap_or(graph);
    let facts = graph.facts();
    // Where moves are dear, a path may cost more than can be counted: it lies beyond a limit, too.
    let most = (limits.depth.is_some() || !facts.unit_cost).then(|| most_cost(limits));
    let by_cost = algorithm == Algorithm::Bidirectional
        && C::EXACT_BUCKETS
        && !is_layered(graph)
        && facts.reversible
        && facts.has_symmetric_costs();
    if by_cost && let Some(goals) = goals(graph) {
        // Checkers of recorded counts know no search by cost from the goals: the search from the start alone has the
        // same answer, and the heuristic of an uninformed algorithm is 0.
        if limits.proof_log.is_some() {
            return graph_search(graph, start, Algorithm::AStar.name(), Buckets::new(Order::AStar, most), limits);
        }
        return bidirectional_search_by_cost(graph, start, goals, limits);
    }
    let order = match algorithm {
        Algorithm::AStar => Order::AStar,
        Algorithm::Greedy => Order::Greedy,
        Algorithm::WeightedAStar(weight) => Order::Weighted(weight),
        Algorithm::Beam(width) => return beam_search(graph, start, width, limits),
        Algorithm::BestFirstWidth if facts.has_features => {
            return best_first_width_search(graph, start, name, limits);
        }
        Algorithm::Dfs => {
            return match limits.depth {
                None => graph_search(graph, start, name, Stack::new(), limits),
                Some(depth) => {
                    graph_search(graph, start, name, BoundedStack::new(depth, facts.has_equal_costs()), limits)
                }
            };
        }
        Algorithm::Bfs
        | Algorithm::Bidirectional
        | Algorithm::Iddfs
        | Algorithm::IdaStar
        | Algorithm::BestFirstWidth => {
            if !is_layered(graph) {
                return graph_search(graph, start, name, Queue::new(limits.depth, &facts), limits);
            }
            let search =
                if algorithm == Algorithm::Bidirectional { bidirectional_search } else { breadth_first_search };
            let found = search(graph, start, limits);
            return found.map(|path| moves_on_path(graph, start.clone(), &path).0);
        }
    };
    let begun = Instant::now();
    let found = match grid {
        Some(grid) => grid_a_star(grid, limits),
        None if C::EXACT_BUCKETS => graph_search(graph, start, name, Buckets::new(order, most), limits),
        None => graph_search(graph, start, name, CalendarFrontier::new(order, limits.depth), limits),
    };
    match found.verdict {
        // The counts of a proof log are those of one search.
        Verdict::Limit { limit: Limit::Memory, lower_bound, .. }
            if C::EXACT_BUCKETS && limits.deepens && algorithm == Algorithm::AStar && limits.proof_log.is_none() =>
        {
            let within = limits.remaining(&found.stats, begun.elapsed());
            search_beyond_memory(graph, start, lower_bound, &found.stats, &within).unwrap_or(found)
        }
        _ => found,
    }
}
