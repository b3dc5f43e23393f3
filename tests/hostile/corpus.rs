//! Runs the fuzz targets on everything that fuzzing found, so that corrected mistakes stay corrected, and on random
//! changes of it. `ENGINE_RANDOM_TIMES=100` makes more of them.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use crate::support::dice::{Dice, each_seed, folder};
use crate::support::root;
use std::fs;
use targets::TARGETS;

/// Writes the bytes to a file if a target fails.
struct Kept<'a> {
    name: &'a str,
    bytes: &'a [u8],
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = folder("corpus").join(self.name);
            let kept = fs::write(&path, self.bytes);
            eprintln!("{:?}\nkept as {}: {kept:?}", String::from_utf8_lossy(self.bytes), path.display());
        }
    }
}

fn held(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    let kept = Kept { name, bytes };
    target(bytes);
    drop(kept);
}

/// The entries of a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a folder's entry can be read").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("the file can be read")).collect()
}

#[test]
fn the_corpus_of_every_target_passes() {
    for (name, target) in TARGETS {
        let entries = corpus(name);
        assert!(entries.len() >= 5, "{name} has a corpus");
        entries.iter().for_each(|bytes| held(name, target, bytes));
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

/// Returns random changes of some bytes, combined with others of the same target.
fn changed(dice: &mut Dice, mut bytes: Vec<u8>, others: &[Vec<u8>]) -> Vec<u8> {
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
fn random_changes_of_the_corpus_pass() {
    for (name, target) in TARGETS {
        let entries = corpus(name);
        let tried = if name == "tables" { 40 } else { 1500 };
        each_seed(tried, |seed| {
            let dice = &mut Dice::new(seed);
            let entry = dice.pick(&entries);
            held(name, target, &changed(dice, entry, &entries));
        });
        println!("{name}: {tried} at a time");
    }
}
