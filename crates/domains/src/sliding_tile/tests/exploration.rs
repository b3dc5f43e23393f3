//! Explorations of whole spaces, by index and by layers: both agree on every surface, from every kind of start.

use super::super::board::{Tile, TileBoard, TileGoal};
use super::super::heuristic::distance::{Formula, Kind, Table};
use super::super::ranking::Ranking;
use super::super::representation::{Array, Packed16};
use super::super::solvability::Invariant;
use super::super::space::TileSpace;
use super::super::surface::Surface;
use super::surfaces::SURFACES;
use crate::search::laws::{self, explorations_agree, index_agrees_with_layers};
use crate::search::{Explored, Limit, Limits, OnDisk, Place, Request, Work, explore, run};
use crate::space::{InPlace, PerfectIndex, Whole};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Returns a board with its tiles in this order.
fn board(rows: u32, columns: u32, surface: Surface, start: Vec<Tile>) -> TileBoard {
    TileBoard { rows, columns, surface, start, goal: TileGoal::BlankLast }
}

/// Returns a solved start, one after some moves, and one with two tiles swapped.
fn starts(rows: u32, columns: u32, surface: Surface) -> Vec<Arc<TileBoard>> {
    let solved = board(rows, columns, surface, (1..rows * columns).chain([0]).collect());
    let mut moved = solved.clone();
    for step in 0..20 {
        let blank = moved.blank();
        let neighbors: Vec<u32> = moved.neighbors(blank).collect();
        if !neighbors.is_empty() {
            moved.start.swap(blank as usize, neighbors[step * 7 % neighbors.len()] as usize);
        }
    }
    let mut swapped = moved.clone();
    if let Some(pair) = (1..swapped.start.len()).find(|&at| swapped.start[at - 1] * swapped.start[at] != 0) {
        swapped.start.swap(pair - 1, pair);
    }
    [solved, moved, swapped].map(Arc::new).into()
}

fn small_sizes(cells: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=cells).flat_map(move |rows| (1..=cells / rows).map(move |columns| (rows, columns)))
}

#[test]
fn explorations_by_index_and_by_layers_agree_on_all_small_boards() {
    for surface in SURFACES {
        for board in small_sizes(6).flat_map(|(rows, columns)| starts(rows, columns, surface)) {
            let space = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Zero));
            explorations_agree(&Whole(&space), &space.pack(&space.initial()));
            laws::perfect_index(&space);
            let numbered = matches!(board.invariant(), Invariant::Parity | Invariant::Nothing);
            assert_eq!(index_agrees_with_layers(&space, &Limits::default()), numbered, "{board:?}");
        }
    }
}

#[test]
fn ranking_is_exact_for_orders_longer_than_the_ending() {
    for (rows, columns, surface) in [(2, 4, Surface::Plane), (4, 2, Surface::Mobius), (1, 8, Surface::ProjectivePlane)]
    {
        for board in starts(rows, columns, surface) {
            laws::perfect_index(&TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Zero)));
            laws::perfect_index(&TileSpace::<Array, _>::new(&board, Formula::new(&board, Kind::Zero)));
        }
    }
}

#[test]
fn three_by_three_is_explored_alike_on_every_surface() {
    for board in SURFACES.into_iter().flat_map(|surface| starts(3, 3, surface)) {
        let space = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Zero));
        assert!(index_agrees_with_layers(&space, &Limits::default()), "{board:?} has no index");
    }
}

#[test]
fn explorations_on_disk_and_by_index_agree_where_horizontal_moves_are_shifts() {
    let board = &starts(2, 4, Surface::Plane)[1];
    // 7!/2 orders are no multiple of 64, 8!/2 are.
    assert!(Ranking::<Packed16>::new(board).expect("the board has a ranking").shifts().is_empty());
    let board = &starts(3, 3, Surface::Plane)[1];
    assert_eq!(Ranking::<Packed16>::new(board).expect("the board has a ranking").shifts().len(), 12);
    let space = TileSpace::<Packed16, _>::new(board, Table::new(board, Kind::Zero));
    laws::perfect_index(&space);
    let start = space.pack(&space.initial());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let disk = OnDisk { folder: folder.path().join("layers"), limit: None, fingerprint: "of this space".to_owned() };
    let (limits, place) = (Limits::default(), Place::Disk(disk));
    let request = Request { work: Work::Explore, limits: &limits, place: &place };
    let response = run(&space, &|| space.initial(), &request).expect("the disk has room");
    let on_disk = response.answer.explored();
    let in_memory = explore(&Whole(&space), &start, &Limits::default());
    assert_eq!((on_disk.by_depth, on_disk.dead_ends), (in_memory.by_depth, in_memory.dead_ends));
}

#[test]
fn explorations_agree_for_any_number_of_threads() {
    // More states than between two checks of the limits, so that threads share the work.
    let board = &starts(2, 5, Surface::Plane)[1];
    let space = TileSpace::<Packed16, _>::new(board, Table::new(board, Kind::Zero));
    for threads in [1, 2, 5] {
        let limits = Limits { threads: NonZero::new(threads), ..Limits::default() };
        assert!(index_agrees_with_layers(&space, &limits), "there is an index");
    }
}

#[test]
fn limits_stop_an_exploration_over_the_index() {
    let board = &starts(2, 5, Surface::Plane)[1];
    let space = TileSpace::<Packed16, _>::new(board, Table::new(board, Kind::Zero));
    let explored = |limits: Limits| explore(&Whole(&space), &space.pack(&space.initial()), &limits);
    let cut = |explored: Explored<_>| (explored.limit, explored.dead_ends, explored.hardest.is_none());
    let interrupt = Some(Arc::new(AtomicBool::new(true)));
    let interrupted = explored(Limits { interrupt, ..Limits::default() });
    assert_eq!((interrupted.by_depth.clone(), cut(interrupted)), (vec![1], (Some(Limit::Interrupt), None, true)));
    let late = explored(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(cut(late), (Some(Limit::Time), None, true));

    // Three bits for each state: with one byte less, the exploration falls back to layers, which need more.
    let whole = explored(Limits::default());
    assert!(whole.memory * 8 <= 3 * whole.states() * 21 / 20, "{} bytes", whole.memory);
    assert_eq!(explored(Limits { memory: Some(whole.memory), ..Limits::default() }).limit, None);
    let short = explored(Limits { memory: Some(whole.memory - 1), ..Limits::default() });
    assert_eq!(cut(short), (Some(Limit::Memory), None, true));

    // The states visited within a limit on nodes depend on their order, which must stay the same.
    let few = explored(Limits { nodes: Some(1000), ..Limits::default() });
    assert_eq!((few.limit, few.states() > 1000), (Some(Limit::Nodes), true));
}
