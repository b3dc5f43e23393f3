//! The laws of the state space, on boards that together have all features.

use super::description::Klotski;
use super::symmetry::Symmetries;
use super::*;
use crate::domain::{BuildContext, FileContext};
use crate::search::{Algorithm, Limit, Limits, Verdict, explore, laws, search};
use crate::space::{InPlace, StateSpace, Whole};

fn blocks(source: &str) -> Blocks {
    FileContext::of_text(source, |keys, file| Klotski::take(keys).blocks(file))
        .expect("the test's description is valid")
}

fn space<B: Bits, K: Packed>(blocks: &Blocks, heuristic: bool) -> BlockSpace<B, K> {
    let (fields, _) = space::fields(&blocks.compiled);
    let metric = blocks.board.metric;
    let distance = heuristic.then(|| GoalDistance::new(&blocks.compiled, &fields, metric));
    BlockSpace::new(&blocks.compiled, metric, distance)
}

const BOARDS: [&str; 14] = [
    // Pieces of three shapes.
    "start = '''\naab\naac\n.de\n.fg\n'''\ngoal = '''\n...\n...\naa.\naa.\n'''",
    // Named pieces that trade places around walls.
    "start = '''\na#b\n...\n#.#\n'''\ngoal = '''\nb.a\n...\n...\n'''",
    // A gate in the drawing.
    "start = '''\n##.##\naab=.\n##.#.\n'''\ngoal = '''\n.....\n...aa\n.....\n'''",
    // Gates under pieces: a piece that leaves one cannot return.
    "start = '''\nabc.\n.d..\n'''\ngates = [[0, 1], [1, 2]]\ngoal = '''\n....\n...d\n'''",
    // An L-shaped piece, and two alternative goals.
    "start = '''\naa.b\nac.b\n..dd\n'''\ngoal = ['''\n..aa\n..a.\n....\n''', '''\n....\n...c\n....\n''']",
    // Pieces that move lengthwise only.
    "moves = 'lengthwise'\nstart = '''\nAA.c\nd..c\ndeee\nf...\n'''\ngoal = '''\n..AA\n....\n....\n....\n'''",
    // Symmetric left to right, with two pieces that exchange roles.
    "start = '''\nab.BA\n.#.#.\n'''\ngoal = ['''\na....\n.....\n''', '''\n....A\n.....\n''']",
    // Invariant under all symmetries of the square.
    "start = '''\nb.c\n.a.\nd..\n'''\ngoal = '''\n...\n.a.\n...\n'''",
    // A goal that requires one piece in two places, since the other can reach neither.
    "moves = 'vertical'\nrows = 2\ncolumns = 3\nwalls = [[0, 1], [1, 0]]\ngoal = { b = [1, 2], one = [1, 1] }\n\
     [shapes]\none = ['#']\n[pieces]\na = { shape = 'one', at = [0, 0] }\n\
     b = { shape = 'one', at = [1, 2], moves = 'any' }",
    // A shape at several places.
    "rows = 2\ncolumns = 4\ngoal = { one = [[0, 3], [1, 3]], bar = [0, 0] }\n[shapes]\none = ['#']\nbar = ['##']\n\
     [pieces]\na = { shape = 'one', at = [0, 0] }\nb = { shape = 'one', at = [1, 0] }\n\
     c = { shape = 'one', at = [0, 1], moves = 'horizontal' }\nd = { shape = 'bar', at = [0, 2] }",
    // A named piece, and others of its shape by outline, in a symmetric goal.
    "start = '''\nab.\nc..\n...\n'''\ngoal = '''\n...\n.a.\nx.y\n'''",
    // Two alternatives by outline, with a gate.
    "start = '''\naab=\ncc..\n'''\ngoal = ['''\n..11\n....\n''', '''\n11..\n..22\n''']",
    // All pieces of a shape, of which one can reach only one of the places.
    "start = '''\na#b\n.#.\nc#.\n'''\ngoal = '''\n.#1\n2#.\n.#3\n'''\n[pieces.b]\nmoves = 'none'",
    // A piece in several parts.
    "start = '''\n.a.a\n.bb.\n....\n'''\ngoal = '''\n....\n....\na.a.\n'''",
];

