//! Open lists ("frontiers"), which turn the one graph search into breadth-first search, depth-first search or A*.
//!
//! A frontier decides which open state to expand next, what label it needs on each state, and when a second path to a
//! state replaces the first. The rest is common to all of them.

mod buckets;
mod calendar;
mod novelty;
mod queue;
mod queues;
mod stack;

pub(super) use buckets::{Buckets, Order};
pub(super) use calendar::{Calendar, CalendarFrontier};
pub(super) use novelty::NoveltyFrontier;
pub(super) use queue::Queue;
pub(super) use stack::{BoundedStack, Stack};

use super::MOST_COST;
use super::node_table::{Node, Nodes};

/// The closed states of greedy search, which never opens them again: a cheaper path does not change its order, and a
/// search that did could expand a state once for each path to it.
///
/// Within a depth limit all paths must be tried, so closed states are not remembered. [`MOST_COST`] is no such limit.
pub(super) struct Closed {
    is_closed: Vec<bool>,
    is_used: bool,
}

impl Closed {
    /// Returns the set for searches in this order within this depth.
    fn new(order: Order, limit: Option<u32>) -> Self {
        let is_limited = limit.is_some_and(|limit| limit < MOST_COST);
        Closed { is_closed: Vec::new(), is_used: matches!(order, Order::Greedy) && !is_limited }
    }

    #[inline]
    fn insert(&mut self, node: Node) {
        if self.is_used {
            if self.is_closed.len() <= node as usize {
                self.is_closed.resize(node as usize + 1, false);
            }
            self.is_closed[node as usize] = true;
        }
    }

    #[inline]
    fn has(&self, node: Node) -> bool {
        self.is_closed.get(node as usize).is_some_and(|&is_closed| is_closed)
    }

    fn bytes(&self) -> u64 {
        self.is_closed.capacity() as u64
    }
}

/// A round of A* expands one state for each `ROUND_SHARE` expanded before it, up to `MOST_STATES`, and fewer if they are
/// likely to have more than `MOST_CHILDREN` children. So a search expands few states that it could have done without,
/// and the first rounds, which are the whole of a short search, have one state.
const ROUND_SHARE: u64 = 1024;
const MOST_STATES: u64 = 1 << 12;
const MOST_CHILDREN: u64 = 1 << 16;

/// With a [slow heuristic](crate::space::Facts::slow_heuristic), most searches expand some hundred states: one for each
/// `SLOW_SHARE`, up to `FEW_STATES`, have enough children for several threads.
const SLOW_SHARE: u64 = 64;
const FEW_STATES: u64 = 4;

/// Returns the number of states that a round of A* expands, given the expansions and children so far.
fn round_size(is_slow: bool, expanded: u64, generated: u64) -> u64 {
    let of_children = (expanded * MOST_CHILDREN).checked_div(generated).unwrap_or(MOST_STATES);
    let least = if is_slow { (expanded / SLOW_SHARE).min(FEW_STATES) } else { 1 };
    (expanded / ROUND_SHARE).max(least).min(MOST_STATES).min(of_children).max(1)
}

/// The states that a depth limit may have cut off.
pub(super) enum Cut<'a> {
    /// None were cut off.
    Nothing,
    /// Some were cut off.
    Something,
    /// The children of these nodes that were not reached otherwise, if any.
    Beyond(Box<dyn Iterator<Item = Node> + 'a>),
}

/// The novelty of a state and its cell, for frontiers that order states by them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    /// The least number of features that no state with the same h had together: 1, 2, or 3 for more.
    pub novelty: u8,
    /// The cell of the state, if the space has cells, and its novelty among the states of the cell.
    pub cell: Option<(u64, u8)>,
}

/// The open states, in the order of expansion. Moves cost `C`.
pub(super) trait Frontier<C>: Send + Sync {
    /// The data stored for each state besides its parent.
    type Label: Copy + Send + Sync;
    /// True if the first path that reaches a state has the fewest moves: then goals are detected on generation.
    const FIRST_IS_SHORTEST: bool;
    /// True if the order depends on h.
    const INFORMED: bool;

