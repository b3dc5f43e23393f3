//! The partition of the tiles into groups of tiles with adjacent goals, since these interact most.

use super::placements::{MOST_TILES, Placements};
use super::{MOST_CELLS, MOST_GROUPS};
use crate::sliding_tile::board::{Cell, Tile, TileBoard};

/// A partition of the tiles into groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super::super) struct Partition {
    pub groups: Vec<Vec<Tile>>,
}

/// The greatest number of partitions of one board.
pub(super) const MOST_PARTITIONS: usize = 2;

/// Partitions that are known to be good, drawn for the blank in the last cell. Those of a line are looked up together:
/// each prunes many states that the others do not. The first has the largest groups.
const KNOWN: &[&[&str]] = &[
    &["aabb/aabb/acbc/ccc."],
    &["abbb/aacc/aacc/acc.", "aabb/aabb/acbc/ccc."],
    &["aaaa/aaaa/bbbb/bbb."],
    &["aaabb/aaabb/ccdbb/ccddd/ccdd.", "aaaaa/abccc/bbccc/bbddd/bddd."],
];

impl Partition {
    /// Chooses partitions for this board whose tables have at most `most` placements each, the best first. Returns none
    /// for boards that are too large, and for those without tiles.
    pub fn choose(board: &TileBoard, most: u64) -> Vec<Partition> {
        let cells = board.cells() as usize;
        if !(2..=MOST_CELLS).contains(&cells) {
            return Vec::new();
        }
        let fits = |tiles: usize| Placements::new(cells, tiles).count().is_some_and(|count| count <= most);
        let Some(largest) = (1..cells.min(MOST_TILES + 1)).rev().find(|&tiles| fits(tiles)) else { return Vec::new() };
        let is_as_large = |partition: &Partition| partition.groups.iter().map(Vec::len).max() == Some(largest);
        let together = |drawings: &&[&str]| drawings.iter().filter_map(|drawing| known(board, drawing)).collect();
        let mut all = KNOWN.iter().map(together);
        all.find(|known: &Vec<Partition>| known.first().is_some_and(is_as_large)).unwrap_or_else(|| {
            let grown = Some(grow(board, largest)).filter(|partition| partition.groups.len() < MOST_GROUPS);
            grown.into_iter().collect()
        })
    }

    /// Returns the number of placements of all groups.
    pub fn placements(&self, board: &TileBoard) -> u64 {
        let cells = board.cells() as usize;
        let count = |group: &Vec<Tile>| Placements::new(cells, group.len()).count().unwrap_or(u64::MAX);
        self.groups.iter().map(count).fold(0, u64::saturating_add)
    }
}

/// Returns a known partition, reflected so that its blank is at the board's goal cell.
fn known(board: &TileBoard, drawing: &str) -> Option<Partition> {
    let rows: Vec<&[u8]> = drawing.split('/').map(str::as_bytes).collect();
    let (height, width) = (board.rows as usize, board.columns as usize);
    if (rows.len(), rows[0].len()) != (height, width) {
        return None;
    }
    let blank = board.goal_cell(0) as usize;
    let turned = |row: usize, column: usize, flips: (bool, bool)| {
        let row = if flips.0 { height - 1 - row } else { row };
        rows[row][if flips.1 { width - 1 - column } else { column }]
    };
    let flips = [(false, false), (false, true), (true, false), (true, true)];
    let flips = flips.into_iter().find(|&flips| turned(blank / width, blank % width, flips) == b'.')?;
    let mut groups = vec![Vec::new(); MOST_GROUPS];
    for cell in 0..height * width {
        let letter = turned(cell / width, cell % width, flips);
        if letter != b'.' {
            groups[usize::from(letter - b'a')].push(board.goal_tile(cell as Cell));
        }
    }
    groups.retain(|group| !group.is_empty());
    Some(Partition { groups })
}

