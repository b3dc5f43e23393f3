//! Tests `engine compare` of several puzzles: random boards, statistics, charts, and going on with a long batch.

use crate::support::program::{EIGHT, command, folder, run, wait_for_interrupt_handler};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// The searches of the table in the textbook.
const TEXTBOOK: [&str; 4] = ["--algorithm", "bfs,a-star", "--heuristic", "hamming,manhattan"];

/// Four boxes on a line, in two levels.
const LEVELS: &str = "; one\n#####\n#@$.#\n#####\n\n; two\n######\n#@$ .#\n######\n";

fn good(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, errors) = run(folder, arguments);
    assert_eq!((status, errors.as_str()), (0, ""), "{arguments:?}");
    out
}

fn textbook<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "five.toml"], &TEXTBOOK[..], arguments].concat()
}

/// Returns the rows of CSV by the names of their columns.
fn csv(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn random_boards_have_their_costs_and_the_table_of_the_textbook() {
    let folder = folder("batch-random", &[("five.toml", EIGHT)]);
    let random = ["--random", "3", "--cost", "4..12/4", "--seed", "5"];
    let text = good(&folder, &textbook(&[&random[..], &["--no-times"]].concat()));
    insta::assert_snapshot!("compare_random", text);
    assert_eq!(good(&folder, &textbook(&[&random[..], &["--no-times"]].concat())), text, "the same boards again");
    let rows = csv(&good(&folder, &textbook(&[&random[..], &["--format", "csv"]].concat())));
    assert_eq!(rows.len(), 3 * 3 * 3);
    for row in &rows {
        assert_eq!((&*row["file"], &*row["outcome"], &row["cost"]), ("five.toml", "solved", &row["solution_depth"]));
        assert_eq!(row["moves"], row["cost"]);
        assert!(row["build_seconds"].parse::<f64>().is_ok() && row["search_seconds"].parse::<f64>().is_ok());
    }
    let costs: Vec<&str> = rows.iter().step_by(3).map(|row| &*row["cost"]).collect();
    assert_eq!(costs, ["4", "4", "4", "8", "8", "8", "12", "12", "12"]);
    // The means of the table are those of the rows.
    let lines: Vec<Value> = good(&folder, &textbook(&[&random[..], &["--json"]].concat()))
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (searches, summaries): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| line["type"] == "search");
    assert_eq!((searches.len(), summaries.len()), (27, 3 * 4));
    for summary in summaries.iter().filter(|summary| !summary["depth"].is_null()) {
        let is_of = |row: &&BTreeMap<String, String>| {
            *row["algorithm"] == summary["algorithm"]
                && row["heuristic"] == summary["heuristic"].as_str().unwrap_or_default()
                && row["cost"].parse().ok() == summary["depth"].as_f64()
        };
        let generated: Vec<f64> =
            rows.iter().filter(is_of).map(|row| row["generated"].parse().expect("a number")).collect();
        assert_eq!(generated.len(), 3, "{summary}");
        assert_eq!(summary["generated"]["total"], generated.iter().sum::<f64>());
        assert!(
            (summary["generated"]["mean"].as_f64().expect("a mean") - generated.iter().sum::<f64>() / 3.0).abs() < 1e-9
        );
    }
    let other = good(&folder, &textbook(&["--random", "3", "--cost", "4..12/4", "--seed", "6", "--no-times"]));
    assert_ne!(text, other, "another seed gives other boards");
}

