//! The frontier of A* and its variants: a bucket queue.

use super::queues::Queues;
use super::{Closed, Cut, Frontier, Rank, round_size};
use crate::search::Weight;
use crate::search::node_table::{Node, Nodes};
use crate::space::Cost;
use std::collections::{BTreeMap, BinaryHeap};
use std::marker::PhantomData;
use std::mem::take;

/// The order of the open states, by g and an admissible h.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum Order {
    /// By f = g + h: A* (Hart, Nilsson and Raphael 1968).
    AStar,
    /// By g + W h, rounded down: weighted A* (Pohl 1970).
    Weighted(Weight),
    /// By h: greedy best-first search (Doran and Michie 1966).
    Greedy,
}

impl Order {
    /// Returns the priority of a state, the least of which is expanded first.
    pub(super) fn priority<C: Cost>(self, g: C, h: C) -> C {
        match self {
            Order::AStar => g + h,
            Order::Weighted(weight) if h < C::INFINITY => g + h.scale_permille(weight.permille()),
            Order::Weighted(_) | Order::Greedy => h,
        }
    }
}

/// The number of contiguous levels: with costs of a million most of them would be empty.
const ARRAY_LEVELS: usize = 1 << 14;

/// A bucket queue keyed by the priority of the order, called f here. Among equal f the largest g is popped first, then
/// the last in. The label is g. An entry whose state has been reached more cheaply since is skipped. A closed state may
/// be reopened, which A* does only with an inconsistent heuristic, and greedy search never.
pub(in crate::search) struct Buckets<C> {
    order: Order,
    /// By f minus `base`, the least f that was ever open.
    levels: Vec<Level>,
    /// By f, the levels too far above `base` for the array.
    map: BTreeMap<usize, Level>,
    base: usize,
    /// No state with a smaller f is open.
    f: usize,
    /// The last f from which all states were popped; in A* the greatest.
    completed: usize,
    /// The last f popped; in A* the greatest: nothing that was open then had a smaller one, so every solution costs as
    /// much, even if an inconsistent heuristic then leads to a smaller f.
    least: usize,
    /// The h of the initial state.
    root: usize,
    /// The maximum g + h of states that are opened.
    limit: usize,
    /// The least g + h of those that were cut off.
    cut: Option<usize>,
    closed: Closed,
    /// Once more states of a level were popped than this, it may be ordered by ranks.
    ranks_after: Option<u64>,
    /// The f of the level that is ordered by ranks, if there is one, and its states.
    ranked: Option<(usize, Queues<C>)>,
    /// The states popped of the current level, and of all levels before it.
    popped: u64,
    popped_before: u64,
    /// The number of states pushed.
    pushed: u64,
    bytes: usize,
    cost: PhantomData<C>,
}

/// The open states with one f: unordered until it is current, then a stack sorted by g. A state opened while the level
/// is current nearly always has the largest g, since its parent had; the others go into `late`.
#[derive(Default)]
struct Level {
    /// Entries with their g; sorted by g once the level is current, stable among equal g.
    stack: Vec<(u32, Node)>,
    late: BinaryHeap<(u32, u64, Node)>,
    is_current: bool,
}

/// Bytes of a level in the map, without its contents.
const MAP_ENTRY_BYTES: usize = size_of::<(usize, Level)>() * 3 / 2;

impl Level {
    fn is_empty(&self) -> bool {
        self.stack.is_empty() && self.late.is_empty()
    }

    /// Returns the bytes that it holds; sorting takes half as much again as the unordered entries.
    fn bytes(&self) -> usize {
        self.stack.capacity() * (size_of::<(u32, Node)>() * 3 / 2)
            + self.late.capacity() * size_of::<(u32, u64, Node)>()
    }

    /// Adds a state; the numbers of late entries are increasing.
    #[inline]
    fn push(&mut self, g: u32, node: Node, number: u64) {
        let is_last = || {
            let above_late = self.late.peek().is_none_or(|&(late, ..)| g > late);
            above_late && self.stack.last().is_none_or(|&(last, _)| g >= last)
        };
        if !self.is_current || is_last() {
            self.stack.push((g, node));
        } else {
            self.late.push((g, number, node));
        }
    }

    /// Removes the state with the largest g, the last in among equals.
    #[inline]
    fn pop(&mut self) -> Option<(u32, Node)> {
        if !self.is_current && !self.stack.is_empty() {
            self.is_current = true;
            self.stack.sort_by_key(|&(g, _)| g);
        }
        match (self.stack.last(), self.late.peek()) {
            (top, Some(&(g, _, node))) if top.is_none_or(|&(top, _)| g >= top) => {
                self.late.pop();
                Some((g, node))
            }
            _ => self.stack.pop(),
        }
    }
}

