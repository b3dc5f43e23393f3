//! Tests `engine worksheet`: questions that fit the puzzles, answers that are true, sheets that are harmless.

use crate::support::program::{EIGHT, UNSOLVABLE, folder, run};
use serde_json::Value;
use std::fs;

/// Returns the exercises of a sheet.
fn exercises(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("an exercise is an object")).collect()
}

#[test]
fn answers_are_those_of_the_engine() {
    let here = folder("worksheet-answers", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE)]);
    let (status, out, error) = run(&here, &["worksheet", "five.toml", "none.toml", "--json"]);
    assert_eq!((status, error.as_str()), (0, ""));
    for exercise in exercises(&out) {
        let answer = exercise["answer"].to_string();
        let expected = match (exercise["file"].as_str(), exercise["exercise"].as_str()) {
            (Some("five.toml"), Some("solve")) => "The least cost is 5, for instance by: 4d 1l 2u 5u 8l",
            (Some("five.toml"), Some("h")) => "h (manhattan) = 5",
            (Some("none.toml"), Some("h")) => "h (hamming) = 2",
            (Some("none.toml"), Some("solvable")) => "No: the board is an even permutation of the goal (2 inversions)",
            _ => continue,
        };
        assert!(answer.contains(expected), "{exercise}");
    }
    let kinds = |file: &str| -> Vec<String> {
        let of_file = |exercise: &Value| exercise["file"] == file;
        let kind = |exercise: Value| exercise["exercise"].as_str().expect("a name").to_owned();
        exercises(&out).into_iter().filter(of_file).map(kind).collect()
    };
    assert!(kinds("five.toml").starts_with(&["solve", "h", "solvable"].map(str::to_owned)), "{out}");
    assert!(
        !kinds("none.toml").contains(&"solve".to_owned()),
        "a puzzle without a solution is not to be solved: {out}"
    );
}

/// Counts the inversions anew: the answers about solvability must be right for every seed, and of both kinds.
#[test]
fn half_of_the_boards_cannot_be_solved() {
    let here = folder("worksheet-solvable", &[("five.toml", EIGHT)]);
    let mut found = [0, 0];
    for seed in 0..20 {
        let arguments = ["worksheet", "five.toml", "--exercise", "solvable", "--json", "--seed", &seed.to_string()];
        let (_, out, _) = run(&here, &arguments);
        let exercise = exercises(&out).remove(0);
        let drawing = exercise["boards"][0]["drawing"].as_str().expect("a drawing").to_owned();
        let tiles: Vec<u32> = drawing.split_whitespace().filter_map(|tile| tile.parse().ok()).collect();
        let later = |at: usize| tiles[at + 1..].iter().filter(|&&tile| tile < tiles[at]).count();
        let inversions: usize = (0..tiles.len()).map(later).sum();
        // On a board of three columns, moves keep the parity of the inversions among the tiles.
        let is_solvable = inversions.is_multiple_of(2);
        let answer = exercise["answer"][0].as_str().expect("an answer");
        assert!(answer.starts_with(if is_solvable { "Yes: " } else { "No: " }), "seed {seed}: {exercise}");
        found[usize::from(is_solvable)] += 1;
    }
    assert!(found.iter().all(|&number| number >= 5), "{found:?} of 20 cannot and can be solved");
}

#[test]
fn a_page_is_written_whole_and_harmless() {
    let named = EIGHT.replace("Five", "<script>alert(1)</script>");
    let here = folder("worksheet-page", &[("five.toml", &named)]);
    let sheet = ["worksheet", "five.toml", "-o", "sheet.html", "--title", "<b>Week 1</b>"];
    assert_eq!(run(&here, &sheet), (0, String::new(), String::new()));
    let page = fs::read_to_string(here.join("sheet.html")).expect("it was written");
    assert!(page.contains("&lt;b&gt;Week 1&lt;/b&gt;") && page.ends_with("</html>\n"), "{page}");
    assert!(!page.contains("<script") && !page.contains("<b>"), "markup of a name is alive: {page}");
    assert!(page.find("id=\"answers\"") > page.find("2. "), "the answers are at the end: {page}");
    assert_eq!(run(&here, &sheet).1, "", "a second run writes the same");
    assert_eq!(fs::read_to_string(here.join("sheet.html")).expect("it was written"), page);
}

#[test]
fn what_cannot_be_asked_is_left_out_or_refused() {
    let here = folder("worksheet-refused", &[("none.toml", UNSOLVABLE)]);
    let (status, out, error) = run(&here, &["worksheet", "none.toml", "--exercise", "solve"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(error.contains("no exercise `solve`: it has no solution"), "{error}");
    assert!(error.contains("no exercise can be made"), "{error}");
    let (status, _, error) = run(&here, &["worksheet", "none.toml", "--exercise", "slove"]);
    assert!(status == 2 && error.contains("'solve'"), "{error}");
    let (status, _, error) = run(&here, &["worksheet", "none.toml", "--exercise", "h", "--heuristic", "manhatan"]);
    assert!(status == 2 && error.contains("manhattan"), "{error}");
}
