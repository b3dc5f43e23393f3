//! The exact backward search that fills a pattern database.
//!
//! All tiles outside the group count as empty, so the blank moves among them at no cost. A state is therefore a
//! placement of the group and the connected component of the other cells that contains the blank; every move of a tile
//! of the group costs one. The search runs backwards from the goal by layers. The entry of a placement is the first
//! layer in which any of its components was reached, so that a look-up does not need the blank.
//!
//! Placements are stored by the set of their cells, and within a set by the order of the tiles along the cells. The set
//! alone determines the components, the moves, and the effect of each move on the order. So all placements of a set are
//! expanded together, and a child takes one look-up. On a bipartite board a move changes the parity of the set, so
//! consecutive layers share no set and can use one table. Threads only set bits, so the result does not depend on their
//! order.

use super::MOST_CELLS;
use super::placements::{Placed, Placements};
use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::search::LazyPool;
use crate::sliding_tile::board::{Board, Cell, Tile};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// The greatest number of tiles of a group: the orders of more do not fit into 16 bits.
pub(in super::super::super) const MOST_TILES: usize = 8;

/// The entry of an unvisited placement.
const UNSET: u8 = u8::MAX;

/// Returns the factor of a table's entries: on a bipartite board, the cost of a group beyond the distances of its tiles
/// is even.
pub(super) fn unit(board: &Board) -> u32 {
    if board.is_bipartite() { 2 } else { 1 }
}

/// Fills the table of a group of tiles. Returns `None` if it is stopped, or if the group can split the board into more
/// than eight components.
pub(in super::super::super) fn build(
    board: &Board,
    tiles: &[Tile],
    pool: &LazyPool,
    context: &BuildContext,
) -> Option<Table> {
    let orders = Orders::new(tiles.len());
    let sets = Sets::new(board, tiles.len(), context)?;
    let entries = pool.run(|| search(board, tiles, &orders, &sets, context))?;
    pool.run(|| pack(board, tiles, &orders, &sets, entries, context))
}

/// The orders of the tiles along the cells, by number, and the effect on each when one tile passes others.
struct Orders {
    tiles: usize,
    /// For each order, the tiles by position.
    list: Vec<[u8; MOST_TILES]>,
    /// For the position that a tile leaves and the one it takes, the next order for each order.
    after: Vec<Vec<u16>>,
}

impl Orders {
    fn new(tiles: usize) -> Orders {
        let mut list: Vec<[u8; MOST_TILES]> = vec![[0; MOST_TILES]];
        for tile in 1..tiles {
            let longer = |order: &[u8; MOST_TILES]| {
                let order = *order;
                (0..=tile).map(move |place| {
                    let mut longer = order;
                    longer.copy_within(place..tile, place + 1);
                    longer[place] = tile as u8;
                    longer
                })
            };
            list = list.iter().flat_map(longer).collect();
        }
        list.sort_unstable();
        let moved = |order: &[u8; MOST_TILES], from: usize, to: usize| {
            let mut moved = *order;
            if from < to {
                moved[from..=to].rotate_left(1)
            } else {
                moved[to..=from].rotate_right(1)
            }
            list.binary_search(&moved).expect("every order is listed") as u16
        };
        let places = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let after = places.map(|(from, to)| list.iter().map(|order| moved(order, from, to)).collect()).collect();
        Orders { tiles, list, after }
    }
}

/// The sets of cells that a group can occupy, sorted, with the moves of each.
struct Sets {
    masks: Vec<u64>,
    moves: Vec<Vec<Move>>,
    /// The neighbours of each cell.
    near: Vec<u64>,
    all: u64,
    bipartite: bool,
}

/// A move of a tile of a set to a neighbouring cell.
struct Move {
    /// The bit of the component that must contain the blank.
    blank: u8,
    /// The bit of the component that contains it afterwards.
    left: u8,
    /// The positions that the tile leaves and takes, as one number.
    places: u8,
    /// The set afterwards.
    set: u32,
}

impl Sets {
    fn new(board: &Board, tiles: usize, context: &BuildContext) -> Option<Sets> {
        let cells = board.cells();
        let all = u64::MAX >> (64 - cells);
        let near = (0..cells).map(|cell| board.neighbors(cell).fold(0, |near, next| near | 1 << next)).collect();
        let mut masks = Vec::new();
        // The next greater number with the same number of bits (Gosper 1972).
        let mut mask = (1_u64 << tiles) - 1;
        while mask & !all == 0 {
            masks.push(mask);
            let lowest = mask & mask.wrapping_neg();
            let Some(carried) = mask.checked_add(lowest) else { break };
            mask = carried | (((mask ^ carried) / lowest) >> 2);
        }
        let bipartite = board.is_bipartite();
        let mut sets = Sets { masks, moves: Vec::new(), near, all, bipartite };
        sets.moves = sets
            .masks
            .par_iter()
            .map(|&mask| if context.should_stop() { None } else { sets.moves(mask, tiles) })
            .collect::<Option<_>>()?;
        Some(sets)
    }

