//! Additive, disjoint pattern databases (Korf and Felner 2002). The tiles are partitioned into groups. For every
//! placement of a group, a table has the least number of moves of its own tiles that solves the group. Disjoint groups
//! share no moves, so their values can be added.
//!
//! - `partition`: the choice of the groups;
//! - `placements`: the ranking of a group's placements;
//! - `build`: the exact backward search that fills a table;
//! - `store`: the identity of the tables in the cache.
//!
//! A symmetry of the board that fixes the goal cell of the blank maps each board to one with the same distance to the
//! goal. Looked up there, the same tables give a second value, and the maximum counts (Culberson and Schaeffer 1998).
//! Tables of several partitions give more values; the maximum over several tables prunes more than one larger table
//! (Holte, Felner, Newton, Meshulam and Furcy 2006). A *view* is a symmetry with a partition.

pub(in super::super) mod build;
pub(in super::super) mod partition;
pub(in super::super) mod placements;
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
pub(in super::super) struct PatternDatabase<const VIEWS: usize> {
    views: Vec<View>,
    /// The groups of all partitions.
    groups: Vec<Group>,
    /// The number of steps from each cell to the goal of each tile.
    distances: Vec<u8>,
    /// The factor of a table's entries.
    unit: u32,
}

/// A group of tiles.
struct Group {
    placements: Placements,
    table: Arc<Table>,
}

/// A board under a symmetry, with a partition.
struct View {
    /// The number of the partition's first group.
    first: usize,
    /// The number of the partition's groups.
    groups: usize,
    /// For each tile, the group of its image, and eight times its number there.
    place: [(u8, u8); MOST_CELLS],
    /// The image of each cell.
    image: [u8; MOST_CELLS],
    /// For each tile, the change of its group's rank when it moves to the next cell.
    weights: [u32; MOST_CELLS],
    /// For two tiles, the change of the rank when the first passes the second towards a later cell.
    passes: Box<[u32; MOST_CELLS * MOST_CELLS]>,
    /// For the two cells of a slide, what it passes.
    passing: Box<[Passing; MOST_CELLS * MOST_CELLS]>,
    /// For the two cells of a slide, the passed cells after the first four, padded to `further_each`.
    further: Vec<u8>,
    further_each: usize,
    /// The tables by group.
    tables: [Arc<Table>; MOST_GROUPS],
}

/// The cells that a tile passes on the image of its slide.
#[derive(Clone, Copy, Default)]
struct Passing {
    /// The number of cells that it advances.
    advance: i32,
    /// The passed cells, the first four, padded with the blank's: four look-ups in a row are faster than a loop.
    cells: [u8; 4],
}

/// The memo of a board.
#[derive(Clone)]
pub(in super::super) struct Memo<const VIEWS: usize> {
    distances: u32,
    views: [ViewState; VIEWS],
}

/// A board in one view.
#[derive(Clone)]
struct ViewState {
    /// For each group, the rank of its placement.
    ranks: [u32; MOST_GROUPS],
    /// For each group, its cost beyond the distances of its tiles, in units.
    extra: [u8; MOST_GROUPS],
    sum: u32,
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
            groups.push(group(&[], Arc::new(Table::new(Bytes::Owned(vec![0]), false))));
            let symmetries = symmetries.iter().take(MOST_SYMMETRIES);
            views.extend(symmetries.map(|image| View::new(board, partition, first, &groups[first..], image)));
        }
        assert!(views.len() <= VIEWS, "there is room for all views");
        let mut distances = vec![0; MOST_CELLS * MOST_CELLS];
        for tile in 1..cells {
            for cell in 0..cells {
                distances[tile as usize * MOST_CELLS + cell as usize] =
                    board.distance(cell, board.goal_cell(tile)) as u8;
            }
        }
        PatternDatabase { views, groups, distances, unit: build::unit(board) }
    }

    #[inline]
    fn distance(&self, tile: Tile, cell: Cell) -> u32 {
        u32::from(self.distances[(tile as usize * MOST_CELLS + cell as usize) & (MOST_CELLS * MOST_CELLS - 1)])
    }

    fn maximum(&self, memo: &Memo<VIEWS>) -> u32 {
        let view_state = &memo.views[..self.views.len()];
        memo.distances + view_state.iter().map(|view_state| view_state.sum).max().unwrap_or(0) * self.unit
    }
}

