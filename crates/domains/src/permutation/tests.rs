//! The laws of the state space on small puzzles, published counts, and solvability compared with search.

pub(super) mod cosets;
mod groups;
mod patterns;
mod random;
mod writing;

use super::cycles;
use super::images::{Place, compose, identity};
use super::model::Model;
use super::neighbors::{Neighbors, Tails};
use super::patterns::{Pattern, Patterns, build, choose};
use super::ranking::Ranking;
use super::representation::{Large, Medium, Representation, Small, Wide};
use super::setup::{Label, Metric, Setup};
use super::solvability::{Analysis, Verdict};
use super::space::PermutationSpace;
use crate::document::Spanned;
use crate::domain::BuildContext;
use crate::search::{LazyPool, laws};
use crate::space::{InPlace, Whole};
use std::collections::HashSet;
use std::sync::Arc;

/// Builds a solved puzzle from labels of one letter and generators in cycle notation.
pub(super) fn setup(solved: &str, metric: Metric, generators: &[(&str, &str)]) -> Setup {
    let mut labels: Vec<String> = Vec::new();
    let number = |letter: char| {
        let letter = letter.to_string();
        labels.iter().position(|known| *known == letter).unwrap_or_else(|| {
            labels.push(letter);
            labels.len() - 1
        }) as Label
    };
    let solved: Vec<Label> = solved.chars().map(number).collect();
    let read = |&(name, text): &(&str, &str)| {
        cycles::read(name, &Spanned::new(0..0, text.to_owned()), solved.len(), "").expect("the test's cycles are valid")
    };
    let generators = generators.iter().map(read).collect();
    let start = solved.clone();
    let colors = vec![None; labels.len()];
    let (others, rotations) = (Vec::new(), Vec::new());
    let (textual, layout, groups) = (true, None, None);
    Setup { labels, colors, textual, solved, others, rotations, start, generators, metric, layout, groups }
}

/// Returns the puzzle with another start.
fn from(mut setup: Setup, start: &str) -> Setup {
    let number = |letter: char| setup.labels.iter().position(|label| *label == letter.to_string());
    setup.start = start.chars().map(|letter| number(letter).expect("the letter is a label") as Label).collect();
    setup
}

pub(super) fn model(setup: &Setup) -> Arc<Model> {
    Arc::new(Model::new(setup, &analysis(setup)))
}

fn analysis(setup: &Setup) -> Analysis {
    let arrangements = setup.arrangements().expect("they are few");
    Analysis::new(setup, &arrangements, false, &BuildContext::default()).expect("no limit applies")
}

/// Returns all positions of a puzzle, as permutations of its places, with their distances, or `None` if there are too
/// many.
fn positions(model: &Model, at_most: usize) -> Option<Vec<(Vec<Place>, u32)>> {
    let mut known = HashSet::from([identity(model.places)]);
    let mut positions = vec![(identity(model.places), 0)];
    let mut next = 0;
    while let Some((position, depth)) = positions.get(next).cloned() {
        next += 1;
        for each_move in &model.moves {
            let after = compose(&position, &each_move.image);
            if known.insert(after.clone()) {
                positions.push((after, depth + 1));
            }
        }
        if positions.len() > at_most {
            return None;
        }
    }
    Some(positions)
}

/// Builds the space with patterns of at most `most` placements.
fn space<R: Representation>(model: &Arc<Model>, most: u64) -> PermutationSpace<R> {
    let mut tails = Tails::default();
    let pattern = |ranking: Ranking| {
        let neighbors = Neighbors::new(ranking.clone(), model, &mut tails);
        let table = build::build(&neighbors, &LazyPool::new(None), &BuildContext::default()).expect("no limit applies");
        Pattern { ranking, table: Arc::new(table) }
    };
    let patterns = choose::choose(model, most).into_iter().map(pattern).collect();
    PermutationSpace::new(model, Patterns::new(model, patterns))
}

fn check_laws<R: Representation>(setup: &Setup) {
    let model = model(setup);
    assert!(R::holds(&model));
    for most in [0, 30, 100_000] {
        laws::hold(&space::<R>(&model, most), true);
    }
}