    /// Returns the label of the initial state.
    fn root(&self) -> Self::Label;

    /// Returns the label of a child reached by a move of this cost.
    fn child(&self, parent: Self::Label, cost: C) -> Self::Label;

    /// Returns whether a new path to a known state replaces the old one, and opens the state again.
    fn replaces(&self, node: Node, new: &Self::Label, old: &Self::Label) -> bool;

    /// Opens a state that is in the table; `h` is zero unless the frontier is informed.
    fn push(&mut self, node: Node, label: Self::Label, h: C);

    /// Removes the next open state and closes it; none if no state is open, or none within the depth limit.
    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node>;

    /// Returns the number of open states that are expanded in one round, given whether the heuristic is slow, and the states
    /// expanded and generated so far.
    fn round_size(&self, _is_slow: bool, _expanded: u64, _generated: u64) -> u64 {
        1
    }

    /// Removes another state of the same round as the one popped last, if there is one, and closes it.
    fn pop_equal(&mut self, _nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        None
    }

    /// Appends the first `_most` open states that need a rank before the next state is popped, each with its h.
    fn unranked(&mut self, _most: usize, _into: &mut Vec<(Node, C)>) {}

    /// Takes the rank of the first of these states.
    fn rank(&mut self, _rank: Rank) {}

    /// Returns the novelty of the state that was popped last, if all states are ordered by it.
    fn novelty(&self) -> Option<u8> {
        None
    }

    /// Returns whether a goal ends the search as soon as it is reached with this label.
    fn ends_at(&self, _label: Self::Label) -> bool {
        Self::FIRST_IS_SHORTEST
    }

    /// Returns the value by which a state is ordered, if its h is known.
    fn priority(&self, _g: C, _h: C) -> Option<C> {
        None
    }

    /// Returns whether a state with this label may be expanded; false at the depth limit.
    fn may_expand(&self, _label: Self::Label) -> bool {
        true
    }

    /// Called after all children of a round have been pushed.
    fn expanded(&mut self) {}

    /// Called when a goal has been popped; returns whether it is the answer. Otherwise the search continues for better
    /// ones.
    fn accepts(&mut self, _goal: Node, _label: Self::Label) -> bool {
        true
    }

    /// Returns the best goal that was popped but not accepted immediately.
    fn best(&self) -> Option<Node> {
        None
    }

    /// Returns the proven lower bound on the cost of every solution, after a solution of this cost was accepted.
    fn lower_bound(&self, cost: f64) -> f64;

    /// Returns what the depth limit cut off; called when nothing is left to pop.
    fn cut<'a>(&'a self, nodes: &'a Nodes<Self::Label>) -> Cut<'a>;

    /// Returns what is proven so far: (the deepest level or f completed, a lower bound on the cost of every solution).
    fn proven(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Returns the bytes held besides the table.
    fn bytes(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::round_size;

    #[test]
    fn a_round_grows_with_the_search_but_not_with_the_children() {
        let size = |expanded, generated| round_size(false, expanded, generated);
        assert_eq!([size(0, 0), size(2047, 6000), size(2048, 6000)], [1, 1, 2]);
        assert_eq!(size(1 << 20, 3 << 20), 1024, "one in 1024");
        assert_eq!(size(1 << 30, 3 << 30), 4096, "the most");
        assert_eq!(size(1 << 20, 1 << 30), 64, "with a thousand children each");
        assert_eq!(size(1 << 20, 1 << 40), 1, "with a million children each");
        let slow = [100, 200, 1000, 1 << 20].map(|expanded| round_size(true, expanded, 6 * expanded));
        assert_eq!(slow, [1, 3, 4, 1024], "with a slow heuristic, a few as soon as there are some hundred");
    }
}
