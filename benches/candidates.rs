//! Candidates of templates with written rules: random boards of 8x8 cells, each solved for its least cost without being read
//! (the rules are compiled once for all of them), and each read as the file it would have.
//!
//! `cargo bench --bench candidates`. Items are candidates.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::domain::SplitMix64;
use engine::editing::{Canvas, solve};
use engine::{Limits, Puzzle};

/// The number of boards.
const BOARDS: usize = 200;

fn main() {
    divan::main();
}

/// Returns the puzzle of a template of `puzzles/templates`.
fn template(name: &str) -> Puzzle {
    let file = format!("{}/puzzles/templates/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"))
}

/// Returns boards with the symbols of the template's own, shuffled.
fn boards(canvas: &Canvas) -> Vec<Vec<Vec<u16>>> {
    let mut random = SplitMix64::new(1);
    let mut shuffled = |cells: &mut Vec<u16>| {
        (1..cells.len()).rev().for_each(|last| cells.swap(last, random.below(last as u64 + 1) as usize));
    };
    let mut cells = canvas.cells().to_vec();
    let mut board = || {
        cells.iter_mut().for_each(&mut shuffled);
        cells.clone()
    };
    (0..BOARDS).map(|_| board()).collect()
}

#[divan::bench(sample_count = 5, sample_size = 1, args = ["ice"])]
fn compiled_once(bencher: Bencher, name: &str) {
    let puzzle = template(name);
    let canvas = Canvas::of(&puzzle).expect("it draws its start");
    let boards = boards(&canvas);
    bencher
        .counter(ItemsCount::new(BOARDS))
        .bench_local(|| boards.iter().filter(|board| canvas.least_cost(board, &Limits::default()).is_some()).count());
}

#[divan::bench(sample_count = 2, sample_size = 1, args = ["ice"])]
fn read_each(bencher: Bencher, name: &str) {
    let puzzle = template(name);
    let canvas = Canvas::of(&puzzle).expect("it draws its start");
    let boards = boards(&canvas);
    bencher.counter(ItemsCount::new(BOARDS)).bench_local(|| {
        let read = |board: &Vec<Vec<u16>>| canvas.with(board).open(&Limits::default()).expect("it is valid");
        boards
            .iter()
            .map(|board| solve(&read(board), &Limits::default()).answer)
            .filter(|answer| answer.is_known())
            .count()
    });
}
