//! Compares a candidate with what is wanted: what is cheap to know comes first, and a candidate without hope ends there.

use super::level::Level;
use crate::domain::{HeuristicFacts, LeastCost};
use crate::puzzle::{Band, Options, Outcome, Puzzle, Template};
use crate::rating::RatingOptions;
use crate::search::{Limit, Limits};

/// The most states that the search of a candidate expands, unless the template has another number.
const MOST_STATES: u64 = 100_000;

/// The states of a first search without a heuristic: an easy candidate is solved before tables are built.
const FEW_STATES: u64 = 3_000;

/// Solutions are counted up to this number, unless more are wanted: a greater one only says how far a candidate is from a
/// smaller one that is wanted.
const MOST_SOLUTIONS: u64 = 10_000;

/// Returns up to which number the solutions of a candidate with this cost are to be counted; `None` if their number does
/// not matter.
pub(super) fn most_solutions(wants: &Template, cost: f64) -> Option<u64> {
    let band = solutions_of(wants).filter(|_| wants.cost.is_none_or(|band| band.distance(cost) == 0.0))?;
    Some(MOST_SOLUTIONS.max((band.most as u64).saturating_add(1)))
}

/// Returns how many solutions are wanted.
fn solutions_of(wants: &Template) -> Option<Band> {
    wants.unique.then_some(Band { least: 1.0, most: 1.0 }).or(wants.solutions)
}

/// Returns the limits of one search.
pub(super) fn limits_of(wants: &Template, limits: &Limits) -> Limits {
    Limits { nodes: limits.nodes.or(wants.states).or(Some(MOST_STATES)), ..limits.clone() }
}

/// Returns how a candidate compares with what is wanted; `None` if it has another outcome than wanted, or none that is
/// known within the states. `known` is its least cost if it was found without reading the puzzle, which `puzzle` returns.
/// `board` returns its board.
///
/// What counts most is the cost, then the number of solutions, then the difficulty: a candidate that lacks the
/// first has a greater gap than one that lacks the second.
pub(super) fn judge<'p>(
    wants: &Template,
    known: Option<LeastCost>,
    puzzle: impl Fn() -> Option<&'p Puzzle>,
    board: impl FnOnce() -> String,
    limits: &Limits,
) -> Result<Option<Level>, Limit> {
    let options = Options { limits: limits_of(wants, limits), ignores_file: true, ..Options::default() };
    let known = match known {
        Some(known) => Some(known),
        None => puzzle().map_or(Ok(None), |puzzle| least_cost(puzzle, wants, &options))?,
    };
    let Some(known) = known.filter(|known| known.cost.is_none() == wants.unsolvable && known.cost != Some(0.0)) else {
        return Ok(None);
    };
    let LeastCost { cost, solutions, expanded, generated } = known;
    let branching = generated as f64 / expanded.max(1) as f64;
    let (board, lacks) = (board(), String::new());
    let mut level = Level { board, whole: None, cost, rating: None, branching, dead: 0.0, gap: 0.0, lacks };
    if let (Some(band), Some(cost)) = (wants.cost, cost) {
        let away = band.distance(cost);
        if away > 0.0 {
            level.gap = 2.0 + away / (away + band.most.max(1.0));
            level.lacks = format!("its least cost is {cost}, not from {} to {}", band.least, band.most);
            return Ok(Some(level));
        }
    }
    if let (Some(band), Some(cost)) = (solutions_of(wants), cost) {
        let most = most_solutions(wants, cost).map(u128::from);
        let more = |count: u128| if Some(count) == most { "or more " } else { "" };
        let lacking = |count: u128| format!("it has {count} {}solutions of the least cost", more(count));
        let (count, lacks) = match solutions.map(u128::from) {
            Some(count) => (count, lacking(count)),
            None => {
                let Some(puzzle) = puzzle() else { return Ok(None) };
                match puzzle.solve(&Options { all_shortest: Some(0), ..options }) {
                    Ok(solution) => match solution.solutions() {
                        Some(count) => (count, lacking(count)),
                        None => (u128::MAX, "it has too many states to count its solutions".to_owned()),
                    },
                    Err(error) => (u128::MAX, format!("its solutions cannot be counted: {error}")),
                }
            }
        };
        let away = band.distance(count as f64);
        if away > 0.0 {
            level.gap = 1.0 + (1.0 + away).log2() / 130.0;
            level.lacks = lacks;
            return Ok(Some(level));
        }
    }
    if let Some(band) = wants.rating.as_ref().map(|band| *band.get_ref()) {
        let Some(puzzle) = puzzle() else { return Ok(None) };
        rate(&mut level, puzzle, limits)?;
        let away = level.rating.map_or(f64::INFINITY, |rating| band.distance(rating));
        if away > 0.0 {
            level.gap = if away.is_finite() { away / (away + band.most.max(1.0)) } else { 1.0 };
            let rating = level.rating.map_or("unknown".to_owned(), |rating| format!("{rating:.2}"));
            level.lacks = format!("its rating is {rating}, not from {} to {}", band.least, band.most);
        }
    }
    Ok(Some(level))
}

/// Solves a candidate; `None` if it has another outcome than wanted, or none that is proven within the states.
fn least_cost(puzzle: &Puzzle, wants: &Template, options: &Options) -> Result<Option<LeastCost>, Limit> {
    let few = options.limits.nodes.map(|nodes| nodes.min(FEW_STATES));
    let quick = Options {
        heuristic: Some(HeuristicFacts::ZERO.name.to_owned()),
        limits: Limits { nodes: few, ..options.limits.clone() },
        ..options.clone()
    };
    let Ok(mut solution) = puzzle.solve(&quick) else { return Ok(None) };
    if solution.limit() == Some(Limit::Nodes) {
        let Ok(again) = puzzle.solve(options) else { return Ok(None) };
        solution = again;
    }
    if let Some(limit @ (Limit::Time | Limit::Interrupt | Limit::Memory)) = solution.limit() {
        return Err(limit);
    }
    let wanted = if wants.unsolvable { Outcome::Unsolvable } else { Outcome::Solved };
    let is_proven = wants.unsolvable || solution.is_optimal();
    let cost = solution.cost().filter(|_| !wants.unsolvable);
    let (expanded, generated) = (solution.stats().expanded, solution.stats().generated);
    Ok((solution.outcome() == wanted && is_proven).then_some(LeastCost { cost, solutions: None, expanded, generated }))
}

/// Adds the difficulty, and the share of dead ends.
pub(super) fn rate(level: &mut Level, puzzle: &Puzzle, limits: &Limits) -> Result<(), Limit> {
    let rating = puzzle.rate(&RatingOptions { limits: limits.clone(), ..RatingOptions::default() });
    if let Some(limit @ (Limit::Time | Limit::Interrupt | Limit::Memory)) = rating.limit {
        return Err(limit);
    }
    level.rating = rating.score;
    level.dead = rating.parts.dead_share.unwrap_or(0.0);
    Ok(())
}
