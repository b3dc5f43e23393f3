//! `engine solve --trace`: what a search did, as lines of JSON.

use crate::support::program::{EIGHT, NO_PARITY, UNSOLVABLE, folder, run};
#[cfg(target_os = "linux")]
use crate::support::program::{into_a_closed_pipe, on_a_full_disk};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Solves a puzzle with a trace; returns the result and the events.
fn traced(folder: &Path, arguments: &[&str]) -> (Value, Vec<Value>) {
    let all = [&["solve", "--json", "--trace", "out.jsonl"], arguments].concat();
    let (_, stdout, stderr) = run(folder, &all);
    let result = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{arguments:?}: {stdout}{stderr}"));
    let lines = fs::read_to_string(folder.join("out.jsonl")).expect("there is a trace");
    (result, lines.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect())
}

fn count(events: &[Value], name: &str) -> u64 {
    events.iter().filter(|event| event["event"] == name).count() as u64
}

#[test]
fn a_trace_has_what_the_search_did() {
    let folder = folder("trace", &[("five.toml", EIGHT)]);
    let (result, events) = traced(&folder, &["five.toml", "--algorithm", "a-star", "--heuristic", "manhattan"]);
    insta::assert_snapshot!("trace", fs::read_to_string(folder.join("out.jsonl")).expect("there is a trace"));
    assert_eq!(count(&events, "expanded"), result["expanded"].as_u64().expect("a number"));
}

/// Small puzzles of all domains, below `puzzles/`.
const PUZZLES: [&str; 16] = [
    "klotski0.toml",
    "klotski1.toml",
    "blocks/gate.toml",
    "eight-puzzle/10-moves.toml",
    "eight-puzzle/20-moves.toml",
    "mazes/orthogonal.toml",
    "mazes/diagonal.toml",
    "mazes/weighted.toml",
    "mazes/portals.toml",
    "words/horse-nurse.toml",
    "permutation/floppy-cube.toml",
    "permutation/pancakes.toml",
    "rules/wolf-goat-cabbage.toml",
    "rules/sokoban-two-rooms.toml",
    "rules/toll-gates.toml",
    "puzzlescript/crates-1.toml",
];

const ALGORITHMS: [&str; 10] =
    ["bfs", "dfs", "a-star", "bidirectional", "iddfs", "ida-star", "greedy", "weighted-a-star", "beam", "bfws"];

#[test]
fn each_expansion_is_an_event_whatever_the_algorithm() {
    let puzzles = crate::support::root().join("puzzles");
    let work: Vec<_> = PUZZLES.iter().flat_map(|puzzle| ALGORITHMS.map(|algorithm| (puzzle, algorithm))).collect();
    let searched = work.iter().filter(|(puzzle, algorithm)| {
        let name = format!("trace-{}-{algorithm}", puzzle.replace('/', "-"));
        let folder = folder(&name, &[]);
        let file = puzzles.join(puzzle).display().to_string();
        let base = ["solve", "--json", &file, "--algorithm", algorithm, "--node-limit", "2000", "--time-limit", "60s"];
        let (status, plain, stderr) = run(&folder, &base);
        if status == 2 {
            assert!(stderr.contains("cannot") || stderr.contains("needs"), "{puzzle} {algorithm}: {stderr}");
            return false;
        }
        let (result, events) = traced(&folder, &base[2..]);
        let plain: Value = serde_json::from_str(&plain).expect("JSON");
        let fields = ["outcome", "optimal", "cost", "lower_bound", "moves", "expanded", "generated", "stored", "depth"];
        for field in fields {
            assert_eq!(result[field], plain[field], "{puzzle} {algorithm} {field}");
        }
        assert_eq!(count(&events, "expanded"), plain["expanded"].as_u64().expect("a number"), "{puzzle} {algorithm}");
        consistent(&events, &format!("{puzzle} {algorithm}"));
        if plain["outcome"] == "solved" && plain["generated"].as_u64() > Some(0) {
            assert!(count(&events, "goal") > 0, "{puzzle} {algorithm}: no goal");
        }
        true
    });
    assert!(searched.count() > 90, "most algorithms search most puzzles");
}

/// Checks that the events of each search fit together.
fn consistent(events: &[Value], name: &str) {
    let (mut nodes, mut expanded, mut generated) = (std::collections::HashSet::new(), 0, 0);
    for event in events {
        let node = event["node"].as_u64();
        match event["event"].as_str().expect("each line has an event") {
            "begin" => {
                (expanded, generated) = (0, 0);
                nodes.clear();
                nodes.insert(0);
            }
            "expanded" => {
                expanded += 1;
                assert_eq!(event["number"], expanded, "{name}");
                let is_drawn = event["position"].is_string() || event["side"] == "backward" && event["key"].is_string();
                assert!(is_drawn, "{name}: {event}");
                assert!(
                    event["parent"].is_null() || event["side"] == "backward" || event["move"].is_string(),
                    "{name}: {event}"
                );
                assert!(node.is_some_and(|node| nodes.contains(&node)), "{name}: {event}");
            }
            "generated" => {
                generated += u64::from(!event["parent"].is_null());
                assert!(nodes.insert(node.expect("a node")), "{name}: {event}");
            }
            "pruned" => {
                nodes.extend(node);
                generated += u64::from(event["reason"] != "symmetry");
            }
            "duplicate" | "reopened" => generated += 1,
            "end" => {
                assert_eq!(event["expanded"], expanded, "{name}");
                assert!(
                    event["outcome"] == "limit" || event["generated"] == generated,
                    "{name}: {event} but {generated}"
                );
            }
            _ => {}
        }
        let parent = event["parent"].as_u64();
        assert!(parent.is_none_or(|parent| nodes.contains(&parent)), "{name}: {event}");
        let sum = event["g"].as_f64().zip(event["h"].as_f64()).map(|(g, h)| g + h);
        if let Some(sum) = sum.filter(|_| name.ends_with(" a-star") || name.ends_with(" ida-star")) {
            assert!((sum - event["f"].as_f64().expect("f")).abs() < 1e-6, "{name}: {event}");
        }
    }
}

