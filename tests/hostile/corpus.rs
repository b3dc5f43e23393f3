//! Runs the fuzz targets on their stored corpus, so that fixed bugs stay fixed, and on random mutations of it, like a
//! fuzzer without coverage feedback. `ENGINE_RANDOM_TIMES=100` runs a hundred times as many mutations.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

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

/// Words with a meaning in some format.
const WORDS: [&str; 32] = [
    "0",
    "1",
    "-1",
    "9",
    "16",
    "999999999999999999999",
    "\"",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    "#",
    "S",
    "G",
    "@",
    "\n",
    "\r\n",
    "\0",
    "é",
    "\u{301}",
    "\u{feff}",
    "  ",
    "(1 2)",
    "'",
    "[[0, 0]]",
    "true",
    "inf",
    "moves",
];

/// Mutates some bytes at random; `others` are entries to splice from.
fn mutate(dice: &mut Dice, mut bytes: Vec<u8>, others: &[Vec<u8>]) -> Vec<u8> {
    for _ in 0..dice.within(1, 5) {
        let at = dice.below(bytes.len() + 1);
        let to = (at + dice.within(0, 12)).min(bytes.len());
        match dice.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 => bytes.insert(at, dice.below(256) as u8),
            2 => _ = bytes.drain(at..to),
            3 => {
                let copy = bytes[at..to].to_vec();
                let place = dice.below(bytes.len() + 1);
                bytes.splice(place..place, copy);
            }
            4 => {
                let other = dice.pick(others);
                let from = dice.below(other.len() + 1);
                bytes.splice(at..to, other[from..(from + 20).min(other.len())].iter().copied());
            }
            5 => bytes.truncate(at.max(1)),
            _ => _ = bytes.splice(at..to, dice.pick(&WORDS).bytes()),
        }
    }
    bytes
}

#[test]
fn mutations_of_the_corpus_break_no_target() {
    for (name, target) in TARGETS {
        let entries = corpus(name);
        let tried = if name == "tables" { 10 } else { 400 };
        each_seed(tried, |seed| {
            let dice = &mut Dice::new(seed);
            let entry = dice.pick(&entries);
            run_target(name, target, &mutate(dice, entry, &entries));
        });
        println!("{name}: {tried} mutations");
    }
}
