//! Puzzles with rules written in the file: each of `puzzles/rules` from its text to its proven solution, and the
//! 8-puzzle by its one rule compared with the built-in 8-puzzle, and a game with consequences compared with PuzzleScript.
//!
//! `cargo bench --bench rules`. Items are expanded states.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Algorithm, Options, Outcome, Puzzle};

fn main() {
    divan::main();
}

fn read(name: &str) -> Puzzle {
    let file = format!("{}/puzzles/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"))
}

/// Solves it with the default algorithm, and checks the result against `[expect]`.
fn solve(puzzle: &Puzzle, options: &Options) -> u64 {
    let solution = puzzle.solve(options).expect("the options are valid");
    assert_eq!(Some(solution.outcome()), puzzle.expect().outcome);
    assert!(solution.outcome() == Outcome::Unsolvable || solution.is_optimal());
    assert_eq!(solution.cost(), puzzle.expect().cost);
    solution.stats().expanded
}

#[divan::bench(sample_count = 10, sample_size = 1, args = [
    "eight-puzzle", "hanoi-10", "hanoi-4-pegs", "english-peg-solitaire", "european-peg-solitaire", "lights-out",
    "sokoban-five-in-a-bow", "sokoban-four-ways", "sokoban-round-the-pillar", "sokoban-six-boxes",
    "sokoban-three-in-a-column", "sokoban-two-rooms",
    "water-sort", "pancakes", "four-knights", "four-robots", "lamps-of-one-colour",
])]
fn from_the_file_to_the_proof(bencher: Bencher, name: &str) {
    bencher.bench_local(|| solve(&read(&format!("rules/{name}")), &Options::default()));
}

/// Breadth-first search of a game in which crates fall after each move, in both languages that have consequences. Items
/// are moves made.
#[divan::bench(sample_count = 20, sample_size = 1, args = ["crates-that-fall", "crates-that-fall-puzzlescript"])]
fn crates_that_fall_by_rules_and_in_puzzlescript(bencher: Bencher, name: &str) {
    let puzzle = read(&format!("../benches/puzzles/{name}"));
    let options = Options { algorithm: Some(Algorithm::Bfs), ..Options::default() };
    let made = puzzle.solve(&options).expect("the options are valid").stats().generated;
    bencher.counter(ItemsCount::new(made)).bench_local(|| solve(&puzzle, &options));
}

/// Breadth-first search of the same start, 31 moves from its goal.
#[divan::bench(sample_count = 20, sample_size = 1, args = ["rules/eight-puzzle", "eight-puzzle/31-moves"])]
fn eight_puzzle_by_rules_and_built_in(bencher: Bencher, name: &str) {
    let puzzle = read(name);
    let options = Options { algorithm: Some(Algorithm::Bfs), ..Options::default() };
    bencher.counter(ItemsCount::new(solve(&puzzle, &options))).bench_local(|| solve(&puzzle, &options));
}