#[test]
fn a_limit_cuts_the_trace_and_not_the_search() {
    let folder = folder("trace-limit", &[("five.toml", EIGHT)]);
    let (result, events) = traced(&folder, &["five.toml", "--algorithm", "bfs", "--trace-limit", "3"]);
    assert_eq!(result["cost"], 5);
    assert_eq!(count(&events, "expanded"), 3);
    assert_eq!(events.last().map(|event| (&event["event"], &event["limit"])), Some((&"cut".into(), &3.into())));
}

#[test]
fn a_trace_that_cannot_be_written_is_an_error() {
    let folder = folder("trace-errors", &[("five.toml", EIGHT)]);
    let solve = |arguments: &[&str]| run(&folder, &[&["solve", "five.toml", "--format", "moves"], arguments].concat());
    let (status, _, stderr) = solve(&["--trace", "."]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("directory"), "{stderr}");
    if Path::new("/dev/full").exists() {
        let (status, _, stderr) = solve(&["--trace", "/dev/full"]);
        assert!(status == 2 && stderr.contains("/dev/full"), "{status} {stderr}");
    }
    let (status, _, stderr) = solve(&["--trace", "five.toml"]);
    assert!(status == 2 && stderr.contains("input"), "{status} {stderr}");
    for other in [&["--count"][..], &["five.toml"]] {
        let (status, _, stderr) = solve(&[&["--trace", "out.jsonl"], other].concat());
        assert!(status == 2 && stderr.contains("--trace"), "{status} {stderr}");
    }
    assert!(!folder.join("out.jsonl").exists());
}

#[test]
fn quotes_and_markup_in_a_title_stay_text() {
    let text = EIGHT.replace("\"Five\"", "'<b>\"Five\" & \u{202e}more</b>'");
    let folder = folder("trace-markup", &[("five.toml", &text)]);
    let (_, events) = traced(&folder, &["five.toml"]);
    assert_eq!(events[0]["puzzle"], "<b>\"Five\" & \u{202e}more</b>");
}

#[test]
fn a_proof_without_a_search_is_an_event() {
    let folder = folder("trace-refuted", &[("none.toml", UNSOLVABLE)]);
    let (status, _, stderr) = run(&folder, &["solve", "none.toml", "--trace", "out.jsonl", "--format", "moves"]);
    assert_eq!(status, 1, "{stderr}");
    let text = fs::read_to_string(folder.join("out.jsonl")).expect("it is written");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(events.len(), 1, "{text}");
    assert_eq!((&events[0]["event"], &events[0]["reason"]), (&"refuted".into(), &NO_PARITY.into()));
    let (status, page, stderr) =
        run(&folder, &["render", "none.toml", "--search", "a-star", "-o", "-", "--format", "html"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    assert!(page.contains(&format!("There is no search, since no solution exists: {NO_PARITY}")));
}

#[cfg(target_os = "linux")]
#[test]
fn traces_pages_tables_and_sheets_know_full_disks_and_closed_pipes() {
    let folder = folder("pipe-search", &[("five.toml", EIGHT)]);
    let commands: [&[&str]; 4] = [
        &["solve", "five.toml", "--algorithm", "bfs", "--trace", "/dev/stdout", "--quiet"],
        &["render", "five.toml", "--search", "bfs,a-star", "--format", "html", "-o", "-"],
        &["compare", "five.toml", "five.toml", "--algorithm", "bfs,a-star", "--format", "csv"],
        &["worksheet", "five.toml", "--count", "20", "--format", "html", "-o", "-"],
    ];
    for arguments in commands {
        let (status, errors) = on_a_full_disk(&folder, arguments);
        assert!(status == Some(2) && errors.contains("No space left"), "{arguments:?}: {errors}");
        let errors = into_a_closed_pipe(&folder, arguments);
        assert_eq!(errors, "", "{arguments:?}: a closed pipe ends quietly");
    }
    let out = ["-o", "--trace"];
    for (arguments, option) in commands.into_iter().zip([out[1], out[0], out[0], out[0]]) {
        let kept = arguments.iter().filter(|one| !["-o", "-", "--trace", "/dev/stdout"].contains(one)).copied();
        let arguments: Vec<&str> = kept.chain([option, "/dev/full"]).collect();
        let (status, _, errors) = run(&folder, &arguments);
        assert!(status == 2 && errors.contains("/dev/full"), "{arguments:?}: {status} {errors}");
    }
}
