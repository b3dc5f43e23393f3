//! A finite automaton that prunes duplicate move sequences (Taylor and Korf 1993): every sequence that it rejects has
//! an equivalent one that is shorter, or as short and earlier in the order of the moves.
//!
//! All paths of the blank from each cell are enumerated to some depth. A path that ends in the same board as an earlier
//! one is a duplicate, and so is every longer path that contains it. Of all cheapest paths, the first in the order of
//! the moves is always kept. The duplicates are compiled into one automaton (Aho and Corasick 1975) over the cells of
//! the blank: unlike one over directions, it accounts for the edges.

use super::board::{Board, Cell};
use super::surface::Surface;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The greatest number of cells of a board that has an automaton.
pub(super) const MOST_CELLS: Cell = 64;

/// The greatest size of a layer of the enumeration, in paths times cells.
const MOST_LAYER_SIZE: usize = 1 << 19;

/// The greatest length of the duplicates.
const LONGEST: usize = 10;

/// The transition of a duplicate: it has no next state.
const DUPLICATE: u32 = u32::MAX;

/// The states are the proper prefixes of duplicates; the first ones are the empty prefixes, by the cell of the blank.
pub(super) struct Automaton {
    /// The next state, by state and direction.
    next: Vec<[u32; 4]>,
    /// The number of the direction from each cell to each neighbour.
    directions: Vec<u8>,
}

/// A prefix of a duplicate: a path of the blank to a cell.
struct Prefix {
    cell: Cell,
    /// The longest proper suffix that is also a prefix of a duplicate.
    suffix: u32,
    children: [u32; 4],
}

/// A path of the blank from one cell.
struct BlankPath {
    board: Vec<u8>,
    /// The numbers of the directions.
    steps: Vec<u8>,
    blank: Cell,
}

impl Automaton {
    /// Builds the automaton of the duplicates of up to `depth` moves on this board.
    pub fn new(board: &Board, depth: usize) -> Automaton {
        let cells = board.cells();
        let near: Vec<Vec<Cell>> = (0..cells).map(|cell| board.neighbors(cell).collect()).collect();
        let mut directions = vec![0; (MOST_CELLS * MOST_CELLS) as usize];
        for (cell, neighbors) in (0..).zip(&near) {
            for (number, &next) in (0..).zip(neighbors) {
                directions[(cell * MOST_CELLS + next) as usize] = number;
            }
        }
        let mut prefixes: Vec<Prefix> =
            (0..cells).map(|cell| Prefix { cell, suffix: DUPLICATE, children: [0; 4] }).collect();
        let mut is_duplicate = vec![false; prefixes.len()];
        for cell in 0..cells {
            for steps in duplicates(cell, &near, depth) {
                let mut at = cell as usize;
                for step in steps {
                    let step = usize::from(step);
                    if prefixes[at].children[step] == 0 {
                        prefixes[at].children[step] = prefixes.len() as u32;
                        let cell = near[prefixes[at].cell as usize][step];
                        prefixes.push(Prefix { cell, suffix: DUPLICATE, children: [0; 4] });
                        is_duplicate.push(false);
                    }
                    at = prefixes[at].children[step] as usize;
                }
                is_duplicate[at] = true;
            }
        }
        let next = link(&mut prefixes, &mut is_duplicate, &near);
        Automaton { next, directions }
    }

    /// Returns its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.next.len() * size_of::<[u32; 4]>() + self.directions.len()) as u64
    }

    /// Returns the state before any move, with the blank on this cell.
    pub fn start(blank: Cell) -> u32 {
        blank
    }

    /// Returns the state after the blank has moved from one cell to the next, or `None` for a duplicate.
    #[inline]
    pub fn follow(&self, state: u32, from: Cell, to: Cell) -> Option<u32> {
        let direction = self.directions[((from * MOST_CELLS + to) & (MOST_CELLS * MOST_CELLS - 1)) as usize];
        let next = self.next[state as usize][usize::from(direction & 3)];
        (next != DUPLICATE).then_some(next)
    }
}

/// The automata that were built in this run.
static CACHED: Mutex<Vec<(Shape, Arc<Automaton>)>> = Mutex::new(Vec::new());

/// Everything that an automaton depends on.
type Shape = (Cell, Cell, Surface);

/// Returns the automaton of a board, which is built once in a run, or `None` for boards with many cells.
pub(super) fn of(board: &Board) -> Option<Arc<Automaton>> {
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

/// Returns the minimal duplicates: paths from a cell that end in the same board as an earlier one, and have no proper
/// suffix of that kind.
fn duplicates(start: Cell, near: &[Vec<Cell>], depth: usize) -> Vec<Vec<u8>> {
    let board: Vec<u8> = (0..near.len() as u8).collect();
    let mut visited = FxHashMap::from_iter([(board.clone(), ())]);
    let mut layer = vec![BlankPath { board, steps: Vec::new(), blank: start }];
    let mut found = Vec::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        for path in &layer {
            for (step, &to) in (0..).zip(&near[path.blank as usize]) {
                let mut board = path.board.clone();
                board.swap(path.blank as usize, to as usize);
                let steps: Vec<u8> = path.steps.iter().copied().chain([step]).collect();
                match visited.entry(board) {
                    Entry::Occupied(_) => found.push(steps),
                    Entry::Vacant(entry) => {
                        next.push(BlankPath { board: entry.key().clone(), steps, blank: to });
                        entry.insert(());
                    }
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
