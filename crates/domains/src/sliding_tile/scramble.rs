//! Scrambled starts: by a random walk from the goal, or drawn from all that can be solved.
//!
//! What is drawn, and in which order, is part of the file format: a seed stands for one board for ever.

use super::board::{Board, Cell, Tile};
use super::solvability::Invariant;
use crate::domain::SplitMix64;

/// The most moves of a walk in a file: a second's work.
pub(super) const MOST_WALKED: u32 = 100_000_000;

/// Puts a scrambled start on a board: so many random moves from the goal, or, without their number, each of the starts
/// that can be solved as likely as any other.
pub(super) fn scramble(board: &mut Board, moves: Option<u32>, seed: u64) {
    let random = &mut SplitMix64::new(seed);
    board.start = match moves {
        Some(moves) => walk(board, moves, random),
        None => uniform(board, random),
    };
}

/// A random walk, which takes back its last move only where it has no other.
fn walk(board: &Board, moves: u32, random: &mut SplitMix64) -> Vec<Tile> {
    let mut tiles = goal(board);
    let mut blank = board.goal_cell(0);
    let mut before = None;
    for _ in 0..moves {
        let onward = || board.neighbors(blank).filter(|&cell| Some(cell) != before);
        let ways = onward().count() as u64;
        let next = if ways == 0 { before } else { onward().nth(random.below(ways) as usize) };
        // A board of one cell has no moves.
        let Some(next) = next else { break };
        tiles.swap(blank as usize, next as usize);
        before = Some(blank);
        blank = next;
    }
    tiles
}

fn uniform(board: &Board, random: &mut SplitMix64) -> Vec<Tile> {
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
            // Every order is as likely as any other (Durstenfeld, Algorithm 235, 1964).
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
            // Swapping two tiles takes those out of reach to the others, one to one.
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

fn goal(board: &Board) -> Vec<Tile> {
    (0..board.cells()).map(|cell| board.goal_tile(cell)).collect()
}
