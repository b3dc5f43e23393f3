//! Graph search: take an open state, make its children, remember those not seen before. Which state is taken is the
//! frontier's business; this loop is the same for breadth-first search, depth-first search and A*.
//!
//! A state is closed when it is taken, not when it is put there. A child that takes the last move back is the state's
//! own parent, and is never made.

use super::frontier::{Frontier, Table};
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::path::actions_along;
use super::record::Counts;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, StateSpace};

/// Searches from a state.
pub(super) fn graph_search<S, F>(
    space: &S,
    start: &dyn Fn() -> S::State,
    name: &'static str,
    mut frontier: F,
    limits: &Limits,
) -> Found<Vec<S::Action>>
where
    S: StateSpace,
    F: Frontier<S>,
{
    let mut table: Table<S, F> = NodeTable::new(space, limits);
    let mut watch = Watch::new(limits, space.key_heap_bytes());
    let (mut expanded, mut generated, mut memory) = (0, 0, 0);
    let mut pruned = false;
    // What is counted for others has no symmetries.
    let as_they_are = limits.record.is_some() && !F::INFORMED;
    // The bound that is searched within, and what was expanded when it was reached.
    let (mut within, mut before) = (f64::NEG_INFINITY, 0);
    limits.record(name, if F::INFORMED { Counts::Bounds } else { Counts::Layers });

    let ending = 'search: {
        let initial = space.pack(&start());
        let initial = if as_they_are { initial } else { space.canonical(initial) };
        let is_solved = space.is_goal_key(&initial);
        let label = frontier.root();
        let h = if F::INFORMED { space.h_key(&initial) } else { S::Cost::ZERO };
        pruned |= h >= S::Cost::NEVER;
        frontier.push(0, label, h);
        let stored = table.reach(initial, 0, label);
        // A puzzle that is solved needs nothing, not even room for its start.
        if is_solved {
            break 'search Ending::Goal(0);
        }
        if let Err(limit) = stored {
            break 'search Ending::Limit(limit);
        }

        while let Some(node) = frontier.pop(&mut table) {
            let label = *table.label(node);
            if !F::FIRST_IS_SHORTEST && space.is_goal_key(table.key(node)) {
                if frontier.accepts(node, label) {
                    break 'search Ending::Goal(node);
                }
                continue;
            }
            if !frontier.may_expand(label) {
                continue;
            }
            let held = || {
                let (level, bound) = frontier.proven();
                limits.reach(level, bound);
                memory = memory.max(table.bytes() + frontier.bytes());
                memory
            };
            if let Some(limit) = watch.exceeded(expanded, held) {
                break 'search Ending::Limit(limit);
            }
            if limits.record.is_some() {
                let (level, bound) = frontier.proven();
                let now = if F::INFORMED { bound } else { level };
                if now > within {
                    if expanded > before {
                        limits.complete(0, within, expanded - before);
                    }
                    (within, before) = (now, expanded);
                }
            }
            expanded += 1;
            let key = table.key(node).clone();
            let back = table.key(table.parent(node)).clone();
            let mut ending = None;
            let mut meet = |cost, child| {
                if child == back || ending.is_some() {
                    return;
                }
                generated += 1;
                let child_label = frontier.child(label, cost);
                match table.reach(child, node, child_label) {
                    Ok(Reached::New(new)) => {
                        if F::FIRST_IS_SHORTEST && space.is_goal_key(table.key(new)) {
                            ending = Some(Ending::Goal(new));
                        } else {
                            let h = if F::INFORMED { space.h_key(table.key(new)) } else { S::Cost::ZERO };
                            pruned |= h >= S::Cost::NEVER;
                            frontier.push(new, child_label, h);
                        }
                    }
                    Ok(Reached::Known(known)) if F::replaces(&child_label, table.label(known)) => {
                        table.reparent(known, node, child_label);
                        let h = if F::INFORMED { space.h_key(table.key(known)) } else { S::Cost::ZERO };
                        frontier.push(known, child_label, h);
                    }
                    Ok(Reached::Known(_)) => {}
                    Err(limit) => ending = Some(Ending::Limit(limit)),
                }
            };
            if F::INFORMED {
                space.expand_far(&key, &back, meet);
            } else if as_they_are {
                space.expand(&key, |_, cost, child| meet(cost, child));
            } else {
                space.expand_canonical(&key, |_, cost, child| meet(cost, child));
            }
            if let Some(ending) = ending {
                break 'search ending;
            }
            frontier.expanded();
        }
        match frontier.best() {
            Some(goal) => Ending::Goal(goal),
            None if frontier.was_cut(space, &table, &mut watch) => Ending::Limit(Limit::Depth),
            None => Ending::Exhausted,
        }
    };

    let (level, bound) = frontier.proven();
    let memory = memory.max(table.bytes() + frontier.bytes());
    let stats = |depth| Stats { expanded, generated, stored: table.len() as u64, depth, memory, pruned };
    let tell = |goal| {
        let mut way = table.way_to(goal);
        // Where the start is a goal, the table may have had no room for it.
        if F::INFORMED && !way.is_empty() {
            let far = std::mem::take(&mut way);
            for (from, to) in std::iter::once(table.key(0)).chain(&far).zip(&far) {
                space.between(from, to, |key| way.push(key));
            }
        }
        let (path, cost) = actions_along(space, start, &way);
        (path, cost.as_f64())
    };
    match ending {
        Ending::Goal(goal) => {
            let (path, cost) = tell(goal);
            let lower_bound = frontier.lower_bound(cost);
            Found { verdict: Verdict::Solved { path, cost, lower_bound }, stats: stats(cost) }
        }
        Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats: stats(level) },
        Ending::Limit(limit) => {
            let lower_bound = match (limit, limits.depth) {
                (Limit::Depth, Some(depth)) if space.has_unit_cost() => bound.max(f64::from(depth) + 1.0),
                _ => bound,
            };
            let best = frontier.best().map(tell);
            Found { verdict: Verdict::Limit { limit, lower_bound, best }, stats: stats(level) }
        }
    }
}

/// How a search ended, in nodes.
enum Ending {
    Goal(Node),
    Exhausted,
    Limit(Limit),
}
