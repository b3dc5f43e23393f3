//! Tests determinism: a file yields the same bytes with any number of threads, in any folder and environment, in every
//! run. The standard library's hashes have another seed in each run, so a second run tests these as well.

use crate::support::root;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puzzles of every domain, metric, surface and algorithm, each solved in well under a second.
const PUZZLES: &[&str] = &[
    "algorithms/blocks-dfs.toml",
    "algorithms/eight-dfs.toml",
    "algorithms/eight-greedy.toml",
    "algorithms/eight-iddfs.toml",
    "algorithms/eight-weighted.toml",
    "algorithms/fifteen-walking.toml",
    "algorithms/klotski1-too-deep.toml",
    "algorithms/klotski3-a-star.toml",
    "blocks/any-square.toml",
    "blocks/either-goal.toml",
    "blocks/gate-unsolvable.toml",
    "blocks/listed.toml",
    "blocks/traffic.toml",
    "boards/thirty-six.toml",
    "boards/wide-3x2.toml",
    "eight-puzzle/20-moves.toml",
    "eight-puzzle/unsolvable.toml",
    "fifteen-puzzle/30-moves.toml",
    "gnome-klotski/ambush.toml",
    "klotski2.toml",
    "klotski5.toml",
    "mazes/map-file.toml",
    "metrics/eight-multi.toml",
    "metrics/klotski2-turn.toml",
    "permutation/pancakes.toml",
    "permutation/pyraminx.toml",
    "permutation/topspin-8-4.toml",
    "permutation/twisted-corner.toml",
    "words/horse-nurse-sgb.toml",
    "words/one-way.toml",
];

/// Folders from which the test takes the first, the middle and the last puzzle.
const FOLDERS: &[&str] = &["mazes", "surfaces", "tutorial"];

/// Puzzles whose state spaces are small enough to explore completely.
const SMALL: &[&str] = &[
    "algorithms/two-by-two-dfs.toml",
    "boards/wide-3x2.toml",
    "klotski1.toml",
    "blocks/listed.toml",
    "words/horse-nurse.toml",
    "eight-puzzle/10-moves.toml",
];

/// A setting in which the program must print the same bytes.
#[derive(Clone, Default)]
struct Setting {
    name: &'static str,
    threads: Option<&'static str>,
    environment: &'static [(&'static str, &'static str)],
    /// True if the program gets no other environment variables.
    empty: bool,
    /// True if the program runs in another folder, which links to the puzzles.
    elsewhere: bool,
    /// True if the program may write and read cached tables.
    cached: bool,
}

fn settings() -> Vec<Setting> {
    let with = |name, environment| Setting { name, environment, threads: Some("2"), ..Setting::default() };
    vec![
        Setting { name: "another run", threads: Some("1"), ..Setting::default() },
        Setting { name: "two threads", threads: Some("2"), ..Setting::default() },
        Setting { name: "eight threads", threads: Some("8"), ..Setting::default() },
        Setting { name: "as many threads as there are", ..Setting::default() },
        Setting { name: "rayon's threads", threads: None, ..with("", &[("RAYON_NUM_THREADS", "3")]) },
        Setting { elsewhere: true, ..with("another folder", &[("HOME", "/nonexistent"), ("USER", "nobody")]) },
        with(
            "the Pacific, Turkish",
            &[("TZ", "Pacific/Kiritimati"), ("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")],
        ),
        with("German", &[("TZ", "America/New_York"), ("LC_ALL", "de_DE.UTF-8"), ("LC_NUMERIC", "de_DE.UTF-8")]),
        with("no language", &[("LC_ALL", "C"), ("TERM", "dumb"), ("COLUMNS", "20"), ("LINES", "5")]),
        Setting { empty: true, ..with("an empty environment", &[]) },
        Setting { cached: true, ..with("tables written", &[]) },
        Setting { cached: true, ..with("tables read", &[]) },
    ]
}

