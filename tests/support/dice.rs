//! Seeded random numbers, the number of seeds that a test tries, and the report of a seed that fails.
//!
//! By default, a test tries few enough seeds to take seconds. `ENGINE_RANDOM_TIMES=10` tries ten times as many, in
//! every random test: puzzles, damage, mutations, kills.

use engine::domain::SplitMix64;
use std::collections::BTreeMap;
use std::env;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

/// A random number generator. A seed yields the same numbers on every machine.
pub struct Dice(SplitMix64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix64::new(seed))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    /// Returns a number from `first` to `last`, both included.
    pub fn within(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    let value = env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable}: expected a whole number, found `{value}`")))
}

/// Multiplies `usual` by `ENGINE_RANDOM_TIMES` (1 by default).
pub fn scaled(usual: u64) -> u64 {
    usual * number("ENGINE_RANDOM_TIMES").unwrap_or(1)
}

/// Prints the seed that fails.
struct SeedReport(u64);

impl Drop for SeedReport {
    fn drop(&mut self) {
        if thread::panicking() {
            let seed = self.0;
            eprintln!("seed {seed} failed: ENGINE_RANDOM_SEED={seed} starts with it");
        }
    }
}

/// Returns [`scaled`] seeds from `ENGINE_RANDOM_SEED` (0 by default).
fn seeds(usual: u64) -> Range<u64> {
    let first = number("ENGINE_RANDOM_SEED").unwrap_or(0);
    first..first + scaled(usual)
}

/// Runs `attempt` on the seeds, and prints the one that fails.
pub fn each_seed(usual: u64, mut attempt: impl FnMut(u64)) {
    for seed in seeds(usual) {
        let report = SeedReport(seed);
        attempt(seed);
        drop(report);
    }
}

/// Runs `attempt` on the seeds, several at once, and prints those that fail. Returns the results in the order of the
/// seeds.
pub fn each_seed_at_once<T: Send>(usual: u64, attempt: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (open, results) = (Mutex::new(seeds(usual)), Mutex::new(BTreeMap::new()));
    let next = || open.lock().expect("no seed fails here").next();
    let work = || {
        while let Some(seed) = next() {
            let report = SeedReport(seed);
            let result = attempt(seed);
            drop(report);
            results.lock().expect("no seed fails here").insert(seed, result);
        }
    };
    // Threads of their own: those of Rayon build tables, for which an attempt may wait.
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| drop(scope.spawn(work)))
    });
    results.into_inner().expect("no seed fails here").into_values().collect()
}

/// Returns whether the run has the default first seed, so that a test may check the counts over all its seeds.
pub fn is_full_run() -> bool {
    number("ENGINE_RANDOM_SEED").is_none()
}

/// Creates a folder for the files that random puzzles of one kind name.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random").join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Writes a file that a random puzzle names, atomically: another test may read it at the same time.
pub fn store(kind: &str, name: &str, text: &str) {
    let folder = folder(kind);
    let file = tempfile::NamedTempFile::new_in(&folder).expect("the folder is writable");
    std::fs::write(file.path(), text).expect("the file can be written");
    file.persist(folder.join(name)).expect("both paths are in the same folder");
}
