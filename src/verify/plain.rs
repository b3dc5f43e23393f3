//! A plain search for a cheaper solution: by the rules, cheapest first, with every position remembered as it is. It shares
//! nothing with the searches that it checks: no heuristic, no symmetry, no packed keys, no tables.
//!
//! Dijkstra (1959); where every move costs the same it is breadth-first search.

use crate::domain::{Rules, Successor};
use crate::search::{Limit, Limits, resident};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Costs that differ by less are the same.
pub(super) const EPSILON: f64 = 1e-6;

/// Positions between two looks at the limits.
const STEP: usize = 256;

/// What a plain search found out.
#[derive(Debug, PartialEq)]
pub(super) struct Searched {
    /// How many states were met.
    pub states: u64,
    /// How many of them are at each distance, where every move costs 1; the last may not be whole.
    pub by_depth: Option<Vec<u64>>,
    pub end: End,
}

/// How it ended.
#[derive(Debug, PartialEq)]
pub(super) enum End {
    /// A goal was reached at this cost, which is the least there is.
    Goal(f64),
    /// Nothing that costs less than it was asked for is left to look at; whether anything is left at all.
    Nothing { all: bool },
    /// A limit was reached: no goal costs less than this.
    Limit(Limit, f64),
    /// A move was objected to, and why.
    Objection(String),
}

/// What is said of a move, from one position to another.
pub(super) type Watch<'a> = dyn FnMut(&[u32], &[u32]) -> Result<(), String> + 'a;

/// Looks for the cheapest solution that costs less than this; none for rules that nobody can walk through. `watch` sees all
/// moves that are met, and may object.
pub(super) fn search(rules: &mut dyn Rules, below: f64, limits: &Limits, watch: &mut Watch) -> Option<Searched> {
    let start = rules.position()?;
    let stop = limits.stop();
    limits.begin("plain search", None, 0);
    // By state, the least cost so far. Costs are not negative, so their bits are in their order.
    let mut met = HashMap::from([(rules.state()?, 0.0)]);
    let mut open = BinaryHeap::from([(Reverse(0.0_f64.to_bits()), Reverse(0_u64), start)]);
    let mut by_depth: Vec<u64> = vec![1];
    let (mut number, mut expanded, mut in_moves) = (0, 0_usize, true);
    let end = 'search: loop {
        let Some((Reverse(cost), _, position)) = open.pop() else { break End::Nothing { all: true } };
        let cost = f64::from_bits(cost);
        if cost > below - EPSILON {
            break End::Nothing { all: false };
        }
        rules.set_position(&position);
        let state = rules.state()?;
        if met.get(&state).is_some_and(|&least| least < cost - EPSILON) {
            continue;
        }
        if rules.is_solved() {
            break End::Goal(cost);
        }
        if limits.nodes.is_some_and(|nodes| expanded as u64 >= nodes) {
            break End::Limit(Limit::Nodes, cost);
        }
        if expanded % STEP == 0 {
            if let Some(limit) = stop.now() {
                break End::Limit(limit, cost);
            }
            limits.spend(expanded as u64, resident());
            limits.reach(cost, cost);
        }
        expanded += 1;
        for Successor { position: after, cost: step } in rules.successors() {
            if let Err(why) = watch(&position, &after) {
                break 'search End::Objection(why);
            }
            in_moves &= step == 1.0;
            let cost = cost + step;
            rules.set_position(&after);
            let state = rules.state()?;
            let least = met.entry(state).or_insert(f64::INFINITY);
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
    Some(Searched { states: met.len() as u64, by_depth: in_moves.then_some(by_depth), end })
}