fn in_every_metric() -> impl Iterator<Item = Blocks> {
    let metrics = ["slide", "step", "turn"];
    BOARDS.iter().flat_map(move |board| metrics.map(|metric| blocks(&format!("metric = '{metric}'\n{board}"))))
}

/// Returns each board in one of the metrics.
fn in_some_metric() -> impl Iterator<Item = Blocks> {
    let metrics = ["slide", "step", "turn"].into_iter().cycle();
    BOARDS.iter().zip(metrics).map(|(board, metric)| blocks(&format!("metric = '{metric}'\n{board}")))
}

#[test]
fn every_board_keeps_the_laws_in_every_metric() {
    for blocks in in_every_metric() {
        laws::hold(&space::<u64, u64>(&blocks, true), true);
        laws::hold(&space::<u64, u64>(&blocks, false), true);
        laws::hold(&space::<u64, u64>(&blocks, true).with_patterns(&BuildContext::default()), true);
    }
}

#[test]
fn keys_of_every_width_keep_the_laws() {
    for blocks in in_some_metric() {
        laws::hold(&space::<u64, u128>(&blocks, true), true);
        laws::hold(&space::<u128, u128>(&blocks, true), true);
        laws::hold(&space::<u64, [u64; 4]>(&blocks, true), true);
        laws::hold(&space::<Wide<4>, [u64; 8]>(&blocks, true), true);
        laws::hold(&space::<Wide<16>, Box<[u64]>>(&blocks, true), true);
    }
}

#[test]
fn every_packing_has_the_same_states_at_the_same_depths() {
    for blocks in in_every_metric() {
        let levels = laws::levels(&space::<u64, u64>(&blocks, false));
        assert_eq!(levels, laws::levels(&space::<u64, u128>(&blocks, false)), "keys of 128 bits");
        assert_eq!(levels, laws::levels(&space::<u64, Box<[u64]>>(&blocks, false)), "keys of any length");
        assert_eq!(levels, laws::levels(&space::<u64, [u64; 4]>(&blocks, false)), "keys of four words");
        assert_eq!(levels, laws::levels(&space::<u128, u128>(&blocks, false)), "boards of 128 cells");
        assert_eq!(levels, laws::levels(&space::<Wide<4>, [u64; 8]>(&blocks, false)), "boards of 256 cells");
        assert_eq!(
            levels,
            laws::levels(&space::<Wide<16>, Box<[u64]>>(&blocks, false)),
            "boards of any number of cells"
        );
    }
}

#[test]
fn interchangeable_pieces_are_one_state() {
    // On 2x3 cells, a horizontal domino has 4 placements, and each leaves 4 cells for an unordered pair of 1x1 pieces.
    let blocks = blocks("metric = 'step'\nstart = '''\nabb\n.c.\n'''\ngoal = '''\n...\n.bb\n'''");
    let levels = laws::levels(&space::<u64, u64>(&blocks, false));
    assert_eq!(levels.iter().sum::<usize>(), 4 * 6);
}

#[test]
fn the_reachable_states_are_the_same_in_every_metric() {
    // Every slide or turn is a sequence of steps, so only the depths differ. This board has the longest solution.
    let board = "start = '''\nabcd\neefd\neefg\nhiig\njj..\n'''\ngoal = '''\n....\n....\n....\n.ee.\n.ee.\n'''";
    let total = |metric: &str| {
        let blocks = blocks(&format!("metric = '{metric}'\n{board}"));
        laws::levels(&space::<u64, u64>(&blocks, false)).iter().sum::<usize>()
    };
    let steps = total("step");
    assert_eq!(steps, total("slide"));
    assert_eq!(steps, total("turn"));
}

