//! The parts of a rating, and the score that they make.

use super::RatingOptions;
use super::distinct::distinct;
use super::explored::{EQUAL, Explored, most};
use super::moved::{figures, moved, switches_and_pieces};
use super::optimal::{Optimal, OptimalState};
use super::player::{Games, Player, descend};
use crate::domain::{HeuristicFacts, Notation, Searchable};
use crate::puzzle::{Options, Outcome, Puzzle, Solution};
use crate::search::{Algorithm, Limit, Limits, Stats, Weight};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::mem::take;
use std::num::NonZero;
use std::time::Instant;

/// The most states that the search for a solution expands.
const SEARCH_NODES: u64 = 1_000_000;

/// The search for any solution, if the cheapest one takes too long.
const WEIGHTED: Algorithm = Algorithm::WeightedAStar(Weight::DEFAULT);

/// The most states that the search in another metric expands.
const METRIC_NODES: u64 = 100_000;

/// The positions of a sample, and the most states that are expanded to solve one.
const SAMPLE: usize = 50;
const SAMPLE_NODES: u64 = 20_000;

/// The moves after which a game ends without a goal.
const MOST_STEPS: usize = 20_000;

/// The same for a random player.
const MOST_RANDOM_STEPS: usize = 5_000;

/// The number of games of each player.
const GAMES: usize = 16;

/// The parts of a rating. A part is `None` if it cannot be measured on the puzzle.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Parts {
    /// The heuristic that players see, if the domain has one for the puzzle.
    pub heuristic: Option<&'static str>,
    /// True if the space has too many states to be explored whole.
    pub sampled: bool,
    /// The number of states, if all were explored.
    pub states: Option<usize>,
    /// The least cost in each other metric of the domain, if a short search proves it.
    pub optima: BTreeMap<&'static str, f64>,
    /// The least cost that is known, minus the value of an admissible heuristic at the start.
    pub detour: Option<f64>,
    /// The decimal logarithm of the moves that a learning player takes to a goal, and its standard error.
    pub walk: Option<f64>,
    /// The standard error of `walk`.
    pub walk_error: Option<f64>,
    /// The moves of the solution that raise the heuristic value.
    pub raises: Option<usize>,
    /// How often the solution turns to another piece.
    pub switches: Option<usize>,
    /// The pieces that the solution moves.
    pub pieces: Option<usize>,
    /// The share of the states that are dead ends; of a sample, of the positions that players met and a search decided.
    pub dead_share: Option<f64>,
    /// The standard error of `dead_share`, if it is of a sample.
    pub dead_share_error: Option<f64>,
    /// The share of the moves to a dead end among all moves from states that are none.
    pub fatal_share: Option<f64>,
    /// The same among the states on cheapest solutions.
    pub traps: Option<f64>,
    /// The bits of luck to make none of these.
    pub trap_bits: Option<f64>,
    /// The share of the states on cheapest solutions with a move to a dead end that the heuristic does not see.
    pub hidden_traps: Option<f64>,
    /// The most moves after such a one until the heuristic sees it.
    pub trap_depth: Option<usize>,
    /// The number of cheapest solutions.
    pub solutions: Option<f64>,
    /// The same up to the order of moves and symmetry, if there are at most a thousand.
    pub distinct_solutions: Option<usize>,
    /// The bits of choice between them for each stretch of moves with one piece: many where parts of the puzzle do not
    /// depend on each other.
    pub freedom: Option<f64>,
    /// The bits of luck that random play needs to be a cheapest solution.
    pub luck: Option<f64>,
    /// The mean number of moves on cheapest solutions.
    pub branching: Option<f64>,
    /// The states that all cheapest solutions pass.
    pub bottlenecks: Option<usize>,
    /// The decimal logarithm of the moves that a random player takes to a goal.
    pub random_walk: Option<f64>,
    /// The heuristic value at which a player ends who only descends.
    pub greedy: Option<f64>,
    /// The decimal logarithm of the states that the default search expands.
    pub effort: Option<f64>,
}

/// The measurements of a puzzle.
pub(super) struct Measured {
    pub outcome: Outcome,
    /// The proven least cost.
    pub cost: Option<f64>,
    pub parts: Parts,
    /// The limit that cut measurements short.
    pub limit: Option<Limit>,
}

