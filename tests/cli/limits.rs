//! Tests limits: memory is the resident memory of the whole process, and a limited search reports the limit and its
//! partial results.

use crate::support::program::{EIGHT, Measured, command, folder, measure, run, wait_for_interrupt_handler};
use crate::support::root;
use engine::Puzzle;
use engine::search::{Limit, Limits};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn puzzle(file: &str) -> String {
    root().join("puzzles").join(file).display().to_string()
}

/// Runs the program; returns the exit status, its JSON, and the peak resident memory in bytes if `/proc` reports it.
fn run_with_peak(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value, Option<u64>) {
    let Measured { status, out, peak, .. } = measure(folder, arguments);
    (status, serde_json::from_str(&out).unwrap_or(Value::Null), peak)
}

#[test]
fn resident_memory_exceeds_the_limit_by_a_tenth_at_most() {
    let folder = folder("memory", &[]);
    let searches = [
        ("korf-24/25.toml", ["bfs", "dfs", "a-star", "greedy", "weighted-a-star", "bidirectional"]),
        ("permutation/rubiks-cube.toml", ["bfs", "dfs", "a-star", "greedy", "ida-star", "bidirectional"]),
        ("blocks/time-machine.toml", ["bfs", "dfs", "a-star", "weighted-a-star", "a-star", "bidirectional"]),
    ];
    for (file, algorithms) in searches {
        for (algorithm, mib) in algorithms.into_iter().zip([32, 48, 64].into_iter().cycle()) {
            let limit = format!("{mib}MiB");
            let file = puzzle(file);
            let solve = ["solve", &file, "--algorithm", algorithm, "--memory-limit", &limit, "--node-limit", "3000000"];
            let (status, row, peak) =
                run_with_peak(&folder, &[&solve[..], &["--format", "json", "--no-cache"]].concat());
            assert!(
                peak.is_none_or(|peak| peak <= (mib << 20) * 11 / 10),
                "{algorithm}: a peak of {peak:?} bytes with a limit of {limit}"
            );
            assert!(row["expanded"].is_u64() && row["lower_bound"].is_number(), "{algorithm}: {row}");
            assert_eq!(status, if row["outcome"] == "limit" { Some(3) } else { Some(0) }, "{algorithm}: {row}");
        }
    }
    for (file, mib) in
        [("korf-24/25.toml", 32), ("permutation/topspin-12-4.toml", 48), ("blocks/time-machine.toml", 24)]
    {
        let (file, limit) = (puzzle(file), format!("{mib}MiB"));
        let (status, row, peak) =
            run_with_peak(&folder, &["explore", &file, "--memory-limit", &limit, "--format", "json"]);
        assert!(
            peak.is_none_or(|peak| peak <= (mib << 20) * 11 / 10),
            "explore: a peak of {peak:?} bytes with a limit of {limit}"
        );
        assert!(status == Some(3) && row["states"].as_u64().is_some_and(|states| states > 1000), "{row}");
    }
}

#[test]
fn a_memory_limit_below_the_programs_own_size_ends_the_search_at_once() {
    let folder = folder("memory-of-nothing", &[]);
    let cube = puzzle("permutation/rubiks-cube.toml");
    let solve = ["solve", &cube, "--memory-limit", "2MiB", "--format", "json", "--no-cache"];
    let (status, row, _) = run_with_peak(&folder, &solve);
    assert_eq!((status, &row["outcome"], &row["limit"]), (Some(3), &"limit".into(), &"memory".into()), "{row}");
}

#[test]
fn a_time_limit_without_a_unit_is_in_seconds() {
    let folder = folder("seconds", &[("five.toml", EIGHT)]);
    for limit in [["--time-limit", "60"], ["--timeout", "60"], ["--timeout", "none"], ["--time-limit", "60 bits"]] {
        let (status, _, error) = run(&folder, &[&["solve", "five.toml"][..], &limit].concat());
        assert_eq!(status, if limit[1] == "60 bits" { 2 } else { 0 }, "{limit:?}: {error}");
    }
    let (status, out, _) = run(&folder, &["solve", "five.toml", "--json", "--timeout", "0"]);
    assert!(status == 3 && out.contains("\"limit\":\"time\""), "{out}");
}

