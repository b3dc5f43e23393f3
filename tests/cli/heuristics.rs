//! Tests heuristics that files define: reading, searching, and checking them against exact costs.

use crate::support::program::{folder, run};
use engine::{Options, Puzzle};
use serde_json::Value;
use std::path::Path;

const MANHATTAN: &str = "sum(t in tiles: abs(row(t) - goal_row(t)) + abs(column(t) - goal_column(t)))";

/// An 8-puzzle without its heuristics.
const EIGHT: &str = "title = \"T\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n5 2 3\n4 8 6\n7 0 1\n\"\"\"\n";

/// A board of six cells, whose space of 360 positions is measured in no time.
const SIX: &str = "title = \"T\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 2\n5 3 0\n\"\"\"\n";

const MAZE: &str = "title = \"M\"\ndomain = \"maze\"\nmap = \"\"\"\nS.#..2\n.#..#.\n...#.G\n\"\"\"\n";

const BLOCKS: &str = "title = \"B\"\ndomain = \"klotski\"\nmetric = \"step\"\nstart = \"\"\"\nxx.a\nb..a\nbc.d\n\"\"\"\n\
    goal = \"\"\"\n....\n....\n..xx\n\"\"\"\n";

const LADDER: &str = "title = \"L\"\ndomain = \"word-ladder\"\nstart = \"cold\"\ngoal = \"warm\"\nedits = [\"change\"]\n\
    words = [\"cold\", \"cord\", \"card\", \"ward\", \"warm\", \"word\", \"worm\", \"core\", \"corn\"]\n";

fn with(base: &str, heuristics: &[(&str, &str)]) -> String {
    let table = |(name, value): &(&str, &str)| format!("\n[heuristics.{name}]\nvalue = \"{value}\"\n");
    base.to_owned() + &heuristics.iter().map(table).collect::<String>()
}

fn json(here: &Path, arguments: &[&str]) -> Value {
    let (status, out, error) = run(here, arguments);
    assert!(status == 0, "{arguments:?}: {status} {out} {error}");
    serde_json::from_str(&out).unwrap_or_else(|wrong| panic!("{arguments:?}: {wrong}: {out}"))
}

fn solved(here: &Path, file: &str, algorithm: &str, heuristic: &str) -> Value {
    json(here, &["solve", file, "--format", "json", "--algorithm", algorithm, "--heuristic", heuristic])
}

/// Returns the check of the heuristics of a file.
fn checked(test: &str, text: &str, options: &[&str]) -> Value {
    let here = folder(test, &[("p.toml", text)]);
    json(&here, &[&["check", "p.toml", "--heuristics", "--json"], options].concat())["heuristics"].clone()
}

fn row<'a>(check: &'a Value, name: &str) -> &'a Value {
    let rows = check["heuristics"].as_array().expect("a list");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {check}"))
}

