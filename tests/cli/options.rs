//! Options that are alike in all commands: groups in `--help`, `--json`, `--no-cache`, and old spellings.

use crate::support::program::{EIGHT, UNSOLVABLE, command, folder, run, without_seconds};
use crate::support::root;
use std::fs;
use std::path::Path;

/// The commands that search or explore, with what they need on the puzzle `five.toml`.
const SEARCHING: [&[&str]; 7] = [
    &["solve", "five.toml"],
    &["explore", "five.toml"],
    &["compare", "five.toml", "--algorithm", "bfs", "--no-times"],
    &["plan", "five.toml", "--machines", "2", "--depth-limit", "9"],
    &["render", "five.toml", "-o", "-", "--format", "svg", "--solution"],
    &["play", "five.toml"],
    &["test", "puzzles"],
];

/// The headings in the help of a command, and the options below each.
fn groups(command: &str) -> Vec<(String, Vec<String>)> {
    let (status, help, error) = run(&root(), &[command, "--help"]);
    assert_eq!((status, error.as_str()), (0, ""));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in help.lines().take_while(|line| !["Formats:", "Examples:"].contains(line)) {
        if let Some(heading) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            groups.push((heading.to_owned(), Vec::new()));
        } else if let Some(at) = line.find("--").filter(|at| *at == 6) {
            let name = line[at..].split([' ', '=', '[']).next().expect("there is a name").to_owned();
            groups.last_mut().expect("options stand below a heading").1.push(name);
        }
    }
    groups
}

#[test]
fn options_of_solve_are_in_groups() {
    let groups = groups("solve");
    let groups: Vec<(&str, String)> = groups.iter().map(|(group, names)| (group.as_str(), names.join(" "))).collect();
    let expected = [
        ("Arguments", ""),
        ("Input", "--level --metric --seed"),
        ("Search", "--algorithm --heuristic --weight --width --closed-limit --without --count --all"),
        ("Limits", "--depth-limit --time-limit --memory-limit --node-limit --threads"),
        ("Output", "--format --json --notation --output --stats --explain --certificate --trace --trace-limit"),
        (
            "Disk and cluster",
            "--disk --disk-limit --hosts --process --workers --peer-timeout --start-timeout --secret --allow-network",
        ),
        ("Options", "--allow-paths --no-cache --color --quiet --help"),
    ];
    assert_eq!(groups, expected.map(|(group, names)| (group, names.to_owned())));
}

#[test]
fn options_of_every_command_are_in_the_same_groups() {
    let known =
        ["Arguments", "Input", "Search", "Machines", "Tests", "Limits", "Output", "Disk and cluster", "Options"];
    for name in [
        "solve", "check", "test", "list", "show", "play", "domains", "new", "schema", "lsp", "explore", "plan", "compare",
        "rate", "edits", "minimize", "diff",
    ]
    .into_iter()
    .chain(["import", "generate", "render", "scramble", "verify", "completions", "man"])
    {
        let groups = groups(name);
        let headings: Vec<&str> = groups.iter().map(|(heading, _)| heading.as_str()).collect();
        let order: Vec<Option<usize>> =
            headings.iter().map(|heading| known.iter().position(|known| known == heading)).collect();
        assert!(order.is_sorted() && order.iter().all(Option::is_some), "{name}: {headings:?}");
        let (last, names) = groups.last().expect("there are options");
        assert_eq!(last, "Options", "{name}");
        assert!(names.ends_with(&["--color", "--quiet", "--help"].map(str::to_owned)), "{name}: {names:?}");
        let of = |option: &str| groups.iter().find(|(_, names)| names.iter().any(|name| name == option));
        for (option, group) in [
            ("--algorithm", "Search"),
            ("--heuristic", "Search"),
            ("--time-limit", "Limits"),
            ("--threads", "Limits"),
            ("--format", "Output"),
            ("--output", "Output"),
            ("--plot", "Output"),
            ("--disk", "Disk and cluster"),
            ("--allow-paths", "Options"),
            ("--no-cache", "Options"),
        ] {
            assert!(of(option).is_none_or(|(heading, _)| heading == group), "{name} {option}");
        }
    }
}

