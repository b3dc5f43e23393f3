//! One process compared with workers and processes that share the work over loopback: whole programs, in rounds, so
//! that each is compared with runs near it in time. `cargo bench --bench scale`, and `cargo bench --bench scale --
//! whole` for all 239,500,800 positions of the 4x3 board. It also compares `engine plan` with the measurements.

mod scale {
    pub mod fleet;
}

use scale::fleet::{Fleet, Run};
use std::path::Path;

/// The number of measurements of each; the median counts.
const ROUNDS: usize = 3;

const PUZZLES: [&str; 2] = ["puzzles/permutation/pocket-cube.toml", "puzzles/gnome-klotski/polonaise.toml"];
const WHOLE: &str = "benches/puzzles/board-4x3.toml";

const FLEETS: [(&str, Fleet); 10] = [
    ("alone, in memory", Fleet::alone(false)),
    ("alone, on disk", Fleet::alone(true)),
    ("1 process, 1 worker", Fleet::of(1, 1, false)),
    ("1 process, 2 workers", Fleet::of(1, 2, false)),
    ("2 processes, 1 worker", Fleet::of(2, 1, false)),
    ("4 processes, 1 worker", Fleet::of(4, 1, false)),
    ("1 process, 1 worker, on disk", Fleet::of(1, 1, true)),
    ("1 process, 2 workers, on disk", Fleet::of(1, 2, true)),
    ("2 processes, 1 worker, on disk", Fleet::of(2, 1, true)),
    ("4 processes, 1 worker, on disk", Fleet::of(4, 1, true)),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_whole = std::env::args().any(|argument| argument == "whole");
    let (puzzles, rounds) = if is_whole { (vec![WHOLE], 1) } else { (PUZZLES.to_vec(), ROUNDS) };
    for puzzle in puzzles {
        let file = root.join(puzzle);
        let mut runs: Vec<Vec<Run>> = FLEETS.iter().map(|_| Vec::new()).collect();
        let mut answer: Option<String> = None;
        for _ in 0..rounds {
            for ((name, fleet), runs) in FLEETS.iter().zip(&mut runs) {
                let run = fleet.explore(&file);
                let first = answer.get_or_insert_with(|| run.answer.clone());
                assert_eq!(*first, run.answer, "{name} has another answer");
                runs.push(run);
            }
        }
        println!("\n{puzzle}, {rounds} rounds, medians\n");
        println!("| | states/s | of alone, in memory | resident, bytes a state | files at most, bytes a state |");
        println!("|---|---|---|---|---|");
        let states = runs[0][0].states as f64;
        for ((name, _), measured) in FLEETS.iter().zip(&runs) {
            let rate = median(measured.iter().map(|run| states / run.seconds));
            let ratio = median(measured.iter().zip(&runs[0]).map(|(run, alone)| alone.seconds / run.seconds));
            let resident = median(measured.iter().map(|run| run.resident as f64 / states));
            let files = median(measured.iter().map(|run| run.files as f64 / states));
            println!("| {name} | {:.2} M | {ratio:.2} | {resident:.1} | {files:.1} |", rate / 1e6);
        }
        compare_plan(&file, &runs);
    }
}

/// Compares the estimates of `engine plan` for the fleets on disk with the measurements. All processes share this
/// machine's two threads, and these compute equally fast for any number of processes: as fast as two workers of one.
fn compare_plan(file: &Path, runs: &[Vec<Run>]) {
    println!(
        "\n| | seconds, estimated | measured | files, estimated | measured | sent, estimated | measured |\n|---|---|---|---|---|---|---|"
    );
    let [compute, ..] = scale::fleet::plan(file, 1, 2);
    for (name, hosts, workers) in [
        ("1 process, 2 workers, on disk", 1, 2),
        ("2 processes, 1 worker, on disk", 2, 1),
        ("4 processes, 1 worker, on disk", 4, 1),
    ] {
        let number = FLEETS.iter().position(|fleet| fleet.0 == name).expect("the name is in `FLEETS`");
        let [_, sending, files, sent] = scale::fleet::plan(file, hosts, workers);
        let measured = |of: fn(&Run) -> f64| median(runs[number].iter().map(of));
        println!(
            "| {name} | {:.1} | {:.1} | {:.1} MB | {:.1} MB | {:.1} MB | {:.1} MB |",
            compute + sending,
            measured(|run| run.seconds),
            files / 1e6,
            measured(|run| run.files as f64 / 1e6),
            sent / 1e6,
            measured(|run| run.sent as f64 / 1e6),
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
