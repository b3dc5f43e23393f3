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

pub(in super::super) mod build;
pub(in super::super) mod partition;
pub(in super::super) mod placements;
pub(in super::super) mod store;

use super::{Heuristic, Slide};
use crate::domain::table::{Bytes, Table};
use crate::sliding_tile::board::{Board, Cell, Tile};
use partition::Partition;
use placements::{Placed, Placements};
use std::sync::Arc;

/// The greatest number of cells of a board with pattern databases.
pub(in super::super) const MOST_CELLS: usize = 64;

/// The greatest number of symmetric views of a board that are looked up.
const MOST_VIEWS: usize = 2;

/// The greatest number of groups of a partition.
pub(in super::super) const MOST_GROUPS: usize = 16;

/// The tables of one partition, and the symmetric views of a board.
pub(in super::super) struct PatternDatabase {
    views: Vec<View>,
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

/// A board under a symmetry.
struct View {
    /// For each tile, the group of its image, and eight times its number there.
    place: [(u8, u8); MOST_CELLS],
    /// The image of each cell.
    image: [u8; MOST_CELLS],
    /// For each tile, the change of its group's rank when it moves to the next cell.
    weights: [u32; MOST_CELLS],
    /// For two tiles, the change of the rank when the first passes the second towards a later cell.
    passes: Box<[u32; MOST_CELLS * MOST_CELLS]>,
    /// For the two cells of a slide, the number of cells that the tile advances.
    advances: Box<[i8; MOST_CELLS * MOST_CELLS]>,
    /// For the two cells of a slide, the `passed` cells that the tile passes, padded with the blank's.
    between: Vec<u8>,
    passed: usize,
}

/// The memo of a board.
#[derive(Clone)]
pub(in super::super) struct Memo {
    distances: u32,
    views: [ViewState; MOST_VIEWS],
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
pub(in super::super) struct Undo([(u32, u8); MOST_VIEWS]);

impl PatternDatabase {
    /// Builds the heuristic from the tables of a partition, in the order of its groups.
    pub fn new(board: &Arc<Board>, partition: &Partition, tables: Vec<Arc<Table>>) -> PatternDatabase {
        let cells = board.cells();
        let group =
            |(tiles, table): (&Vec<Tile>, _)| Group { placements: Placements::new(cells as usize, tiles.len()), table };
        let mut groups: Vec<Group> = partition.groups.iter().zip(tables).map(group).collect();
        // Tiles in no group contribute only their distance.
        let nothing = Table::new(Bytes::Owned(vec![0]), false);
        groups.push(group((&Vec::new(), Arc::new(nothing))));
        let mut distances = vec![0; MOST_CELLS * MOST_CELLS];
        for tile in 1..cells {
            for cell in 0..cells {
                distances[tile as usize * MOST_CELLS + cell as usize] =
                    board.distance(cell, board.goal_cell(tile)) as u8;
            }
        }
        let symmetries = partition::symmetries(board).into_iter().take(MOST_VIEWS);
        PatternDatabase {
            views: symmetries.map(|image| View::new(board, partition, &groups, &image)).collect(),
            groups,
            distances,
            unit: build::unit(board),
        }
    }

    #[inline]
    fn distance(&self, tile: Tile, cell: Cell) -> u32 {
        u32::from(self.distances[(tile as usize * MOST_CELLS + cell as usize) & (MOST_CELLS * MOST_CELLS - 1)])
    }

    /// Returns the cost of a group beyond the distances of its tiles, by the rank of its placement.
    #[inline]
    fn extra(&self, group: usize, rank: u32) -> u8 {
        self.groups[group].table.entry(rank.into())
    }

