//! Additive, disjoint pattern databases (Korf and Felner 2002). The tiles are partitioned into groups. For every
//! placement of a group, a table has the least number of moves of its own tiles that solves the group. Disjoint groups
//! share no moves, so their values can be added.
//!
//! - `partition`: the choice of the groups;
//! - `placements`: the ranking of a group's placements;
//! - `build`: the exact backward search that fills a table;
//! - `store`: the identity of the tables in the cache;
//! - `sparse`: the same tables with a larger index that is faster to change, for small boards.
//!
//! A symmetry of the board that fixes the goal cell of the blank maps each board to one with the same distance to the
//! goal. Looked up there, the same tables give a second value, and the maximum counts (Culberson and Schaeffer 1998).
//! Tables of several partitions give more values; the maximum over several tables prunes more than one larger table
//! (Holte, Felner, Newton, Meshulam and Furcy 2006). A *view* is a symmetry with a partition.

pub(in super::super) mod build;
pub(in super::super) mod partition;
pub(in super::super) mod placements;
pub(in super::super) mod sparse;
pub(in super::super) mod store;

use super::{Heuristic, Slide};
use crate::domain::table::{Bytes, Table};
use crate::sliding_tile::board::{Cell, Tile, TileBoard};
use crate::space::{Part, Parts};
use partition::Partition;
use placements::{Placed, Placements};
use std::sync::Arc;

/// The greatest number of cells of a board with pattern databases.
pub(in super::super) const MOST_CELLS: usize = 64;

/// The greatest number of symmetries of a board that are looked up.
const MOST_SYMMETRIES: usize = 2;

/// The number of views of a single partition, at most.
pub(in super::super) const FEW: usize = MOST_SYMMETRIES;

/// The number of views of several partitions, at most.
pub(in super::super) const MANY: usize = MOST_SYMMETRIES * partition::MOST_PARTITIONS;

/// The greatest number of groups of a partition.
pub(in super::super) const MOST_GROUPS: usize = 16;

/// The tables of partitions, and at most `VIEWS` views of a board.
///
/// A slide changes one rank in each view. All changes are computed together, a lane for each view; lanes without a view
/// stay zero.
pub(in super::super) struct PatternDatabase<const VIEWS: usize> {
    views: Vec<View>,
    /// The groups of all partitions.
    groups: Vec<Group>,
    /// The number of steps from each cell to the goal of each tile.
    distances: Vec<u8>,
    /// The factor of a table's entries.
    unit: u32,
    /// For each tile, its group in each view.
    group_of: Vec<[u8; VIEWS]>,
    /// For each tile, the change of its group's rank when it moves to the next cell.
    weights: Vec<[u32; VIEWS]>,
    /// For each symmetry and two tiles, the change of the ranks when the first passes the second towards a later cell.
    passes: Vec<[u32; VIEWS]>,
    /// For the two cells of a slide, what it passes.
    passing: Vec<Passing<VIEWS>>,
    /// For the two cells of a slide, what it passes after the first four, padded to `further_each`.
    further: Vec<u16>,
    further_each: usize,
    /// The tables by view and group.
    tables: [[Arc<Table>; MOST_GROUPS]; VIEWS],
}

/// The number of pairs of tiles, and of pairs of cells.
const PAIRS: usize = MOST_CELLS * MOST_CELLS;

/// A group of tiles.
struct Group {
    placements: Placements,
    table: Arc<Table>,
}

/// A board under a symmetry, with a partition.
struct View {
    /// The number of the symmetry.
    symmetry: usize,
    /// The number of the partition's first group.
    first: usize,
    /// The number of the partition's groups.
    groups: usize,
    /// For each tile, the group of its image, and eight times its number there.
    place: [(u8, u8); MOST_CELLS],
    /// The image of each cell.
    image: [u8; MOST_CELLS],
}

/// The cells that a tile passes on the images of its slide.
#[derive(Clone, Copy)]
struct Passing<const VIEWS: usize> {
    /// The number of cells that it advances in each view.
    advance: [i32; VIEWS],
    /// The passed cells with `MOST_CELLS` times their symmetry, the first four, padded with the blank's: four look-ups in
    /// a row are faster than a loop.
    cells: [u16; 4],
}

/// The memo of a board.
#[derive(Clone)]
pub(in super::super) struct Memo<const VIEWS: usize> {
    distances: u32,
    /// For each view, the costs of all groups beyond the distances of their tiles, in units.
    sums: [u32; VIEWS],
    /// For each view and group, the rank of its placement.
    ranks: [[u32; MOST_GROUPS]; VIEWS],
    /// For each view and group, its cost beyond the distances of its tiles, in units.
    extra: [[u8; MOST_GROUPS]; VIEWS],
}

