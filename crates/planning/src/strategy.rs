//! The strategy for a task: the heuristics and algorithms that a search tries in turn, and the reason for this choice.
//!
//! Both are decided at once, by one walk through the questions below, so that no explanation differs from what is done.

use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::mover::Mover;
use crate::heuristic::{
    BREAKPOINTS, COST_PARTITIONING, DISJOINT_PATTERNS, MATCHING, MAXIMUM, PATTERN_DATABASE, PERIMETER, POTENTIALS,
    TOGGLES,
};
use crate::heuristic::{
    MOST_GOALS, Registration, are_goals_disjoint, carry_neighbours, moves_are_undone, shared_matching,
};
use crate::search::{Algorithm, BuildContext, HeuristicFacts, Stage};
use std::fmt;
use std::sync::Arc;

/// The heuristic of algorithms other than the default one.
pub const USUAL: &str = PATTERN_DATABASE.facts.name;

/// The base-2 logarithm of the most states that a blind search visits in a moment.
const FEW_STATES: f64 = 20.0;

/// The states that a search from both ends expands, without any table.
const BOTH_ENDS: u64 = 1_000_000;

/// The states that the default search expands without a heuristic at first: for each operator if no operator undoes
/// another, and in all.
const BLIND_PER_OPERATOR: u64 = 256;
const MOST_BLIND: u64 = 100_000;

/// The stages of the default search, and why these.
pub struct Strategy {
    pub stages: Vec<PlannedStage>,
    pub reason: Reason,
}

/// A stage, with the condition on which it has its turn; none if it always has.
pub struct PlannedStage {
    pub stage: Stage,
    /// True if `cost-partitioning` must see more than `pattern-database`, false if it must not.
    if_shared: Option<bool>,
}

impl PlannedStage {
    fn by(mut self, algorithm: Algorithm) -> PlannedStage {
        self.stage.algorithm = Some(algorithm);
        self
    }

    fn if_shared(mut self, pays: bool) -> PlannedStage {
        self.if_shared = Some(pays);
        self
    }
}

/// Returns whether heuristics that share the costs of moves see more than those that do not, by sums of h over sampled
/// states. To build both takes as long as a small part of a stage.
fn sharing_pays(task: &AnalysedTask, context: &BuildContext) -> bool {
    COST_PARTITIONING.sum_on_samples(task, context) > PATTERN_DATABASE.sum_on_samples(task, context)
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
    /// Returns the strategy for a task, decided at the first call. Analyses that are not made yet are work without
    /// limits.
    pub fn of(task: &AnalysedTask) -> Arc<Strategy> {
        let context = &BuildContext::default();
        task.memo.get("strategy", context, || Arc::new(Strategy::decide(task, context)))
    }

    /// Makes the analyses that decide most strategies, so that a limit of `context` ends them.
    pub fn prepare(task: &AnalysedTask, context: &BuildContext) {
        TOGGLES.refuses(task, context);
        carry_neighbours(task, context);
        task.stable(context);
    }

    fn decide(task: &AnalysedTask, context: &BuildContext) -> Strategy {
        let reduced = &task.reduced;
        let of = |reason, stages| Strategy { stages, reason };
        // With free moves, few of the solutions of the equations are ruled out early, and one value may take seconds.
        let has_free_moves = reduced.task.operators.iter().any(|operator| operator.cost == 0);
        if !has_free_moves && TOGGLES.refuses(task, context).is_none() {
            return of(Reason::Equations, vec![stage(&TOGGLES, 0, u64::MAX)]);
        }
        // The tables of the first stage take a few milliseconds, and are better than all other heuristics here.
        let matching = shared_matching(task, context).ok();
        if are_goals_disjoint(task, context) {
            // Pieces that a mover pushes bar each other's way: the more of them there are, the more do these tables miss.
            // Tiles that slide into a blank do not.
            let bar_each_other = matching.as_ref().is_some_and(|matching| matching.sees_kinds_together());
            let stages = if bar_each_other && Mover::find(reduced, &[]).is_some() {
                vec![stage(&DISJOINT_PATTERNS, 0, 10_000), stage(&MATCHING, 0, 2_000_000), stage(&MAXIMUM, 0, u64::MAX)]
            } else {
                let larger = [(0, 500_000), (1, 5_000_000), (2, u64::MAX)];
                larger.into_iter().map(|(size, nodes)| stage(&DISJOINT_PATTERNS, size, nodes)).collect()
            };
            return of(Reason::UniqueSymbols, stages);
        }
        // With few states, no heuristic pays for its construction.
        if task.log2_states <= FEW_STATES {
            return of(Reason::FewStates(task.log2_states), vec![blind(u64::MAX)]);
        }
        if matching.is_some_and(|matching| !matching.leaves_out_most()) {
            return of(Reason::LikeSymbols, vec![stage(&MATCHING, 0, 2_000_000), stage(&MAXIMUM, 0, u64::MAX)]);
        }
        if carry_neighbours(task, context) {
            let stages = vec![stage(&BREAKPOINTS, 0, 500_000), both_ends(), stage(&BREAKPOINTS, 1, u64::MAX)];
            return of(Reason::Neighbours, stages);
        }
        of(Reason::CheapFirst, cheap_first(task, context))
    }

    /// Returns whether a stage is left out, once those before it have ended without an answer.
    pub fn skips(&self, stage: &Stage, task: &AnalysedTask, context: &BuildContext) -> bool {
        let planned = self.stages.iter().find(|planned| planned.stage == *stage);
        planned.and_then(|planned| planned.if_shared).is_some_and(|pays| pays != sharing_pays(task, context))
    }
}

