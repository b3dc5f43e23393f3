//! The frontiers of depth-first search, without and with a depth limit.

use super::{Cut, Frontier};
use crate::search::node_table::{Node, Nodes};

/// A last-in, first-out stack: depth-first search. The label is true if a state is closed; an open one that is reached
/// again gets its newest parent, as depth-first order requires.
pub(in crate::search) struct Stack {
    open: Vec<Node>,
    first_child: usize,
}

impl Stack {
    pub(in crate::search) fn new() -> Stack {
        Stack { open: Vec::new(), first_child: 0 }
    }
}

impl<C> Frontier<C> for Stack {
    type Label = bool;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = false;

    fn root(&self) -> bool {
        false
    }

    fn child(&self, _closed: bool, _cost: C) -> bool {
        false
    }

    fn replaces(&self, _node: Node, _new: &bool, &closed: &bool) -> bool {
        !closed
    }

    fn push(&mut self, node: Node, _closed: bool, _h: C) {
        self.open.push(node);
    }

    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        let node = loop {
            let node = self.open.pop()?;
            if !*nodes.label(node) {
                break node;
            }
        };
        *nodes.label_mut(node) = true;
        self.first_child = self.open.len();
        Some(node)
    }

    fn expanded(&mut self) {
        self.open[self.first_child..].reverse();
    }

    fn lower_bound(&self, _cost: f64) -> f64 {
        0.0
    }

    fn cut<'a>(&'a self, _nodes: &'a Nodes<Self::Label>) -> Cut<'a> {
        Cut::Nothing
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<Node>()) as u64
    }
}

/// A last-in, first-out stack with a depth limit. The label is the depth at which a state was reached. A state is
/// pruned only if it was reached before in at most as many moves. Each solution lowers the limit, so the last one is
/// shortest.
pub(in crate::search) struct BoundedStack {
    open: Vec<(Node, u32)>,
    first_child: usize,
    limit: u32,
    /// True if all moves cost the same.
    equal: bool,
    best: Option<Node>,
}

impl BoundedStack {
    pub(in crate::search) fn new(limit: u32, equal: bool) -> BoundedStack {
        BoundedStack { open: Vec::new(), first_child: 0, limit, equal, best: None }
    }
}

impl<C> Frontier<C> for BoundedStack {
    type Label = u32;
    const FIRST_IS_SHORTEST: bool = false;
    const INFORMED: bool = false;

    fn root(&self) -> u32 {
        0
    }

    fn child(&self, depth: u32, _cost: C) -> u32 {
        depth + 1
    }

    fn replaces(&self, _node: Node, new: &u32, old: &u32) -> bool {
        new < old
    }

    fn push(&mut self, node: Node, depth: u32, _h: C) {
        self.open.push((node, depth));
    }

    fn pop(&mut self, nodes: &mut Nodes<Self::Label>) -> Option<Node> {
        loop {
            let (node, depth) = self.open.pop()?;
            if depth <= self.limit && depth == *nodes.label(node) {
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
        if self.equal { cost } else { 0.0 }
    }

    fn cut<'a>(&'a self, nodes: &'a Nodes<Self::Label>) -> Cut<'a> {
        Cut::Beyond(Box::new((0..nodes.len() as Node).filter(|&node| *nodes.label(node) == self.limit)))
    }

    fn bytes(&self) -> u64 {
        (self.open.capacity() * size_of::<(Node, u32)>()) as u64
    }
}
