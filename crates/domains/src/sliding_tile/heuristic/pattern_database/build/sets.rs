//! The sets of cells that a group can occupy, the connected components of the other cells, and the moves between them.

use super::orders::bits;
use crate::domain::BuildContext;
use crate::sliding_tile::board::TileBoard;
use rayon::prelude::*;

/// The sets, sorted. A *block* is a set with one of its components, in which the blank is. Blocks are numbered by set,
/// and within a set by the lowest cell of the component.
pub(super) struct Sets {
    pub masks: Vec<u64>,
    /// The number of the first block of each set, and the number of all blocks.
    pub first_block: Vec<u32>,
    /// The component of each block.
    components: Vec<u64>,
    /// The number of the first move to each block, and the number of all moves.
    first_move: Vec<u32>,
    moves: Vec<Move>,
    /// The neighbours of each cell.
    near: Vec<u64>,
}

/// A move of a tile to a neighbouring cell, which leads to a block.
pub(super) struct Move {
    /// The block before.
    pub from: u32,
    /// The positions that the tile leaves and takes, as one number.
    pub places: u8,
}

impl Sets {
    /// Lists the sets, or returns `None` if it is stopped.
    pub fn new(board: &TileBoard, tiles: usize, context: &BuildContext) -> Option<Sets> {
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
        let mut sets =
            Sets { masks, first_block: vec![0], components: Vec::new(), first_move: vec![0], moves: Vec::new(), near };
        for components in sets.collect(context, sets.masks.len(), |set| sets.components_of(all & !sets.masks[set]))? {
            sets.components.extend(components);
            sets.first_block.push(sets.components.len() as u32);
        }
        let moves = sets.collect(context, sets.masks.len(), |set| {
            let blocks = sets.first_block[set]..sets.first_block[set + 1];
            blocks.map(|block| sets.moves_to(set, block, tiles)).collect::<Vec<_>>()
        })?;
        for moves in moves.into_iter().flatten() {
            sets.moves.extend(moves);
            sets.first_move.push(sets.moves.len() as u32);
        }
        Some(sets)
    }

    /// Computes something for each number below `count`, or returns `None` if it is stopped.
    fn collect<T: Send>(&self, context: &BuildContext, count: usize, of: impl Fn(usize) -> T + Sync) -> Option<Vec<T>> {
        (0..count).into_par_iter().map(|number| (!context.should_stop()).then(|| of(number))).collect()
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.components.len()
    }

    /// Returns the moves to a block.
    pub fn moves(&self, block: usize) -> &[Move] {
        &self.moves[self.first_move[block] as usize..self.first_move[block + 1] as usize]
    }

    /// Returns the number of a set.
    pub fn number(&self, mask: u64) -> usize {
        self.masks.binary_search(&mask).expect("every set is listed")
    }

    /// Returns the block of a set with the blank on this cell.
    pub fn block(&self, set: usize, blank: u32) -> u32 {
        let blocks = self.first_block[set] as usize..self.first_block[set + 1] as usize;
        let inside = |component: &u64| component >> blank & 1 == 1;
        let which = self.components[blocks].iter().position(inside).expect("the cell is free");
        self.first_block[set] + which as u32
    }

    /// Returns the moves to a block of a set.
    fn moves_to(&self, set: usize, block: u32, tiles: usize) -> Vec<Move> {
        let (mask, component) = (self.masks[set], self.components[block as usize]);
        let place = |mask: u64, cell: usize| (mask & ((1 << cell) - 1)).count_ones() as usize;
        // The tile comes from the cell on which the blank is afterwards.
        let moves_of = |to: usize| {
            bits(self.near[to] & component).map(move |from| {
                let before = mask & !(1 << to) | 1 << from;
                let places = (place(before, from) * tiles + place(mask, to)) as u8;
                Move { from: self.block(self.number(before), to as u32), places }
            })
        };
        bits(mask).flat_map(moves_of).collect()
    }

    /// Returns the connected components of some cells, by their lowest cells.
    fn components_of(&self, mut cells: u64) -> Vec<u64> {
        let mut components = Vec::new();
        while cells != 0 {
            let (mut component, mut ends) = (0, cells & cells.wrapping_neg());
            while ends != 0 {
                component |= ends;
                let next = bits(ends).fold(0, |next, cell| next | self.near[cell]);
                ends = next & cells & !component;
            }
            cells &= !component;
            components.push(component);
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding_tile::board::TileGoal;
    use crate::sliding_tile::surface::Surface;

    #[test]
    fn every_move_between_blocks_can_be_taken_back() {
        for surface in [Surface::Plane, Surface::Torus] {
            let board = TileBoard { rows: 3, columns: 4, surface, start: Vec::new(), goal: TileGoal::BlankLast };
            let sets = Sets::new(&board, 5, &BuildContext::default()).expect("no limit applies");
            assert_eq!(sets.masks.len(), 792, "the sets of 5 of 12 cells");
            for block in 0..sets.blocks() {
                for each_move in sets.moves(block) {
                    let back = (each_move.places % 5) * 5 + each_move.places / 5;
                    let is_back = |other: &Move| other.from as usize == block && other.places == back;
                    assert!(sets.moves(each_move.from as usize).iter().any(is_back), "{surface:?}, block {block}");
                }
            }
        }
    }
}