#[test]
fn help_is_short_long_and_in_manual_pages() {
    let short = run(&root(), &["solve", "-h"]).1;
    let long = run(&root(), &["solve", "--help"]).1;
    assert!(short.lines().count() < long.lines().count(), "{short}");
    for help in [&short, &long, &run(&root(), &["help", "solve"]).1] {
        assert!(help.starts_with("Solve puzzles and print the solutions\n") && help.contains("\nSearch:\n"), "{help}");
    }
    let (status, version, _) = run(&root(), &["--version"]);
    assert_eq!((status, &version), (0, &run(&root(), &["-V"]).1));
    assert!(version.starts_with("engine "), "{version}");
    assert_eq!(run(&root(), &["solve", "--version"]).0, 2, "the version is that of the program");
    let here = folder("options-man", &[]);
    assert_eq!(run(&here, &["man", "man1"]).0, 0);
    let page = fs::read_to_string(here.join("man1/engine-solve.1")).expect("it was written");
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    let all = headings.join(" ");
    assert!(all.contains("ARGUMENTS INPUT SEARCH LIMITS OUTPUT \"DISK AND CLUSTER\" OPTIONS"), "{all}");
    assert_eq!(all.matches("OPTIONS").count(), 1, "{all}");
}

#[test]
fn json_is_short_for_the_format() {
    let folder =
        folder("options-json", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE), ("bad.toml", "title = 1\n")]);
    fs::create_dir_all(folder.join("puzzles")).expect("a folder");
    fs::write(folder.join("puzzles/five.toml"), EIGHT).expect("a puzzle");
    assert_eq!(run(&folder, &["test", "--accept"]).0, 0);
    let commands: [&[&str]; 6] = [
        &["solve", "five.toml", "none.toml", "bad.toml"],
        &["explore", "five.toml"],
        &["compare", "five.toml", "--algorithm", "bfs,dfs"],
        &["plan", "five.toml", "--machines", "2", "--depth-limit", "9"],
        &["check", "five.toml", "bad.toml"],
        &["test"],
    ];
    for arguments in commands {
        let with = |more: &[&str]| run(&folder, &[arguments, more].concat());
        let (status, json, errors) = with(&["--json"]);
        let same = with(&["--format", "json"]);
        assert_eq!((status, errors), (same.0, same.2), "{arguments:?}");
        assert_eq!(json.lines().count(), same.1.lines().count(), "{arguments:?}");
        for (one, other) in json.lines().zip(same.1.lines()) {
            let steady = |line: &str| {
                let mut row: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let fields = row.as_object_mut().expect("an object");
                for field in ["seconds", "expanded_per_second", "measured", "estimated", "peak_memory_bytes"] {
                    fields.remove(field);
                }
                row
            };
            assert_eq!(steady(one), steady(other), "{arguments:?}");
        }
        for format in ["text", "json"] {
            let (status, out, error) = with(&["--json", "--format", format]);
            assert!(status == 2 && out.is_empty() && error.contains("cannot be used with"), "{arguments:?}: {error}");
        }
    }
}

#[test]
fn every_command_that_searches_does_without_the_cache() {
    // Seven tiles in one group: the smallest table that is stored.
    let twelve = "title = \"Twelve\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 4\nscramble = { moves = 4, seed = 7 }\n\
        pattern_database = \"\"\"\naaa.\naaa.\na...\n\"\"\"\n[search]\nheuristic = \"pattern-database\"\n";
    let folder = folder("options-cache", &[("five.toml", twelve)]);
    fs::create_dir_all(folder.join("puzzles")).expect("a folder");
    fs::write(folder.join("puzzles/twelve.toml"), twelve).expect("a puzzle");
    let in_cache = |cache: &str, arguments: &[&str]| {
        let output = command(&folder, arguments)
            .env("XDG_CACHE_HOME", folder.join(cache))
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let tables = |cache: &str| fs::read_dir(folder.join(cache).join("engine")).map_or(0, Iterator::count);
    for arguments in SEARCHING {
        let help = run(&folder, &[arguments[0], "--help"]).1;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("--no-cache") && help.contains("compare, explore and plan neither"), "{help}");
        // A whole space of 12 cells takes minutes.
        let brief: &[&str] = match arguments[0] {
            "explore" => &["--node-limit", "1000"],
            _ => &[],
        };
        let (status, error) = in_cache("without", &[arguments, brief, &["--no-cache"]].concat());
        assert!(matches!(status, Some(0 | 1 | 3)) && !error.contains("error"), "{arguments:?}: {status:?} {error}");
        assert_eq!(tables("without"), 0, "{arguments:?}");
    }
    assert_eq!(in_cache("with", SEARCHING[0]).0, Some(0));
    assert_eq!(tables("with"), 1, "without the option there is a table to store");
}

