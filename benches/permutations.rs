//! Cubes: whole runs of the program, including building tables, without a cache; and the pocket cube by the crate
//! `pathfinding`, within a running program.
//!
//! `cargo bench --bench permutations`.

mod peers {
    pub mod cubes;
}

use divan::Bencher;
use engine::{Limits, Puzzle};
use peers::cubes::{State, fewest_moves, reached};
use std::path::Path;
use std::process::Command;

fn main() {
    divan::main();
}

/// Runs the program on a puzzle of the folder `permutation`.
fn run(arguments: &[&str], puzzle: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/permutation").join(puzzle);
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    assert!(command.args(arguments).arg(file).output().expect("the program starts").status.success());
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn rubiks_cube_12_moves(bencher: Bencher) {
    bencher.bench_local(|| run(&["solve", "--no-cache"], "rubiks-cube-12.toml"));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn pocket_cube_11_moves(bencher: Bencher) {
    bencher.bench_local(|| run(&["solve", "--no-cache"], "pocket-cube-hardest.toml"));
}

const SOLVED: &State = b"WWWWOOGGRRBBOOGGRRBBYYYY";
const HARDEST: &State = b"YRGRORWYBGYGOGOOBRWBWWYB";

#[divan::bench(sample_count = 20, sample_size = 1)]
fn pocket_cube_11_moves_by_pathfinding(bencher: Bencher) {
    bencher.bench_local(|| assert_eq!(fewest_moves(HARDEST, SOLVED), Some(11)));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn pocket_cube_explored_by_pathfinding(bencher: Bencher) {
    bencher.bench_local(|| assert_eq!(reached(SOLVED), 3_674_160));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn pocket_cube_explored(bencher: Bencher) {
    let solved = "title = \"Solved\"\ndomain = \"permutation\"\nsolved = \"WWWWOOGGRRBBOOGGRRBBYYYY\"\nscramble = \"\"\n[moves]\n\
        U = \"(1 2 4 3)(5 11 9 7)(6 12 10 8)\"\nR = \"(2 19 22 8)(4 11 24 16)(9 10 18 17)\"\n\
        F = \"(3 9 22 14)(4 17 21 6)(7 8 16 15)\"\n";
    let puzzle = Puzzle::parse(solved, "solved").expect("the puzzle is valid");
    bencher.bench_local(|| {
        let explored = puzzle.explore(&Limits::default()).found;
        assert_eq!(explored.by_depth, [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644]);
    });
}