    /// Returns the moves of a set, or `None` if it has too many components.
    fn moves(&self, mask: u64, tiles: usize) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        let mut cells = mask;
        while cells != 0 {
            let from = cells.trailing_zeros();
            cells &= cells - 1;
            let mut free = self.near[from as usize] & !mask;
            while free != 0 {
                let to = free.trailing_zeros();
                free &= free - 1;
                let after = mask & !(1 << from) | 1 << to;
                let place = |mask: u64, cell: u32| (mask & ((1 << cell) - 1)).count_ones() as usize;
                moves.push(Move {
                    blank: self.component_bit(mask, to)?,
                    left: self.component_bit(after, from)?,
                    places: (place(mask, from) * tiles + place(after, to)) as u8,
                    set: self.number(after) as u32,
                });
            }
        }
        Some(moves)
    }

    fn number(&self, mask: u64) -> usize {
        self.masks.binary_search(&mask).expect("every set is listed")
    }

    /// Returns the bit of the component of the other cells that contains a cell. Components are ordered by their lowest
    /// cells.
    fn component_bit(&self, mask: u64, cell: u32) -> Option<u8> {
        let mut rest = self.all & !mask;
        for number in 0..8 {
            let part = self.component_of(rest, rest.trailing_zeros());
            if part >> cell & 1 == 1 {
                return Some(1 << number);
            }
            rest &= !part;
        }
        None
    }

    /// Returns the connected component of a cell among the free cells.
    fn component_of(&self, free: u64, cell: u32) -> u64 {
        let (mut component, mut ends) = (0, 1_u64 << cell);
        while ends != 0 {
            component |= ends;
            let mut next = 0;
            while ends != 0 {
                next |= self.near[ends.trailing_zeros() as usize];
                ends &= ends - 1;
            }
            ends = next & free & !component;
        }
        component
    }
}

/// Returns the first layer of each placement, by set and order, or `None` if it was stopped.
fn search(board: &Board, tiles: &[Tile], orders: &Orders, sets: &Sets, context: &BuildContext) -> Option<Vec<u8>> {
    let size = orders.list.len();
    let count = sets.masks.len() * size;
    if !context.fits(4 * count as u64) {
        return None;
    }
    let zeros = |count: usize| (0..count).map(|_| AtomicU8::new(0)).collect::<Vec<_>>();
    let flags = || sets.masks.iter().map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
    // For each placement, the components that the blank has visited, and those that it reached last.
    let visited = zeros(count);
    let layers = [zeros(count), zeros(if sets.bipartite { 0 } else { count })];
    let active = [flags(), flags()];
    let mut entries = vec![UNSET; count];
    let mut done = 0;

    let (set, order, part) = goal(board, tiles, orders, sets)?;
    visited[set * size + order].store(part, Relaxed);
    layers[0][set * size + order].store(part, Relaxed);
    active[0][set].store(true, Relaxed);
    for depth in 0..UNSET {
        let current = usize::from(depth) % 2;
        let (layer, next) =
            if sets.bipartite { (&layers[0], &layers[0]) } else { (&layers[current], &layers[1 - current]) };
        let expand = |(set, entries): (usize, &mut [u8])| {
            if !active[current][set].swap(false, Relaxed) || context.should_stop() {
                return 0;
            }
            let (mut open, mut new) = (Vec::with_capacity(size), 0);
            for (order, entry) in entries.iter_mut().enumerate() {
                let parts = layer[set * size + order].load(Relaxed);
                if parts != 0 {
                    layer[set * size + order].store(0, Relaxed);
                    new += u64::from(*entry == UNSET);
                    *entry = depth.min(*entry);
                    open.push((order as u16, parts));
                }
            }
            for Move { blank, left, places, set } in &sets.moves[set] {
                let (after, base) = (&orders.after[usize::from(*places)], *set as usize * size);
                let (visited, next) = (&visited[base..base + size], &next[base..base + size]);
                let mut reached = false;
                for &(order, parts) in &open {
                    let child = usize::from(after[usize::from(order)]);
                    if parts & blank != 0 && visited[child].load(Relaxed) & left == 0 {
                        visited[child].fetch_or(*left, Relaxed);
                        next[child].fetch_or(*left, Relaxed);
                        reached = true;
                    }
                }
                if reached {
                    active[1 - current][*set as usize].store(true, Relaxed);
                }
            }
            new.max(u64::from(!open.is_empty()))
        };
        let expanded: u64 = entries.par_chunks_mut(size).enumerate().map(expand).sum();
        if context.should_stop() {
            return None;
        }
        if expanded == 0 {
            break;
        }
        done += expanded;
        let what = format!("pattern database of {} tiles", tiles.len());
        context.progress(&Progress { what, done: done.min(count as u64), total: count as u64 });
    }
    Some(entries)
}

