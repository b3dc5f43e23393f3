//! The frontier of A* and its variants for fractional costs: a calendar queue whose current bucket is sorted.
//!
//! A bucket of [`Buckets`](super::Buckets) holds one cost; here a bucket holds all costs within an eighth of a step
//! (calendar queues: Brown 1988). Later buckets are unordered. A bucket is sorted by exact cost when it becomes
//! current; only what is inserted after that goes to a heap. So the queue always pops the exact minimum.

use super::{Closed, Cut, Frontier, Order};
use crate::search::node_table::{Node, Nodes};
use crate::space::Cost;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::mem::{size_of, take};

/// An entry: its cost, and a number that breaks ties, least first.
type Entry<C> = Reverse<(C, u64)>;

/// A priority queue of nodes: least cost first.
pub(in crate::search) struct Calendar<C> {
    /// The entries of the current bucket when it became current, the cheapest last.
    today: Vec<Entry<C>>,
    /// Those that were inserted since then.
    added: BinaryHeap<Entry<C>>,
    /// The number of the current bucket; none before the first push.
    bucket: Option<usize>,
    /// The binary logarithm of the number of [narrow buckets](Cost::narrow_bucket) in a bucket.
    width_log2: u32,
    /// The entries of the following buckets.
    later: VecDeque<Vec<Entry<C>>>,
    /// An emptied buffer for reuse.
    spare: Vec<Entry<C>>,
    bytes: usize,
}

impl<C: Cost> Calendar<C> {
    /// Creates an empty queue for costs that are up to `times` the costs of moves.
    pub(in crate::search) fn new(times: u32) -> Self {
        Calendar {
            today: Vec::new(),
            added: BinaryHeap::new(),
            bucket: None,
            width_log2: times.next_power_of_two().ilog2(),
            later: VecDeque::new(),
            spare: Vec::new(),
            bytes: 0,
        }
    }

    /// Inserts a node by its cost; among equal costs the least `rank` is popped first, then the greatest node.
    #[inline]
    pub(in crate::search) fn push(&mut self, cost: C, rank: u32, node: Node) {
        let entry = Reverse((cost, u64::from(rank) << Node::BITS | u64::from(!node)));
        let bucket = cost.narrow_bucket() >> self.width_log2;
        let current = *self.bucket.get_or_insert(bucket);
        // An earlier bucket occurs only with an inconsistent heuristic: the heap orders those entries too.
        if bucket <= current {
            let before = self.added.capacity();
            self.added.push(entry);
            self.bytes += (self.added.capacity() - before) * size_of::<Entry<C>>();
            return;
        }
        let after = bucket - current - 1;
        if self.later.len() <= after {
            let before = self.later.capacity();
            self.later.resize_with(after + 1, Vec::new);
            self.bytes += (self.later.capacity() - before) * size_of::<Vec<Entry<C>>>();
        }
        let entries = &mut self.later[after];
        if entries.capacity() == 0 {
            *entries = take(&mut self.spare);
        }
        let before = entries.capacity();
        entries.push(entry);
        self.bytes += (entries.capacity() - before) * size_of::<Entry<C>>();
    }

    /// Removes the cheapest node; returns it with its cost.
    #[inline]
    pub(in crate::search) fn pop(&mut self) -> Option<(C, Node)> {
        loop {
            // Entries are reversed: the greater one is cheaper.
            let next = match (self.today.last(), self.added.peek()) {
                (Some(sorted), Some(added)) if added > sorted => self.added.pop(),
                (None, Some(_)) => self.added.pop(),
                _ => self.today.pop(),
            };
            if let Some(Reverse((cost, low))) = next {
                return Some((cost, !(low as Node)));
            }
            let mut next = self.later.pop_front()?;
            self.bucket = self.bucket.map(|bucket| bucket + 1);
            if !next.is_empty() {
                next.sort_unstable();
                let empty = std::mem::replace(&mut self.today, next);
                let (kept, dropped) = if empty.capacity() > self.spare.capacity() {
                    (empty, take(&mut self.spare))
                } else {
                    (take(&mut self.spare), empty)
                };
                self.bytes -= dropped.capacity() * size_of::<Entry<C>>();
                self.spare = kept;
            }
        }
    }

    /// Returns the bytes in use.
    pub(in crate::search) fn bytes(&self) -> u64 {
        self.bytes as u64
    }
}

/// The open states by the priority of the order, called f here. Among equal f, the state with the least h, rounded
/// down, is expanded first, then the one reached last. The label is g. A state is expanded once for each time it was
/// opened at a new least g; with a consistent heuristic, A* reopens none, and greedy search never reopens one.
pub(in crate::search) struct CalendarFrontier<C> {
    order: Order,
    queue: Calendar<C>,
    closed: Closed,
    /// For each node, whether it is open.
    open: Vec<bool>,
    /// The number of open states.
    opened: usize,
    /// True while the state popped last is being expanded: it is still open.
    is_expanding: bool,
    /// The greatest f popped so far: nothing that was open then had a smaller one.
    least: Option<C>,
    /// The last f below it.
    completed: C,
    /// The h of the initial state.
    root: Option<C>,
    /// The maximum g + h of states that are opened.
    limit: Option<u32>,
    /// The least g + h of those that were cut off.
    cut: Option<C>,
}

