//! Additive, disjoint pattern databases (Korf and Felner 2002): the tiles are parted into groups, and for every
//! placement of a group the least number of moves of its own tiles that brings them home is looked up; the sums of
//! disjoint groups never count a move twice.
//!
//! - `partition`: which groups;
//! - `placements`: the numbers of the placements of a group;
//! - `build`: the exact backward search that fills a table;
//! - `store`: what the tables that are kept are of.
//!
//! A symmetry of the board that leaves the goal's blank where it is turns each board into another one that is as far
//! from the goal; looked up there, the same tables give a second value, and the greater one counts (Culberson and
//! Schaeffer 1998).

pub(in super::super) mod build;
pub(in super::super) mod partition;
pub(in super::super) mod placements;
pub(in super::super) mod store;

use super::{Heuristic, Slide};
use crate::domain::sliding_tile::board::{Board, Cell, Tile};
use crate::domain::table::{Bytes, Table};
use partition::Partition;
use placements::{Placed, Placements};
use std::sync::Arc;

/// Boards with more cells have no pattern databases.
pub(in super::super) const MOST_CELLS: usize = 64;

/// As many ways of looking at a board are used.
const MOST_VIEWS: usize = 2;

/// The most groups of a partition.
pub(in super::super) const MOST_GROUPS: usize = 16;

/// The tables of one partition, and the ways of looking at a board.
pub(in super::super) struct PatternDatabase {
    views: Vec<View>,
    groups: Vec<Group>,
    /// By tile and cell, the steps to where the tile belongs.
    distances: Vec<u8>,
    /// What a table's entry is to be multiplied by.
    unit: u32,
}

/// One group of tiles.
struct Group {
    placements: Placements,
    table: Arc<Table>,
}

/// A board as a symmetry shows it.
struct View {
    /// By tile, the group that it is in here, and eight times its number there.
    place: [(u8, u8); MOST_CELLS],
    /// By cell, where it is here.
    image: [u8; MOST_CELLS],
}

/// What is kept of a board.
#[derive(Clone)]
pub(in super::super) struct Memo {
    distances: u32,
    views: [Seen; MOST_VIEWS],
}

/// A board in one view.
#[derive(Clone)]
struct Seen {
    /// By group, the cells of its tiles.
    placed: [Placed; MOST_GROUPS],
    /// By group, what it costs beyond the distances of its tiles, in units.
    extra: [u8; MOST_GROUPS],
    sum: u32,
}

/// What is needed to forget a slide: the entries of the tile's group, from before.
#[derive(Clone, Copy)]
pub(in super::super) struct Undo([u8; MOST_VIEWS]);

impl PatternDatabase {
    /// With the tables of a partition, in the order of its groups.
    pub fn new(board: &Arc<Board>, partition: &Partition, tables: Vec<Arc<Table>>) -> PatternDatabase {
        let cells = board.cells();
        let group =
            |(tiles, table): (&Vec<Tile>, _)| Group { placements: Placements::new(cells as usize, tiles.len()), table };
        let mut groups: Vec<Group> = partition.groups.iter().zip(tables).map(group).collect();
        // Tiles in no group count by their distance alone.
        let nothing = Table::new(Bytes::Held(vec![0]), false);
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
            views: symmetries.map(|image| View::new(board, partition, &image)).collect(),
            groups,
            distances,
            unit: build::unit(board),
        }
    }

    #[inline]
    fn distance(&self, tile: Tile, cell: Cell) -> u32 {
        u32::from(self.distances[(tile as usize * MOST_CELLS + cell as usize) & (MOST_CELLS * MOST_CELLS - 1)])
    }

    /// What a group costs beyond the distances of its tiles.
    #[inline]
    fn extra(&self, group: usize, placed: Placed) -> u8 {
        let group = &self.groups[group];
        group.table.entry(group.placements.rank(placed))
    }

    fn greatest(&self, memo: &Memo) -> u32 {
        let seen = &memo.views[..self.views.len()];
        memo.distances + seen.iter().map(|seen| seen.sum).max().unwrap_or(0) * self.unit
    }
}

