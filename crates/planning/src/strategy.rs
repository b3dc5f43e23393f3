//! The strategy for a task: the heuristics and algorithms that a search tries in turn, and the reason for this choice.
//!
//! Both are decided at once, by one walk through the questions below, so that no explanation differs from what is done.

use crate::analysis::mover::Mover;
use crate::heuristic::{MOST_GOALS, moves_are_undone};
use crate::planner::Planner;
use crate::search::{Algorithm, BuildContext, Stage};
use std::fmt;

/// The base-2 logarithm of the most states that a blind search visits in a moment.
const FEW_STATES: f64 = 20.0;

/// The states that a search from both ends expands, without any table.
const BOTH_ENDS: u64 = 1_000_000;

/// The states that the default search expands without a heuristic at first: for each operator if no operator undoes
/// another, and in all.
const BLIND_PER_OPERATOR: u64 = 256;
const MOST_BLIND: u64 = 100_000;

/// The work of a stage with LM-cut, some seconds, and the most states in it. A state takes time about as the cube of
/// the number of operators: it has more children, and each of them takes more cuts through more operators.
const LANDMARK_WORK: u64 = 1 << 37;
const MOST_LANDMARK_STATES: u64 = 50_000;

/// The states that iterative deepening expands before a search that stores them, since that ends if there is no
/// solution.
const DEEPENING: u64 = 1 << 31;

/// The stages of the default search, and why these.
#[derive(Clone, Debug)]
pub struct Strategy {
    pub stages: Vec<Stage>,
    pub reason: Reason,
}

/// The property of a task that decides its strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Each move adds constants to some variables.
    Equations,
    /// The goals are about symbols that occur once.
    UniqueSymbols,
    /// The task has at most 2 to this power of states.
    FewStates(f64),
    /// Like symbols have places in the goal.
    LikeSymbols,
    /// Moves keep neighbours together.
    Neighbours,
    /// None of these: an easy puzzle may need no tables.
    CheapFirst,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::Equations => out.write_str("linear equations give the exact distance"),
            Reason::UniqueSymbols => out.write_str("the goals are about symbols that occur once and move one by one"),
            Reason::FewStates(log2) => {
                write!(out, "there are at most 2^{log2:.1} states, so no heuristic pays for its tables")
            }
            Reason::LikeSymbols => out.write_str("like symbols keep their number and have their places in the goal"),
            Reason::Neighbours => out.write_str("moves carry neighbouring values along together"),
            Reason::CheapFirst => out.write_str("cheap heuristics come first, since an easy puzzle needs no tables"),
        }
    }
}

impl Strategy {
    /// Decides how to search a task. What the planner has not found out yet is work without limits.
    pub fn new(planner: &Planner) -> Strategy {
        let context = &BuildContext::default();
        let reduced = planner.reduced();
        let of = |reason, stages| Strategy { stages, reason };
        // With free moves, few of the solutions of the equations are ruled out early, and one value may take seconds.
        let has_free_moves = reduced.task.operators.iter().any(|operator| operator.cost == 0);
        if !has_free_moves && planner.no_toggles(context).is_none() {
            return of(Reason::Equations, vec![stage("toggles", 0, u64::MAX)]);
        }
        // The tables of the first stage take a few milliseconds, and are better than all other heuristics here.
        let matching = planner.matching(context).ok();
        if planner.are_goals_disjoint(context) {
            // Pieces that a mover pushes bar each other's way: the more of them there are, the more do these tables miss.
            // Tiles that slide into a blank do not.
            let bar_each_other = matching.as_ref().is_some_and(|matching| matching.sees_kinds_together());
            let stages = if bar_each_other && Mover::find(reduced, &[]).is_some() {
                vec![
                    stage("disjoint-patterns", 0, 10_000),
                    stage("matching", 0, 2_000_000),
                    stage("maximum", 0, u64::MAX),
                ]
            } else {
                let larger = [(0, 500_000), (1, 5_000_000), (2, u64::MAX)];
                larger.into_iter().map(|(size, nodes)| stage("disjoint-patterns", size, nodes)).collect()
            };
            return of(Reason::UniqueSymbols, stages);
        }
        // With few states, no heuristic pays for its construction.
        if planner.log2_states() <= FEW_STATES {
            return of(Reason::FewStates(planner.log2_states()), vec![stage("zero", 0, u64::MAX)]);
        }
        if matching.is_some_and(|matching| !matching.leaves_out_most()) {
            return of(Reason::LikeSymbols, vec![stage("matching", 0, 2_000_000), stage("maximum", 0, u64::MAX)]);
        }
        if let Some(has_forecast) = planner.breakpoints(context) {
            let second = match has_forecast {
                // Few paths meet again, and without stored states a forecast is all that most children need.
                true => Stage { algorithm: Some(Algorithm::IdaStar), ..stage("breakpoints", 0, DEEPENING) },
                false => both_ends(),
            };
            let stages = vec![stage("breakpoints", 0, 500_000), second, stage("breakpoints", 1, u64::MAX)];
            return of(Reason::Neighbours, stages);
        }
        of(Reason::CheapFirst, cheap_first(planner, context))
    }
}

