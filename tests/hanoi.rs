//! A domain outside the engine: the example uses only the public interface and gets the whole command line.
//!
//! If the environment variable [`EXAMPLE`] is set, this program is the example; otherwise it runs the tests of it.

mod support;

#[path = "../examples/hanoi.rs"]
mod hanoi;

use engine::{Algorithm, Options, Puzzle, domain, verify};
use libtest_mimic::{Arguments, Trial};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use support::program::{folder, without_seconds};
use support::root;

/// The environment variable that makes this program the example.
const EXAMPLE: &str = "ENGINE_TESTS_RUN_HANOI";

const SEVEN: &str = include_str!("../examples/hanoi.toml");

fn main() -> ExitCode {
    if std::env::var_os(EXAMPLE).is_some() {
        return hanoi::main();
    }
    let tests: [(&str, fn()); 5] = [
        ("the_domain_is_registered_with_the_built_in_ones", registered),
        ("every_algorithm_solves_the_domain", algorithms),
        ("every_command_accepts_the_domain", commands),
        ("errors_name_their_line_and_column", errors),
        ("the_tutorial_shows_the_example", tutorial),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().map(trial).collect()).exit_code()
}

/// Runs the example; returns the exit status, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let this = std::env::current_exe().expect("this program has a path");
    let output =
        Command::new(this).args(arguments).env(EXAMPLE, "1").current_dir(folder).output().expect("the example runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("the example exits without a signal"), text(output.stdout), text(output.stderr))
}

fn registered() {
    let names = domain::registered();
    assert!(names.contains(&"hanoi") && names.contains(&"klotski"), "{names:?}");
}

fn algorithms() {
    for disks in 1..=7 {
        let text = SEVEN.replace("aaaaaaa", &"a".repeat(disks)).replace("ccccccc", &"c".repeat(disks));
        let puzzle = Puzzle::parse(&text, "hanoi").unwrap_or_else(|report| panic!("{report}"));
        for algorithm in [Algorithm::Bfs, Algorithm::AStar] {
            let solution =
                puzzle.solve(&Options { algorithm: Some(algorithm), ..Options::default() }).expect("the search starts");
            assert_eq!((solution.cost(), solution.is_optimal()), (Some(f64::from((1 << disks) - 1)), true));
            let verified = verify::replay(&puzzle, &solution.moves()).expect("the moves are a solution");
            assert_eq!(Some(verified.cost), solution.cost());
        }
        let deep = puzzle
            .solve(&Options { algorithm: Some(Algorithm::Dfs), ..Options::default() })
            .expect("the search starts");
        assert!(deep.cost().is_some() && !deep.is_optimal(), "depth-first search proves no optimum");
    }
    let four = SEVEN.replace("[expect]", "pegs = 4\n[expect]");
    let puzzle = Puzzle::parse(&four, "hanoi").unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(
        puzzle.solve(&Options::default()).expect("the search starts").cost(),
        Some(25.0),
        "Frame and Stewart 1941"
    );
}

