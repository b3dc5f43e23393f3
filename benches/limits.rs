//! Measures how promptly limits end a search, and how close the resident memory comes to its limit: runs the real
//! program on puzzles of every domain, with every algorithm. `cargo bench --bench limits`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PUZZLES: [&str; 10] = [
    "klotski7.toml",
    "blocks/time-machine.toml",
    "korf-15/019.toml",
    "korf-24/32.toml",
    "boards/thirty-six.toml",
    "mazes/terrain-diagonal.toml",
    "words/aloud-rogue.toml",
    "permutation/rubiks-cube-15.toml",
    "permutation/hungarian-rings.toml",
    "permutation/topspin-12-4.toml",
];
const ALGORITHMS: [&str; 8] =
    ["bfs", "dfs", "a-star", "ida-star", "iddfs", "greedy", "weighted-a-star", "bidirectional"];

const TIME: Duration = Duration::from_millis(300);
const MIB: u64 = 48;

fn main() {
    let mut late = Vec::new();
    let mut large = Vec::new();
    for puzzle in PUZZLES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(puzzle).display().to_string();
        for algorithm in ALGORITHMS.into_iter().map(Some).chain([None]) {
            let what =
                algorithm.map_or_else(|| vec!["explore"], |name| vec!["solve", "--no-cache", "--algorithm", name]);
            let name = format!("{puzzle}, {}", algorithm.unwrap_or("explored"));
            let time = format!("{}ms", TIME.as_millis());
            let (ended, took, _) = run(&[&what[..], &["--time-limit", &time, &file]].concat());
            if ended == Some(3) {
                late.push((took.saturating_sub(TIME).as_secs_f64(), name.clone()));
            }
            let memory = format!("{MIB}MiB");
            let (_, _, peak) = run(&[&what[..], &["--memory-limit", &memory, "--time-limit", "4s", &file]].concat());
            large.push((peak as f64 / (MIB << 20) as f64, name));
        }
    }
    show(&format!("seconds beyond a time limit of {TIME:?}"), late);
    show(&format!("resident memory, in parts of a limit of {MIB} MiB"), large);
}

/// Returns the exit status, the elapsed time, and the peak resident memory in bytes, if the system reports it.
fn run(arguments: &[&str]) -> (Option<i32>, Duration, u64) {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait().expect("the process can be waited for") {
            return (ended.code(), started.elapsed(), peak);
        }
        let report = fs::read_to_string(&status).unwrap_or_default();
        let most = report
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = most.map_or(peak, |kib: u64| peak.max(kib << 10));
        sleep(Duration::from_millis(1));
    }
}

fn show(what: &str, mut rows: Vec<(f64, String)>) {
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let median = rows.get(rows.len() / 2).map_or(0.0, |row| row.0);
    println!("\n{what}: {} runs, median {median:.3}, the most", rows.len());
    for (amount, name) in rows.iter().take(8) {
        println!("  {amount:.3}  {name}");
    }
}
