//! A finite automaton that prunes duplicate move sequences (Taylor and Korf 1993): every sequence that it rejects has
//! an equivalent one that is shorter, or as short and earlier in the order of the moves.
//!
//! All paths of the blank from each cell are enumerated to some depth. A path that ends in the same board as an earlier
//! one is a duplicate, and so is every longer path that contains it. Of all cheapest paths, the first in the order of
//! the moves is always kept. The duplicates are compiled into one automaton (Aho and Corasick 1975) over the cells of
//! the blank: unlike one over directions, it accounts for the edges.
//!
//! Prefixes that go on alike are merged: on 5x5 cells, 9,000 of 278,000 states are left. A depth-first search reads a
//! state for every child, and the larger automaton does not fit into the caches.

use super::board::{Cell, TileBoard};
use super::surface::Surface;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The greatest number of cells of a board that has an automaton.
pub(super) const MOST_CELLS: Cell = 64;

/// The number of pairs of cells.
const PAIRS: usize = (MOST_CELLS * MOST_CELLS) as usize;

/// The greatest size of a layer of the enumeration, in paths times cells.
const MOST_LAYER_SIZE: usize = 1 << 19;

/// The greatest length of the duplicates.
const LONGEST: usize = 10;

/// The transition of a duplicate: it has no next state.
const DUPLICATE: u32 = u32::MAX;

/// The mark of such transitions after merging.
const PRUNED: u16 = u16::MAX;

/// The states are the proper prefixes of duplicates, merged; the first ones are the empty prefixes, by the cell of the
/// blank.
pub(super) struct Automaton {
    /// The next state, by state and direction.
    next: Vec<[u16; 4]>,
    /// The number of the direction from each cell to each neighbour: not in a vector, which costs a look-up more.
    directions: [u8; PAIRS],
}

/// A prefix of a duplicate: a path of the blank to a cell.
struct Prefix {
    cell: Cell,
    /// The longest proper suffix that is also a prefix of a duplicate.
    suffix: u32,
    children: [u32; 4],
}

/// The tiles of a board, six bits each, ten in a word.
type Packed<const WORDS: usize> = [u64; WORDS];

/// The number of tiles in a word.
const TILES: usize = 10;

/// A path of the blank from one cell.
#[derive(Clone, Copy)]
struct BlankPath<const WORDS: usize> {
    board: Packed<WORDS>,
    steps: Steps,
    blank: Cell,
}

/// The numbers of some directions.
#[derive(Clone, Copy, Default)]
struct Steps {
    steps: [u8; LONGEST],
    length: u8,
}

impl Steps {
    fn then(mut self, step: usize) -> Steps {
        self.steps[usize::from(self.length)] = step as u8;
        self.length += 1;
        self
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().take(self.length.into()).map(|&step| step.into())
    }
}

impl Automaton {
    /// Builds the automaton of the duplicates of up to `depth` moves on this board, or of fewer moves if it has too
    /// many states.
    pub fn new(board: &TileBoard, depth: usize) -> Automaton {
        let fewer = || Automaton::new(board, depth - 1);
        Automaton::of_depth(board, depth).unwrap_or_else(fewer)
    }

    /// Builds the automaton, or returns `None` if it has too many states.
    fn of_depth(board: &TileBoard, depth: usize) -> Option<Automaton> {
        let cells = board.cells();
        let near = near(board);
        let mut directions = [0; PAIRS];
        for (cell, neighbors) in (0..).zip(&near) {
            for (number, &next) in (0..).zip(neighbors) {
                directions[(cell * MOST_CELLS + next) as usize] = number;
            }
        }
        let next = merge(&transitions(&near, depth), cells as usize)?;
        Some(Automaton { next, directions })
    }

    /// Returns its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.next.len() * size_of::<[u16; 4]>() + self.directions.len()) as u64
    }

    /// Returns the state before any move, with the blank on this cell.
    pub fn start(blank: Cell) -> u32 {
        blank
    }

    /// Returns the state after the blank has moved from one cell to the next, or `None` for a duplicate.
    #[inline]
    pub fn follow(&self, state: u32, from: Cell, to: Cell) -> Option<u32> {
        let direction = self.directions[((from * MOST_CELLS + to) as usize) % PAIRS];
        let next = self.next[state as usize][usize::from(direction & 3)];
        (next != PRUNED).then_some(next.into())
    }
}

