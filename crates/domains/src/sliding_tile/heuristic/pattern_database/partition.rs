//! The partition of the tiles into groups of tiles with adjacent goals, since these interact most.

use super::build::MOST_TILES;
use super::placements::Placements;
use super::{MOST_CELLS, MOST_GROUPS};
use crate::sliding_tile::board::{Board, Cell, Tile};

/// A partition of the tiles into groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super::super) struct Partition {
    pub groups: Vec<Vec<Tile>>,
}

/// Partitions that are known to be good, drawn for the blank in the last cell.
const KNOWN: &[&str] =
    &["aabb/aabb/acbc/ccc.", "abbb/aacc/aacc/acc.", "aaaa/aaaa/bbbb/bbb.", "aaabb/aaabb/ccdbb/ccddd/ccdd."];

impl Partition {
    /// Chooses a partition for this board whose tables have at most `most` placements each. Returns `None` for boards
    /// that are too large, and for those without tiles.
    pub fn choose(board: &Board, most: u64) -> Option<Partition> {
        let cells = board.cells() as usize;
        if !(2..=MOST_CELLS).contains(&cells) {
            return None;
        }
        let fits = |tiles: usize| Placements::new(cells, tiles).count().is_some_and(|count| count <= most);
        let largest = (1..cells.min(MOST_TILES + 1)).rev().find(|&tiles| fits(tiles))?;
        let is_as_large = |partition: &Partition| partition.groups.iter().map(Vec::len).max() == Some(largest);
        let known = KNOWN.iter().filter_map(|drawing| known(board, drawing)).find(is_as_large);
        let partition = known.unwrap_or_else(|| grow(board, largest));
        (partition.groups.len() < MOST_GROUPS).then_some(partition)
    }
}

/// Returns a known partition, reflected so that its blank is at the board's goal cell.
fn known(board: &Board, drawing: &str) -> Option<Partition> {
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
fn grow(board: &Board, size: usize) -> Partition {
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
pub(super) fn symmetries(board: &Board) -> Vec<Vec<Cell>> {
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