pub(super) const TOP_SPIN: &[(&str, &str)] = &[("T", "(1 4)(2 3)"), ("S", "(1 2 3 4 5 6)")];

/// The stickers of the pocket cube, with one corner fixed.
const POCKET_CUBE: &[(&str, &str)] = &[
    ("U", "(1 2 4 3)(5 11 9 7)(6 12 10 8)"),
    ("R", "(2 19 22 8)(4 11 24 16)(9 10 18 17)"),
    ("F", "(3 9 22 14)(4 17 21 6)(7 8 16 15)"),
];

const CUBE: &[(&str, &str)] = &[
    ("U", "(1 3 8 6)(2 5 7 4)(9 18 15 12)(10 19 16 13)(11 20 17 14)"),
    ("L", "(1 12 41 40)(4 23 44 28)(6 32 46 20)(9 11 31 29)(10 22 30 21)"),
    ("F", "(6 15 43 31)(7 25 42 22)(8 35 41 11)(12 14 34 32)(13 24 33 23)"),
    ("R", "(3 38 43 14)(5 27 45 24)(8 18 48 34)(15 17 37 35)(16 26 36 25)"),
    ("B", "(1 29 48 17)(2 21 47 26)(3 9 46 37)(18 20 40 38)(19 28 39 27)"),
    ("D", "(29 32 35 38)(30 33 36 39)(31 34 37 40)(41 43 48 46)(42 45 47 44)"),
];
const COLOURS: &str = "WWWWWWWWOOOGGGRRRBBBOOGGRRBBOOOGGGRRRBBBYYYYYYYY";

#[test]
fn labelled_puzzles_keep_the_laws_in_every_representation() {
    let top_spin = from(setup("abcdef", Metric::Power, TOP_SPIN), "bdacef");
    check_laws::<Small>(&top_spin);
    check_laws::<Medium>(&top_spin);
    check_laws::<Wide>(&top_spin);
    check_laws::<Large>(&top_spin);
    check_laws::<Small>(&from(setup("abcdef", Metric::Generator, TOP_SPIN), "fabcde"));
    // Two pieces of two stickers each, which the moves permute and flip.
    check_laws::<Small>(&setup("aAbBcC", Metric::Power, &[("X", "(1 3 5)(2 4 6)"), ("Y", "(1 4)(2 3)")]));
    // Commuting generators, one of which is a power of another.
    check_laws::<Small>(&setup(
        "abcdefg",
        Metric::Generator,
        &[("B", "(1 2 3 4)"), ("A", "(5 6 7)"), ("C", "(1 3)(2 4)")],
    ));
}

#[test]
fn interchangeable_labels_keep_the_laws() {
    check_laws::<Small>(&from(setup("aaabbb", Metric::Power, TOP_SPIN), "ababab"));
    check_laws::<Wide>(&from(setup("aabbbc", Metric::Power, TOP_SPIN), "bbaabc"));
    check_laws::<Large>(&from(setup("aabbcc", Metric::Generator, TOP_SPIN), "abcabc"));
    // Blocks of two: two equal ones, one that is symmetric under a flip, and one that is not.
    let blocks = [("X", "(1 3 5 7)(2 4 6 8)"), ("Y", "(1 4)(2 3)")];
    check_laws::<Small>(&setup("abababcc", Metric::Power, &blocks));
    check_laws::<Medium>(&setup("abccabaa", Metric::Power, &blocks));
    check_laws::<Small>(&setup("aaaa", Metric::Power, &[("X", "(1 2 3 4)")]));
}

#[test]
fn several_solved_arrangements_keep_the_laws() {
    let mut ring = from(setup("abcdef", Metric::Power, TOP_SPIN), "bdacef");
    ring.rotations = vec![ring.generators[1].image.clone()];
    assert_eq!(model(&ring).goals().count(), 6, "the ring may be turned");
    check_laws::<Small>(&ring);
    check_laws::<Medium>(&ring);
    check_laws::<Wide>(&ring);
    check_laws::<Large>(&ring);
    let mut alike = from(setup("aaabbb", Metric::Power, TOP_SPIN), "ababab");
    alike.others = ["bbbaaa", "aabbba"].map(|other| from(alike.clone(), other).start).to_vec();
    assert_eq!(model(&alike).goals().count(), 3);
    check_laws::<Small>(&alike);
    check_laws::<Large>(&alike);
}

