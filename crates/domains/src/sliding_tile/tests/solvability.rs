//! Solvability compared with the connected components of the whole state graph.

use super::surfaces::SURFACES;
use super::{Surface, Tile, TileBoard, TileGoal, permutations};
use std::collections::HashMap;

/// Returns the component of each order of the tiles, and the size of each component.
fn components(empty: &TileBoard) -> (HashMap<Vec<Tile>, usize>, Vec<usize>) {
    let mut labels: HashMap<Vec<Tile>, usize> = HashMap::new();
    let mut sizes = Vec::new();
    for start in permutations(empty.cells()) {
        if labels.contains_key(&start) {
            continue;
        }
        let label = sizes.len();
        labels.insert(start.clone(), label);
        let mut open = vec![start];
        let mut size = 0;
        while let Some(tiles) = open.pop() {
            size += 1;
            let blank = tiles.iter().position(|&tile| tile == 0).expect("there is a blank");
            for cell in empty.neighbors(blank as u32) {
                let mut moved = tiles.clone();
                moved.swap(blank, cell as usize);
                if !labels.contains_key(&moved) {
                    labels.insert(moved.clone(), label);
                    open.push(moved);
                }
            }
        }
        sizes.push(size);
    }
    (labels, sizes)
}

#[test]
fn solvability_and_states_match_the_whole_graph() {
    let mut invariants = HashMap::new();
    for surface in SURFACES {
        let sizes = (1..=8).flat_map(|rows| (1..=8).map(move |columns| (rows, columns)));
        for (rows, columns) in sizes.filter(|(rows, columns)| rows * columns <= 8) {
            let empty = TileBoard { rows, columns, surface, start: Vec::new(), goal: TileGoal::BlankLast };
            let (labels, sizes) = components(&empty);
            let listed: Vec<Tile> = (0..rows * columns).rev().collect();
            for goal in [TileGoal::BlankLast, TileGoal::BlankFirst, TileGoal::listed(listed)] {
                let mut board = TileBoard { goal, ..empty.clone() };
                let goal: Vec<Tile> = (0..board.cells()).map(|cell| board.goal_tile(cell)).collect();
                for (start, label) in &labels {
                    board.start.clone_from(start);
                    let reached = *label == labels[&goal];
                    assert_eq!(
                        board.unsolvable().is_none(),
                        reached,
                        "{surface:?} {rows}x{columns} {start:?} {goal:?}"
                    );
                }
            }
            assert!(
                sizes.iter().all(|size| size.to_string() == empty.states()),
                "{surface:?} {rows}x{columns} {sizes:?}"
            );
            *invariants.entry(format!("{:?}", empty.invariant())).or_insert(0) += 1;
        }
    }
    assert!(invariants.len() == 4 && invariants.values().all(|&boards| boards >= 10), "{invariants:?}");
}

#[test]
fn large_boards_follow_the_same_rules() {
    let unsolvable = |rows: u32, columns: u32, surface, swapped: (usize, usize)| {
        let mut start: Vec<Tile> = (1..rows * columns).chain([0]).collect();
        start.swap(swapped.0, swapped.1);
        TileBoard { rows, columns, surface, start, goal: TileGoal::BlankLast }.unsolvable()
    };
    let parity = Some(
        "the board is an odd permutation of the goal (1 inversion), and the blank is 0 steps from its place: each step of \
         the blank changes both parities, and in the goal both are even"
            .to_owned(),
    );
    let ring = Some("on a ring the blank cannot change the cyclic order of the tiles".to_owned());
    assert_eq!(unsolvable(30, 40, Surface::Plane, (0, 1)), parity);
    assert_eq!(unsolvable(30, 40, Surface::Torus, (0, 1)), parity);
    assert_eq!(unsolvable(30, 41, Surface::Torus, (0, 1)), None);
    assert_eq!(unsolvable(30, 41, Surface::Mobius, (0, 1)), parity);
    assert_eq!(unsolvable(30, 40, Surface::KleinBottle, (0, 1)), None);
    assert_eq!(unsolvable(31, 40, Surface::ProjectivePlane, (0, 1)), parity);
    assert_eq!(unsolvable(1, 999, Surface::Cylinder, (0, 1)), ring);
    assert_eq!(unsolvable(999, 1, Surface::Mobius, (0, 1)), None);
    assert!(
        unsolvable(999, 1, Surface::Cylinder, (0, 1)).is_some_and(|reason| reason.contains("single row or column"))
    );
}