#[test]
fn heuristics_written_by_oneself_expand_as_many_states_as_the_built_in_ones() {
    let tiles = [("mine", MANHATTAN), ("wrong", "count(cell != goal)"), ("steps", "sum(distance)"), ("none", "0")];
    let here = folder(
        "own-equal",
        &[
            ("tiles.toml", &with(EIGHT, &tiles)),
            (
                "torus.toml",
                &with(&EIGHT.replace("\nstart", "\nsurface = \"torus\"\nstart"), &[("steps", "sum(distance)")]),
            ),
            ("array.toml", &with(&EIGHT.replace("\nstart", "\nrepresentation = \"array\"\nstart"), &tiles)),
            ("maze.toml", &with(MAZE, &[("mine", "abs(row - goal_row) + abs(column - goal_column)")])),
            (
                "blocks.toml",
                &with(
                    BLOCKS,
                    &[("mine", "sum(p in goal_pieces: abs(row(p) - goal_row(p)) + abs(column(p) - goal_column(p)))")],
                ),
            ),
        ],
    );
    let pairs = [
        ("tiles.toml", "mine", "manhattan"),
        ("tiles.toml", "steps", "manhattan"),
        ("tiles.toml", "wrong", "hamming"),
        ("tiles.toml", "none", "zero"),
        ("array.toml", "mine", "manhattan"),
        ("array.toml", "wrong", "hamming"),
        ("torus.toml", "steps", "manhattan"),
        ("maze.toml", "mine", "manhattan"),
        ("blocks.toml", "mine", "goal-distance"),
    ];
    for (file, own, built_in) in pairs {
        let mut algorithms = vec!["a-star", "weighted-a-star", "greedy"];
        // Elsewhere, or without a bound that prunes, iterative deepening takes long.
        if built_in != "zero" && file != "blocks.toml" {
            algorithms.push("ida-star");
        }
        for algorithm in algorithms {
            let (one, other) = (solved(&here, file, algorithm, own), solved(&here, file, algorithm, built_in));
            let counts =
                |answer: &Value| [&answer["expanded"], &answer["generated"], &answer["moves"]].map(Value::clone);
            assert_eq!(counts(&one), counts(&other), "{file} {algorithm} {own}");
            assert!(one["expanded"].as_u64() > Some(0), "{file} {algorithm} {own}");
            assert_eq!(one["heuristic"], own);
            assert_eq!((&one["optimal"], &one["lower_bound"]), (&Value::Bool(false), &Value::Null), "{algorithm}");
        }
    }
}

#[test]
fn what_a_heuristic_of_the_file_found_is_not_proven_and_the_transcript_says_why() {
    let file = with(SIX, &[("mine", MANHATTAN)]) + "\n[search]\nalgorithm = \"a-star\"\nheuristic = \"mine\"\n";
    let here = folder("own-proof", &[("p.toml", &file)]);
    let (status, out, _) = run(&here, &["solve", "p.toml", "--format", "text"]);
    assert_eq!(status, 0);
    assert!(
        out.contains(", not proven shortest: `mine` is a heuristic of the file, which may overestimate\n"),
        "{out}"
    );
    assert!(out.contains("\nstart  h = "), "{out}");
    // A search that does not use it proves its solution.
    let proven = json(&here, &["solve", "p.toml", "--format", "json", "--algorithm", "bfs"]);
    assert_eq!(proven["optimal"], true);
    let cost = proven["cost"].as_f64();
    assert_eq!(solved(&here, "p.toml", "a-star", "mine")["cost"].as_f64(), cost);
    let (status, _, error) = run(&here, &["solve", "p.toml", "--count"]);
    assert_eq!(status, 2);
    assert!(error.contains("`mine` may overestimate, so not all shortest solutions can be found by it"), "{error}");
    let (_, out, _) = run(&here, &["show", "p.toml"]);
    assert!(out.contains("h mine") && out.contains("(of the file)"), "{out}");
    let (status, out, error) =
        run(&here, &["compare", "p.toml", "--algorithm", "a-star", "--heuristic", "mine,manhattan"]);
    assert!(status == 0 && out.contains("mine"), "{out}{error}");
    let (status, _, error) = run(&here, &["solve", "p.toml", "--heuristic", "mien"]);
    assert!(status == 2 && error.contains("did you mean `mine`?"), "{error}");
    // Without a solution, the search is still a proof.
    let walls = "title = \"M\"\ndomain = \"maze\"\nmap = \"S#G\"\n";
    let here = folder("own-none", &[("p.toml", &with(walls, &[("mine", "1000")]))]);
    let (status, out, _) = run(&here, &["solve", "p.toml", "--heuristic", "mine", "--format", "json"]);
    assert_eq!(
        (status, serde_json::from_str::<Value>(&out).expect("an object")["outcome"].as_str()),
        (1, Some("unsolvable"))
    );
}

