//! Tests the commands: exit statuses, formats, output files, and the text on each stream.

use crate::support::program::{
    EIGHT, NO_PARITY, UNSOLVABLE, command, folder, run, wait_for_interrupt_handler, without_seconds,
};
#[cfg(target_os = "linux")]
use crate::support::program::{into_a_closed_pipe, on_a_full_disk};
use crate::support::root;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_promised_board_is_solved_and_proven() {
    let (status, out, errors) = run(&root(), &["solve", "puzzles/klotski7.toml"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(out.contains("cost       150, proven shortest"), "{out}");
    assert!(out.contains("\n150. "), "the last move is written");
    assert!(!out.contains(" ms") && !out.contains("puzzles/"), "no time and no path in a transcript");
    assert_eq!(out, run(&root(), &["solve", "puzzles/klotski7.toml"]).1, "the same bytes again");
}

#[test]
fn json_has_every_field_in_every_outcome() {
    let bad = "title = \"b\"\ndomain = \"klotski\"\n";
    let folder = folder("json", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE), ("bad.toml", bad)]);
    let solve = ["solve", "five.toml", "none.toml", "bad.toml", "--format", "json"];
    let (status, out, errors) = run(&folder, &solve);
    assert_eq!(status, 2, "the highest of 0, 1 and 2");
    assert!(errors.contains("bad.toml:2:19"), "{errors}");
    let rows: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    let outcomes: Vec<&str> = rows.iter().filter_map(|row| row["outcome"].as_str()).collect();
    assert_eq!(outcomes, ["solved", "unsolvable", "error"]);
    let fields = "file title domain seed algorithm heuristic outcome optimal cost lower_bound limit reason error warnings moves solutions all expanded \
                  generated stored depth seconds peak_memory_bytes explanation";
    for row in &rows {
        let names: Vec<&str> = row.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut expected: Vec<&str> = fields.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(names, expected);
    }
    assert!(rows.iter().all(|row| row["warnings"] == serde_json::json!([])), "a warning without a cause");
    assert_eq!(rows[0]["cost"], 5);
    assert_eq!(rows[0]["optimal"], true);
    assert_eq!(rows[0]["moves"].as_array().map(Vec::len), Some(5));
    assert_eq!(rows[0]["heuristic"], "manhattan");
    assert!(rows[1]["cost"].is_null() && rows[1]["moves"].is_null());
    assert!(
        rows.iter().all(|row| row["solutions"].is_null() && row["all"].is_null()),
        "all solutions were not requested"
    );
    let (status, out, _) =
        run(&folder, &["solve", "five.toml", "--depth-limit", "3", "--algorithm", "bfs", "--format", "json"]);
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (status, &row["outcome"], &row["limit"], &row["lower_bound"]),
        (3, &"limit".into(), &"depth".into(), &4.into())
    );
    assert_eq!(row["depth"], 3);
}

#[test]
fn moves_are_on_one_line_and_boards_in_the_plain_format() {
    let folder = folder("formats", &[("five.toml", EIGHT)]);
    assert_eq!(run(&folder, &["solve", "five.toml", "--format", "moves"]).1, "4d 1l 2u 5u 8l\n");
    assert_eq!(run(&folder, &["solve", "five.toml", "--format", "moves", "--notation", "blank"]).1, "U R D D R\n");
    let boards = run(&folder, &["solve", "five.toml", "--format", "boards"]).1;
    assert!(boards.starts_with("3\n4 1 3\n0 2 6\n7 5 8\n\n3\n0 1 3\n"), "{boards}");
    assert_eq!(boards.split("\n\n").count(), 6);
}

#[test]
fn the_command_line_overrides_the_file() {
    let file = format!("{EIGHT}[search]\nalgorithm = \"bfs\"\n");
    let folder = folder("override", &[("five.toml", &file)]);
    assert!(run(&folder, &["solve", "five.toml"]).1.contains("algorithm  bfs\n"));
    let out = run(&folder, &["solve", "five.toml", "--algorithm", "astar", "--heuristic", "hamming"]).1;
    assert!(out.contains("algorithm  a-star\nheuristic  hamming\n"), "{out}");
    assert!(out.contains("start  h = 5\n"), "the value of a named heuristic is missing: {out}");
    let out = run(&folder, &["solve", "five.toml", "--algorithm", "dfs"]).1;
    assert!(out.contains("not proven shortest"), "{out}");
}

#[test]
fn weights_and_automata_are_taken_from_the_file_and_from_the_command_line() {
    let hard = fs::read_to_string(root().join("puzzles/eight-puzzle/31-moves.toml")).expect("the puzzle is there");
    let weighted = format!("{hard}[search]\nalgorithm = \"weighted-a-star\"\nweight = 5\nautomaton = true\n");
    let folder = folder("weights", &[("hard.toml", &weighted)]);
    let solve = |arguments: &[&str]| {
        without_seconds(&run(&folder, &[&["solve", "hard.toml", "--format", "json"], arguments].concat()).1)
    };
    let (heavy, light) = (solve(&[]), solve(&["--weight", "1"]));
    assert_eq!(light["cost"], 31, "with weight 1 it is A*");
    assert!(heavy["cost"].as_f64() <= Some(5.0 * 31.0) && heavy["optimal"] == false, "{heavy}");
    assert!(heavy["expanded"].as_u64() < light["expanded"].as_u64(), "{heavy} {light}");
    let deepen = ["--algorithm", "ida*", "--heuristic", "manhattan"];
    let (pruned, whole) = (solve(&deepen), solve(&[&deepen[..], &["--automaton", "false"]].concat()));
    assert_eq!((&pruned["moves"], &pruned["cost"]), (&whole["moves"], &31.into()));
    assert!(pruned["generated"].as_u64() < whole["generated"].as_u64(), "{pruned} {whole}");
    for weight in ["0.9", "1001", "nan", "two"] {
        let (status, _, errors) = run(&folder, &["solve", "hard.toml", "--weight", weight]);
        assert!(status == 2 && errors.contains("expected a number from 1 to 1000"), "{errors}");
    }
}

