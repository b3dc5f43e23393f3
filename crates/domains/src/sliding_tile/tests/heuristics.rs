//! Every heuristic on whole small spaces: admissible, and consistent where claimed; and their tables compared with
//! simpler ways of building them.

use super::surfaces::SURFACES;
use super::*;
use crate::domain::{BuildContext, table};
use crate::search::{Algorithm, LazyPool, Limits, Verdict, search};
use crate::space::{Cost, Guided, InPlace, StateSpace};
use heuristic::distance::Formula;
use heuristic::linear_conflict::LinearConflict;
use heuristic::pattern_database::partition::Partition;
use heuristic::pattern_database::sparse::SparsePatterns;
use heuristic::pattern_database::{FEW, MANY, PatternDatabase, build};
use heuristic::walking_distance::WalkingDistance;
use heuristic::{Heuristic, Informed};
use std::collections::HashSet;

/// Returns small boards with goals of all kinds.
fn boards() -> Vec<Arc<TileBoard>> {
    let board = |rows, columns, start: &[u32], goal| {
        Arc::new(TileBoard { rows, columns, surface: Surface::Plane, start: start.to_vec(), goal })
    };
    vec![
        board(1, 1, &[0], TileGoal::BlankLast),
        board(1, 4, &[1, 0, 2, 3], TileGoal::BlankLast),
        board(3, 1, &[1, 0, 2], TileGoal::BlankFirst),
        board(2, 2, &[3, 1, 0, 2], TileGoal::BlankLast),
        board(3, 2, &[4, 5, 2, 0, 1, 3], TileGoal::BlankLast),
        board(2, 3, &[4, 5, 2, 0, 1, 3], TileGoal::BlankFirst),
        board(2, 3, &[4, 5, 2, 1, 0, 3], TileGoal::listed(vec![1, 5, 3, 4, 0, 2])),
    ]
}

/// Returns a pattern database of all tiles, in groups of up to `tiles`.
fn patterns(board: &Arc<TileBoard>, tiles: u64) -> Option<Informed> {
    let cells = u64::from(board.cells());
    let partition =
        Partition::choose(board, (0..tiles).map(|tile| cells.saturating_sub(tile).max(1)).product()).pop()?;
    let groups: Vec<&[Tile]> = partition.groups.iter().map(Vec::as_slice).collect();
    Some(Informed::PatternDatabase(Box::new(PatternDatabase::new(board, &[with_tables(board, &groups)]))))
}

/// Returns a partition and its tables.
fn with_tables(board: &TileBoard, groups: &[&[Tile]]) -> (Partition, Vec<Arc<table::Table>>) {
    let partition = Partition { groups: groups.iter().map(|group| group.to_vec()).collect() };
    let (pool, context) = (LazyPool::new(None), BuildContext::default());
    let build = |group: &Vec<u32>| build::build(board, group, &pool, &context).map(Arc::new);
    let tables = partition.groups.iter().map(build).collect::<Option<_>>().expect("no limit applies");
    (partition, tables)
}

/// Returns all heuristics that a board has.
fn informed(board: &Arc<TileBoard>) -> Vec<Informed> {
    let mut informed: Vec<Informed> = (1..=4).filter_map(|tiles| patterns(board, tiles)).collect();
    if board.surface == Surface::Plane {
        informed.push(Informed::LinearConflict(LinearConflict::new(board)));
        let walking = WalkingDistance::new(board, &BuildContext::default()).expect("the board is small");
        informed.push(Informed::WalkingDistance(Arc::new(walking)));
        let several = [Some(Informed::LinearConflict(LinearConflict::new(board))), patterns(board, 3)];
        informed.push(Informed::Maximum(several.into_iter().flatten().collect()));
    }
    informed
}