#[test]
fn a_board_of_many_cells_and_pieces_is_searched_like_a_small_one() {
    // The same corner of a board, with and without a field of walled-off rooms that makes it wide.
    let small = "metric = 'step'\nstart = '''\na.b\n...\n'''\ngoal = '''\n..a\n...\n'''";
    let row = |inside: &str| format!("{inside}#{}\n", ".#".repeat(30));
    let rooms = row("###").repeat(12);
    let start = row("a.b") + &row("...") + &rooms;
    let goal = row("..a") + &row("...") + &rooms;
    let wide = format!("metric = 'step'\nstart = '''\n{start}'''\ngoal = '''\n{goal}'''");
    let (small, wide) = (blocks(small), blocks(&wide));
    assert!(wide.compiled.cells() > 64);
    let expected = laws::levels(&space::<u64, u64>(&small, false));
    assert_eq!(expected, laws::levels(&space::<Wide<16>, Box<[u64]>>(&wide, false)));
    assert!(wide.compiled.cells() > 256, "the board needs the widest set type");
}

#[test]
fn a_board_has_the_symmetries_that_all_of_it_has() {
    let count = |source: &str| {
        let blocks = blocks(source);
        let (fields, bits) = space::fields(&blocks.compiled);
        Symmetries::<u64>::new(&blocks.compiled, &fields, bits).len()
    };
    let squares = |goal: &str| format!("start = '''\na.b\n...\n...\n'''\ngoal = '''\n{goal}\n'''\n");
    assert_eq!(count(&squares("...\n.a.\n...")), 7, "a goal in the middle of a square");
    assert_eq!(count(&squares(".a.\n...\n...")), 1, "a goal in the middle of a side");
    assert_eq!(count(&squares("a..\n...\n...")), 1, "a goal in a corner: the diagonal");
    assert_eq!(count(&squares("...\n...\n.ba")), 0, "goals without a symmetry");
    let beside = |more: &str| count(&format!("{more}\n{}", squares("...\n.a.\n...")));
    assert_eq!(beside("walls = [[1, 0]]"), 1, "a wall in the middle of a side");
    assert_eq!(beside("walls = [[1, 0], [1, 2]]"), 3, "walls on two sides");
    assert_eq!(beside("gates = [[1, 0]]"), 1, "a gate in the middle of a side");
    assert_eq!(beside("moves = 'horizontal'"), 1, "pieces that stay in their row");
    let flag = "start = '''\naab\na..\n...\n'''\ngoal = '''\n...\n.b.\n...\n'''";
    assert_eq!(count(flag), 1, "a shape that is symmetric under transposition");
    let two = "start = '''\naab\na.c\n.cc\n'''\ngoal = '''\n...\n.b.\n...\n'''";
    assert_eq!(count(two), 3, "shapes that are images of each other");
}

#[test]
fn goal_distance_gives_each_place_a_piece_of_its_own() {
    let h = |source: &str| {
        let space = space::<u64, u64>(&blocks(&format!("metric = 'step'\n{source}")), true);
        crate::space::Guided::h(&space, &space.initial())
    };
    // `a` is nearest to both places, but can stand at one only.
    assert_eq!(h("start = '''\na....b\n......\n'''\ngoal = '''\n.1....\n.2....\n'''"), 1 + 5);
    assert_eq!(h("start = '''\na...b\n.....\n'''\ngoal = '''\n..1..\n..2..\n'''"), 2 + 3);
    // Two shapes add up, and so do a named piece and another of its shape.
    assert_eq!(h("start = '''\naab..\n.....\n'''\ngoal = '''\n..1..\n.22..\n'''"), 2);
    assert_eq!(h("start = '''\nab...\n.....\n'''\ngoal = '''\n....a\n....1\n'''"), 4 + 4);
}