impl Parts {
    /// Returns the score: log2(1 + detour) + walk + log2(1 + switches) + hidden traps - freedom, of which at most the walk
    /// counts. If the puzzle has no heuristic, the effort.
    ///
    /// Each part counts once, so nothing is fitted to people. A part that was not measured counts nothing.
    pub(super) fn score(&self) -> Option<f64> {
        if self.heuristic.is_none() {
            return self.effort;
        }
        let (detour, walk) = (self.detour?, self.walk?);
        let bits = |number: f64| (1.0 + number.max(0.0)).log2();
        let switches = self.switches.map_or(0.0, |switches| bits(switches as f64));
        // A choice of ways makes wandering shorter, but cannot make up for more than all of it.
        let freedom = self.freedom.map_or(0.0, |freedom| freedom.min(walk));
        Some(bits(detour) + walk + switches + self.hidden_traps.unwrap_or(0.0) - freedom)
    }

    /// Measures a puzzle. Each step may take two thirds of the time that is left, so that a large puzzle has a score, too.
    pub(super) fn measured(puzzle: &Puzzle, options: &RatingOptions) -> Result<Measured, Limit> {
        let started = Instant::now();
        let left = || options.limits.remaining(&Stats::default(), started.elapsed());
        let (solution, expanded) = solved(puzzle, &left)?;
        let (space, guide) = puzzle.space_of_players(&left())?;
        let mut explored = Explored::new(&*space, options.most_states, &left())?;
        let (outcome, cost) = outcome(&explored, solution.as_ref());
        let effort = solution.as_ref().map(|_| (1.0 + expanded as f64).log10());
        let parts = Parts { sampled: explored.costs.is_none(), effort, ..Parts::default() };
        let limit = explored.is_cut.then_some(Limit::Time);
        let mut measured = Measured { outcome, cost, parts, limit };
        if outcome != Outcome::Solved {
            return Ok(measured);
        }
        let parts = &mut measured.parts;
        let found = cost.or_else(|| solution.as_ref()?.cost());
        if let Ok(Ok(h)) = puzzle.h_after(&[], puzzle.guide(None).unwrap_or(HeuristicFacts::ZERO.name), &left()) {
            let h = if guide.admissible { h.max(explored.states.h(0)) } else { h };
            parts.detour = found.map(|cost| cost - h);
        }
        parts.heuristic = Some(guide.name).filter(|&name| name != HeuristicFacts::ZERO.name);
        if let Some(solution) = &solution {
            parts.along(&*space, &solution.moves());
        }
        parts.of_whole(&mut explored, &*space);
        let patience = 5 * (found.unwrap_or(MOST_STEPS as f64) as usize).saturating_add(10);
        let games = Games { count: GAMES, patience, most_steps: MOST_STEPS };
        let mut before: FxHashMap<u32, u32> = FxHashMap::default();
        explored.stop = most(&left()).stop();
        let walks = games.play(Player::Learning, &mut explored, options.seed, |from, to| {
            before.entry(to).or_insert(from);
        })?;
        (parts.walk, parts.walk_error) = (Some(walks.log_steps), Some(walks.error));
        measured.limit = measured.limit.or(walks.is_cut.then_some(Limit::Time));
        // The score is known: what the time ends now is only left out.
        explored.stop = left().stop();
        let games = Games { most_steps: MOST_RANDOM_STEPS, ..games };
        match parts.beside_score(puzzle, &mut explored, games, options.seed, &before, &left) {
            Err(Limit::Time) => measured.limit = Some(Limit::Time),
            ended => ended?,
        }
        Ok(measured)
    }