#[test]
fn a_start_is_solvable_if_any_arrangement_can_be_reached() {
    let triangle = setup("abcdef", Metric::Power, &[("X", "(1 2 3)(4 5 6)")]);
    let solvable = |start: &str, others: &[&str]| {
        let mut puzzle = from(triangle.clone(), start);
        puzzle.others = others.iter().map(|other| from(triangle.clone(), other).start).collect();
        match analysis(&puzzle).verdict {
            Verdict::Solvable => {
                laws::hold(&space::<Small>(&model(&puzzle), 1000), true);
                None
            }
            Verdict::Unsolvable(reason) => Some(reason),
            Verdict::Unknown => panic!("the group is small"),
        }
    };
    assert_eq!(solvable("bcaefd", &["bacdef"]), None, "the first");
    assert_eq!(solvable("acbfde", &["bacdef", "cbadef"]), None, "a reflection that is listed");
    assert_eq!(solvable("bacdef", &["bacdef"]), None, "it is one");
    let reason = solvable("bacdef", &["cabdef", "acbedf"]).expect("none can be reached");
    assert!(reason.starts_with("none of the 3 solved arrangements can be reached"), "{reason}");
}

#[test]
fn unsolvable_starts_keep_the_laws() {
    // The rotations of a triangle do not reflect it. The second start also mixes the labels of the two orbits.
    let triangle = [("X", "(1 2 3)(4 5 6)")];
    let offsets = from(setup("abcdef", Metric::Power, &triangle), "bacdef");
    laws::hold(&space::<Small>(&model(&offsets), 0), true);
    laws::hold(&space::<Small>(&model(&from(setup("abcdef", Metric::Power, &triangle), "dbcaef")), 0), true);
}

#[test]
fn the_pocket_cube_has_the_published_numbers_of_positions() {
    let published = [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    let cube = setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, POCKET_CUBE);
    let cube = space::<Small>(&model(&cube), 0);
    let explored =
        crate::search::explore(&Whole(&cube), &cube.pack(&cube.initial()), &crate::search::Limits::default());
    assert_eq!(explored.by_depth, published);
}

#[test]
fn rubiks_cube_has_the_published_numbers_of_positions() {
    // OEIS A080601, in the half-turn metric.
    let published = [1, 18, 243, 3240, 43239];
    let cube = space::<Medium>(&model(&setup(COLOURS, Metric::Power, CUBE)), 0);
    let limits = crate::search::Limits { depth: Some(4), ..Default::default() };
    assert_eq!(crate::search::explore(&Whole(&cube), &cube.pack(&cube.initial()), &limits).by_depth, published);
}

#[test]
fn pancakes_take_the_published_numbers_of_flips() {
    // OEIS A058986.
    for (pancakes, flips) in [(3, 3), (4, 4), (5, 5), (6, 7), (7, 8)] {
        let names: Vec<(String, String)> = (2..=pancakes).map(flip).collect();
        let generators: Vec<(&str, &str)> = names.iter().map(|(name, flip)| (&**name, &**flip)).collect();
        let stack = setup(&"abcdefg"[..pancakes], Metric::Power, &generators);
        let stack = space::<Small>(&model(&stack), 0);
        let explored = crate::search::explore(&Whole(&stack), &stack.pack(&stack.initial()), &Default::default());
        assert_eq!(explored.by_depth.len() - 1, flips, "{pancakes} pancakes");
    }
}

fn flip(count: usize) -> (String, String) {
    let swap = |place: usize| format!("({place} {})", count + 1 - place);
    let name = char::from(b'a' + count as u8).to_string();
    (name, (1..=count / 2).map(swap).collect())
}
