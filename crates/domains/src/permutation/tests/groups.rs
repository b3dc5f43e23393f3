//! The orders of groups, and membership in them.

use super::super::chain::Chain;
use super::super::images::{Place, identity, order, power_of};
use super::super::setup::{Metric, Setup};
use super::super::solvability::{Analysis, Verdict};
use super::{COLOURS, CUBE, POCKET_CUBE, TOP_SPIN, from, setup};
use crate::domain::BuildContext;
use crate::domain::SplitMix64;
use std::collections::HashSet;

fn chain(setup: &Setup) -> Chain {
    let generators: Vec<Vec<Place>> = setup.generators.iter().map(|generator| generator.image.clone()).collect();
    Chain::new(setup.places(), &generators, &identity(setup.places()), &BuildContext::default())
        .expect("the puzzle is small")
}

#[test]
fn groups_have_the_published_orders() {
    let order = |solved: &str, generators| chain(&setup(solved, Metric::Power, generators)).order().to_string();
    assert_eq!(order(COLOURS, CUBE), "43252003274489856000");
    assert_eq!(order(&"W".repeat(24), POCKET_CUBE), "3674160");
    assert_eq!(order("abcdef", TOP_SPIN), "720");
    // The Mathieu group on 11 places.
    let mathieu = [("A", "(1 2 3 4 5 6 7 8 9 10 11)"), ("B", "(3 7 11 8)(4 10 5 6)")];
    assert_eq!(order("abcdefghijk", &mathieu), "7920");
}

/// Returns all reachable positions by a plain search.
fn reachable(setup: &Setup) -> HashSet<Vec<u16>> {
    let mut visited = HashSet::from([setup.solved.clone()]);
    let mut frontier = vec![setup.solved.clone()];
    while let Some(position) = frontier.pop() {
        for generator in &setup.generators {
            let moved = Setup::moved(&position, &generator.image);
            if visited.insert(moved.clone()) {
                frontier.push(moved);
            }
        }
    }
    visited
}

/// Returns a random permutation of this many places.
fn random_permutation(places: usize, random: &mut SplitMix64) -> Vec<Place> {
    let mut image = identity(places);
    for last in (1..places).rev() {
        image.swap(last, random.below(last as u64 + 1) as usize);
    }
    image
}

#[test]
fn exactly_the_reachable_positions_are_solvable() {
    let random = &mut SplitMix64::new(7);
    let mut verdicts = [0, 0];
    for round in 0..300 {
        let places = 2 + random.below(6) as usize;
        let letters = 1 + random.below(places as u64);
        let solved: String = (0..places).map(|_| char::from(b'a' + random.below(letters) as u8)).collect();
        let mut puzzle = setup(&solved, Metric::Power, &[]);
        for name in ["A", "B"] {
            // Powers of random permutations often generate proper subgroups.
            let image = power_of(&random_permutation(places, random), 1 + random.below(3));
            let order = order(&image);
            if order > 1 {
                puzzle.generators.push(super::super::setup::Generator { name: name.to_owned(), image, order });
            }
        }
        if puzzle.generators.is_empty() {
            continue;
        }
        let all = reachable(&puzzle);
        let analysis = Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), true, &BuildContext::default())
            .expect("no limit applies");
        assert_eq!(analysis.states.map(|states| states.to_string()), Some(all.len().to_string()), "round {round}");
        for _ in 0..5 {
            puzzle.start = Setup::moved(&puzzle.solved, &random_permutation(places, random));
            let solvable =
                Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), false, &BuildContext::default())
                    .expect("no limit applies")
                    .verdict
                    == Verdict::Solvable;
            assert_eq!(solvable, all.contains(&puzzle.start), "round {round}: {:?}", puzzle.start);
            verdicts[usize::from(solvable)] += 1;
        }
    }
    assert!(verdicts.iter().all(|&count| count > 100), "both answers occur: {verdicts:?}");
}

#[test]
fn the_reason_names_the_places_that_are_wrong() {
    let reason = |start: &str| match super::analysis(&from(setup(COLOURS, Metric::Power, CUBE), start)).verdict {
        Verdict::Unsolvable(reason) => reason,
        verdict => panic!("{verdict:?}"),
    };
    // The corner at 8, 14 and 15 twisted; then two of its colours exchanged.
    let twisted = "WWWWWWWROOOGGWGRRBBBOOGGRRBBOOOGGGRRRBBBYYYYYYYY";
    assert!(
        reason(twisted).ends_with("are not") && reason(twisted).contains("those of the places"),
        "{}",
        reason(twisted)
    );
    let mirrored = "WWWWWWWWOOOGGRGRRBBBOOGGRRBBOOOGGGRRRBBBYYYYYYYY";
    assert!(reason(mirrored).contains("places 8 14 15 move together"), "{}", reason(mirrored));
    let exchanged = "WGWWWWWWOOOGWGRRRBBBOOGGRRBBOOOGGGRRRBBBYYYYYYYY";
    assert!(!reason(exchanged).is_empty());
}

#[test]
fn random_positions_are_solvable_and_uniform() {
    let puzzle = setup("abcd", Metric::Power, &[("X", "(1 2 3)"), ("Y", "(2 3 4)")]);
    let mut counts = std::collections::HashMap::new();
    for seed in 0..1200 {
        let drawn = super::super::scramble::scrambled(&puzzle, None, seed, &BuildContext::default())
            .expect("the puzzle is small");
        *counts.entry(drawn).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 12);
    assert!(counts.values().all(|&count| (60..140).contains(&count)), "{counts:?}");
}

#[test]
fn groups_that_are_too_large_get_no_verdict() {
    // The even permutations of 1101 places, and an odd start.
    let letters: String = ('\u{4e00}'..).take(1101).collect();
    let all: Vec<String> = (1..=1101).map(|place: u32| place.to_string()).collect();
    let ring = format!("({})", all.join(" "));
    let mut puzzle = setup(&letters, Metric::Generator, &[("A", "(1 2 3)"), ("B", &ring)]);
    puzzle.start.swap(0, 1);
    assert_eq!(
        Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), false, &BuildContext::default())
            .expect("no limit applies")
            .verdict,
        Verdict::Unknown
    );
    assert_eq!(
        Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), true, &BuildContext::default())
            .expect("no limit applies")
            .verdict,
        Verdict::Solvable,
        "a start made by moves is solvable"
    );
    assert!(
        Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), true, &BuildContext::default())
            .expect("no limit applies")
            .states
            .is_none()
    );
    // A label in an unreachable place is reported all the same.
    let mut puzzle = setup(&letters, Metric::Generator, &[("A", "(1 2 3)"), ("B", "(4 5)")]);
    puzzle.start.swap(0, 3);
    assert!(matches!(
        Analysis::new(&puzzle, std::slice::from_ref(&puzzle.solved), false, &BuildContext::default())
            .expect("no limit applies")
            .verdict,
        Verdict::Unsolvable(_)
    ));
}