#[test]
fn wrong_names_are_refused_with_the_right_ones() {
    let folder = folder(
        "names",
        &[("five.toml", EIGHT), ("k.toml", &fs::read_to_string(root().join("puzzles/klotski0.toml")).unwrap())],
    );
    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, out, errors) = run(&folder, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        for word in words {
            assert!(errors.contains(word), "{word} is not in: {errors}");
        }
    };
    refused(&["solve", "five.toml", "--heuristic", "manhatan"], &["five.toml", "did you mean `manhattan`", "hamming"]);
    refused(&["solve", "five.toml", "--algorithm", "a-sta"], &["a-star", "bfs", "dfs"]);
    refused(&["solve", "k.toml", "--notation", "blank"], &["notation", "standard"]);
    refused(&["domains", "klotsky"], &["did you mean `klotski`"]);
    refused(&["solve"], &["<FILE>"]);
    refused(&["frobnicate"], &["frobnicate"]);
    refused(&["solve", "missing.toml"], &["missing.toml", "cannot be opened"]);
    refused(&["show", "."], &["is a directory"]);
    refused(&["list", "missing"], &["missing"]);
}

#[test]
fn output_is_written_whole_or_not_at_all() {
    let folder = folder("output", &[("five.toml", EIGHT), ("bad.toml", "title = 5")]);
    let printed = run(&folder, &["solve", "five.toml"]).1;
    assert_eq!(run(&folder, &["solve", "five.toml", "--output", "out.txt"]), (0, String::new(), String::new()));
    assert_eq!(fs::read_to_string(folder.join("out.txt")).unwrap(), printed);
    let (status, _, errors) = run(&folder, &["solve", "five.toml", "--output", "no/such/folder.txt"]);
    assert_eq!(status, 2);
    assert!(errors.contains("no/such/folder.txt"), "{errors}");
    let (status, _, errors) = run(&folder, &["solve", "five.toml", "--output", "."]);
    assert_eq!(status, 2, "{errors}");
    let left: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(left.len(), 3, "nothing else is left behind: {left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let folder = folder("pipe", &[("five.toml", EIGHT)]);
    let (status, _, errors) = run(&folder, &["solve", "five.toml", "--output", "/dev/full"]);
    assert_eq!(status, 2);
    assert!(errors.contains("/dev/full"), "{errors}");
    let (status, _) = on_a_full_disk(&folder, &["solve", "five.toml"]);
    assert_eq!(status, Some(2), "standard output on a full disk");

    let klotski = root().join("puzzles/klotski7.toml");
    let many = vec![klotski.to_str().unwrap(); 20];
    let arguments: Vec<&str> = ["solve"].into_iter().chain(many).collect();
    assert_eq!(into_a_closed_pipe(&folder, &arguments), "", "a closed pipe ends quietly");
}

#[test]
fn check_reports_all_errors_of_all_files() {
    let two = "titel = \"t\"\ndomain = \"klotski\"\nmetric = \"slied\"\n";
    let folder = folder("check", &[("a.toml", two), ("b.toml", "title = 5\n"), ("c.toml", EIGHT)]);
    let (status, out, errors) = run(&folder, &["check", "."]);
    assert_eq!((status, out.as_str()), (2, "1 good, 2 bad\n"));
    for place in ["a.toml:1:1", "a.toml:3:10", "b.toml:1:9", "`title`", "`slide`"] {
        assert!(errors.contains(place), "{place} is not in: {errors}");
    }
    assert_eq!(run(&folder, &["check", "c.toml"]).0, 0);
    assert_eq!(run(&root(), &["check", "puzzles"]).0, 0, "our own puzzles are good");
}

#[test]
fn show_ends_long_heuristics_at_its_time_limit() {
    // Each of many boxes has a landmark for each step of its way, and an evaluation takes longer than a millisecond.
    let rows = |odd: &str, even: &str| format!("{odd}\n{even}\n").repeat(8);
    let drawing = rows(&".$".repeat(12), &".".repeat(24));
    let marks = rows(&".".repeat(24), &".x".repeat(12));
    let text = format!(
        "title = \"t\"\ndomain = \"rules\"\nstart = \"\"\"\n{drawing}\"\"\"\nmarks = \"\"\"\n{marks}\"\"\"\n\
         goal = {{ every = {{ \"$\" = \"x\" }} }}\n[[rules]]\nname = \"slide\"\nfrom = \"$.\"\nto = \".$\"\nturns = true\n"
    );
    let folder = folder("show-limit", &[("large.toml", &text)]);
    let began = Instant::now();
    let (status, shown, error) = run(&folder, &["show", "large.toml", "--time-limit", "300ms"]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // A slow machine may not even read the file in time.
    assert!(
        status == 3 && (shown.contains("not computed within the time limit") || !error.is_empty()),
        "{shown}{error}"
    );
    // Whatever ends a value, the facts are there, and each heuristic has a line.
    let named = ["h zero ", "h matching ", "h maximum ", "h toggles "].iter().all(|line| shown.contains(line));
    assert!(shown.is_empty() || shown.contains("legal moves") && named, "{shown}{error}");
}

#[test]
fn show_list_and_domains_print_the_facts() {
    let folder = folder("show", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE), ("bad.toml", "x = 1\n")]);
    let shown = run(&folder, &["show", "five.toml"]).1;
    for fact in [
        "start   goal\n4 1 3   1 2 3\n. 2 6   4 5 6\n7 5 8   7 8 .\n\ndomain",
        "is a goal          no",
        "solvable           yes",
        "states             181440",
        "legal moves        4d 2l 7u",
        "h manhattan        5",
    ] {
        assert!(shown.contains(fact), "{fact:?} is not in: {shown}");
    }
    let (status, shown, _) = run(&folder, &["show", "five.toml", "--time-limit", "1h"]);
    assert!(status == 0 && shown.contains("h manhattan        5"), "{shown}");
    let shown = run(&folder, &["show", "none.toml"]).1;
    assert!(shown.contains("solvable           no: the board is an even permutation of the goal (2 inv"), "{shown}");
    let (status, listed, _) = run(&folder, &["list", "."]);
    assert_eq!((status, listed.lines().count()), (0, 4), "{listed}");
    assert!(listed.contains("not valid: 2 errors"), "{listed}");
    let (_, names, _) = run(&folder, &["domains"]);
    let names: Vec<&str> = names.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, engine::domain::registered());
    for name in names {
        assert!(run(&folder, &["domains", name]).1.contains("zero"), "{name}");
    }
}

