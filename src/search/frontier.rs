//! The frontiers: what makes the one graph search breadth-first, depth-first or A*.
//!
//! A frontier decides which open state is taken next, what has to be known of each state for that (its label), and
//! when a second way to a state replaces the first. Everything else is common to all of them.

mod buckets;
mod calendar;
mod queue;
mod stack;

pub(super) use buckets::{Buckets, Order};
pub(super) use calendar::{Calendar, Exactly};
pub(super) use queue::Queue;
pub(super) use stack::{BoundedStack, Stack};

use super::node_table::{Node, Nodes};

/// The states that a depth limit may have cut off.
pub(super) enum Cut<'a> {
    /// There are none.
    Nothing,
    /// There are some.
    Something,
    /// Those are, if any, that these lead to and that were not reached otherwise.
    Beyond(Box<dyn Iterator<Item = Node> + 'a>),
}

/// The open states, in the order in which a search takes them. Moves cost `C`.
pub(super) trait Frontier<C> {
    /// What is kept of each state beside its parent.
    type Label: Copy;
    /// Whether the first way that reaches a state has the fewest moves: then a goal is known as soon as it is made.
    const FIRST_IS_SHORTEST: bool;
    /// Whether the order depends on h.
    const INFORMED: bool;

    /// The label of the initial state.
    fn root(&self) -> Self::Label;

    /// The label of a child reached from a state by a move of this cost.
    fn child(&self, parent: Self::Label, cost: C) -> Self::Label;

    /// Whether a new way to a known state takes the place of the old one.
    fn replaces(new: &Self::Label, old: &Self::Label) -> bool;

    /// Opens a state that is in the table; `h` is zero unless the frontier is informed.
    fn push(&mut self, node: Node, label: Self::Label, h: C);

    /// Takes the next open state and closes it; none when all are closed, or all that the depth limit allows.
    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node>;

    /// Whether the children of a state with this label may be made; a depth limit says no at its end.
    fn may_expand(&self, _label: Self::Label) -> bool {
        true
    }

    /// Called when all children of a state have been pushed.
    fn expanded(&mut self) {}

    /// Called when a goal has been taken: whether it is the answer, or the search has to go on for better ones.
    fn accepts(&mut self, _goal: Node, _label: Self::Label) -> bool {
        true
    }

    /// The best goal that was taken and not accepted at once.
    fn best(&self) -> Option<Node> {
        None
    }

    /// What no solution is proven to cost less than, when one of this cost has been accepted.
    fn lower_bound(&self, cost: f64) -> f64;

    /// What the depth limit kept from being reached; asked when nothing is left to take.
    fn cut<'a>(&'a self, nodes: &'a Nodes<Self::Label>) -> Cut<'a>;

    /// What is proven so far: (the deepest level or f completed, a lower bound on the cost of any solution).
    fn proven(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Bytes held beside the table.
    fn bytes(&self) -> u64 {
        0
    }
}