/// Returns commands, each with whether it has the option `--threads`.
fn commands() -> Vec<(Vec<String>, bool)> {
    let mut puzzles: Vec<String> = PUZZLES.iter().map(|name| format!("puzzles/{name}")).collect();
    for folder in FOLDERS {
        let is_short = |name: &PathBuf| {
            let text =
                fs::read_to_string(root().join("puzzles").join(folder).join(name)).expect("a puzzle can be read");
            !text.contains("\"long\"") && !text.contains("[[")
        };
        let all: Vec<PathBuf> = crate::support::files_below(&root().join("puzzles").join(folder), "toml")
            .into_iter()
            .filter(is_short)
            .collect();
        for chosen in [0, all.len() / 2, all.len() - 1] {
            puzzles.push(format!("puzzles/{folder}/{}", all[chosen].display()));
        }
    }
    let mut commands = Vec::new();
    let mut add = |threads: bool, arguments: &[&str]| {
        commands.push((arguments.iter().map(|&argument| argument.to_owned()).collect(), threads));
    };
    for puzzle in &puzzles {
        let puzzle = puzzle.as_str();
        let nodes = ["--node-limit", "100000"];
        add(true, &[&["solve", puzzle, "--no-cache", "--format", "json"], &nodes[..]].concat());
        // The pattern databases of this board take seconds.
        if puzzle != "puzzles/boards/thirty-six.toml" {
            add(false, &["show", puzzle]);
        }
    }
    let all: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    add(true, &[&["solve", "--node-limit", "100000"], &all[..]].concat());
    add(true, &[&["solve", "--format", "boards", "--node-limit", "100000"], &all[..6]].concat());
    add(true, &["solve", "--all", "5", "puzzles/klotski2.toml", "puzzles/eight-puzzle/20-moves.toml"]);
    for puzzle in SMALL.iter().filter(|puzzle| root().join("puzzles").join(puzzle).exists()) {
        let puzzle = format!("puzzles/{puzzle}");
        add(true, &["explore", &puzzle]);
        add(true, &["explore", &puzzle, "--format", "json"]);
        add(true, &["compare", &puzzle, "--no-times", "--node-limit", "3000", "--time-limit", "1h"]);
        // Pixels take long to draw.
        let is_drawn = ["puzzles/klotski1.toml", "puzzles/words/horse-nurse.toml"].contains(&puzzle.as_str());
        for format in if is_drawn { &["svg", "html", "gif", "png"][..] } else { &["svg", "html"] } {
            let solution = if *format == "png" { "--step=1" } else { "--solution" };
            let arguments = ["render", &puzzle, "-o", "-", "--format", format, solution];
            add(false, if *format == "html" { &arguments[..6] } else { &arguments[..] });
        }
    }
    // The command that caches tables.
    add(true, &["solve", "puzzles/korf-15/012.toml", "--heuristic", "pattern-database", "--format", "json"]);
    add(false, &["list", "puzzles"]);
    add(false, &["check", "puzzles"]);
    add(true, &["test", "puzzles", "--filter", "tutorial"]);
    add(true, &["test", "puzzles", "--filter", "eight-puzzle", "--format", "json"]);
    for arguments in [
        &["domains"][..],
        &["domains", "klotski"],
        &["schema"],
        &["schema", "permutation"],
        &["scramble", "puzzles/eight-puzzle/20-moves.toml", "--seed", "7"],
        &["scramble", "puzzles/klotski7.toml", "--seed", "7"],
        &["completions", "bash"],
        &["man"],
    ] {
        add(false, arguments);
    }
    commands
}