impl View {
    fn new(board: &Board, partition: &Partition, image: &[Cell]) -> View {
        let mut view = View { place: [(0, 0); MOST_CELLS], image: [0; MOST_CELLS] };
        for (cell, &image) in image.iter().enumerate() {
            view.image[cell] = image as u8;
        }
        let mut places = [(partition.groups.len() as u8, 0); MOST_CELLS];
        for (group, tiles) in (0..).zip(&partition.groups) {
            for (number, &tile) in (0..).zip(tiles) {
                places[tile as usize] = (group, 8 * number);
            }
        }
        // A tile looks like the one that belongs where the image of its own place is.
        for tile in 1..board.cells() {
            view.place[tile as usize] = places[board.goal_tile(image[board.goal_cell(tile) as usize]) as usize];
        }
        view
    }

    /// Moves a tile between the two cells of a slide, whichever it is on; tells its group.
    #[inline]
    fn turn(&self, seen: &mut Seen, tile: usize, slide: Slide) -> usize {
        let (group, shift) = self.place[tile];
        let group = usize::from(group) & (MOST_GROUPS - 1);
        let image = |cell: Cell| Placed::from(self.image[cell as usize & (MOST_CELLS - 1)]);
        seen.placed[group] ^= (image(slide.from) ^ image(slide.to)) << (shift & 63);
        group
    }
}

impl Heuristic for PatternDatabase {
    type Memo = Memo;
    type Undo = Undo;
    const TELLS_GOAL: bool = true;

    fn memo(&self, tiles: impl Iterator<Item = Tile> + Clone) -> Memo {
        let nothing = Seen { placed: [0; MOST_GROUPS], extra: [0; MOST_GROUPS], sum: 0 };
        let mut memo = Memo { distances: 0, views: [nothing.clone(), nothing] };
        for (cell, tile) in (0..).zip(tiles).filter(|&(_, tile)| tile != 0) {
            memo.distances += self.distance(tile, cell);
            for (view, seen) in self.views.iter().zip(&mut memo.views) {
                let (group, shift) = view.place[tile as usize];
                seen.placed[usize::from(group)] |= Placed::from(view.image[cell as usize]) << shift;
            }
        }
        for seen in &mut memo.views[..self.views.len()] {
            for group in 0..self.groups.len() {
                seen.extra[group] = self.extra(group, seen.placed[group]);
                seen.sum += u32::from(seen.extra[group]);
            }
        }
        memo
    }

    #[inline]
    fn h(&self, memo: &Memo) -> u32 {
        self.greatest(memo)
    }

    #[inline]
    fn slide(&self, memo: &mut Memo, slide: Slide, _tile_at: impl Fn(Cell) -> Tile, below: u32) -> Result<Undo, u32> {
        let tile = slide.tile as usize & (MOST_CELLS - 1);
        let before = memo.distances;
        let distances = before + self.distance(slide.tile, slide.to) - self.distance(slide.tile, slide.from);
        let mut undo = Undo([0; MOST_VIEWS]);
        for number in 0..self.views.len() {
            let (view, seen) = (&self.views[number], &mut memo.views[number]);
            let group = view.turn(seen, tile, slide);
            let extra = self.extra(group, seen.placed[group]);
            undo.0[number] = std::mem::replace(&mut seen.extra[group], extra);
            seen.sum = seen.sum + u32::from(extra) - u32::from(undo.0[number]);
            let h = distances + seen.sum * self.unit;
            // Where the first view is enough, the second is not looked at.
            if h >= below {
                self.restore(memo, slide, undo, number + 1);
                return Err(h);
            }
        }
        memo.distances = distances;
        Ok(undo)
    }

    #[inline]
    fn unslide(&self, memo: &mut Memo, slide: Slide, undo: Undo) {
        memo.distances = memo.distances + self.distance(slide.tile, slide.from) - self.distance(slide.tile, slide.to);
        self.restore(memo, slide, undo, self.views.len());
    }
}

impl PatternDatabase {
    /// Forgets a slide in the first so many views.
    #[inline]
    fn restore(&self, memo: &mut Memo, slide: Slide, undo: Undo, views: usize) {
        let tile = slide.tile as usize & (MOST_CELLS - 1);
        for number in 0..views {
            let (view, seen) = (&self.views[number], &mut memo.views[number]);
            let group = view.turn(seen, tile, slide);
            let extra = std::mem::replace(&mut seen.extra[group], undo.0[number]);
            seen.sum = seen.sum + u32::from(undo.0[number]) - u32::from(extra);
        }
    }
}