#[test]
fn too_few_pieces_for_all_places_are_detected_without_a_search() {
    let reason = |goal: &str| {
        let source = format!("start = '''\na#b\n.#.\n.#c\n'''\ngoal = '''\n{goal}\n'''");
        Instance::unsolvable(&blocks(&source))
    };
    assert_eq!(reason(".#1\n2#.\n.#3"), None);
    assert_eq!(reason("1#.\n2#.\n.#.").map(|reason| reason.starts_with("too few pieces")), Some(true));
    assert_eq!(reason("b#.\n.#.\n.#.").map(|reason| reason.starts_with("the piece `b`")), Some(true));
}

#[test]
fn all_goals_are_listed_by_shape_and_by_piece() {
    let list = |source: &str, at_most| {
        let mut goals = space::<u64, u64>(&blocks(source), false).goals(at_most)?;
        goals.sort_unstable();
        goals.dedup();
        Some(goals.len())
    };
    let board = |goal: &str| format!("start = '''\naab\nc..\n'''\ngoal = {goal}");
    // `a` lies at the lower left; the two squares have four cells to choose from.
    assert_eq!(list(&board("'''\n...\naa.\n'''"), 100), Some(6));
    assert_eq!(list(&board("'''\n...\naa.\n'''"), 5), None, "more goals than requested");
    // `b` is named, so it differs from `c`: 4 * 3 with `a` in place, 3 * 3 with `b`, 2 with both.
    assert_eq!(list(&board("['''\n...\naa.\n''', '''\n..b\n...\n''']"), 100), Some(12 + 9 - 3));
}

#[test]
fn a_memory_limit_changes_no_answer_while_three_layers_fit() {
    let board = "start = '''\nabcd\neefd\neefg\nhiig\njj..\n'''\ngoal = '''\n....\n....\n....\n.ee.\n.ee.\n'''";
    let space = space::<u64, u64>(&blocks(board), false);
    let solve = |memory: Option<u64>| {
        search(&space, &|| space.initial(), Algorithm::Bfs, &Limits { memory, ..Limits::default() })
    };
    let ample = solve(None);
    let Verdict::Solved { path, cost, .. } = ample.verdict else { panic!("the puzzle is solvable") };
    assert!(cost > 80.0, "the board is long enough to have many layers");
    let mut dropped_layers = 0;
    for memory in (1..=24).map(|parts| ample.stats.memory * parts / 24) {
        let found = solve(Some(memory));
        match found.verdict {
            Verdict::Solved { path: other, .. } => {
                assert_eq!(other, path, "another solution within {memory} bytes");
                assert!(found.stats.memory <= memory, "{} bytes where {memory} are allowed", found.stats.memory);
                dropped_layers += usize::from(memory < ample.stats.stored * 8);
            }
            Verdict::Limit { limit: Limit::Memory, lower_bound, .. } => assert!(lower_bound <= cost),
            _ => panic!("neither solved nor out of memory within {memory} bytes"),
        }
    }
    assert!(dropped_layers > 0, "some run must be solved with less memory than all states need");

    let exploration =
        |memory| explore(&Whole(&space), &space.pack(&space.initial()), &Limits { memory, ..Limits::default() });
    let ample = exploration(None);
    let (states, hardest) = (ample.states(), ample.hardest.expect("there are goals"));
    let mut dropped_layers = 0;
    for memory in (1..=24).map(|parts| ample.memory * parts / 24) {
        let found = exploration(Some(memory));
        if found.limit.is_none() {
            let hard = found.hardest.expect("there are goals");
            assert_eq!((found.by_depth, found.goals, found.dead_ends), (ample.by_depth.clone(), ample.goals, Some(0)));
            assert_eq!((hard.cost, hard.count, hard.example), (hardest.cost, hardest.count, hardest.example.clone()));
            dropped_layers += usize::from(memory < states * 8);
        }
    }
    assert!(dropped_layers > 0, "some exploration must complete with less memory than all states need");
}
