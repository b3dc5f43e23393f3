//! Open states by novelty, in two kinds of queues that take turns.
//!
//! One queue has all open states. Beside it, each cell of the space of features has a queue of its own, and the cells
//! take turns (Shoham and Schaeffer, The FESS algorithm: a feature based approach to single-agent search, 2020). So the
//! search goes on from the states that have come furthest in some respect, even if h is less elsewhere. A search that
//! takes turns needs at most about twice the states of the better order (Röger and Helmert, The more, the merrier:
//! combining heuristic estimators for satisficing planning, 2010).

use super::Rank;
use crate::search::node_table::Node;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::ops::Bound::{Excluded, Unbounded};

/// An open state, in the order of expansion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Open<C> {
    pub novelty: u8,
    pub h: C,
    pub g: C,
    pub node: Node,
}

/// A queue whose least element is the first.
type Least<T> = BinaryHeap<Reverse<T>>;

/// The queues of open states.
pub(super) struct Queues<C> {
    /// The states that wait for their rank, with g and h, in the order of arrival.
    waiting: VecDeque<(Node, C, C)>,
    all: Least<Open<C>>,
    /// Of each cell, the states with their novelty there.
    cells: BTreeMap<u64, Least<(u8, Open<C>)>>,
    /// The cell that had the last turn.
    last: u64,
    /// True if a cell is next.
    is_turn_of_cell: bool,
    has_cells: bool,
    /// The states that were expanded from one of their queues, if there are cells.
    is_closed: Vec<bool>,
    /// The bytes of all queues.
    bytes: usize,
}

impl<C: Ord + Copy> Queues<C> {
    pub fn new() -> Queues<C> {
        Queues {
            waiting: VecDeque::new(),
            all: BinaryHeap::new(),
            cells: BTreeMap::new(),
            last: 0,
            is_turn_of_cell: false,
            has_cells: false,
            is_closed: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds a state that is to be expanded, also if it was before, as soon as it has a rank.
    pub fn add(&mut self, node: Node, g: C, h: C) {
        self.waiting.push_back((node, g, h));
    }

    /// Appends the first `most` states that wait for their rank, each with its h.
    #[inline]
    pub fn unranked(&self, most: usize, into: &mut Vec<(Node, C)>) {
        into.extend(self.waiting.iter().take(most).map(|&(node, _, h)| (node, h)));
    }

    /// Opens this state with its rank.
    pub fn rank(&mut self, rank: Rank) {
        let Some((node, g, h)) = self.waiting.pop_front() else { return };
        if let Some(is_closed) = self.is_closed.get_mut(node as usize) {
            *is_closed = false;
        }
        let open = Open { novelty: rank.novelty, h, g, node };
        self.bytes += push(&mut self.all, open);
        if let Some((cell, novelty)) = rank.cell {
            self.has_cells = true;
            self.bytes += push(self.cells.entry(cell).or_default(), (novelty, open));
        }
    }

    /// Takes the next state that was not expanded yet. A state is stale if a cheaper path to it is open, too.
    pub fn pop(&mut self, is_stale: impl Fn(&Open<C>) -> bool) -> Option<Open<C>> {
        self.is_turn_of_cell = !self.is_turn_of_cell;
        loop {
            let of_cell = if self.is_turn_of_cell { self.pop_of_cell() } else { None };
            let (open, cell) = match of_cell {
                Some((open, cell)) => (open, Some(cell)),
                None => (self.all.pop()?.0, None),
            };
            if is_stale(&open) || self.is_closed.get(open.node as usize).is_some_and(|&is_closed| is_closed) {
                continue;
            }
            if let Some(cell) = cell {
                self.last = cell;
            }
            if self.has_cells {
                self.is_closed.resize(self.is_closed.len().max(open.node as usize + 1), false);
                self.is_closed[open.node as usize] = true;
            }
            return Some(open);
        }
    }

    /// Takes the first state of the next cell in turn, and names the cell.
    fn pop_of_cell(&mut self) -> Option<(Open<C>, u64)> {
        let next = self.cells.range((Excluded(self.last), Unbounded)).next();
        let (&cell, _) = next.or_else(|| self.cells.first_key_value())?;
        let queue = self.cells.get_mut(&cell)?;
        let Reverse((_, open)) = queue.pop()?;
        if queue.is_empty() {
            self.bytes -= bytes_of(queue);
            self.cells.remove(&cell);
        }
        Some((open, cell))
    }

    pub fn bytes(&self) -> usize {
        self.bytes + self.is_closed.capacity() + self.waiting.capacity() * size_of::<(Node, C, C)>()
    }
}

/// Adds an element to a queue; returns by how many bytes that grows.
fn push<T: Ord>(queue: &mut Least<T>, element: T) -> usize {
    let before = bytes_of(queue);
    queue.push(Reverse(element));
    bytes_of(queue) - before
}

fn bytes_of<T>(queue: &Least<T>) -> usize {
    queue.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests {
    use super::{Queues, Rank};

    /// Opens a state.
    fn open(queues: &mut Queues<u32>, (node, g, h): (u32, u32, u32), novelty: u8, cell: Option<(u64, u8)>) {
        queues.add(node, g, h);
        let mut waiting = Vec::new();
        queues.unranked(2, &mut waiting);
        assert_eq!(waiting, [(node, h)]);
        queues.rank(Rank { novelty, cell });
    }

    #[test]
    fn cells_and_the_common_queue_take_turns_and_give_each_state_once() {
        let mut queues: Queues<u32> = Queues::new();
        for (node, h, cell) in [(0, 1, 1), (1, 2, 1), (2, 3, 2), (3, 4, 3), (4, 5, 3)] {
            open(&mut queues, (node, 0, h), 1, Some((cell, 1)));
        }
        let order: Vec<u32> = std::iter::from_fn(|| queues.pop(|_| false)).map(|open| open.node).collect();
        assert_eq!(order, [0, 1, 2, 3, 4], "first of cell 1, of all, of cell 2, of all, of cell 3");
        open(&mut queues, (2, 0, 1), 1, None);
        assert_eq!(
            queues.pop(|_| false).map(|open| open.node),
            Some(2),
            "a state that is added again is expanded again"
        );
        assert!(queues.pop(|_| false).is_none(), "nothing is left");
    }

    #[test]
    fn a_state_to_which_a_cheaper_path_is_found_is_not_lost() {
        let mut queues: Queues<u32> = Queues::new();
        open(&mut queues, (0, 5, 1), 1, Some((1, 1)));
        // Its features are no longer new, so the cheaper path comes later in each queue.
        open(&mut queues, (0, 2, 1), 3, Some((1, 3)));
        assert_eq!(queues.pop(|open| open.g > 2).map(|open| open.g), Some(2), "the stale state closes nothing");
        assert!(queues.pop(|open| open.g > 2).is_none(), "it is expanded once");
    }

    #[test]
    fn a_cell_is_ordered_by_the_novelty_in_it() {
        let mut queues: Queues<u32> = Queues::new();
        for (node, novelty) in [(0, 2), (1, 1)] {
            open(&mut queues, (node, 0, node), 1, Some((4, novelty)));
        }
        assert_eq!(
            queues.pop(|_| false).map(|open| open.node),
            Some(1),
            "the state with the least novelty in its cell"
        );
    }
}
