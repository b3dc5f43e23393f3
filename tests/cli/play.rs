//! Tests `engine play` line by line: moves, command words, invalid input, and every end of the input.

use crate::support::program::{EIGHT, UNSOLVABLE, command, folder, run};
use crate::support::root;
use engine::{Options, Puzzle};
use std::io::{Read, Write};
use std::process::Stdio;

/// Plays a game with this input; returns the exit status and standard output. Standard error must stay empty.
fn play(arguments: &[&str], input: impl AsRef<[u8]>) -> (i32, String) {
    let mut child = command(&root(), &[&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    // A game that was quit closes the pipe.
    let _ = writer.join();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (output.status.code().expect("it exits by itself"), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn a_solution_is_accepted_in_every_domain_after_an_invalid_move() {
    let files =
        ["blocks/gate", "eight-puzzle/20-moves", "mazes/terrain", "permutation/topspin-8-4", "words/horse-nurse"];
    for file in files {
        let path = root().join("puzzles").join(file).with_extension("toml");
        let puzzle = Puzzle::load(&path).unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(&Options::default()).expect("it can be solved");
        let moves = solution.moves();
        let path = path.to_str().expect("UTF-8");
        let line_by_line = play(&[path], format!("99z\n{}\n", moves.join("\n")));
        assert_eq!(line_by_line.0, 0, "{file}");
        assert!(line_by_line.1.contains("not a move here: 99z: "), "{file}: {}", line_by_line.1);
        assert!(line_by_line.1.contains(&format!("\nsolved in {} moves", moves.len())), "{file}: {}", line_by_line.1);
        assert!(line_by_line.1.contains(", the optimum"), "{file}: {}", line_by_line.1);
        assert_eq!(
            play(&[path], format!("99z\n{}", moves.join(" "))),
            line_by_line,
            "{file}: all moves on one line without a line feed"
        );
        // Every move can be undone and redone.
        let undo_and_redo = format!("{} {}", "undo ".repeat(moves.len()), "redo ".repeat(moves.len()));
        let (status, out) = play(&[path], format!("{}\n{undo_and_redo}\nundo\n", moves.join(" ")));
        assert_eq!((status, out.matches("\nsolved in ").count()), (0, 2), "{file}");
        assert!(!out.contains("not a move"), "{file}: {out}");
    }
}

#[test]
fn a_bare_direction_moves_the_only_piece_that_can_go_there() {
    let gate = "puzzles/blocks/gate.toml";
    let (_, out) = play(&[gate], "u\nr r r\n");
    assert!(out.contains("\n1. bu1\n") && out.contains("\nsolved in 4 moves"), "{out}");
    let (_, out) = play(&[gate], "l\n");
    assert!(out.contains("not a move here: l: nothing can go left"), "{out}");
    let (_, out) = play(&["puzzles/klotski1.toml"], "u\nd\nl\nr\n");
    assert!(out.contains("several can go ") || out.contains("\n1. "), "{out}");
    let (_, out) = play(&["puzzles/eight-puzzle/20-moves.toml"], "d d l\nD\n");
    assert!(out.contains("\n3. ") && out.contains("\n4. "), "the notation of the blank is not accepted: {out}");
    let (_, out) = play(&["puzzles/eight-puzzle/20-moves.toml", "--notation", "blank"], "d\nhint\n");
    assert!(out.contains("\n1. U\n") && out.contains("\nhint: "), "{out}");
    let (_, out) = play(&["puzzles/words/horse-nurse.toml"], "u\n");
    assert!(out.contains("not a move here: u: the word is not in the list"), "{out}");
}

#[test]
fn a_move_takes_precedence_over_a_command_word() {
    let words = "title = \"w\"\ndomain = \"word-ladder\"\nstart = \"hin\"\ngoal = \"hints\"\n\
                 words = [\"hin\", \"hint\", \"hints\", \"u\"]\n";
    let folder = folder("named", &[("w.toml", words)]);
    let file = folder.join("w.toml");
    let (_, out) = play(&[file.to_str().expect("UTF-8")], ":hint\nhint\n:undo\n:moves\nhint hints\n");
    assert!(out.contains("hint: hint, the first of 2") && out.contains("hint undone"), "{out}");
    assert!(out.contains("legal: hint\n") && out.contains("solved in 2 moves, the optimum"), "{out}");
}

#[test]
fn command_words_work() {
    let gate = "puzzles/blocks/gate.toml";
    let (status, out) = play(&[gate], "undo\nredo\nbd1\nrestart\nmoves\nhelp\nhint\nquit\nbu1\n");
    assert_eq!(status, 0);
    let expected = [
        "no move to undo",
        "no move to redo",
        "\n1. bd1\n",
        "at the start",
        "legal: bu1 bd1\n",
        "undo a move, redo it",
        "hint: bu1, the first of 4 on a shortest path to the goal",
    ];
    assert!(expected.iter().all(|expected| out.contains(expected)), "{out}");
    assert!(!out.contains("1. bu1"), "the game reads on after `quit`: {out}");
    assert_eq!(out, play(&[gate], "undo\nredo\nbd1\nrestart\nmoves\n?\n:hint\nq\n").1, "the same bytes again");
}

#[test]
fn a_longer_solution_is_compared_with_the_shortest() {
    let (_, out) = play(&["puzzles/blocks/gate.toml"], "bu1 bd1 bu1 ar1 ar1 ar1\n");
    assert!(out.contains("solved in 6 moves; the optimum is 4"), "{out}");
    let folder = folder("compared", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE)]);
    let file = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (_, out) = play(&[&file("five.toml")], "4d 4u 4d 1l 2u 5u 8l\n");
    assert!(out.contains("solved in 7 moves; the optimum is 5"), "the shortest length comes from a search: {out}");
    let (status, out) = play(&[&file("none.toml")], "hint\n");
    assert_eq!(status, 0);
    assert!(out.contains("no solution from here: "), "{out}");
}

#[test]
fn costs_are_compared_if_moves_have_different_costs() {
    let file = root().join("puzzles/mazes/terrain-diagonal.toml");
    let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
    let moves = puzzle.solve(&Options::default()).expect("it can be solved").moves();
    let (_, out) = play(&["puzzles/mazes/terrain-diagonal.toml"], format!("hint\n{}\n", moves.join(" ")));
    assert!(out.contains("on a shortest path to the goal, cost 12.66\n"), "{out}");
    assert!(out.contains("solved in 11 moves, cost 12.66, the optimum\n"), "{out}");
}

#[test]
fn the_game_reads_to_the_end_of_any_input() {
    for file in
        ["blocks/gate", "eight-puzzle/20-moves", "mazes/diagonal", "permutation/pocket-cube", "words/cube-tubes"]
    {
        let path = format!("puzzles/{file}.toml");
        assert_eq!(play(&[&path], "").0, 0, "{file}");
        let noise =
            b"\n\n \t \n\xff\xfe\x00\n\x1b[31m\n99999999999999999999999u\n'\n:\n::\n\xc3\xa9d\nRR\nR0 R-1\nd0\n";
        let (status, out) = play(&[&path], [&noise[..], &vec![b'x'; 300_000]].concat());
        assert_eq!(status, 0, "{file}");
        assert!(
            !out.contains('\x1b') && out.contains("not a move here: \\u001B[31m"),
            "{file}: a control sequence is printed"
        );
    }
}

#[test]
fn a_closed_pipe_ends_the_game_quietly() {
    let mut child = command(&root(), &["play", "puzzles/blocks/gate.toml"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all("moves\n".repeat(10_000).as_bytes());
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    let mut error = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("UTF-8");
    assert_eq!(error, "");
}

#[test]
fn wrong_arguments_are_refused() {
    assert_eq!(run(&root(), &["play", "puzzles/missing.toml"]).0, 2);
    let (status, out, error) = run(&root(), &["play", "puzzles/blocks/gate.toml", "--notation", "standart"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(error.contains("did you mean `standard`?"), "{error}");
    let bad = folder("unplayable", &[("bad.toml", "title = \"b\"\n")]);
    assert_eq!(run(&bad, &["play", "bad.toml"]).0, 2);
}

#[test]
fn boards_too_large_to_draw_can_be_played() {
    let large =
        "title = \"l\"\ndomain = \"sliding-tile\"\nrows = 200\ncolumns = 200\nscramble = { moves = 3, seed = 1 }\n";
    let folder = folder("vast", &[("l.toml", large)]);
    let path = folder.join("l.toml");
    let path = path.to_str().expect("UTF-8");
    let (_, out) = play(&[path], "u\nd\nundo\nhint\n");
    assert!(out.contains("a board of 200x200, too large to be drawn"), "{out}");
    assert!(out.contains("\n1. ") && out.contains(" undone\n"), "{out}");
}

#[test]
fn positions_and_moves_are_described_in_words() {
    let (status, out) = play(&["--plain", "puzzles/blocks/gate.toml"], "bu1\nar2\nmark\nar1\nback\nlook\nr r r\n");
    assert_eq!(status, 0);
    let expected = [
        "The gate\n\nOnly the piece that the goal names may pass the gate; the other has to step aside.\n\ngoal: a: row 2 columns 4 to 5; the other pieces may be anywhere\n3 rows, 5 columns\na: row 2 columns 1 to 2\nb: row 2 column 3\nmark a: row 2 columns 4 to 5\n",
        "can go: bu1, b up; bd1, b down\n",
        "\n1. bu1: b moved up to row 1 column 3\n",
        "not a move here: ar2",
        "checkpoint after 1 move\n",
        "\n2. ar1: a moved right to row 2 columns 2 to 3\n",
        "\nafter 1 move\n3 rows, 5 columns\n",
        "\nsolved in 4 moves, the optimum\n",
    ];
    for expected in expected {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    assert!(!out.contains('#') && !out.contains('\x1b'), "{out}");
    let (_, out) = play(&["--plain", "puzzles/rules/lights-out.toml"], "press 0,0\n");
    assert!(out.contains("row 1: 5 token\n"), "{out}");
    assert!(out.contains("1. press 0,0: row 1 column 1 is now free; row 1 column 2 is now free; row 2"), "{out}");
    assert!(out.contains("and 1 more, which `moves` lists"), "{out}");
    let (_, out) = play(&["--plain", "puzzles/eight-puzzle/05-moves.toml"], "hint\nhelp\n");
    assert!(out.contains("row 1: 1, free, 2\n") && out.contains("look        the position"), "{out}");
    let (_, out) = play(&["--plain", "puzzles/rules/water-jugs.toml"], "large into middle\n");
    assert!(
        out.contains("large: 8 of 8\nmiddle: 0 of 5\nsmall: 0 of 3\ngoal: large 4, middle 4\ncan go: ")
            && out.contains("1. large into middle: large: 3 of 8; middle: 5 of 5\n"),
        "{out}"
    );
    let (_, out) = play(&["--plain", "puzzles/rules/hanoi-4-pegs.toml"], "disk 1 to d\nundo\n");
    assert!(out.contains("a from the top: disk 1, disk 2, disk 3") && out.contains("\nb: empty\n"), "{out}");
    assert!(out.contains("\ngoal: every disk d\n") && out.contains("1. disk 1 to d: a from the top: disk 2"), "{out}");
    assert!(out.contains("; d from the top: disk 1\n"), "{out}");
    let (_, out) = play(&["--plain", "puzzles/rules/water-sort.toml"], "0 into 4\n");
    assert!(
        out.contains("column 0 from the top: r, g, y, b\n") && out.contains("column 4 from the top: free, "),
        "{out}"
    );
    assert!(out.contains("1. 0 into 4: column 0 from the top: free, g, y, b; column 4 from the top: "), "{out}");
    let (_, out) = play(&["--plain", "puzzles/words/horse-nurse.toml"], "hose\n");
    assert!(out.contains("horse\nmark nurse\n") && out.contains("1. hose: hose\n"), "{out}");
    // Whatever the domain, every solution can be followed in words.
    for file in [
        "mazes/terrain",
        "permutation/pocket-cube",
        "puzzlescript/crates-1",
        "words/horse-nurse",
        "rules/water-jugs",
        "rules/water-sort",
    ] {
        let path = root().join("puzzles").join(file).with_extension("toml");
        let puzzle = Puzzle::load(&path).unwrap_or_else(|report| panic!("{report}"));
        let moves = puzzle.solve(&Options::default()).expect("it can be solved").moves();
        let (status, out) = play(&["--plain", path.to_str().expect("UTF-8")], moves.join("\n"));
        assert_eq!(status, 0, "{file}");
        assert!(out.contains(&format!("\nsolved in {} moves", moves.len())), "{file}: {out}");
        assert_eq!(out.matches("no visible change").count(), 0, "{file}: {out}");
    }
}

#[test]
fn levels_are_chosen_line_by_line() {
    let (status, out) = play(&["puzzles/tutorial"], "levels\nlevel 2\nnext\nprevious\nlevel 99\nquit\n");
    assert_eq!(status, 0);
    assert!(out.starts_with("level 1 of 10: "), "{out}");
    assert!(out.contains("puzzles/tutorial/cellar.toml, this one\n"), "{out}");
    assert_eq!(out.matches("level 2 of 10: ").count(), 2, "{out}");
    assert_eq!(out.matches("level 3 of 10: ").count(), 1, "{out}");
    assert!(out.contains("no such level: there are 10\n"), "{out}");
    let (status, out) = play(&["puzzles/puzzlescript/crates.txt"], "next\nlevels\n");
    assert_eq!(status, 0);
    assert!(out.starts_with("level 1 of ") && out.contains("level 2 of "), "{out}");
    let (_, out) = play(&["puzzles/puzzlescript/crates.txt", "--level", "2"], "levels\n");
    assert!(out.contains("not a move here: levels"), "one level alone: {out}");
    let empty = folder("no-levels", &[("none.txt", "")]);
    let (status, _, error) = run(&empty, &["play", "."]);
    assert_eq!((status, error.contains("has no puzzles")), (2, true), "{error}");
    let bad = folder("bad-levels", &[("a.toml", EIGHT), ("b.toml", "title = 3\n")]);
    let (status, out) = play(&[bad.to_str().expect("UTF-8")], "next\nquit\n");
    assert_eq!(status, 0);
    assert!(out.contains("/b.toml: "), "{out}");
}

#[test]
fn a_game_begins_after_given_moves_which_can_be_undone() {
    let gate = "puzzles/blocks/gate.toml";
    let (status, out) = play(&[gate, "--from", "bu1 ar1"], "undo\n");
    assert_eq!(status, 0);
    assert!(out.contains("ar1 undone"), "{out}");
    let (_, out) = play(&[gate, "--from", "bu1 ar1 ar1 ar1"], "");
    assert!(out.contains("solved in 4 moves, the optimum"), "{out}");
    let folder = folder("from", &[("five.toml", EIGHT), ("moves", "4d 1l\n")]);
    let (status, _, errors) = run(&folder, &["play", "five.toml", "--from", "4d 4d"]);
    assert_eq!(status, 2);
    assert!(errors.contains("five.toml: move 2, `4d`, is not legal there"), "{errors}");
    let (status, out, errors) = run(&folder, &["play", "five.toml", "--from", "moves"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(out.contains("1 . 3"), "the position after the moves of a file: {out}");
    let (status, _, errors) = run(&root(), &["play", "puzzles/tutorial", "--from", "r"]);
    assert!(status == 2 && errors.contains("`--from` takes one puzzle"), "{errors}");
}
