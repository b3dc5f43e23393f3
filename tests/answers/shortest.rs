//! Tests the enumeration of all shortest solutions, by the library and the program: the counts of every algorithm, very
//! large counts, and limits.

use crate::support::program::{UNSOLVABLE, folder, run, without_seconds};
use crate::support::root;
use engine::domain::{Plain, Style, plain};
use engine::puzzle::Notation;
use engine::search::{Algorithm, Limit, Request, Verdict, Work};
use engine::{Limits, Options, Outcome, Puzzle, Solution, verify};
use std::collections::BTreeSet;
use std::fs;

fn all_shortest(text: &str, reported: usize, options: Options) -> Solution {
    let puzzle = Puzzle::parse(text, "test").unwrap_or_else(|report| panic!("{report}"));
    let options = Options { all_shortest: Some(reported), ..options };
    puzzle.solve(&options).unwrap_or_else(|error| panic!("{error}"))
}

fn text_of(puzzle: &str) -> String {
    fs::read_to_string(root().join("puzzles").join(puzzle)).expect("the puzzle is there")
}

#[test]
fn every_algorithm_that_proves_its_cost_counts_the_same() {
    for puzzle in ["eight-puzzle/20-moves.toml", "klotski3.toml", "blocks/gate.toml"] {
        let text = text_of(puzzle);
        let count = |algorithm: Option<Algorithm>, heuristic: Option<&str>, depth| {
            let limits = Limits { depth, ..Limits::default() };
            let heuristic = heuristic.map(str::to_owned);
            let solution = all_shortest(&text, 0, Options { algorithm, heuristic, limits, ..Options::default() });
            (solution.cost(), solution.solutions())
        };
        let plain = count(None, None, None);
        assert!(plain.1 > Some(0), "{puzzle} has solutions");
        let heuristics = Puzzle::parse(&text, puzzle).unwrap_or_else(|report| panic!("{report}")).domain().heuristics;
        for heuristic in heuristics.iter().filter(|heuristic| heuristic.admissible) {
            assert_eq!(count(Some(Algorithm::AStar), Some(heuristic.name), None), plain, "{puzzle} {}", heuristic.name);
        }
        assert_eq!(count(Some(Algorithm::Bfs), None, None), plain, "{puzzle} bfs");
        let depth = plain.0.map(|cost| cost as u32);
        assert_eq!(count(Some(Algorithm::Dfs), None, depth), plain, "{puzzle} dfs within the optimum");
    }
}

/// What breaks: a heuristic that the search does not use prunes the count, although it overestimates.
#[test]
fn a_heuristic_that_overestimates_hides_no_solution() {
    let garage = "title = 'The garage'\ndomain = 'klotski'\nmetric = 'step'\n\
        start = '''\ncar..\n#bb#.\n....=\n'''\ngoal = '''\n.....\n.....\n....c\n'''\n";
    for heuristic in [None, Some("obstruction".to_owned())] {
        let solution =
            all_shortest(garage, 0, Options { algorithm: Some(Algorithm::Bfs), heuristic, ..Options::default() });
        assert_eq!((solution.cost(), solution.solutions()), (Some(9.0), Some(3)), "{:?}", solution.heuristic());
    }
}

#[test]
fn solutions_of_a_published_board_are_listed_in_order_and_reach_its_goal() {
    for (puzzle, least) in [("klotski7.toml", 150), ("eight-puzzle/31-moves.toml", 31)] {
        let text = text_of(puzzle);
        let file = Puzzle::parse(&text, puzzle).unwrap_or_else(|report| panic!("{report}"));
        let solution = all_shortest(&text, 300, Options::default());
        let paths = solution.all_shortest().expect("they were asked for");
        let reported: Vec<Vec<String>> = paths.map(|way| way.moves(Notation::STANDARD)).collect();
        assert_eq!(reported.len() as u128, solution.solutions().expect("they were counted").min(300), "{puzzle}");
        assert_eq!(
            reported.iter().collect::<BTreeSet<_>>().len(),
            reported.len(),
            "{puzzle}: a solution is listed twice"
        );
        for moves in &reported {
            assert_eq!(moves.len(), least, "{puzzle}: {moves:?}");
            let replayed = verify::replay(&file, moves).map(|replayed| replayed.cost);
            assert_eq!(replayed, Ok(least as f64), "{puzzle}: {moves:?}");
        }
        let fewer = all_shortest(&text, 7, Options::default());
        let fewer: Vec<_> =
            fewer.all_shortest().into_iter().flatten().map(|way| way.moves(Notation::STANDARD)).collect();
        assert_eq!(fewer, reported[..7], "{puzzle}: a shorter list has other solutions");
    }
}