#[test]
fn every_heuristic_and_representation_keeps_the_laws() {
    for board in boards() {
        for kind in [Kind::Zero, Kind::Hamming, Kind::Manhattan] {
            laws::hold(&TileSpace::<Packed16, _>::new(&board, Table::new(&board, kind)), true);
            laws::hold(&TileSpace::<Packed25, _>::new(&board, Table::new(&board, kind)), true);
            laws::hold(&TileSpace::<Array, _>::new(&board, Formula::new(&board, kind)), true);
        }
        for heuristic in informed(&board) {
            let consistent = is_consistent(&heuristic);
            laws::hold(&TileSpace::<Packed16, _>::new(&board, heuristic), consistent);
        }
        for heuristic in informed(&board) {
            let consistent = is_consistent(&heuristic);
            laws::hold(&TileSpace::<Array, _>::new(&board, heuristic), consistent);
        }
    }
}

#[test]
fn every_heuristic_is_admissible_on_every_surface_that_has_it() {
    for board in boards() {
        for surface in SURFACES {
            let start = board.start.clone();
            let board = Arc::new(TileBoard { surface, start, goal: board.goal.clone(), ..*board });
            if board.unsolvable().is_some() {
                continue;
            }
            laws::hold(&TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Manhattan)), true);
            for heuristic in informed(&board) {
                let consistent = is_consistent(&heuristic);
                laws::hold(&TileSpace::<Packed16, _>::new(&board, heuristic), consistent);
            }
        }
    }
}

#[test]
fn several_partitions_together_keep_the_laws() {
    let groups: [&[&[Tile]]; 2] = [&[&[1, 2, 3], &[4, 5]], &[&[1, 4], &[3, 5]]];
    for board in boards().into_iter().filter(|board| board.cells() == 6) {
        let heuristic = || PatternDatabase::<MANY>::new(&board, &groups.map(|groups| with_tables(&board, groups)));
        laws::hold(&TileSpace::<Packed16, _>::new(&board, heuristic()), false);
        laws::hold(&TileSpace::<Packed25, _>::new(&board, heuristic()), false);
    }
}

#[test]
fn several_partitions_give_their_maximum_and_never_more_than_the_distance() {
    let groups: [&[&[Tile]]; 2] = [&[&[1, 2, 4], &[3, 5, 6], &[7, 8]], &[&[1, 2, 3], &[4, 5, 7, 8], &[6]]];
    let goal = Arc::new(board(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]));
    let each = groups.map(|groups| with_tables(&goal, groups));
    let together = PatternDatabase::<MANY>::new(&goal, &each);
    let alone = each.map(|one| PatternDatabase::<FEW>::new(&goal, &[one]));
    // Without their tables, the distances are those of a search from the goal.
    let space = TileSpace::<Packed16, _>::new(&goal, Table::new(&goal, Kind::Zero));
    let (mut layer, mut seen, mut depth, mut raised) = (vec![Packed16::pack(&goal.start)], HashSet::new(), 0, [0; 2]);
    seen.extend(layer.iter().copied());
    while !layer.is_empty() {
        let mut next = Vec::new();
        for key in &layer {
            let h = together.h(&together.memo(Packed16::tiles(key, 9)));
            let values = alone.each_ref().map(|one| one.h(&one.memo(Packed16::tiles(key, 9))));
            assert!(values.iter().max() == Some(&h) && h <= depth, "{h} of {values:?} at {depth} moves");
            raised.iter_mut().zip(values).for_each(|(raised, value)| *raised += u32::from(value == h));
            space.expand(key, |_, _, child| next.extend(Some(child).filter(|&child| seen.insert(child))));
        }
        (layer, depth) = (next, depth + 1);
    }
    assert_eq!((seen.len(), depth), (181_440, 32));
    assert!(raised.iter().all(|&raised| raised > 0 && raised < 181_440), "each partition matters: {raised:?}");
}

/// Returns the boards on all surfaces that have a solution.
fn on_all_surfaces() -> impl Iterator<Item = Arc<TileBoard>> {
    let on_surface = |board: &TileBoard, surface| {
        let (start, goal) = (board.start.clone(), board.goal.clone());
        Arc::new(TileBoard { surface, start, goal, rows: board.rows, columns: board.columns })
    };
    let all = boards().into_iter().flat_map(move |board| SURFACES.map(|surface| on_surface(&board, surface)));
    all.filter(|board| board.unsolvable().is_none())
}

