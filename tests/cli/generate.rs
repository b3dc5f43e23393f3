//! `engine generate`: files, the same bytes on any number of threads, runs that go on, refusals.

use crate::support::program::{folder, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