/// For each view, the previous rank and extra cost of the tile's group.
#[derive(Clone, Copy)]
pub(in super::super) struct Undo<const VIEWS: usize> {
    ranks: [u32; VIEWS],
    extra: [u8; VIEWS],
}

impl<const VIEWS: usize> PatternDatabase<VIEWS> {
    /// Builds the heuristic from partitions and their tables, in the order of the groups.
    pub fn new(board: &Arc<TileBoard>, partitions: &[(Partition, Vec<Arc<Table>>)]) -> Self {
        let cells = board.cells();
        let symmetries = partition::symmetries(board);
        let (mut views, mut groups) = (Vec::new(), Vec::new());
        for (partition, tables) in partitions {
            let first = groups.len();
            let group =
                |tiles: &[Tile], table| Group { placements: Placements::new(cells as usize, tiles.len()), table };
            groups.extend(partition.groups.iter().zip(tables).map(|(tiles, table)| group(tiles, Arc::clone(table))));
            // Tiles in no group contribute only their distance.
            groups.push(group(&[], no_table()));
            let symmetries = symmetries.iter().take(MOST_SYMMETRIES).enumerate();
            views.extend(symmetries.map(|symmetry| View::new(board, partition, first, groups.len() - first, symmetry)));
        }
        assert!(views.len() <= VIEWS, "there is room for all views");
        let mut distances = vec![0; PAIRS];
        for tile in 1..cells {
            for cell in 0..cells {
                distances[tile as usize * MOST_CELLS + cell as usize] =
                    board.distance(cell, board.goal_cell(tile)) as u8;
            }
        }
        let table = |view: usize, group: usize| match views.get(view) {
            Some(view) => Arc::clone(&groups[view.first + group.min(view.groups - 1)].table),
            None => no_table(),
        };
        let tables = std::array::from_fn(|view| std::array::from_fn(|group| table(view, group)));
        let mut database = PatternDatabase {
            tables,
            views,
            groups,
            distances,
            unit: build::unit(board),
            group_of: vec![[0; VIEWS]; MOST_CELLS],
            weights: vec![[0; VIEWS]; MOST_CELLS],
            passes: vec![[0; VIEWS]; MOST_SYMMETRIES * PAIRS],
            passing: vec![Passing { advance: [0; VIEWS], cells: [0; 4] }; PAIRS],
            further: Vec::new(),
            further_each: 0,
        };
        for number in 0..database.views.len() {
            database.compute_weights(board, number);
        }
        database.list_between(board);
        database
    }

    /// Computes the changes of a view's ranks. A digit of a rank is the tile's cell minus the number of earlier tiles on
    /// lower cells.
    fn compute_weights(&mut self, board: &TileBoard, number: usize) {
        let view = &self.views[number];
        let groups = &self.groups[view.first..];
        let weight = |(group, shift): (u8, u8)| groups[usize::from(group)].placements.weight(usize::from(shift / 8));
        for tile in 1..board.cells() as usize {
            let its = view.place[tile];
            self.group_of[tile][number] = its.0;
            self.weights[tile][number] = weight(its);
            for other in (1..board.cells() as usize).filter(|&other| other != tile && view.place[other].0 == its.0) {
                let others = view.place[other];
                // For the later tile, the earlier one is no longer below it, or is from now on.
                let grows = if others.1 > its.1 { weight(others) } else { weight(its).wrapping_neg() };
                self.passes[view.symmetry * PAIRS + tile * MOST_CELLS + other][number] = grows;
            }
        }
    }

    /// Lists the cells between those of each slide, under each symmetry.
    fn list_between(&mut self, board: &TileBoard) {
        let cells = board.cells();
        let slides = (0..cells).flat_map(|from| board.neighbors(from).map(move |to| (from, to)));
        // The first partition has a view for each symmetry.
        let images: Vec<_> = self.views.iter().filter(|view| view.first == 0).map(|view| view.image).collect();
        let between = |(from, to): (Cell, Cell)| {
            let of_symmetry = move |(symmetry, image): (usize, &[u8; MOST_CELLS])| {
                let (image, ends) = (*image, (image[from as usize], image[to as usize]));
                let within = ends.0.min(ends.1) + 1..ends.0.max(ends.1);
                let inside = (0..cells as u16).filter(move |&cell| within.contains(&image[usize::from(cell)]));
                inside.map(move |cell| (symmetry * MOST_CELLS) as u16 + cell)
            };
            images.iter().enumerate().flat_map(of_symmetry)
        };
        let most = slides.clone().map(|slide| between(slide).count()).max().unwrap_or(0);
        self.further_each = most.saturating_sub(4);
        self.further = vec![0; PAIRS * self.further_each];
        for (from, to) in slides {
            let slide = from as usize * MOST_CELLS + to as usize;
            let passing = &mut self.passing[slide];
            for (advance, view) in passing.advance.iter_mut().zip(&self.views) {
                *advance = i32::from(view.image[to as usize]) - i32::from(view.image[from as usize]);
            }
            let mut filled = between((from, to)).chain(std::iter::repeat(to as u16));
            let further = &mut self.further[slide * self.further_each..][..self.further_each];
            passing.cells.iter_mut().chain(further).zip(&mut filled).for_each(|(listed, cell)| *listed = cell);
        }
    }

