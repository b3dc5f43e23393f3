//! Tests certificates that the real program writes and checks: true ones are confirmed, forged ones are refused.

use crate::support::dice::{Dice, scaled};
use crate::support::program::{EIGHT, UNSOLVABLE, folder, run};
use crate::support::root;
use engine::search::ProofLog;
use engine::verify::Certificate;
use engine::{Limits, Options, Outcome, Puzzle};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Solves a puzzle with these options and returns its certificate.
fn certificate(folder: &Path, solve: &[&str]) -> String {
    let (status, _, error) = run(folder, &[&["solve", "--certificate", "c.json"], solve].concat());
    assert!(status != 2, "{solve:?}: {error}");
    fs::read_to_string(folder.join("c.json")).expect("the certificate can be read")
}

/// Checks the certificate; returns the exit status and the output.
fn check(folder: &Path, options: &[&str]) -> (i32, String) {
    let (status, out, error) = run(folder, &[&["verify", "--certificate", "c.json"], options].concat());
    assert!(status == 2 || error.is_empty(), "{error}");
    (status, out + &error)
}

#[test]
fn a_shortest_solution_of_every_domain_is_confirmed_by_a_plain_search() {
    let folder = folder("certificates", &[]);
    let files = [
        ("klotski7.toml", 0),
        ("klotski3.toml", 0),
        ("metrics/klotski2-turn.toml", 0),
        ("metrics/klotski2-step.toml", 0),
        ("metrics/eight-multi.toml", 0),
        ("blocks/gate.toml", 0),
        ("blocks/listed.toml", 0),
        ("blocks/any-square.toml", 0),
        ("eight-puzzle/18-moves.toml", 0),
        ("surfaces/torus.toml", 0),
        ("surfaces/mobius.toml", 0),
        ("words/nodes-graph.toml", 0),
        ("words/one-way.toml", 0),
        ("mazes/diagonal.toml", 0),
        ("mazes/terrain.toml", 0),
        ("permutation/topspin-8-4.toml", 0),
        ("two-by-two/04-moves.toml", 0),
    ];
    for (file, status) in files {
        let path = root().join("puzzles").join(file);
        let path = path.display().to_string();
        let text = certificate(&folder, &[&path]);
        let read: Value = serde_json::from_str(&text).expect("a certificate is JSON");
        assert_eq!(
            (&read["certificate"], &read["outcome"], &read["optimal"]),
            (&1.into(), &"solved".into(), &true.into())
        );
        let (answer, output) = check(&folder, &[]);
        assert_eq!(answer, status, "{file}: {output}");
        assert!(
            output.contains("replayed by the rules") && output.contains("a plain search by the rules agrees"),
            "{output}"
        );
        assert_eq!(certificate(&folder, &[&path, "--threads", "3"]), text, "{file}: the same bytes on every run");
    }
}

#[test]
fn the_certificate_of_every_optimal_algorithm_is_confirmed() {
    let folder = folder("certified-algorithms", &[("five.toml", EIGHT)]);
    for (algorithm, layers) in
        [("bfs", true), ("a-star", false), ("ida-star", false), ("iddfs", false), ("bidirectional", false)]
    {
        let text = certificate(&folder, &["five.toml", "--algorithm", algorithm]);
        let read: Value = serde_json::from_str(&text).expect("a certificate is JSON");
        let searches = read["lower_bound"]["searches"].as_array().expect("searches");
        assert!(
            searches.iter().any(|search| search["search"].as_str().is_some_and(|name| name.contains(algorithm))),
            "{text}"
        );
        // Here h at the start is the optimal cost, so the first f-threshold finds the solution.
        let guided = ["a-star", "ida-star"].contains(&algorithm);
        assert!(guided || searches.iter().all(|search| search["completed"][0]["states"].is_u64()), "{text}");
        let (status, output) = check(&folder, &[]);
        assert!(status == 0 && output.contains("lower bound  5: a plain search by the rules agrees"), "{output}");
        assert_eq!(output.contains("so do the counts of 5 layers"), layers, "{algorithm}: {output}");
    }
    let text = certificate(&folder, &["five.toml", "--algorithm", "ida-star", "--closed-limit", "10"]);
    assert!(text.contains("closed list"), "{text}");
    assert_eq!(check(&folder, &["five.toml"]).0, 0, "the puzzle may also be named");
}

#[test]
fn unsolvability_and_lower_bounds_at_limits_are_confirmed() {
    let hard = root().join("puzzles/korf-15/012.toml").display().to_string();
    let folder = folder("certified-none", &[("none.toml", UNSOLVABLE), ("five.toml", EIGHT)]);
    certificate(&folder, &["none.toml"]);
    let (status, output) = check(&folder, &[]);
    assert!(
        status == 0 && output.contains("there is no solution: a plain search by the rules agrees (all 12 states)"),
        "{output}"
    );
    certificate(&folder, &["five.toml", "--algorithm", "a-star", "--heuristic", "zero", "--node-limit", "10"]);
    let (status, output) = check(&folder, &[]);
    assert!(status == 0 && !output.contains("upper bound"), "{output}");
    certificate(&folder, &[&hard]);
    let (status, output) = check(&folder, &["--node-limit", "1000"]);
    assert!(
        status == 3 && output.contains("checked again only up to") && output.contains("pattern-database: "),
        "{output}"
    );
}

