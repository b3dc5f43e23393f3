//! Symmetries, and patterns of colours compared with the true distances of all positions.

use super::super::cosets::choose::Choice;
use super::super::cosets::views::Views;
use super::super::cosets::{Chosen, Cosets, thirds};
use super::super::images::{Place, compose, identity, inverse};
use super::super::instance::Permutations;
use super::super::patterns::Guide;
use super::super::patterns::build::{Entries, build};
use super::super::setup::{Metric, Setup};
use super::super::space::PermutationSpace;
use super::super::symmetries::{Symmetry, symmetries};
use super::{COLOURS, CUBE, POCKET_CUBE, Small, TOP_SPIN, from, model, positions, setup};
use crate::domain::{BuildContext, Instance};
use crate::permutation::model::Model;
use crate::search::{Algorithm, LazyPool, Limit, Limits, Verdict, laws, search};
use crate::space::InPlace;
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

/// Two rings of five places with two in common: half of 8! positions.
const RINGS: &[(&str, &str)] = &[("A", "(1 2 3 4 5)"), ("B", "(1 6 7 8 4)")];

/// Three corners of the Pyraminx, without its tips.
const PYRAMINX: &[(&str, &str)] = &[
    ("U", "(1 3 4)(5 11 14)(6 12 15)(7 13 16)"),
    ("L", "(5 24 29)(10 13 19)(17 26 31)(18 25 30)"),
    ("R", "(7 34 24)(8 19 14)(20 33 23)(21 32 22)"),
];
const PYRAMINX_COLOURS: &str = "GYRBGGGYYYRRRBBBGGGGGYYYYYRRRRRBBBBB";

/// Two orbits of six places, on which the generators act alike but for the order of the places.
const TWO_ORBITS: &[(&str, &str)] = &[("A", "(1 2 3 4)(7 9 8 10)"), ("B", "(3 4 5 6)(9 10 11 12)")];

/// The same with five and four places.
const SMALL: &[(&str, &str)] = &[("A", "(1 2 3 4)(6 7 8 9)"), ("B", "(4 5)(7 8)(6 9)")];

/// Returns small puzzles whose positions are permutations of the places, with the greatest number of entries of a
/// table.
fn puzzles() -> Vec<(Setup, u64)> {
    let two_faces = &POCKET_CUBE[..2];
    vec![
        (setup("abcdef", Metric::Power, TOP_SPIN), 100),
        (setup("abcdefgh", Metric::Power, RINGS), 2000),
        (setup("abcdefgh", Metric::Generator, RINGS), 300),
        // Corners, without and with all their places: orientations of the corners, and two kinds of them.
        (setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, two_faces), 1000),
        (setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Generator, two_faces), 20_000),
        // Edges, and two corners that stay in their places.
        (setup(PYRAMINX_COLOURS, Metric::Power, &PYRAMINX[..2]), 200),
        (setup(PYRAMINX_COLOURS, Metric::Power, &PYRAMINX[..2]), 3000),
        // Two orbits that move together.
        (
            setup(
                "abcdeABCDE",
                Metric::Power,
                &[("X", "(1 2 3)(6 7 8)"), ("Y", "(3 4 5)(10 9 8)"), ("Z", "(6 7)(8 9)")],
            ),
            500,
        ),
    ]
}

/// Returns a pattern of at least two arrangements.
pub(super) fn cosets(model: &Model, most: u64, context: &BuildContext) -> Option<Cosets> {
    Cosets::new(model, Chosen::new(model, (2, most), context)?, most, context)
}

/// Returns the pattern that refines another one, with the coarse arrangements.
fn refined(cosets: &Cosets, model: &Model, most: u64, context: &BuildContext) -> Option<(Cosets, Vec<u32>)> {
    cosets.refined(model, cosets.chosen.refined(model, most, context)?, most, context)
}

