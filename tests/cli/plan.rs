//! Tests `engine plan` and its estimates of puzzles with known sizes.

use crate::support::program::{EIGHT, command, folder, run};
use crate::support::root;
use engine::Puzzle;
use engine::search::{Basis, Estimate, Limits, Machines, Question, Request, Work};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Plans a puzzle below `puzzles/` and returns the JSON.
fn planned(file: &str, options: &[&str]) -> Value {
    let file = format!("puzzles/{file}");
    let arguments = ["plan", &file, "--format", "json", "--machines", "8"];
    let (status, out, stderr) = run(&root(), &[&arguments[..], options].concat());
    assert_eq!((status, stderr.as_str()), (0, ""), "{file}: {out}");
    serde_json::from_str(&out).expect("JSON")
}

/// Removes the fields that depend on the speed of the machine.
fn without_speed(mut row: Value) -> Value {
    let fields = row.as_object_mut().expect("an object");
    fields.remove("measured");
    fields.remove("estimated");
    row
}

/// A question with a small budget.
fn question(most: usize, steps: usize) -> Question {
    Question { most, steps, ..Question::of(Machines { hosts: 2, workers: 1, bandwidth: 1e9 }) }
}

/// Estimates a puzzle with a small budget.
fn estimated(puzzle: &Puzzle, depth: Option<u32>, states: usize) -> Estimate {
    let question = question(states, 1 << 18);
    puzzle.plan(&Limits { depth, ..Limits::default() }, &question).unwrap_or_else(|error| panic!("{error}"))
}

