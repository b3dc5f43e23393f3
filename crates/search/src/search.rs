//! Search algorithms over any state space, selected once by name.
//!
//! Algorithms that store states work on a [`Graph`](crate::space::Graph) and are compiled once for each kind of key.
//! Depth-first searches in place are compiled for each space. An algorithm is a file below `search/` with its
//! [facts](AlgorithmFacts) and its function, a variant of [`Algorithm`], and here an entry in [`Algorithm::ALL`] and an
//! arm in the one `match`.

mod algorithm;
mod all_shortest;
mod beam;
mod best_first;
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
mod found;
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
mod named;
mod node_table;
mod novelty;
mod path_in_place;
mod place;
mod proof_log;
mod random;
mod request;
mod run;
mod stage;
mod stored;
mod survey;
mod thread_pool;
mod trace;
mod transposition_table;

pub use algorithm::{AlgorithmFacts, BeamWidth, Guarantee, Need, Weight, objection};
pub use all_shortest::AllShortest;
pub use build_context::{BuildContext, Observer, Progress};
pub use disk::{DiskError, OnDisk};
pub use estimate::{Basis, Estimate, Machines, Needs, Question, Sizes, StateCount};
pub use explore::{Explored, Hardest, explore};
pub use found::{Found, Stats, Verdict};
pub use gauge::{Gauge, Reading};
pub use hosts::{Host, read_hosts};
pub use limits::{Limit, Limits, Stop};
pub use memory::resident;
pub use named::{HeuristicFacts, Named};
pub use place::{Cluster, Place};
pub use proof_log::{CompletedStep, Counts, ProofLog, ProofPart};
pub use random::SplitMix64;
pub use request::{Answer, Request, Response, Work};
pub use run::run;
pub use stage::Stage;
pub use stored::{Searched, Searches, Stored};
pub use survey::{Drop, EQUAL, States, Survey, overestimates};
pub use thread_pool::LazyPool;
pub use trace::{PruneReason, Side, StepKind, Trace, TraceEvent, TraceStep, TracedKey, TracedState, Tracer};

use crate::space::{Cost, InPlace, Key, Ordinal, Weighted};
use beam::beam_search;
use best_first::{a_star, best_first_search};
use best_first_width::best_first_width_search;
use bidirectional::bidirectional_search;
use breadth_first::breadth_first_search;
use deepening::iterative_deepening;
use depth_first::{depth_first, depth_first_with_stack};
use frontier::Order;
use path_in_place::Measure;
use run::run_stored;

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

impl Algorithm {
    /// The facts of every algorithm, in the order of listings.
    pub const ALL: &[&AlgorithmFacts] = &[
        &breadth_first::FACTS,
        &depth_first::FACTS,
        &best_first::A_STAR,
        &bidirectional::FACTS,
        &deepening::IDDFS,
        &deepening::IDA_STAR,
        &best_first::GREEDY,
        &best_first::WEIGHTED_A_STAR,
        &beam::FACTS,
        &best_first_width::FACTS,
    ];
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
    limits.begin(algorithm.name(), algorithm.facts().level(), held);
    let mut found = match (algorithm.facts().in_place, limits.closed) {
        (Some(measure), Some(_)) => depth_first(measure, space, start, limits),
        (Some(Measure::Costs { informed }), None) => iterative_deepening(space, informed, start, limits),
        _ => {
            let response = run_stored(space, start, &Request::in_memory(Work::Search(algorithm), limits));
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
    whole: &dyn Weighted<K, C>,
    start: &K,
    algorithm: Algorithm,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let reduced = reduced(whole, algorithm.facts(), limits);
    let graph = reduced.as_deref().unwrap_or(whole);
    let name = algorithm.name();
    match algorithm {
        Algorithm::AStar => a_star(whole, graph, start, limits),
        Algorithm::Greedy => best_first_search(graph, start, name, Order::Greedy, limits),
        Algorithm::WeightedAStar(weight) => best_first_search(graph, start, name, Order::Weighted(weight), limits),
        Algorithm::Beam(width) => beam_search(graph, start, width, limits),
        Algorithm::BestFirstWidth => best_first_width_search(graph, start, limits),
        Algorithm::Dfs => depth_first_with_stack(graph, start, limits),
        Algorithm::Bidirectional => bidirectional_search(graph, start, limits),
        Algorithm::Bfs | Algorithm::Iddfs | Algorithm::IdaStar => breadth_first_search(graph, start, name, limits),
    }
}

/// Returns the graph of fewer states in which an algorithm searches a graph, if there is one.
fn reduced<'a, K: Key, C: Cost>(
    graph: &'a dyn Weighted<K, C>,
    algorithm: &AlgorithmFacts,
    limits: &Limits,
) -> Option<Box<dyn Weighted<K, C> + 'a>> {
    let is_guided = algorithm.is_guided();
    let takes_jumps = is_guided && !(algorithm.needs_unit_moves && graph.facts().unit_cost);
    let jump_graph = if takes_jumps { graph.jump_graph() } else { None };
    // Checkers recount the layers of uninformed searches, so these do without symmetry reduction.
    jump_graph.or_else(|| if limits.proof_log.is_none() || is_guided { graph.quotient() } else { None })
}
