//! A lower bound on costs: the delete relaxation, with the maximum over facts (h_max of Bonet and Geffner 2001).
//!
//! A fact is a variable with a value. A *relaxed operator* has conditions, a cost and facts that it adds; nothing is
//! ever deleted. The cost of a fact is 0 in the state, otherwise the least over operators that add it, of the operator's
//! cost plus the greatest cost of its conditions. The bound is the cost of the goal.
//!
//! # Why it is a lower bound
//!
//! Claim: whenever a fact is true within or after moves from the state, its cost is at most the cost of these moves, the
//! present one included. This holds at the start of the moves. Let a fact become true by an application of a rule, and
//! the claim hold before it.
//!
//! - By a rewriting pattern: its cells matched before, its conditions held, and the letters matched some symbols. There
//!   is an operator for each choice of these symbols, whose conditions are facts that were true, or hold if one of
//!   several facts was. Parts of conditions that are not on one variable, or not a count, are left out: an operator with
//!   fewer conditions costs no more. A move pays its cost, a consequence 0, since the move that it follows is counted.
//! - With `all`, each new symbol is put by a match of its own, for which the same is true. So there is an operator for
//!   each match, at the whole cost of the move. Nothing may be counted or excluded beyond that: a pass applies matches
//!   together or leaves some out, and the bound takes a maximum, never a sum, over facts.
//! - With `repeat`, a later match may need what an earlier one put, and the move pays once. Such a rule has facts of its
//!   own, *within the move*: those before it, for its cost on top, and those that its matches put, at no cost. Each is
//!   a fact after the move, at the same cost.
//! - By a shift, a cell takes the symbol of the cell behind it, or the empty one. A symbol moves only if its list of
//!   bodies has one that is shifted or pushed, into a cell that holds one of `into` or one that moves, too. Operators
//!   for all such cells and symbols are more than a shift moves.
//! - `then` sets a variable to a value. If the value depends on more than one variable, operators set all values.
//!
//! `never`, piles, and that states between moves are at rest are left out. The goal is an operator of cost 0. A condition
//! that at least `k` of some cells have a symbol costs the `k`-th least of their costs: at that cost, `k` of them are
//! true, and at a smaller one fewer can be.
//!
//! The bound is consistent: after a move of cost c, each fact of the new state costs at most c in the old one.

mod builder;

use super::Machine;
use super::formula::Datum;
use super::state::State;
use crate::domain::BuildContext;
use crate::task::{Value, Var};
use builder::Builder;

/// The cost of what is never reached.
const NEVER: u32 = u32::MAX;
/// The most operators.
const MOST_OPERATORS: usize = 1 << 20;

/// A node: a fact, a fact within a move, or a condition.
type Node = u32;

/// The operators, prepared.
#[derive(Debug)]
pub(super) struct Relaxed {
    /// For each variable, the node of its first value.
    first: Vec<Node>,
    /// The variables that can change.
    changing: Vec<Var>,
    nodes: usize,
    goal: Node,
    /// For each node, where the operators that it is a condition of begin.
    starts: Vec<u32>,
    conditions_of: Vec<u32>,
    /// For each operator, the number of conditions that must hold, its cost, and where its effects begin.
    needed: Vec<u32>,
    costs: Vec<u32>,
    effect_starts: Vec<u32>,
    effects: Vec<Node>,
    /// The operators without conditions.
    free: Vec<u32>,
    most_cost: u32,
}

/// The buffers of an evaluation.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    costs: Vec<u32>,
    needed: Vec<u32>,
    /// The open nodes of each cost, modulo their number.
    buckets: Vec<Vec<Node>>,
}

