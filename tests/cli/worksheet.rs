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
    let of_five = kinds("five.toml");
    assert!(of_five.starts_with(&["solve", "h"].map(str::to_owned)), "{out}");
    assert_eq!(of_five.last().map(String::as_str), Some("solvable"), "{out}");
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

/// The open positions are read off the drawing and evaluated anew: the answer must be the one with the least f.
#[test]
fn the_next_position_is_the_one_with_the_least_f() {
    let here = folder("worksheet-next", &[("five.toml", EIGHT)]);
    let sheet = ["worksheet", "sliding-tile", "--count", "8", "--cost", "8..20", "--exercise", "next", "--json"];
    let (status, out, error) = run(&here, &[&sheet[..], &["--heuristic", "manhattan"]].concat());
    assert_eq!(status, 0, "{error}");
    let mut asked = 0;
    for exercise in exercises(&out) {
        let boards = exercise["boards"].as_array().expect("boards");
        let drawing = boards[1]["drawing"].as_str().expect("a drawing");
        let (goal, columns) = (cells(drawing), cells(drawing.lines().next().expect("a row")).len());
        let f = |board: &Value| -> Option<(usize, String)> {
            let (letter, g) = board["caption"].as_str()?.split_once(": g = ")?;
            let at = cells(board["drawing"].as_str()?);
            let place = |cells: &[String], tile: &String| cells.iter().position(|cell| cell == tile).expect("a tile");
            let distance = |tile: &String| {
                let (here, there) = (place(&at, tile), place(&goal, tile));
                (here % columns).abs_diff(there % columns) + (here / columns).abs_diff(there / columns)
            };
            let h: usize = at.iter().filter(|tile| *tile != ".").map(distance).sum();
            Some((g.parse::<usize>().ok()? + h, letter.to_owned()))
        };
        let mut open: Vec<(usize, String)> = boards.iter().filter_map(f).collect();
        open.sort();
        assert!(open.len() >= 3 && open[0].0 < open[1].0, "one is best: {exercise}");
        let answers = exercise["answer"].as_array().expect("answers").iter().filter_map(Value::as_str);
        let next: Vec<&str> = answers.filter(|answer| answer.ends_with("it is expanded next")).collect();
        assert!(next.len() == 1 && next[0].starts_with(&format!("{}: ", open[0].1)), "{open:?}: {exercise}");
        asked += 1;
    }
    assert!(asked >= 4, "{asked} of 8 boards have such a moment");
}

/// Returns the cells of a drawing.
fn cells(drawing: &str) -> Vec<String> {
    drawing.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn an_iteration_is_traced_move_by_move() {
    let here = folder("worksheet-iteration", &[("five.toml", EIGHT)]);
    let sheet = ["worksheet", "sliding-tile", "--count", "8", "--cost", "6..14", "--exercise", "iteration", "--json"];
    let (status, out, _) = run(&here, &[&sheet[..], &["--heuristic", "manhattan"]].concat());
    assert_eq!(status, 0);
    let mut asked = 0;
    for exercise in exercises(&out) {
        let answers: Vec<&str> =
            exercise["answer"].as_array().expect("answers").iter().filter_map(Value::as_str).collect();
        let number = |text: &str| text.trim_end_matches('.').rsplit(' ').next().and_then(|last| last.parse().ok());
        let threshold: u32 = answers[0].split([' ', '.']).nth(1).and_then(|word| word.parse().ok()).expect("a number");
        let next: u32 = answers.last().and_then(|last| number(last)).expect("a number");
        // With the distances of Manhattan, f keeps its parity.
        assert_eq!(next, threshold + 2, "{exercise}");
        let visits = &answers[1..answers.len() - 1];
        assert!(visits[0].starts_with("start: f = 0 + "), "{exercise}");
        for visit in visits {
            let f: u32 = visit.trim_end_matches(", cut").rsplit(' ').next().and_then(|f| f.parse().ok()).expect("f");
            assert_eq!(visit.ends_with(", cut"), f > threshold, "{visit}: {exercise}");
        }
        asked += 1;
    }
    assert!(asked >= 3, "{asked} of 8 boards have a short iteration");
}

#[test]
fn random_boards_are_the_same_for_a_seed() {
    let here = folder("worksheet-random", &[]);
    let sheet = |seed: &str| {
        let arguments = ["worksheet", "sliding-tile", "--count", "6", "--cost", "4..14", "--seed", seed, "--json"];
        let (status, out, error) = run(&here, &arguments);
        assert_eq!((status, error.as_str()), (0, ""));
        out
    };
    let first = sheet("1");
    assert_eq!(first, sheet("1"));
    assert_ne!(first, sheet("2"));
    let kinds: Vec<Value> = exercises(&first).into_iter().map(|exercise| exercise["exercise"].clone()).collect();
    assert_eq!(kinds.len(), 6, "one exercise a board: {first}");
    let (status, _, error) = run(&here, &["worksheet", "sliding-tile", "--cost", "4..x"]);
    assert!(status == 2 && error.contains("expected a range of whole costs"), "{error}");
    let (status, _, error) = run(&here, &["worksheet", "sliding-tile", "maze", "--cost", "4"]);
    assert!(status == 2 && error.contains("takes one puzzle file or the name of one domain"), "{error}");
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