/// Returns the set and the order of the goal, and the component of its blank.
fn goal(board: &Board, tiles: &[Tile], orders: &Orders, sets: &Sets) -> Option<(usize, usize, u8)> {
    let mut places: Vec<(Cell, u8)> = (0..).zip(tiles).map(|(number, &tile)| (board.goal_cell(tile), number)).collect();
    places.sort_unstable();
    let mut order = [0; MOST_TILES];
    order.iter_mut().zip(&places).for_each(|(place, &(_, number))| *place = number);
    let mask = places.iter().fold(0, |mask, &(cell, _)| mask | 1 << cell);
    let order = orders.list.binary_search(&order).ok()?;
    Some((sets.number(mask), order, sets.component_bit(mask, board.goal_cell(0))?))
}

/// Returns the table: the cost of each placement beyond the distances of its tiles, two in a byte if all are small
/// enough.
fn pack(
    board: &Board,
    tiles: &[Tile],
    orders: &Orders,
    sets: &Sets,
    mut entries: Vec<u8>,
    context: &BuildContext,
) -> Option<Table> {
    let size = orders.list.len();
    let distances = |&tile: &Tile| {
        let mut distances = [0; MOST_CELLS];
        for cell in 0..board.cells() {
            distances[cell as usize] = board.distance(cell, board.goal_cell(tile)) as u8;
        }
        distances
    };
    let distances: Vec<[u8; MOST_CELLS]> = tiles.iter().map(distances).collect();
    let unit = unit(board);
    // Unreachable placements are never looked up.
    let beyond = |(set, entries): (usize, &mut [u8])| {
        let cells = cells_of(sets.masks[set]);
        let mut most = 0;
        for (order, entry) in orders.list.iter().zip(entries) {
            let placed = order[..orders.tiles].iter().zip(&cells);
            let steps: u32 =
                placed.map(|(&tile, &cell)| u32::from(distances[usize::from(tile)][usize::from(cell)])).sum();
            *entry = if *entry == UNSET { 0 } else { (u32::from(*entry).saturating_sub(steps) / unit) as u8 };
            most = most.max(*entry);
        }
        most
    };
    let most = entries.par_chunks_mut(size).enumerate().map(beyond).max().unwrap_or(0);
    let nibbles = most < 16;
    let placements = Placements::new(board.cells() as usize, orders.tiles);
    let bytes = if nibbles { entries.len().div_ceil(2) } else { entries.len() };
    let packed: Vec<AtomicU8> = (0..bytes).map(|_| AtomicU8::new(0)).collect();
    let scatter = |(set, entries): (usize, &[u8])| {
        if context.should_stop() {
            return None;
        }
        let cells = cells_of(sets.masks[set]);
        for (order, &entry) in orders.list.iter().zip(entries).filter(|&(_, &entry)| entry != 0) {
            let placed = order[..orders.tiles].iter().zip(&cells);
            let placed = placed.fold(0, |placed, (&tile, &cell)| placed | Placed::from(cell) << (8 * tile));
            let rank = placements.rank(placed) as usize;
            if nibbles {
                packed[rank / 2].fetch_or(entry << (rank % 2 * 4), Relaxed);
            } else {
                packed[rank].store(entry, Relaxed);
            }
        }
        Some(())
    };
    entries.par_chunks(size).enumerate().map(scatter).collect::<Option<()>>()?;
    drop(entries);
    Some(Table::new(Bytes::Owned(packed.into_iter().map(AtomicU8::into_inner).collect()), nibbles))
}

/// Returns the cells of a set, in ascending order.
fn cells_of(mut mask: u64) -> [u8; MOST_TILES] {
    let mut cells = [0; MOST_TILES];
    for cell in &mut cells {
        *cell = mask.trailing_zeros() as u8;
        mask &= mask.wrapping_sub(1);
    }
    cells
}
