//! The speed of the searches, in expanded states per second, and the time of a whole run of the program.
//!
//! Each puzzle is a benchmark, and its solvers are the arguments: the engine, and for some the same search with the
//! crate `pathfinding` (see `peers`). Every run checks the cost. The states are counted once, outside the timed runs.
//! For the engine, [`Puzzle::solve`] is timed on a puzzle already parsed.

mod peers {
    pub mod blocks;
    pub mod tiles;
}

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Algorithm, Options, Puzzle};
use peers::blocks::fewest_slides;
use peers::tiles::Tiles;
use std::cell::Cell;
use std::process::Command;

const KLOTSKI_7: &str = include_str!("../puzzles/klotski7.toml");
const HUARONG_DAO: &str = include_str!("puzzles/huarong-dao.toml");
const EIGHT: &str = include_str!("puzzles/eight-31.toml");
const FIFTEEN: &str = include_str!("puzzles/fifteen-42.toml");

fn main() {
    divan::main();
}

/// The program under test.
#[derive(Debug)]
enum Solver {
    Engine,
    Pathfinding,
}

use Solver::{Engine, Pathfinding};

/// Times the engine's search.
fn engine(bencher: Bencher, text: &str, algorithm: Algorithm, cost: usize) {
    let puzzle = Puzzle::parse(text, "a benchmark's puzzle").expect("the puzzle is valid");
    let options = Options { algorithm: Some(algorithm), ..Options::default() };
    let solve = || {
        let solution = puzzle.solve(&options).expect("no heuristic is named");
        assert_eq!(solution.cost(), Some(cost as f64));
        solution
    };
    let expanded = solve().stats().expanded;
    bencher.counter(ItemsCount::new(expanded)).bench_local(solve);
}

/// Times a search with `pathfinding`: `solve` calls its argument for each expanded state.
fn peer(bencher: Bencher, cost: usize, solve: impl Fn(&dyn Fn()) -> Option<usize>) {
    let expanded = Cell::new(0u64);
    assert_eq!(solve(&|| expanded.set(expanded.get() + 1)), Some(cost));
    bencher.counter(ItemsCount::new(expanded.get())).bench_local(|| assert_eq!(solve(&|| {}), Some(cost)));
}

/// Sliding blocks, with breadth-first search.
#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod blocks {
    use super::*;

    const KLOTSKI_7_START: &str = "abcd\neefd\neefg\nhiig\njj..";
    const HUARONG_DAO_START: &str = "abbc\nabbc\ndeef\ndghf\ni..j";
    const GOAL: &str = "....\n....\n....\n.xx.\n.xx.";

    #[divan::bench(args = [Engine, Pathfinding])]
    fn klotski_7_slide(bencher: Bencher, solver: &Solver) {
        match solver {
            Engine => engine(bencher, KLOTSKI_7, Algorithm::Bfs, 150),
            Pathfinding => peer(bencher, 150, |on_expand| fewest_slides(KLOTSKI_7_START, GOAL, on_expand)),
        }
    }

    #[divan::bench]
    fn klotski_7_step(bencher: Bencher) {
        engine(bencher, &KLOTSKI_7.replace("\"slide\"", "\"step\""), Algorithm::Bfs, 179);
    }

    #[divan::bench]
    fn klotski_7_turn(bencher: Bencher) {
        engine(bencher, &KLOTSKI_7.replace("\"slide\"", "\"turn\""), Algorithm::Bfs, 138);
    }

    #[divan::bench(args = [Engine, Pathfinding])]
    fn huarong_dao_slide(bencher: Bencher, solver: &Solver) {
        match solver {
            Engine => engine(bencher, HUARONG_DAO, Algorithm::Bfs, 90),
            Pathfinding => peer(bencher, 90, |on_expand| fewest_slides(HUARONG_DAO_START, GOAL, on_expand)),
        }
    }
}

/// Sliding tiles.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod tiles {
    use super::*;

    const EIGHT_TILES: [u8; 9] = [8, 6, 7, 2, 5, 4, 3, 0, 1];
    const BLANK_LAST: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    const FIFTEEN_TILES: [u8; 16] = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15];
    const BLANK_FIRST: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    #[divan::bench(args = [Engine, Pathfinding])]
    fn eight_31_bfs(bencher: Bencher, solver: &Solver) {
        match solver {
            Engine => engine(bencher, EIGHT, Algorithm::Bfs, 31),
            Pathfinding => peer(bencher, 31, |on_expand| Tiles::new(EIGHT_TILES, BLANK_LAST).breadth_first(on_expand)),
        }
    }

    #[divan::bench(args = [Engine, Pathfinding])]
    fn eight_31_a_star(bencher: Bencher, solver: &Solver) {
        match solver {
            Engine => engine(bencher, EIGHT, Algorithm::AStar, 31),
            Pathfinding => peer(bencher, 31, |on_expand| Tiles::new(EIGHT_TILES, BLANK_LAST).a_star(on_expand)),
        }
    }

    #[divan::bench(args = [Engine, Pathfinding])]
    fn fifteen_42_a_star(bencher: Bencher, solver: &Solver) {
        match solver {
            Engine => engine(bencher, FIFTEEN, Algorithm::AStar, 42),
            Pathfinding => peer(bencher, 42, |on_expand| Tiles::new(FIFTEEN_TILES, BLANK_FIRST).a_star(on_expand)),
        }
    }
}

/// Word ladders: a whole run of the program, including reading the list and building the index.
#[divan::bench_group(sample_count = 50, sample_size = 1)]
mod words {
    use super::*;

    #[divan::bench(args = ["gleams-comply", "horse-nurse-english", "amigo-repro"])]
    fn whole_process(bencher: Bencher, puzzle: &str) {
        let file = format!("{}/puzzles/words/{puzzle}.toml", env!("CARGO_MANIFEST_DIR"));
        bencher.bench_local(|| {
            let output = Command::new(env!("CARGO_BIN_EXE_engine")).args(["solve", &file]).output();
            assert!(output.expect("the program starts").status.success());
        });
    }

    #[divan::bench]
    fn search_gleams_comply(bencher: Bencher) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/words/gleams-comply.toml");
        bencher.with_inputs(|| Puzzle::load(file).expect("the puzzle is valid")).bench_local_values(|puzzle| {
            assert_eq!(puzzle.solve(&Options::default()).expect("no heuristic is named").cost(), Some(46.0));
        });
    }
}

/// A whole run of the program: reads the file, solves it, writes the transcript.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn whole_process_klotski_7(bencher: Bencher) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = directory.path().join("klotski7.snap");
    let puzzle = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/klotski7.toml");
    let run = || {
        let status =
            Command::new(env!("CARGO_BIN_EXE_engine")).args(["solve", puzzle, "--output"]).arg(&output).status();
        assert!(status.expect("the program starts").success());
    };
    run();
    let transcript = std::fs::read_to_string(&output).expect("the transcript can be read");
    assert!(transcript.contains("150, proven shortest"));
    // The file is new in every run: the time to replace a file depends on the file system.
    bencher.with_inputs(|| std::fs::remove_file(&output)).bench_local_values(|_| run());
}