/// Grows groups of up to `size` tiles greedily: each group repeatedly takes the cell with the most neighbours in it, of
/// several the one with the fewest free neighbours.
fn grow(board: &TileBoard, size: usize) -> Partition {
    let cells = board.cells();
    let blank = board.goal_cell(0);
    let mut free: Vec<bool> = (0..cells).map(|cell| cell != blank).collect();
    let mut groups = Vec::new();
    // The groups are of about the same size.
    let tiles = cells as usize - 1;
    let number = tiles.div_ceil(size.max(1));
    for remaining in (1..=number).rev() {
        let left = free.iter().filter(|&&free| free).count();
        let mut group: Vec<Cell> = Vec::new();
        while group.len() < left.div_ceil(remaining) {
            let near = |cell: Cell, of: &dyn Fn(Cell) -> bool| board.neighbors(cell).filter(|&next| of(next)).count();
            let order = |&cell: &Cell| {
                let within = near(cell, &|next| group.contains(&next));
                let outside = near(cell, &|next| free[next as usize]);
                (usize::MAX - within, outside, u32::MAX - board.distance(cell, blank), cell)
            };
            let Some(cell) = (0..cells).filter(|&cell| free[cell as usize]).min_by_key(order) else { break };
            free[cell as usize] = false;
            group.push(cell);
        }
        groups.push(group.into_iter().map(|cell| board.goal_tile(cell)).collect());
    }
    groups.retain(|group: &Vec<Tile>| !group.is_empty());
    Partition { groups }
}

/// Returns the symmetries of the board's graph that fix the goal cell of the blank, as the image of each cell. The
/// first is the identity.
pub(super) fn symmetries(board: &TileBoard) -> Vec<Vec<Cell>> {
    let (rows, columns) = (board.rows, board.columns);
    let blank = board.goal_cell(0);
    let mut found: Vec<Vec<Cell>> = Vec::new();
    for number in 0..8 {
        let (turns, upside_down, backwards) = (number & 1 != 0, number & 2 != 0, number & 4 != 0);
        if turns && rows != columns {
            continue;
        }
        let image: Vec<Cell> = (0..rows * columns)
            .map(|cell| {
                let (row, column) = (cell / columns, cell % columns);
                let (row, column) = if turns { (column, row) } else { (row, column) };
                let row = if upside_down { rows - 1 - row } else { row };
                row * columns + if backwards { columns - 1 - column } else { column }
            })
            .collect();
        let near = |cell: Cell| board.neighbors(cell).map(|next| image[next as usize]);
        let keeps = |cell: Cell| {
            let mut images: Vec<Cell> = near(cell).collect();
            let mut neighbors: Vec<Cell> = board.neighbors(image[cell as usize]).collect();
            images.sort_unstable();
            neighbors.sort_unstable();
            images == neighbors
        };
        if image[blank as usize] == blank && (0..rows * columns).all(keeps) && !found.contains(&image) {
            found.push(image);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding_tile::board::TileGoal;
    use crate::sliding_tile::surface::Surface;

    #[test]
    fn known_partitions_have_every_tile_once_in_groups_of_the_known_sizes() {
        let sizes = |rows, columns, goal, most| {
            let board = TileBoard { rows, columns, surface: Surface::Plane, start: Vec::new(), goal };
            let partitions = Partition::choose(&board, most);
            assert!((1..=MOST_PARTITIONS).contains(&partitions.len()));
            let of = |partition: &Partition| {
                let mut tiles = partition.groups.concat();
                tiles.sort_unstable();
                assert!(tiles.into_iter().eq(1..rows * columns), "{partition:?}");
                partition.groups.iter().map(Vec::len).collect()
            };
            partitions.iter().map(of).collect::<Vec<Vec<usize>>>()
        };
        for goal in [TileGoal::BlankFirst, TileGoal::BlankLast] {
            assert_eq!(sizes(5, 5, goal.clone(), 1 << 29), vec![vec![6; 4]; 2]);
            let few = sizes(5, 5, goal, 1 << 23);
            assert_eq!((few.len(), few[0].iter().max()), (1, Some(&5)), "the tables of fewer tiles are grown");
        }
        assert_eq!(sizes(4, 4, TileGoal::BlankLast, 1 << 29), [[8, 7]]);
        assert_eq!(sizes(4, 4, TileGoal::BlankFirst, 1 << 23), [[6, 3, 6], [5, 5, 5]]);
        assert_eq!(sizes(4, 4, TileGoal::BlankFirst, 1 << 20), [[5, 5, 5]]);
    }
}
