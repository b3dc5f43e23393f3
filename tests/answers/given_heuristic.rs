//! Tests heuristics that the caller gives: they lead to the same answers, and nothing is proven by them.

use engine::domain::{GivenHeuristic, Searchable, Style};
use engine::puzzle::HeuristicQuestion;
use engine::{Algorithm, Limits, Options, Puzzle};
use std::sync::Arc;

const TILES: &str = "title = \"Tiles\"\ndomain = \"sliding-tile\"\nstart = \"8 1 3\\n4 0 2\\n7 6 5\"\n";

/// Counts the tiles that are not in their places.
fn misplaced(position: &dyn Searchable) -> f64 {
    let drawing = position.draw(Style::Drawn);
    let tiles = drawing.split_whitespace().map(|word| word.parse::<usize>().unwrap_or(0));
    tiles.zip(1..).filter(|&(tile, place)| tile != 0 && tile != place).count() as f64
}

fn given(batch: usize, factor: f64) -> Arc<GivenHeuristic> {
    let evaluate = move |positions: &[&dyn Searchable]| positions.iter().map(|at| misplaced(*at) * factor).collect();
    Arc::new(GivenHeuristic::new("misplaced", batch, evaluate))
}

#[test]
fn functions_lead_to_the_answers_of_the_same_heuristic() {
    let puzzle = Puzzle::parse(TILES, "tiles.toml").expect("it is a puzzle");
    for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
        let options = Options { algorithm: Some(algorithm), ..Options::default() };
        let named = Options { heuristic: Some("hamming".to_owned()), ..options.clone() };
        let named = puzzle.solve(&named).expect("it can be searched");
        for batch in [1, 7, 4096] {
            let options = Options { given: Some(given(batch, 1.0)), ..options.clone() };
            let solution = puzzle.solve(&options).expect("it can be searched");
            assert_eq!(solution.cost(), named.cost());
            assert!(!solution.is_optimal());
            assert_eq!(solution.lack_of_proof().as_deref(), Some("`misplaced` is a function, which may overestimate"));
            assert_eq!(solution.positions().len(), solution.moves().len() + 1);
        }
    }
}

#[test]
fn costs_that_are_roots_stay_exact() {
    let text = "title = \"Across\"\ndomain = \"maze\"\nmoves = \"diagonal\"\nmap = \"S....\\n.....\\n....G\"\n";
    let puzzle = Puzzle::parse(text, "maze.toml").expect("it is a puzzle");
    let zero = Arc::new(GivenHeuristic::new("nothing", 64, |positions| vec![0.0; positions.len()]));
    let options = Options { algorithm: Some(Algorithm::AStar), given: Some(zero), ..Options::default() };
    let solution = puzzle.solve(&options).expect("it can be searched");
    assert_eq!(solution.cost(), Some(2.0 + 2.0 * std::f64::consts::SQRT_2));
}

#[test]
fn a_check_finds_the_smallest_counter_example() {
    let puzzle = Puzzle::parse(TILES, "tiles.toml").expect("it is a puzzle");
    let question = HeuristicQuestion { most_states: 200_000, seed: 0 };
    let check = |factor| {
        let check = puzzle.check_given_heuristic(&given(4096, factor), question, &Limits::default());
        check.expect("there is no limit").heuristics.swap_remove(0)
    };
    let once = check(1.0);
    assert_eq!((once.overestimates, once.drops, once.counter_example.is_none()), (0, 0, true));
    let example = check(2.0).counter_example.expect("twice as much overestimates");
    assert_eq!((example.h, example.cost), (2.0, 1.0));
}