/// Returns the stages that begin without a heuristic and go on with larger and larger tables.
fn cheap_first(task: &AnalysedTask, context: &BuildContext) -> Vec<PlannedStage> {
    let reduced = &task.reduced;
    // Where no operator undoes another, weights measure progress, so the stage with potentials begins early. It takes
    // longer to build with more operators.
    let operators = reduced.task.operators.len() as u64;
    let is_one_way = reduced.inverse.iter().all(Option::is_none);
    let first = blind(if is_one_way { (BLIND_PER_OPERATOR * operators).min(MOST_BLIND) } else { MOST_BLIND });
    match task.stable(context) {
        // A pattern does not restrict the other variables, so its free moves lead from every vanishing state. A
        // perimeter contains about as many states as the search expands with it.
        Some(stable) if stable.list_goals(MOST_GOALS).is_some() => vec![
            first,
            stage(&PERIMETER, 0, 150_000),
            stage(&PERIMETER, 1, 1_000_000),
            stage(&PERIMETER, 2, 8_000_000),
            stage(&PERIMETER, 3, u64::MAX),
        ],
        // Where moves are reversible, weights prove no dead ends, and exact distances in parts of the puzzle see
        // more. Those that share the costs of moves take longer to find.
        _ if moves_are_undone(&reduced.task) => vec![
            first,
            stage(&PATTERN_DATABASE, 0, 50_000),
            both_ends(),
            stage(&COST_PARTITIONING, 0, 2_000_000).if_shared(true),
            stage(&PATTERN_DATABASE, 1, 5_000_000).if_shared(false),
            stage(&COST_PARTITIONING, 1, 10_000_000).if_shared(true),
            stage(&PATTERN_DATABASE, 2, u64::MAX),
        ],
        _ => vec![first, stage(&POTENTIALS, 0, 500_000), stage(&PATTERN_DATABASE, 0, u64::MAX)],
    }
}

fn stage(heuristic: &Registration, size: u8, nodes: u64) -> PlannedStage {
    planned(heuristic.facts, size, nodes)
}

/// A stage without a heuristic.
fn blind(nodes: u64) -> PlannedStage {
    planned(HeuristicFacts::ZERO, 0, nodes)
}

/// Half of the depth from both ends; left out unless the goals can be listed.
fn both_ends() -> PlannedStage {
    blind(BOTH_ENDS).by(Algorithm::Bidirectional)
}

fn planned(heuristic: HeuristicFacts, size: u8, nodes: u64) -> PlannedStage {
    let stage = Stage { heuristic: heuristic.name, size, automaton: false, nodes, algorithm: None };
    PlannedStage { stage, if_shared: None }
}