#[test]
fn sparse_tables_keep_the_laws() {
    for board in on_all_surfaces() {
        for tiles in 1..=4 {
            let fit = (0..tiles).map(|tile| u64::from(board.cells()).saturating_sub(tile).max(1)).product();
            let Some(partition) = Partition::choose(&board, fit).pop() else { continue };
            let groups: Vec<&[Tile]> = partition.groups.iter().map(Vec::as_slice).collect();
            let compact = PatternDatabase::<FEW>::new(&board, &[with_tables(&board, &groups)]);
            // Only a table of all tiles but few cells has too large entries.
            let Some(sparse) = SparsePatterns::new(&board, compact, u64::MAX) else { continue };
            laws::hold(&TileSpace::<Packed16, _>::new(&board, sparse), false);
        }
    }
}

#[test]
fn sparse_tables_have_the_values_of_the_compact_ones_on_every_path() {
    // Tiles in no group have their distance alone.
    let fifteen: &[&[Tile]] = &[&[1, 2, 5], &[3, 4, 7, 8], &[6, 9, 10], &[11, 12, 15]];
    let other: &[&[Tile]] = &[&[1, 2, 3, 4], &[5, 6], &[7, 8, 11, 12], &[9, 13, 14]];
    for (rows, columns, surface) in [(4, 4, Surface::Plane), (4, 4, Surface::Torus), (3, 5, Surface::Plane)] {
        let start = (1..rows * columns).chain([0]).collect();
        let goal = Arc::new(TileBoard { rows, columns, surface, start, goal: TileGoal::BlankLast });
        let fits = |groups: &[&[Tile]]| groups.iter().copied().flatten().all(|&tile| tile < goal.cells());
        let groups = [fifteen, other].into_iter().filter(|groups| fits(groups));
        let tables: Vec<_> = groups.map(|groups| with_tables(&goal, groups)).collect();
        let compact = || PatternDatabase::<MANY>::new(&goal, &tables);
        let bytes = compact().table_bytes();
        assert!(SparsePatterns::new(&goal, compact(), bytes).is_none(), "the room is too small");
        let sparse = SparsePatterns::new(&goal, compact(), u64::MAX).expect("the groups are small");
        assert!(sparse.table_bytes() > bytes);
        let one = TileSpace::<Packed16, _>::new(&goal, compact());
        let other = TileSpace::<Packed16, _>::new(&goal, sparse);
        let (mut left, mut right) = (one.initial(), other.initial());
        let (mut made, mut random) = (Vec::new(), 1_u32);
        for step in 0..2000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let h = one.h_in_place(&left);
            assert_eq!(h, other.h_in_place(&right), "after {step} moves");
            assert_eq!(h, other.h(&other.pack(&right)), "after {step} moves");
            if step % 7 == 6 {
                // Back by half of the moves.
                for _ in 0..made.len() / 2 {
                    let (action, of_left, of_right) = made.pop().expect("a move was made");
                    one.undo(&mut left, action, of_left);
                    other.undo(&mut right, action, of_right);
                }
                assert_eq!(one.h_in_place(&left), other.h_in_place(&right));
            }
            let actions: Vec<_> = one.actions(&left).collect();
            let action = actions[(random >> 16) as usize % actions.len()];
            let most = h + random % 3;
            let of_left = one.apply_within(&mut left, action, most).map(|(_, undo)| undo);
            let of_right = other.apply_within(&mut right, action, most).map(|(_, undo)| undo);
            match (of_left, of_right) {
                (Ok(of_left), Ok(of_right)) => made.push((action, of_left, of_right)),
                (of_left, of_right) => assert_eq!(of_left.err(), of_right.err()),
            }
        }
    }
}

/// Returns whether a heuristic is consistent. A pattern database ignores the blank; if this one splits the board, h can
/// fall by more than a move.
fn is_consistent(heuristic: &Informed) -> bool {
    !matches!(heuristic, Informed::PatternDatabase(_) | Informed::Maximum(_))
}

/// Returns the value of a heuristic at a start.
fn h(board: &Arc<TileBoard>, heuristic: &impl Heuristic) -> u32 {
    heuristic.h(&heuristic.memo(board.start.iter().copied()))
}

