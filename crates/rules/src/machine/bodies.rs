//! Bodies: cells that touch by a side, without a fence between, and whose symbols are of the same list.

use crate::fences::towards;
use crate::model::{Edge, Image, Model};
use crate::task::Value;

/// The offsets of the four neighbours.
const OFFSETS: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// No neighbour.
const NONE: u32 = u32::MAX;
/// The list of symbols that are in none.
const ALONE: u16 = u16::MAX;

/// The neighbours of cells, and the lists of symbols.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// For each cell, the cells to the right, below, to the left and above, unless a fence or the edge is between.
    beside: Vec<[u32; 4]>,
    /// For each symbol, the number of its list.
    lists: Vec<u16>,
}

/// Cells that are found, in the order of finding.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub cells: Vec<u32>,
    /// For each cell, whether it is found.
    found: Vec<bool>,
}

impl Region {
    pub fn clear(&mut self, cells: usize) {
        for &cell in &self.cells {
            self.found[cell as usize] = false;
        }
        self.cells.clear();
        self.found.resize(cells, false);
    }

    pub fn contains(&self, cell: u32) -> bool {
        self.found[cell as usize]
    }

    fn insert(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.found[cell as usize], true) {
            self.cells.push(cell);
        }
    }
}

impl Bodies {
    pub fn new(model: &Model) -> Bodies {
        let mut lists = vec![ALONE; model.symbols.len()];
        for (number, symbols) in (0..).zip(&model.bodies) {
            symbols.iter().for_each(|&symbol| lists[usize::from(symbol)] = number);
        }
        let beside = |cell: usize| {
            OFFSETS.map(|(down, right)| {
                let (row, column) = model.place(cell);
                let is_barred = model
                    .fences
                    .as_ref()
                    .is_some_and(|fences| fences.bars((row as usize, column as usize), towards(down, right)));
                let to = model.cell_at((row + down, column + right), Edge::Fit).filter(|_| !is_barred);
                to.map_or(NONE, |cell| cell as u32)
            })
        };
        Bodies { beside: (0..model.world.cells()).map(beside).collect(), lists }
    }

    /// Returns the direction of an image, as [`ahead`](Self::ahead) takes it.
    pub fn direction(image: &Image) -> usize {
        OFFSETS.iter().position(|offset| *offset == image.forward()).unwrap_or(0)
    }

    /// Returns the cell that lies ahead of a cell, unless a fence or the edge is between.
    pub fn ahead(&self, cell: u32, direction: usize) -> Option<u32> {
        Some(self.beside[cell as usize][direction]).filter(|&cell| cell != NONE)
    }

    /// Adds the body of a cell to a region, which holds whole bodies.
    pub fn add(&self, cells: &[Value], cell: u32, region: &mut Region) {
        let mut at = region.cells.len();
        region.insert(cell);
        let list = self.lists[usize::from(cells[cell as usize])];
        if list == ALONE {
            return;
        }
        while let Some(&cell) = region.cells.get(at) {
            at += 1;
            for &next in self.beside[cell as usize].iter().filter(|&&next| next != NONE) {
                if self.lists[usize::from(cells[next as usize])] == list {
                    region.insert(next);
                }
            }
        }
    }

    /// Returns the number of bodies that hold one of these symbols.
    pub fn count(&self, cells: &[Value], symbols: &[bool]) -> i64 {
        let mut region = Region::default();
        region.clear(cells.len());
        let mut count = 0;
        for (cell, symbol) in (0..).zip(cells) {
            if symbols[usize::from(*symbol)] && !region.contains(cell) {
                self.add(cells, cell, &mut region);
                count += 1;
            }
        }
        count
    }
}