#[test]
fn a_forged_certificate_is_refused_with_the_reason() {
    let folder = folder("certified-lies", &[("five.toml", EIGHT)]);
    let text = certificate(&folder, &["five.toml", "--algorithm", "bfs"]);
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut read: Value = serde_json::from_str(&text).expect("a certificate is JSON");
        change(&mut read);
        fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
        check(&folder, &[])
    };
    assert_eq!(forged(&|_| {}).0, 0, "other formatting keeps the certificate valid");
    type Change<'a> = (&'a dyn Fn(&mut Value), &'a str);
    let changes: [Change; 15] = [
        (&|c| drop(c["upper_bound"]["moves"].as_array_mut().map(|moves| moves.remove(1))), "move 2, "),
        (&|c| c["upper_bound"]["moves"][2] = "9u".into(), "move 3, `9u`: there is no tile 9"),
        (&|c| drop(c["upper_bound"]["moves"].as_array_mut().map(Vec::pop)), "is not a goal"),
        (&|c| c["upper_bound"]["cost"] = 4.into(), "it claims the cost 4, but its moves cost 5"),
        (&|c| c["lower_bound"]["cost"] = 6.into(), "its lower bound is above its upper bound"),
        (&|c| c["lower_bound"]["cost"] = 4.into(), "its bounds differ"),
        (&|c| c["outcome"] = "unsolvable".into(), "it claims `unsolvable`, but has a solution"),
        (&|c| c["upper_bound"] = Value::Null, "it claims `solved`, but has no moves"),
        (&|c| c["outcome"] = "perhaps".into(), "unknown outcome `perhaps`"),
        (&|c| c["puzzle"]["sha256"] = "0".repeat(64).into(), "it is for another puzzle"),
        (
            &|c| c["lower_bound"]["searches"][0]["completed"][3]["states"] = 7.into(),
            "it counts 7 states at depth 3, and a plain search by the rules",
        ),
        (&|c| c["lower_bound"]["searches"][0]["completed"][3]["states"] = 0.into(), "it counts 0 states at depth 3"),
        (&|c| c["optimal"] = false.into(), "its bounds are equal"),
        (&|c| c["puzzle"]["title"] = "Six".into(), "its title, domain or metric"),
        (
            &|c| (c["outcome"], c["upper_bound"], c["optimal"]) = ("unsolvable".into(), Value::Null, false.into()),
            "it claims `unsolvable`, but has a lower bound",
        ),
    ];
    for (change, why) in changes {
        let (status, output) = forged(change);
        assert!(status == 1 && output.starts_with("refused: ") && output.contains(why), "{why}: {output}");
    }
    // A longer solution with the claim that it is a shortest one: only the plain search can refute it.
    let longer = |c: &mut Value| {
        let moves: Vec<Value> = ["4d", "4u", "4d", "1l", "2u", "5u", "8l"].map(Value::from).to_vec();
        c["upper_bound"]["moves"] = moves.into();
        (c["upper_bound"]["cost"], c["lower_bound"]["cost"]) = (7.into(), 7.into());
    };
    let (status, output) = forged(&longer);
    let why = "a plain search by the rules finds a solution of cost 5, and it claims that none costs less than 7";
    assert!(status == 1 && output.contains(why), "{output}");
    let none = |c: &mut Value| {
        (c["outcome"], c["upper_bound"], c["optimal"]) = ("unsolvable".into(), Value::Null, false.into());
        c["lower_bound"]["cost"] = Value::Null;
    };
    let (status, output) = forged(&none);
    assert!(status == 1 && output.contains("finds a solution of cost 5, and it claims that there is none"), "{output}");
    for bad in ["", "{}", "[1]", &text[..text.len() / 2], &text.replace("\"certificate\": 1", "\"certificate\": 2")] {
        fs::write(folder.join("c.json"), bad).expect("the file can be written");
        let (status, output) = check(&folder, &["five.toml"]);
        assert!(status == 2 && output.contains("certificate"), "{output}");
    }
}

/// Unsolvable puzzles with an argument that proves it, and the argument's kind.
const REFUTED: [(&str, &str); 8] = [
    ("rules/unsolvable/odd-litre.toml", "relaxation"),
    ("rules/unsolvable/five-of-six.toml", "potential"),
    ("rules/unsolvable/one-lamp.toml", "invariant"),
    ("rules/unsolvable/soldiers.toml", "potential"),
    ("rules/unsolvable/conways-army.toml", "potential"),
    ("rules/unsolvable/two-doors.toml", "abstraction"),
    ("rules/unsolvable/corner-by-sweeps.toml", "exclusive"),
    ("rules/european-peg-solitaire.toml", "invariant"),
];

#[test]
fn arguments_of_every_kind_are_checked_for_every_rule() {
    let folder = folder("certified-arguments", &[]);
    for (file, kind) in REFUTED {
        let path = root().join("puzzles").join(file).display().to_string();
        let text = certificate(&folder, &[&path]);
        let read: Value = serde_json::from_str(&text).expect("a certificate is JSON");
        let lower = &read["lower_bound"];
        assert_eq!((&read["outcome"], &lower["argument"]["kind"]), (&"unsolvable".into(), &kind.into()), "{file}");
        assert!(!lower["reason"].as_str().expect("words").contains("was searched"), "{text}");
        // A limit of 20 nodes suffices: the check of an argument visits no positions.
        let (status, output) = check(&folder, &["--node-limit", "20"]);
        assert!(status == 0 && output.contains("argument     ") && !output.contains("not checked"), "{file}: {output}");
    }
}

