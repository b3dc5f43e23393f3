//! The frontiers of depth-first search, without and with a depth limit.

use super::{Frontier, Table, leads_out};
use crate::search::limits::Watch;
use crate::search::node_table::Node;
use crate::space::StateSpace;

/// Last in, first out: depth-first search. The label says whether a state is closed; an open one that is reached
/// again is taken up from its newest parent, as depth-first order demands.
pub(in crate::search) struct Stack {
    open: Vec<Node>,
    first_child: usize,
}

impl Stack {
    pub(in crate::search) fn new() -> Stack {
        Stack { open: Vec::new(), first_child: 0 }
    }
}

impl<S: StateSpace> Frontier<S> for Stack {
    type Label = bool;
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

    fn lower_bound(&self, _cost: f64) -> f64 {
        0.0
    }

    fn was_cut(&self, _space: &S, _table: &Table<S, Self>, _watch: &mut Watch) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<Node>()) as u64
    }
}

/// Last in, first out, within a depth: the label is the depth at which a state was reached, a state is pruned only
/// where it was reached before in no more moves, and each solution lowers the limit, so that the last is a shortest.
pub(in crate::search) struct BoundedStack {
    open: Vec<(Node, u32)>,
    first_child: usize,
    limit: u32,
    /// Whether every move costs 1.
    unit: bool,
    best: Option<Node>,
}

impl BoundedStack {
    pub(in crate::search) fn new(limit: u32, unit: bool) -> BoundedStack {
        BoundedStack { open: Vec::new(), first_child: 0, limit, unit, best: None }
    }
}

impl<S: StateSpace> Frontier<S> for BoundedStack {
    type Label = u32;
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

    fn lower_bound(&self, cost: f64) -> f64 {
        if self.unit { cost } else { 0.0 }
    }

    fn was_cut(&self, space: &S, table: &Table<S, Self>, watch: &mut Watch) -> bool {
        leads_out(space, table, (0..table.len() as Node).filter(|&node| *table.label(node) == self.limit), watch)
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<(Node, u32)>()) as u64
    }
}