fn views(model: &Model, most: u64, threads: usize) -> Views {
    let context = BuildContext::default();
    let cosets = cosets(model, most, &context).expect("the puzzle has such a pattern");
    let table = build(&cosets, &LazyPool::new(NonZero::new(threads)), &context).expect("no limit applies");
    Views::new(Arc::new(cosets), Arc::new(table))
}

/// Returns the finer pattern with a table of at most `finer` entries, for a pattern with at most `most`, and the colours of
/// the coarse one.
fn finer(model: &Model, (most, finer): (u64, u64), threads: usize) -> (Views, Choice) {
    let context = BuildContext::default();
    let views = views(model, most, threads);
    let coarse = views.cosets.choice().clone();
    let (cosets, rest) = refined(&views.cosets, model, finer, &context).expect("the puzzle has a finer pattern");
    let table = thirds::build(&cosets, &LazyPool::new(NonZero::new(threads)), &context).expect("no limit applies");
    (Views::finer(Arc::new(cosets), Arc::new(table), Arc::new(rest), views.table), coarse)
}

#[test]
fn symmetries_map_moves_to_moves() {
    for (puzzle, count) in [
        (setup(COLOURS, Metric::Power, CUBE), 48),
        (setup(COLOURS, Metric::Generator, CUBE), 48),
        // A corner is fixed: rotations around it and reflections.
        (setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, POCKET_CUBE), 6),
        (setup("abcdef", Metric::Power, TOP_SPIN), 2),
        (setup("abcdefgh", Metric::Power, RINGS), 4),
    ] {
        let model = model(&puzzle);
        let symmetries = symmetries(&model);
        assert_eq!(symmetries.len(), count);
        assert_eq!(symmetries[0].image, identity(model.places));
        for symmetry in &symmetries {
            for (each_move, &image) in model.moves.iter().zip(&symmetry.moves) {
                let conjugate = compose(&compose(&inverse(&symmetry.image), &each_move.image), &symmetry.image);
                assert_eq!(conjugate, model.moves[usize::from(image)].image);
            }
        }
    }
}

/// The distances of all arrangements of the colours of a pattern.
struct Distances {
    choice: Choice,
    known: HashMap<Vec<u8>, u32>,
}

impl Distances {
    fn new(choice: &Choice, positions: &[(Vec<Place>, u32)]) -> Distances {
        let mut distances = Distances { choice: choice.clone(), known: HashMap::new() };
        for (position, depth) in positions {
            // In ascending order of distance.
            let arrangement = distances.arrangement(position);
            distances.known.entry(arrangement).or_insert(*depth);
        }
        distances
    }

    fn arrangement(&self, position: &[Place]) -> Vec<u8> {
        inverse(position).iter().map(|&home| self.choice.colors[usize::from(home)]).collect()
    }

    /// Returns the distance of an arrangement up to exchanges of colours.
    fn of(&self, position: &[Place]) -> u32 {
        let arrangement = self.arrangement(position);
        let exchanged =
            |map: &Vec<u8>| -> Vec<u8> { arrangement.iter().map(|&color| map[usize::from(color)]).collect() };
        let known = self.choice.recolorings.iter().filter_map(|map| self.known.get(&exchanged(map)).copied());
        known.min().expect("the arrangement itself is known")
    }
}