#[test]
fn a_forged_argument_is_refused() {
    let folder = folder("certified-false-arguments", &[]);
    let refused = |file: &str, change: &dyn Fn(&mut Value)| {
        let path = root().join("puzzles").join(file).display().to_string();
        let mut read: Value = serde_json::from_str(&certificate(&folder, &[&path])).expect("a certificate is JSON");
        let before = read.clone();
        change(&mut read["lower_bound"]["argument"]);
        assert_ne!(read, before, "{file}: nothing was changed");
        fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
        let (status, output) = check(&folder, &["--node-limit", "20"]);
        assert!(status == 1 && output.starts_with("refused: "), "{file}: {output}");
        output
    };
    let says = |output: String, why: &str| assert!(output.contains(why), "{why}: {output}");
    let pegs = "rules/unsolvable/soldiers.toml";
    // Wrong weights, starts, goals, and unknown facts.
    says(refused(pegs, &|a| a["weights"]["cell[3, 2] = o"] = (-9).into()), "lowers its weighted sum by");
    says(refused(pegs, &|a| a["start"] = 0.into()), "it claims a weighted sum of 0 at the start");
    says(refused(pegs, &|a| a["goal"] = (-9).into()), "does not rule out the goal");
    says(refused(pegs, &|a| a["goal"] = a["start"].clone()), "and may be");
    says(refused(pegs, &|a| a["weights"]["cell[9, 9] = o"] = 1.into()), "`cell[9, 9] = o`, which is not a fact");
    // Weights that fall too slowly, too fast, or that count pegs where there are none.
    let army = "rules/unsolvable/conways-army.toml";
    let cell = |row: usize, column: usize| format!("cell[{row}, {column}] = o");
    let worth = |a: &Value, name: &str| a["weights"][name].as_i64().expect("a weight");
    for (name, change) in [(cell(1, 4), 1), (cell(0, 4), -1), (cell(3, 2), -1), (cell(2, 5), 1)] {
        let forge = |a: &mut Value| a["weights"][&name] = (worth(a, &name) + change).into();
        says(refused(army, &forge), "lowers its weighted sum by");
    }
    says(refused(army, &|a| a["weights"][cell(5, 4)] = 0.into()), "it claims a weighted sum of");
    let lamp = "rules/unsolvable/one-lamp.toml";
    says(refused(lamp, &|a| a["sums"][0]["weights"]["cell[2, 2] = *"] = 1.into()), "changes its sum by");
    says(refused(lamp, &|a| a["sums"][0]["start"] = 0.into()), "it claims a sum of 0 at the start, where it is 1");
    says(refused(lamp, &|a| a["sums"][0]["modulus"] = Value::Null), "changes its sum by");
    says(refused(lamp, &|a| a["sums"] = Vec::<Value>::new().into()), "does not rule out the goal");
    let board = "rules/european-peg-solitaire.toml";
    says(refused(board, &|a| drop(a["sums"].as_array_mut().map(Vec::pop))), "does not rule out the goal");
    // A group that is too large at the start, too small to be kept, or missing; and the sums without it.
    let sweeps = "rules/unsolvable/corner-by-sweeps.toml";
    let group = |a: &mut Value, change: &dyn Fn(&mut Vec<Value>)| change(a["groups"][0].as_array_mut().expect("facts"));
    says(refused(sweeps, &|a| group(a, &|facts| facts.push("cell[1, 0] = o".into()))), "facts hold at the start");
    let too_small = |a: &mut Value| group(a, &|facts| facts.retain(|fact| *fact != "moving = no"));
    says(refused(sweeps, &too_small), "may make facts hold that it says never do, or exclude each other");
    says(refused(sweeps, &|a| a["groups"] = Vec::<Value>::new().into()), "does not rule out the goal");
    says(refused(sweeps, &|a| *a = a["argument"].clone()), "does not rule out the goal");
    says(refused(sweeps, &|a| group(a, &|facts| facts.push("cell[9, 9] = O".into()))), "which is not a fact");
    let colours = "rules/unsolvable/five-of-six.toml";
    says(refused(colours, &|a| a["weights"] = serde_json::json!({ "cell[0, 0] = y": -1 })), "at the start");
    let litres = "rules/unsolvable/odd-litre.toml";
    says(refused(litres, &|a| a["missing"][0]["facts"][0] = "six = 4".into()), "can hold at once");
    says(refused(litres, &|a| a["missing"][0]["possible"] = 1.into()), "it claims that 1 are needed where 1");
    let doors = "rules/unsolvable/two-doors.toml";
    says(refused(doors, &|a| drop(a["variables"].as_array_mut().map(Vec::pop))), "does not rule out the goal");
    says(refused(doors, &|a| a["variables"][0]["left = open"] = 0.into()), "does not rule out the goal");
    says(
        refused(doors, &|a| drop(a["variables"][0].as_object_mut().map(|facts| facts.remove("left = open")))),
        "without a value",
    );
}

