//! `engine generate`: files, the same bytes on any number of threads, runs that go on, refusals.

use crate::support::program::{command, folder, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

const ICE: &str = r##"
title = "Ice"
domain = "rules"
start = """
@...
....
..#.
....
"""
marks = """
....
....
....
..x.
"""
goal = { every = { "@" = "x" } }

[[rules]]
name = "{direction}"
from = "@."
to = ".@"
turns = true
repeat = true

[generate]
cells = """
????
????
????
????
"""
symbols = { "?" = { "." = 5, "#" = 2, "@" = 1, "x" = 1 } }
number = { "@" = 1, "x" = 1, "#" = [0, 5] }
cost = [3, 6]
"##;

/// Returns the files of a folder with their texts.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let file = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).expect("a file is text"))
    };
    entries.map(|entry| file(entry.expect("an entry can be read"))).collect()
}

#[test]
fn levels_are_the_same_on_any_number_of_threads_and_after_an_interruption() {
    let here = folder("generate", &[("ice.toml", ICE)]);
    let make = |out: &str, more: &[&str]| {
        let all = [&["generate", "ice.toml", "--count", "4", "--seed", "3", "--out", out], more].concat();
        run(&here, &all)
    };
    let (status, text, error) = make("one", &["--threads", "1"]);
    assert_eq!((status, error.as_str()), (0, ""), "{text}");
    assert_eq!(make("two", &["--threads", "2"]).0, 0);
    let one = files(&here.join("one"));
    assert_eq!(one, files(&here.join("two")));
    assert_eq!(one.keys().collect::<Vec<_>>(), ["ice-01.toml", "ice-02.toml", "ice-03.toml", "ice-04.toml"]);
    let (status, _, error) = run(&here, &["test", "one", "--accept"]);
    assert_eq!(status, 0, "{error}");
    // A run that was stopped early, and goes on. How far it gets before, and whether the template is read in time, depends
    // on the machine.
    let state = here.join("three/.generate.json");
    for time in ["50ms", "100ms", "200ms", "400ms", "800ms"] {
        let (status, _, error) = make("three", &["--time-limit", time]);
        assert!([0, 3].contains(&status), "{error}");
        if state.exists() || status == 0 {
            break;
        }
    }
    let is_stopped = state.exists();
    let (status, _, error) = make("three", if is_stopped { &[] } else { &["--force"] });
    assert_eq!(status, 0, "{error}");
    assert_eq!(error.starts_with("note: an unfinished run goes on after "), is_stopped, "{error}");
    assert!(!state.exists());
    assert_eq!(one, files(&here.join("three")));
    // Files are not overwritten, and a state of another run is not gone on with.
    let (status, _, error) = make("one", &[]);
    assert_eq!(status, 2);
    assert!(error.contains("already exists and is not overwritten"), "{error}");
    assert_eq!(make("one", &["--force"]).0, 0);
    assert_eq!(one, files(&here.join("one")));
    fs::write(here.join("two/.generate.json"), "{").expect("the file can be written");
    let (status, _, error) = make("two", &["--force"]);
    assert_eq!(status, 2);
    assert!(error.contains("is damaged") && error.contains("remove the file"), "{error}");
}

#[test]
fn a_run_that_ends_at_any_point_goes_on_to_the_same_levels() {
    let here = folder("generate-killed", &[("ice.toml", ICE)]);
    fn all(out: &str) -> [&str; 8] {
        ["generate", "ice.toml", "--count", "4", "--seed", "3", "--out", out]
    }
    let make = |out: &str| run(&here, &all(out));
    assert_eq!(make("whole").0, 0);
    let whole = files(&here.join("whole"));
    // A level that cannot be written: those before it are there, and the state.
    fs::create_dir_all(here.join("blocked/ice-03.toml/in-the-way")).expect("the folder is new");
    let (status, _, error) = run(&here, &[&all("blocked")[..], &["--force"]].concat());
    assert!(status != 0 && !error.is_empty(), "{error}");
    assert!(here.join("blocked/ice-02.toml").exists() && here.join("blocked/.generate.json").exists());
    fs::remove_dir_all(here.join("blocked/ice-03.toml")).expect("it is a folder");
    let (status, _, error) = make("blocked");
    assert_eq!(status, 0, "{error}");
    assert_eq!(files(&here.join("blocked")), whole, "{error}");
    // Killed as soon as one of these is there: whatever else is there then, the same command ends with the same levels.
    for (number, seen) in ["", ".generate.json", "ice-01.toml", "ice-03.toml"].iter().enumerate() {
        let out = format!("killed-{number}");
        let mut child = command(&here, &all(&out));
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        while !here.join(&out).join(seen).exists() && child.try_wait().expect("the child is ours").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("the child is ours");
        child.wait().expect("the child is ours");
        let is_complete = here.join(&out).join("ice-04.toml").exists();
        let (status, _, error) = make(&out);
        assert!(status == 0 || status == 2 && is_complete, "{seen}: {error}");
        // A file that was being written has a name of its own until it is whole.
        let mut found = files(&here.join(&out));
        found.retain(|name, _| name.starts_with("ice-") || name == ".generate.json");
        assert_eq!(found, whole, "killed at `{seen}`: {error}");
    }
}