/// Compares the values of all positions with the distances of their arrangements. Returns whether that of an inverse
/// position is ever greater.
fn check_values(model: &Model, views: &Views, coarse: Option<&Choice>) -> bool {
    let solved = model.solved.as_ref().expect("the puzzle is solved");
    let h = |position: &[Place]| {
        let place = |member: usize| usize::from(position[usize::from(solved[member])]);
        let memo = views.memo(place);
        (views.h(&memo, place), memo)
    };
    let positions = positions(model, usize::MAX).expect("any number is allowed");
    let symmetries = symmetries(model);
    let image = |symmetry: &[Place], position: &[Place]| compose(&compose(&inverse(symmetry), position), symmetry);
    let distances = Distances::new(views.cosets.choice(), &positions);
    let coarse = coarse.map(|choice| Distances::new(choice, &positions));
    // Orbits that move together have fewer than their product.
    let arrangements = views.cosets.counts().0 * views.cosets.choice().recolorings.len() as u64;
    assert!(distances.known.len() as u64 <= arrangements);
    let mut sum = 0;
    let mut inverse_gains = false;
    for (position, depth) in &positions {
        let images = |position: &[Place]| -> Vec<Vec<Place>> {
            symmetries.iter().map(|symmetry| image(&symmetry.image, position)).collect()
        };
        let distance = |position: &Vec<Place>| distances.of(position);
        // Of an inverse position, the remainder is known, and the distance of the coarse arrangement.
        let inverse_distance = |position: &Vec<Place>| {
            let least = coarse.as_ref().map_or(0, |coarse| coarse.of(position));
            let distance = distances.of(position);
            assert!(distance >= least, "a finer arrangement is nearer than a coarse one");
            if coarse.is_some() { least + (distance - least) % 3 } else { distance }
        };
        let greatest = images(position).iter().map(distance).max().expect("there is the identity");
        let back = inverse(position);
        let greatest_inverse = images(&back).iter().map(inverse_distance).max().expect("there is the identity");
        let (value, memo) = h(position);
        assert_eq!(value, greatest.max(greatest_inverse), "the value is not the greatest of all views");
        inverse_gains |= greatest_inverse > greatest;
        assert!(value <= *depth, "the value {value} of a position {depth} moves away is not admissible");
        sum += value;
        for (number, each_move) in (0..).zip(&model.moves) {
            let (after, _) = h(&compose(position, &each_move.image));
            assert_eq!(views.h(&views.moved(&memo, number), |_| 0), after);
            for enough in [after.saturating_sub(1), after] {
                assert_eq!(views.after(&memo, number, enough, |_| 0).is_ok(), after <= enough);
            }
        }
        let rotated = image(&symmetries[symmetries.len() - 1].image, position);
        assert_eq!(h(&rotated).0, value);
    }
    assert!(sum > 0);
    inverse_gains
}

#[test]
fn values_of_all_positions_are_distances_of_their_arrangements() {
    let mut most_symmetries = (1, 1);
    let mut inverse_gains = false;
    for (puzzle, most) in puzzles() {
        let model = model(&puzzle);
        let views = views(&model, most, 2);
        let (_, keeping, images) = views.cosets.counts();
        most_symmetries = (most_symmetries.0.max(keeping), most_symmetries.1.max(images));
        inverse_gains |= check_values(&model, &views, None);
    }
    assert!(most_symmetries.0 > 1 && most_symmetries.1 > 1, "{most_symmetries:?}");
    assert!(inverse_gains, "no inverse has a greater value than its position");
}

/// Puzzles with two orbits, with the greatest number of entries of a table and of that of the finer pattern.
fn refined_puzzles() -> Vec<(Setup, (u64, u64))> {
    let of_two = |metric| setup("abcdefghijkl", metric, TWO_ORBITS);
    let limits = [(10, 1 << 10), (300, 1 << 14), (1000, 1 << 14)];
    let puzzles = limits.map(|limits| (of_two(Metric::Power), limits)).into_iter();
    let small = [(10, 1 << 10), (100, 1 << 10)].map(|limits| (setup("abcdefghi", Metric::Generator, SMALL), limits));
    puzzles.chain([0, 1].map(|which| (of_two(Metric::Generator), limits[which]))).chain(small).collect()
}

/// Returns the finer patterns of the puzzles that have one.
pub(in crate::permutation) fn finer_puzzles() -> Vec<Cosets> {
    let context = BuildContext::default();
    let finer = |(puzzle, (most, finer)): (Setup, (u64, u64))| {
        let model = model(&puzzle);
        let coarse = cosets(&model, most, &context).expect("the puzzle has such a pattern");
        refined(&coarse, &model, finer, &context).expect("the puzzle has a finer pattern").0
    };
    refined_puzzles().into_iter().map(finer).collect()
}