#[test]
fn a_check_of_the_whole_space_finds_the_smallest_counter_example() {
    let all = [
        ("mine", MANHATTAN),
        ("wrong", "count(cell != goal)"),
        ("twice", &format!("2 * {MANHATTAN}")),
        ("jumps", &format!("{MANHATTAN} / 2 * 2")),
    ];
    let check = checked("own-check", &with(SIX, &all), &[]);
    assert_eq!((&check["whole"], &check["positions"], &check["solvable"]), (&true.into(), &360.into(), &360.into()));
    for name in ["mine", "wrong"] {
        let mine = row(&check, name);
        assert_eq!((&mine["admissible"], &mine["consistent"]), (&true.into(), &true.into()), "{name}");
        assert_eq!(mine["counter_example"], Value::Null);
    }
    let mine = row(&check, "mine");
    assert_eq!(mine["equal"], serde_json::json!(["manhattan"]));
    assert_eq!(mine["dominates"], serde_json::json!(["hamming"]));
    assert!(mine["dominated_by"].as_array().expect("a list").contains(&"linear-conflict".into()));
    assert_eq!(mine["mean_h"], row(&check, "manhattan")["mean_h"]);
    // It is admissible, but even.
    let jumps = row(&check, "jumps");
    assert_eq!((&jumps["admissible"], &jumps["consistent"]), (&true.into(), &false.into()));
    let example = &jumps["counter_example"];
    let drop = example["h"].as_f64().expect("a number") - example["h_after"].as_f64().expect("a number");
    assert!(drop > example["move_cost"].as_f64().expect("a number") && example["move"].is_string());
    // The nearest position to the goal where twice the distance is too much is one move away.
    let twice = row(&check, "twice");
    assert_eq!((&twice["admissible"], &twice["equal"]), (&false.into(), &serde_json::json!([])));
    let example = &twice["counter_example"];
    assert_eq!((&example["h"], &example["cost"]), (&2.into(), &1.into()));
    // The moves lead there: a search from there needs as many moves as the example says.
    let puzzle = Puzzle::parse(SIX, "six.toml").unwrap_or_else(|report| panic!("{report}"));
    let after = example["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|name| name.as_str().expect("a name").to_owned())
        .collect();
    let solution = puzzle.solve(&Options { after, ..Options::default() }).expect("legal moves");
    assert_eq!(solution.cost(), Some(1.0));
    let here = folder("own-check-text", &[("p.toml", &with(SIX, &all))]);
    let (status, out, _) = run(&here, &["check", "p.toml", "--heuristics"]);
    assert_eq!(status, 0);
    assert!(out.contains("p.toml: heuristics in all 360 positions that can be reached\n"), "{out}");
    assert!(out.contains("twice is not admissible; the smallest counter-example, after "), "{out}");
    assert!(out.contains(": h is 2, but a goal is only 1 away\n"), "{out}");
    assert!(out.contains("mine: equals manhattan; dominates hamming; is dominated by "), "{out}");
}

#[test]
fn exact_costs_of_a_check_are_those_of_searches() {
    // The mean error of zero is the mean cost.
    let check = checked("own-mean", &with(MAZE, &[("nothing", "0"), ("mine", "max(abs(row - goal_row), 0)")]), &[]);
    let error = row(&check, "nothing")["mean_error"].as_f64().expect("a number");
    let (mut sum, mut count) = (0.0, 0);
    let rows = ["S.#..2", ".#..#.", "...#.G"];
    for (r, line) in rows.iter().enumerate() {
        for (c, _) in line.chars().enumerate().filter(|(_, cell)| !matches!(cell, '#' | 'S' | 'G')) {
            let mut map: Vec<Vec<char>> = rows.iter().map(|row| row.replace('S', ".").chars().collect()).collect();
            map[r][c] = 'S';
            let map: Vec<String> = map.into_iter().map(|row| row.into_iter().collect()).collect();
            let text = format!("title = \"M\"\ndomain = \"maze\"\nmap = \"\"\"\n{}\n\"\"\"\n", map.join("\n"));
            let puzzle = Puzzle::parse(&text, "m.toml").unwrap_or_else(|report| panic!("{report}"));
            sum += puzzle.solve(&Options::default()).expect("solved").cost().expect("a path");
            count += 1;
        }
    }
    let start = Puzzle::parse(MAZE, "m.toml").unwrap_or_else(|report| panic!("{report}"));
    sum += start.solve(&Options::default()).expect("solved").cost().expect("a path");
    // The start, and the goal at cost 0. A digit under `S` costs 1, which is no step of any of these paths.
    let mean = sum / f64::from(count + 2);
    assert!((error - mean).abs() < 1e-3, "{error} {mean}");
    assert_eq!(row(&check, "mine")["admissible"], true);
}

#[test]
fn larger_spaces_are_sampled_by_a_seed_which_the_check_says() {
    let text = with(EIGHT, &[("mine", MANHATTAN), ("twice", &format!("2 * {MANHATTAN}"))]);
    let options = ["--states", "1000", "--sample-seed", "7"];
    let check = checked("own-sample", &text, &options);
    assert_eq!((&check["whole"], &check["sample"]["seed"]), (&false.into(), &7.into()));
    assert_eq!(check["sample"]["solved"], 50);
    let (mine, twice) = (row(&check, "mine"), row(&check, "twice"));
    // Nothing was found, and nothing is decided.
    assert_eq!((&mine["admissible"], &mine["overestimates"], &mine["drops"]), (&Value::Null, &0.into(), &0.into()));
    assert_eq!(mine["equal"], serde_json::json!(["manhattan"]));
    assert_eq!(twice["admissible"], false);
    assert!(twice["counter_example"]["h"].as_f64() > twice["counter_example"]["cost"].as_f64());
    assert_eq!(check, checked("own-sample-again", &text, &options));
    assert_ne!(check["positions"], checked("own-sample-other", &text, &["--states", "1000"])["positions"]);
    let here = folder("own-sample-text", &[("p.toml", &text)]);
    let (_, out, _) = run(&here, &["check", "p.toml", "--heuristics", "--states", "1000"]);
    assert!(
        out.contains("on 50 shortest solutions (seed 1; 0 left out): no proof, only a search for counter-examples"),
        "{out}"
    );
    assert!(out.contains("not refuted") && out.contains("the smallest counter-example found"), "{out}");
}

#[test]
fn values_become_h_by_the_rules_of_the_page() {
    let all = [
        ("low", "-5"),
        ("high", "2000000"),
        ("gap", "tile(0, 0) == 0 ? 1 / 0 : 0"),
        ("lost", "sum(t in tiles: tile(row(t) + 1, 0)) * 0"),
    ];
    let here = folder("own-values", &[("p.toml", &with(SIX, &all[..3]))]);
    let check = json(&here, &["check", "p.toml", "--heuristics", "--json"])["heuristics"].clone();
    assert_eq!(row(&check, "low")["negative"], 360);
    assert_eq!((&row(&check, "low")["admissible"], &row(&check, "low")["mean_h"]), (&true.into(), &0.into()));
    assert_eq!((&row(&check, "high")["too_large"], &row(&check, "high")["mean_h"]), (&360.into(), &1_000_000.into()));
    assert_eq!((&row(&check, "gap")["undefined"], &row(&check, "gap")["mean_h"]), (&60.into(), &0.into()));
    let (_, out, _) = run(&here, &["check", "p.toml", "--heuristics"]);
    assert!(out.contains("gap: the value is undefined, so h is 0, in 60 positions\n"), "{out}");
    for name in ["low", "high", "gap"] {
        let answer = solved(&here, "p.toml", "a-star", name);
        assert_eq!((&answer["outcome"], &answer["optimal"]), (&"solved".into(), &false.into()), "{name}");
    }
    let here = folder("own-start", &[("p.toml", &with(SIX, &all[3..]))]);
    let (status, _, error) = run(&here, &["check", "p.toml"]);
    assert_eq!(status, 2);
    assert!(error.contains("the value is undefined at the start: there is no such tile, cell or place"), "{error}");
    assert!(error.contains("p.toml:9:26"), "{error}");
}

#[test]
fn interchangeable_pieces_have_no_names_and_mazes_with_several_goals_no_goal() {
    let blocking = "count(c in 2..3: !empty(0, c)) + row('x') + size('x') - height('x') - width('x')";
    let check = checked(
        "own-blocks",
        &with(BLOCKS, &[("mine", blocking), ("zero-like", "count(p in pieces: row(p) > rows)")]),
        &[],
    );
    assert_eq!(row(&check, "zero-like")["mean_h"], 0);
    assert_eq!(check["whole"], true);
    let two = MAZE.replace("S.#", "SG#");
    let nearest = "min(g in goals: abs(row - goal_row(g)) + abs(column - goal_column(g)))";
    let check = checked("own-goals", &with(&two, &[("mine", nearest)]), &[]);
    assert_eq!(row(&check, "mine")["equal"], serde_json::json!(["manhattan"]));
    let diagonal = MAZE.replace("map =", "moves = \"diagonal\"\nmap =");
    let furthest = "max(abs(row - goal_row), abs(column - goal_column))";
    let check =
        checked("own-diagonal", &with(&diagonal, &[("mine", furthest), ("both", "2 * abs(row - goal_row)")]), &[]);
    assert_eq!((&row(&check, "mine")["admissible"], &row(&check, "mine")["consistent"]), (&true.into(), &true.into()));
    for (base, value, message) in [
        (BLOCKS, "row('b')", "the piece `b` is interchangeable with `a`"),
        (BLOCKS, "row('y')", "unknown piece `y`"),
        (two.as_str(), "goal_row", "the maze has 2 goals"),
        (SIX, "row(t)", "unknown name `t`"),
        (SIX, "sum(t in tile: 1)", "unknown set `tile`"),
        (SIX, "count(t in tiles: row(t))", "expected `true` or `false`, found a number"),
        (SIX, "sum(t in tiles: rwo(t))", "did you mean `row`?"),
        (SIX, "1 +", "unexpected end of the expression"),
    ] {
        let here = folder("own-wrong", &[("p.toml", &with(base, &[("mine", value)]))]);
        let (status, _, error) = run(&here, &["check", "p.toml"]);
        assert!(status == 2 && error.contains(message) && error.contains("p.toml:"), "{value}: {error}");
    }
    for (table, message) in [
        ("[heuristics.manhattan]\nvalue = \"0\"", "the domain `sliding-tile` has a heuristic `manhattan`"),
        ("[heuristics.\"a b\"]\nvalue = \"0\"", "invalid name `a b` of a heuristic"),
        ("[heuristics.mine]\nvalu = \"0\"", "did you mean `value`?"),
        ("[heuristics.mine]", "missing key `value` of `mine`"),
        ("[heuristics]\nmine = \"0\"", "expected a table"),
        ("[heuristics.mine]\nvalue = 3", "expected a string"),
        ("[search]\nheuristic = \"mien\"\n[heuristics.mine]\nvalue = \"0\"", "did you mean `mine`?"),
    ] {
        let here = folder("own-tables", &[("p.toml", &format!("{SIX}{table}\n"))]);
        let (status, _, error) = run(&here, &["check", "p.toml"]);
        assert!(status == 2 && error.contains(message), "{table}: {error}");
    }
}

#[test]
fn written_rules_evaluate_heuristics_in_the_state_as_the_file_shows_it() {
    let walls = ["..#...", ".#...#", "...#.."];
    let drawn = |row: usize, column: usize, letter: &str| {
        let mut rows = walls.map(str::to_owned);
        rows[row].replace_range(column..=column, letter);
        rows
    };
    let mut map = drawn(0, 0, "S");
    map[2].replace_range(5..6, "G");
    let maze = format!("title = \"M\"\ndomain = \"maze\"\nmap = \"\"\"\n{}\n\"\"\"\n", map.join("\n"));
    let rules = format!(
        "title = \"R\"\ndomain = \"rules\"\nstart = \"\"\"\n{}\n\"\"\"\ngoal = {{ when = \"cell[2, 5] == '@'\" }}\n\n[[rules]]\nname = \
         \"go\"\nfrom = \"@.\"\nto = \".@\"\nturns = true\ncost = 3\n",
        drawn(0, 0, "@").join("\n")
    );
    // The walker becomes a variable for its place, and its cells lose their symbols: the value is that of the drawing.
    let far = "3 * sum(r in 0..2: sum(c in 0..5: cell[r, c] == '@' ? abs(r - 2) + abs(c - 5) : 0))";
    let count = "count('@') + count('#') + 3 * (cell[0, 0] == '@' ? 1 : 0)";
    let here = folder(
        "own-rules",
        &[
            ("maze.toml", &with(&maze, &[("far", "abs(row - goal_row) + abs(column - goal_column)")])),
            ("rules.toml", &with(&rules, &[("far", far), ("count", count), ("odd", "4")])),
        ],
    );
    let check = |file| json(&here, &["check", file, "--heuristics", "--json"])["heuristics"].clone();
    let (maze, rules) = (check("maze.toml"), check("rules.toml"));
    assert_eq!(maze["positions"], rules["positions"]);
    for field in ["mean_h", "mean_error"] {
        let [one, three] = [&maze, &rules].map(|check| row(check, "far")[field].as_f64().expect("a number"));
        assert!((3.0 * one - three).abs() < 0.01, "{field}: {one} {three}");
    }
    assert_eq!((&row(&rules, "far")["admissible"], &row(&rules, "far")["consistent"]), (&true.into(), &true.into()));
    // All moves cost 3, so h is rounded down to a multiple of it: 4 walls and one walker are 3, and 6 at the start.
    let positions = rules["positions"].as_f64().expect("a number");
    let mean = row(&rules, "count")["mean_h"].as_f64().expect("a number");
    assert!((mean - (3.0 * positions + 3.0) / positions).abs() < 0.001, "{mean}");
    assert_eq!(row(&rules, "odd")["mean_h"], 3);
    let (one, other) = (solved(&here, "maze.toml", "a-star", "far"), solved(&here, "rules.toml", "a-star", "far"));
    assert_eq!(one["moves"].as_array().expect("a list").len(), other["moves"].as_array().expect("a list").len());
    assert_eq!(other["optimal"], false);
    for algorithm in ["ida-star", "greedy", "weighted-a-star", "beam", "bfws"] {
        assert_eq!(solved(&here, "rules.toml", algorithm, "far")["outcome"], "solved", "{algorithm}");
    }
    let tubes = "title = \"P\"\ndomain = \"rules\"\nstart = { tube = [\"r g\", \"g r\", \"\"] }\n\
        goal = \"all(t in 1..3: same(tube[t]) == size(tube[t]) && size(tube[t]) in [0, 2])\"\n\n[piles]\n\
        \"tube[1..3]\" = { most = 2 }\n\n[[rules]]\nname = \"{x} into {y}\"\nfor = { x = [\"tube\"], y = [\"tube\"] }\n\
        when = \"size(y) == 0 || top(x) == top(y)\"\ncarry = { from = \"x\", to = \"y\", count = \"1\" }\n";
    let mixed = "sum(t in 1..3: size(tube[t]) - same(tube[t]))";
    let check = checked(
        "own-piles",
        &with(tubes, &[("mixed", mixed), ("twice", &format!("9 * ({mixed})")), ("third", "size(tube[3])")]),
        &[],
    );
    assert_eq!((&check["whole"], &row(&check, "mixed")["admissible"]), (&true.into(), &true.into()));
    assert_eq!(row(&check, "twice")["counter_example"]["h"], 9);
    assert!(row(&check, "third")["mean_h"].as_f64() > Some(0.0));
    for (base, value, message) in [
        (tubes, "size(tube[4])", "the value is undefined at the start"),
        (tubes, "top(tub[1])", "did you mean `tube`?"),
        (rules_text(&here).as_str(), "count(p in pieces: true)", "`pieces` is neither a range nor a list"),
        (rules_text(&here).as_str(), "cell[0, 0] == '@'", "expected a number, found `true` or `false`"),
        (rules_text(&here).as_str(), "1 / 0", "the value is undefined at the start"),
    ] {
        let here = folder("own-rules-wrong", &[("p.toml", &with(base, &[("mine", value)]))]);
        let (status, _, error) = run(&here, &["check", "p.toml"]);
        assert!(status == 2 && error.contains(message) && error.contains("p.toml:"), "{value}: {error}");
    }
}

/// Returns the file with written rules, without its heuristics.
fn rules_text(here: &Path) -> String {
    let text = std::fs::read_to_string(here.join("rules.toml")).expect("the file was written");
    text.split("\n[heuristics").next().unwrap_or_default().to_owned()
}

#[test]
fn the_parts_of_h_add_up_to_it_on_random_positions() {
    let puzzles = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/");
    let load = |file: &str| Puzzle::load(format!("{puzzles}{file}.toml")).unwrap_or_else(|report| panic!("{report}"));
    let parse = |text: String| Puzzle::parse(&text, "own.toml").unwrap_or_else(|report| panic!("{report}"));
    let piece = "sum(p in pieces: row(p))";
    let of_files: [(&str, &[&str]); 9] = [
        (
            "eight-puzzle/10-moves",
            &["hamming", "manhattan", "linear-conflict", "walking-distance", "pattern-database", "maximum"],
        ),
        ("surfaces/torus", &["manhattan", "pattern-database"]),
        ("klotski1", &["goal-distance"]),
        ("words/gleams-comply", &["edit-distance"]),
        ("permutation/pocket-cube", &["pattern-database"]),
        ("rules/eight-puzzle", &["potentials", "pattern-database", "disjoint-patterns"]),
        ("rules/sokoban-two-rooms", &["matching", "maximum"]),
        ("rules/sokoban-two-colours", &["matching"]),
        ("rules/sokoban-strong-man", &["matching"]),
    ];
    let rules = std::fs::read_to_string(format!("{puzzles}rules/eight-puzzle.toml")).expect("a file of the project");
    let row = "sum(r in 0..2: cell[r, 0] == '.' ? 2 : count(c in 0..2: cell[r, c] == '1'))";
    let own = [(EIGHT, MANHATTAN), (BLOCKS, piece), (LADDER, "count(letter != goal_letter)"), (&rules, row)];
    let own = own.map(|(text, value)| (parse(with(text, &[("mine", value)])), &["mine"][..]));
    let mut seed = 1_u64;
    for (puzzle, heuristics) in of_files.into_iter().map(|(file, names)| (load(file), names)).chain(own) {
        for heuristic in heuristics {
            let name = format!("{}, {heuristic}", puzzle.title());
            let start = puzzle.space(heuristic).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (mut at, mut with_parts) = (start.here(), 0);
            for _ in 0..60 {
                let (h, parts) = (at.h(), at.parts().all);
                if h.is_infinite() {
                    assert!(parts.is_empty(), "{name}: parts of a dead end");
                    at = start.here();
                    continue;
                }
                if !parts.is_empty() {
                    with_parts += 1;
                    let sum: f64 = parts.iter().map(|part| part.value).sum();
                    assert!((sum - h).abs() < 1e-6, "{name}: {parts:?} and h {h}");
                    assert!(parts.iter().all(|part| !part.name.is_empty()), "{name}: {parts:?}");
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves = at.successors();
                at = moves
                    .into_iter()
                    .map(|(.., after)| after)
                    .nth((seed >> 33) as usize % at.count_moves())
                    .expect("a move");
            }
            assert!(with_parts > 20, "{name}: {with_parts} positions with parts");
        }
    }
}

#[test]
fn the_parts_of_a_matching_mark_the_cells_of_the_boxes() {
    let puzzle = Puzzle::load(concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/rules/sokoban-two-rooms.toml"));
    let puzzle = puzzle.unwrap_or_else(|report| panic!("{report}"));
    let parts = puzzle.space("matching").expect("it has tokens").parts().all;
    let parts: Vec<_> = parts.iter().map(|part| (part.name.as_str(), part.value, &part.cells[..])).collect();
    let boxes = [
        ("$ from cell[2, 2] to cell[2, 5]", 3.0, &[(2, 2)][..]),
        ("$ from cell[3, 5] to cell[4, 5]", 1.0, &[(3, 5)][..]),
    ];
    assert_eq!(parts, boxes);
}

#[test]
fn letters_of_word_ladders_have_places_and_quotes() {
    let hamming = "count(letter != goal_letter)";
    let own = [
        ("mine", hamming),
        ("first", "letter(0) == 'w' ? 0 : 1"),
        ("end", "letter(9) == letter(8) && length == goal_length ? 2 : 0"),
    ];
    let check = checked("own-words", &with(LADDER, &own), &[]);
    let of =
        |name: &str| check["heuristics"].as_array().expect("a list").iter().find(|one| one["name"] == name).cloned();
    let mine = of("mine").expect("it is measured");
    assert_eq!((&mine["admissible"], &mine["equal"]), (&true.into(), &serde_json::json!(["edit-distance"])));
    assert_eq!(of("first").expect("it is measured")["admissible"], true);
    assert_eq!(of("end").expect("it is measured")["mean_h"].as_f64(), Some(2.0));
    let here = folder("own-words-wrong", &[("p.toml", &with(LADDER, &[("mine", "letter(0) == 'ab' ? 0 : 1")]))]);
    let (status, _, error) = run(&here, &["check", "p.toml"]);
    assert!(status == 2 && error.contains("`ab` is not one letter"), "{status} {error}");
}

#[test]
fn what_cannot_be_built_is_listed_and_not_measured() {
    let wolf = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/rules/wolf-goat-cabbage.toml");
    let here = folder("unbuilt", &[]);
    let check = json(&here, &["check", wolf, "--heuristics", "--json"])["heuristics"].clone();
    let unbuilt = check["unbuilt"].as_array().expect("a list");
    assert!(unbuilt.iter().any(|one| one["name"] == "disjoint-patterns" && one["reason"].is_string()), "{check}");
    let measured = check["heuristics"].as_array().expect("a list");
    assert!(
        !measured.is_empty() && unbuilt.iter().all(|one| measured.iter().all(|other| other["name"] != one["name"]))
    );
}

#[test]
fn a_map_that_a_heuristic_alone_uses_is_not_unused() {
    let jug = "title = \"J\"\ndomain = \"rules\"\nstart = { jug = 0 }\ngoal = { jug = 3 }\n\n[variables]\njug = \"0..3\"\n\n\
        [maps]\nleft = { 0 = 3, 1 = 2, 2 = 1, 3 = 0 }\n\n[[rules]]\nname = \"fill\"\nwhen = \"jug < 3\"\nthen = { jug = \"jug + 1\" }\n";
    let here = folder("own-map", &[("used.toml", &with(jug, &[("mine", "left(jug)")])), ("unused.toml", jug)]);
    let warnings = |file: &str| run(&here, &["check", file]);
    let (status, _, errors) = warnings("unused.toml");
    assert!(status == 0 && errors.contains("unused map `left`"), "{errors}");
    assert_eq!(warnings("used.toml"), (0, "used.toml: ok\n1 good, 0 bad\n".to_owned(), String::new()));
}

/// A matching leads to a solution of a level of Sokoban where the tables of few boxes see next to nothing.
#[test]
fn searches_that_prove_nothing_take_a_matching_if_the_puzzle_has_one() {
    let level = "########\n#      #\n# $$   #\n# $  ..#\n# $@ ..#\n########\n";
    let here = folder("rough", &[("level.sok", level), ("five.toml", EIGHT)]);
    for algorithm in ["greedy", "weighted-a-star", "beam", "bfws"] {
        let solution = json(&here, &["solve", "level.sok", "--algorithm", algorithm, "--json"]);
        assert_eq!(solution["heuristic"], "matching", "{algorithm}");
    }
    assert_eq!(json(&here, &["solve", "five.toml", "--algorithm", "greedy", "--json"])["heuristic"], "manhattan");
}