/// A level of Sokoban that is solved: walks backwards pull the boxes away.
const SOLVED: &str = r##"
title = "Boxes"
domain = "rules"
start = """
########
#......#
#......#
#.$.@$.#
#......#
#......#
########
"""
marks = """
........
........
........
..x..x..
........
........
........
"""
goal = { every = { "$" = "x" } }

[[rules]]
name = "walk {direction}"
from = "@."
to = ".@"
turns = true
cost = 0

[[rules]]
name = "push {direction}"
from = "@$."
to = ".@$"
turns = true

[generate]
way = "reverse"
cost = [4, 12]
"##;

#[test]
fn written_rules_are_played_backwards_where_they_can() {
    let consequences = SOLVED.replacen(
        "turns = true\n\n[generate]",
        "turns = true\n\n[[after]]\nfrom = \"$$\"\nto = \"..\"\n\n[generate]",
        1,
    );
    let here = folder("generate-reverse", &[("boxes.toml", SOLVED), ("chain.toml", &consequences)]);
    let (status, text, error) = run(&here, &["generate", "boxes.toml", "--count", "5", "--out", "levels"]);
    assert_eq!((status, error.as_str()), (0, ""), "{text}");
    let levels = files(&here.join("levels"));
    assert_eq!(levels.len(), 5);
    for (name, level) in &levels {
        let start = level.split("start = ").nth(1).and_then(|rest| rest.split("marks").next()).expect("it has a start");
        assert_eq!((start.matches('@').count(), start.matches('$').count()), (1, 2), "{name}: {level}");
    }
    assert_eq!(run(&here, &["generate", "boxes.toml", "--count", "5", "--out", "again", "--threads", "1"]).0, 0);
    assert_eq!(levels, files(&here.join("again")));
    assert_eq!(run(&here, &["test", "levels", "--accept"]).0, 0, "the costs are those of the files");
    let (status, _, error) = run(&here, &["generate", "chain.toml"]);
    assert_eq!(status, 2, "{error}");
    assert!(
        error.contains("`reverse` cannot play backwards: rules with consequences") && error.contains("chain.toml:"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_met_ends_with_the_nearest() {
    let here = folder("generate-nearest", &[("ice.toml", &ICE.replace("cost = [3, 6]", "cost = [60, 70]"))]);
    let (status, text, error) = run(&here, &["generate", "ice.toml", "--out", "levels"]);
    assert_eq!(status, 1, "{text}{error}");
    assert!(text.contains(", 0 as wanted"), "{text}");
    assert!(error.contains("0 of 10 levels were found") && error.contains("not from 60 to 70"), "{error}");
    assert!(!here.join("levels/ice-01.toml").exists());
}

#[test]
fn mistakes_have_places() {
    let here = folder("generate-mistakes", &[("ice.toml", &ICE.replace("\"#\" = 2", "\"Q\" = 2"))]);
    let (status, _, error) = run(&here, &["generate", "ice.toml"]);
    assert_eq!(status, 2);
    assert!(error.contains("unknown symbol `Q`") && error.contains("ice.toml:32:"), "{error}");
    let text = ICE.split("[generate]").next().expect("there is a beginning");
    let here = folder("generate-plain", &[("plain.toml", text)]);
    let (status, _, error) = run(&here, &["generate", "plain.toml"]);
    assert_eq!(status, 2);
    assert!(error.contains("is no template"), "{error}");
}

#[test]
fn a_complete_enumeration_as_json() {
    let (status, text, error) =
        run(&crate::support::root(), &["generate", "puzzles/templates/rush-hour-4x4.toml", "--json", "--count", "2"]);
    assert_eq!((status, error.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let numbers = found["found"].as_array().expect("there are numbers").iter().map(|pair| pair[1].as_u64());
    assert_eq!(numbers.sum::<Option<u64>>(), Some(32));
    assert_eq!((&found["candidates"], found["levels"].as_array().map(Vec::len)), (&493.into(), Some(2)));
}
