//! The open states of best-first width search, in two kinds of queues that take turns.
//!
//! One queue has all open states. Beside it each cell of the space of features has a queue of its own, and the cells
//! take turns (Shoham and Schaeffer, The FESS algorithm: a feature based approach to single-agent search, 2020): so a
//! search goes on from the states that have come far in one respect, even if h looks better elsewhere. Two orders in
//! turn are seldom worse than twice the better one (Röger and Helmert, The more, the merrier: combining heuristic
//! estimators for satisficing planning, 2010).

use crate::search::node_table::Node;
use crate::space::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Bound;

/// An open state, in the order of expansion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Open<C> {
    pub novelty: u8,
    pub h: C,
    pub g: C,
    pub node: Node,
}

/// An open state of a cell, in the order of expansion: by its novelty there, then by the distance to the next cell.
type InCell<C> = (u8, u32, Open<C>);

pub fn xs(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The queues of open states.
pub(super) struct Queues<C> {
    all: BinaryHeap<Reverse<Open<C>>>,
    cells: BTreeMap<u64, BinaryHeap<Reverse<InCell<C>>>>,
    /// The cell whose turn it was.
    last: u64,
    turn: u64,
    share: u64,
    top: u64,
    /// The states that were expanded from one of their queues.
    is_closed: Vec<bool>,
}

impl<C: Ord + Copy> Default for Queues<C> {
    fn default() -> Queues<C> {
        Queues { all: BinaryHeap::new(), cells: BTreeMap::new(), last: 0, turn: 0, is_closed: Vec::new(), top: xs("XS_TOP", 0), share: xs("XS_SHARE", 2) }
    }
}

impl<C: Ord + Copy> Queues<C> {
    /// Adds a state, and to its cell with the novelty that it has there.
    pub fn push(&mut self, open: Open<C>, cell: Option<(Cell, u8)>) {
        if let Some(closed) = self.is_closed.get_mut(open.node as usize) {
            *closed = false;
        }
        self.all.push(Reverse(open));
        if let Some((cell, novelty)) = cell {
            if xs("XS_DEBUG", 0) > 0 && !self.cells.contains_key(&cell.number) {
                eprintln!("turn {} new cell {} {} distance {} novelty {novelty}", self.turn, cell.number >> 32, cell.number & 0xffff, cell.distance);
            }
            let queue = self.cells.entry(cell.number).or_default();
            match xs("XS_ORD", 0) {
                0 => queue.push(Reverse((novelty, cell.distance, open))),
                1 => queue.push(Reverse((novelty, 0, open))),
                _ => queue.push(Reverse((0, cell.distance, open))),
            }
        }
    }

    /// Takes the next state that was not expanded yet.
    pub fn pop(&mut self) -> Option<Open<C>> {
        self.turn += 1;
        loop {
            let open = if self.turn % self.share != 0 && !self.cells.is_empty() {
                let top = self.top > 0 && self.turn % self.top == 0;
                let next = self.cells.range((Bound::Excluded(self.last), Bound::Unbounded)).next();
                let next = if top { self.cells.iter().next_back() } else { next };
                let (&cell, _) = next.or_else(|| self.cells.iter().next())?;
                let queue = self.cells.get_mut(&cell)?;
                let Reverse((.., open)) = queue.pop()?;
                if queue.is_empty() {
                    self.cells.remove(&cell);
                }
                // A cell's turn is over when it has given a state.
                if !top && !self.is_closed.get(open.node as usize).is_some_and(|&closed| closed) {
                    self.last = cell;
                }
                open
            } else {
                self.all.pop()?.0
            };
            let node = open.node as usize;
            if self.cells.is_empty() && self.is_closed.is_empty() {
                return Some(open);
            }
            if self.is_closed.len() <= node {
                self.is_closed.resize(node + 1, false);
            }
            if !std::mem::replace(&mut self.is_closed[node], true) {
                return Some(open);
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let cells: usize = self.cells.values().map(BinaryHeap::capacity).sum();
        self.all.capacity() * size_of::<Open<C>>() + cells * size_of::<InCell<C>>() + self.is_closed.capacity()
    }
}