#[test]
fn files_and_collections_are_compared_together_and_bad_ones_left_out() {
    let files = [("five.toml", EIGHT), ("levels.sok", LEVELS), ("bad.toml", "title = 1\n")];
    let folder = folder("batch-files", &files);
    let all = ["compare", "five.toml", "bad.toml", "levels.sok", "--algorithm", "bfs", "--format", "csv"];
    let (status, out, errors) = run(&folder, &all);
    assert_eq!(status, 2);
    assert!(errors.contains("bad.toml:1"), "{errors}");
    let names: Vec<String> = csv(&out).into_iter().map(|row| row["file"].clone()).collect();
    assert_eq!(names, ["five.toml", "levels.sok#1", "levels.sok#2"]);
    // One level is one puzzle, and has the table of one.
    let one = good(&folder, &["compare", "levels.sok", "--level", "2", "--algorithm", "bfs", "--no-times"]);
    assert!(one.contains("OUTCOME") && !one.contains("MEDIAN"), "{one}");
    let several = good(&folder, &["compare", "levels.sok", "--algorithm", "bfs", "--no-times"]);
    assert!(several.starts_with("2 puzzles\n") && several.contains("MEDIAN"), "{several}");
}

#[test]
fn what_cannot_be_compared_is_refused_before_any_search() {
    let folder = folder("batch-refused", &[("five.toml", EIGHT)]);
    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, out, errors) = run(&folder, &textbook(arguments));
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        words.iter().for_each(|word| assert!(errors.contains(word), "{word} is not in: {errors}"));
    };
    refused(&["--random", "2"], &["--cost"]);
    refused(&["--cost", "2..4"], &["--random"]);
    for range in ["4..2", "a..b", "2..4/0", "..", "-1..2"] {
        refused(&["--random", "2", &format!("--cost={range}")], &["expected a range of whole costs such as 2..24"]);
    }
    refused(&["--random", "0", "--cost", "2..4"], &["at least 1"]);
    refused(&["--random", "2", "--cost", "0..4000000000"], &["too many", "100000"]);
    refused(&["--random", "2", "--cost", "2..4", "--seed", "x"], &["invalid seed `x`", "whole number"]);
    refused(&["--random", "2", "--cost", "40"], &["no board of cost 40 was found", "choose among the costs"]);
    refused(&["--random", "2", "--cost", "4", "--chart", "boxes"], &["--plot"]);
    let scatter = ["--random", "2", "--cost", "4", "--plot", "x.svg", "--chart", "scatter"];
    refused(&scatter, &["compares two searches, not 3"]);
    refused(
        &["--resume", "new.jsonl", "-o", "new.jsonl"],
        &["`--resume` names the file that the results are written to"],
    );
    refused(&["--resume", "five.toml"], &["is not a file that `--resume` wrote"]);
    assert_eq!(fs::read_to_string(folder.join("five.toml")).expect("the puzzle"), EIGHT, "the puzzle is untouched");
}

#[test]
fn each_kind_of_chart_draws_every_search() {
    let folder = folder("batch-charts", &[("five.toml", EIGHT)]);
    for kind in ["depth", "cactus", "boxes", "scatter"] {
        let file = format!("{kind}.svg");
        let mut arguments = textbook(&["--random", "2", "--cost", "4..8/2", "--no-times", "--plot", &file]);
        arguments.extend(["--chart", kind]);
        if kind == "scatter" {
            let at = arguments.iter().position(|word| *word == "bfs,a-star").expect("the algorithms");
            arguments[at] = "a-star";
        }
        good(&folder, &arguments);
        let svg = fs::read_to_string(folder.join(&file)).expect("the chart is written");
        let document = roxmltree::Document::parse(&svg).expect("SVG is XML");
        let texts: BTreeSet<&str> = document.descendants().filter_map(|node| node.text()).collect();
        for name in ["a-star hamming", "a-star manhattan"] {
            assert!(texts.iter().any(|text| text.contains(name)), "{kind}: {name} is not in {texts:?}");
        }
        let marks = document.descendants().filter(|node| node.has_tag_name("path") && node.has_children()).count();
        // Six boards; a curve has a mark for each of three depths, and the key one for each series.
        let expected = match kind {
            "depth" => 3 * 3 + 3,
            "cactus" => 3 * 6 + 3,
            "scatter" => 6 + 1,
            _ => 0,
        };
        assert_eq!(marks, expected, "{kind}");
        good(&folder, &arguments);
        assert_eq!(fs::read_to_string(folder.join(&file)).expect("the chart"), svg, "{kind}: the same bytes again");
    }
    let png = textbook(&["--random", "2", "--cost", "4..8/2", "--plot", "depth.png"]);
    good(&folder, &png);
    let png = fs::read(folder.join("depth.png")).expect("the chart is written");
    assert!(resvg::tiny_skia::Pixmap::decode_png(&png).is_ok());
}

