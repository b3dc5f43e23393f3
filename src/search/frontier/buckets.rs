//! The frontier of A*.

use super::{Frontier, Table};
use crate::search::node_table::Node;
use crate::space::{Cost, StateSpace};
use std::marker::PhantomData;

/// Buckets by f = g + h: A* (Hart, Nilsson and Raphael 1968). Within an f the larger g is taken first, then the last
/// in. The label is g; an entry whose state has been reached more cheaply since is passed over, and one that was
/// closed is opened again, which happens only where the heuristic is not consistent.
pub(in crate::search) struct Buckets<C> {
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
    pub(in crate::search) fn new(limit: Option<u32>) -> Self {
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
