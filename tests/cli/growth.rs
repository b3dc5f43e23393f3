//! Tests that reading a collection takes memory and time in proportion to its size, and a level of it the time of one.
//!
//! The rooms are tiny and have long comments: so a copy of the whole text for each level would take gigabytes.

use crate::support::program::{Measured, folder, measure};
use crate::support::root;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The number of levels of the smaller collection; the larger one has twice as many.
const LEVELS: usize = 400;

/// The most resident memory, in bytes.
const MOST_MEMORY: u64 = 60 << 20;

/// Returns a Sokoban collection with this many levels; each has a warning, so that its place is looked up.
fn rooms(levels: usize) -> String {
    let comment = "a corridor ".repeat(200);
    (0..levels).map(|_| format!("#######\n#@$ .##\n###  $#\n#######\nComment: {comment}\n\n")).collect()
}

/// Returns a game with this many levels.
fn game(levels: usize) -> String {
    let text = fs::read_to_string(root().join("puzzles/puzzlescript/crates.txt")).expect("the game");
    let (rules, _) = text.split_once("\nmessage").expect("a message before the first level");
    let board = format!("##########\n#P*O{}#\n{}##########\n", ".".repeat(5), "#........#\n".repeat(7));
    let level = format!("message Push the crate.\n\n{board}\n");
    format!("{rules}\n{}", level.repeat(levels))
}

fn good(folder: &Path, arguments: &[&str]) -> Measured {
    let run = measure(folder, arguments);
    assert_eq!(run.status, Some(0), "{arguments:?}: {}", run.out);
    run
}

#[test]
fn memory_and_time_grow_with_the_collection_and_no_faster() {
    let folder = folder("growth", &[]);
    for (collection, text) in [("rooms.sok", rooms as fn(usize) -> String), ("game.txt", game)] {
        let (small, large) = (format!("small-{collection}"), format!("large-{collection}"));
        fs::write(folder.join(&small), text(LEVELS)).expect("the file can be written");
        fs::write(folder.join(&large), text(2 * LEVELS)).expect("the file can be written");
        for command in ["check", "list"] {
            let (small, large) = (good(&folder, &[command, &small]), good(&folder, &[command, &large]));
            assert!(large.out.lines().count() > 2 * LEVELS || command == "check", "{}", large.out);
            for (memory, twice) in small.peak.iter().zip(large.peak) {
                assert!(twice * 2 <= memory * 5 && twice <= MOST_MEMORY, "{command} {collection}: {memory}, {twice}");
            }
            // Other tests run beside this one.
            let most = small.time * 5 / 2 + Duration::from_secs(5);
            assert!(large.time <= most, "{command} {collection}: {:?}, {:?}", small.time, large.time);
        }
        for (arguments, level) in
            [(vec!["show", &large, "--level", "17"], 17), (vec!["show", &format!("{large}#801")], 0)]
        {
            let run = measure(&folder, &arguments);
            assert_eq!(run.status, Some(if level == 0 { 2 } else { 0 }), "{arguments:?}: {}", run.out);
            assert!(run.peak.is_none_or(|peak| peak <= MOST_MEMORY), "{arguments:?}: {:?}", run.peak);
        }
    }
}