impl<C: Cost> Buckets<C> {
    pub(in crate::search) fn new(order: Order, limit: Option<u32>) -> Self {
        Buckets {
            order,
            levels: Vec::new(),
            map: BTreeMap::new(),
            base: 0,
            f: 0,
            completed: 0,
            least: 0,
            root: 0,
            limit: limit.map_or(usize::MAX, |limit| limit as usize),
            cut: None,
            closed: Closed::new(order, limit),
            ranks_after: None,
            ranked: None,
            popped: 0,
            popped_before: 0,
            pushed: 0,
            bytes: 0,
            cost: PhantomData,
        }
    }

    /// Lets a level of A* be ordered by ranks once more states of it were popped than this, and than of all levels before.
    pub(in crate::search) fn with_ranks_after(self, popped: u64) -> Self {
        Buckets { ranks_after: Some(popped), ..self }
    }

    /// Orders the current level by ranks, if it has grown large. Ranks take about half as long as expansions in some spaces,
    /// and are in vain in all levels but the last; they pay where that is much larger than all before it.
    #[inline]
    fn prefer_new(&mut self) {
        let Some(first) = self.ranks_after else { return };
        if self.ranked.is_none() && self.popped > first.max(self.popped_before) {
            self.order_by_ranks();
        }
    }

    #[cold]
    fn order_by_ranks(&mut self) {
        let f = self.f;
        let Some(level) = self.levels.get_mut(f - self.base).filter(|level| level.is_current) else { return };
        let mut open: Vec<(u32, Node)> = std::iter::from_fn(|| level.pop()).collect();
        // In the order of arrival: what comes first is new.
        open.sort_unstable_by_key(|&(_, node)| node);
        let mut queues = Queues::new();
        open.into_iter().for_each(|(g, node)| queues.add(node, C::whole(g), C::whole(f as u32 - g)));
        self.ranked = Some((f, queues));
    }

    /// Returns the lower bound on the cost of every solution that follows from the open states.
    fn bound(&self) -> usize {
        let open = match self.order {
            Order::AStar => self.f.max(self.least),
            Order::Weighted(weight) => weight.unweighted(self.f),
            Order::Greedy => 0,
        };
        // If nothing is open, only states that were cut off remain.
        let is_open = self.f - self.base < self.levels.len() || !self.map.is_empty();
        let open = if is_open { open } else { usize::MAX };
        self.cut.unwrap_or(usize::MAX).min(open).max(self.root)
    }

    /// Returns f; in A* no less than `before`.
    fn risen(&self, before: usize) -> usize {
        if matches!(self.order, Order::AStar) { self.f.max(before) } else { self.f }
    }

    /// Returns the level of an f.
    #[inline]
    fn level(&mut self, f: usize) -> &mut Level {
        // In A*, only an inconsistent heuristic leads below the initial f.
        if f < self.base {
            self.rebase(f);
        }
        let near = f - self.base;
        if near >= ARRAY_LEVELS {
            if !self.map.contains_key(&f) {
                self.bytes += MAP_ENTRY_BYTES;
            }
            return self.map.entry(f).or_default();
        }
        if self.levels.len() <= near {
            let before = self.levels.capacity();
            self.levels.resize_with(near + 1, Level::default);
            self.bytes += (self.levels.capacity() - before) * size_of::<Level>();
        }
        &mut self.levels[near]
    }

    /// Moves the levels from this f on into the array, and the others into the map.
    #[cold]
    fn rebase(&mut self, f: usize) {
        let near = take(&mut self.levels);
        self.bytes -= near.capacity() * size_of::<Level>();
        let kept = (self.base..).zip(near).filter(|(_, level)| level.is_current || !level.is_empty());
        let before = self.map.len();
        self.map.extend(kept);
        self.bytes += (self.map.len() - before) * MAP_ENTRY_BYTES;
        self.base = f;
        while let Some(first) = self.map.first_entry().filter(|first| *first.key() < f + ARRAY_LEVELS) {
            let (of, level) = first.remove_entry();
            self.bytes -= MAP_ENTRY_BYTES;
            *self.level(of) = level;
        }
    }
}

impl<C: Cost> Frontier<C> for Buckets<C> {
    type Label = C;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = true;

    fn root(&self) -> C {
        C::ZERO
    }

    fn child(&self, g: C, cost: C) -> C {
        g + cost
    }

    fn replaces(&self, node: Node, new: &C, old: &C) -> bool {
        new < old && !self.closed.has(node)
    }

    fn push(&mut self, node: Node, g: C, h: C) {
        if h >= C::INFINITY {
            return;
        }
        let (least, g, h) = ((g + h).bucket(), g.bucket(), h.bucket());
        if least > self.limit {
            self.cut = Some(self.cut.map_or(least, |cut| cut.min(least)));
            return;
        }
        let f = match self.order {
            Order::AStar => least,
            Order::Weighted(weight) => weight.weighted(g, h),
            Order::Greedy => h,
        };
        if self.levels.is_empty() {
            (self.base, self.f, self.root) = (f, f, least);
        }
        if let Some((_, queues)) = self.ranked.as_mut().filter(|(ranked, _)| *ranked == f) {
            queues.add(node, C::whole(g as u32), C::whole(h as u32));
            self.f = self.f.min(f);
            return;
        }
        self.pushed += 1;
        let number = self.pushed;
        let level = self.level(f);
        let before = level.bytes();
        level.push(g as u32, node, number);
        let grown = level.bytes() - before;
        self.bytes += grown;
        self.f = self.f.min(f);
    }

