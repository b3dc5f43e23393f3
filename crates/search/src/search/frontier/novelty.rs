//! The frontier that prefers states with something new: of best-first width search, and of A* in spaces with cells.

use super::queues::{Open, Queues};
use super::{Cut, Frontier, Rank};
use crate::search::node_table::{Node, Nodes};
use crate::space::Cost;
use std::collections::BTreeMap;

/// The number of open states that are looked through for the next ones.
const MOST_NEXT: usize = 1 << 8;

/// The open states by f, in the queues of [`queues`](super::queues) among equal f; in a search without layers, all are
/// in the same queues. The label is g.
pub(in crate::search) struct NoveltyFrontier<C> {
    /// True if states with less f come first, and h never overestimates.
    is_by_f: bool,
    layers: BTreeMap<C, Queues<C>>,
    /// The greatest f popped so far: nothing that was open then had a smaller one.
    least: C,
    /// The last f from which all states were popped.
    completed: C,
    /// The h of the initial state.
    root: Option<C>,
    novelty: Option<u8>,
    /// The maximum g + h, or g, of states that are opened.
    limit: Option<u32>,
    /// The states beyond it with the g of their paths, and the least g + h among them.
    cut: Vec<(C, Node)>,
    least_cut: Option<C>,
}

impl<C: Cost> NoveltyFrontier<C> {
    /// Returns the frontier of A*: states with something new are first only among those with the same f.
    pub(in crate::search) fn by_f(limit: Option<u32>) -> Self {
        NoveltyFrontier {
            is_by_f: true,
            layers: BTreeMap::new(),
            least: C::ZERO,
            completed: C::ZERO,
            root: None,
            novelty: None,
            limit,
            cut: Vec::new(),
            least_cut: None,
        }
    }

    /// Returns the frontier of best-first width search: states with something new are first among all.
    pub(in crate::search) fn alone(limit: Option<u32>) -> Self {
        NoveltyFrontier { is_by_f: false, ..NoveltyFrontier::by_f(limit) }
    }

    /// Returns whether a solution within the limit may lead over a state.
    fn is_within(&self, g: C, h: C) -> bool {
        // Without layers h may overestimate, so only g counts.
        let least = if self.is_by_f { g + h } else { g };
        self.limit.is_none_or(|limit| !least.exceeds_whole(limit))
    }
}

impl<C: Cost> Frontier<C> for NoveltyFrontier<C> {
    type Label = C;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = true;
    const PREFERS_NEW: bool = true;

    fn root(&self) -> C {
        C::ZERO
    }

    fn child(&self, g: C, cost: C) -> C {
        g + cost
    }

    fn replaces(&self, _node: Node, new: &C, old: &C) -> bool {
        // Within a limit, what follows a state depends on its cost.
        new < old && (self.is_by_f || self.limit.is_some())
    }

    fn ends_at(&self, g: C) -> bool {
        !self.is_by_f && self.is_within(g, C::ZERO)
    }

    fn push(&mut self, node: Node, g: C, h: C, rank: Rank) {
        self.root.get_or_insert(h);
        if h >= C::INFINITY {
            return;
        }
        if !self.is_within(g, h) {
            self.cut.push((g, node));
            self.least_cut = Some(self.least_cut.map_or(g + h, |cut| cut.min(g + h)));
            return;
        }
        let f = if self.is_by_f { g + h } else { C::ZERO };
        self.layers.entry(f).or_insert_with(Queues::new).push(Open { novelty: rank.novelty, h, g, node }, rank.cell);
    }

    fn pop(&mut self, nodes: &mut Nodes<C>) -> Option<Node> {
        loop {
            let mut first = self.layers.first_entry()?;
            let f = *first.key();
            // A cheaper path to a state may have been found, and is open.
            let Some(open) = first.get_mut().pop(|open| *nodes.label(open.node) < open.g) else {
                first.remove();
                self.completed = self.completed.max(f);
                continue;
            };
            self.least = self.least.max(f);
            self.novelty = Some(open.novelty);
            return Some(open.node);
        }
    }

    fn novelty(&self) -> Option<u8> {
        self.novelty
    }

