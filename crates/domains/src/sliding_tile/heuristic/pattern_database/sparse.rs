//! Pattern databases with a sparse index (Felner, Korf and Hanan 2004 compare it with the compact one): the cells of a
//! group's tiles, four bits each. A table has unused entries for placements of two tiles on one cell. In return, a slide
//! changes its tile's four bits, whatever it passes, and the entries of a board need no ranks.
//!
//! The tiles of all groups of a partition fill at most 60 bits: their cells are one word for each view. The tables are
//! made from the compact ones, and have the same entries.

use super::{Group, Heuristic, PatternDatabase, Slide};
use crate::domain::table::Table;
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::Parts;
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// The greatest number of cells.
const MOST_CELLS: usize = 16;

/// The greatest number of tiles of a group: its table has 16^6 entries, in 8 MiB.
const MOST_TILES: usize = 6;

/// The greatest number of groups, with the one of the tiles in no group.
const MOST_GROUPS: usize = 8;

/// The number of pairs of cells, and of a tile with a cell.
const PAIRS: usize = MOST_CELLS * MOST_CELLS;

/// A pattern database whose tables have a sparse index.
pub(in super::super::super) struct SparsePatterns<const VIEWS: usize> {
    compact: PatternDatabase<VIEWS>,
    tiles: [OfTile<VIEWS>; MOST_CELLS],
    /// For the two cells of a slide, the differing bits of their images in each view.
    crossed: [[u8; VIEWS]; PAIRS],
    /// The number of steps from each cell to the goal of each tile.
    distances: [u8; PAIRS],
    /// The binary logarithm of the factor of a table's entries.
    unit: u32,
    /// The tables by view and group, with two entries in a byte.
    tables: [[Arc<[u8]>; MOST_GROUPS]; VIEWS],
}

/// Where the data of a tile's groups are, by view.
#[derive(Clone, Copy)]
struct OfTile<const VIEWS: usize> {
    /// The lowest bit of the tile's cell.
    cell: [u8; VIEWS],
    group: [u8; VIEWS],
    /// The lowest bit of the group's cells, and a one for each bit of them, from there on.
    start: [u8; VIEWS],
    mask: [u32; VIEWS],
}

/// The memo of a board.
#[derive(Clone)]
pub(in super::super::super) struct Memo<const VIEWS: usize> {
    distances: u32,
    views: [InView; VIEWS],
    /// For each view and group, its cost beyond the distances of its tiles, in units.
    extra: [[u8; MOST_GROUPS]; VIEWS],
}

/// The data of a board in one view.
#[derive(Clone, Copy, Default)]
struct InView {
    /// The cells of the tiles.
    cells: u64,
    /// The costs of all groups beyond the distances of their tiles, in units.
    sum: u32,
}

/// The data of each view before a slide, with the extra cost of the tile's group.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Undo<const VIEWS: usize> {
    views: [InView; VIEWS],
    extra: [u8; VIEWS],
}

/// A compact table that was used, and the sparse one that was made from it, if it was used again.
type Used = (Weak<Table>, Option<Arc<[u8]>>);

/// The tables that were used in this run, as long as there are the compact ones.
static USED: Mutex<Vec<Used>> = Mutex::new(Vec::new());

/// Returns whether all these tables were used before, and takes them as used. A sparse table takes too long to make for
/// a single search.
pub(in super::super::super) fn are_used_again<'a>(tables: impl Iterator<Item = &'a Arc<Table>>) -> bool {
    let mut used = USED.lock();
    used.retain(|(compact, _)| compact.strong_count() > 0);
    let before = used.len();
    for table in tables {
        if !used.iter().any(|(its, _)| its.as_ptr() == Arc::as_ptr(table)) {
            used.push((Arc::downgrade(table), None));
        }
    }
    used.len() == before
}

