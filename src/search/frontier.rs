//! The frontiers: what makes the one graph search breadth-first, depth-first or A*.
//!
//! A frontier decides which open state is taken next, what has to be known of each state for that (its label), and
//! when a second way to a state replaces the first. Everything else is common to all of them.

use super::node_table::{Node, NodeTable};
use crate::space::{Cost, StateSpace};
use std::marker::PhantomData;

/// A table as a frontier sees it.
pub(super) type Table<S, F> = NodeTable<<S as StateSpace>::Key, <F as Frontier<S>>::Label>;

/// The open states, in the order in which a search takes them.
pub(super) trait Frontier<S: StateSpace>: Sized {
    /// What is kept of each state beside its parent.
    type Label: Copy;
    /// Whether a goal that is accepted is proven to be a cheapest one.
    const PROVES_SHORTEST: bool;
    /// Whether the first way that reaches a state has the fewest moves: then a goal is known as soon as it is made.
    const FIRST_IS_SHORTEST: bool;
    /// Whether the order depends on h.
    const INFORMED: bool;

    /// The label of the initial state.
    fn root(&self) -> Self::Label;

    /// The label of a child reached from a state by a move of this cost.
    fn child(&self, parent: Self::Label, cost: S::Cost) -> Self::Label;

    /// Whether a new way to a known state takes the place of the old one.
    fn replaces(new: &Self::Label, old: &Self::Label) -> bool;

    /// Opens a state that is in the table; `h` is zero unless the frontier is informed.
    fn push(&mut self, node: Node, label: Self::Label, h: S::Cost);

    /// Takes the next open state and closes it; none when all are closed, or all that the depth limit allows.
    fn pop(&mut self, table: &mut Table<S, Self>) -> Option<Node>;

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

    /// Whether the depth limit kept any state from being reached; asked when nothing is left to take.
    fn was_cut(&self, space: &S, table: &Table<S, Self>) -> bool;

    /// What is proven so far: (the deepest level or f completed, a lower bound on the cost of any solution).
    fn proven(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Bytes held beside the table.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Whether a child of any of these states is not in the table.
pub(super) fn leads_out<S: StateSpace, L>(
    space: &S,
    table: &NodeTable<S::Key, L>,
    mut nodes: impl Iterator<Item = Node>,
) -> bool {
    nodes.any(|node| {
        let mut out = false;
        space.expand(table.key(node), |_, _, child| out |= !table.contains(&child));
        out
    })
}

/// First in, first out: breadth-first search (Moore 1959). The arena is in the order of arrival, so the queue is a
/// place in it.
pub(super) struct Queue {
    next: Node,
    /// The level of the states being taken, and the first node beyond it.
    level: u32,
    level_end: Node,
    limit: u32,
}

impl Queue {
    pub(super) fn new(limit: Option<u32>) -> Queue {
        Queue { next: 0, level: 0, level_end: 1, limit: limit.unwrap_or(u32::MAX) }
    }
}

impl<S: StateSpace> Frontier<S> for Queue {
    type Label = ();
    const PROVES_SHORTEST: bool = S::UNIT_COST;
    const FIRST_IS_SHORTEST: bool = true;
    const INFORMED: bool = false;

    fn root(&self) {}

    fn child(&self, (): (), _cost: S::Cost) {}

    fn replaces((): &(), (): &()) -> bool {
        false
    }

    fn push(&mut self, _node: Node, (): (), _h: S::Cost) {}

    #[inline]
    fn pop(&mut self, table: &mut Table<S, Self>) -> Option<Node> {
        let reached = table.len() as Node;
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

    fn was_cut(&self, space: &S, table: &Table<S, Self>) -> bool {
        leads_out(space, table, self.next..table.len() as Node)
    }

    fn proven(&self) -> (f64, f64) {
        let bound = if S::UNIT_COST { f64::from(self.level) + 1.0 } else { 0.0 };
        (f64::from(self.level), bound)
    }
}

/// Last in, first out: depth-first search. The label says whether a state is closed; an open one that is reached
/// again is taken up from its newest parent, as depth-first order demands.
pub(super) struct Stack {
    open: Vec<Node>,
    first_child: usize,
}

impl Stack {
    pub(super) fn new() -> Stack {
        Stack { open: Vec::new(), first_child: 0 }
    }
}

impl<S: StateSpace> Frontier<S> for Stack {
    type Label = bool;
    const PROVES_SHORTEST: bool = false;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = false;

    fn root(&self) -> bool {
        false
    }

    fn child(&self, _closed: bool, _cost: S::Cost) -> bool {
        false
    }

    fn replaces(_new: &bool, &closed: &bool) -> bool {
        !closed
    }

    fn push(&mut self, node: Node, _closed: bool, _h: S::Cost) {
        self.open.push(node);
    }

    fn pop(&mut self, table: &mut Table<S, Self>) -> Option<Node> {
        let node = loop {
            let node = self.open.pop()?;
            if !*table.label(node) {
                break node;
            }
        };
        *table.label_mut(node) = true;
        self.first_child = self.open.len();
        Some(node)
    }

    fn expanded(&mut self) {
        self.open[self.first_child..].reverse();
    }

    fn was_cut(&self, _space: &S, _table: &Table<S, Self>) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<Node>()) as u64
    }
}

/// Last in, first out, within a depth: the label is the depth at which a state was reached, a state is pruned only
/// where it was reached before in no more moves, and each solution lowers the limit, so that the last is a shortest.
pub(super) struct BoundedStack {
    open: Vec<(Node, u32)>,
    first_child: usize,
    limit: u32,
    best: Option<Node>,
}

impl BoundedStack {
    pub(super) fn new(limit: u32) -> BoundedStack {
        BoundedStack { open: Vec::new(), first_child: 0, limit, best: None }
    }
}

impl<S: StateSpace> Frontier<S> for BoundedStack {
    type Label = u32;
    const PROVES_SHORTEST: bool = S::UNIT_COST;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = false;