/// What breaks: rows are run again, rows of other puzzles or settings are taken, or a torn line ends the comparison.
#[test]
fn a_long_batch_goes_on_with_the_rows_that_it_has() {
    let folder = folder("batch-resume", &[("five.toml", EIGHT)]);
    let arguments = textbook(&["--random", "2", "--cost", "4..8/2", "--resume", "rows.jsonl", "--format", "csv"]);
    let first = good(&folder, &arguments);
    let path = folder.join("rows.jsonl");
    let kept = fs::read_to_string(&path).expect("the rows");
    assert_eq!(kept.lines().count(), 1 + 18);
    assert_eq!(good(&folder, &arguments), first, "all rows are known, times included");
    assert_eq!(fs::read_to_string(&path).expect("the rows"), kept, "no row is written twice");
    // A run that ended while it wrote the tenth row. Its rows so far are marked to recognise them.
    let marked: Vec<String> = kept.lines().map(|line| line.replace("\"stored\":", "\"stored\":9000")).collect();
    let torn = marked[..10].join("\n") + "\n" + &marked[10][..40];
    fs::write(&path, torn).expect("it is written");
    let rows = csv(&good(&folder, &arguments));
    let known: Vec<bool> = rows.iter().map(|row| row["stored"].starts_with("9000")).collect();
    assert_eq!(known, [vec![true; 9], vec![false; 9]].concat());
    assert_eq!(fs::read_to_string(&path).expect("the rows").lines().count(), 1 + 18);
    // Another seed has other boards.
    let other = good(&folder, &[&arguments[..], &["--seed", "1"]].concat());
    assert!(csv(&other).iter().all(|row| !row["stored"].starts_with("9000")));
    let (status, out, errors) = run(&folder, &[&arguments[..], &["--node-limit", "50"]].concat());
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(errors.contains("has rows of other searches"), "{errors}");
    fs::write(&path, kept.replacen("\"row\":", "\"wor\":", 1)).expect("it is written");
    let (status, _, errors) = run(&folder, &arguments);
    assert!(status == 2 && errors.contains("line 2 is damaged"), "{errors}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_rows_so_far_and_keeps_them() {
    let hard = "title = \"Hard\"\ndomain = \"sliding-tile\"\ngoal = \"blank-first\"\nstart = \"\"\"\n15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n\"\"\"\n";
    let folder = folder("batch-interrupt", &[("five.toml", EIGHT), ("hard.toml", hard)]);
    let arguments = [
        "compare",
        "five.toml",
        "hard.toml",
        "--algorithm",
        "ida-star",
        "--heuristic",
        "hamming",
        "--time-limit",
        "1000s",
        "--resume",
        "rows.jsonl",
        "--format",
        "csv",
    ];
    let child = command(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    wait_for_interrupt_handler(&child);
    let rows_kept = || fs::read_to_string(folder.join("rows.jsonl")).unwrap_or_default().lines().count();
    let is_kept = (0..6000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        rows_kept() == 2
    });
    assert!(is_kept, "the first row is kept within a minute");
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let (out, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("run the same command to resume"), "{errors}");
    let rows = csv(&out);
    assert_eq!((&*rows[0]["file"], &*rows[0]["outcome"]), ("five.toml", "solved"));
    assert!(rows.get(1).is_none_or(|row| row["limit"] == "interrupt"), "{out}");
    let kept = fs::read_to_string(folder.join("rows.jsonl")).expect("the rows");
    assert_eq!(kept.lines().count(), 2, "the search that was interrupted is not kept: {kept}");
}