impl<const VIEWS: usize> SparsePatterns<VIEWS> {
    /// Makes the tables of a pattern database sparse. Returns `None` if the board or its groups are too large, or if all
    /// tables would take more than `room` bytes.
    pub fn new(board: &TileBoard, compact: PatternDatabase<VIEWS>, room: u64) -> Option<Self> {
        let cells = board.cells() as usize;
        let tiles = |group: &Group| group.placements.tiles();
        let is_large = |group: &Group| tiles(group) > MOST_TILES || !group.table.nibbles() && tiles(group) > 0;
        let bytes = compact.table_bytes() + compact.distinct_groups().map(|group| bytes_of(tiles(group))).sum::<u64>();
        if cells > MOST_CELLS
            || compact.groups.iter().any(is_large)
            || compact.views.iter().any(|view| view.groups > MOST_GROUPS)
            || bytes > room
        {
            return None;
        }
        let none: Arc<[u8]> = Arc::from([0]);
        let mut tables = std::array::from_fn(|_| std::array::from_fn(|_| Arc::clone(&none)));
        let nothing = OfTile { cell: [60; VIEWS], group: [0; VIEWS], start: [0; VIEWS], mask: [0; VIEWS] };
        let mut of_tiles = [nothing; MOST_CELLS];
        let (mut crossed, mut distances) = ([[0; VIEWS]; PAIRS], [0; PAIRS]);
        for (number, view) in compact.views.iter().enumerate() {
            let mut start = 0;
            let groups = compact.groups[view.first..][..view.groups].iter().enumerate();
            for (group, Group { placements, table }) in groups {
                let count = placements.tiles();
                if count > 0 {
                    tables[number][group] = sparse(table, cells, count);
                }
                for tile in (1..cells).filter(|&tile| view.group(tile) == group) {
                    let of_tile = &mut of_tiles[tile];
                    (of_tile.group[number], of_tile.start[number]) = (group as u8, start);
                    if count > 0 {
                        of_tile.cell[number] = start + 4 * (count as u8 - 1) - view.place[tile].1 / 2;
                        of_tile.mask[number] = (1 << (4 * count)) - 1;
                    }
                }
                start += 4 * count as u8;
            }
            for from in 0..cells {
                for to in 0..cells {
                    crossed[from * MOST_CELLS + to][number] = view.image[from] ^ view.image[to];
                }
            }
        }
        for tile in 1..cells {
            for cell in 0..cells {
                distances[tile * MOST_CELLS + cell] = compact.distance(tile as Tile, cell as Cell) as u8;
            }
        }
        let unit = compact.unit.trailing_zeros();
        Some(SparsePatterns { compact, tiles: of_tiles, crossed, distances, unit, tables })
    }

    #[inline]
    fn distance(&self, tile: usize, cell: Cell) -> u32 {
        self.distances[(tile * MOST_CELLS + (cell as usize & 15)) % PAIRS].into()
    }

    /// Returns the cost of a tile's group beyond the distances of its tiles, from the cells of a view.
    #[inline(always)]
    fn entry(&self, of_tile: &OfTile<VIEWS>, view: usize, cells: u64) -> u8 {
        let index = (cells >> (of_tile.start[view] & 63)) as u32 & of_tile.mask[view];
        let table = &self.tables[view][usize::from(of_tile.group[view]) % MOST_GROUPS];
        table[(index / 2) as usize] >> (index % 2 * 4) & 15
    }
}

/// Returns the size of the sparse table of a group of tiles.
fn bytes_of(tiles: usize) -> u64 {
    if tiles == 0 { 0 } else { (1_u64 << (4 * tiles)) / 2 }
}

/// Returns the sparse table of a compact one, which is made once in a run.
fn sparse(compact: &Arc<Table>, cells: usize, tiles: usize) -> Arc<[u8]> {
    let mut used = USED.lock();
    let known = used.iter().position(|(its, _)| its.as_ptr() == Arc::as_ptr(compact));
    if let Some((_, Some(sparse))) = known.map(|number| &used[number]) {
        return Arc::clone(sparse);
    }
    let mut bytes = vec![0; bytes_of(tiles) as usize];
    spread(compact.bytes(), &mut bytes, cells, (tiles, 0, 0), &mut 0);
    let sparse: Arc<[u8]> = bytes.into();
    let made = (Arc::downgrade(compact), Some(Arc::clone(&sparse)));
    match known {
        Some(number) => used[number] = made,
        None => used.push(made),
    }
    sparse
}

/// Copies the entries of all placements of the last `tiles` tiles, where those before have the index `before` and occupy
/// some cells, to the sparse table. `rank` is that of the first one, and then that after the last one.
fn spread(
    compact: &[u8],
    sparse: &mut [u8],
    cells: usize,
    (tiles, before, occupied): (usize, usize, u32),
    rank: &mut usize,
) {
    let free = (0..cells).filter(|&cell| occupied >> cell & 1 == 0);
    if tiles > 1 {
        for cell in free {
            spread(compact, sparse, cells, (tiles - 1, before * MOST_CELLS + cell, occupied | 1 << cell), rank);
        }
        return;
    }
    // All cells of the last tile are in a row of eight bytes.
    let mut row = 0_u64;
    for cell in free {
        row |= u64::from(compact[*rank / 2] >> (*rank % 2 * 4) & 15) << (4 * cell);
        *rank += 1;
    }
    sparse[before * 8..][..8].copy_from_slice(&row.to_le_bytes());
}

