//! The graph of a board on each surface: symmetric neighbours, and distances and colours compared with breadth-first
//! search.

use super::{Cell, Surface, TileBoard, TileGoal};
use std::collections::VecDeque;

pub(super) const SURFACES: [Surface; 6] = [
    Surface::Plane,
    Surface::Cylinder,
    Surface::Torus,
    Surface::Mobius,
    Surface::KleinBottle,
    Surface::ProjectivePlane,
];

/// Returns the distances from one cell to all others, by breadth-first search.
fn distances_from(board: &TileBoard, from: Cell) -> Vec<u32> {
    let mut steps = vec![u32::MAX; board.cells() as usize];
    steps[from as usize] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(cell) = open.pop_front() {
        for next in board.neighbors(cell) {
            if steps[next as usize] == u32::MAX {
                steps[next as usize] = steps[cell as usize] + 1;
                open.push_back(next);
            }
        }
    }
    steps
}

#[test]
fn distances_and_colours_match_breadth_first_search() {
    for surface in SURFACES {
        for (rows, columns) in (1..=7).flat_map(|rows| (1..=6).map(move |columns| (rows, columns))) {
            let board = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
            let colours: Vec<u32> = distances_from(&board, 0).iter().map(|steps| steps % 2).collect();
            let mut bipartite = true;
            for from in 0..board.cells() {
                let by_formula: Vec<u32> = (0..board.cells()).map(|to| board.distance(from, to)).collect();
                assert_eq!(by_formula, distances_from(&board, from), "{surface:?} {rows}x{columns}, from {from}");
                bipartite &= board.neighbors(from).all(|to| colours[from as usize] != colours[to as usize]);
            }
            assert_eq!(board.is_bipartite(), bipartite, "{surface:?} {rows}x{columns}");
        }
    }
}

#[test]
fn neighbors_are_symmetric_and_distinct() {
    for surface in SURFACES {
        for (rows, columns) in (1..=4).flat_map(|rows| (1..=4).map(move |columns| (rows, columns))) {
            let board = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
            for cell in 0..board.cells() {
                let neighbors: Vec<Cell> = board.neighbors(cell).collect();
                for (number, &next) in neighbors.iter().enumerate() {
                    assert!(
                        next != cell && !neighbors[..number].contains(&next),
                        "{surface:?} {rows}x{columns} {cell}"
                    );
                    assert!(board.neighbors(next).any(|back| back == cell), "{surface:?} {rows}x{columns} {cell}");
                }
            }
        }
    }
}

#[test]
fn edges_meet_as_the_surface_says() {
    let of = |surface, cell| {
        let board = TileBoard { rows: 3, columns: 4, surface, start: Vec::new(), goal: TileGoal::BlankLast };
        board.neighbors(cell).map(|to| (to, board.direction(cell, to))).collect::<Vec<_>>()
    };
    assert_eq!(of(Surface::Plane, 0), [(1, 'r'), (4, 'd')]);
    assert_eq!(of(Surface::Cylinder, 0), [(3, 'l'), (1, 'r'), (4, 'd')]);
    assert_eq!(of(Surface::Torus, 0), [(8, 'u'), (3, 'l'), (1, 'r'), (4, 'd')]);
    assert_eq!(of(Surface::Mobius, 0), [(11, 'l'), (1, 'r'), (4, 'd')]);
    assert_eq!(of(Surface::KleinBottle, 0), [(8, 'u'), (11, 'l'), (1, 'r'), (4, 'd')]);
    assert_eq!(of(Surface::ProjectivePlane, 1), [(10, 'u'), (0, 'l'), (2, 'r'), (5, 'd')]);
    // Up and left lead from the corner to the opposite corner, which is listed once, as up.
    assert_eq!(of(Surface::ProjectivePlane, 0), [(11, 'u'), (1, 'r'), (4, 'd')]);
}