    /// Measures the parts that the score does not need, and that may take long.
    fn beside_score(
        &mut self,
        puzzle: &Puzzle,
        explored: &mut Explored,
        games: Games,
        seed: u64,
        before: &FxHashMap<u32, u32>,
        left: &dyn Fn() -> Limits,
    ) -> Result<(), Limit> {
        self.greedy = self.heuristic.map(|_| descend(explored, MOST_STEPS));
        for metric in puzzle.domain().metrics.iter().filter(|metric| Some(metric.name) != puzzle.metric()) {
            let Some(other) = puzzle.in_metric(metric.name, &left()) else { continue };
            let solution = searched(&other, Vec::new(), METRIC_NODES, &left())?;
            let proven = solution.filter(|solution| solution.is_optimal()).and_then(|solution| solution.cost());
            self.optima.extend(proven.map(|cost| (metric.name, cost)));
        }
        if self.sampled {
            self.of_sample(explored, puzzle, before, &left())?;
        }
        let random = games.play(Player::Random, explored, seed, |_, _| {})?;
        if random.is_cut {
            return Err(Limit::Time);
        }
        self.random_walk = Some(random.log_steps);
        Ok(())
    }

    /// Measures the parts that need a solution.
    fn along(&mut self, space: &dyn Searchable, moves: &[String]) {
        let (mut before, mut h, mut here) = (figures(space), space.h(), space.here());
        let (mut raises, mut changes) = (0, Vec::new());
        for name in moves {
            let Some(next) = here.after(name, &[Notation::STANDARD]) else { return };
            let (after, new) = (figures(&*next), next.h());
            raises += usize::from(new > h);
            changes.push(moved(&before, &after));
            (before, h, here) = (after, new, next);
        }
        let (switches, pieces) = switches_and_pieces(&changes);
        (self.raises, self.switches, self.pieces) = (Some(raises), Some(switches), Some(pieces));
    }

    /// Measures the share of dead ends among positions that players met, of which `before` has the state before each:
    /// evenly spread ones are solved, each within a bound.
    fn of_sample(
        &mut self,
        explored: &mut Explored,
        puzzle: &Puzzle,
        before: &FxHashMap<u32, u32>,
        limits: &Limits,
    ) -> Result<(), Limit> {
        let started = Instant::now();
        let mut met: Vec<u32> = before.keys().copied().filter(|&state| state != 0).collect();
        met.sort_unstable();
        let (mut dead, mut known) = (0.0, 0.0);
        for &state in met.iter().step_by(met.len().div_ceil(SAMPLE).max(1)) {
            let mut path = vec![state];
            while let Some(&from) = path.last().filter(|&&last| last != 0).and_then(|last| before.get(last)) {
                path.push(from);
            }
            path.reverse();
            let mut after = Vec::new();
            for pair in path.windows(2) {
                let Some(steps) = explored.states.step(pair[0], pair[1]) else { return Ok(()) };
                after.extend(steps.into_iter().map(|(name, _)| name));
            }
            let left = limits.remaining(&Stats::default(), started.elapsed());
            if let Some(solution) = searched(puzzle, after, SAMPLE_NODES, &left)? {
                let outcome = solution.outcome();
                known += f64::from(u8::from(outcome != Outcome::Limit));
                dead += f64::from(u8::from(outcome == Outcome::Unsolvable));
            }
        }
        if known > 0.0 {
            let share: f64 = dead / known;
            self.dead_share = Some(share);
            self.dead_share_error = Some((share * (1.0 - share) / known).sqrt());
        }
        Ok(())
    }