impl<const VIEWS: usize> Heuristic for SparsePatterns<VIEWS> {
    type Memo = Memo<VIEWS>;
    type Undo = Undo<VIEWS>;
    const KNOWS_GOAL: bool = true;

    fn table_bytes(&self) -> u64 {
        let groups = self.compact.distinct_groups();
        self.compact.table_bytes() + groups.map(|group| bytes_of(group.placements.tiles())).sum::<u64>()
    }

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo<VIEWS> {
        let (views, extra) = ([InView::default(); VIEWS], [[0; MOST_GROUPS]; VIEWS]);
        let mut memo = Memo { distances: 0, views, extra };
        let placed = || (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0);
        for (cell, tile) in placed() {
            let tile = tile as usize % MOST_CELLS;
            memo.distances += self.distance(tile, cell);
            for (number, (view, of_view)) in self.compact.views.iter().zip(&mut memo.views).enumerate() {
                of_view.cells |= u64::from(view.image[cell as usize]) << self.tiles[tile].cell[number];
            }
        }
        for (_, tile) in placed() {
            let of_tile = &self.tiles[tile as usize % MOST_CELLS];
            for (number, view) in memo.views.iter_mut().enumerate() {
                let entry = self.entry(of_tile, number, view.cells);
                // The first tile of each group counts, the others find the same.
                let extra = &mut memo.extra[number][usize::from(of_tile.group[number])];
                view.sum += u32::from(entry - *extra);
                *extra = entry;
            }
        }
        memo
    }

    #[inline]
    fn h(&self, memo: &Memo<VIEWS>) -> u32 {
        memo.distances + (memo.views.iter().map(|view| view.sum).max().unwrap_or(0) << self.unit)
    }

    // The distances are zero only at the goal.
    #[inline]
    fn is_goal(&self, memo: &Memo<VIEWS>) -> bool {
        memo.distances == 0
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        self.compact.parts(tiles)
    }

    // Without `always` it is a function of its own, and the search keeps its variables in memory.
    #[inline(always)]
    fn slide(
        &self,
        memo: &mut Memo<VIEWS>,
        slide: Slide,
        _tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Undo<VIEWS>, u32> {
        let tile = slide.tile as usize % MOST_CELLS;
        let of_tile = &self.tiles[tile];
        let distances =
            memo.distances.wrapping_add(self.distance(tile, slide.to)).wrapping_sub(self.distance(tile, slide.from));
        let crossed = &self.crossed[((slide.from as usize & 15) * MOST_CELLS + slide.to as usize) % PAIRS];
        let before = &*memo;
        let look = |view: usize| {
            let cells = before.views[view].cells ^ u64::from(crossed[view]) << (of_tile.cell[view] & 63);
            let entry = self.entry(of_tile, view, cells);
            let last = before.extra[view][usize::from(of_tile.group[view]) % MOST_GROUPS];
            let sum = before.views[view].sum.wrapping_add(entry.into()).wrapping_sub(last.into());
            let h = distances.wrapping_add(sum << (self.unit & 1));
            // If one view exceeds the bound, the next ones are not looked up.
            if h >= below { Err(h) } else { Ok((InView { cells, sum }, entry)) }
        };
        let mut after = Undo { views: [InView::default(); VIEWS], extra: [0; VIEWS] };
        // Not a loop: the compiler keeps one as it is, and the arrays in memory.
        (after.views[0], after.extra[0]) = look(0)?;
        (after.views[1], after.extra[1]) = look(1)?;
        if VIEWS > 2 {
            (after.views[2], after.extra[2]) = look(2)?;
            (after.views[3], after.extra[3]) = look(3)?;
        }
        memo.distances = distances;
        Ok(self.replace(memo, tile, after))
    }

    #[inline(always)]
    fn unslide(&self, memo: &mut Memo<VIEWS>, slide: Slide, undo: Undo<VIEWS>) {
        let tile = slide.tile as usize % MOST_CELLS;
        memo.distances =
            memo.distances.wrapping_add(self.distance(tile, slide.from)).wrapping_sub(self.distance(tile, slide.to));
        self.replace(memo, tile, undo);
    }
}

impl<const VIEWS: usize> SparsePatterns<VIEWS> {
    /// Replaces the data of a tile's groups, and returns the previous data.
    #[inline(always)]
    fn replace(&self, memo: &mut Memo<VIEWS>, tile: usize, by: Undo<VIEWS>) -> Undo<VIEWS> {
        let mut before = Undo { views: memo.views, extra: by.extra };
        for (view, &group) in self.tiles[tile].group.iter().enumerate() {
            let extra = &mut memo.extra[view][usize::from(group) % MOST_GROUPS];
            before.extra[view] = std::mem::replace(extra, by.extra[view]);
        }
        memo.views = by.views;
        before
    }
}