#[test]
fn one_group_of_all_tiles_gives_the_exact_distance() {
    let mut start = vec![0, 1, 2, 3, 4, 5];
    for turn in 0..24 {
        start.swap(turn % 6, turn * 5 % 6);
        let board = Arc::new(board(2, 3, &start));
        if board.unsolvable().is_some() {
            continue;
        }
        let space = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Zero));
        let Verdict::Solved { cost, .. } =
            search(&space, &|| space.initial(), Algorithm::Bfs, &Limits::default()).verdict
        else {
            panic!("{start:?} is solvable")
        };
        let all = patterns(&board, 5).expect("the board has tiles");
        // The look-up ignores the component of the blank: with one free cell, there is only one.
        assert_eq!(f64::from(h(&board, &all)), cost, "{start:?}");
    }
}

#[test]
fn the_heuristics_have_the_published_values() {
    // One conflict in the first row.
    let reversed = Arc::new(board(3, 3, &[2, 1, 3, 4, 5, 6, 7, 8, 0]));
    assert_eq!(h(&reversed, &Table::new(&reversed, Kind::Manhattan)), 2);
    assert_eq!(h(&reversed, &LinearConflict::new(&reversed)), 4);
    // A row of four tiles in reversed order: three have to leave.
    let three = Arc::new(board(3, 4, &[4, 3, 2, 1, 5, 6, 7, 8, 9, 10, 11, 0]));
    assert_eq!(h(&three, &Table::new(&three, Kind::Manhattan)), 8);
    assert_eq!(h(&three, &LinearConflict::new(&three)), 14);
    let tables = WalkingDistance::new(&Arc::new(board(4, 4, &(0..16).collect::<Vec<_>>())), &BuildContext::default());
    assert_eq!(tables.map(|tables| tables.tables()), Some((24_964, 24_964)), "the tables of 4x4 (Takahashi 2001)");
    // The largest boards that have tables, and boards one line larger.
    for (rows, columns, has_tables) in [(5, 3, true), (2, 6, true), (5, 4, false), (7, 2, false), (1, 16, true)] {
        let board = Arc::new(board(rows, columns, &(0..rows * columns).collect::<Vec<_>>()));
        let built = WalkingDistance::new(&board, &BuildContext::default()).is_some();
        assert_eq!(built, has_tables, "{rows}x{columns}");
    }
}

#[test]
fn no_board_is_so_large_that_its_distances_look_like_a_proof_that_it_is_unsolvable() {
    let side = 1200;
    let reversed: Vec<u32> = (0..side * side).rev().collect();
    let board = Arc::new(board(side, side, &reversed));
    for h in [h(&board, &Formula::new(&board, Kind::Manhattan)), h(&board, &LinearConflict::new(&board))] {
        assert_eq!(h, u32::INFINITY / 2, "the sum is capped");
    }
}

#[test]
fn all_heuristics_find_the_same_moves_with_and_without_the_automaton() {
    let start = [8, 1, 3, 4, 0, 2, 7, 6, 5];
    let board = Arc::new(board(3, 3, &start));
    let solve = |space: &dyn Fn(bool) -> Vec<space::Action>| (space(false), space(true));
    let first = {
        let space = TileSpace::<Packed16, _>::new(&board, Table::new(&board, Kind::Manhattan));
        moves(&space)
    };
    for heuristic in 0..informed(&board).len() {
        let with = |pruned: bool| {
            let heuristic = informed(&board).swap_remove(heuristic);
            let automaton = pruned.then(|| automaton::of(&board)).flatten();
            moves(&TileSpace::<Packed16, _>::new(&board, heuristic).pruned(automaton))
        };
        assert_eq!(solve(&with), (first.clone(), first.clone()), "by heuristic {heuristic}");
    }
}

fn moves<R: Representation, H: Heuristic>(space: &TileSpace<R, H>) -> Vec<space::Action> {
    match search(space, &|| space.initial(), Algorithm::IdaStar, &Limits::default()).verdict {
        Verdict::Solved { path, .. } => path,
        _ => panic!("the board is solvable"),
    }
}
