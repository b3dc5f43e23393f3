//! Tests the summary of `engine solve`, at a terminal and with `--format summary`.

use crate::support::program::{EIGHT, UNSOLVABLE, command, folder, run};
use crate::support::root;
use std::path::Path;

/// Replaces each time at the end of a line by `T s`.
fn without_times(summary: &str) -> String {
    let time_at_end = |line: &str| {
        let rest = [" s)", " ms)", " µs)"].iter().find_map(|unit| line.strip_suffix(unit))?;
        let before = rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        (before.len() < rest.len()).then(|| format!("{before}T s)\n"))
    };
    summary.lines().map(|line| time_at_end(line).unwrap_or_else(|| format!("{line}\n"))).collect()
}

/// Runs `engine solve --format summary`; returns the exit status and the summary with `T s` for each time.
fn summary(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let (status, out, error) = run(folder, &[&["solve", "--format", "summary"], arguments].concat());
    assert_eq!(error, "", "{arguments:?}");
    (status, without_times(&out))
}

const FIVE: &str = "\
Five · sliding-tile, metric single

solved in 5 moves, proven shortest (bfs, T s)

4 1 3
. 2 6
7 5 8

4d 1l 2u 5u 8l
";

const NONE: &str = "\
None · sliding-tile, metric single

unsolvable, proven without a search (T s)
Reason: the board is an even permutation of the goal (2 inversions), and the
blank is 1 step from its place: each step of the blank changes both parities,
and in the goal both are even

1 2
. 3
";

#[test]
fn summaries_are_separate_and_the_hints_name_the_last_solved_file() {
    let folder = folder("summary", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE)]);
    let hints = "\
Every position  engine solve five.toml --format text
Watch it        engine render five.toml -o five.html
Play it         engine play five.toml
";
    assert_eq!(summary(&folder, &["five.toml", "--algorithm", "bfs"]), (0, format!("{FIVE}\n{hints}")));
    let both = summary(&folder, &["five.toml", "none.toml", "--algorithm", "bfs"]);
    assert_eq!(both, (1, format!("{FIVE}\n{NONE}\n{hints}")));
    assert_eq!(summary(&folder, &["none.toml"]), (1, format!("{NONE}\nPlay it  engine play none.toml\n")));
    let (status, out, error) = run(&folder, &["solve", "--format", "summary", "nowhere.toml"]);
    assert!(status == 2 && out.is_empty() && error.contains("nowhere.toml"), "{out}{error}");
}

#[test]
fn a_limit_names_the_lower_bound_and_the_best_solution() {
    let folder = folder("summary-limit", &[("five.toml", EIGHT)]);
    let (status, out) = summary(&folder, &["five.toml", "--algorithm", "bfs", "--depth-limit", "3"]);
    let ended =
        "\n\nstopped at the depth limit without a solution (bfs, T s)\nNo solution costs less than 4.\n\n4 1 3\n";
    assert!(status == 3 && out.contains(ended), "{out}");
    let best = (0..18).find_map(|power| {
        let nodes = (1_u32 << power).to_string();
        let limits = ["five.toml", "--algorithm", "dfs", "--depth-limit", "60", "--node-limit", &nodes];
        let (status, out) = summary(&folder, &limits);
        (status == 3 && !out.contains("without a solution")).then_some(out)
    });
    let best = best.expect("some limit is between the first solution and the proof");
    assert!(best.contains("\nstopped at the nodes limit with a solution of "), "{best}");
    let named = best.contains(" moves (dfs, T s)\nA shorter solution may exist.\n");
    assert!(named && best.contains("Watch it"), "{best}");
}

