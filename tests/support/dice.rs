//! Random numbers from seeds, the number of seeds to try, and the message for a seed that fails.
//!
//! By default a test tries as many as take a few seconds. `ENGINE_RANDOM_TIMES=10` tries ten times as many of
//! everything random: puzzles, damage, mutations, kills.

use engine::domain::SplitMix64;
use std::env;
use std::path::PathBuf;

/// A generator of random numbers; a seed gives the same numbers on every machine.
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

    pub fn one_in(&mut self, several: usize) -> bool {
        self.below(several) == 0
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
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not `{value}`")))
}

/// Returns this number, multiplied by `ENGINE_RANDOM_TIMES`.
pub fn times(usual: u64) -> u64 {
    usual * number("ENGINE_RANDOM_TIMES").unwrap_or(1)
}

/// Tries [`times`] seeds, from `ENGINE_RANDOM_SEED` on, and prints a seed that fails.
pub fn each_seed(usual: u64, mut attempt: impl FnMut(u64)) {
    struct FailedSeed(u64);
    impl Drop for FailedSeed {
        fn drop(&mut self) {
            if std::thread::panicking() {
                let seed = self.0;
                eprintln!("seed {seed}: ENGINE_RANDOM_SEED={seed} begins with it");
            }
        }
    }
    let first = number("ENGINE_RANDOM_SEED").unwrap_or(0);
    for seed in first..first + times(usual) {
        let told = FailedSeed(seed);
        attempt(seed);
        drop(told);
    }
}

/// Returns whether enough of the usual number of seeds are tried for counts of the cases to be meaningful.
pub fn counts_are_meaningful() -> bool {
    number("ENGINE_RANDOM_SEED").is_none()
}

/// Returns a folder for the files that random puzzles of one kind name.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random").join(name);
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// Writes a file that a random puzzle names atomically, because another test may be reading it.
pub fn store(kind: &str, name: &str, text: &str) {
    let folder = folder(kind);
    let file = tempfile::NamedTempFile::new_in(&folder).expect("the folder can be written to");
    std::fs::write(file.path(), text).expect("the folder can be written to");
    file.persist(folder.join(name)).expect("it is in the same folder");
}