/// The automata that were built in this run.
static CACHED: Mutex<Vec<(Shape, Arc<Automaton>)>> = Mutex::new(Vec::new());

/// Everything that an automaton depends on.
type Shape = (Cell, Cell, Surface);

/// Returns the automaton of a board, which is built once in a run, or `None` for boards with many cells.
pub(super) fn of(board: &TileBoard) -> Option<Arc<Automaton>> {
    if board.cells() > MOST_CELLS {
        return None;
    }
    let shape = (board.rows, board.columns, board.surface);
    let mut cached = CACHED.lock();
    if let Some((_, automaton)) = cached.iter().find(|(its, _)| *its == shape) {
        return Some(Arc::clone(automaton));
    }
    let automaton = Arc::new(Automaton::new(board, LONGEST));
    cached.push((shape, Arc::clone(&automaton)));
    Some(automaton)
}

/// Returns the neighbours of each cell.
fn near(board: &TileBoard) -> Vec<Vec<Cell>> {
    (0..board.cells()).map(|cell| board.neighbors(cell).collect()).collect()
}

/// Returns the transitions of the automaton before merging: its states are the proper prefixes of the duplicates of up
/// to `depth` moves, each after shorter ones.
fn transitions(near: &[Vec<Cell>], depth: usize) -> Vec<[u32; 4]> {
    let cells = near.len();
    let empty = |cell| Prefix { cell, suffix: DUPLICATE, children: [0; 4] };
    let mut prefixes: Vec<Prefix> = (0..cells as Cell).map(empty).collect();
    let mut is_duplicate = vec![false; prefixes.len()];
    for cell in 0..cells {
        let duplicates = match cells {
            ..=20 => duplicates::<2>(cell as Cell, near, depth),
            21..=30 => duplicates::<3>(cell as Cell, near, depth),
            _ => duplicates::<7>(cell as Cell, near, depth),
        };
        for steps in duplicates {
            let mut at = cell;
            for step in steps.iter() {
                if prefixes[at].children[step] == 0 {
                    prefixes[at].children[step] = prefixes.len() as u32;
                    prefixes.push(empty(near[prefixes[at].cell as usize][step]));
                    is_duplicate.push(false);
                }
                at = prefixes[at].children[step] as usize;
            }
            is_duplicate[at] = true;
        }
    }
    link(&mut prefixes, &mut is_duplicate, near)
}

/// Returns the minimal duplicates: paths from a cell that end in the same board as an earlier one, and have no proper
/// suffix of that kind.
fn duplicates<const WORDS: usize>(start: Cell, near: &[Vec<Cell>], depth: usize) -> Vec<Steps> {
    let place = |cell: Cell| (cell as usize / TILES, cell as usize % TILES * 6);
    let mut board = [0; WORDS];
    for cell in 0..near.len() as Cell {
        board[place(cell).0] |= u64::from(cell) << place(cell).1;
    }
    let swapped = |mut board: Packed<WORDS>, one: Cell, other: Cell| {
        let ((one, one_bit), (other, other_bit)) = (place(one), place(other));
        let differs = (board[one] >> one_bit ^ board[other] >> other_bit) & 63;
        board[one] ^= differs << one_bit;
        board[other] ^= differs << other_bit;
        board
    };
    let mut visited = FxHashSet::from_iter([board]);
    let mut layer = vec![BlankPath { board, steps: Steps::default(), blank: start }];
    let mut found = Vec::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        for path in &layer {
            for (step, &to) in near[path.blank as usize].iter().enumerate() {
                let (board, steps) = (swapped(path.board, path.blank, to), path.steps.then(step));
                if visited.insert(board) {
                    next.push(BlankPath { board, steps, blank: to });
                } else {
                    found.push(steps);
                }
            }
        }
        if next.len() * near.len() > MOST_LAYER_SIZE {
            break;
        }
        layer = next;
    }
    found
}

