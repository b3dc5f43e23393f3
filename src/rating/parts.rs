//! The parts of a rating, and the score that they make.

use super::RatingOptions;
use super::explored::{EQUAL, Explored};
use super::optimal::Optimal;
use super::player::Player;
use crate::domain::HeuristicFacts;
use crate::puzzle::{Options, Outcome, Puzzle};
use crate::search::{Limit, Limits, Stats};
use serde::Serialize;
use std::num::NonZero;
use std::time::Instant;

/// The most states that the search for a solution expands.
const SEARCH_NODES: u64 = 1_000_000;

/// The parts of a rating. A part is `None` if it cannot be measured on the puzzle.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Parts {
    /// The heuristic that guides the players; none if the domain has none for the puzzle.
    pub heuristic: Option<&'static str>,
    /// True if the space has too many states, so that parts are measured on samples.
    pub sampled: bool,
    /// The number of states, if all were explored.
    pub states: Option<usize>,
    /// The least cost, minus the heuristic value at the start.
    pub detour: Option<f64>,
    pub h: Option<f64>,
    /// The decimal logarithm of the moves of a player who mostly follows the heuristic, and its standard error.
    pub walk: Option<f64>,
    pub walk_error: Option<f64>,
    pub walks: Vec<f64>,
    /// The moves of the solution that raise the heuristic value.
    pub raises: Option<usize>,
    /// How often the solution turns to another piece.
    pub switches: Option<usize>,
    /// The pieces that the solution moves.
    pub pieces: Option<usize>,
    /// The share of the states that are dead ends.
    pub dead_share: Option<f64>,
    /// The share of the moves from states that are not that lead to one.
    pub fatal_share: Option<f64>,
    /// The same among the states on cheapest solutions.
    pub traps: Option<f64>,
    /// The most moves after which a lost game still looks alive to the heuristic.
    pub trap_depth: Option<usize>,
    /// The number of cheapest solutions.
    pub solutions: Option<f64>,
    /// The bits of luck that random play needs to be optimal.
    pub luck: Option<f64>,
    /// The mean number of moves on cheapest solutions.
    pub branching: Option<f64>,
    /// The states that all cheapest solutions pass.
    pub bottlenecks: Option<usize>,
    /// The decimal logarithm of the moves of a random player.
    pub random_walk: Option<f64>,
    /// The heuristic value at which a player who only descends ends.
    pub greedy: Option<f64>,
    /// The decimal logarithm of the states that the default search expands.
    pub effort: Option<f64>,
    pub length: Option<usize>,
    pub live: Option<usize>,
}

impl Parts {
    /// Returns the score: log2(1 + detour) + walk + dead share; without a heuristic, the effort.
    pub(super) fn score(&self) -> Option<f64> {
        match (self.detour, self.walk) {
            (Some(detour), Some(walk)) => {
                Some((1.0 + detour.max(0.0)).log2() + walk + self.fatal_share.unwrap_or(0.0))
            }
            _ => self.effort,
        }
    }
}

