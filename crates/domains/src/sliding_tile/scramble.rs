//! Scrambled starts: a random walk from the goal, or a uniformly random solvable board.
//!
//! The result for a seed is part of the file format, so it never changes.

use super::board::{Cell, Tile, TileBoard};
use super::solvability::Invariant;
use crate::domain::{BuildContext, SplitMix64};

/// The greatest number of moves of a walk in a file: about a second of work.
pub(super) const MOST_SCRAMBLE_MOVES: u32 = 100_000_000;

/// The moves of a walk between two looks at the limits.
const CHECK_EVERY: u32 = 1 << 16;

/// Sets a scrambled start: the end of a random walk of this many moves from the goal, or, without a number, a uniformly
/// random solvable board. A walk is broken off at a limit.
pub(super) fn scramble(board: &mut TileBoard, moves: Option<u32>, seed: u64, context: &BuildContext) {
    let random = &mut SplitMix64::new(seed);
    board.start = match moves {
        Some(moves) => walk(board, moves, random, context),
        None => uniform(board, random),
    };
}

/// Returns the end of a random walk, which reverses its last move only if there is no other.
fn walk(board: &TileBoard, moves: u32, random: &mut SplitMix64, context: &BuildContext) -> Vec<Tile> {
    let mut tiles = goal(board);
    let mut blank = board.goal_cell(0);
    let mut before = None;
    for made in 0..moves {
        if made % CHECK_EVERY == CHECK_EVERY - 1 && context.should_stop() {
            break;
        }
        let onward = || board.neighbors(blank).filter(|&cell| Some(cell) != before);
        let choices = onward().count() as u64;
        let next = if choices == 0 { before } else { onward().nth(random.below(choices) as usize) };
        // A board of one cell has no moves.
        let Some(next) = next else { break };
        tiles.swap(blank as usize, next as usize);
        before = Some(blank);
        blank = next;
    }
    tiles
}

fn uniform(board: &TileBoard, random: &mut SplitMix64) -> Vec<Tile> {
    let cells = board.cells();
    match board.invariant() {
        invariant @ (Invariant::Order | Invariant::CyclicOrder) => {
            let mut tiles: Vec<Tile> = board.goal_order().collect();
            if invariant == Invariant::CyclicOrder {
                tiles.rotate_left(random.below(u64::from(cells) - 1) as usize);
            }
            tiles.insert(random.below(u64::from(cells)) as usize, 0);
            tiles
        }
        invariant @ (Invariant::Parity | Invariant::Nothing) => {
            // A uniformly random permutation (Durstenfeld, Algorithm 235, 1964).
            let mut tiles = goal(board);
            let mut odd = false;
            let mut blank = board.goal_cell(0);
            for last in (1..cells).rev() {
                let other = random.below(u64::from(last) + 1) as Cell;
                tiles.swap(last as usize, other as usize);
                odd ^= other != last;
                if let Some(moved) = [(last, other), (other, last)].iter().find(|(from, _)| *from == blank) {
                    blank = moved.1;
                }
            }
            // Swapping two tiles is a bijection from the unreachable boards to the reachable ones.
            if invariant == Invariant::Parity && odd != (board.distance(blank, board.goal_cell(0)) % 2 == 1) {
                let mut cells = (0..tiles.len()).filter(|&cell| cell as Cell != blank);
                if let (Some(first), Some(second)) = (cells.next(), cells.next()) {
                    tiles.swap(first, second);
                }
            }
            tiles
        }
    }
}

fn goal(board: &TileBoard) -> Vec<Tile> {
    (0..board.cells()).map(|cell| board.goal_tile(cell)).collect()
}