/// Returns the transitions: along the prefixes, or, where these end, from their longest suffixes.
fn link(prefixes: &mut [Prefix], is_duplicate: &mut [bool], near: &[Vec<Cell>]) -> Vec<[u32; 4]> {
    let mut next = vec![[DUPLICATE; 4]; prefixes.len()];
    let mut queue: VecDeque<usize> = (0..near.len()).collect();
    while let Some(at) = queue.pop_front() {
        let Prefix { cell, suffix, children } = prefixes[at];
        if suffix != DUPLICATE && is_duplicate[suffix as usize] {
            is_duplicate[at] = true;
        }
        for (step, &to) in near[cell as usize].iter().enumerate() {
            // If no longer suffix continues, an empty path begins here.
            let shorter = if suffix == DUPLICATE { to } else { next[suffix as usize][step] };
            if children[step] == 0 {
                next[at][step] = shorter;
            } else {
                next[at][step] = children[step];
                prefixes[children[step] as usize].suffix = shorter;
                queue.push_back(children[step] as usize);
            }
        }
    }
    for links in &mut next {
        for link in links {
            if *link != DUPLICATE && is_duplicate[*link as usize] {
                *link = DUPLICATE;
            }
        }
    }
    next
}

/// Merges states with the same transitions, as long as there are any, except the first `fixed` ones. Returns `None` if
/// too many are left.
fn merge(next: &[[u32; 4]], fixed: usize) -> Option<Vec<[u16; 4]>> {
    // The state that each one was merged into, and the states that are left. Longer prefixes come after shorter ones,
    // and merging those first lets more of the shorter ones be alike in the same pass.
    let mut into: Vec<u32> = (0..next.len() as u32).collect();
    let mut left: Vec<u32> = (0..next.len() as u32).collect();
    loop {
        let before = left.len();
        let mut alike = FxHashMap::default();
        let mut kept = Vec::new();
        for &state in left.iter().rev() {
            let row = next[state as usize].map(|link| if link == DUPLICATE { link } else { into[link as usize] });
            match alike.entry(row) {
                Entry::Occupied(entry) if state as usize >= fixed => into[state as usize] = *entry.get(),
                Entry::Occupied(_) => kept.push(state),
                Entry::Vacant(entry) => {
                    entry.insert(state);
                    kept.push(state);
                }
            }
        }
        kept.reverse();
        left = kept;
        // A state may have been merged into one that was merged later.
        for state in 0..into.len() {
            into[state] = into[into[state] as usize];
        }
        if left.len() == before {
            break;
        }
    }
    let numbers: FxHashMap<u32, u16> = left.iter().copied().zip(0..PRUNED).collect();
    let number = |link: u32| if link == DUPLICATE { PRUNED } else { numbers[&into[link as usize]] };
    (left.len() <= usize::from(PRUNED)).then(|| left.iter().map(|&state| next[state as usize].map(number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding_tile::board::TileGoal;

    #[test]
    fn merging_keeps_every_decision_and_most_states_are_merged() {
        for (rows, columns, surface, depth) in [
            (3, 3, Surface::Plane, 10),
            (4, 4, Surface::Plane, 8),
            (3, 4, Surface::Torus, 7),
            (5, 7, Surface::Plane, 6),
        ] {
            let board = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
            let (near, automaton) = (near(&board), Automaton::new(&board, depth));
            let all = transitions(&near, depth);
            assert!(automaton.next.len() * 4 < all.len(), "{} of {} states", automaton.next.len(), all.len());
            // Every path of a few moves, with the state in both.
            let mut paths: Vec<(Cell, u32, u32)> =
                (0..board.cells()).map(|cell| (cell, cell, Automaton::start(cell))).collect();
            let mut pruned = 0;
            for _ in 0..depth.min(8) {
                let mut longer = Vec::new();
                for (blank, state, merged) in paths {
                    for (direction, &to) in near[blank as usize].iter().enumerate() {
                        let next = Some(all[state as usize][direction]).filter(|&next| next != DUPLICATE);
                        let also = automaton.follow(merged, blank, to);
                        assert_eq!(next.is_some(), also.is_some());
                        pruned += usize::from(next.is_none());
                        longer.extend(next.zip(also).map(|(next, also)| (to, next, also)));
                    }
                }
                paths = longer;
            }
            assert!(pruned > 100);
        }
    }
}