#[test]
fn a_limited_depth_first_search_reports_its_best_solution() {
    let folder = folder("so-far", &[("five.toml", EIGHT)]);
    let within = ["solve", "five.toml", "--algorithm", "dfs", "--depth-limit", "60"];
    let mut summary = None;
    for nodes in (0..18).map(|power| (1_u32 << power).to_string()) {
        for closed in [&[][..], &["--closed-limit", "100000"]] {
            let (status, out, _) =
                run(&folder, &[&within[..], &["--node-limit", &nodes, "--format", "json"], closed].concat());
            let row: Value = serde_json::from_str(&out).expect("JSON");
            if row["outcome"] == "limit" && row["cost"].is_number() {
                assert_eq!((status, row["limit"].as_str(), row["optimal"].as_bool()), (3, Some("nodes"), Some(false)));
                assert_eq!(row["moves"].as_array().map(|moves| moves.len() as u64), row["cost"].as_u64());
                let (_, moves, _) =
                    run(&folder, &[&within[..], &["--node-limit", &nodes, "--format", "moves"], closed].concat());
                fs::write(folder.join("so-far.txt"), &moves).expect("there is room");
                assert_eq!(run(&folder, &["verify", "five.toml", "so-far.txt"]).0, 0, "{moves}");
                let (_, text, _) = run(&folder, &[&within[..], &["--node-limit", &nodes], closed].concat());
                summary = Some(text);
            }
        }
    }
    let summary = summary.expect("some limit lies between the first solution and the proof");
    assert!(summary.contains("stopped at the nodes limit") && summary.contains("not proven shortest"), "{summary}");
}

#[test]
fn a_transposition_table_of_any_size_gives_the_same_cost() {
    let folder = folder("closed", &[("five.toml", EIGHT)]);
    let maze = puzzle("mazes/orthogonal.toml");
    for (file, least) in [("five.toml", None), (&*puzzle("eight-puzzle/09-moves.toml"), None), (&*maze, None::<u64>)] {
        let cost = |options: &[&str]| {
            let (status, out, error) = run(&folder, &[&["solve", file, "--format", "json"], options].concat());
            assert_eq!(status, 0, "{options:?}: {error}{out}");
            let row: Value = serde_json::from_str(&out).expect("JSON");
            (row["cost"].as_f64(), row["optimal"].as_bool())
        };
        let least =
            least.map_or_else(|| cost(&["--algorithm", "a-star"]), |least: u64| (Some(least as f64), Some(true)));
        for length in ["1", "50", "1000000"] {
            for algorithm in ["iddfs", "ida-star"] {
                if file == maze && length.len() < 4 {
                    continue;
                }
                assert_eq!(cost(&["--algorithm", algorithm, "--closed-limit", length]), least, "{algorithm}, {length}");
            }
        }
        let long = cost(&["--algorithm", "dfs", "--closed-limit", "1000000"]);
        assert!(long.0 >= least.0, "the first solution is shorter than the shortest");
    }
    let (status, _, error) = run(&folder, &["solve", "five.toml", "--algorithm", "a-star", "--closed-limit", "9"]);
    assert!(status == 2 && error.contains("`dfs`, `iddfs`, `ida-star`"), "{error}");
    assert_eq!(run(&folder, &["solve", "five.toml", "--algorithm", "dfs", "--closed-limit", "0"]).0, 2);
    let unsolvable = "title = \"None\"\ndomain = \"word-ladder\"\nstart = \"ab\"\ngoal = \"zz\"\nwords = [\"ab\", \"ac\", \"bc\", \"zz\"]\n";
    fs::write(folder.join("none.toml"), unsolvable).expect("there is room");
    for algorithm in ["dfs", "iddfs", "ida-star"] {
        let (status, out, _) = run(&folder, &["solve", "none.toml", "--algorithm", algorithm, "--closed-limit", "100"]);
        assert_eq!(status, 1, "a transposition table that holds all states proves that no solution exists: {out}");
    }
    let huge = ["solve", "five.toml", "--algorithm", "dfs", "--closed-limit", "1000000000000", "--format", "json"];
    let (status, out, _) = run(&folder, &huge);
    assert!(status == 3 && out.contains("\"limit\":\"memory\""), "{out}");
}