    fn unranked(&mut self, most: usize, into: &mut Vec<(Node, C)>) {
        self.prefer_new();
        if let Some((_, queues)) = &self.ranked {
            queues.unranked(most, into);
        }
    }

    fn rank(&mut self, rank: Rank) {
        if let Some((_, queues)) = &mut self.ranked {
            queues.rank(rank);
        }
    }

    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        loop {
            while self.f - self.base < self.levels.len() {
                if let Some(node) = self.pop_equal(nodes) {
                    self.least = self.risen(self.least);
                    return Some(node);
                }
                self.ranked.take_if(|(ranked, _)| *ranked == self.f);
                self.popped_before += take(&mut self.popped);
                let level = &mut self.levels[self.f - self.base];
                if level.is_current {
                    self.bytes -= level.bytes();
                    *level = Level::default();
                    self.completed = self.risen(self.completed);
                }
                self.f += 1;
            }
            self.f = *self.map.first_key_value()?.0;
            self.rebase(self.f);
        }
    }

    fn round_size(&self, is_slow: bool, expanded: u64, generated: u64) -> u64 {
        if matches!(self.order, Order::Greedy) { 1 } else { round_size(is_slow, expanded, generated) }
    }

    /// Pops a state of the same f.
    #[inline]
    fn pop_equal(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        let level = &mut self.levels[self.f - self.base];
        let mut ranked = self.ranked.as_mut().filter(|(ranked, _)| *ranked == self.f);
        loop {
            let (g, node) = match &mut ranked {
                Some((_, queues)) => {
                    let open = queues.pop(|open| nodes.label(open.node) != &open.g)?;
                    (open.g.bucket() as u32, open.node)
                }
                None => level.pop()?,
            };
            if nodes.label(node).bucket() == g as usize {
                self.closed.insert(node);
                self.popped += 1;
                return Some(node);
            }
        }
    }

    fn priority(&self, g: C, h: C) -> Option<C> {
        Some(self.order.priority(g, h))
    }

    fn lower_bound(&self, cost: f64) -> f64 {
        match self.order {
            Order::AStar => cost,
            Order::Weighted(_) | Order::Greedy => cost.min(self.bound() as f64),
        }
    }

    fn cut<'a>(&'a self, _nodes: &'a Nodes<Self::Label>) -> Cut<'a> {
        if self.cut.is_some() { Cut::Something } else { Cut::Nothing }
    }

    fn proven(&self) -> (f64, f64) {
        (self.completed as f64, self.bound() as f64)
    }

    fn bytes(&self) -> u64 {
        let ranked = self.ranked.as_ref().map_or(0, |(_, queues)| queues.bytes());
        (self.bytes + ranked) as u64 + self.closed.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Buckets, Frontier, Order, Rank};
    use crate::search::Limits;
    use crate::search::node_table::NodeTable;
    use crate::space::Facts;

    #[test]
    fn a_proven_bound_stands_when_a_smaller_f_is_opened() {
        let mut table = NodeTable::<u64, u32>::new(&Facts::default(), &Limits::default());
        let mut open = Buckets::<u32>::new(Order::AStar, None);
        for (node, (g, h)) in [(0, 3), (1, 4), (2, 1)].into_iter().enumerate() {
            table.reach(node as u64, 0, g).expect("no limit");
            open.push(node as u32, g, h);
            assert_eq!(open.pop(&mut table.nodes), Some(node as u32));
        }
        // f is 3, 5 and 3: an inconsistent heuristic.
        assert_eq!(open.proven(), (3.0, 5.0));
    }

    #[test]
    fn a_level_that_grows_large_is_ordered_by_ranks() {
        let mut table = NodeTable::<u64, u32>::new(&Facts::default(), &Limits::default());
        let mut open = Buckets::<u32>::new(Order::AStar, None).with_ranks_after(1);
        // All have an f of 4, but for the last.
        for (node, (g, h)) in [(0, 4), (1, 3), (2, 2), (3, 1), (1, 4)].into_iter().enumerate() {
            table.reach(node as u64, 0, g).expect("no limit");
            open.push(node as u32, g, h);
        }
        let (mut order, mut waiting) = (Vec::new(), Vec::new());
        loop {
            open.unranked(9, &mut waiting);
            for (node, h) in waiting.drain(..) {
                assert_eq!(h, [4, 3][node as usize], "only states of the large level are ranked");
                open.rank(Rank { novelty: 1 + node as u8, cell: None });
            }
            let Some(node) = open.pop(&mut table.nodes) else { break };
            order.push(node);
        }
        assert_eq!(order, [3, 2, 0, 1, 4], "by f, then by g until two were popped, then by novelty");
    }
}