/// Runs a command in a setting; returns the exit status and both streams, without times and memory.
fn run_in(
    setting: &Setting,
    (arguments, threads): &(Vec<String>, bool),
    elsewhere: &Path,
    cache: &Path,
) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    if setting.empty {
        command.env_clear();
    } else {
        command.env("XDG_CACHE_HOME", cache);
    }
    command.envs(setting.environment.iter().copied()).args(arguments);
    let caches = arguments[0] == "solve" && !arguments.iter().any(|argument| argument == "--no-cache");
    if caches && !setting.cached {
        command.arg("--no-cache");
    }
    if let Some(number) = setting.threads.filter(|_| *threads) {
        command.args(["--threads", number]);
    }
    command.current_dir(if setting.elsewhere { elsewhere.to_owned() } else { root() });
    let output = command.output().expect("the program runs");
    (output.status.code(), without_measurements(output.stdout), output.stderr)
}

/// Removes the seconds and the peak memory from JSON output.
fn without_measurements(out: Vec<u8>) -> Vec<u8> {
    if out.first() != Some(&b'{') || out.starts_with(b"{\n") {
        return out;
    }
    let text = String::from_utf8(out).expect("JSON is UTF-8");
    let line = |line: &str| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let row = row.as_object_mut().expect("an object");
        row.remove("seconds");
        row.remove("peak_memory_bytes");
        serde_json::to_string(row).expect("it was JSON") + "\n"
    };
    text.lines().map(line).collect::<String>().into_bytes()
}

#[test]
fn a_file_yields_the_same_bytes_in_every_setting() {
    let tests = Path::new(env!("CARGO_TARGET_TMPDIR")).join("determinism");
    let _ = fs::remove_dir_all(&tests);
    let (elsewhere, cache) = (tests.join("else where"), tests.join("cache"));
    fs::create_dir_all(&elsewhere).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root().join("puzzles"), elsewhere.join("puzzles")).unwrap();
        // Snapshots behind a link would be refused.
        let copied = Command::new("cp").arg("-R").args([root().join("snapshots"), elsewhere.clone()]).status();
        assert!(copied.is_ok_and(|status| status.success()), "the snapshots can be copied");
    }
    let commands = commands();
    assert!(commands.len() > 110, "{} commands", commands.len());
    let base = Setting { name: "one thread", threads: Some("1"), ..Setting::default() };
    let run = |setting: &Setting, command| run_in(setting, command, &elsewhere, &cache);
    let expected: Vec<_> = commands.par_iter().map(|command| run(&base, command)).collect();
    for ((arguments, _), (status, out, _)) in commands.iter().zip(&expected) {
        assert!(matches!(status, Some(0 | 1 | 3)), "{arguments:?} ends with {status:?}");
        assert!(!out.is_empty(), "{arguments:?} prints nothing");
    }
    let mut differ = Vec::new();
    for (number, setting) in settings().iter().filter(|setting| cfg!(unix) || !setting.elsewhere).enumerate() {
        let compared = commands.par_iter().zip(&expected).enumerate().filter_map(|(at, (command, expected))| {
            // Each command has a second run, with eight threads if it has threads; the other settings each get an
            // eighth of the commands.
            let (arguments, has_threads) = command;
            let caches = arguments.iter().any(|argument| argument.contains("korf-15"));
            let is_second = if *has_threads { setting.threads == Some("8") } else { number == 0 };
            let is_run = if caches { setting.cached } else { is_second || at % 8 == number % 8 };
            if !is_run {
                return None;
            }
            let found = run(setting, command);
            let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned();
            let shown =
                |(status, out, err): &(_, Vec<u8>, Vec<u8>)| format!("{status:?}\n{}\n{}", text(out), text(err));
            (*expected != found)
                .then(|| format!("{}: {arguments:?}\n{}\n-----\n{}", setting.name, shown(expected), shown(&found)))
        });
        differ.extend(compared.collect::<Vec<String>>());
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ[..differ.len().min(5)].join("\n=====\n"));
    let cached_tables = fs::read_dir(cache.join("engine")).map_or(0, Iterator::count);
    assert!(cached_tables > 0, "no table was cached");
}
