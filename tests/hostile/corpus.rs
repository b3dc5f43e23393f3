//! Runs the fuzz targets on their stored corpus, so that fixed bugs stay fixed, and on random mutations of it, like a
//! fuzzer without coverage feedback. `ENGINE_RANDOM_TIMES=100` runs a hundred times as many mutations.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use crate::damage::damaged;
use crate::support::dice::{Dice, each_seed, folder};
use crate::support::root;
use std::fs;
use targets::TARGETS;

/// Writes the bytes to a file if the target panics.
struct SaveOnPanic<'a> {
    name: &'a str,
    bytes: &'a [u8],
}

impl Drop for SaveOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = folder("corpus").join(self.name);
            let saved = fs::write(&path, self.bytes);
            eprintln!("{:?}\nsaved as {}: {saved:?}", String::from_utf8_lossy(self.bytes), path.display());
        }
    }
}

fn run_target(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    let saved = SaveOnPanic { name, bytes };
    target(bytes);
    drop(saved);
}

/// Reads the corpus of a target, sorted by name.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a folder's entry can be read").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("the entry can be read")).collect()
}

#[test]
fn every_target_accepts_its_corpus() {
    for (name, target) in TARGETS {
        let entries = corpus(name);
        assert!(entries.len() >= 5, "{name} has a corpus");
        entries.iter().for_each(|bytes| run_target(name, target, bytes));
    }
}

/// The most bytes of an input, as in `.ci/fuzz`.
const MOST_BYTES: usize = 1 << 14;

#[test]
fn mutations_of_the_corpus_break_no_target() {
    for (name, target) in TARGETS {
        let entries = corpus(name);
        let tried = if name == "tables" { 10 } else { 400 };
        each_seed(tried, |seed| {
            let dice = &mut Dice::new(seed);
            let entry = dice.pick(&entries);
            run_target(name, target, &damaged(dice, entry, &entries, MOST_BYTES));
        });
        println!("{name}: {tried} mutations");
    }
}