#[test]
fn an_algorithm_without_an_optimality_proof_is_refused() {
    let puzzle = Puzzle::load(root().join("puzzles/klotski1.toml")).unwrap_or_else(|report| panic!("{report}"));
    for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm) {
        let options = Options { algorithm: Some(algorithm), all_shortest: Some(0), ..Options::default() };
        match puzzle.solve(&options) {
            Ok(solution) => assert!(algorithm.proves_shortest() && solution.solutions() > Some(0)),
            Err(error) => {
                assert!(!algorithm.proves_shortest() && error.to_string().contains(algorithm.name()), "{error}");
                assert!(error.help().contains("`bfs`") && !error.help().contains("`greedy`"), "{}", error.help());
            }
        }
    }
}

#[test]
fn a_limit_ends_the_count_and_keeps_the_solution() {
    let text = text_of("klotski7.toml");
    let plain = all_shortest(&text, 5, Options::default());
    let searched = plain.stats().expanded;
    let within = |limits| all_shortest(&text, 5, Options { limits, ..Options::default() });
    let memory = Limits { memory: Some(plain.stats().memory - 1), ..Limits::default() };
    let nodes = Limits { nodes: Some(searched + 10), ..Limits::default() };
    for (limits, limit) in [(memory, Limit::Memory), (nodes, Limit::Nodes)] {
        let stopped = within(limits);
        assert_eq!((stopped.outcome(), stopped.limit()), (Outcome::Limit, Some(limit)));
        assert!(
            stopped.solutions().is_none() && stopped.all_shortest().is_none(),
            "{limit:?}: an incomplete count is reported"
        );
        assert_eq!((stopped.cost(), stopped.lower_bound()), (Some(150.0), Some(150.0)), "{limit:?}");
        assert!(stopped.is_optimal() && stopped.moves() == plain.moves(), "{limit:?}");
        assert_eq!(stopped.stats().expanded, searched, "{limit:?}: the count changes the search");
    }
    // A table that grows exists twice for a moment.
    let enough = Limits { memory: Some(plain.stats().memory * 2), ..Limits::default() };
    assert_eq!(within(enough).solutions(), plain.solutions(), "twice the final memory is too little");
}

/// A path graph with this many steps and two parallel edges for each step.
struct Twofold(u32);

impl Plain for Twofold {
    type State = u32;
    type Action = char;

    fn initial(&self) -> u32 {
        0
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == self.0
    }

    fn successors(&self, state: &u32) -> Vec<(char, u32)> {
        vec![('l', state + 1), ('r', state + 1)]
    }

    fn notation(&self, _state: &u32, action: char) -> String {
        action.to_string()
    }

    fn draw(&self, state: &u32, _style: Style) -> String {
        format!("{state}\n")
    }
}

#[test]
fn numbers_beyond_64_bits_are_exact_and_those_beyond_128_saturate() {
    let found = |steps| {
        let limits = Limits::default();
        let response = plain(Twofold(steps)).run(&Request::in_memory(Work::Search(Algorithm::Bfs), &limits));
        let found = response.expect("memory does not fail").answer.found();
        let Verdict::Solved { path, .. } = found.verdict else { panic!("{steps} steps can be made") };
        path.all_shortest(true, &Limits::default()).unwrap_or_else(|limit| panic!("there is no {limit:?}"))
    };
    for steps in [0, 1, 64, 127] {
        assert_eq!(found(steps).count(), 1 << steps, "{steps} steps");
    }
    assert_eq!((found(128).count(), found(300).count()), (u128::MAX, u128::MAX));
    let reported: Vec<String> = found(3).iter().map(|way| way.moves(Notation::STANDARD).concat()).collect();
    assert_eq!(reported, ["lll", "llr", "lrl", "lrr", "rll", "rlr", "rrl", "rrr"]);
    assert_eq!(
        found(300).iter().nth(3).map(|way| way.moves(Notation::STANDARD)[298..].concat()),
        Some("rr".to_owned())
    );
}