    fn priority(&self, g: C, h: C) -> Option<C> {
        self.is_by_f.then(|| g + h)
    }

    fn next(&self) -> impl Iterator<Item = Node> {
        self.layers.values().next().into_iter().flat_map(|layer| layer.some().take(MOST_NEXT))
    }

    fn lower_bound(&self, cost: f64) -> f64 {
        if self.is_by_f { cost } else { cost.min(self.root.map_or(0.0, C::as_f64)) }
    }

    fn cut<'a>(&'a self, nodes: &'a Nodes<C>) -> Cut<'a> {
        // The others were reached within the limit later.
        let is_beyond = |&(g, node): &(C, Node)| *nodes.label(node) == g;
        if self.cut.iter().any(is_beyond) { Cut::Something } else { Cut::Nothing }
    }

    fn proven(&self) -> (f64, f64) {
        let root = self.root.unwrap_or(C::ZERO);
        if !self.is_by_f {
            return (0.0, root.as_f64());
        }
        let open = if self.layers.is_empty() { self.least_cut.unwrap_or(self.least) } else { self.least };
        let bound = self.least_cut.map_or(open, |cut| cut.min(open)).max(root);
        (self.completed.as_f64(), bound.as_f64())
    }

    fn bytes(&self) -> u64 {
        let queues: usize = self.layers.values().map(Queues::bytes).sum();
        (queues + self.cut.capacity() * size_of::<(C, Node)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::NoveltyFrontier;
    use crate::search::Limits;
    use crate::search::frontier::{Cut, Frontier, Rank};
    use crate::search::node_table::{Node, NodeTable};
    use crate::space::Facts;

    /// Opens states in a frontier by (g, h, novelty); returns their table.
    fn opened(frontier: &mut NoveltyFrontier<u32>, states: &[(u32, u32, u8)]) -> NodeTable<u64, u32> {
        let mut table = NodeTable::new(&Facts::default(), &Limits::default());
        for (node, &(g, h, novelty)) in (0..).zip(states) {
            table.reach(u64::from(node), 0, g).expect("no limit");
            frontier.push(node, g, h, Rank { novelty, cell: None });
        }
        table
    }

    fn order(frontier: &mut NoveltyFrontier<u32>, table: &mut NodeTable<u64, u32>) -> Vec<Node> {
        std::iter::from_fn(|| frontier.pop(&mut table.nodes)).collect()
    }

    #[test]
    fn novelty_decides_only_among_equal_f_in_a_star() {
        let states = [(0, 4, 3), (1, 4, 1), (2, 2, 1), (3, 1, 3)];
        let mut by_f = NoveltyFrontier::by_f(None);
        let mut table = opened(&mut by_f, &states);
        assert_eq!(order(&mut by_f, &mut table), [2, 3, 0, 1], "an f of 4 before one of 5, then new, then the least h");
        assert_eq!(by_f.proven(), (5.0, 5.0));
        let mut alone = NoveltyFrontier::alone(None);
        let mut table = opened(&mut alone, &states);
        assert_eq!(order(&mut alone, &mut table), [2, 1, 3, 0]);
        assert_eq!(alone.proven(), (0.0, 4.0), "nothing is proven but h of the start");
    }

    #[test]
    fn a_state_reached_within_the_limit_later_is_not_cut_off() {
        let mut frontier = NoveltyFrontier::by_f(Some(5));
        let mut table = opened(&mut frontier, &[(0, 4, 1), (3, 3, 1)]);
        assert_eq!(order(&mut frontier, &mut table), [0]);
        assert_eq!(frontier.proven().1, 6.0, "all within the limit is done");
        assert!(matches!(frontier.cut(&table.nodes), Cut::Something), "f of 6 is beyond 5");
        assert!(frontier.replaces(1, &2, &3));
        table.nodes.reparent(1, 0, 2);
        frontier.push(1, 2, 3, Rank::default());
        assert_eq!(order(&mut frontier, &mut table), [1]);
        assert!(matches!(frontier.cut(&table.nodes), Cut::Nothing));
    }
}