impl View {
    fn new(board: &TileBoard, partition: &Partition, first: usize, groups: &[Group], image: &[Cell]) -> View {
        let mut view = View {
            first,
            groups: groups.len(),
            place: [(0, 0); MOST_CELLS],
            image: [0; MOST_CELLS],
            weights: [0; MOST_CELLS],
            passes: Box::new([0; MOST_CELLS * MOST_CELLS]),
            passing: Box::new([Passing::default(); MOST_CELLS * MOST_CELLS]),
            further: Vec::new(),
            further_each: 0,
            tables: std::array::from_fn(|group| Arc::clone(&groups[group.min(groups.len() - 1)].table)),
        };
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
        view.compute_weights(board, groups);
        view.list_between(board);
        view
    }

    /// Computes the changes of ranks. A digit of a rank is the tile's cell minus the number of earlier tiles on lower
    /// cells.
    fn compute_weights(&mut self, board: &TileBoard, groups: &[Group]) {
        let weight = |(group, shift): (u8, u8)| groups[usize::from(group)].placements.weight(usize::from(shift / 8));
        for tile in 1..board.cells() as usize {
            let its = self.place[tile];
            self.weights[tile] = weight(its);
            for other in (1..board.cells() as usize).filter(|&other| other != tile && self.place[other].0 == its.0) {
                let others = self.place[other];
                // For the later tile, the earlier one is no longer below it, or is from now on.
                let grows = if others.1 > its.1 { weight(others) } else { weight(its).wrapping_neg() };
                self.passes[tile * MOST_CELLS + other] = grows;
            }
        }
    }

    /// Lists the cells between those of each slide.
    fn list_between(&mut self, board: &TileBoard) {
        let cells = board.cells();
        let slides = (0..cells).flat_map(|from| board.neighbors(from).map(move |to| (from, to)));
        let image = self.image;
        let between = |(from, to): (Cell, Cell)| {
            let ends = (image[from as usize], image[to as usize]);
            let within = ends.0.min(ends.1) + 1..ends.0.max(ends.1);
            (0..cells as u8).filter(move |&cell| within.contains(&image[usize::from(cell)]))
        };
        let most = slides.clone().map(|slide| between(slide).count()).max().unwrap_or(0);
        self.further_each = most.saturating_sub(4);
        self.further = vec![0; MOST_CELLS * MOST_CELLS * self.further_each];
        for (from, to) in slides {
            let slide = from as usize * MOST_CELLS + to as usize;
            let passing = &mut self.passing[slide];
            passing.advance = i32::from(image[to as usize]) - i32::from(image[from as usize]);
            let mut filled = between((from, to)).chain(std::iter::repeat(to as u8));
            let further = &mut self.further[slide * self.further_each..][..self.further_each];
            passing.cells.iter_mut().chain(further).zip(&mut filled).for_each(|(listed, cell)| *listed = cell);
        }
    }

    /// Returns the group of a tile.
    #[inline]
    fn group(&self, tile: usize) -> usize {
        usize::from(self.place[tile].0) & (MOST_GROUPS - 1)
    }

    /// Returns the change of the rank of a tile's group by a slide.
    #[inline]
    fn change(&self, tile: usize, slide: Slide, tile_at: impl Fn(Cell) -> Tile + Copy) -> u32 {
        let number = (slide.from as usize * MOST_CELLS + slide.to as usize) & (MOST_CELLS * MOST_CELLS - 1);
        let Passing { advance, cells } = self.passing[number];
        let passes = |cell: u8| self.passes[tile * MOST_CELLS + (tile_at(cell.into()) as usize & (MOST_CELLS - 1))];
        let mut passed = cells.into_iter().fold(0_u32, |passed, cell| passed.wrapping_add(passes(cell)));
        if self.further_each > 0 {
            let further = &self.further[number * self.further_each..][..self.further_each];
            passed = further.iter().fold(passed, |passed, &cell| passed.wrapping_add(passes(cell)));
        }
        let passed = if advance < 0 { passed.wrapping_neg() } else { passed };
        self.weights[tile].wrapping_mul(advance as u32).wrapping_add(passed)
    }

    /// Returns the cost of a group beyond the distances of its tiles, by the rank of its placement.
    #[inline]
    fn extra(&self, group: usize, rank: u32) -> u8 {
        self.tables[group & (MOST_GROUPS - 1)].entry(rank.into())
    }
}

impl<const VIEWS: usize> Heuristic for PatternDatabase<VIEWS> {
    type Memo = Memo<VIEWS>;
    type Undo = Undo<VIEWS>;
    const KNOWS_GOAL: bool = true;

