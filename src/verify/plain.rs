//! A plain search for a cheaper solution by the rules: cheapest first, storing every position unchanged. It shares
//! nothing with the searches that it checks: no heuristic, no symmetry, no packed keys, no tables.
//!
//! Dijkstra (1959); if every move costs the same, it is breadth-first search.

use crate::domain::{Rules, Successor};
use crate::search::{Limit, Limits, resident};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Costs that differ by less are considered equal.
pub(super) const EPSILON: f64 = 1e-6;

/// The number of expansions between two checks of the limits.
const STEP: usize = 256;

/// The result of a plain search.
#[derive(Debug, PartialEq)]
pub(super) struct Searched {
    /// The number of states found.
    pub states: u64,
    /// The number of states at each depth, if every move costs 1; the last layer may be incomplete.
    pub by_depth: Option<Vec<u64>>,
    pub end: End,
}

/// The end of the search.
#[derive(Debug, PartialEq)]
pub(super) enum End {
    /// A goal was reached at this cost, which is the least possible.
    Goal(f64),
    /// No position below the requested cost remains; `all` is true if no position remains at all.
    Nothing { all: bool },
    /// A limit was reached: no goal costs less than this.
    Limit(Limit, f64),
    /// `watch` objected to a move, for this reason.
    Objection(String),
}

/// A visitor that may object to a move from one position to another.
pub(super) type Watch<'a> = dyn FnMut(&[u32], &[u32]) -> Result<(), String> + 'a;

/// Searches for the cheapest solution that costs less than `below`; `None` for rules that have no positions to search.
/// Positions that `is_dead` are left out. `watch` sees every other generated move and may object.
pub(super) fn search(
    rules: &mut dyn Rules,
    below: f64,
    limits: &Limits,
    is_dead: &dyn Fn(&[u32]) -> bool,
    watch: &mut Watch,
) -> Option<Searched> {
    let start = rules.position()?;
    let stop = limits.stop();
    limits.begin("plain search", None, 0);
    // The least cost so far of each state. Costs are not negative, so their bits sort like the costs.
    let mut best_cost = HashMap::from([(rules.state()?, 0.0)]);
    let mut open = BinaryHeap::new();
    if !is_dead(&start) {
        open.push((Reverse(0.0_f64.to_bits()), Reverse(0_u64), start));
    }
    let mut by_depth: Vec<u64> = vec![1];
    let (mut number, mut expanded, mut in_moves) = (0, 0_u64, true);
    // The number of moves since the limits were looked at: a state of pieces that slide far has many.
    let mut moves = STEP;
    let end = 'search: loop {
        let Some((Reverse(cost), _, position)) = open.pop() else { break End::Nothing { all: true } };
        let cost = f64::from_bits(cost);
        if cost > below - EPSILON {
            break End::Nothing { all: false };
        }
        rules.set_position(&position);
        let state = rules.state()?;
        if best_cost.get(&state).is_some_and(|&least| least < cost - EPSILON) {
            continue;
        }
        if limits.depth.is_some_and(|depth| cost > f64::from(depth) + EPSILON) {
            break End::Limit(Limit::Depth, cost);
        }
        if rules.is_solved() {
            break End::Goal(cost);
        }
        if limits.nodes.is_some_and(|nodes| expanded >= nodes) {
            break End::Limit(Limit::Nodes, cost);
        }
        if moves >= STEP {
            moves = 0;
            if let Some(limit) = stop.now() {
                break End::Limit(limit, cost);
            }
            limits.spend(expanded, resident());
            limits.reach(cost, cost);
        }
        expanded += 1;
        let successors = rules.successors();
        moves += successors.len();
        if rules.gave_up() {
            break End::Limit(Limit::Work, cost);
        }
        for Successor { position: after, cost: step } in successors {
            if is_dead(&after) {
                continue;
            }
            if let Err(why) = watch(&position, &after) {
                break 'search End::Objection(why);
            }
            in_moves &= step == 1.0;
            let cost = cost + step;
            rules.set_position(&after);
            let state = rules.state()?;
            let least = best_cost.entry(state).or_insert(f64::INFINITY);
            if cost < *least - EPSILON {
                if in_moves {
                    by_depth.resize(by_depth.len().max(cost as usize + 1), 0);
                    by_depth[cost as usize] += 1;
                }
                *least = cost;
                number += 1;
                open.push((Reverse(cost.to_bits()), Reverse(number), after));
            }
        }
    };
    Some(Searched { states: best_cost.len() as u64, by_depth: in_moves.then_some(by_depth), end })
}