/// Sends a signal to a running program.
#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("`kill` runs");
    assert!(sent.success());
}

#[cfg(unix)]
fn wait_for_end(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().expect("the child's status can be read") {
            return status.code();
        }
        sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program does not end within a minute");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_each_command_like_a_limit() {
    let hard = puzzle("korf-24/32.toml");
    let folder = folder("signals", &[("five.toml", EIGHT)]);
    let commands: [(&str, Vec<&str>); 6] = [
        ("-INT", vec!["solve", &hard, "--algorithm", "ida-star", "--heuristic", "manhattan", "--format", "json"]),
        ("-TERM", vec!["solve", &hard, "--algorithm", "a-star", "--format", "json"]),
        ("-INT", vec!["solve", &hard, "--algorithm", "iddfs", "--closed-limit", "1000000", "--format", "json"]),
        ("-INT", vec!["explore", &hard, "--format", "json", "--output", "explored.json"]),
        ("-TERM", vec!["compare", &hard, "--algorithm", "ida-star", "--time-limit", "1000s", "--format", "json"]),
        ("-INT", vec!["render", &hard, "--solution", "--algorithm", "iddfs", "-o", "drawn.svg"]),
    ];
    for (name, arguments) in commands {
        let mut child = command(&folder, &arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        wait_for_interrupt_handler(&child);
        assert!(child.try_wait().expect("the child's status can be read").is_none(), "{arguments:?} ends by itself");
        signal(&child, name);
        assert_eq!(wait_for_end(&mut child), Some(130), "{arguments:?}");
        let out = String::from_utf8(child.wait_with_output().expect("the child has ended").stdout).expect("UTF-8");
        let report = if out.is_empty() { fs::read_to_string(folder.join("explored.json")).unwrap_or(out) } else { out };
        assert!(arguments[0] == "render" || report.contains("interrupt"), "{arguments:?}: {report}");
    }
    assert!(fs::read_to_string(folder.join("explored.json")).is_ok_and(|text| text.ends_with("}\n")), "whole");
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_the_program_at_once_without_an_incomplete_file() {
    let folder = folder("twice", &[]);
    let hard = puzzle("korf-24/32.toml");
    let before = fs::read_dir(&folder).expect("it is there").count();
    let solve = ["solve", &hard, "--algorithm", "ida-star", "--heuristic", "manhattan", "--output", "out.txt"];
    let mut child = command(&folder, &solve).stderr(Stdio::null()).spawn().expect("the program runs");
    wait_for_interrupt_handler(&child);
    signal(&child, "-INT");
    signal(&child, "-INT");
    assert_eq!(wait_for_end(&mut child), Some(130));
    let left: Vec<_> = fs::read_dir(&folder).expect("it is there").flatten().map(|entry| entry.file_name()).collect();
    // The program may have handled the first signal before the second arrived.
    let whole = fs::read_to_string(folder.join("out.txt")).map_or(true, |text| text.contains("interrupt"));
    assert!(whole && left.len() <= before + 1 && left.iter().all(|name| name == "out.txt"), "{left:?}");
}

/// A rule whose cost depends on four variables, which grounds to 50,625 operators.
const PRICES: &str = r#"
title = "Prices"
domain = "rules"
start = { a = 0, b = 0, c = 0, d = 0 }
goal = "a == 14 && b == 14 && c == 14 && d == 14"

[variables]
a = "0..14"
b = "0..14"
c = "0..14"
d = "0..14"

[[rules]]
name = "a"
then = { a = "(a + 1) % 15" }
cost = "1 + (a * b + c * d) % 7"

[[rules]]
name = "{x}"
for = { x = ["b", "c", "d"] }
then = { x = "(x + 1) % 15" }
"#;

/// Returns a lights-out puzzle, in which a press toggles up to five lamps. The heuristic `toggles` solves its many
/// linear equations.
fn lamps(edge: usize) -> String {
    let grid = |symbol: &str| vec![symbol.repeat(edge); edge].join("\n");
    format!(
        "title = \"Lamps\"\ndomain = \"rules\"\nstart = \"\"\"\n{}\n\"\"\"\ngoal = \"\"\"\n{}\n\"\"\"\nmaps = {{ t = {{ \"*\" = \".\", \".\" = \"*\" }} }}\n\
         [[rules]]\nname = \"press\"\nfrom = \"\"\"\n???\n???\n???\n\"\"\"\nto = \"\"\"\n?t?\nttt\n?t?\n\"\"\"\nat = [1, 1]\nedge = \"clip\"\n",
        grid("*"),
        grid(".")
    )
}

#[test]
fn a_time_limit_ends_the_reading_of_a_file_in_every_command() {
    let few = PRICES.replace("0..14", "0..1").replace("14", "1").replace("15", "2");
    let files = [("prices.toml", PRICES), ("few.toml", &few), ("puzzles/prices.toml", PRICES)];
    let folder = folder("reading", &files[..2]);
    fs::create_dir(folder.join("puzzles")).expect("there is room");
    fs::write(folder.join(files[2].0), files[2].1).expect("there is room");
    assert_eq!(run(&folder, &["solve", "few.toml", "--certificate", "few.json", "-o", "few.txt"]).0, 0);
    let message = "reading stopped at the time limit";
    let commands: [&[&str]; 7] = [
        &["solve", "prices.toml"],
        &["explore", "prices.toml"],
        &["compare", "prices.toml"],
        &["render", "prices.toml", "--solution", "-o", "prices.svg"],
        &["play", "--plain", "prices.toml"],
        &["verify", "prices.toml", "few.txt"],
        &["verify", "prices.toml", "--certificate", "few.json"],
    ];
    for arguments in commands {
        let (status, out, error) = run(&folder, &[arguments, &["--time-limit", "5ms"]].concat());
        assert_eq!((status, out.as_str()), (3, ""), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
    let (status, out, _) = run(&folder, &["solve", "prices.toml", "--time-limit", "5ms", "--format", "json"]);
    let row: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &row["outcome"], &row["limit"]), (3, &"limit".into(), &"time".into()), "{row}");
    assert_eq!(row["error"], message, "{row}");
    let (status, out, _) = run(&folder, &["test", "--time-limit", "5ms"]);
    assert!(status == 3 && out.contains("stopped: puzzles/prices.toml: stopped at the time limit"), "{out}");
}

#[test]
fn a_time_limit_ends_the_scrambling_of_a_start() {
    let scrambled = |domain: &str, keys: &str, moves: &str| {
        format!("title = 's'\ndomain = '{domain}'\n{keys}\nscramble = {{ seed = 1, moves = {moves} }}\n")
    };
    let tiles = scrambled("sliding-tile", "rows = 3\ncolumns = 3", "100_000_000");
    let places = "solved = [1, 2, 3]\nmoves = { a = '(1 2 3)', b = '(1 2)' }";
    let permutation = scrambled("permutation", places, "300_000_000");
    let folder = folder("scrambling", &[("tiles.toml", &tiles), ("permutation.toml", &permutation)]);
    for file in ["tiles.toml", "permutation.toml"] {
        let (status, _, error) = run(&folder, &["solve", file, "--time-limit", "30ms"]);
        assert!(status == 3 && error.contains("reading stopped at the time limit"), "{file}: {error}");
    }
}

/// What breaks: a walk does not look at the clock, and only the wall ends it.
#[test]
fn a_time_limit_ends_every_random_walk() {
    let puzzles = [
        ("klotski", "start = 'ab..'\ngoal = '..ab'"),
        ("rules", "start = 'o...'\ngoal = '...o'\n[[rules]]\nname = 'a'\nfrom = 'o.'\nto = '.o'\nmirror = true"),
        ("sliding-tile", "start = '1 2 3 0'"),
        ("permutation", "solved = [1, 2, 3]\nstart = [2, 3, 1]\nmoves = { a = '(1 2 3)' }"),
        ("maze", "map = 'S..G'"),
        ("word-ladder", "start = 'cat'\ngoal = 'cot'\nwords = ['cat', 'cot']"),
    ];
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for (domain, keys) in puzzles {
        let puzzle = Puzzle::parse(&format!("title = 'w'\ndomain = '{domain}'\n{keys}\n"), "walk.toml");
        let puzzle = puzzle.unwrap_or_else(|report| panic!("{report}"));
        let walks = [puzzle.scrambled(Some(u32::MAX), 0, &limits), puzzle.walked(u32::MAX, 0, &limits)];
        assert!(walks.contains(&Err(Limit::Time)), "{domain}: {walks:?}");
    }
}

/// What breaks: the work of `show` grows with the square of the pieces or faster, or names every move at each step of a
/// walk. Each of these took from 20 seconds to minutes of a quiet machine.
#[test]
fn a_thousand_pieces_are_shown_and_scrambled_within_the_limits() {
    let places = |count: usize| (0..count).map(|cell| format!("[{}, {}]", 31 - cell / 32, 31 - cell % 32));
    let goal = |count| places(count).collect::<Vec<_>>().join(", ");
    let pieces = |count: usize| -> String {
        (0..count).map(|cell| format!("p{cell} = {{ shape = 's', at = [{}, {}] }}\n", cell / 32, cell % 32)).collect()
    };
    let board = |metric: &str, demanded, count| {
        format!(
            "title = 'b'\ndomain = 'klotski'\nmetric = '{metric}'\nrows = 32\ncolumns = 32\ngoal = {{ s = [{}] }}\n\
             shapes = {{ s = ['#'] }}\n[pieces]\n{}",
            goal(demanded),
            pieces(count)
        )
    };
    let (all, turns) = (board("slide", 1000, 1000), board("turn", 40, 900));
    let folder = folder("thousand-pieces", &[("all.toml", &all), ("turns.toml", &turns)]);
    for file in ["all.toml", "turns.toml"] {
        for command in ["show", "scramble"] {
            let started = Instant::now();
            let (status, _, error) = run(&folder, &[command, file, "--memory-limit", "2GiB", "--time-limit", "30s"]);
            assert_eq!(status, 0, "{command} {file}, after {:?}: {error}", started.elapsed());
        }
    }
}

#[test]
fn a_time_limit_ends_the_preparation_of_a_search() {
    let lamps = lamps(52);
    let folder = folder("finding-out", &[("prices.toml", PRICES), ("lamps.toml", &lamps)]);
    let begun = Instant::now();
    for arguments in [&["solve", "lamps.toml"][..], &["solve", "lamps.toml", "--heuristic", "toggles"]] {
        let (status, out, _) = run(&folder, &[arguments, &["--time-limit", "400ms", "--format", "json"]].concat());
        let row: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((status, &row["limit"]), (3, &"time".into()), "{row}");
    }
    // A comparison of all pairs of operators would take half a minute for `prices.toml` alone.
    assert_eq!(run(&folder, &["check", "prices.toml"]).0, 0);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// A game whose presses take long: a loop that ends after very many turns.
const SLOW_GAME: &str = "OBJECTS\nBackground\nblack\nPlayer\nwhite\nCrate\nred\nGoal\ngreen\n\nLEGEND\n. = Background\n\
    w = Player\n1 = Crate\nd = Goal\n\nSOUNDS\n\nCOLLISIONLAYERS\nBackground\nPlayer, Crate\nGoal\n\nRULES\nstartloop\n\
    [ Crate ] -> [ > Crate ]\n+ [ > Crate ] -> [ Crate ]\nendloop\n\nWINCONDITIONS\nall Player on Goal\n\nLEVELS\nw..d1\n";

/// A limit may fall between finding a solution and writing down its moves, which presses the keys once more.
#[test]
fn a_solution_found_at_the_time_limit_is_written_down() {
    let folder = folder("slow-presses", &[("slow.ps", SLOW_GAME)]);
    for limit in (50..1500).step_by(150) {
        let limit = format!("{limit}ms");
        let (status, out, errors) = run(&folder, &["solve", "slow.ps", "--time-limit", &limit, "--threads", "1"]);
        assert!([0, 3].contains(&status), "{limit}: {status}\n{out}{errors}");
        assert_eq!(status == 0, out.contains("3. right"), "{limit}: {out}");
    }
}

#[test]
fn the_time_limit_of_a_comparison_includes_the_building_of_heuristics() {
    let lamps = lamps(52);
    let folder = folder("comparing", &[("lamps.toml", &lamps)]);
    let begun = Instant::now();
    let compare = |limit| {
        let only = ["--algorithm", "a-star", "--heuristic", "toggles", "--time-limit", limit, "--format", "json"];
        run(&folder, &[&["compare", "lamps.toml"][..], &only].concat())
    };
    // A busy machine may need the first of these limits to read the file.
    let compared = ["500ms", "2s", "8s"].into_iter().map(compare).find(|(status, ..)| *status == 0);
    let (_, out, _) = compared.expect("8 s are enough to read the file");
    let toggles: Value = serde_json::from_str(&out).expect("one row of JSON");
    assert_eq!(toggles["limit"], "time", "{toggles}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn an_interrupt_ends_the_reading_of_a_file() {
    use engine::puzzle::Loading;
    use engine::search::Limit;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let limits = |set| engine::Limits { interrupt: Some(Arc::new(AtomicBool::new(set))), ..engine::Limits::default() };
    let read = |set| Loading { limits: limits(set), ..Loading::default() }.parse(PRICES, "prices.toml");
    let report = read(true).err().expect("it was interrupted before");
    assert_eq!(report.limit(), Some(Limit::Interrupt));
    assert!(report.to_string().contains("reading was interrupted"), "{report}");
    assert!(read(false).is_ok());
    // A bad file is an error with any limits.
    let wrong = Loading::default().parse("title = 1", "wrong.toml").err().expect("no puzzle");
    assert_eq!(wrong.limit(), None);
}

#[test]
fn costs_beyond_all_that_searches_count_are_not_proven() {
    let counter = "title = 'Odometer'\ndomain = 'rules'\nstart = { a = 0, b = 0, c = 0 }\n\
        goal = { a = 249, b = 249, c = 6 }\n[variables]\na = '0..249'\nb = '0..249'\nc = '0..6'\n\
        [[rules]]\nname = 'a'\nthen = { a = 'a + 1' }\ncost = 10000\n\
        [[rules]]\nname = 'b'\nwhen = 'a == 249'\nthen = { a = '0', b = 'b + 1' }\ncost = 10000\n\
        [[rules]]\nname = 'c'\nwhen = 'a == 249 && b == 249'\nthen = { a = '0', b = '0', c = 'c + 1' }\ncost = 9999\n";
    let folder = folder("costs", &[("odometer.toml", counter)]);
    for algorithm in ["bfs", "dfs"] {
        let (status, out, errors) = run(&folder, &["solve", "odometer.toml", "--algorithm", algorithm, "--json"]);
        let row: Value = serde_json::from_str(&out).unwrap_or_else(|wrong| panic!("{wrong}: {errors}"));
        assert_eq!(
            (status, &row["cost"], &row["optimal"]),
            (0, &4_374_989_994_u64.into(), &false.into()),
            "{algorithm}: 437,499 moves, nearly all of which cost 10,000"
        );
    }
    for options in [&["--algorithm", "a-star"][..], &["--algorithm", "greedy", "--depth-limit", "4294967295"]] {
        let (status, out, _) = run(&folder, &[&["solve", "odometer.toml", "--json"], options].concat());
        assert!(status == 3 && out.contains("\"outcome\":\"limit\""), "{options:?}: {out}");
    }
}

/// What breaks: the state that is being expanded when a limit ends the search is taken for closed, so that only what
/// the depth limit cut off seems to be left.
#[test]
fn bounds_are_true_when_two_limits_meet() {
    let corridor = "title = 'Corridor'\ndomain = 'maze'\nmoves = 'diagonal'\nmap = '''\n9#9#9\nS...G\n'''\n";
    let folder = folder("two-limits", &[("corridor.toml", corridor)]);
    for algorithm in ["a-star", "weighted-a-star", "greedy", "ida-star", "beam", "bfs"] {
        for (depth, nodes) in (0..8).flat_map(|depth| (0..6).map(move |nodes| (depth, nodes))) {
            let [depth, nodes] = [depth, nodes].map(|limit: u32| limit.to_string());
            let limits = ["--depth-limit", &depth, "--node-limit", &nodes];
            let (_, out, errors) =
                run(&folder, &[&["solve", "corridor.toml", "--json", "--algorithm", algorithm], &limits[..]].concat());
            let row: Value = serde_json::from_str(&out).unwrap_or_else(|wrong| panic!("{wrong}: {errors}"));
            let bound = row["lower_bound"].as_f64().unwrap_or(0.0);
            assert!(bound <= 4.0 && row["outcome"] != "unsolvable", "{algorithm}, {depth}, {nodes}: {out}");
        }
    }
}

/// A board that is only declared: making it takes seconds, and nothing checks the limits meanwhile.
const DECLARED: &str =
    "title = \"Declared\"\ndomain = \"sliding-tile\"\nrows = 12000\ncolumns = 12000\nscramble = { seed = 7 }\n";

#[test]
fn work_that_checks_no_limits_hits_the_wall_and_the_other_files_are_solved() {
    let folder = folder("wall", &[("declared.toml", DECLARED), ("eight.toml", EIGHT)]);
    let started = Instant::now();
    let arguments =
        ["solve", "eight.toml", "declared.toml", "eight.toml", "--time-limit", "100ms", "--json", "-o", "out.jsonl"];
    let (status, _, error) = run(&folder, &arguments);
    assert_eq!(status, 3, "{error}");
    assert!(started.elapsed() < Duration::from_secs(6), "the wall is a second behind the limit");
    let lines = fs::read_to_string(folder.join("out.jsonl")).expect("the results of all files are there");
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let outcomes: Vec<&Value> = rows.iter().map(|row| &row["outcome"]).collect();
    assert_eq!(outcomes, ["solved", "limit", "solved"], "{lines}");
    assert_eq!(rows[1]["limit"], "time");
    let left: Vec<String> = fs::read_dir(&folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !["declared.toml", "eight.toml", "out.jsonl"].contains(&name.as_str()))
        .collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}

#[test]
fn reading_has_limits_by_default_and_checking_makes_no_declared_board() {
    let folder = folder("reading-limits", &[("declared.toml", &DECLARED.replace("12000", "32768"))]);
    let (status, checked, peak) = run_with_peak(&folder, &["check", "--json", "declared.toml"]);
    assert_eq!((status, &checked["ok"]), (Some(0), &Value::Bool(true)));
    assert!(peak.is_none_or(|peak| peak < 100 << 20), "a peak of {peak:?} bytes for a board that nobody needs");
    let started = Instant::now();
    let (status, _, error) = run(&folder, &["show", "declared.toml", "--time-limit", "100ms"]);
    assert_eq!(status, 3, "{error}");
    assert!(error.contains("stopped at the time limit"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(6), "the wall is a second behind the limit");
}