#[test]
fn values_of_all_positions_are_distances_of_their_finer_arrangements() {
    let mut exchanges = Vec::new();
    let mut inverse_gains = false;
    for (puzzle, most) in refined_puzzles() {
        let model = model(&puzzle);
        let (views, coarse) = finer(&model, most, 2);
        exchanges.push(views.cosets.choice().recolorings.len());
        inverse_gains |= check_values(&model, &views, Some(&coarse));
    }
    assert!(exchanges.contains(&1) && exchanges.contains(&2), "patterns with and without exchanges: {exchanges:?}");
    assert!(inverse_gains, "no inverse has a greater value than its position");
}

/// For all moves of positions and small thresholds: looking two moves ahead leaves out none after which a solution goes
/// on by the moves that searches make.
#[test]
fn two_moves_ahead_no_solution_is_left_out() {
    let mut left_out = 0;
    for (puzzle, most) in refined_puzzles() {
        let model = model(&puzzle);
        let views = finer(&model, most, 2).0;
        let solved = model.solved.as_ref().expect("the puzzle is solved");
        let memo = |position: &[Place]| views.memo(|member: usize| usize::from(position[usize::from(solved[member])]));
        let positions = positions(&model, usize::MAX).expect("any number is allowed");
        let depths: HashMap<Vec<Place>, u32> = positions.iter().cloned().collect();
        let follows = |before: usize, then: usize| match (&model.moves[before], &model.moves[then]) {
            (one, other) if one.generator == other.generator => before == then && one.run > 1,
            (one, other) => model.may_follow(one.generator, other.generator),
        };
        for (position, _) in positions.iter().step_by(positions.len() / 500 + 1) {
            let root = memo(position);
            for first in 0..model.moves.len() {
                let after = compose(position, &model.moves[first].image);
                for threshold in depths[&after].max(1)..depths[&after] + 3 {
                    let node = views.after(&root, first as u16, threshold, |_| 0);
                    let node = node.unwrap_or_else(|h| panic!("{h} is greater than {threshold}"));
                    for second in (0..model.moves.len()).filter(|&second| follows(first, second)) {
                        let end = compose(&after, &model.moves[second].image);
                        let is_left_out = views.after(&node, second as u16, threshold - 1, |_| 0).is_err();
                        let nearer = |third: usize| depths[&compose(&end, &model.moves[third].image)] + 2 <= threshold;
                        let goes_on = depths[&end] == 0
                            || (0..model.moves.len()).any(|third| follows(second, third) && nearer(third));
                        assert!(!(is_left_out && goes_on), "a solution of {threshold} moves is left out");
                        left_out += u32::from(is_left_out && views.h(&memo(&end), |_| 0) < threshold);
                    }
                }
            }
        }
    }
    assert!(left_out > 100, "only {left_out} moves are left out by looking further than their values");
}

#[test]
fn values_are_admissible_and_symmetric_on_three_corners_of_the_pyraminx() {
    let model = model(&setup(PYRAMINX_COLOURS, Metric::Power, PYRAMINX));
    let views = views(&model, 5000, 2);
    let solved = model.solved.as_ref().expect("the puzzle is solved");
    let h = |position: &[Place]| {
        let place = |member: usize| usize::from(position[usize::from(solved[member])]);
        views.h(&views.memo(place), place)
    };
    let symmetries = symmetries(&model);
    assert_eq!(symmetries.len(), 6);
    let positions = positions(&model, usize::MAX).expect("any number is allowed");
    assert_eq!(positions.len(), 11_520 * 27);
    for (position, depth) in positions.iter().step_by(17) {
        let value = h(position);
        assert!(value <= *depth);
        for Symmetry { image, .. } in &symmetries {
            assert_eq!(h(&compose(&compose(&inverse(image), position), image)), value);
        }
    }
}