/// Runs a command by an old spelling and by the new one: the same result, and a note.
fn renamed(folder: &Path, arguments: &[&str], old: &[&str], new: &[&str], note: &str) {
    let with = |more: &[&str]| run(folder, &[arguments, more].concat());
    let steady = |out: String| if out.starts_with('{') { timeless_plan(&out).to_string() } else { out };
    let (status, out, error) = with(new);
    assert_eq!((status, error.as_str()), (0, ""), "{new:?}");
    let now = steady(out);
    let (status, out, error) = with(old);
    assert_eq!((status, steady(out), error), (0, now.clone(), format!("{note}\n")), "{old:?}");
    let (status, out, error) = with(&[old, &["--quiet"]].concat());
    assert_eq!((status, steady(out), error.as_str()), (0, now, ""), "{old:?} --quiet");
}

/// Returns the fields of a plan that do not depend on time.
fn timeless_plan(json: &str) -> serde_json::Value {
    let mut row: serde_json::Value = serde_json::from_str(json).expect("JSON");
    for field in ["measured", "estimated"] {
        row.as_object_mut().expect("an object").remove(field);
    }
    row
}

#[test]
fn old_spellings_work_and_print_a_note() {
    let folder = folder("options-renamed", &[("five.toml", EIGHT), ("moves.txt", "4d 1l 2u 5u 8l\n")]);
    let plan = ["plan", "five.toml", "--json", "--depth-limit", "9"];
    let note = "note: --hosts is now --machines";
    renamed(&folder, &plan, &["--hosts", "4"], &["--machines", "4"], note);
    renamed(&folder, &plan, &["--hosts=4"], &["--machines=4"], note);
    let note = "note: --price is now without effect";
    renamed(&folder, &plan, &["--machines", "4", "--price", "2"], &["--machines", "4"], note);
    let deepen = ["solve", "five.toml", "--algorithm", "ida-star", "--format", "moves"];
    renamed(&folder, &deepen, &["--automaton"], &[], "note: --automaton is now the key `automaton` in `[search]`");
    let compare = ["compare", "five.toml", "--algorithm", "bfs,a-star"];
    renamed(&folder, &compare, &["--counts"], &["--no-times"], "note: --counts is now --no-times");
    let render = ["render", "five.toml", "-o", "-", "--format", "html"];
    let note = "note: --moves is now --replay";
    renamed(&folder, &render, &["--moves", "4d 1l"], &["--replay", "4d 1l"], note);
    renamed(&folder, &render, &["--moves", "moves.txt"], &["--replay", "moves.txt"], note);

    let note = "note: --format svg is now --plot FILE.svg\n";
    let svg = ["compare", "five.toml", "--algorithm", "bfs,a-star", "--no-times", "--format", "svg"];
    let (status, chart, error) = run(&folder, &svg);
    assert_eq!((status, error.as_str()), (0, note));
    let (status, _, error) = run(&folder, &[&compare[..], &["--no-times", "--plot", "chart.svg"]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(folder.join("chart.svg")).expect("it was drawn"), chart);
    assert_eq!(run(&folder, &[&svg[..], &["-o", "old.svg", "-q"]].concat()), (0, String::new(), String::new()));
    assert_eq!(fs::read_to_string(folder.join("old.svg")).expect("it was drawn"), chart);
    assert_eq!(run(&folder, &["compare", "five.toml", "--plot", "five.toml"]).0, 2, "no puzzle is written over");
}

#[test]
fn old_spellings_are_in_no_help_and_no_completions() {
    for (name, old, new) in [
        ("plan", "--hosts", "--machines"),
        ("plan", "--price", "--network"),
        ("solve", "--automaton", "--algorithm"),
        ("compare", "--counts", "--no-times"),
        ("compare", " svg", "--plot"),
        ("render", "--moves", "--replay"),
    ] {
        let help = run(&root(), &[name, "--help"]).1;
        assert!(!help.contains(old) && help.contains(new), "{name}: {help}");
    }
    let script = run(&root(), &["completions", "bash"]).1;
    assert!(script.contains("--no-times") && script.contains("--replay") && script.contains("--machines"));
    assert!(!script.contains("--counts"), "{script}");
}

#[test]
fn options_of_other_commands_that_bear_an_old_name_print_no_note() {
    let folder = folder("options-other", &[("five.toml", EIGHT)]);
    let (status, _, error) = run(&folder, &["scramble", "five.toml", "--moves", "3"]);
    assert_eq!((status, error.as_str()), (0, ""));
    let (status, _, error) = run(&folder, &["explore", "five.toml", "--hosts", "none.txt", "--process", "0"]);
    assert!(status == 2 && error.contains("none.txt") && !error.contains("is now"), "{error}");
    assert_eq!(run(&folder, &["scramble", "five.toml", "--replay", "3"]).0, 2);
    assert_eq!(run(&folder, &["explore", "five.toml", "--machines", "3"]).0, 2);
}

#[test]
fn plans_have_one_worker_unless_they_name_more() {
    let folder = folder("options-workers", &[("five.toml", EIGHT)]);
    let workers = |more: &[&str]| {
        let plan = ["plan", "five.toml", "--machines", "2", "--json", "--depth-limit", "9"];
        without_seconds(&run(&folder, &[&plan[..], more].concat()).1)["workers"].clone()
    };
    assert_eq!((workers(&[]), workers(&["--workers", "3"])), (1.into(), 3.into()));
}

#[test]
fn a_heuristic_that_cannot_be_built_is_reported() {
    let puzzle = "puzzles/rules/water-sort.toml";
    let arguments = ["solve", puzzle, "--algorithm", "a-star", "--heuristic", "potentials", "--stats"];
    let (_, _, errors) = run(&root(), &[&arguments[..], &["--node-limit", "9", "--format", "moves"]].concat());
    assert!(
        errors.contains("none, so h is 0: ") && errors.contains("too many for the linear program; h(start) 0"),
        "{errors}"
    );
}

#[test]
fn lines_leave_counts_and_explanations_to_standard_error() {
    let folder = folder("lines", &[("five.toml", EIGHT)]);
    let lines = ["solve", "five.toml", "--format", "lines"];
    let (status, out, errors) = run(&folder, &[&lines[..], &["--count", "--explain"]].concat());
    assert_eq!((status, out.lines().count()), (0, 2), "{out}");
    assert!(errors.contains("five.toml: shortest solutions: 1\n"), "{errors}");
    assert!(errors.contains("five.toml: Why this search\n"), "{errors}");
    let (status, _, errors) = run(&folder, &[&lines[..], &["--all", "3"]].concat());
    assert!(status == 2 && errors.contains("does not print the moves of `--all`"), "{errors}");
}

#[test]
fn the_check_of_a_certificate_ends_at_the_depth_limit() {
    let folder = folder("depth-of-a-check", &[("five.toml", EIGHT)]);
    run(&folder, &["solve", "five.toml", "--certificate", "c.json"]);
    let (status, out, _) = run(&folder, &["verify", "--certificate", "c.json", "--depth-limit", "2"]);
    assert!(
        status == 3 && out.contains("checked again only up to 3: the plain search stopped at the depth limit"),
        "{out}"
    );
}
