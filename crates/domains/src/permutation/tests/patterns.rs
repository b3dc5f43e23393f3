//! Pattern databases compared with breadth-first search.

use super::super::images::Place;
use super::super::neighbors::{Cursor, Neighbors, Tails};
use super::super::patterns::perimeter::Perimeter;
use super::super::ranking::Ranking;
use super::super::setup::Metric;
use super::{COLOURS, CUBE, Small, TOP_SPIN, model, positions, setup, space};
use crate::domain::BuildContext;
use crate::search::{Algorithm, Limits, Verdict, laws, search};
use crate::space::InPlace;
use std::collections::HashMap;

/// Twenty-four places in a ring, with an exchange.
const ROUND_24: &[(&str, &str)] =
    &[("X", "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)"), ("Y", "(1 9)")];

#[test]
fn unranking_inverts_ranking_and_neighbours_match_the_moves() {
    let puzzles = [
        (setup("abcdef", Metric::Power, TOP_SPIN), 6),
        (setup("aabbbc", Metric::Power, TOP_SPIN), 2),
        (setup("abababcc", Metric::Power, &[("X", "(1 3 5 7)(2 4 6 8)"), ("Y", "(1 4)(2 3)")]), 3),
        (setup(COLOURS, Metric::Power, CUBE), 5),
        // Sets of many places, and more places than a word counts.
        (setup("aaaaaaaabbbbbbbbcccccccc", Metric::Generator, ROUND_24), 1),
        (setup("abcdefghijklmnopqrstuvwx", Metric::Generator, ROUND_24), 4),
    ];
    for (puzzle, most) in puzzles {
        let model = model(&puzzle);
        let items: Vec<usize> = (0..model.items.len().min(most)).collect();
        let ranking = Ranking::new(&model, &items).expect("the puzzle is small");
        let neighbors = Neighbors::new(ranking.clone(), &model, &mut Tails::default());
        let mut at = Cursor::new();
        for number in (0..ranking.size).step_by((ranking.size / 1000).max(1) as usize) {
            let mut places = vec![0; ranking.members.len()];
            ranking.unrank(number, &mut places);
            // The items are the first ones, so members have the same numbers in the ranking and in the model.
            assert_eq!(ranking.rank(|member| usize::from(places[member])), number);
            let moved = |image: &[Place]| ranking.rank(|member| usize::from(image[usize::from(places[member])]));
            let mut ranks = Vec::new();
            neighbors.visit(&mut at, number, |neighbor| {
                ranks.push(neighbor);
                false
            });
            assert_eq!(ranks, model.moves.iter().map(|each_move| moved(&each_move.image)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn patterns_that_no_generator_moves_together_are_added() {
    let twice = [("A", "(1 2 3 4 5)"), ("B", "(1 2)"), ("C", "(6 7 8 9)"), ("D", "(6 7)")];
    let mut puzzle = setup("abcdefghi", Metric::Generator, &twice);
    puzzle.start = vec![2, 1, 0, 4, 3, 6, 5, 8, 7];
    let model = model(&puzzle);
    let space = space::<Small>(&model, 1000);
    laws::hold(&space, true);
    let Verdict::Solved { cost, .. } = search(&space, &|| space.initial(), Algorithm::Bfs, &Limits::default()).verdict
    else {
        panic!("the puzzle is solvable")
    };
    assert_eq!(f64::from(space.h_in_place(&space.initial())), cost, "both parts are exact, and so is their sum");
}

#[test]
fn a_perimeter_holds_the_distances_inside_and_never_exceeds_those_outside() {
    let puzzles = [
        (setup("abcdef", Metric::Power, TOP_SPIN), 100),
        (setup("abcdef", Metric::Generator, TOP_SPIN), 30),
        // Labels that are alike.
        (setup("aabbbc", Metric::Power, TOP_SPIN), 30),
        // The whole puzzle is inside.
        (setup("abcde", Metric::Power, &[("X", "(1 2 3 4 5)"), ("Y", "(1 2)")]), 10_000),
        // No distance is complete but 0.
        (setup("abcdef", Metric::Power, TOP_SPIN), 1),
    ];
    for (number, (puzzle, most)) in puzzles.into_iter().enumerate() {
        let model = model(&puzzle);
        let perimeter = Perimeter::new(&model, most, &BuildContext::default()).expect("the puzzle is small");
        let solved = model.solved.as_ref().expect("the puzzle is solvable");
        let mut distances: HashMap<Vec<Place>, u32> = HashMap::new();
        for (position, depth) in positions(&model, 5_000).expect("the puzzle is small") {
            let mut places: Vec<Place> = solved.iter().map(|&home| position[usize::from(home)]).collect();
            model.items.iter().for_each(|item| places[item.first..item.first + item.count].sort_unstable());
            distances.entry(places).or_insert(depth);
        }
        let (mut inside, mut exact) = (0, 0);
        for (places, &distance) in &distances {
            let bound = perimeter.bound(|member| places[member].into());
            assert!(bound <= distance, "puzzle {number}: {bound} exceeds the distance {distance} of {places:?}");
            inside += u64::from(distance <= perimeter.radius());
            exact += u64::from(bound == distance.min(perimeter.radius() + 1));
        }
        assert!(
            (1..=most.max(1)).contains(&inside),
            "puzzle {number}: {inside} positions are inside, more than {most}"
        );
        // A few outside share the hash of one inside.
        let all = distances.len() as u64;
        assert!(exact >= all / 2, "puzzle {number}: {exact} bounds of {all} are exact");
    }
}