#[test]
fn spaces_with_patterns_of_colours_keep_the_laws_and_find_the_same_costs() {
    let starts = ["edcbafgh", "hgfedcba", "bcadefgh", "cdefghab"];
    for start in starts {
        let puzzle = from(setup("abcdefgh", Metric::Power, RINGS), start);
        let model = model(&puzzle);
        let space = PermutationSpace::<Small, Views>::new(&model, views(&model, 2000, 1));
        let cost = |algorithm| match search(&space, &|| space.initial(), algorithm, &Limits::default()).verdict {
            Verdict::Solved { cost, .. } => cost,
            _ => panic!("the puzzle is solvable"),
        };
        let costs = [Algorithm::Bfs, Algorithm::AStar, Algorithm::IdaStar, Algorithm::Bidirectional].map(cost);
        assert!(costs.iter().all(|&cost| cost == costs[0]), "{costs:?}");
    }
    let puzzle = from(setup("abcdefghijkl", Metric::Power, TWO_ORBITS), "feadcbkhjlig");
    let model_of_two = model(&puzzle);
    let space = PermutationSpace::<Small, Views>::new(&model_of_two, finer(&model_of_two, (300, 1 << 14), 1).0);
    let plain = PermutationSpace::<Small, Views>::new(&model_of_two, views(&model_of_two, 300, 1));
    let path = |space: &PermutationSpace<Small, Views>, algorithm| match search(
        space,
        &|| space.initial(),
        algorithm,
        &Limits::default(),
    )
    .verdict
    {
        Verdict::Solved { path, .. } => path,
        _ => panic!("the puzzle is solvable"),
    };
    let lengths = [Algorithm::Bfs, Algorithm::AStar, Algorithm::IdaStar].map(|algorithm| path(&space, algorithm).len());
    assert!(lengths.iter().all(|&length| length == lengths[0]), "{lengths:?}");
    assert_eq!(path(&space, Algorithm::IdaStar), path(&plain, Algorithm::IdaStar), "the table changes the solution");
    laws::hold(&space, false);
    let puzzle = from(setup("abcdef", Metric::Power, TOP_SPIN), "bdacef");
    let model = model(&puzzle);
    laws::hold(&PermutationSpace::<Small, Views>::new(&model, views(&model, 100, 1)), false);
}

#[test]
fn tables_are_the_same_for_any_number_of_threads() {
    let model = model(&setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, POCKET_CUBE));
    let tables = [1, 2, 3].map(|threads| views(&model, 500_000, threads).table);
    assert!(tables[0].bytes().len() > 1 << 16, "the table is filled by several threads");
    assert!(tables.iter().all(|table| table.bytes() == tables[0].bytes()));
    for (puzzle, most) in refined_puzzles() {
        let tables = [1, 2, 3].map(|threads| finer(&super::model(&puzzle), most, threads).0.table);
        assert!(tables.iter().all(|table| table.bytes() == tables[0].bytes()));
    }
}

