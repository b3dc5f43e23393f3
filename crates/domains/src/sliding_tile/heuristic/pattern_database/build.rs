//! The exact backward search that fills a pattern database.
//!
//! All tiles outside the group count as empty, so the blank moves among them at no cost. A state is therefore a
//! placement of the group and the connected component of the other cells that contains the blank; every move of a tile
//! of the group costs one. The search runs backwards from the goal by layers. The entry of a placement is the first
//! layer in which any of its components was reached, so that a look-up does not need the blank.
//!
//! A placement is a set of cells and an order of the tiles along them. The set alone determines the components, the
//! moves, and the effect of each move on the order. So the search takes a set with one of its components, a *block*, as
//! a whole: the visited orders are bits, a move in which the tile passes no other copies them word by word, and another
//! move permutes them. Each block collects from the blocks before it, so no two threads write to the same words.
//!
//! - `sets`: the sets of cells, their blocks and moves;
//! - `orders`: the orders of the tiles and their permutations.

mod orders;
mod sets;

use super::MOST_CELLS;
use super::placements::{MOST_TILES, Placements};
use crate::domain::table::{Bytes, Table};
use crate::domain::{BuildContext, Progress};
use crate::search::LazyPool;
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use orders::{Orders, bits};
use rayon::prelude::*;
use sets::Sets;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Returns the factor of a table's entries: on a bipartite board, the cost of a group beyond the distances of its tiles
/// is even.
pub(super) fn unit(board: &TileBoard) -> u32 {
    if board.is_bipartite() { 2 } else { 1 }
}

/// Fills the table of a group of tiles. Returns `None` if it is stopped.
pub(in super::super::super) fn build(
    board: &TileBoard,
    tiles: &[Tile],
    pool: &LazyPool,
    context: &BuildContext,
) -> Option<Table> {
    pool.run(|| {
        let orders = Orders::new(tiles.len());
        let sets = Sets::new(board, tiles.len(), context)?;
        Some(pack(search(board, tiles, &orders, &sets, context)?))
    })
}

/// A layer of the search: the orders that were reached in each block, and the blocks with any. The words of the others
/// are stale.
struct Layer {
    reached: Vec<u64>,
    active: Vec<bool>,
}

/// Returns the cost of each placement beyond the distances of its tiles, by rank, or `None` if it was stopped.
fn search(board: &TileBoard, tiles: &[Tile], orders: &Orders, sets: &Sets, context: &BuildContext) -> Option<Vec<u8>> {
    let placing = Placing::new(board, tiles, orders);
    let (words, blocks) = (orders.words(), sets.blocks());
    let count = sets.masks.len() * orders.list.len();
    if !context.fits((count + 8 * words * (3 * blocks + sets.masks.len())) as u64) {
        return None;
    }
    let layer = || Layer { reached: vec![0; blocks * words], active: vec![false; blocks] };
    let (mut current, mut next) = (layer(), layer());
    let mut visited = vec![0_u64; blocks * words];
    // The placements that were reached with any component, by set.
    let mut entered = vec![0_u64; sets.masks.len() * words];
    // Unreachable placements are never looked up.
    let entries: Vec<AtomicU8> = (0..count).map(|_| AtomicU8::new(0)).collect();

    let (set, order, block) = goal(board, tiles, orders, sets)?;
    for (bits, number) in [(&mut visited, block), (&mut current.reached, block), (&mut entered, set)] {
        bits[number * words + order / 64] |= 1 << (order % 64);
    }
    current.active[block] = true;
    let mut done = 1;
    for depth in 1..u8::MAX {
        let expand = |block: usize, next: &mut [u64], is_active: &mut bool, visited: &mut [u64]| {
            *is_active = false;
            let moves = sets.moves(block).iter().filter(|each_move| current.active[each_move.from as usize]);
            for each_move in moves {
                if !*is_active {
                    next.fill(0);
                    *is_active = true;
                }
                let from = each_move.from as usize * words;
                orders.add_moved(next, &current.reached[from..from + words], each_move.places);
            }
            if *is_active && !context.should_stop() {
                let mut any = 0;
                for (next, visited) in next.iter_mut().zip(visited) {
                    *next &= !*visited;
                    *visited |= *next;
                    any |= *next;
                }
                *is_active = any != 0;
            }
        };
        let targets = next.reached.par_chunks_mut(words).zip(&mut next.active).zip(visited.par_chunks_mut(words));
        targets.enumerate().for_each(|(block, ((next, is_active), visited))| expand(block, next, is_active, visited));
        let enter = |(set, entered): (usize, &mut [u64])| {
            let blocks = sets.first_block[set] as usize..sets.first_block[set + 1] as usize;
            let active = || blocks.clone().filter(|&block| next.active[block]);
            if active().next().is_none() {
                return 0;
            }
            let (mut new, place) = (0, placing.on(sets.masks[set]));
            for (word, entered) in entered.iter_mut().enumerate() {
                let reached = active().fold(0, |reached, block| reached | next.reached[block * words + word]);
                for order in bits(reached & !*entered) {
                    let (rank, distances) = place(64 * word + order);
                    entries[rank].store((u32::from(depth).saturating_sub(distances) / placing.unit) as u8, Relaxed);
                    new += 1;
                }
                *entered |= reached;
            }
            new
        };
        done += entered.par_chunks_mut(words).enumerate().map(enter).sum::<u64>();
        if context.should_stop() {
            return None;
        }
        // With other components alone there is nothing to enter.
        if done == count as u64 || !next.active.contains(&true) {
            break;
        }
        std::mem::swap(&mut current, &mut next);
        let what = format!("pattern database of {} tiles", tiles.len());
        context.progress(&Progress { what, done, total: count as u64 });
    }
    Some(entries.into_iter().map(AtomicU8::into_inner).collect())
}