    /// Returns the first group of each table.
    fn distinct_groups(&self) -> impl Iterator<Item = &Group> {
        let is_first = |number: usize| {
            let is_it = |other: &Group| Arc::ptr_eq(&other.table, &self.groups[number].table);
            !self.groups[..number].iter().any(is_it)
        };
        (0..self.groups.len()).filter(move |&number| is_first(number)).map(|number| &self.groups[number])
    }

    #[inline]
    fn distance(&self, tile: Tile, cell: Cell) -> u32 {
        u32::from(self.distances[(tile as usize * MOST_CELLS + cell as usize) & (PAIRS - 1)])
    }

    fn maximum(&self, memo: &Memo<VIEWS>) -> u32 {
        memo.distances + memo.sums.iter().max().unwrap_or(&0) * self.unit
    }

    /// Returns the changes of the ranks of a tile's groups by a slide.
    // Without `always` it is a function of its own, and the search keeps its variables in memory.
    #[inline(always)]
    fn change(&self, tile: usize, slide: Slide, tile_at: impl Fn(Cell) -> Tile + Copy) -> [u32; VIEWS] {
        let number = (slide.from as usize * MOST_CELLS + slide.to as usize) & (PAIRS - 1);
        let Passing { advance, cells } = &self.passing[number];
        let mut change = [0_u32; VIEWS];
        for &place in cells {
            self.pass(&mut change, tile, place, tile_at);
        }
        if self.further_each > 0 {
            for &place in &self.further[number * self.further_each..][..self.further_each] {
                self.pass(&mut change, tile, place, tile_at);
            }
        }
        let weights = &self.weights[tile];
        for view in 0..VIEWS {
            // All ones if it goes back, so that the sum is negated.
            let back = (advance[view] >> 31) as u32;
            let passed = (change[view] ^ back).wrapping_sub(back);
            change[view] = weights[view].wrapping_mul(advance[view] as u32).wrapping_add(passed);
        }
        change
    }

    /// Adds the changes of ranks when a tile passes a cell, given with its symmetry.
    #[inline(always)]
    fn pass(&self, change: &mut [u32; VIEWS], tile: usize, place: u16, tile_at: impl Fn(Cell) -> Tile + Copy) {
        let place = usize::from(place);
        let (symmetry, cell) = (place / MOST_CELLS, place % MOST_CELLS);
        let passes = &self.passes[symmetry * PAIRS + tile * MOST_CELLS + (tile_at(cell as Cell) as usize % MOST_CELLS)];
        for view in 0..VIEWS {
            change[view] = change[view].wrapping_add(passes[view]);
        }
    }

    /// Returns the cost of a group beyond the distances of its tiles, by the rank of its placement.
    #[inline(always)]
    fn extra(&self, view: usize, group: usize, rank: u32) -> u8 {
        self.tables[view][group].entry(rank.into())
    }
}

/// Returns the table of no tiles.
fn no_table() -> Arc<Table> {
    Arc::new(Table::new(Bytes::Owned(vec![0]), false))
}

impl View {
    fn new(
        board: &TileBoard,
        partition: &Partition,
        first: usize,
        groups: usize,
        (symmetry, image): (usize, &Vec<Cell>),
    ) -> View {
        let mut view = View { symmetry, first, groups, place: [(0, 0); MOST_CELLS], image: [0; MOST_CELLS] };
        for (cell, &image) in image.iter().enumerate() {
            view.image[cell] = image as u8;
        }
        let mut places = [(partition.groups.len() as u8, 0); MOST_CELLS];
        for (group, tiles) in (0..).zip(&partition.groups) {
            for (number, &tile) in (0..).zip(tiles) {
                places[tile as usize] = (group, 8 * number);
            }
        }
        // A tile is the image of the tile whose goal is the image of its own goal.
        for tile in 1..board.cells() {
            view.place[tile as usize] = places[board.goal_tile(image[board.goal_cell(tile) as usize]) as usize];
        }
        view
    }

    /// Returns the group of a tile.
    fn group(&self, tile: usize) -> usize {
        usize::from(self.place[tile].0)
    }
}

impl<const VIEWS: usize> Heuristic for PatternDatabase<VIEWS> {
    type Memo = Memo<VIEWS>;
    type Undo = Undo<VIEWS>;
    const KNOWS_GOAL: bool = true;