/// Every number is a class like any other: none stands for a change that is impossible.
#[test]
fn an_abstraction_of_a_solvable_puzzle_is_refused_whatever_its_classes_are() {
    let switches = "title = 'Switches'\ndomain = 'rules'\nstart = { s = 0 }\ngoal = { s = 1 }\n\
        [variables]\n's[1..8]' = '0..1'\n\
        [[rules]]\nname = 'set {i}'\nfor = { i = '1..8' }\nwhen = 's[i] == 0'\nthen = { 's[i]' = 1 }\n";
    let folder = folder("certified-classes", &[("switches.toml", switches)]);
    let mut forged: Value = serde_json::from_str(&certificate(&folder, &["switches.toml"])).expect("JSON");
    forged["outcome"] = "unsolvable".into();
    forged["optimal"] = false.into();
    forged["upper_bound"] = Value::Null;
    forged["lower_bound"]["cost"] = Value::Null;
    forged["lower_bound"]["searches"] = serde_json::json!([]);
    for class in [7, u32::MAX] {
        let variables = serde_json::json!([{ "s[1] = 0": class, "s[1] = 1": 0 }]);
        forged["lower_bound"]["argument"] = serde_json::json!({ "kind": "abstraction", "variables": variables });
        fs::write(folder.join("c.json"), forged.to_string()).expect("the file can be written");
        let (status, output) = check(&folder, &["--node-limit", "20"]);
        assert!(status == 1 && output.contains("does not rule out the goal"), "{class}: {output}");
    }
}

/// Four drawings of one rule fit in 900^4 ways, which are not listed.
#[test]
fn a_rule_of_many_drawings_is_checked_in_little_memory() {
    let rows = format!("{}\n", ".".repeat(30)).repeat(29) + "abcd" + &".".repeat(26);
    let many = format!(
        "title = 'Many'\ndomain = 'rules'\nstart = \"\"\"\n{rows}\n\"\"\"\ngoal = {{ count = {{ e = 1 }} }}\n\
         [[rules]]\nname = 'go'\nfrom = ['a', 'b', 'c', 'd']\nto = ['b', 'a', 'd', 'e']\n"
    );
    let folder = folder("certified-drawings", &[("many.toml", &many)]);
    let mut read: Value = serde_json::from_str(&certificate(&folder, &["many.toml"])).expect("JSON");
    read["lower_bound"]["pruned"] = serde_json::json!({ "facts": [], "mover": [], "patterns": [] });
    fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
    let (status, output) = check(&folder, &["--time-limit", "2s"]);
    assert!(status != 2, "{output}");
    fs::write(folder.join("bad.moves"), "nowhere\n").expect("the file can be written");
    let (status, _, error) = run(&folder, &["verify", "many.toml", "bad.moves"]);
    assert!(status == 1, "{error}");
}

#[test]
fn a_certificate_without_an_argument_is_accepted() {
    let folder = folder("certified-before-arguments", &[]);
    let path = root().join("puzzles/rules/unsolvable/two-doors.toml").display().to_string();
    let mut read: Value = serde_json::from_str(&certificate(&folder, &[&path])).expect("a certificate is JSON");
    drop(read["lower_bound"].as_object_mut().map(|lower| lower.remove("argument")));
    fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
    let (status, output) = check(&folder, &[]);
    assert!(status == 0 && output.contains("a plain search by the rules agrees"), "{output}");
}

#[test]
fn reasons_name_the_heuristic_or_the_search_that_proves_them() {
    let doors = fs::read_to_string(root().join("puzzles/rules/unsolvable/two-doors.toml")).expect("the path exists");
    let pegs = fs::read_to_string(root().join("puzzles/rules/unsolvable/dead-ends.toml")).expect("the path exists");
    let folder = folder("reasons", &[("doors.toml", &doors), ("pegs.toml", &pegs)]);
    let reason = |options: &[&str]| {
        let (status, out, error) = run(&folder, &[&["solve", "--format", "json"], options].concat());
        assert_eq!(status, 1, "{out}{error}");
        let row: Value = serde_json::from_str(&out).expect("JSON");
        row["reason"].as_str().expect("a reason").to_owned()
    };
    for algorithm in ["a-star", "ida-star", "greedy", "weighted-a-star"] {
        let found = reason(&["doors.toml", "--algorithm", algorithm, "--heuristic", "pattern-database"]);
        assert_eq!(
            found, "no goal can be reached even if everything but left and right could change at will",
            "{algorithm}"
        );
    }
    assert_eq!(reason(&["doors.toml", "--algorithm", "bfs"]), "every state that can be reached was searched");
    let all = "every state that can be reached was searched";
    let except = ", except those from which `potentials` proves that no goal can be reached";
    for algorithm in ["a-star", "ida-star", "greedy"] {
        assert_eq!(reason(&["pegs.toml", "--algorithm", algorithm]), format!("{all}{except}"), "{algorithm}");
        assert_eq!(reason(&["pegs.toml", "--algorithm", algorithm, "--heuristic", "zero"]), all, "{algorithm}");
    }
}

/// A square piece may move in the same directions whether it moves `lengthwise` or not: the two are one class of pieces.
#[test]
fn pieces_that_move_alike_are_counted_alike() {
    let board = "title = 'b'\ndomain = 'klotski'\nstart = '''\nab\n..\ncc\n'''\ngoal = '''\ncc\n..\n..\n'''\n\
                 [pieces.b]\nmoves = 'lengthwise'\n";
    let folder = folder("certified-pieces", &[("b.toml", board)]);
    certificate(&folder, &["b.toml"]);
    let (status, output) = check(&folder, &[]);
    assert!(status == 0 && output.contains("plain search"), "{output}");
}

/// The threshold of iterative deepening rises beyond the cost of a solution if the heuristic overestimates.
#[test]
fn the_cost_of_a_solution_is_that_of_its_moves() {
    let board = "title = 'b'\ndomain = 'klotski'\nstart = 'ac.'\ngoal = '.a.'\n";
    let folder = folder("certified-costs", &[("b.toml", board)]);
    let options = ["solve", "b.toml", "--algorithm", "ida-star", "--heuristic", "obstruction"];
    let (status, out, _) = run(&folder, &options);
    assert!(status == 0 && out.contains("cost       2, not proven shortest"), "{out}");
    certificate(&folder, &options[1..]);
    assert_eq!(check(&folder, &[]).0, 0);
}

