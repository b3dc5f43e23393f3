//! Tests permutation puzzles through the program: stable scrambles, facts, and answers without a search.

use crate::support::program::{folder, run};
use crate::support::root;
use engine::{Options, Outcome, Puzzle};
use std::fs;

const TOP_SPIN: &str = "title = \"t\"\ndomain = \"permutation\"\nmetric = \"generator\"\nsolved = [1, 2, 3, 4, 5, 6, 7, 8]\n\
    start = [1, 2, 3, 4, 5, 6, 7, 8]\n[moves]\nT = \"(1 4)(2 3)\"\nS = \"(1 2 3 4 5 6 7 8)\"\n";

fn cube() -> String {
    fs::read_to_string(root().join("puzzles/permutation/rubiks-cube.toml")).expect("the puzzle is there")
}

/// Replaces the start of a puzzle file, and returns the drawing of the new start.
fn start(text: &str, from: &str, key: &str) -> String {
    let text = text.replacen(from, key, 1);
    let puzzle = Puzzle::parse(&text, "scrambled").unwrap_or_else(|report| panic!("{report}"));
    puzzle.draw(engine::puzzle::Style::Plain).trim_end().to_owned()
}

#[test]
fn a_seed_yields_the_same_position_in_every_version() {
    let old = "start = [1, 2, 3, 4, 5, 6, 7, 8]";
    assert_eq!(start(TOP_SPIN, old, "scramble = { moves = 20, seed = 7 }"), "5 6 8 4 3 1 2 7");
    assert_eq!(start(TOP_SPIN, old, "scramble = { seed = 7 }"), "3 6 7 2 5 4 8 1");
    let cube = cube();
    let (_, rest) = cube.split_once("scramble = ").expect("it is scrambled");
    let old = format!("scramble = {}", rest.lines().next().expect("a line"));
    assert_eq!(start(&cube, &old, "scramble = { seed = 7 }"), "WOOOGGBRBBWOYGYYYGYRROGBWWOGOGRGRWOWRBYBWBBWRYRY");
}

#[test]
fn scrambled_puzzles_load_and_can_be_solved() {
    let odd = "title = \"t\"\ndomain = \"permutation\"\nsolved = ['a\"b', 1, \"1x\", -3]\nscramble = \"T\"\n[moves]\nT = \"(1 2 3 4)\"\n";
    let folder = folder("permutations", &[("cube.toml", &cube()), ("odd.toml", odd)]);
    for (file, arguments) in [("cube.toml", &["--moves", "5"][..]), ("odd.toml", &[]), ("odd.toml", &["--seed", "2"])] {
        let (status, text, _) = run(&folder, &[&["scramble", file], arguments].concat());
        assert_eq!(status, 0);
        let puzzle = Puzzle::parse(&text, file).unwrap_or_else(|report| panic!("{report}\n{text}"));
        let solution = puzzle.solve(&Options::default()).expect("the search starts");
        assert_eq!(solution.outcome(), Outcome::Solved);
        assert!(solution.cost().is_some_and(|cost| cost <= 5.0), "{:?}", solution.cost());
    }
}

/// Returns a puzzle of one move away from its goal, by a generator with cycles of these lengths.
fn cycles(lengths: &[u32]) -> String {
    let mut places = 0;
    let mut cycle = |&length: &u32| {
        let listed: Vec<String> = (places + 1..=places + length).map(|place| place.to_string()).collect();
        places += length;
        format!("({})", listed.join(" "))
    };
    let generator: String = lengths.iter().map(&mut cycle).collect();
    let solved: Vec<u32> = (1..=places).collect();
    format!(
        "title = \"t\"\ndomain = \"permutation\"\nmetric = \"generator\"\nsolved = {solved:?}\nscramble = \"T\"\n\
         [moves]\nT = \"{generator}\"\n"
    )
}

/// The inverse of a generator is the power that is its order less one, and powers are numbers of 64 bits.
#[test]
fn a_generator_has_an_order_of_at_most_64_bits() {
    // The product of these numbers has 65 bits, that of all but the last one 60.
    let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
    let files = [("large.toml", &*cycles(&primes[..15])), ("huge.toml", &*cycles(&primes))];
    let folder = folder("permutation-orders", &files);
    let (_, out, error) = run(&folder, &["solve", "large.toml", "--format", "moves", "--algorithm", "bfs"]);
    assert_eq!(out, "T'\n", "{error}");
    let (status, _, error) = run(&folder, &["solve", "huge.toml"]);
    assert!(status == 2 && error.contains("`T` has an order of 2^64 or more"), "{error}");
}

#[test]
fn facts_need_no_search() {
    let folder = folder("permutation-facts", &[("cube.toml", &cube())]);
    let (_, shown, _) = run(&folder, &["show", "cube.toml"]);
    let fact = |name: &str| {
        let line = shown.lines().find(|line| line.starts_with(&format!("{name} ")));
        line.map(|line| line[name.len()..].trim().to_owned()).unwrap_or_else(|| panic!("no {name} in: {shown}"))
    };
    assert_eq!(fact("size"), "48 places");
    assert_eq!(fact("solvable"), "yes");
    assert_eq!(fact("states"), "43252003274489856000");
    assert!(fact("legal moves").starts_with("U U2 U' L L2 L'"));
    let twisted = root().join("puzzles/permutation/twisted-corner.toml");
    let (status, answer, _) = run(&folder, &["solve", twisted.to_str().expect("a path"), "--format", "json"]);
    assert_eq!(status, 1);
    assert!(answer.contains("\"expanded\":0") && answer.contains("\"outcome\":\"unsolvable\""), "{answer}");
}
