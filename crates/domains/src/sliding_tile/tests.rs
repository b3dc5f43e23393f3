//! The laws of the state space on small boards, published counts, and solvability compared with search.

mod exploration;
mod heuristics;
mod scrambles;
mod sharing;
mod solvability;
mod surfaces;

use super::board::{Cell, Tile, TileGoal};
use super::heuristic::distance::{Kind, Table};
use super::multi::MultiSpace;
use super::representation::{Array, Packed16, Packed25, Representation};
use super::space::TileSpace;
use super::surface::Surface;
use super::*;
use crate::search::laws;
use board::TileBoard;
use std::sync::Arc;

fn board(rows: u32, columns: u32, start: &[u32]) -> TileBoard {
    TileBoard { rows, columns, surface: Surface::Plane, start: start.to_vec(), goal: TileGoal::BlankLast }
}

#[test]
fn pushing_rows_and_columns_keeps_the_laws() {
    let boards = [
        board(1, 1, &[0]),
        board(1, 4, &[1, 0, 2, 3]),
        board(3, 1, &[1, 0, 2]),
        board(3, 2, &[4, 5, 2, 0, 1, 3]),
        board(2, 3, &[4, 5, 2, 1, 0, 3]),
    ];
    for board in boards.map(Arc::new) {
        laws::hold(&MultiSpace::<Packed16>::new(&board), true);
        laws::hold(&MultiSpace::<Packed25>::new(&board), true);
        laws::hold(&MultiSpace::<Array>::new(&board), true);
    }
}

#[test]
fn the_eight_puzzle_has_the_published_number_of_states_at_every_depth() {
    // With the blank in a corner: 181,440 states, two of them 31 moves away (Reinefeld 1993).
    let published = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
        23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    let solved = Arc::new(board(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]));
    let levels = laws::levels(&TileSpace::<Packed16, _>::new(&solved, Table::new(&solved, Kind::Zero)));
    assert_eq!(levels, published);
    assert_eq!(levels.iter().sum::<usize>().to_string(), solved.states());
}

#[test]
fn a_packed_board_finds_its_blank_and_slides_like_an_array() {
    let tiles: Vec<u32> = [3, 1, 2, 7, 6, 5, 0, 4, 8, 9, 10, 11, 12, 13, 14, 15].into();
    for (cell, blank) in [(2, 6), (5, 6), (7, 6), (10, 6)] {
        let slid = Array::unpack(&Array::slid(&Array::pack(&tiles), cell, blank), tiles.len() as Cell);
        assert_eq!(Packed16::slid(&Packed16::pack(&tiles), cell, blank), Packed16::pack(&slid));
        assert_eq!(Packed25::slid(&Packed25::pack(&tiles), cell, blank), Packed25::pack(&slid));
    }
    assert!(Packed16::tiles(&Packed16::pack(&tiles), 16).eq(tiles.iter().copied()));
    assert!(Packed25::tiles(&Packed25::pack(&tiles), 16).eq(tiles.iter().copied()));
    for blank in 0..25 {
        let mut tiles: Vec<u32> = (1..25).collect();
        tiles.insert(blank, 0);
        assert_eq!(Packed25::blank(&Packed25::pack(&tiles)), blank as u32);
        if blank < 16 {
            tiles.retain(|&tile| tile < 16);
            assert_eq!(Packed16::blank(&Packed16::pack(&tiles)), blank as u32);
        }
    }
}

/// Returns all orders of the tiles 0 to `cells` - 1.
fn permutations(cells: u32) -> Vec<Vec<u32>> {
    let Some(last) = cells.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |shorter: Vec<u32>| {
        (0..=shorter.len()).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, last);
            longer
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}