#[test]
fn a_certificate_is_of_one_puzzle_and_written_whole_or_not_at_all() {
    let folder = folder("certified-files", &[("five.toml", EIGHT), ("none.toml", UNSOLVABLE)]);
    assert_eq!(run(&folder, &["solve", "five.toml", "none.toml", "--certificate", "c.json"]).0, 2);
    assert_eq!(run(&folder, &["solve", "five.toml", "--certificate", "nowhere/c.json"]).0, 2);
    assert_eq!(
        run(&folder, &["solve", "five.toml", "--certificate", "five.toml"]).0,
        2,
        "a certificate overwrites a puzzle"
    );
    assert_eq!(run(&folder, &["solve", "five.toml", "--heuristic", "wrong", "--certificate", "c.json"]).0, 2);
    assert!(!folder.join("c.json").exists());
    assert_eq!(fs::read_dir(&folder).expect("the path exists").count(), 2, "nothing is left behind");
    certificate(&folder, &["five.toml"]);
    fs::write(folder.join("five.toml"), EIGHT.replace("Five", "Other")).expect("the file can be written");
    let (status, output) = check(&folder, &[]);
    assert!(status == 1 && output.contains("it is for another puzzle"), "{output}");
}

/// A level of Sokoban in which boxes can shut the man out of a part of the yard.
const YARD: [&str; 2] = [
    "\n#######\n###..@#\n##.$.##\n#.$.$.#\n#.....#\n#######\n",
    "\n.......\n.......\n.......\n.x..x..\n..x....\n.......\n",
];

/// A level in which four boxes can freeze each other.
const HALL: [&str; 2] = [
    "\n########\n#......#\n#.$..$.#\n#..@...#\n#.$..$.#\n#......#\n########\n",
    "\n........\n........\n........\n..xx....\n..xx....\n........\n........\n",
];

/// Returns the file of a level: its drawing and its marks.
fn level([start, marks]: [&str; 2]) -> String {
    format!(
        "title = 'Crates'\ndomain = 'rules'\nstart = '''{start}'''\nmarks = '''{marks}'''\n\
         goal = {{ every = {{ '$' = 'x' }} }}\n\
         [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
         [[rules]]\nname = 'push {{direction}}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n"
    )
}

/// Checks a certificate after a change of what it says of dead ends.
fn check_pruned(folder: &Path, certificate: &str, change: &dyn Fn(&mut Value)) -> (i32, String) {
    let mut read: Value = serde_json::from_str(certificate).expect("a certificate is JSON");
    change(&mut read["lower_bound"]["pruned"]);
    fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
    check(folder, &[])
}

/// The number of states of the plain search.
fn states(output: &str) -> u64 {
    let (before, _) = output.rsplit_once(" states)").expect("a plain search agrees");
    before.rsplit(' ').next().expect("a number").parse().expect("a number")
}

#[test]
fn positions_with_dead_ends_of_each_kind_are_left_out() {
    let folder = folder("certified-kinds", &[("yard.toml", &level(YARD)), ("hall.toml", &level(HALL))]);
    let options = ["--algorithm", "a-star", "--heuristic", "matching"];
    for (file, kinds) in [("yard.toml", vec!["facts", "pairs", "patterns"]), ("hall.toml", vec!["facts", "frozen"])] {
        let text = certificate(&folder, &[&[file], &options[..]].concat());
        let (status, output) = check_pruned(&folder, &text, &|_| {});
        assert!(status == 0 && !output.contains("not used"), "{file}: {output}");
        for kind in kinds {
            let (status, without) = check_pruned(&folder, &text, &|pruned| pruned[kind] = Vec::<Value>::new().into());
            assert!(status == 0 && states(&without) > states(&output), "{file}, {kind}: {without}");
        }
    }
}

#[test]
fn sums_that_no_move_lowers_leave_positions_out_and_are_proven_from_single_rules() {
    let pegs = "title = 'Pegs'\ndomain = 'rules'\n\
        start = '''\n##...##\n##.o.##\n...o...\n.ooooo.\n...o...\n##.o.##\n##...##\n'''\ngoal = { count = { o = 1 } }\n\
        [[rules]]\nname = 'jump {direction}'\nfrom = 'oo.'\nto = '..o'\nturns = true\n";
    let folder = folder("certified-sums", &[("pegs.toml", pegs)]);
    let text = certificate(&folder, &["pegs.toml", "--algorithm", "a-star", "--heuristic", "potentials"]);
    let (status, output) = check_pruned(&folder, &text, &|_| {});
    assert!(status == 0 && output.contains("is larger than in a goal") && !output.contains("not used"), "{output}");
    let (status, without) = check_pruned(&folder, &text, &|pruned| pruned["sums"] = Vec::<Value>::new().into());
    assert!(status == 0 && states(&without) > states(&output), "{output} {without}");
    // A goal may have more than this one claims, and a move lowers that one.
    let forgeries: [&dyn Fn(&mut Value); 2] =
        [&|sum| sum["goal"] = (sum["goal"].as_i64().expect("a number") - 1).into(), &|sum| {
            let (_, weight) = sum["weights"].as_object_mut().expect("an object").iter_mut().next().expect("a weight");
            *weight = (weight.as_i64().expect("a number") * 1000).into();
        }];
    for forge in forgeries {
        let (status, output) = check_pruned(&folder, &text, &|pruned| forge(&mut pruned["sums"][0]));
        assert!(status == 0 && output.contains("1 dead end that the search left out, not used here"), "{output}");
    }
}