/// The ranks of placements by set and order, and the distances of their tiles.
///
/// A digit of a rank is the tile's cell minus the number of earlier tiles on lower cells, and this number depends on
/// the order alone. So both are sums over the tiles, of terms for a tile and its cell.
struct Placing<'a> {
    orders: &'a Orders,
    /// For each tile, what it adds on each cell: the rank in the low half, the distance in the high half.
    terms: Vec<[u64; MOST_CELLS]>,
    /// For each order, what is subtracted from the rank.
    earlier: Vec<u64>,
    unit: u32,
}

impl Placing<'_> {
    fn new<'a>(board: &TileBoard, tiles: &[Tile], orders: &'a Orders) -> Placing<'a> {
        let placements = Placements::new(board.cells() as usize, tiles.len());
        let terms = |(number, &tile): (usize, &Tile)| {
            let mut terms = [0; MOST_CELLS];
            for cell in 0..board.cells() {
                let distance = u64::from(board.distance(cell, board.goal_cell(tile)));
                terms[cell as usize] = distance << 32 | (u64::from(cell) * u64::from(placements.weight(number)));
            }
            terms
        };
        let earlier = |order: &[u8; MOST_TILES]| {
            let order = &order[..tiles.len()];
            let lower = |at: usize| order[..at].iter().filter(|&&other| other < order[at]).count() as u64;
            (0..tiles.len()).map(|at| lower(at) * u64::from(placements.weight(usize::from(order[at])))).sum()
        };
        Placing {
            terms: tiles.iter().enumerate().map(terms).collect(),
            earlier: orders.list.iter().map(earlier).collect(),
            orders,
            unit: unit(board),
        }
    }

    /// Returns the function from orders on a set of cells to the rank and the distances.
    fn on(&self, mask: u64) -> impl Fn(usize) -> (usize, u32) {
        let mut terms = [[0; MOST_TILES]; MOST_TILES];
        for (terms, cell) in terms.iter_mut().zip(bits(mask)) {
            terms.iter_mut().zip(&self.terms).for_each(|(term, of_tile)| *term = of_tile[cell]);
        }
        move |order| {
            let tiles = &self.orders.list[order];
            // Not an iterator, which test builds call for each placement.
            let term = |place: usize| terms[place][usize::from(tiles[place]) % MOST_TILES];
            let sum = term(0) + term(1) + term(2) + term(3) + term(4) + term(5) + term(6) + term(7);
            let both = sum - self.earlier[order];
            (both as u32 as usize, (both >> 32) as u32)
        }
    }
}

/// Returns the set and the order of the goal, and the block with its blank.
fn goal(board: &TileBoard, tiles: &[Tile], orders: &Orders, sets: &Sets) -> Option<(usize, usize, usize)> {
    let mut places: Vec<(Cell, u8)> = (0..).zip(tiles).map(|(number, &tile)| (board.goal_cell(tile), number)).collect();
    places.sort_unstable();
    let mut order = [0; MOST_TILES];
    order.iter_mut().zip(&places).for_each(|(place, &(_, number))| *place = number);
    let set = sets.number(places.iter().fold(0, |mask, &(cell, _)| mask | 1 << cell));
    let order = orders.list.binary_search(&order).ok()?;
    Some((set, order, sets.block(set, board.goal_cell(0)) as usize))
}

/// Returns the table of these entries, two in a byte if all are small enough.
fn pack(entries: Vec<u8>) -> Table {
    let nibbles = entries.par_iter().all(|&entry| entry < 16);
    let bytes = if nibbles {
        entries.par_chunks(2).map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 4).collect()
    } else {
        entries
    };
    Table::new(Bytes::Owned(bytes), nibbles)
}
