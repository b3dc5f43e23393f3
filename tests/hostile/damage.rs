//! Damages files at random, and runs every command on them: none may panic, pass its limits or leave a file behind.
//!
//! `ENGINE_RANDOM_TIMES=100` damages a hundred times as many files. The file of a seed that fails stays in the folder of
//! the tests.

use crate::support::dice::Dice;
#[cfg(unix)]
use crate::support::{
    dice::each_seed_at_once,
    files_below,
    program::{folder, measure},
    root,
};
#[cfg(unix)]
use std::{fs, path::Path, time::Duration};

/// Words with a meaning in some format.
const WORDS: [&str; 46] = [
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
    "\u{202e}",
    "\u{feff}",
    "  ",
    "(1 2)",
    "'",
    "[[0, 0]]",
    "true",
    "inf",
    "moves",
    "...",
    "|",
    " -> ",
    " or ",
    "again",
    "any(",
    "1e308",
    "0..100000",
    "\nmetric = \"turn\"\n",
    "\nrows = 900\ncolumns = 900\n",
    "\nscramble = { seed = 1 }\n",
    "\nstart = { }\n",
    "\nmoves = \"diagonal\"\n",
];

/// Numbers that replace others.
const NUMBERS: [&str; 9] = ["0", "1", "2", "10", "99", "1000", "30000", "2147483648", "18446744073709551615"];

/// Damages some bytes in a few places; `others` are files to take pieces from. The result has at most `most` bytes.
pub fn damaged(dice: &mut Dice, mut bytes: Vec<u8>, others: &[Vec<u8>], most: usize) -> Vec<u8> {
    for _ in 0..dice.within(1, 5) {
        let at = dice.below(bytes.len() + 1);
        let to = (at + dice.within(0, 12)).min(bytes.len());
        match dice.below(12) {
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
                let length = dice.pick(&[5, 20, 80, 300]);
                bytes.splice(at..to, other[from..(from + length).min(other.len())].iter().copied());
            }
            5 if dice.one_in(3) => bytes.truncate(at.max(1)),
            6 => {
                let times = dice.pick(&[2, 30, 300, 3000]);
                let repeated = bytes[at..(at + 1).min(bytes.len())].repeat(times);
                bytes.splice(at..at, repeated);
            }
            7 => {
                let digits = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
                let first = (at..bytes.len()).find(|&at| digits(at)).unwrap_or(bytes.len());
                let end = (first..bytes.len()).find(|&at| !digits(at)).unwrap_or(bytes.len());
                bytes.splice(first..end, dice.pick(&NUMBERS).bytes());
            }
            8 | 9 => bytes = with_damaged_lines(dice, &bytes),
            _ => _ = bytes.splice(at..to, dice.pick(&WORDS).bytes()),
        }
        bytes.truncate(most);
    }
    bytes
}

/// Removes, swaps, repeats or lengthens a line.
fn with_damaged_lines(dice: &mut Dice, bytes: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(4) {
        0 => _ = lines.remove(at),
        1 => lines.swap(at, other),
        2 => {
            let copies = vec![lines[at].clone(); dice.pick(&[1, 2, 10, 100, 1000])];
            lines.splice(at..at, copies);
        }
        _ => lines[at] = lines[at].repeat(dice.pick(&[2, 10, 60])),
    }
    lines.join(&b'\n')
}

/// The limits of each command.
#[cfg(unix)]
const LIMITS: [&str; 4] = ["--time-limit", "300ms", "--memory-limit", "300MiB"];

/// A tenth more memory, and a second more time, with what a loaded machine adds: starting, freeing the memory.
#[cfg(unix)]
const MOST_MEMORY: u64 = 330 << 20;
#[cfg(unix)]
const MOST_TIME: Duration = Duration::from_millis(300 + 1000 + 4000);

