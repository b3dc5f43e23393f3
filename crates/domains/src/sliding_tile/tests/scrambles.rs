//! Scrambled boards: stable for each seed, always solvable, and uniform where promised.

use super::surfaces::SURFACES;
use super::{Surface, Tile, TileBoard, TileGoal, permutations};
use crate::domain::BuildContext;
use crate::sliding_tile::scramble::scramble;
use std::collections::HashMap;

fn scrambled(rows: u32, columns: u32, surface: Surface, moves: Option<u32>, seed: u64) -> TileBoard {
    let mut board = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
    scramble(&mut board, moves, seed, &BuildContext::default());
    board
}

#[test]
fn a_seed_always_gives_the_same_board() {
    // Computed by another program from the published generator.
    let tiles = |rows, columns, moves, seed| scrambled(rows, columns, Surface::Plane, moves, seed).start;
    assert_eq!(tiles(3, 3, Some(100), 7), [3, 8, 5, 6, 7, 4, 0, 2, 1]);
    assert_eq!(tiles(3, 3, None, 7), [3, 7, 6, 2, 8, 0, 1, 5, 4]);
    assert_eq!(tiles(4, 4, None, 1), [12, 3, 11, 7, 8, 14, 15, 1, 13, 6, 0, 10, 4, 9, 5, 2]);
    assert_eq!(tiles(1, 5, None, 3), [1, 2, 3, 0, 4]);
    assert_eq!(scrambled(1, 5, Surface::Cylinder, None, 3).start, [2, 0, 3, 4, 1]);
    assert_eq!(scrambled(2, 3, Surface::KleinBottle, Some(50), 0).start, [4, 0, 3, 2, 1, 5]);
}

#[test]
fn every_scramble_can_be_solved() {
    for surface in SURFACES {
        for (rows, columns) in (1..=5).flat_map(|rows| (1..=5).map(move |columns| (rows, columns))) {
            for seed in 0..20 {
                for moves in [None, Some(seed as u32 * 3)] {
                    let board = scrambled(rows, columns, surface, moves, seed);
                    let mut tiles = board.start.clone();
                    tiles.sort_unstable();
                    assert!(tiles.into_iter().eq(0..board.cells()), "each tile once: {board:?}");
                    assert_eq!(board.unsolvable(), None, "{board:?}, seed {seed}, {moves:?} moves");
                }
            }
        }
    }
}

#[test]
fn random_boards_are_uniform() {
    let cases = [
        (1, 4, Surface::Plane),
        (1, 4, Surface::Cylinder),
        (2, 2, Surface::Plane),
        (2, 2, Surface::Mobius),
        (2, 3, Surface::Plane),
    ];
    for (rows, columns, surface) in cases {
        let empty = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
        let solvable = permutations(rows * columns)
            .into_iter()
            .filter(|start| TileBoard { start: start.clone(), ..empty.clone() }.unsolvable().is_none());
        let mut drawn: HashMap<Vec<Tile>, u32> = solvable.map(|start| (start, 0)).collect();
        let seeds = 200 * drawn.len() as u64;
        for seed in 0..seeds {
            *drawn.get_mut(&scrambled(rows, columns, surface, None, seed).start).expect("a solvable board") += 1;
        }
        // Each is expected 200 times, with a standard deviation of 14.
        assert!(drawn.values().all(|count| (130..270).contains(count)), "{rows}x{columns} {surface:?} {drawn:?}");
    }
}

#[test]
fn a_walk_reverses_a_move_only_without_another() {
    // The blank moves along the row to its end, and can only return.
    let walk = |moves| scrambled(1, 4, Surface::Plane, Some(moves), 5).start;
    assert_eq!([walk(0), walk(1), walk(3)], [[1, 2, 3, 0], [1, 2, 0, 3], [0, 1, 2, 3]]);
    assert_eq!([walk(4), walk(6)], [[1, 0, 2, 3], [1, 2, 3, 0]]);
    assert_eq!(scrambled(1, 1, Surface::Torus, Some(10), 5).start, [0]);
    // On a ring of four cells, four moves lead the blank around, in either direction.
    for seed in 0..20 {
        assert_eq!(scrambled(2, 2, Surface::Plane, Some(12), seed).start, [1, 2, 3, 0], "three times around");
    }
}