#[test]
fn all_shortest_solutions_are_counted_and_listed_in_every_format() {
    // Both directions around the ring; the solution whose blank first moves right comes first.
    let ring = "title = \"Ring\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n0 3\n2 1\n\"\"\"\n";
    let solved = "title = \"s\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\n[expect]\ncost = 0\n";
    let folder = folder("shortest", &[("ring.toml", ring), ("none.toml", UNSOLVABLE), ("solved.toml", solved)]);
    let solve = |arguments: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["solve"], arguments].concat());
        // A list of moves cannot contain the count, so standard error does.
        let is_listed = arguments.contains(&"moves") || arguments.contains(&"boards");
        assert_eq!(errors, if is_listed { "ring.toml: shortest solutions: 2\n" } else { "" });
        (status, out)
    };
    let json = |arguments: &[&str]| without_seconds(&solve(&[arguments, &["--format", "json"]].concat()).1);
    let paths = ["3l 1u 2r 3d 1l 2u", "2u 1l 3d 2r 1u 3l"];
    let lines = paths.map(|way| format!("{way}\n"));
    assert_eq!(solve(&["ring.toml", "--all", "1", "--format", "moves"]), (0, lines[0].clone()));
    assert_eq!(solve(&["ring.toml", "--all", "2", "--format", "moves"]), (0, lines.concat()));
    assert_eq!(solve(&["ring.toml", "--all", "9", "--format", "moves"]), (0, lines.concat()), "there are no more");

    let (plain, mut counted) = (json(&["ring.toml"]), json(&["ring.toml", "--count"]));
    assert_eq!((&counted["solutions"], &counted["all"]), (&2.into(), &serde_json::Value::Null));
    for field in ["solutions", "peak_memory_bytes"] {
        counted[field] = plain[field].clone();
    }
    assert_eq!(counted, plain, "the count changes another field");
    let all = json(&["ring.toml", "--all", "5"]);
    let reported: Vec<String> = all["all"].as_array().expect("solutions").iter().map(line_of).collect();
    assert_eq!((reported, &all["solutions"], &all["moves"]), (lines.to_vec(), &2.into(), &plain["moves"]));
    let none = json(&["none.toml", "--all", "5"]);
    assert_eq!(
        (&none["outcome"], none["solutions"].is_null(), none["all"].is_null()),
        (&"unsolvable".into(), true, true)
    );
    let nothing = json(&["solved.toml", "--all", "5", "--node-limit", "0", "--memory-limit", "0"]);
    assert_eq!((&nothing["solutions"], &nothing["all"]), (&1.into(), &serde_json::json!([[]])));

    let (status, text) = solve(&["ring.toml", "--count"]);
    let plain = solve(&["ring.toml"]).1;
    let counted = plain.replace("proven shortest\n", "proven shortest\nsolutions  2\n");
    assert_eq!((status, &text), (0, &counted), "one line more");
    let text = solve(&["ring.toml", "--all", "2"]).1;
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("solution")).collect();
    assert_eq!(heads, ["solutions  2", "solution 1 of 2", "solution 2 of 2"]);
    assert_eq!(text.matches("\n\nstart\n. 3\n2 1\n\n1. ").count(), 2, "each is a transcript: {text}");
    let boards = solve(&["ring.toml", "--all", "2", "--format", "boards"]).1;
    assert_eq!(boards.split("\n\n").filter(|board| board.trim_end() == "2\n0 3\n2 1").count(), 2, "{boards}");
    assert_eq!(boards.split("\n\n").count(), 14, "{boards}");

    let (status, _, errors) = run(&folder, &["solve", "ring.toml", "--count", "--algorithm", "greedy"]);
    assert!(status == 2 && errors.contains("`greedy` does not prove") && errors.contains("`a-star`"), "{errors}");
    let (status, _, errors) = run(&folder, &["solve", "ring.toml", "--all", "0"]);
    assert!(status == 2 && errors.contains("--all <N>"), "{errors}");
}

/// Joins the moves of a JSON solution to a line.
fn line_of(moves: &serde_json::Value) -> String {
    let moves = moves.as_array().expect("moves").iter().map(|written| written.as_str().expect("a move"));
    moves.collect::<Vec<_>>().join(" ") + "\n"
}

#[test]
fn a_limit_on_the_count_leaves_the_solution() {
    let puzzle = root().join("puzzles/klotski7.toml");
    let solve = |arguments: &[&str]| run(&root(), &[&["solve", puzzle.to_str().unwrap()], arguments].concat());
    let searched = without_seconds(&solve(&["--format", "json"]).1)["expanded"].as_u64().expect("a number") + 1;
    let limit = ["--all", "2", "--node-limit", &searched.to_string()];
    let (status, out, _) = solve(&[&limit[..], &["--format", "json"]].concat());
    let row = without_seconds(&out);
    assert_eq!((status, &row["outcome"], &row["limit"]), (3, &"limit".into(), &"nodes".into()));
    assert_eq!((&row["cost"], &row["optimal"], &row["lower_bound"]), (&150.into(), &true.into(), &150.into()));
    assert!(row["solutions"].is_null() && row["all"].is_null(), "{row}");
    assert_eq!(row["moves"].as_array().map(Vec::len), Some(150));
    let (status, out, _) = solve(&limit);
    assert!(
        status == 3
            && out.contains("cost       150, proven shortest\nsolutions  not counted: stopped at the nodes limit\n"),
        "{out}"
    );
    assert!(out.contains("\n150. "), "the solution is missing");
    assert_eq!(solve(&[&limit[..], &["--format", "moves"]].concat()).1.split_whitespace().count(), 150);
}