fn commands() {
    let folder = folder("hanoi", &[("seven.toml", SEVEN)]);
    let out = |arguments: &[&str]| {
        let (status, out, error) = run(&folder, arguments);
        assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}: {out}");
        out
    };
    let solved = out(&["solve", "seven.toml"]);
    assert!(solved.contains("cost       127, proven shortest\n\nstart\na 7 6 5 4 3 2 1\nb\nc\n\n1. ac\n"), "{solved}");
    assert!(solved.ends_with("\n127. ac\na\nb\nc 7 6 5 4 3 2 1\n"), "{solved}");
    fs::write(folder.join("solved.txt"), &solved).expect("written");
    let verified = out(&["verify", "seven.toml", "solved.txt"]);
    assert!(
        verified.starts_with("verified: 127 moves, cost 127") && verified.contains("no independent rules"),
        "{verified}"
    );
    fs::write(folder.join("wrong.txt"), "ac ac").expect("written");
    let (status, refused, _) = run(&folder, &["verify", "seven.toml", "wrong.txt"]);
    assert_eq!(
        (status, refused.as_str()),
        (1, "refused: move 2, `ac`: it is not legal here (did you mean `ab`?); the legal moves are ab, ca, cb\n")
    );
    fs::write(folder.join("wrong.txt"), solved.replace("127. ac", "127. ab")).expect("written");
    assert!(run(&folder, &["verify", "seven.toml", "wrong.txt"]).1.contains("refused: move 127, `ab`"));
    let show = out(&["show", "seven.toml"]);
    assert!(show.contains("states      2187\n") && show.contains("h misplaced 7\n"), "{show}");
    let explored = without_seconds(&out(&["explore", "seven.toml", "--format", "json"]));
    assert_eq!((&explored["states"], &explored["hardest"]["cost"]), (&2187.into(), &127.into()), "{explored}");
    assert!(out(&["check", "."]).starts_with("1 good"));
    assert!(out(&["domains"]).contains("hanoi ") && out(&["domains", "hanoi"]).contains("misplaced"));
    let page = out(&["render", "seven.toml", "-o", "-", "--format", "html"]);
    assert!(page.contains("\"solved\":true") && page.matches("\"ac\"").count() > 20, "the frames are drawn as text");
    for (drawn, begins) in [("seven.svg", &b"<svg"[..]), ("seven.png", b"\x89PNG"), ("seven.gif", b"GIF89a")] {
        assert_eq!(out(&["render", "seven.toml", "-o", drawn]), "");
        assert!(fs::read(folder.join(drawn)).expect("the picture is written").starts_with(begins));
    }
    let schema: serde_json::Value = serde_json::from_str(&out(&["schema", "hanoi"])).expect("JSON");
    assert_eq!(schema["properties"]["pegs"]["description"], "the number of pegs, 3 to 26 [default: 3]");
    assert_eq!(schema["properties"]["search"]["properties"]["heuristic"]["enum"][1], "misplaced");
    assert!(out(&["schema"]).contains("the number of pegs, 3 to 26"));
    let first = out(&["new", "hanoi", "-"]);
    assert!(first.contains("# the number of pegs, 3 to 26 [default: 3]\n# pegs = "), "{first}");
    for arguments in [&["--moves", "30"][..], &["--seed", "4"]] {
        let scrambled = out(&[&["scramble", "seven.toml"], arguments].concat());
        fs::write(folder.join("scrambled.toml"), &scrambled).expect("written");
        assert!(out(&["solve", "scrambled.toml"]).contains("proven shortest"), "{scrambled}");
    }
}

fn errors() {
    let report = |text: &str| Puzzle::parse(text, "h.toml").err().expect("a report").to_string();
    let reports = |from: &str, to: &str, words: &[&str]| {
        let report = report(&SEVEN.replacen(from, to, 1));
        assert!(words.iter().all(|word| report.contains(word)), "not {words:?} but: {report}");
    };
    reports("aaaaaaa", "aaaaaad", &["h.toml:3:9", "disk 7 is on no peg", "the pegs are `a` to `c`"]);
    reports("aaaaaaa", "aaa", &["h.toml:4:8", "the goal has 7 disks, the start 3"]);
    reports("aaaaaaa", "", &["h.toml:3:9", "0 disks", "the goal has 7 disks"]);
    reports("start = ", "strat = ", &["did you mean `start`?"]);
    reports("start = \"aaaaaaa\"\n", "", &["missing key `start`", "add a line such as: start = \"aaa\""]);
    reports("[expect]", "pegs = 2\n[expect]", &["invalid value `2` for `pegs`", "expected 3 to 26"]);
    reports("[expect]", "[search]\nheuristic = \"misplaecd\"\n[expect]", &["did you mean `misplaced`?"]);
    reports("ccccccc", "ccccccé", &["disk"]);
}

/// Compares the tutorial with the example: its Rust blocks in sequence are the code, and its TOML block is the puzzle.
fn tutorial() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let document = read("docs/your-own-domain.md");
    let blocks = |language: &str| -> String {
        let fence = format!("```{language}\n");
        let blocks = document.split(&fence).skip(1);
        blocks
            .map(|rest| rest.split_once("\n```").expect("a code block has an end").0.to_owned() + "\n")
            .collect::<Vec<_>>()
            .join("\n")
    };
    let example = read("examples/hanoi.rs");
    let (_, code) = example.split_once("\n\n").expect("a blank line follows the documentation");
    assert_eq!(blocks("rust"), code, "docs/your-own-domain.md shows other code than examples/hanoi.rs");
    assert_eq!(blocks("toml"), SEVEN, "docs/your-own-domain.md shows another puzzle than examples/hanoi.toml");
}