impl<C: Cost> CalendarFrontier<C> {
    pub(in crate::search) fn new(order: Order, limit: Option<u32>) -> Self {
        CalendarFrontier {
            order,
            queue: Calendar::new(match order {
                Order::Weighted(weight) => weight.permille() / 1000,
                Order::AStar | Order::Greedy => 1,
            }),
            closed: Closed::new(order, limit),
            open: Vec::new(),
            opened: 0,
            is_expanding: false,
            least: None,
            completed: C::ZERO,
            root: None,
            limit,
            cut: None,
        }
    }

    /// Returns the lower bound on the cost of every solution that follows from the open states.
    fn bound(&self) -> f64 {
        let least = self.least.map_or(0.0, C::as_f64);
        let open = match self.order {
            // If nothing is open, only states that were cut off remain.
            _ if self.opened == 0 && !self.is_expanding && self.cut.is_some() => f64::INFINITY,
            Order::AStar => least,
            Order::Weighted(weight) => least / weight.as_f64(),
            Order::Greedy => 0.0,
        };
        let root = self.root.map_or(0.0, C::as_f64);
        self.cut.map_or(f64::INFINITY, C::as_f64).min(open).max(root)
    }
}

impl<C: Cost> Frontier<C> for CalendarFrontier<C> {
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

    fn priority(&self, g: C, h: C) -> Option<C> {
        Some(self.order.priority(g, h))
    }

    #[inline]
    fn push(&mut self, node: Node, g: C, h: C) {
        if h >= C::INFINITY {
            return;
        }
        if self.limit.is_some_and(|limit| (g + h).exceeds_whole(limit)) {
            self.cut = Some(self.cut.map_or(g + h, |cut| cut.min(g + h)));
            return;
        }
        let f = match self.order {
            Order::AStar => g + h,
            Order::Weighted(weight) => g + h.scale_permille(weight.permille()),
            Order::Greedy => h,
        };
        self.root.get_or_insert(h);
        if self.open.len() <= node as usize {
            self.open.resize(node as usize + 1, false);
        }
        self.opened += usize::from(!self.open[node as usize]);
        self.open[node as usize] = true;
        self.queue.push(f, h.bucket() as u32, node);
    }

    #[inline]
    fn pop(&mut self, _nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        loop {
            let (f, node) = self.queue.pop()?;
            if !self.open[node as usize] {
                continue;
            }
            self.open[node as usize] = false;
            self.closed.insert(node);
            self.opened -= 1;
            self.is_expanding = true;
            if self.least.is_none_or(|least| least < f) {
                self.completed = self.least.unwrap_or(self.completed);
                self.least = Some(f);
            }
            return Some(node);
        }
    }

    fn expanded(&mut self) {
        self.is_expanding = false;
    }

    fn lower_bound(&self, cost: f64) -> f64 {
        match self.order {
            Order::AStar => cost,
            Order::Weighted(_) | Order::Greedy => cost.min(self.bound()),
        }
    }

    fn cut<'a>(&'a self, _nodes: &'a Nodes<Self::Label>) -> Cut<'a> {
        if self.cut.is_some() { Cut::Something } else { Cut::Nothing }
    }

    fn proven(&self) -> (f64, f64) {
        (self.completed.as_f64(), self.bound())
    }

    fn bytes(&self) -> u64 {
        self.queue.bytes() + self.open.capacity() as u64 + self.closed.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::Calendar;

    #[test]
    fn the_cheapest_entry_is_popped_first_in_any_order_of_insertion() {
        let mut queue: Calendar<u32> = Calendar::new(1);
        for (cost, rank, node) in [(7, 0, 1), (3, 5, 2), (3, 4, 3), (3, 4, 4), (90, 0, 5)] {
            queue.push(cost, rank, node);
        }
        assert_eq!(queue.pop(), Some((3, 4)), "the least rank, then the greatest node");
        queue.push(1, 0, 6);
        assert_eq!(queue.pop(), Some((1, 6)), "cheaper than all earlier entries");
        assert_eq!([queue.pop(), queue.pop()], [Some((3, 3)), Some((3, 2))]);
        queue.push(8, 0, 7);
        assert_eq!([queue.pop(), queue.pop()], [Some((7, 1)), Some((8, 7))]);
        assert!(queue.bytes() > 0);
        assert_eq!([queue.pop(), queue.pop()], [Some((90, 5)), None]);
    }
}