/// Returns the commands that read a puzzle.
#[cfg(unix)]
fn commands(file: &str) -> [Vec<&str>; 20] {
    [
        vec!["check", file],
        vec!["check", "--json", file],
        vec!["list", "."],
        vec!["show", file],
        vec!["show", file, "--json"],
        vec!["solve", file],
        vec!["solve", file, "--json", "--explain"],
        vec!["solve", file, "--count"],
        vec!["solve", file, "--certificate", "out.json"],
        vec!["explore", file],
        vec!["plan", file, "--machines", "2"],
        vec!["compare", file, "--algorithm", "bfs"],
        vec!["render", file, "-o", "out.svg"],
        vec!["render", file, "-o", "out.gif"],
        vec!["render", file, "--play", "-o", "out.html"],
        vec!["scramble", file],
        vec!["play", file],
        vec!["import", file],
        vec!["test", "."],
        vec!["verify", file, "u r d l"],
    ]
}

/// Returns puzzle files, games and drawings: their extensions and their bytes.
#[cfg(unix)]
fn sources() -> (Vec<&'static str>, Vec<Vec<u8>>) {
    let read = |path: &Path| fs::read(path).expect("the file can be read");
    let puzzles = ["toml", "txt", "map"].into_iter().flat_map(|extension| {
        let folder = root().join("puzzles");
        files_below(&folder, extension).into_iter().map(move |file| (extension, folder.join(file)))
    });
    let corpus =
        [("loader", "toml"), ("games", "txt"), ("files", "txt")].into_iter().flat_map(|(target, extension)| {
            let folder = root().join("fuzz/corpus").join(target);
            let mut files: Vec<_> =
                fs::read_dir(folder).expect("a corpus").map(|file| file.expect("an entry").path()).collect();
            files.sort();
            files.into_iter().map(move |file| (extension, file))
        });
    puzzles.chain(corpus).map(|(extension, path)| (extension, read(&path))).unzip()
}

#[cfg(unix)]
#[test]
fn no_command_panics_or_passes_its_limits_on_a_damaged_file() {
    let (extensions, texts) = sources();
    let wrong = each_seed_at_once(120, |seed| {
        let dice = &mut Dice::new(seed);
        let source = dice.below(texts.len());
        let bytes = if dice.one_in(20) {
            (0..dice.pick(&[0, 1, 10, 100, 1000])).map(|_| dice.below(256) as u8).collect()
        } else {
            damaged(dice, texts[source].clone(), &texts, 1 << 20)
        };
        let extension = if dice.one_in(25) { dice.pick(&["sok", "map", "txt", "toml"]) } else { extensions[source] };
        let name = format!("damaged.{extension}");
        let here = folder(&format!("damaged-{seed}"), &[]);
        fs::write(here.join(&name), bytes).expect("the file can be written");
        let all = commands(&name);
        let arguments = [&all[seed as usize % all.len()][..], &LIMITS].concat();
        let ran = measure(&here, &arguments);
        let mut wrong = Vec::new();
        if !ran.status.is_some_and(|status| (0..=3).contains(&status)) {
            wrong.push(format!("status {:?}", ran.status));
        }
        if ["panicked", "memory allocation", "unexpected argument"].iter().any(|what| ran.errors.contains(what)) {
            wrong.push(ran.errors.chars().take(300).collect());
        }
        if ran.time > MOST_TIME || ran.peak.is_some_and(|peak| peak > MOST_MEMORY) {
            wrong.push(format!("{:?}, {} MiB", ran.time, ran.peak.unwrap_or(0) >> 20));
        }
        let outputs = ["out.json", "out.svg", "out.gif", "out.html"];
        let left = fs::read_dir(&here).expect("the folder can be read").map(|file| file.expect("an entry").file_name());
        wrong.extend(
            left.filter(|left| **left != *name && outputs.iter().all(|output| **left != **output))
                .map(|left| format!("leaves {}", left.display())),
        );
        if wrong.is_empty() {
            fs::remove_dir_all(&here).expect("the folder can be removed");
            return None;
        }
        Some(format!("{}: {}: {}", here.join(&name).display(), arguments.join(" "), wrong.join("; ")))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
