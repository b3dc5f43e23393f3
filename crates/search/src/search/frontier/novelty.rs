//! The frontier of best-first width search: all open states in the order of their ranks.

use super::queues::Queues;
use super::{Cut, Frontier, Rank};
use crate::search::MOST_COST;
use crate::search::node_table::{Node, Nodes};
use crate::space::Cost;

/// The open states in [`Queues`]. The label is g. A state that is reached more cheaply is not opened again, except within
/// a depth limit.
pub(in crate::search) struct NoveltyFrontier<C> {
    queues: Queues<C>,
    /// The h of the initial state.
    root: Option<C>,
    /// The novelty of the state that was popped last.
    novelty: Option<u8>,
    /// The maximum g of states that are opened; h may overestimate.
    limit: u32,
    /// The states beyond it, with the g of their paths.
    cut: Vec<(Node, C)>,
}

impl<C: Cost> NoveltyFrontier<C> {
    /// Returns the frontier of a search within a depth limit, or within [`MOST_COST`] if there is none: greater costs
    /// cannot be counted.
    pub(in crate::search) fn new(limit: u32) -> Self {
        NoveltyFrontier { queues: Queues::new(), root: None, novelty: None, limit, cut: Vec::new() }
    }
}

impl<C: Cost> Frontier<C> for NoveltyFrontier<C> {
    type Label = C;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = true;

    fn root(&self) -> C {
        C::ZERO
    }

    fn child(&self, g: C, cost: C) -> C {
        g + cost
    }

    fn replaces(&self, _node: Node, new: &C, old: &C) -> bool {
        // Within a limit, what follows a state depends on its cost.
        new < old && self.limit < MOST_COST
    }

    fn ends_at(&self, g: C) -> bool {
        !g.exceeds_whole(self.limit)
    }

    fn push(&mut self, node: Node, g: C, h: C) {
        self.root.get_or_insert(h);
        if !self.ends_at(g) {
            self.cut.push((node, g));
        } else if h < C::INFINITY {
            self.queues.add(node, g, h);
        }
    }

    fn unranked(&mut self, most: usize, into: &mut Vec<(Node, C)>) {
        self.queues.unranked(most, into);
    }

    fn rank(&mut self, rank: Rank) {
        self.queues.rank(rank);
    }

    fn pop(&mut self, nodes: &mut Nodes<C>) -> Option<Node> {
        // A cheaper path to a state may have been found, and is open.
        let open = self.queues.pop(|open| *nodes.label(open.node) < open.g)?;
        self.novelty = Some(open.novelty);
        Some(open.node)
    }

    fn novelty(&self) -> Option<u8> {
        self.novelty
    }

    fn lower_bound(&self, cost: f64) -> f64 {
        cost.min(self.proven().1)
    }

    fn cut<'a>(&'a self, nodes: &'a Nodes<C>) -> Cut<'a> {
        // The others were reached within the limit later.
        let is_beyond = |&(node, g): &(Node, C)| *nodes.label(node) == g;
        if self.cut.iter().any(is_beyond) { Cut::Something } else { Cut::Nothing }
    }

    fn proven(&self) -> (f64, f64) {
        (0.0, self.root.map_or(0.0, C::as_f64))
    }

    fn bytes(&self) -> u64 {
        (self.queues.bytes() + self.cut.capacity() * size_of::<(Node, C)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::NoveltyFrontier;
    use crate::search::frontier::{Cut, Frontier, Rank};
    use crate::search::node_table::NodeTable;
    use crate::search::{Limits, MOST_COST};
    use crate::space::Facts;

    #[test]
    fn a_state_reached_within_the_limit_later_is_not_cut_off() {
        let mut frontier = NoveltyFrontier::new(5);
        let mut table = NodeTable::<u64, u32>::new(&Facts::default(), &Limits::default());
        for (node, g) in [(0, 0), (1, 6)] {
            table.reach(u64::from(node), 0, g).expect("no limit");
            frontier.push(node, g, 1);
        }
        let mut waiting = Vec::new();
        frontier.unranked(9, &mut waiting);
        assert_eq!(waiting, [(0, 1)], "the other one is beyond the limit");
        frontier.rank(Rank { novelty: 1, cell: None });
        assert_eq!(frontier.pop(&mut table.nodes), Some(0));
        assert!(matches!(frontier.cut(&table.nodes), Cut::Something), "6 is beyond 5");
        assert!(frontier.replaces(1, &4, &6), "what follows a state depends on its cost");
        table.nodes.reparent(1, 0, 4);
        assert!(matches!(frontier.cut(&table.nodes), Cut::Nothing));
    }

    #[test]
    fn a_path_that_costs_more_than_can_be_counted_is_cut_off() {
        let mut frontier = NoveltyFrontier::<u32>::new(MOST_COST);
        frontier.push(0, MOST_COST + 1, 0);
        let mut waiting = Vec::new();
        frontier.unranked(9, &mut waiting);
        assert!(waiting.is_empty(), "the costs of its children would overflow");
        assert!(!frontier.ends_at(MOST_COST + 1) && frontier.ends_at(MOST_COST));
        assert!(!frontier.replaces(0, &1, &2), "without a depth limit no state is expanded again");
    }
}