    fn root(&self) -> u32 {
        0
    }

    fn child(&self, depth: u32, _cost: S::Cost) -> u32 {
        depth + 1
    }

    fn replaces(new: &u32, old: &u32) -> bool {
        new < old
    }

    fn push(&mut self, node: Node, depth: u32, _h: S::Cost) {
        self.open.push((node, depth));
    }

    fn pop(&mut self, table: &mut Table<S, Self>) -> Option<Node> {
        loop {
            let (node, depth) = self.open.pop()?;
            if depth <= self.limit && depth == *table.label(node) {
                self.first_child = self.open.len();
                return Some(node);
            }
        }
    }

    fn may_expand(&self, depth: u32) -> bool {
        depth < self.limit
    }

    fn expanded(&mut self) {
        self.open[self.first_child..].reverse();
    }

    fn accepts(&mut self, goal: Node, depth: u32) -> bool {
        self.best = Some(goal);
        match depth.checked_sub(1) {
            Some(less) => self.limit = less,
            None => return true,
        }
        false
    }

    fn best(&self) -> Option<Node> {
        self.best
    }

    fn was_cut(&self, space: &S, table: &Table<S, Self>) -> bool {
        leads_out(space, table, (0..table.len() as Node).filter(|&node| *table.label(node) == self.limit))
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<(Node, u32)>()) as u64
    }
}

/// Buckets by f = g + h: A* (Hart, Nilsson and Raphael 1968). Within an f the larger g is taken first, then the last
/// in. The label is g; an entry whose state has been reached more cheaply since is passed over, and one that was
/// closed is opened again, which happens only where the heuristic is not consistent.
pub(super) struct Buckets<C> {
    /// By f less `base`, the f of the initial state.
    levels: Vec<Level>,
    base: usize,
    /// No state is open below this f.
    f: usize,
    /// The last f below it that states were taken from.
    completed: usize,
    limit: usize,
    bytes: usize,
    cut: bool,
    cost: PhantomData<C>,
}

/// The open states with one f.
#[derive(Default)]
struct Level {
    /// By g.
    stacks: Vec<Vec<Node>>,
    /// No stack from here on holds anything.
    end: usize,
}

impl<C: Cost> Buckets<C> {
    pub(super) fn new(limit: Option<u32>) -> Self {
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        Buckets { levels: Vec::new(), base: 0, f: 0, completed: 0, limit, bytes: 0, cut: false, cost: PhantomData }
    }
}

impl<S: StateSpace> Frontier<S> for Buckets<S::Cost> {
    type Label = S::Cost;
    const PROVES_SHORTEST: bool = true;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = true;

    fn root(&self) -> S::Cost {
        S::Cost::ZERO
    }

    fn child(&self, g: S::Cost, cost: S::Cost) -> S::Cost {
        g + cost
    }

    fn replaces(new: &S::Cost, old: &S::Cost) -> bool {
        new < old
    }

    fn push(&mut self, node: Node, g: S::Cost, h: S::Cost) {
        let (f, g) = ((g + h).bucket(), g.bucket());
        if self.levels.is_empty() {
            (self.base, self.f) = (f, f);
        }
        // Only an inconsistent heuristic leads below where the search began.
        while f < self.base {
            self.levels.insert(0, Level::default());
            self.base -= 1;
        }
        let outer = self.levels.capacity();
        if self.levels.len() <= f - self.base {
            self.levels.resize_with(f - self.base + 1, Level::default);
        }
        self.bytes += (self.levels.capacity() - outer) * size_of::<Level>();
        let level = &mut self.levels[f - self.base];
        let outer = level.stacks.capacity();
        if level.stacks.len() <= g {
            level.stacks.resize_with(g + 1, Vec::new);
        }
        self.bytes += (level.stacks.capacity() - outer) * size_of::<Vec<Node>>();
        let stack = &mut level.stacks[g];
        let before = stack.capacity();
        stack.push(node);
        self.bytes += (stack.capacity() - before) * size_of::<Node>();
        level.end = level.end.max(g + 1);
        self.f = self.f.min(f);
    }

    fn pop(&mut self, table: &mut Table<S, Self>) -> Option<Node> {
        while let Some(level) = self.levels.get_mut(self.f - self.base) {
            let limit_reached = self.f > self.limit;
            while level.end > 0 {
                let g = level.end - 1;
                let Some(node) = level.stacks[g].pop() else {
                    level.end -= 1;
                    continue;
                };
                if table.label(node).bucket() == g {
                    if limit_reached {
                        self.cut = true;
                        return None;
                    }
                    return Some(node);
                }
            }
            if !level.stacks.is_empty() {
                self.bytes -= level.stacks.iter().map(Vec::capacity).sum::<usize>() * size_of::<Node>();
                self.bytes -= level.stacks.capacity() * size_of::<Vec<Node>>();
                *level = Level::default();
                self.completed = self.f;
            }
            self.f += 1;
        }
        None
    }

    fn was_cut(&self, _space: &S, _table: &Table<S, Self>) -> bool {
        self.cut
    }

    fn proven(&self) -> (f64, f64) {
        (self.completed as f64, self.f as f64)
    }

    fn bytes(&self) -> u64 {
        self.bytes as u64
    }
}