#[test]
fn costs_many_moves_and_all_solutions_fit_the_terminal() {
    let root = root();
    let (status, out) = summary(&root, &["puzzles/klotski7.toml"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("Klotski 7 · klotski, metric slide\n\nsolved in 150 moves, proven shortest ("), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let (_, moves, _) = run(&root, &["solve", "puzzles/klotski7.toml", "--format", "moves"]);
    let words: Vec<&str> = out.split("\n\n").nth(3).expect("the moves").split_whitespace().collect();
    assert_eq!(words, moves.split_whitespace().collect::<Vec<_>>(), "all moves are there");
    let mud = "title = \"Mud\"\ndomain = \"maze\"\nmap = \"S5G\"\n";
    let far = format!("title = \"Far\"\ndomain = \"maze\"\nmap = \"S{}G\"\n", ".".repeat(600));
    let wide = far.replace(&".".repeat(600), &".".repeat(90));
    let files = [("mud.toml", mud), ("far.toml", &*far), ("wide.toml", &*wide), ("five.toml", EIGHT)];
    let folder = folder("summary-costs", &files);
    let (_, out) = summary(&folder, &["mud.toml"]);
    assert!(out.contains("solved in 2 moves at cost 6, proven shortest (a-star with "), "{out}");
    let (_, out) = summary(&folder, &["far.toml"]);
    assert!(out.contains("\n… and 201 more\n") && out.contains("a board of 1x602, too large to be drawn\n"), "{out}");
    assert!(out.contains("engine solve far.toml --format boards\n") && !out.contains("Watch it"), "{out}");
    let (_, out) = summary(&folder, &["wide.toml"]);
    let drawn = "The start (1x92) is too large for the terminal. Draw it:\nengine render wide.toml -o wide.svg\n";
    assert!(out.contains(drawn), "{out}");
    let (_, out) = summary(&folder, &["five.toml", "--all", "3"]);
    assert!(out.contains("\nIt is the only shortest solution.\n") && out.contains("\nsolution 1 of 1\n4d 1l"), "{out}");
}

#[test]
fn pipes_and_files_get_the_transcript() {
    let folder = folder("summary-not", &[("five.toml", EIGHT)]);
    let piped = run(&folder, &["solve", "five.toml"]);
    assert!(piped.1.starts_with("Five\n\ndomain     sliding-tile\n"), "{}", piped.1);
    assert_eq!(piped, run(&folder, &["solve", "five.toml", "--format", "text"]));
    assert_eq!(run(&folder, &["solve", "five.toml", "--output", "out.txt"]).0, 0);
    assert_eq!(std::fs::read_to_string(folder.join("out.txt")).expect("it is written"), piped.1);
}

#[test]
fn colours_need_a_terminal_or_an_option() {
    let folder = folder("summary-colours", &[("five.toml", EIGHT)]);
    let coloured = run(&folder, &["solve", "five.toml", "--format", "summary", "--color", "always"]).1;
    assert!(coloured.contains("\n\x1b[1;32msolved\x1b[0m in 5 moves"), "{coloured:?}");
    let to_a_file = ["solve", "five.toml", "--format", "summary", "--color", "always", "-o", "out.txt"];
    assert_eq!(run(&folder, &to_a_file).0, 0);
    let written = std::fs::read_to_string(folder.join("out.txt")).expect("it is written");
    assert!(written.contains("\nsolved in 5 moves"), "{written:?}");
}

/// Runs a command at a terminal of this size, by `script(1)`. Returns `None` if the system has no `script`.
#[cfg(target_os = "linux")]
fn at_a_terminal(folder: &Path, columns: u32, lines: u32, arguments: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows {lines}; \"$ENGINE\" {arguments}");
    // `command` sets the folder and the environment.
    let engine = command(folder, &[]);
    let mut script = std::process::Command::new("script");
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder).env("ENGINE", engine.get_program());
    script.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    let Ok(output) = script.stdin(std::process::Stdio::null()).output() else {
        eprintln!("`script` not found: the test of the terminal is skipped");
        return None;
    };
    let printed = String::from_utf8(output.stdout).expect("output is UTF-8").replace("\r\n", "\n");
    assert!(output.status.success(), "{printed}");
    Some(printed)
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_the_summary_unless_another_format_is_named() {
    let far = format!("title = \"Far\"\ndomain = \"maze\"\nmap = \"S{}G\"\n", ".".repeat(50));
    let folder = folder("summary-terminal", &[("five.toml", EIGHT), ("far.toml", &far)]);
    let Some(printed) = at_a_terminal(&folder, 60, 30, "solve five.toml --algorithm bfs") else { return };
    assert!(printed.starts_with("\x1b[1mFive\x1b[0m · sliding-tile, metric single\n\n\x1b[1;32msolved"), "{printed:?}");
    let plain = at_a_terminal(&folder, 60, 30, "solve five.toml --algorithm bfs --color never").expect("`script` runs");
    assert!(without_times(&plain).starts_with(FIVE), "{plain}");
    let far = |columns| at_a_terminal(&folder, columns, 30, "solve far.toml --color never").expect("`script` runs");
    assert!(far(60).contains("\nS.....") && far(51).contains("is too large for the terminal"), "{}", far(51));
    assert!(far(51).lines().filter(|line| line.starts_with("r r")).all(|line| line.len() <= 51), "{}", far(51));
    assert!(far(200).lines().any(|line| line.starts_with("r r") && line.len() == 99), "{}", far(200));
    let text = at_a_terminal(&folder, 60, 30, "solve five.toml --format text").expect("`script` runs");
    assert_eq!(text, run(&folder, &["solve", "five.toml"]).1);
    let into_a_file = at_a_terminal(&folder, 60, 30, "solve five.toml -o out.txt").expect("`script` runs");
    assert_eq!(into_a_file, "");
    assert_eq!(std::fs::read_to_string(folder.join("out.txt")).expect("it is written"), text);
}