#[test]
fn dead_ends_that_a_search_left_out_are_proven_from_single_rules() {
    let folder = folder("certified-dead-ends", &[("yard.toml", &level(YARD))]);
    let text = certificate(&folder, &["yard.toml", "--algorithm", "a-star", "--heuristic", "matching"]);
    let forged = |change: &dyn Fn(&mut Value)| check_pruned(&folder, &text, change);
    let (status, output) = forged(&|_| {});
    assert_eq!(status, 0, "{output}");
    assert!(
        output.contains("any of 7 facts, 6 pairs and 1 pattern, or with pieces frozen") && !output.contains("not used"),
        "{output}"
    );
    let (status, plain) = forged(&|pruned| *pruned = Value::Null);
    assert!(status == 0 && !plain.contains("left out") && states(&plain) > states(&output), "{plain}");
    // Two places of a goal are no dead pair.
    let both = serde_json::json!({ "pieces": ["cell[3, 1] = $", "cell[3, 4] = $"], "mover": [] });
    let (status, output) = forged(&|pruned| pruned["pairs"].as_array_mut().expect("an array").push(both.clone()));
    assert!(status == 0 && output.contains("1 dead end that the search left out, not used here"), "{output}");
    // A corner that is no dead end, and a pattern without one of its boxes: neither is proven, so neither is used.
    let (status, output) = forged(&|pruned| pruned["facts"][0] = "cell[3, 1] = $".into());
    assert!(status == 0 && output.contains("that the search left out, not used here"), "{output}");
    let (status, output) = forged(&|pruned| {
        let pieces = pruned["patterns"][0]["pieces"].as_array_mut().expect("an array");
        pieces.pop();
    });
    assert!(status == 0 && output.contains("any of 7 facts, 6 pairs and 0 patterns"), "{output}");
    // A wall is no place of the mover: without its moves, every pattern would be dead.
    let (status, output) = forged(&|pruned| pruned["patterns"][0]["mover"] = Value::from(vec!["cell[0, 0] = #"]));
    assert!(status == 0 && output.contains("any of 7 facts, 6 pairs and 0 patterns"), "{output}");
    // Nothing is known of the mover if it may be in two places at once.
    let (status, output) = forged(&|pruned| drop(pruned["mover"].as_array_mut().map(Vec::pop)));
    assert!(status == 0 && output.contains("0 patterns"), "{output}");
    let (status, output) = forged(&|pruned| pruned["facts"][0] = "cell[3, 1] = Q".into());
    assert!(status == 1 && output.contains("`cell[3, 1] = Q`, which is not a fact of this puzzle"), "{output}");
}

/// A puzzle of three variables with three values each; its rules have constant effects.
struct Digits {
    start: [usize; 3],
    goal: Vec<(usize, usize)>,
    /// The conditions and the effects of each rule, as variables with their values.
    rules: Vec<[Vec<(usize, usize)>; 2]>,
}

impl Digits {
    fn random(dice: &mut Dice) -> Digits {
        let mut facts = |least, most| -> Vec<(usize, usize)> {
            let mut vars = [0, 1, 2];
            dice.shuffle(&mut vars);
            (0..dice.within(least, most)).map(|at| (vars[at], dice.below(3))).collect()
        };
        let goal = facts(1, 2);
        let rules = (0..6).map(|_| [facts(0, 2), facts(1, 2)]).collect();
        Digits { start: [0; 3].map(|_| dice.below(3)), goal, rules }
    }

    fn text(&self) -> String {
        let join = |facts: &[(usize, usize)], between: &str, equals: &str| {
            let fact = |&(var, value): &(usize, usize)| format!("{}{equals}{value}", ["u", "v", "w"][var]);
            facts.iter().map(fact).collect::<Vec<_>>().join(between)
        };
        let start: Vec<(usize, usize)> = (0..).zip(self.start).collect();
        let mut text = format!(
            "title = 'Digits'\ndomain = 'rules'\nstart = {{ {} }}\ngoal = {{ {} }}\n[variables]\nu = '0..2'\nv = '0..2'\n\
             w = '0..2'\n",
            join(&start, ", ", " = "),
            join(&self.goal, ", ", " = ")
        );
        for (number, [when, then]) in self.rules.iter().enumerate() {
            text += &format!("[[rules]]\nname = 'rule {number}'\n");
            if !when.is_empty() {
                text += &format!("when = '{}'\n", join(when, " && ", " == "));
            }
            text += &format!("then = {{ {} }}\n", join(then, ", ", " = "));
        }
        text
    }

    /// Returns the positions that a solution may pass through.
    fn alive(&self) -> HashSet<[usize; 3]> {
        let holds = |at: &[usize; 3], facts: &[(usize, usize)]| facts.iter().all(|&(var, value)| at[var] == value);
        let (mut reached, mut moves, mut next) = (HashSet::from([self.start]), Vec::new(), 0);
        let mut all = vec![self.start];
        while let Some(&at) = all.get(next) {
            next += 1;
            for [_, then] in self.rules.iter().filter(|[when, _]| holds(&at, when)) {
                let mut after = at;
                then.iter().for_each(|&(var, value)| after[var] = value);
                moves.push((at, after));
                if reached.insert(after) {
                    all.push(after);
                }
            }
        }
        let mut alive: HashSet<[usize; 3]> = all.into_iter().filter(|at| holds(at, &self.goal)).collect();
        for _ in 0..reached.len() {
            let before = moves.iter().filter(|(_, after)| alive.contains(after)).map(|&(before, _)| before);
            alive = alive.iter().copied().chain(before).collect();
        }
        alive
    }
}