/// Measures the parts of a puzzle; returns them with the outcome and the least cost.
pub(super) fn measured(
    puzzle: &Puzzle,
    options: &RatingOptions,
) -> Result<(Outcome, Option<f64>, Parts), Limit> {
    let started = Instant::now();
    let left = || options.limits.remaining(&Stats::default(), started.elapsed());
    let (space, guide) = puzzle.space_of_players(&left())?;
    let mut explored = Explored::new(&*space, options.most_states, &left())?;
    let threads = Some(NonZero::<usize>::MIN);
    let limits = Limits { nodes: Some(SEARCH_NODES), threads, ..left() };
    let solution = puzzle.solve(&Options { limits, ignores_file: true, ..Options::default() });
    let solution = solution.ok();
    if let Some(limit @ (Limit::Time | Limit::Interrupt | Limit::Memory)) = solution.as_ref().and_then(|one| one.limit()) {
        return Err(limit);
    }
    let found = solution.as_ref().filter(|solution| solution.is_optimal()).and_then(|solution| solution.cost());
    let (outcome, cost) = match (&explored.costs, found) {
        (Some(costs), _) if costs[0].is_infinite() => (Outcome::Unsolvable, None),
        (Some(costs), _) => (Outcome::Solved, Some(costs[0])),
        (None, Some(cost)) => (Outcome::Solved, Some(cost)),
        (None, None) => (solution.as_ref().map_or(Outcome::Limit, |solution| solution.outcome()), None),
    };
    let mut parts = Parts { sampled: explored.costs.is_none(), ..Parts::default() };
    parts.effort = solution.as_ref().map(|solution| (1.0 + solution.stats().expanded as f64).log10());
    parts.length = solution.as_ref().map(|solution| solution.moves().len());
    if outcome != Outcome::Solved {
        return Ok((outcome, cost, parts));
    }
    if guide.name != HeuristicFacts::ZERO.name {
        parts.heuristic = Some(guide.name);
        parts.h = Some(explored.states.h(0));
        parts.detour = cost.map(|cost| cost - explored.states.h(0));
        let cost = cost.unwrap_or(100.0) as usize;
        for strays_in in [3, 5, 10] {
            for patience in [5 * (cost + 10), 1000000] {
                let player = Player { strays_in, patience, most_steps: 20_000, games: 24 };
                let walks = player.play(&mut explored, options.seed, |_| {})?;
                parts.walks.push(walks.log_steps);
                (parts.walk, parts.walk_error) = (Some(walks.log_steps), Some(walks.error));
            }
        }
    }
    let player = Player { strays_in: 1, patience: usize::MAX, most_steps: 20_000, games: 12 };
    let random = player.play(&mut explored, options.seed, |_| {})?;
    parts.random_walk = Some(random.log_steps);
    whole(&mut explored, &mut parts);
    Ok((outcome, cost, parts))
}

/// Measures the parts that need the whole space.
fn whole(explored: &mut Explored, parts: &mut Parts) {
    let Some(costs) = explored.costs.clone() else { return };
    let dead = costs.iter().filter(|cost| cost.is_infinite()).count();
    parts.states = Some(costs.len());
    parts.live = Some(costs.len() - dead);
    parts.dead_share = Some(dead as f64 / costs.len() as f64);
    let (mut fatal, mut moves) = (0, 0);
    let mut hidden: Vec<u32> = Vec::new();
    let mut seen = vec![false; costs.len()];
    for state in (0..costs.len()).filter(|&state| costs[state].is_finite()) {
        let edges = explored.states.successors(state as u32).to_vec();
        moves += edges.len();
        for (to, _) in edges {
            if costs[to as usize].is_infinite() {
                fatal += 1;
                if explored.states.h(to).is_finite() && !std::mem::replace(&mut seen[to as usize], true) {
                    hidden.push(to);
                }
            }
        }
    }
    parts.fatal_share = Some(f64::from(fatal) / (moves.max(1) as f64));
    let mut depth = 0;
    while !hidden.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in hidden {
            for (to, _) in explored.states.successors(state).to_vec() {
                if explored.states.h(to).is_finite() && !std::mem::replace(&mut seen[to as usize], true) {
                    next.push(to);
                }
            }
        }
        hidden = next;
    }
    parts.trap_depth = Some(depth);
    let Some(optimal) = Optimal::of(explored) else { return };
    parts.solutions = Some(optimal.solutions);
    parts.luck = Some(-optimal.chance.log2());
    parts.bottlenecks = Some(optimal.bottlenecks);
    let inner: f64 = optimal.states.iter().filter(|state| !state.next.is_empty()).map(|state| state.share).sum();
    let mean = |of: fn(&super::optimal::OptimalState) -> f64| {
        let sum: f64 = optimal.states.iter().filter(|state| !state.next.is_empty()).map(|one| of(one) * one.share).sum();
        Some(sum / inner.max(EQUAL))
    };
    parts.branching = mean(|state| state.moves as f64);
    parts.traps = mean(|state| state.fatal as f64 / state.moves.max(1) as f64);
}