    fn table_bytes(&self) -> u64 {
        let is_first = |number: usize| {
            let is_it = |other: &Group| Arc::ptr_eq(&other.table, &self.groups[number].table);
            !self.groups[..number].iter().any(is_it)
        };
        let different = (0..self.groups.len()).filter(|&number| is_first(number));
        different.map(|number| self.groups[number].table.bytes().len() as u64).sum()
    }

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo<VIEWS> {
        let nothing = ViewState { ranks: [0; MOST_GROUPS], extra: [0; MOST_GROUPS], sum: 0 };
        let mut memo = Memo { distances: 0, views: std::array::from_fn(|_| nothing.clone()) };
        for (cell, tile) in (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0) {
            memo.distances += self.distance(tile, cell);
        }
        for (view, view_state) in self.views.iter().zip(&mut memo.views) {
            let mut placed = [0; MOST_GROUPS];
            for (cell, tile) in (0..).zip(tiles.clone()).filter(|&(_, tile)| tile != 0) {
                let (group, shift): (u8, u8) = view.place[tile as usize];
                placed[usize::from(group)] |= Placed::from(view.image[cell]) << shift;
            }
            for (group, &placed) in placed.iter().enumerate().take(view.groups) {
                view_state.ranks[group] = self.groups[view.first + group].placements.rank(placed) as u32;
                view_state.extra[group] = view.extra(group, view_state.ranks[group]);
                view_state.sum += u32::from(view_state.extra[group]);
            }
        }
        memo
    }

    #[inline]
    fn h(&self, memo: &Memo<VIEWS>) -> u32 {
        self.maximum(memo)
    }

    fn parts(&self, tiles: &[Tile]) -> Parts {
        let memo = self.memo(tiles.iter().copied());
        let best = self.views.iter().zip(&memo.views).rev().max_by_key(|(_, view_state)| view_state.sum);
        let Some((view, view_state)) = best else { return Parts::default() };
        let part = |group: usize| {
            let is_in = |(_, tile): &(Cell, Tile)| *tile != 0 && view.group(*tile as usize) == group;
            let mut own: Vec<(Cell, Tile)> = (0..).zip(tiles.iter().copied()).filter(is_in).collect();
            own.sort_unstable_by_key(|(_, tile)| *tile);
            let distances: u32 = own.iter().map(|&(cell, tile)| self.distance(tile, cell)).sum();
            let names: Vec<String> = own.iter().map(|(_, tile)| tile.to_string()).collect();
            let value = distances + u32::from(view_state.extra[group]) * self.unit;
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
        let mut after = Undo { ranks: [0; VIEWS], extra: [0; VIEWS] };
        for (number, (view, view_state)) in self.views.iter().zip(&memo.views).enumerate() {
            let group = view.group(tile);
            let rank = view_state.ranks[group].wrapping_add(view.change(tile, slide, tile_at));
            let extra = view.extra(group, rank);
            let h = distances + (view_state.sum + u32::from(extra) - u32::from(view_state.extra[group])) * self.unit;
            // If one view exceeds the bound, the next ones are not looked up.
            if h >= below {
                return Err(h);
            }
            (after.ranks[number], after.extra[number]) = (rank, extra);
        }
        memo.distances = distances;
        Ok(self.replace(memo, tile, after))
    }

    #[inline]
    fn unslide(&self, memo: &mut Memo<VIEWS>, slide: Slide, undo: Undo<VIEWS>) {
        memo.distances = memo.distances + self.distance(slide.tile, slide.from) - self.distance(slide.tile, slide.to);
        self.replace(memo, slide.tile as usize & (MOST_CELLS - 1), undo);
    }
}

impl<const VIEWS: usize> PatternDatabase<VIEWS> {
    /// Replaces the values of a tile's group, and returns the previous ones.
    #[inline]
    fn replace(&self, memo: &mut Memo<VIEWS>, tile: usize, by: Undo<VIEWS>) -> Undo<VIEWS> {
        let mut before = by;
        for (number, (view, view_state)) in self.views.iter().zip(&mut memo.views).enumerate() {
            let group = view.group(tile);
            let (rank, extra) = (by.ranks[number], by.extra[number]);
            (before.ranks[number], before.extra[number]) = (view_state.ranks[group], view_state.extra[group]);
            view_state.sum = view_state.sum + u32::from(extra) - u32::from(view_state.extra[group]);
            (view_state.ranks[group], view_state.extra[group]) = (rank, extra);
        }
        before
    }
}