/// What breaks: a certificate that calls a fact dead through which the only cheap solutions go is accepted, and so is
/// its claim of a dearer solution. Above all where rules write what they do not read.
#[test]
fn a_claim_that_a_fact_is_a_dead_end_is_used_only_if_it_is_one() {
    let folder = folder("certified-facts", &[]);
    let mut counts = [0; 2];
    let reset = Digits {
        start: [0; 3],
        goal: vec![(0, 0), (1, 2)],
        rules: vec![
            [vec![], vec![(0, 0)]],
            [vec![], vec![(0, 1)]],
            [vec![(1, 0)], vec![(1, 1)]],
            [vec![(0, 1), (1, 0)], vec![(1, 2)]],
            [vec![(1, 1), (2, 0)], vec![(2, 1)]],
            [vec![(1, 1), (2, 1)], vec![(2, 2)]],
            [vec![(2, 2)], vec![(1, 2)]],
        ],
    };
    let random = (0..80).map(|seed| Digits::random(&mut Dice::new(seed)));
    for puzzle in std::iter::once(reset).chain(random) {
        let alive = puzzle.alive();
        let is_solved = puzzle.goal.iter().all(|&(var, value)| puzzle.start[var] == value);
        // A solved puzzle needs no search, and no dead ends.
        if is_solved || !alive.contains(&puzzle.start) || alive.len() < 3 {
            continue;
        }
        fs::write(folder.join("digits.toml"), puzzle.text()).expect("the file can be written");
        let text = certificate(&folder, &["digits.toml", "--algorithm", "a-star", "--heuristic", "zero"]);
        for (var, value) in (0..3).flat_map(|var| (0..3).map(move |value| (var, value))) {
            let mut read: Value = serde_json::from_str(&text).expect("a certificate is JSON");
            let fact = format!("{} = {value}", ["u", "v", "w"][var]);
            read["lower_bound"]["pruned"] = serde_json::json!({
                "facts": [fact], "mover": [], "pairs": [], "patterns": [], "sums": [], "frozen": []
            });
            read["lower_bound"]["searches"] = serde_json::json!([]);
            fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
            let (status, output) = check(&folder, &[]);
            assert_ne!(status, 2, "{output}");
            let is_used = !output.contains("not used");
            let is_dead = !alive.iter().any(|at| at[var] == value);
            assert!(is_dead || !is_used, "`{fact}` is called a dead end of\n{}\n{output}", puzzle.text());
            counts[usize::from(is_used)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}: too few for a meaningful test");
}

/// Returns a board with a man, a box and a place for it, between random walls.
fn man_and_box(dice: &mut Dice) -> String {
    let (rows, columns) = (dice.within(2, 4), dice.within(3, 5));
    let cells = rows * columns;
    let mut grid: Vec<char> = (0..cells).map(|_| if dice.one_in(3) { '#' } else { '.' }).collect();
    let mut places: Vec<usize> = (0..cells).collect();
    dice.shuffle(&mut places);
    (grid[places[0]], grid[places[1]]) = ('@', 'b');
    let mut marks = vec!['.'; cells];
    marks[places[2]] = 'y';
    let drawn =
        |cells: &[char]| cells.chunks(columns).map(|row| row.iter().collect::<String>() + "\n").collect::<String>();
    let edge = dice.pick(&["fit", "wrap"]);
    let keys = format!("turns = true\nedge = '{edge}'\n");
    format!(
        "title = 'b'\ndomain = 'rules'\nstart = '''\n{}'''\nmarks = '''\n{}'''\ngoal = {{ every = {{ b = 'y' }} }}\n\
         [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\n{keys}\
         [[rules]]\nname = 'push {{direction}}'\nfrom = '@b.'\nto = '.@b'\n{keys}",
        drawn(&grid),
        drawn(&marks)
    )
}

/// What breaks: the box of an abstraction may stand where a rule asks for an empty cell, so its check finds a way to the
/// goal that there is not, and refuses a certificate that is true.
#[test]
fn certificates_of_boards_with_a_man_and_a_box_are_confirmed_with_every_heuristic() {
    let (mut confirmed, mut proven) = (0, 0);
    for seed in 0..scaled(120) {
        let text = man_and_box(&mut Dice::new(seed));
        let puzzle = Puzzle::parse(&text, "b.toml").unwrap_or_else(|report| panic!("{report}"));
        for heuristic in puzzle.heuristics().map(|heuristic| heuristic.name).collect::<Vec<_>>() {
            let log = Arc::new(ProofLog::default());
            let limits = Limits { proof_log: Some(Arc::clone(&log)), ..Limits::default() };
            let options = Options { heuristic: Some(heuristic.to_owned()), limits, ..Options::default() };
            let Ok(solution) = puzzle.solve(&options) else { continue };
            if solution.outcome() != Outcome::Unsolvable {
                break;
            }
            let written =
                Certificate::new("b.toml", &puzzle, &solution, &log.read()).expect("the puzzle names no file");
            let certificate = Certificate::parse(&written.with_pruned(log.pruned().clone()).text()).expect("it is one");
            let checked = certificate.check(&puzzle, &Limits::default());
            let checked = checked.unwrap_or_else(|why| panic!("seed {seed}, {heuristic}: {why}\n{text}"));
            assert!(!checked.stopped, "seed {seed}, {heuristic}: {checked:?}");
            confirmed += 1;
            proven += usize::from(checked.lines.iter().any(|line| line.contains("the smaller puzzle has")));
        }
    }
    assert!(confirmed > 300 && proven >= 3, "{confirmed} certificates, {proven} abstractions: too few");
}

/// What breaks: a claim of parity is believed, or recomputed only for small boards of the plane.
#[test]
fn parity_is_computed_anew_for_boards_of_every_size_and_surface_and_for_permutations() {
    let folder = folder("certified-parity", &[]);
    let tiles = |rows: usize, columns: usize, surface: &str, swapped: bool| {
        let mut tiles: Vec<usize> = (1..rows * columns).chain([0]).collect();
        if swapped {
            tiles.swap(0, 1);
        }
        let row = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
        let drawn: String = tiles.chunks(columns).map(row).collect();
        format!("title = 'p'\ndomain = 'sliding-tile'\nsurface = '{surface}'\nstart = '''\n{drawn}'''\n")
    };
    let bars = "title = 'p'\ndomain = 'permutation'\nsolved = [1, 2, 3, 4, 5, 6, 7]\nstart = [2, 1, 3, 4, 5, 6, 7]\n\
                [moves]\nA = '(1 2 3)'\nB = '(3 4 5 6 7)'\n";
    let files = [tiles(4, 4, "plane", true), tiles(40, 50, "plane", true), tiles(4, 6, "torus", true), bars.to_owned()];
    for text in &files {
        fs::write(folder.join("p.toml"), text).expect("the file can be written");
        let written = certificate(&folder, &["p.toml"]);
        assert!(written.contains("\"kind\": \"parity\""), "{written}");
        let (status, output) = check(&folder, &["--node-limit", "20"]);
        assert!(status == 0 && output.contains("there is no solution: by the argument"), "{output}");
    }
    // The same claim about a board with a solution, and about one on which a way around changes no colour.
    for (text, why) in [
        (tiles(4, 4, "plane", false).replace("15 0", "0 15"), "its argument is parity, which allows the goal"),
        (tiles(5, 5, "torus", true), "no two colours that every step changes"),
        (bars.replace("[2, 1, 3,", "[2, 3, 1,"), "its argument is parity, which allows the goal"),
    ] {
        fs::write(folder.join("p.toml"), text).expect("the file can be written");
        let mut read: Value =
            serde_json::from_str(&certificate(&folder, &["p.toml", "--node-limit", "9"])).expect("JSON");
        (read["outcome"], read["optimal"]) = ("unsolvable".into(), false.into());
        (read["upper_bound"], read["lower_bound"]["cost"]) = (Value::Null, Value::Null);
        read["lower_bound"]["argument"] = serde_json::json!({ "kind": "parity" });
        fs::write(folder.join("c.json"), read.to_string()).expect("the file can be written");
        let (status, output) = check(&folder, &["--node-limit", "20"]);
        assert!(status == 1 && output.contains(why), "{output}");
    }
}

#[test]
fn certificates_of_puzzles_with_consequences_and_piles_are_confirmed_and_forged_ones_refused() {
    let falling = "title = 'Falling'\ndomain = 'rules'\nstart = \"\"\"\na...b\n#...#\nb...a\n\"\"\"\ngoal = { count = { N = 0 } }\nsets = { N = 'ab' }\n[[rules]]\nname = '{N} {at} {direction}'\n\
        from = 'N.'\nto = '.N'\nmirror = true\n[[after]]\nfrom = \"\"\"\nN\n.\"\"\"\nto = \"\"\"\n.\nN\"\"\"\n\
        [[after]]\nfrom = 'NN'\nto = '..'\nturns = true\nall = true\n";
    let piles = "title = 'Piles'\ndomain = 'rules'\nstart = { tube = ['a b a', 'b a b', ''] }\n\
        goal = 'all(t in 1..3: same(tube[t]) == size(tube[t]))'\n[piles]\n'tube[1..3]' = { most = 3 }\n\
        [[rules]]\nname = '{x} into {y}'\nfor = { x = ['tube'], y = ['tube'] }\ncarry = { from = 'x', to = 'y' }\n";
    let folder = folder("composed", &[("falling.toml", falling), ("piles.toml", piles)]);
    for file in ["falling.toml", "piles.toml"] {
        let text = certificate(&folder, &["--algorithm", "bfs", file]);
        let (status, output) = check(&folder, &[]);
        assert_eq!(status, 0, "{output}");
        assert!(output.contains("a plain search by the rules agrees"), "{output}");
        let mut forged: Value = serde_json::from_str(&text).expect("a certificate is JSON");
        let cost = forged["lower_bound"]["cost"].as_u64().expect("it is solved");
        (forged["outcome"], forged["upper_bound"], forged["optimal"]) = ("limit".into(), Value::Null, false.into());
        forged["lower_bound"]["cost"] = (cost + 1).into();
        fs::write(folder.join("c.json"), forged.to_string()).expect("the folder is writable");
        let (status, output) = check(&folder, &[]);
        assert!(status == 1 && output.contains(&format!("finds a solution of cost {cost}")), "{status}: {output}");
    }
}