fn puzzle(file: &str) -> Puzzle {
    Puzzle::load(root().join("puzzles").join(file)).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn states_are_exact_where_a_formula_exists() {
    for (file, exact) in [
        ("fifteen-puzzle/42-moves.toml", "10461394944000"),
        ("permutation/rubiks-cube.toml", "43252003274489856000"),
        ("korf-24/25.toml", "7755605021665492992000000"),
    ] {
        let states = estimated(&puzzle(file), None, 10_000).states;
        assert_eq!((states.basis, states.states), (Basis::Formula, exact.parse().expect("a number")), "{file}");
    }
    let row = planned("eight-puzzle/20-moves.toml", &[]);
    assert_eq!((&row["states"]["value"], &row["states"]["basis"]), (&181_440.into(), &"counted".into()));
    assert_eq!(row["states"]["high"], 181_440);
}

#[test]
fn json_has_every_field_and_the_same_states_on_every_run() {
    let options = ["--workers", "3", "--network", "2.5Gbit", "--depth-limit", "19"];
    let row = planned("fifteen-puzzle/42-moves.toml", &options);
    let names = |row: &Value| row.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    let fields = "depth_limit domain estimated file hosts limit measured metric network_bits_per_second seed states title walks workers";
    assert_eq!(names(&row), fields);
    assert_eq!(names(&row["states"]), "basis high low value");
    assert_eq!(names(&row["measured"]), "bytes_per_state sent_bytes_per_state states_per_second_per_worker");
    let estimated = "compute_seconds disk_bytes_per_host network_bytes_per_host network_seconds seconds";
    assert_eq!(names(&row["estimated"]), estimated);
    assert_eq!((&row["hosts"], &row["workers"], &row["walks"]), (&8.into(), &3.into(), &1.into()));
    assert_eq!(row["network_bits_per_second"], 2.5e9);
    let estimated = |field: &str| row["estimated"][field].as_f64().expect("a number");
    assert!((estimated("compute_seconds") + estimated("network_seconds") - estimated("seconds")).abs() < 1e-9);
    assert_eq!(without_speed(row), without_speed(planned("fifteen-puzzle/42-moves.toml", &options)));
}

#[test]
fn the_growth_of_layers_bounds_the_states_to_a_depth() {
    // Rubik's cube in the quarter-turn metric: https://www.cube20.org/qtm.
    let cube = std::fs::read_to_string(root().join("puzzles/permutation/rubiks-cube.toml")).expect("it is there");
    let cube = cube.replace("[moves]", "metric = \"generator\"\n\n[moves]");
    let cube = Puzzle::parse(&cube, "cube.toml").unwrap_or_else(|report| panic!("{report}"));
    let published = [1_u64, 12, 114, 1068, 10011, 93840, 878_880, 8_221_632, 76_843_595, 717_789_576];
    let estimate = estimated(&cube, Some(9), 110_000);
    assert_eq!(estimate.layers, published[..6]);
    let (states, all) = (estimate.states, published.iter().sum::<u64>() as f64);
    assert_eq!(states.basis, Basis::Extrapolated);
    assert!(states.low < all && all < states.high && states.high < 1.1 * all, "{states:?}, not {all}");
}

/// Checks that every interval contains the true size. If random walks do not mix, the estimate is a lower bound.
#[test]
fn random_walks_estimate_the_explored_sizes_or_a_lower_bound() {
    let mut found = 0;
    for file in [
        "eight-puzzle/20-moves.toml",
        "permutation/topspin-8-4.toml",
        "klotski7.toml",
        "klotski2.toml",
        "klotski4.toml",
    ] {
        let exact = puzzle(file).explore(&Limits::default()).found.states() as f64;
        let question = question(2000, 1 << 19);
        let space = puzzle(file).space("zero").expect("every puzzle has the heuristic `zero`");
        let response = space.run(&Request::in_memory(Work::Estimate(&question), &Limits::default()));
        let states = response.unwrap_or_else(|error| panic!("{error}")).answer.estimated().states;
        match states.basis {
            Basis::Collisions => {
                found += 1;
                let error = (states.high / states.states).ln() / 2.0;
                assert!(
                    error < 0.3 && (states.states / exact).ln().abs() < 4.0 * error,
                    "{file}: {states:?}, not {exact}"
                );
            }
            basis => assert!(basis == Basis::AtLeast && states.low <= exact, "{file}: {states:?}, not {exact}"),
        }
    }
    assert!(found >= 2, "random walks mix in {found} of them");
}

#[test]
fn without_reversible_moves_the_estimate_is_a_lower_bound() {
    let solitaire = puzzle("rules/english-peg-solitaire.toml");
    let states = estimated(&solitaire, None, 10_000).states;
    assert_eq!((states.basis, states.high), (Basis::AtLeast, f64::INFINITY));
    assert!((1e3..=1e4).contains(&states.states), "not the counted states: {states:?}");
    let file = "puzzles/rules/english-peg-solitaire.toml";
    let (status, text, _) = run(&root(), &["plan", file, "--machines", "8"]);
    // A slow machine may reach the time limit.
    assert!(status == 0 || status == 3, "{text}");
    assert!(text.contains("states     at least ") && text.contains("\nestimated, at least\n"), "{text}");
}

#[test]
fn text_separates_measured_from_estimated_values() {
    let folder = folder("plan-text", &[("five.toml", EIGHT)]);
    let (status, text, stderr) = run(&folder, &["plan", "five.toml", "--machines", "1000", "--workers", "1"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    for part in
        ["181,440, counted", "\nmeasured, on this machine\n", "\nestimated\n", "1,000, each with 1 worker and 1 Gbit/s"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, _, _) = run(&folder, &["plan", "five.toml", "--machines", "2", "-o", "plan.json", "--format", "json"]);
    let written = std::fs::read_to_string(folder.join("plan.json")).expect("it was written");
    assert!(status == 0 && written.ends_with("}\n"), "{written}");
}

#[test]
fn spaces_with_too_few_states_to_measure_are_planned() {
    let alone = "title = \"One\"\ndomain = \"sliding-tile\"\nstart = \"0\"\n";
    let folder = folder("plan-one", &[("one.toml", alone), ("five.toml", EIGHT)]);
    for (file, options) in [("one.toml", &[][..]), ("five.toml", &["--depth-limit", "0"])] {
        let arguments = [&["plan", file, "--machines", "3"], options].concat();
        let (status, text, stderr) = run(&folder, &arguments);
        assert!(stderr.is_empty() && text.contains("states "), "{arguments:?}: {text} {stderr}");
        assert_eq!(status, 0, "{arguments:?}");
    }
}

#[test]
fn a_time_limit_ends_the_whole_estimate() {
    let file = root().join("puzzles/korf-15/009.toml");
    let started = Instant::now();
    let arguments = ["plan", file.to_str().expect("the path is UTF-8"), "--machines", "3", "--time-limit", "0.02"];
    let (status, text, _) = run(&root(), &arguments);
    assert!(status == 3 && text.contains("stopped at the time limit"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn wrong_usage_and_puzzles_that_hosts_cannot_share_are_refused() {
    let terrain = "title = \"Terrain\"\ndomain = \"maze\"\nmap = \"\"\"\nS5G\n\"\"\"\n";
    let folder = folder("plan-wrong", &[("five.toml", EIGHT), ("terrain.toml", terrain)]);
    let wrong: [(&[&str], &str); 8] = [
        (&["five.toml"], "--machines"),
        (&["five.toml", "--machines", "0"], "0 is not in"),
        (&["five.toml", "--machines", "2", "--workers", "0"], "0 is not in"),
        (&["five.toml", "--machines", "2", "--network", "fast"], "such as 1Gbit"),
        (&["five.toml", "--machines", "2", "--network=-1Gbit"], "such as 1Gbit"),
        (&["five.toml", "--machines", "2", "--time-limit", "soon"], "--time-limit"),
        (&["missing.toml", "--machines", "2"], "missing.toml"),
        (&["terrain.toml", "--machines", "2"], "needs moves of cost 1"),
    ];
    for (arguments, expected) in wrong {
        let (status, out, stderr) = run(&folder, &[&["plan"], arguments].concat());
        assert!(status == 2 && out.is_empty() && stderr.contains(expected), "{arguments:?}: {status} {stderr}");
    }
    let (status, _, stderr) = run(&folder, &["plan", "five.toml", "--machines", "2", "-o", "five.toml"]);
    assert!(status == 2 && stderr.contains("five.toml"), "a plan overwrites a puzzle: {stderr}");
}

#[test]
fn a_closed_pipe_ends_quietly_without_a_temporary_folder() {
    let folder = folder("plan-pipe", &[("five.toml", EIGHT)]);
    let temporary = folder.join("temporary");
    std::fs::create_dir(&temporary).expect("the folder can be created");
    let arguments = ["plan", "five.toml", "--machines", "2"];
    let mut child = command(&folder, &arguments);
    let child = child.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""));
    assert_eq!(std::fs::read_dir(&temporary).expect("a folder").count(), 0);
    let output = command(&folder, &arguments).env("TMPDIR", "/nowhere").output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains("TMPDIR"), "{stderr}");
}