/// Returns the stages that begin without a heuristic and go on with larger and larger tables.
fn cheap_first(planner: &Planner, context: &BuildContext) -> Vec<Stage> {
    let reduced = planner.reduced();
    // Where no operator undoes another, weights measure progress, so the stage with potentials begins early. It takes
    // longer to build with more operators.
    let operators = reduced.task.operators.len() as u64;
    let is_one_way = reduced.inverse.iter().all(Option::is_none);
    let blind = if is_one_way { (BLIND_PER_OPERATOR * operators).min(MOST_BLIND) } else { MOST_BLIND };
    let blind = stage("zero", 0, blind);
    match planner.stable(context) {
        // A pattern does not restrict the other variables, so its free moves lead from every vanishing state. A
        // perimeter contains about as many states as the search expands with it.
        Some(stable) if stable.list_goals(MOST_GOALS).is_some() => vec![
            blind,
            stage("perimeter", 0, 150_000),
            stage("perimeter", 1, 1_000_000),
            stage("perimeter", 2, 8_000_000),
            stage("perimeter", 3, u64::MAX),
        ],
        // Where moves are reversible, weights prove no dead ends, and exact distances in parts of the puzzle see
        // more. Those that share the costs of moves take longer to find.
        _ if moves_are_undone(&reduced.task) => vec![
            blind,
            stage("pattern-database", 0, 50_000),
            both_ends(),
            stage("cost-partitioning", 0, 2_000_000),
            stage("lm-cut", 0, (LANDMARK_WORK / operators.pow(3).max(1)).min(MOST_LANDMARK_STATES)),
            stage("pattern-database", 1, 5_000_000),
            stage("cost-partitioning", 1, 10_000_000),
            stage("pattern-database", 2, u64::MAX),
        ],
        _ => vec![blind, stage("potentials", 0, 500_000), stage("pattern-database", 0, u64::MAX)],
    }
}

/// Returns whether a stage is left out, once those before it have ended without an answer.
pub fn skips(planner: &Planner, stage: &Stage, context: &BuildContext) -> bool {
    match (stage.heuristic, stage.size) {
        ("cost-partitioning", _) => !planner.shares_costs(context),
        ("pattern-database", 1) => planner.shares_costs(context),
        ("lm-cut", _) => stage.nodes == 0 || !planner.landmarks_pay(context),
        _ => false,
    }
}

fn stage(heuristic: &'static str, size: u8, nodes: u64) -> Stage {
    Stage { heuristic, size, automaton: false, nodes, algorithm: None }
}

/// Half of the depth from both ends; left out unless the goals can be listed.
fn both_ends() -> Stage {
    Stage { algorithm: Some(Algorithm::Bidirectional), ..stage("zero", 0, BOTH_ENDS) }
}
