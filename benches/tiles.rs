//! Korf's positions of the 15-puzzle by IDA*, and by the default algorithm.
//!
//! `cargo bench --bench tiles`. `ida_star_manhattan` counts generated states, as published rates do; the others are
//! whole runs of the program, including building tables.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Algorithm, Options, Puzzle};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A line contains the number, the 16 tiles, the least number of moves.
const KORF: &str = include_str!("data/korf-15.txt");

/// The 20 of Korf's hundred positions for which IDA* needs the fewest nodes: 46.97 million in total.
const EASIEST: [usize; 20] = [79, 12, 42, 55, 97, 19, 94, 47, 93, 9, 74, 48, 30, 86, 31, 85, 73, 28, 45, 61];

fn main() {
    divan::main();
}

/// Returns Korf's positions as puzzle files, by number.
fn korf() -> Vec<(usize, String)> {
    let lines = KORF.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let puzzle = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (number, tiles, cost) = (words[0], &words[1..17], words[17]);
        let rows: Vec<String> = tiles.chunks(4).map(|row| row.join(" ")).collect();
        let board = format!("start = \"\"\"\n{}\n\"\"\"", rows.join("\n"));
        let head = format!("title = \"Korf {number}\"\ndomain = \"sliding-tile\"\ngoal = \"blank-first\"");
        (number.parse().expect("the line starts with a number"), format!("{head}\n{board}\n[expect]\ncost = {cost}\n"))
    };
    lines.map(puzzle).collect()
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn ida_star_manhattan_korf_20_easiest(bencher: Bencher) {
    let puzzles = korf().into_iter().filter(|(number, _)| EASIEST.contains(number));
    let puzzles: Vec<Puzzle> =
        puzzles.map(|(_, text)| Puzzle::parse(&text, "korf").expect("the puzzle is valid")).collect();
    let options =
        Options { algorithm: Some(Algorithm::IdaStar), heuristic: Some("manhattan".to_owned()), ..Options::default() };
    let solve = || {
        let solved = puzzles.iter().map(|puzzle| {
            let solution = puzzle.solve(&options).expect("the heuristic exists");
            assert_eq!(solution.cost(), puzzle.expect().cost);
            solution.stats().generated
        });
        solved.sum::<u64>()
    };
    bencher.counter(ItemsCount::new(solve())).bench_local(solve);
}

/// Runs the program on some puzzles, with its cache in a folder.
fn run(files: &[PathBuf], cache: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command.arg("solve").args(files).args(["--format", "moves"]).args(arguments).env("XDG_CACHE_HOME", cache);
    assert!(command.output().expect("the program starts").status.success());
}

/// Writes Korf's positions with these numbers to files in a folder.
fn files(folder: &Path, wanted: impl Fn(usize) -> bool) -> Vec<PathBuf> {
    let file = |(number, text): (usize, String)| {
        let path = folder.join(format!("korf-{number:03}.toml"));
        fs::write(&path, text).expect("the file can be written");
        path
    };
    korf().into_iter().filter(|&(number, _)| wanted(number)).map(file).collect()
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn korf_100_cold(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files(folder.path(), |_| true);
    bencher.bench_local(|| run(&files, folder.path(), &["--no-cache"]));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn korf_100_cached(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files(folder.path(), |_| true);
    run(&files, folder.path(), &[]);
    bencher.bench_local(|| run(&files, folder.path(), &[]));
}

/// Builds the tables of 6, 6 and 3 tiles, and solves an easy position with them.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn pattern_database_6_6_3(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files(folder.path(), |number| number == 79);
    let arguments = ["--no-cache", "--algorithm", "ida-star", "--heuristic", "pattern-database"];
    bencher.bench_local(|| run(&files, folder.path(), &arguments));
}