#[test]
fn limits_end_the_choice_and_the_table() {
    let model = model(&setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, POCKET_CUBE));
    let within = |limits| BuildContext::within(&limits);
    let no_time = within(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert!(cosets(&model, 500_000, &no_time).is_none());
    assert_eq!(no_time.ended(), Some(Limit::Time));
    let pocket = cosets(&model, 500_000, &BuildContext::default()).expect("no limit applies");
    let no_memory = within(Limits { memory: Some(1000), ..Limits::default() });
    assert!(build(&pocket, &LazyPool::new(None), &no_memory).is_none());
    assert_eq!(no_memory.ended(), Some(Limit::Memory));
    let (puzzle, (most, finer)) = refined_puzzles().remove(0);
    let model = super::model(&puzzle);
    let coarse = cosets(&model, most, &BuildContext::default()).expect("no limit applies");
    let no_time = within(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert!(refined(&coarse, &model, finer, &no_time).is_none());
    let (cosets, _) = refined(&coarse, &model, finer, &BuildContext::default()).expect("no limit applies");
    let no_memory = within(Limits { memory: Some(1000), ..Limits::default() });
    assert!(thirds::build(&cosets, &LazyPool::new(None), &no_memory).is_none());
    assert_eq!(no_memory.ended(), Some(Limit::Memory));
}

#[test]
fn the_pattern_of_rubiks_cube_has_the_published_number_of_classes() {
    let model = model(&setup(COLOURS, Metric::Power, CUBE));
    let cosets = cosets(&model, 1 << 28, &BuildContext::default()).expect("the cube has such a pattern");
    // The first phase of Kociemba's algorithm, with its sixteen symmetries and three axes.
    assert_eq!(cosets.counts(), (2_217_093_120, 16, 3));
    assert_eq!(Entries::size(&cosets), 64_430 * 2187);
    // The tetrads of the corners, which quarter turns exchange: 35 times as many, in groups of whole bytes.
    let (finer, _) = refined(&cosets, &model, 1 << 33, &BuildContext::default()).expect("the cube has a finer pattern");
    assert_eq!(finer.counts(), (2_217_093_120 * 35, 16, 3));
    assert_eq!(Entries::size(&finer), 64_430 * 2187 * 36);
}

#[test]
fn a_search_goes_to_a_stored_finer_table_without_building_one() {
    let cube = setup(COLOURS, Metric::Power, CUBE);
    let arrangements = cube.arrangements().expect("there is one");
    let puzzle = Permutations::new(cube, arrangements, true);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let context = BuildContext { cache: Some(folder.path().to_owned()), ..BuildContext::default() };
    let sizes = |context: &BuildContext| -> Vec<u8> {
        let stages = puzzle.schedule();
        stages.iter().filter(|stage| !puzzle.skips(stage, context)).map(|stage| stage.size).collect()
    };
    assert_eq!(sizes(&BuildContext::default()), [0, 1, 2, 3, 4, 5], "without a cache");
    assert_eq!(sizes(&context), [0, 1, 2, 3, 4, 5], "the table is to be built");
    let finer = puzzle.finer(&context).expect("the cube has a finer pattern");
    std::fs::write(folder.path().join(puzzle.finer_identity(&finer, 0).file), "").expect("the folder is writable");
    assert_eq!(sizes(&context), [0, 1, 5], "the table is stored");
    std::fs::remove_dir_all(folder.path()).expect("it is there");
    assert_eq!(sizes(&context), [0, 1, 2, 3, 4, 5], "the table is to be built");
}

#[test]
fn numbers_of_arrangements_are_kept_and_found_anew_if_the_file_is_damaged() {
    let model = model(&setup(COLOURS, Metric::Power, CUBE));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let context = BuildContext { cache: Some(folder.path().to_owned()), ..BuildContext::default() };
    let numbers = || {
        let cosets = cosets(&model, 1 << 28, &context).expect("the cube has such a pattern");
        let mut after = Vec::new();
        for number in (0..Entries::size(&cosets)).step_by(99_991) {
            cosets.visit(&mut (), number, |neighbor| {
                after.push(neighbor);
                false
            });
            cosets.same(number, |same| after.push(same));
        }
        after
    };
    let found = numbers();
    let files = || std::fs::read_dir(folder.path()).expect("it is there").map(|file| file.expect("it is there").path());
    let files: Vec<_> = files().collect();
    let [file] = &files[..] else { panic!("those of the leading orbit take long to find: {files:?}") };
    assert!(numbers() == found, "the numbers read differ from those found");
    let whole = std::fs::read(file).expect("it is there");
    let damaged: [&[u8]; 3] = [&whole[..whole.len() - 5], &[&whole[..whole.len() / 2], &[7; 1000]].concat(), b""];
    for bytes in damaged {
        std::fs::write(file, bytes).expect("the folder is writable");
        assert!(numbers() == found, "a damaged file is read");
        assert!(std::fs::read(file).expect("it is there") == whole, "the file is not written anew");
    }
}
