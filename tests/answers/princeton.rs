//! Tests the 150 sample boards of Princeton's course Algorithms, imported unchanged. A file's name contains the least
//! number of moves, or the word `unsolvable`.

use crate::support::program::{engine, run};
use crate::support::{files_below, root};
use engine::puzzle::Outcome;
use engine::{Algorithm, Limits, Options, Puzzle};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The longest solutions that the default test covers: without cached tables, a longer one takes a 15-puzzle minutes.
const MAX_COST: f64 = 60.0;

fn data() -> PathBuf {
    root().join("tests/data/princeton")
}

/// Returns every board with its least number of moves, or `None` if it is unsolvable.
fn boards() -> Vec<(String, Option<f64>)> {
    let published = |name: &str| {
        let number = name.trim_start_matches("puzzle").rsplit('-').next().unwrap_or_default();
        (!name.contains("unsolvable")).then(|| number.parse().unwrap_or_else(|_| panic!("{name} has no number")))
    };
    let files = files_below(&data(), "txt").into_iter();
    let names = files.map(|file| file.with_extension("").to_string_lossy().into_owned());
    names.map(|name| (name.clone(), published(&name))).collect()
}

fn imported(name: &str) -> Puzzle {
    let (status, puzzle, errors) = run(&data(), &["import", "--quiet", &format!("{name}.txt")]);
    assert_eq!((status, errors.as_str()), (0, ""), "{name}");
    Puzzle::parse(&puzzle, name).unwrap_or_else(|report| panic!("{report}"))
}

/// Solves a board and compares the result with the published one.
fn check(name: &str, published: Option<f64>, options: &Options) {
    let solution = imported(name).solve(options).unwrap_or_else(|error| panic!("{name}: {error}"));
    match published {
        Some(cost) => assert_eq!((solution.cost(), solution.is_optimal()), (Some(cost), true), "{name}"),
        None => {
            assert_eq!((solution.outcome(), solution.stats().expanded), (Outcome::Unsolvable, 0), "{name}");
        }
    }
}

#[test]
fn every_board_takes_as_many_moves_as_its_name_says() {
    let boards = boards();
    assert_eq!(boards.len(), 150);
    assert_eq!(boards.iter().filter(|(_, published)| published.is_none()).count(), 7);
    for (name, published) in boards.iter().filter(|(_, published)| published.is_none_or(|cost| cost <= MAX_COST)) {
        check(name, *published, &Options::default());
    }
}

/// Solves within the memory that the course allows: the default of a Java virtual machine.
#[test]
fn the_hardest_boards_of_eight_tiles_are_solved_in_128_mib() {
    let limits = Limits { memory: Some(128 << 20), ..Limits::default() };
    for name in ["puzzle3x3-30", "puzzle3x3-31", "puzzle30", "puzzle31"] {
        let published = boards().into_iter().find(|(known, _)| known == name).and_then(|(_, published)| published);
        for facts in Algorithm::ALL.iter().filter(|facts| facts.algorithm.proves_shortest() && facts.name != "iddfs") {
            let limits = limits.clone();
            check(name, published, &Options { algorithm: Some(facts.algorithm), limits, ..Options::default() });
        }
    }
    let folder = root().join("puzzles/eight-puzzle");
    let solved = engine(&folder, &["solve", "30-moves.toml", "31-moves.toml", "--memory-limit", "128MiB"]);
    assert_eq!(solved.status.code(), Some(0));
}

/// `cargo test --release --test answers princeton -- --ignored --nocapture` prints the times.
#[test]
#[ignore = "takes minutes without optimisation"]
fn the_hardest_boards_take_as_many_moves_as_their_names_say() {
    for (name, published) in boards().iter().filter(|(_, published)| published.is_some_and(|cost| cost > MAX_COST)) {
        let started = Instant::now();
        check(name, *published, &Options::default());
        let time: Duration = started.elapsed();
        println!("{name}: {:.2} s", time.as_secs_f64());
    }
}
