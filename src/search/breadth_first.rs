//! Breadth-first search over [`Layers`]: from the start until a layer holds a goal.

use super::crew::Crew;
use super::layers::Layers;
use super::limits::{Limit, Limits, Watch};
use super::path::actions_along;
use super::record::Counts;
use super::{Found, Stats, Verdict};
use crate::space::StateSpace;
use std::mem::needs_drop;

/// Whether the moves of a space are such that layers can be searched: each costs 1 and can be taken back, and keys
/// are as large as they look.
pub(super) fn is_layered<S: StateSpace>(space: &S) -> bool {
    layered_or(space, || true, || false)
}

/// Does the one where layers can be searched, and the other elsewhere; what cannot be the case is not compiled.
pub(super) fn layered_or<S: StateSpace, T>(space: &S, layered: impl FnOnce() -> T, otherwise: impl FnOnce() -> T) -> T {
    // A type that owns nothing needs nothing dropped.
    if const { needs_drop::<S::Key>() } {
        otherwise()
    } else if const { S::UNIT_COST && S::REVERSIBLE } || space.has_unit_cost() && space.is_reversible() {
        layered()
    } else {
        otherwise()
    }
}

/// Searches from a state, layer by layer.
pub(super) fn breadth_first_search<S: StateSpace>(
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let crew = Crew::new(limits.threads);
    let mut watch = Watch::new(limits, 0);
    let symmetric = limits.record.is_none();
    let root = space.pack(&start());
    let root = if symmetric { space.canonical(root) } else { root };
    if space.is_goal_key(&root) {
        let verdict = Verdict::Solved { path: Vec::new(), cost: 0.0, lower_bound: 0.0 };
        return Found { verdict, stats: Stats { stored: 1, ..Stats::default() } };
    }
    let mut layers = Layers::new(space, vec![root], symmetric, &crew, limits);
    limits.record("bfs", Counts::Layers);
    let ending = loop {
        limits.reach(layers.depth() as f64, layers.depth() as f64 + 1.0);
        limits.complete(0, layers.depth() as f64, layers.last().len() as u64);
        if limits.depth.is_some_and(|depth| layers.depth() >= depth as usize) {
            break if layers.leads_out(&mut watch) {
                Ending::Limit(Limit::Depth, layers.depth() + 1)
            } else {
                Ending::Exhausted
            };
        }
        match layers.advance(&mut watch, &|key| space.is_goal_key(key)) {
            Ok(Some(goal)) => break Ending::Met(goal),
            Ok(None) if layers.last().is_empty() => break Ending::Exhausted,
            Ok(None) => {}
            Err(limit) => break Ending::Limit(limit, layers.depth()),
        }
    };
    let stats = Stats {
        expanded: layers.expanded,
        generated: layers.generated(),
        stored: layers.stored,
        depth: layers.depth() as f64,
        memory: layers.memory,
        pruned: false,
    };
    ending.tell(space, start, stats, |goal| layers.way_to(goal, limits, &mut watch))
}

/// How a search by layers ended.
pub(super) enum Ending<K> {
    /// With a state on a shortest way.
    Met(K),
    Exhausted,
    /// At this limit, with this bound.
    Limit(Limit, usize),
}

impl<K> Ending<K> {
    /// What was found, by a search that took this, with the way through a state that was met, from the start on.
    pub(super) fn tell<S: StateSpace<Key = K>>(
        self,
        space: &S,
        start: &dyn Fn() -> S::State,
        stats: Stats,
        way: impl FnOnce(K) -> Result<Vec<K>, Limit>,
    ) -> Found<Vec<S::Action>> {
        match self {
            Ending::Met(state) => {
                let cost = stats.depth;
                let verdict = match way(state) {
                    Ok(way) => {
                        Verdict::Solved { path: actions_along(space, start, &way[1..]).0, cost, lower_bound: cost }
                    }
                    Err(limit) => Verdict::Limit { limit, lower_bound: cost, best: None },
                };
                Found { verdict, stats }
            }
            Ending::Exhausted => {
                Found { verdict: Verdict::Unsolvable, stats: Stats { depth: stats.depth - 1.0, ..stats } }
            }
            Ending::Limit(limit, bound) => {
                let lower_bound = bound as f64;
                let verdict = Verdict::Limit { limit, lower_bound, best: None };
                Found { verdict, stats: Stats { depth: lower_bound - 1.0, ..stats } }
            }
        }
    }
}