#[test]
fn show_prints_the_goal_of_every_domain() {
    let goals = [
        ("blocks/gate", "start   goal\n##.##   ##.##\naab=.   ...aa\n"),
        ("words/cube-tubes", "start   goal\ncube    tubes\n"),
        ("mazes/terrain", "reach `G` at ["),
        ("puzzlescript/crates-1", "\ngoal            every `mark` shares its cell with a `crate`\n"),
        ("rules/sokoban-two-rooms", "every `$` is on `x`\n"),
        ("rules/hanoi-10", "disk[1..10] c c c c c c c c c c\n"),
        ("rules/european-peg-solitaire", "exactly 1 of `o`\n"),
    ];
    for (file, goal) in goals {
        let (status, shown, error) = run(&root(), &["show", &format!("puzzles/{file}.toml"), "--time-limit", "5s"]);
        assert!(shown.contains(goal), "{file}: {goal:?} is not in: {shown}{error}{status}");
    }
    let either = "title = \"Either\"\ndomain = \"rules\"\nstart = \"ab..\"\ngoal = [\"..ab\", { drawing = \"?N??\", \
                  count = { \".\" = 2 }, when = \"cell[0, 0] != 'a'\" }]\n[sets]\nN = \"ab\"\n[[rules]]\nname = \"{N} {direction}\"\n\
                  from = \"N.\"\nto = \".N\"\nmirror = true\n";
    let folder = folder("either", &[("either.toml", either)]);
    let shown = run(&folder, &["show", "either.toml"]).1;
    assert!(shown.contains("start   goal   or\nab..    ..ab   ?N??\n"), "{shown}");
    assert!(shown.contains(" exactly 2 of `.`; `cell[0, 0] != 'a'`; `N` is `a` or `b`\n"), "{shown}");
}

#[test]
fn explore_reports_the_whole_space() {
    let folder = folder("explore", &[("five.toml", EIGHT)]);
    let (status, out, errors) = run(&folder, &["explore", "five.toml", "--format", "json"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&row["states"], &row["goals"], &row["dead_ends"]), (&181_440.into(), &1.into(), &0.into()));
    assert_eq!((&row["hardest"]["cost"], &row["hardest"]["count"]), (&31.into(), &2.into()));
    let by_depth = row["by_depth"].as_array().expect("an array");
    assert_eq!(by_depth.iter().filter_map(serde_json::Value::as_u64).sum::<u64>(), 181_440);
    let text = run(&folder, &["explore", "five.toml"]).1;
    assert!(text.contains("states     181440\n") && text.contains("hardest    31 moves from a goal"), "{text}");
    assert_eq!(text, run(&folder, &["explore", "five.toml"]).1, "the same bytes again");
    let (status, out, _) = run(&folder, &["explore", "five.toml", "--node-limit", "10", "--format", "json"]);
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &row["limit"]), (3, &"nodes".into()));
    assert!(row["dead_ends"].is_null() && row["hardest"].is_null(), "an unfinished exploration reports neither: {row}");
    assert_eq!(run(&folder, &["explore", "missing.toml"]).0, 2);
}