    /// Measures the parts that need the whole space.
    fn of_whole(&mut self, explored: &mut Explored, space: &dyn Searchable) {
        let Some(costs) = explored.costs.take() else { return };
        let dead = costs.iter().filter(|cost| cost.is_infinite()).count();
        self.states = Some(costs.len());
        self.dead_share = Some(dead as f64 / costs.len() as f64);
        let (mut fatal, mut moves) = (0_usize, 0_usize);
        let mut hidden: Vec<u32> = Vec::new();
        let mut seen = vec![false; costs.len()];
        for state in (0..costs.len() as u32).filter(|&state| costs[state as usize].is_finite()) {
            moves += explored.states.successors(state).len();
            fatal +=
                explored.states.successors(state).iter().filter(|(to, _)| costs[*to as usize].is_infinite()).count();
            if dead > 0 {
                explored.hidden(state, &costs, &mut seen, &mut hidden);
            }
        }
        self.fatal_share = Some(fatal as f64 / moves.max(1) as f64);
        let mut depth = 0;
        while !hidden.is_empty() {
            depth += 1;
            for state in take(&mut hidden) {
                explored.hidden(state, &costs, &mut seen, &mut hidden);
            }
        }
        self.trap_depth = Some(depth);
        explored.costs = Some(costs);
        let Some(optimal) = Optimal::of(explored) else { return };
        self.solutions = Some(optimal.solutions);
        self.freedom = self.switches.map(|switches| optimal.solutions.log2() / (1.0 + switches as f64));
        self.distinct_solutions = distinct(explored, &optimal, space);
        self.luck = Some(-optimal.chance.log2());
        self.bottlenecks = Some(optimal.bottlenecks);
        let sum = |of: &dyn Fn(&OptimalState) -> f64| -> f64 {
            optimal.states.iter().filter(|one| !one.next.is_empty()).map(|one| of(one) * one.share).sum()
        };
        let all = sum(&|_| 1.0).max(EQUAL);
        self.branching = Some(sum(&|one| one.moves as f64) / all);
        self.traps = Some(sum(&|one| one.fatal as f64 / one.moves as f64) / all);
        self.trap_bits = Some(sum(&|one| (one.moves as f64 / (one.moves - one.fatal) as f64).log2()));
        self.hidden_traps = Some(sum(&|one| f64::from(u8::from(one.hidden > 0))) / all);
    }
}

/// Searches for a cheapest solution, and, if that takes too long, for one that may cost more. Returns what was found with the
/// number of states expanded; `None` if no search suits the puzzle.
fn solved(puzzle: &Puzzle, left: &dyn Fn() -> Limits) -> Result<(Option<Solution>, u64), Limit> {
    let Some(cheapest) = tried(puzzle, Options::default(), SEARCH_NODES, &most(&left()))? else { return Ok((None, 0)) };
    let expanded = cheapest.stats().expanded;
    if cheapest.limit().is_none() {
        return Ok((Some(cheapest), expanded));
    }
    let weighted = Options { algorithm: Some(WEIGHTED), ..Options::default() };
    let Some(any) = tried(puzzle, weighted, SEARCH_NODES, &most(&left()))? else {
        return Ok((Some(cheapest), expanded));
    };
    let expanded = expanded + any.stats().expanded;
    match (any.outcome(), cheapest.limit(), any.limit()) {
        (Outcome::Solved, ..) => Ok((Some(any), expanded)),
        (_, Some(Limit::Time), _) | (.., Some(Limit::Time)) => Err(Limit::Time),
        _ => Ok((Some(cheapest), expanded)),
    }
}

/// Searches for a cheapest solution after some moves; `None` if the default search cannot find one.
fn searched(puzzle: &Puzzle, after: Vec<String>, nodes: u64, limits: &Limits) -> Result<Option<Solution>, Limit> {
    let solution = tried(puzzle, Options { after, ..Options::default() }, nodes, limits)?;
    match solution.as_ref().and_then(Solution::limit) {
        Some(Limit::Time) => Err(Limit::Time),
        _ => Ok(solution),
    }
}

/// Searches by these options within a number of states; a limit of time is one of the answers.
fn tried(puzzle: &Puzzle, options: Options, nodes: u64, limits: &Limits) -> Result<Option<Solution>, Limit> {
    let nodes = limits.nodes.map_or(nodes, |most| most.min(nodes));
    let limits = Limits { nodes: Some(nodes), threads: Some(NonZero::<usize>::MIN), ..limits.clone() };
    let Ok(solution) = puzzle.solve(&Options { limits, ignores_file: true, ..options }) else { return Ok(None) };
    match solution.limit() {
        Some(limit @ (Limit::Interrupt | Limit::Memory)) => Err(limit),
        _ => Ok(Some(solution)),
    }
}

/// Returns the outcome and the least cost, by the whole space or by a solution.
fn outcome(explored: &Explored, solution: Option<&Solution>) -> (Outcome, Option<f64>) {
    match &explored.costs {
        Some(costs) if costs[0].is_infinite() => (Outcome::Unsolvable, None),
        Some(costs) => (Outcome::Solved, Some(costs[0])),
        None => match solution {
            Some(solution) => (solution.outcome(), solution.cost().filter(|_| solution.is_optimal())),
            None => (Outcome::Limit, None),
        },
    }
}