    fn maximum(&self, memo: &Memo) -> u32 {
        let view_state = &memo.views[..self.views.len()];
        memo.distances + view_state.iter().map(|view_state| view_state.sum).max().unwrap_or(0) * self.unit
    }
}

impl View {
    fn new(board: &Board, partition: &Partition, groups: &[Group], image: &[Cell]) -> View {
        let mut view = View {
            place: [(0, 0); MOST_CELLS],
            image: [0; MOST_CELLS],
            weights: [0; MOST_CELLS],
            passes: Box::new([0; MOST_CELLS * MOST_CELLS]),
            advances: Box::new([0; MOST_CELLS * MOST_CELLS]),
            between: Vec::new(),
            passed: 0,
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
    fn compute_weights(&mut self, board: &Board, groups: &[Group]) {
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
    fn list_between(&mut self, board: &Board) {
        let cells = board.cells();
        let slides = (0..cells).flat_map(|from| board.neighbors(from).map(move |to| (from, to)));
        let image = self.image;
        let between = |(from, to): (Cell, Cell)| {
            let ends = (image[from as usize], image[to as usize]);
            let within = ends.0.min(ends.1) + 1..ends.0.max(ends.1);
            (0..cells as u8).filter(move |&cell| within.contains(&image[usize::from(cell)]))
        };
        self.passed = slides.clone().map(|slide| between(slide).count()).max().unwrap_or(0);
        self.between = vec![0; MOST_CELLS * MOST_CELLS * self.passed];
        for (from, to) in slides {
            let slide = from as usize * MOST_CELLS + to as usize;
            self.advances[slide] = image[to as usize] as i8 - image[from as usize] as i8;
            let filled = between((from, to)).chain(std::iter::repeat(to as u8));
            let listed = &mut self.between[slide * self.passed..][..self.passed];
            listed.iter_mut().zip(filled).for_each(|(listed, cell)| *listed = cell);
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
        let way = i32::from(self.advances[number]);
        let mut passed = 0_u32;
        for &cell in &self.between[number * self.passed..][..self.passed] {
            let other = tile_at(cell.into()) as usize & (MOST_CELLS - 1);
            passed = passed.wrapping_add(self.passes[tile * MOST_CELLS + other]);
        }
        let passed = if way < 0 { passed.wrapping_neg() } else { passed };
        self.weights[tile].wrapping_mul(way as u32).wrapping_add(passed)
    }
}

impl Heuristic for PatternDatabase {
    type Memo = Memo;
    type Undo = Undo;
    const KNOWS_GOAL: bool = true;

    fn table_bytes(&self) -> u64 {
        self.groups.iter().map(|group| group.table.bytes().len() as u64).sum()
    }

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo {
        let nothing = ViewState { ranks: [0; MOST_GROUPS], extra: [0; MOST_GROUPS], sum: 0 };
        let mut memo = Memo { distances: 0, views: [nothing.clone(), nothing] };
        let mut placed = [[0; MOST_GROUPS]; MOST_VIEWS];
        for (cell, tile) in (0..).zip(tiles).filter(|&(_, tile)| tile != 0) {
            memo.distances += self.distance(tile, cell);
            for (view, placed) in self.views.iter().zip(&mut placed) {
                let (group, shift) = view.place[tile as usize];
                placed[usize::from(group)] |= Placed::from(view.image[cell as usize]) << shift;
            }
        }
        for (view_state, placed) in memo.views[..self.views.len()].iter_mut().zip(&placed) {
            for (group, &placed) in placed.iter().enumerate().take(self.groups.len()) {
                view_state.ranks[group] = self.groups[group].placements.rank(placed) as u32;
                view_state.extra[group] = self.extra(group, view_state.ranks[group]);
                view_state.sum += u32::from(view_state.extra[group]);
            }
        }
        memo
    }

    #[inline]
    fn h(&self, memo: &Memo) -> u32 {
        self.maximum(memo)
    }

    #[inline]
    fn slide(
        &self,
        memo: &mut Memo,
        slide: Slide,
        tile_at: impl Fn(Cell) -> Tile + Copy,
        below: u32,
    ) -> Result<Undo, u32> {
        let tile = slide.tile as usize & (MOST_CELLS - 1);
        let distances = memo.distances + self.distance(slide.tile, slide.to) - self.distance(slide.tile, slide.from);
        let mut after = [(0, 0); MOST_VIEWS];
        for (number, after) in after.iter_mut().enumerate().take(self.views.len()) {
            let (view, view_state) = (&self.views[number], &memo.views[number]);
            let group = view.group(tile);
            let rank = view_state.ranks[group].wrapping_add(view.change(tile, slide, tile_at));
            let extra = self.extra(group, rank);
            let h = distances + (view_state.sum + u32::from(extra) - u32::from(view_state.extra[group])) * self.unit;
            // If the first view exceeds the bound, the second one is not looked up.
            if h >= below {
                return Err(h);
            }
            *after = (rank, extra);
        }
        memo.distances = distances;
        Ok(self.replace(memo, tile, Undo(after)))
    }

    #[inline]
    fn unslide(&self, memo: &mut Memo, slide: Slide, undo: Undo) {
        memo.distances = memo.distances + self.distance(slide.tile, slide.from) - self.distance(slide.tile, slide.to);
        self.replace(memo, slide.tile as usize & (MOST_CELLS - 1), undo);
    }
}

impl PatternDatabase {
    /// Replaces the values of a tile's group, and returns the previous ones.
    #[inline]
    fn replace(&self, memo: &mut Memo, tile: usize, by: Undo) -> Undo {
        let mut before = by;
        for number in 0..self.views.len() {
            let (group, view_state) = (self.views[number].group(tile), &mut memo.views[number]);
            let (rank, extra) = by.0[number];
            before.0[number] = (view_state.ranks[group], view_state.extra[group]);
            view_state.sum = view_state.sum + u32::from(extra) - u32::from(view_state.extra[group]);
            (view_state.ranks[group], view_state.extra[group]) = (rank, extra);
        }
        before
    }
}