#[test]
fn limits_stop_a_search_with_status_3() {
    let hard = "title = \"h\"\ndomain = \"sliding-tile\"\ngoal = \"blank-first\"\nstart = \"\"\"\n16 5 1 12 6\n24 17 9 2 22\n\
                4 10 13 18 19\n20 0 23 7 21\n15 11 8 3 14\n\"\"\"\n";
    let folder = folder("limits", &[("hard.toml", hard)]);
    // An iterative-deepening search holds too little to reach a memory limit.
    let in_memory = ["--memory-limit", "1MiB", "--algorithm", "a-star"];
    for limit in [&["--node-limit", "5000"][..], &in_memory, &["--time-limit", "20ms"]] {
        let (status, out, _) = run(&folder, &[&["solve", "hard.toml"], limit].concat());
        assert_eq!(status, 3, "{limit:?}");
        assert!(out.contains("stopped at the"), "{out}");
        let bound = out.split("no solution costs less than ").nth(1).and_then(|rest| rest.lines().next());
        let bound: f64 = bound.and_then(|bound| bound.parse().ok()).expect("a bound is proven");
        assert!((60.0..=95.0).contains(&bound), "a solution of 95 moves is known: {bound}");
    }
    assert_eq!(run(&folder, &["solve", "hard.toml", "--time-limit", "soon"]).0, 2);
}