    fn table_bytes(&self) -> u64 {
        self.distinct_groups().map(|group| group.table.bytes().len() as u64).sum()
    }

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo<VIEWS> {
        let (ranks, extra) = ([[0; MOST_GROUPS]; VIEWS], [[0; MOST_GROUPS]; VIEWS]);
        let mut memo = Memo { distances: 0, sums: [0; VIEWS], ranks, extra };
        for (cell, tile) in (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0) {
            memo.distances += self.distance(tile, cell);
        }
        for (number, view) in self.views.iter().enumerate() {
            let mut placed = [0; MOST_GROUPS];
            for (cell, tile) in (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0) {
                let (group, shift): (u8, u8) = view.place[tile as usize];
                placed[usize::from(group)] |= Placed::from(view.image[cell]) << shift;
            }
            for (group, &placed) in placed.iter().enumerate().take(view.groups) {
                let rank = self.groups[view.first + group].placements.rank(placed) as u32;
                let extra = self.extra(number, group, rank);
                (memo.ranks[number][group], memo.extra[number][group]) = (rank, extra);
                memo.sums[number] += u32::from(extra);
            }
        }
        memo
    }

    #[inline]
    fn h(&self, memo: &Memo<VIEWS>) -> u32 {
        self.maximum(memo)
    }

    // The distances are zero only at the goal.
    #[inline]
    fn is_goal(&self, memo: &Memo<VIEWS>) -> bool {
        memo.distances == 0
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        let memo = self.memo(tiles.iter().copied());
        let best = (0..self.views.len()).rev().max_by_key(|&number| memo.sums[number]);
        let Some(number) = best else { return Parts::default() };
        let (view, extra) = (&self.views[number], &memo.extra[number]);
        let part = |group: usize| {
            let is_in = |(_, tile): &(Cell, Tile)| *tile != 0 && view.group(*tile as usize) == group;
            let mut own: Vec<(Cell, Tile)> = (0..).zip(tiles.iter().copied()).filter(is_in).collect();
            own.sort_unstable_by_key(|(_, tile)| *tile);
            let distances: u32 = own.iter().map(|&(cell, tile)| self.distance(tile, cell)).sum();
            let names: Vec<String> = own.iter().map(|(_, tile)| tile.to_string()).collect();
            let value = distances + u32::from(extra[group]) * self.unit;
            Part::of(format!("tiles {}", names.join(" ")), value, names)
        };
        Parts::sum((0..view.groups).map(part)).greatest_of(self.views.len(), "sums, by partitions and reflections")
    }

    // Without `always` it is a function of its own, and the search keeps its variables in memory.
    #[inline(always)]
    fn slide(
        &self,
        memo: &mut Memo<VIEWS>,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Undo<VIEWS>, u32> {
        let tile = slide.tile as usize & (MOST_CELLS - 1);
        let distances = memo.distances + self.distance(slide.tile, slide.to) - self.distance(slide.tile, slide.from);
        let change = self.change(tile, slide, tile_at);
        let groups = &self.group_of[tile];
        let mut after = Undo { ranks: [0; VIEWS], extra: [0; VIEWS] };
        for view in 0..VIEWS {
            let group = usize::from(groups[view]) % MOST_GROUPS;
            let rank = memo.ranks[view][group].wrapping_add(change[view]);
            let extra = self.extra(view, group, rank);
            let sum = memo.sums[view] + u32::from(extra) - u32::from(memo.extra[view][group]);
            let h = distances + sum * self.unit;
            // If one view exceeds the bound, the next ones are not looked up.
            if h >= below {
                return Err(h);
            }
            (after.ranks[view], after.extra[view]) = (rank, extra);
        }
        memo.distances = distances;
        Ok(self.replace(memo, tile, after))
    }

    #[inline(always)]
    fn unslide(&self, memo: &mut Memo<VIEWS>, slide: Slide, undo: Undo<VIEWS>) {
        memo.distances = memo.distances + self.distance(slide.tile, slide.from) - self.distance(slide.tile, slide.to);
        self.replace(memo, slide.tile as usize % MOST_CELLS, undo);
    }
}

impl<const VIEWS: usize> PatternDatabase<VIEWS> {
    /// Replaces the values of a tile's groups, and returns the previous ones.
    #[inline(always)]
    fn replace(&self, memo: &mut Memo<VIEWS>, tile: usize, by: Undo<VIEWS>) -> Undo<VIEWS> {
        let mut before = by;
        for (view, &group) in self.group_of[tile].iter().enumerate() {
            let group = usize::from(group) % MOST_GROUPS;
            let (rank, extra) = (&mut memo.ranks[view][group], &mut memo.extra[view][group]);
            (before.ranks[view], before.extra[view]) = (*rank, *extra);
            memo.sums[view] = memo.sums[view] + u32::from(by.extra[view]) - u32::from(*extra);
            (*rank, *extra) = (by.ranks[view], by.extra[view]);
        }
        before
    }
}
