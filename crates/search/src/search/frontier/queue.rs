//! The frontier of breadth-first search.

use super::{Cut, Frontier};
use crate::search::node_table::{Node, Nodes};
use crate::space::Facts;

/// A first-in, first-out queue: breadth-first search (Moore 1959). The arena is in order of arrival, so the queue is an
/// index into it.
pub(in crate::search) struct Queue {
    next: Node,
    /// The level of the states being popped, and the first node beyond it.
    level: u32,
    level_end: Node,
    limit: u32,
    /// True if every move costs 1.
    unit: bool,
    /// True if all moves cost the same: then the first solution is a cheapest one.
    equal: bool,
}

impl Queue {
    pub(in crate::search) fn new(limit: Option<u32>, facts: &Facts) -> Queue {
        let (unit, equal) = (facts.unit_cost, facts.has_equal_costs());
        Queue { next: 0, level: 0, level_end: 1, limit: limit.unwrap_or(u32::MAX), unit, equal }
    }
}

impl<C> Frontier<C> for Queue {
    type Label = ();
    const FIRST_IS_SHORTEST: bool = true;
    const INFORMED: bool = false;

    fn root(&self) {}

    fn child(&self, (): (), _cost: C) {}

    fn replaces(&self, _node: Node, (): &(), (): &()) -> bool {
        false
    }

    fn push(&mut self, _node: Node, (): (), _h: C) {}

    #[inline]
    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        let reached = nodes.len() as Node;
        if self.next == self.level_end && self.next < reached {
            self.level += 1;
            self.level_end = reached;
        }
        if self.next == reached || self.level == self.limit {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    fn lower_bound(&self, cost: f64) -> f64 {
        if self.equal { cost } else { 0.0 }
    }

    fn cut<'a>(&'a self, nodes: &'a Nodes<Self::Label>) -> Cut<'a> {
        Cut::Beyond(Box::new(self.next..nodes.len() as Node))
    }

    fn proven(&self) -> (f64, f64) {
        let bound = if self.unit { f64::from(self.level) + 1.0 } else { 0.0 };
        (f64::from(self.level), bound)
    }
}
