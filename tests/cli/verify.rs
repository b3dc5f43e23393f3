//! Tests `engine verify`: its input, its output and its exit status.

use crate::support::program::{EIGHT, UNSOLVABLE, command, folder, run};
use crate::support::root;
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_solution_is_verified_and_a_wrong_one_refused_at_its_move() {
    let files = [("five.toml", EIGHT), ("good.txt", "4d 1l 2u 5u 8l\n"), ("wrong.txt", "4d 5l\n")];
    let folder = folder("verify", &files);
    let verify = |transcript: &str| run(&folder, &["verify", "five.toml", transcript]);
    assert_eq!(verify("good.txt"), (0, "verified: 5 moves, cost 5\n".to_owned(), String::new()));
    let refused = "refused: move 2, `5l`: the blank is not left of tile 5\n";
    assert_eq!(verify("wrong.txt"), (1, refused.to_owned(), String::new()));
    for (transcript, word) in [("nowhere.txt", "nowhere.txt: cannot be opened"), (".", "is a directory")] {
        let (status, out, error) = verify(transcript);
        assert!(status == 2 && out.is_empty() && error.contains(word), "{error}");
    }
    assert_eq!(run(&folder, &["verify", "good.txt", "good.txt"]).0, 2, "a bad puzzle file");
    assert_eq!(run(&folder, &["verify", "five.toml"]).0, 2, "no transcript");
    let (_, help, _) = run(&folder, &["verify", "--help"]);
    assert!(help.contains("is not verified") && help.contains("Exit status: 0"), "{help}");
}

#[test]
fn the_output_of_solve_is_verified_from_standard_input() {
    let folder = folder("verify-solved", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE)]);
    let piped = |solve: &[&str], file: &str| {
        let (_, solved, _) = run(&folder, &[&["solve"], solve].concat());
        let mut child = command(&folder, &["verify", file, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(solved.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    for solve in [
        &["five.toml"][..],
        &["five.toml", "--format", "json"],
        &["five.toml", "--format", "moves", "--notation", "blank"],
        &["five.toml", "--notation", "blank", "--heuristic", "hamming"],
        &["none.toml", "five.toml"],
        &["none.toml", "five.toml", "--format", "json"],
        &["five.toml", "--all", "3"],
    ] {
        assert_eq!(piped(solve, "five.toml"), (Some(0), "verified: 5 moves, cost 5\n".to_owned()), "{solve:?}");
    }
    let (status, out) = piped(&["none.toml"], "none.toml");
    assert!(status == Some(1) && out.starts_with("refused: nothing to verify: the transcript claims"), "{out}");
    let (status, out) = piped(&["five.toml", "--format", "boards"], "five.toml");
    assert!(status == Some(1) && out.contains("move 1, `3`"), "boards have no moves: {out}");
}

#[test]
fn the_long_solution_of_klotski7_is_verified() {
    let transcript = root().join("snapshots/klotski7.snap");
    let text = std::fs::read_to_string(transcript).expect("the snapshot can be read");
    let (_, text) = text.split_once("---\nsource: tests/puzzles.rs\n---\n").expect("the head of a snapshot");
    let folder = folder("verify-klotski7", &[("klotski7.txt", text)]);
    let puzzle = root().join("puzzles/klotski7.toml");
    let (status, out, _) = run(&folder, &["verify", puzzle.to_str().expect("UTF-8"), "klotski7.txt"]);
    assert_eq!((status, out.as_str()), (0, "verified: 150 moves, cost 150\n"));
}

#[test]
fn moves_are_verified_from_the_command_line() {
    let folder = folder("verify-moves", &[("five.toml", EIGHT)]);
    let verify = |moves: &str| run(&folder, &["verify", "five.toml", moves]);
    for moves in ["4d 1l 2u 5u 8l", "U R D D R"] {
        assert_eq!(verify(moves), (0, "verified: 5 moves, cost 5\n".to_owned(), String::new()), "{moves}");
        assert_eq!(run(&folder, &["play", "five.toml", "--from", moves]).0, 0, "{moves}");
    }
    let (status, out, _) = verify("4d");
    assert!(status == 1 && out.contains("the position after move 1, the last, is not a goal"), "{out}");
    let (status, out, _) = verify("4d 4d");
    assert!(status == 1 && out.contains("move 2, `4d`"), "{out}");
    let (status, _, error) = verify("solution");
    assert!(status == 2 && error.contains("solution: cannot be opened"), "{error}");
}

#[test]
fn submissions_are_marked_in_one_table() {
    let submissions = [
        ("five.toml", EIGHT),
        ("class/ada.txt", "4d 1l 2u 5u 8l\n"),
        ("class/bob.txt", "4d 4u 4d 1l 2u 5u 8l\n"),
        ("class/cleo.txt", "4d 5l 1l\n"),
        ("class/dan.txt", "4d 1l\n"),
        ("class/eve.txt", " \n"),
        ("class/group/flo.txt", "4d\n1l\n2u\n5u\n8l\n"),
        ("class/.hidden", "4d"),
    ];
    let folder = folder("verify-submissions", &[]);
    for (name, text) in submissions {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    std::fs::write(folder.join("class/gus.png"), b"\x89PNG\xff\xfe").expect("a file");
    let mark = |more: &[&str]| run(&folder, &[&["verify", "five.toml", "--submissions", "class"], more].concat());
    let (status, text, errors) = mark(&[]);
    assert_eq!((status, errors.as_str()), (1, ""));
    insta::assert_snapshot!("verify_submissions", text);
    let (status, csv, _) = mark(&["--format", "csv"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!("verify_submissions_csv", csv);
    let (_, json, _) = mark(&["--json"]);
    let rows: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["file"].as_str()).collect();
    let sorted = ["ada.txt", "bob.txt", "cleo.txt", "dan.txt", "eve.txt", "group/flo.txt", "gus.png"];
    assert_eq!(names, sorted);
    assert_eq!((&rows[1]["cost"], &rows[1]["longer_by"], &rows[1]["optimal"]), (&7.into(), &2.into(), &false.into()));
    assert_eq!((&rows[2]["illegal_move"], &rows[2]["illegal_move_name"]), (&2.into(), &"5l".into()));
    // Not known within a limit. What costs as much as the lower bound is optimal all the same.
    let (_, text, _) = mark(&["--node-limit", "0"]);
    assert!(text.contains("the least cost is not known"), "{text}");
    assert_eq!(run(&folder, &["verify", "five.toml", "--submissions", "class/group"]).0, 0, "all are valid");
    for (arguments, word) in [
        (&["verify", "five.toml", "--submissions", "nowhere"][..], "nowhere: cannot be read"),
        (&["verify", "five.toml", "--submissions", "five.toml"], "is a file, not a folder"),
        (&["verify", "--submissions", "class"], "FILE"),
        (&["verify", "five.toml", "4d", "--submissions", "class"], "cannot be used with"),
        (&["verify", "five.toml", "4d", "--format", "csv"], "add `--submissions DIR`"),
    ] {
        let (status, out, error) = run(&folder, arguments);
        assert!(status == 2 && out.is_empty() && error.contains(word), "{arguments:?}: {error}");
    }
}