#[test]
fn a_puzzle_can_be_read_from_a_pipe() {
    if cfg!(not(unix)) {
        return;
    }
    let mut child = command(&root(), &["solve", "/dev/stdin", "--format", "moves"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(EIGHT.as_bytes()).expect("it reads");
    assert_eq!(child.wait_with_output().expect("it ends").stdout, b"4d 1l 2u 5u 8l\n");
}

#[test]
fn a_solution_does_not_overwrite_its_puzzle() {
    let folder = folder("over", &[("five.toml", EIGHT)]);
    let (status, _, errors) = run(&folder, &["solve", "five.toml", "--output", "./five.toml"]);
    assert_eq!(status, 2);
    assert!(errors.contains("five.toml"), "{errors}");
    assert_eq!(fs::read_to_string(folder.join("five.toml")).unwrap(), EIGHT);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_between_two_short_searches_ends_a_batch() {
    let folder = folder("batch", &[("five.toml", EIGHT)]);
    let files = vec!["five.toml"; 20_000];
    let arguments: Vec<&str> = ["solve", "--output", "out.txt"].into_iter().chain(files).collect();
    let child = command(&folder, &arguments).spawn().expect("the program runs");
    let id = child.id().to_string();
    wait_for_interrupt_handler(&child);
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    let written = fs::read_to_string(folder.join("out.txt")).expect("the output is whole");
    assert!(written.matches("proven shortest").count() < 20_000, "the batch ran to its end");
}

#[test]
fn a_limit_of_zero_stops_a_search_unless_the_start_is_a_goal() {
    let solved = "title = \"s\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\n";
    let folder = folder("nothing", &[("five.toml", EIGHT), ("solved.toml", solved)]);
    for algorithm in ["bfs", "dfs", "a-star", "bidirectional"] {
        let limits = [["--node-limit", "0"], ["--time-limit", "0s"], ["--depth-limit", "0"], ["--memory-limit", "0"]];
        for limit in limits {
            let arguments = ["--algorithm", algorithm, limit[0], limit[1]];
            assert_eq!(
                run(&folder, &[&["solve", "solved.toml"], &arguments[..]].concat()).0,
                0,
                "{algorithm} {limit:?}"
            );
        }
        for limit in [["--node-limit", "0"], ["--memory-limit", "0"], ["--depth-limit", "0"]] {
            let arguments = ["--algorithm", algorithm, limit[0], limit[1], "--format", "json"];
            let (status, out, _) = run(&folder, &[&["solve", "five.toml"], &arguments[..]].concat());
            let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            assert_eq!((status, &row["expanded"]), (3, &0.into()), "{algorithm} {limit:?}");
            assert!(row["lower_bound"].as_f64().is_some_and(|bound| bound <= 5.0), "{row}");
        }
        let (_, out, _) = run(&folder, &["solve", "five.toml", "--algorithm", algorithm, "--node-limit", "0"]);
        assert!(
            out.contains("stopped at the nodes limit") && !out.contains("less than 0"),
            "a bound of 0 is no news: {out}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_reports_its_bound_and_leaves_no_file_behind() {
    let hard = "title = \"h\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n16 5 1 12 6\n24 17 9 2 22\n4 10 13 18 19\n\
                20 0 23 7 21\n15 11 8 3 14\n\"\"\"\n";
    let folder = folder("interrupt", &[("hard.toml", hard)]);
    let solve =
        ["solve", "hard.toml", "hard.toml", "--memory-limit", "2GiB", "--format", "json", "--output", "out.json"];
    let child = command(&folder, &solve).spawn().expect("the program runs");
    let id = child.id().to_string();
    // The program installs its handler before the search starts, and the search lasts until the signal.
    wait_for_interrupt_handler(&child);
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    let out = fs::read_to_string(folder.join("out.json")).expect("the output is whole");
    let row: serde_json::Value = serde_json::from_str(&out).expect("one line: the second search does not start");
    assert_eq!((&row["outcome"], &row["limit"]), (&"limit".into(), &"interrupt".into()));
    assert!(row["lower_bound"].as_f64().is_some_and(|bound| bound >= 40.0), "{row}");
    assert_eq!(fs::read_dir(&folder).expect("the folder is there").count(), 2, "nothing else is left behind");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let puzzle = root().join("puzzles/gnome-klotski/fortune.toml");
    let solve =
        |threads| run(&root(), &["solve", puzzle.to_str().unwrap(), "--format", "json", "--threads", threads]).1;
    let one = without_seconds(&solve("1"));
    assert!(one["stored"].as_u64() > Some(100_000), "the puzzle is too small for several threads");
    assert_eq!((&one, &one), (&without_seconds(&solve("2")), &without_seconds(&solve("5"))));
}

#[test]
fn values_of_limits_that_make_no_sense_are_refused_with_what_is_expected() {
    let number = "expected a whole number of at least 1";
    for (command, option, value, expected) in [
        ("solve", "--threads", "0", number),
        ("show", "--level", "0", number),
        ("compare", "--repeat", "0", number),
        ("explore", "--workers", "0", number),
        ("solve", "--memory-limit", "none", "expected a size such as 512MiB or 2GiB"),
    ] {
        let (status, _, errors) = run(&root(), &[command, "puzzles/klotski1.toml", option, value]);
        assert!(status == 2 && errors.contains(expected), "{errors}");
    }
}

#[test]
fn a_search_backwards_completes_goals_that_leave_something_open() {
    // A walker is a variable of its own, so a drawing leaves open what would be under it; `?` leaves open more.
    let swap = "title = \"s\"\ndomain = \"rules\"\nstart = \"ab.\\n...\"\ngoal = \"ba.\\n?..\"\n\
                [[rules]]\nname = \"{N} {direction}\"\nfrom = \"N.\"\nto = \".N\"\nturns = true\n[sets]\nN = \"ab\"\n";
    let folder = folder("completed-goals", &[("swap.toml", swap)]);
    let eight = root().join("puzzles/rules/eight-puzzle.toml");
    for (file, moves) in [("swap.toml", "4"), (eight.to_str().expect("a path in UTF-8"), "31")] {
        let (status, out, errors) = run(&folder, &["solve", file, "--algorithm", "bidirectional"]);
        assert_eq!((status, &*errors), (0, ""), "{file}");
        assert!(out.contains(&format!("cost       {moves}, proven shortest")), "{out}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_named_without_its_temporary_file() {
    let (status, _, errors) = run(&root(), &["solve", "puzzles/klotski1.toml", "-o", "no-such-folder/out.txt"]);
    let expected = "no-such-folder/out.txt: cannot be written: ";
    assert!(status == 2 && errors.contains(expected) && !errors.contains(".tmp"), "{errors}");
}

#[test]
fn two_results_of_a_command_need_two_files() {
    let folder = folder("one-file-for-two", &[("five.toml", EIGHT)]);
    let (status, _, errors) = run(&folder, &["solve", "five.toml", "-o", "r.json", "--certificate", "./r.json"]);
    assert!(status == 2 && errors.contains("two results cannot have the same output file"), "{errors}");
    assert!(!folder.join("r.json").exists());
    for (command, option) in [("solve", "--certificate"), ("compare", "--plot"), ("explore", "--plot")] {
        let (status, out, errors) = run(&folder, &[command, "five.toml", option, "-"]);
        assert!(status == 2 && errors.contains("two results cannot both go to standard output"), "{errors}");
        assert_eq!(out, "", "{command}");
        let (status, out, _) = run(&folder, &[command, "five.toml", "-o", "r.txt", option, "-"]);
        assert!(status == 0 && (out.starts_with("<svg") || out.starts_with('{')), "{command}: {out}");
        assert!(!folder.join("-").exists());
    }
    let (status, out, _) = run(&folder, &["solve", "five.toml", "--format", "moves", "-o", "-"]);
    assert_eq!((status, out.as_str()), (0, "4d 1l 2u 5u 8l\n"));
}

#[test]
fn no_output_replaces_a_file_that_the_puzzle_names() {
    let board = "2 3\n1 2 3\n4 . 5\n";
    let folder = folder("named-output", &[("b.svg", board), ("b.txt", board)]);
    for (command, option, file) in [
        ("solve", "-o", "b.txt"),
        ("compare", "-o", "b.txt"),
        ("explore", "-o", "b.txt"),
        ("solve", "--certificate", "b.txt"),
        ("compare", "--plot", "b.svg"),
        ("explore", "--plot", "b.svg"),
    ] {
        let puzzle = format!("title = \"f\"\ndomain = \"sliding-tile\"\nstart_file = \"{file}\"\n");
        fs::write(folder.join("p.toml"), puzzle).expect("it is written");
        let (status, _, errors) = run(&folder, &[command, "p.toml", option, file]);
        let refused = format!("{file}: cannot be written: it is one of the input files");
        assert!(status == 2 && errors.contains(&refused), "{errors}");
        assert_eq!(fs::read_to_string(folder.join(file)).ok().as_deref(), Some(board));
    }
}

#[test]
fn a_check_of_a_folder_names_links_that_lead_nowhere_and_files_in_capitals() {
    let folder = folder("links", &[("A.TOML", EIGHT), ("b.toml", EIGHT)]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.join("c.toml")).expect("a link can be created");
    let (status, out, errors) = run(&folder, &["check", "."]);
    let bad = u8::from(cfg!(unix));
    assert_eq!((status, out.contains(&format!("2 good, {bad} bad"))), (2 * i32::from(bad), true), "{out}");
    assert!(errors.contains("c.toml") || bad == 0, "{errors}");
}

#[test]
fn an_algorithm_that_cannot_search_a_puzzle_reports_why() {
    let one_way = "title = \"g\"\ndomain = \"klotski\"\ngates = [[0, 1]]\nstart = \"\"\"\nab.\n...\n\"\"\"\ngoal = \"\"\"\n...\na..\n\"\"\"\n";
    let folder = folder("objection", &[("gate.toml", one_way)]);
    let (status, out, error) = run(&folder, &["solve", "gate.toml", "--algorithm", "bidirectional"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(
        error.contains("`bidirectional` cannot search this puzzle: it searches backwards from the goals"),
        "{error}"
    );
    assert!(error.contains("help: "), "{error}");
}

#[test]
fn a_node_limit_covers_both_directions_of_a_bidirectional_search() {
    let folder = folder("nodes", &[("five.toml", EIGHT)]);
    let puzzle = root().join("puzzles/eight-puzzle/31-moves.toml");
    for limit in ["1", "100", "2000"] {
        let arguments = ["--algorithm", "bidirectional", "--node-limit", limit, "--format", "json"];
        let row = without_seconds(&run(&folder, &[&["solve", puzzle.to_str().unwrap()], &arguments[..]].concat()).1);
        assert_eq!((&row["limit"], row["expanded"].to_string()), (&"nodes".into(), limit.to_owned()));
    }
}

#[test]
fn a_board_too_large_to_draw_is_reported_by_its_moves() {
    let large =
        "title = \"l\"\ndomain = \"sliding-tile\"\nrows = 2\ncolumns = 101\nscramble = { moves = 3, seed = 1 }\n";
    let folder = folder("large", &[("large.toml", large), ("fits.toml", &large.replace("101", "100"))]);
    let (status, out, _) = run(&folder, &["solve", "large.toml"]);
    let moves = run(&folder, &["solve", "large.toml", "--format", "moves"]).1;
    assert!(
        status == 0 && out.ends_with(&format!("start\na board of 2x101, too large to be drawn\n\nmoves\n{moves}")),
        "{out}"
    );
    assert_eq!(run(&folder, &["solve", "large.toml", "--format", "boards"]).1.matches("2 101\n").count(), 4);
    assert!(run(&folder, &["show", "large.toml"]).1.contains("too large to be drawn"));
    assert!(run(&folder, &["solve", "fits.toml"]).1.contains("\n3. "));
}

#[test]
fn a_heuristic_that_a_puzzle_refuses_is_refused_with_the_reason() {
    let multi = EIGHT.to_owned() + "metric = \"multi\"\n";
    let folder = folder("refused", &[("multi.toml", &multi)]);
    let (status, out, error) = run(&folder, &["solve", "multi.toml", "--heuristic", "manhattan"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(error.contains("`manhattan` cannot guide a search of this puzzle: in the metric `multi`"), "{error}");
    let solved =
        |arguments: &[&str]| run(&folder, &[&["solve", "multi.toml", "--format", "moves"], arguments].concat()).1;
    assert_eq!(solved(&["--algorithm", "a-star"]).split_whitespace().count(), 4);
    assert_eq!(solved(&["--heuristic", "zero", "--notation", "blank"]), "U R DD R\n");
    assert!(run(&folder, &["show", "multi.toml"]).1.contains("h manhattan        none for this puzzle"));
}

#[test]
fn progress_is_shown_only_at_a_terminal() {
    // IDDFS takes far longer than one second, after which a terminal shows progress.
    let long = ["solve", "puzzles/korf-15/012.toml", "--algorithm", "iddfs", "--time-limit", "1500ms"];
    let (status, _, errors) = run(&root(), &long);
    assert_eq!((status, errors.as_str()), (3, ""), "standard error is a pipe");
}

#[test]
fn formats_of_moves_print_the_rest_to_standard_error() {
    let stuck = format!("none.toml: unsolvable: {NO_PARITY}\n");
    let spaced = "title = \"Spaced\"\ndomain = \"rules\"\nstart = \"a..\"\ngoal = \"..a\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n";
    let folder = folder("moves-alone", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE), ("spaced.toml", spaced)]);
    let solve = |files: &[&str], format: &str| run(&folder, &[&["solve", "--format", format], files].concat());
    for format in ["moves", "boards"] {
        assert_eq!(solve(&["none.toml"], format), (1, String::new(), stuck.clone()), "{format}");
        assert_eq!(solve(&["none.toml", "--count"], format), (1, String::new(), stuck.clone()), "{format}");
        let (status, _, error) = solve(&["five.toml", "--count"], format);
        assert_eq!((status, error.as_str()), (0, "five.toml: shortest solutions: 1\n"), "{format}");
    }
    let (status, out, error) = solve(&["five.toml", "--algorithm", "bfs", "--node-limit", "1"], "moves");
    assert!((status, out.as_str()) == (3, "") && error.starts_with("five.toml: stopped at the nodes limit"), "{error}");
    assert_eq!(solve(&["spaced.toml"], "moves"), (0, "go 0,0\ngo 0,1\n".to_owned(), String::new()));
    let both = "4d 1l 2u 5u 8l\n\ngo 0,0\ngo 0,1\n\n4d 1l 2u 5u 8l\n";
    let (status, out, error) = solve(&["five.toml", "spaced.toml", "none.toml", "five.toml"], "moves");
    assert_eq!((status, out.as_str(), error), (1, both, stuck), "a blank line separates lists of moves");
    let five = "4d 1l 2u 5u 8l\n".repeat(2);
    assert_eq!(solve(&["five.toml", "five.toml"], "moves").1, five, "lists of one line need no blank line");
}

#[test]
fn a_scramble_of_blocks_or_rules_is_reachable_and_the_rest_of_the_file_is_kept() {
    let files = [
        "klotski1",
        "blocks/listed",
        "blocks/two-squares",
        "blocks/gate",
        "rush-hour/card01",
        "rules/water-jugs",
        "rules/wolf-goat-cabbage",
        "rules/missionaries-and-cannibals",
    ];
    let folder = folder("walked", &[]);
    for name in files {
        let file = root().join(format!("puzzles/{name}.toml"));
        let file = file.to_str().expect("the path is UTF-8");
        let states = |file: &str| run(&folder, &["explore", file, "--format", "json"]).1;
        let number = |json: &str| without_seconds(json)["states"].as_u64().expect("a number of states");
        let of_original = number(&states(file));
        for seed in ["1", "2"] {
            let (status, text, errors) = run(&folder, &["scramble", file, "--seed", seed, "--moves", "40"]);
            assert_eq!((status, &*errors), (0, ""), "{name}");
            assert_eq!(run(&folder, &["scramble", file, "--seed", seed, "--moves", "40"]).1, text, "{name}");
            let written = folder.join("scrambled.toml");
            fs::write(&written, &text).expect("the file can be written");
            let of_scramble = number(&states("scrambled.toml"));
            assert!(of_scramble <= of_original, "{name}: {of_scramble} of {of_original} states\n{text}");
        }
    }
    let game = root().join("puzzles/puzzlescript/timber.txt");
    let (status, _, errors) = run(&folder, &["scramble", game.to_str().expect("the path is UTF-8"), "--level", "1"]);
    assert_eq!(status, 2);
    assert!(errors.contains("no other start of this puzzle can be made in the domain `puzzlescript`"), "{errors}");
}

#[test]
fn show_after_moves_is_about_the_position_after_them() {
    let folder = folder("show-after", &[("five.toml", EIGHT), ("moves", "4d\n1l\n2u\n")]);
    let (status, out, errors) = run(&folder, &["show", "five.toml", "--after", "moves"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(
        out.starts_with("Five\n\nposition   goal\n1 2 3      1 2 3\n4 . 6      4 5 6\n7 5 8      7 8 .\n"),
        "{out}"
    );
    assert!(out.contains("\nh manhattan        2\n") && out.contains("\nis a goal          no\n"), "{out}");
    let (_, out, _) = run(&folder, &["show", "five.toml", "--json", "--after", "4d 1l 2u 5u 8l"]);
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(row["after"], serde_json::json!(["4d", "1l", "2u", "5u", "8l"]));
    assert_eq!((&row["start"], &row["position"]), (&"4 1 3\n. 2 6\n7 5 8\n".into(), &"1 2 3\n4 5 6\n7 8 .\n".into()));
    assert_eq!((&row["is_goal"], &row["solvable"]), (&true.into(), &true.into()));
    // All moves of a file are made, even if some of them lead to a goal.
    let corridor = "title = 'Corridor'\ndomain = 'maze'\nmap = '''\nSG..\n'''\n";
    fs::write(folder.join("corridor.toml"), corridor).expect("it is written");
    fs::write(folder.join("right"), "r\nr\n\nr\n").expect("it is written");
    let (_, out, _) = run(&folder, &["show", "corridor.toml", "--json", "--after", "right"]);
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(row["after"], serde_json::json!(["r", "r", "r"]));
    let (status, _, errors) = run(&folder, &["show", "five.toml", "--after", "4d 4d"]);
    assert_eq!(status, 2);
    assert!(errors.contains("five.toml: move 2, `4d`, is not legal there"), "{errors}");
}

#[test]
fn a_file_in_the_place_of_a_command_names_the_command_for_it() {
    let folder = folder("no-command", &[("five.toml", EIGHT)]);
    for (argument, help) in [
        ("five.toml", "solve the puzzle in this file: `engine solve five.toml`"),
        ("four.toml", "`engine solve four.toml`"),
        (".", "list the puzzles below this folder: `engine list .`"),
    ] {
        let (status, out, error) = run(&folder, &[argument]);
        assert!(status == 2 && out.is_empty(), "{out}");
        assert!(error.contains(&format!("`{argument}` is not a command")) && error.contains(help), "{error}");
    }
    let (status, _, error) = run(&folder, &["slove", "five.toml"]);
    assert!(status == 2 && error.contains("'solve'"), "{error}");
}

#[test]
fn the_file_of_a_picture_names_the_command_that_draws_it() {
    let folder = folder("no-picture", &[("five.toml", EIGHT)]);
    for (command, file, help) in [
        ("solve", "x.html", "draw the solution: `engine render five.toml -o x.html`"),
        ("solve", "x.gif", "`engine render five.toml -o x.gif`"),
        ("solve", "x.PNG", "`engine render five.toml -o x.PNG`"),
        ("solve", "x.svg", "`engine render five.toml -o x.svg --solution`"),
        ("explore", "x.svg", "`--plot x.svg`"),
        ("compare", "x.png", "`--plot x.png`"),
    ] {
        let (status, _, error) = run(&folder, &[command, "five.toml", "-o", file]);
        assert!(status == 2 && error.contains(help) && !folder.join(file).exists(), "{error}");
    }
}

#[test]
fn a_scramble_keeps_the_text_of_the_file() {
    let drawn = "# by hand\ntitle = \"Five\" # short\ndomain = \"sliding-tile\"\nauthor = \"Ann\"\n\n# the start\n\
        start = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\" # easy\n\nmetric = \"single\"\n\n[expect]\ncost = 5 # proven\n\n\
        [search] # of mine\nalgorithm = \"bfs\"\n";
    let table = "title = \"Up\"\ndomain = \"rules\"\ngoal = { n = 9 }\n\n# where it begins\n[start]\nn = 2\n\n[variables]\n\
        n = \"0..9\"\n\n[[rules]]\nname = \"up\"\nwhen = \"n < 9\"\nthen = { n = \"n + 1\" }";
    let folder = folder("scramble-text", &[("five.toml", drawn), ("up.toml", table)]);
    let (status, text, errors) = run(&folder, &["scramble", "five.toml", "--seed", "7"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let (before, rest) = text.split_once("\"\"\"\n").expect("the start is drawn");
    let (_, after) = rest.split_once("\"\"\"").expect("the drawing ends");
    let kept = drawn.split_once("\"\"\"\n").expect("the start is drawn").0;
    assert_eq!(before, kept.replace("Five", "Five, scrambled (seed 7)"));
    assert_eq!(after, " # easy\n\nmetric = \"single\"\n\n[search] # of mine\nalgorithm = \"bfs\"\n");
    fs::write(folder.join("again.toml"), &text).expect("it is written");
    let (_, text, _) = run(&folder, &["scramble", "again.toml", "--seed", "8"]);
    assert!(text.contains("title = \"Five, scrambled (seed 8)\" # short\n"), "{text}");

    let (status, text, errors) = run(&folder, &["scramble", "up.toml", "--moves", "3"]);
    assert_eq!((status, errors.as_str()), (0, ""), "{text}");
    let (head, tail) = table.split_once("\n# where it begins\n[start]\nn = 2\n\n").expect("both are in the text");
    let head = head.replace("Up", "Up, scrambled (seed 0)");
    assert_eq!(text, format!("{head}start = {{ n = 5 }}\n\n# where it begins\n\n{tail}\n"));
}

#[test]
fn a_scramble_has_a_solution_or_a_note_that_it_may_have_none() {
    let folder = folder("scramble-solvable", &[]);
    let six_boxes = root().join("puzzles/rules/sokoban-six-boxes.toml");
    let six_boxes = six_boxes.to_str().expect("the path is UTF-8");
    // A walk of a thousand moves pushes boxes into corners.
    for seed in ["1", "2", "3"] {
        let (status, text, errors) = run(&folder, &["scramble", six_boxes, "--seed", seed]);
        assert!(
            status == 0 && errors.contains("1000 moves lead to a position without a solution: this start is after "),
            "{errors}"
        );
        fs::write(folder.join("scrambled.toml"), &text).expect("it is written");
        assert_eq!(run(&folder, &["solve", "scrambled.toml", "--format", "moves"]).0, 0, "{text}");
    }
    let (_, _, errors) = run(&folder, &["scramble", six_boxes, "--seed", "1", "--quiet"]);
    assert_eq!(errors, "");
    let down = "title = \"Down\"\ndomain = \"rules\"\nstart = { n = 5 }\ngoal = { n = 9 }\n[variables]\nn = \"0..9\"\n\
        [[rules]]\nname = \"down\"\nwhen = \"n > 0\"\nthen = { n = \"n - 1\" }\n";
    fs::write(folder.join("down.toml"), down).expect("it is written");
    let (status, out, errors) = run(&folder, &["scramble", "down.toml"]);
    assert!(status == 2 && out.is_empty() && errors.contains("no solution is left"), "{errors}");
    // The goal is among a million states: the search for it ends at its limit.
    let counter = "title = \"Far\"\ndomain = \"rules\"\nstart = { a = 50, b = 50, c = 50 }\n\
        goal = { a = 0, b = 99, c = 0 }\n\
        [search]\nalgorithm = \"bfs\"\n[variables]\na = \"0..99\"\nb = \"0..99\"\nc = \"0..99\"\n\
        [[rules]]\nname = \"{v} by {d}\"\nfor = { v = [\"a\", \"b\", \"c\"], d = [1, -1] }\n\
        when = \"v + d >= 0 && v + d <= 99\"\nthen = { v = \"v + d\" }\n";
    fs::write(folder.join("far.toml"), counter).expect("it is written");
    let (status, _, errors) = run(&folder, &["scramble", "far.toml"]);
    assert!(status == 0 && errors.contains("it is not known whether this start has a solution"), "{errors}");
}