impl Relaxed {
    /// Prepares the operators of a machine. Returns the values of each variable that states after the start may have,
    /// too. `None` if there are too many operators, or a limit ended the work.
    pub fn new(machine: &Machine, context: &BuildContext) -> Option<(Relaxed, Vec<Vec<Value>>)> {
        let mut builder = Builder::new(machine);
        for unit in machine.moves.iter().chain(&machine.after) {
            builder.unit(unit);
            if builder.operators.len() > MOST_OPERATORS || context.should_stop() {
                return None;
            }
        }
        let goal = builder.node();
        for of_goal in &machine.goals {
            builder.goal(of_goal, goal);
        }
        let all = builder.finish(goal, (0..machine.terms.values.len()).collect());
        // What the start never reaches, no state after it does.
        let mut buffers = Buffers::default();
        all.spread(&machine.start, &mut buffers, None);
        let is_reached = |node: Node| buffers.costs[node as usize] < NEVER;
        let values = |(first, values): (&Node, &std::sync::Arc<[Datum]>)| {
            (0..values.len() as Value).filter(|&value| is_reached(first + Node::from(value))).collect()
        };
        let reached: Vec<Vec<Value>> = all.first.iter().zip(&machine.terms.values).map(values).collect();
        let mut is_certain = vec![false; builder.nodes];
        for (first, values) in all.first.iter().zip(&reached) {
            if let [value] = values[..] {
                is_certain[*first as usize + usize::from(value)] = true;
            }
        }
        for ((mut conditions, needed, cost), effects) in std::mem::take(&mut builder.operators) {
            conditions.retain(|&node| is_reached(node));
            if conditions.len() < needed as usize {
                continue;
            }
            let before = conditions.len();
            conditions.retain(|&node| !is_certain[node as usize]);
            let needed = needed.saturating_sub((before - conditions.len()) as u32);
            let effects = effects.into_iter().filter(|&node| !is_certain[node as usize]);
            builder.add_some(conditions, needed, cost, effects);
        }
        let changing = (0..reached.len()).filter(|&var| reached[var].len() > 1).collect();
        Some((builder.finish(goal, changing), reached))
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        let words = self.first.len() + self.starts.len() + self.conditions_of.len() + self.effects.len();
        (4 * (words + 3 * self.needed.len())) as u64
    }

    /// Returns the number of operators.
    pub fn operators(&self) -> usize {
        self.needed.len()
    }

    /// Returns a lower bound on the cost from a state to a goal; `None` if no goal can be reached.
    pub fn bound(&self, state: &State, buffers: &mut Buffers) -> Option<u32> {
        self.spread(state, buffers, Some(self.goal))
    }

    /// Computes costs in ascending order until that of `end` is known (Dijkstra 1959, generalised by Knuth 1977).
    fn spread(&self, state: &State, buffers: &mut Buffers, end: Option<Node>) -> Option<u32> {
        let Buffers { costs, needed, buckets } = buffers;
        costs.clear();
        costs.resize(self.nodes, NEVER);
        needed.clone_from(&self.needed);
        let ring = self.most_cost as usize + 1;
        buckets.resize_with(ring, Vec::new);
        buckets.iter_mut().for_each(Vec::clear);
        let mut open = 0;
        let add = |node: Node, cost: u32, costs: &mut [u32], buckets: &mut [Vec<Node>]| {
            let is_cheaper = cost < costs[node as usize];
            if is_cheaper {
                costs[node as usize] = cost;
                buckets[cost as usize % ring].push(node);
            }
            usize::from(is_cheaper)
        };
        for &var in &self.changing {
            open += add(self.first[var] + Node::from(state.values[var]), 0, costs, buckets);
        }
        let effects = |operator: usize| {
            &self.effects[self.effect_starts[operator] as usize..self.effect_starts[operator + 1] as usize]
        };
        for &operator in &self.free {
            for &node in effects(operator as usize) {
                open += add(node, self.costs[operator as usize], costs, buckets);
            }
        }
        let mut cost = 0;
        while open > 0 {
            let Some(node) = buckets[cost as usize % ring].pop() else {
                cost += 1;
                continue;
            };
            open -= 1;
            // A node that became cheaper is open more than once.
            if costs[node as usize] != cost || end.is_some_and(|end| end == node) {
                if costs[node as usize] == cost {
                    return Some(cost);
                }
                continue;
            }
            let at = node as usize;
            for &operator in &self.conditions_of[self.starts[at] as usize..self.starts[at + 1] as usize] {
                let operator = operator as usize;
                needed[operator] = needed[operator].wrapping_sub(1);
                if needed[operator] == 0 {
                    for &node in effects(operator) {
                        open += add(node, cost + self.costs[operator], costs, buckets);
                    }
                }
            }
        }
        None
    }
}
