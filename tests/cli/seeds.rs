//! Tests PuzzleScript games that draw at random: refused without a seed, played with one.

use crate::support::program::{folder, run};
use crate::support::root;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the random game of the puzzles, and a puzzle file that gives it no seed.
fn fireflies(name: &str) -> PathBuf {
    let game = fs::read_to_string(root().join("puzzles/puzzlescript/fireflies.txt")).expect("the game");
    let puzzle = "title = \"Fireflies\"\ndomain = \"puzzlescript\"\ngame = \"game.txt\"\n";
    folder(name, &[("game.txt", game.as_str()), ("game.toml", puzzle)])
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, error) = run(folder, arguments);
    assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}: {out}");
    out
}

#[test]
fn a_random_game_without_a_seed_is_refused_with_the_fix() {
    let folder = fireflies("seeds-refused");
    for file in ["game.txt", "game.toml"] {
        let (status, _, error) = run(&folder, &["solve", file]);
        assert_eq!(status, 2, "{error}");
        assert!(error.contains("draws at random") && error.contains("`--seed 1`"), "{error}");
    }
}

#[test]
fn a_domain_without_random_draws_refuses_a_seed() {
    for command in ["solve", "show", "check"] {
        let (status, _, error) = run(&root(), &[command, "puzzles/tutorial/eight.toml", "--seed", "1"]);
        assert_eq!(status, 2, "{command}");
        assert!(error.contains("the domain `sliding-tile` takes no seed"), "{command}: {error}");
    }
    let folder = folder("seeds-sokoban", &[("one.xsb", "######\n#@$ .#\n######\n")]);
    for command in ["solve", "import"] {
        let (status, _, error) = run(&folder, &[command, "one.xsb", "--seed", "1"]);
        assert!(status == 2 && error.contains("takes no seed"), "{command}: {error}");
    }
}

#[test]
fn every_command_that_takes_a_puzzle_takes_its_seed() {
    let folder = fireflies("seeds-commands");
    let transcript = good(&folder, &["solve", "game.toml", "--seed", "2", "--format", "text"]);
    assert!(transcript.starts_with("Fireflies\n\ndomain     puzzlescript\nseed       2\n"), "{transcript}");
    fs::write(folder.join("two.txt"), &transcript).expect("written");
    let verified = good(&folder, &["verify", "game.toml", "two.txt", "--seed", "2"]);
    assert!(verified.starts_with("verified: ") && !verified.contains("moves of the search"), "{verified}");
    let (status, _, error) = run(&folder, &["verify", "game.toml", "two.txt", "--seed", "3"]);
    assert_eq!(status, 1, "the solution of one seed is one of another: {error}");
    let shown = good(&folder, &["show", "game.toml", "--seed", "2"]);
    assert!(shown.lines().any(|line| line.split_whitespace().eq(["seed", "2"])), "{shown}");
    good(&folder, &["check", "game.toml", "--seed", "2"]);
    good(&folder, &["render", "game.toml", "--seed", "2", "-o", "out.svg"]);
    let (status, out, error) = run(&folder, &["explore", "game.toml", "--seed", "2", "--node-limit", "50"]);
    assert!(status == 3 && out.contains("seed       2"), "{out}{error}");
    let compared = good(&folder, &["compare", "game.toml", "--seed", "2", "--algorithm", "bfs", "--format", "csv"]);
    assert!(compared.contains("solved"), "{compared}");
    let json = good(&folder, &["solve", "game.toml", "--seed", "2", "--json"]);
    assert!(json.contains("\"domain\":\"puzzlescript\",\"seed\":\"2\",\"algorithm\""), "{json}");
    let summary = good(&folder, &["solve", "game.toml", "--seed", "2", "--format", "summary"]);
    assert!(summary.starts_with("Fireflies · puzzlescript, seed 2\n"), "{summary}");
}

#[test]
fn the_option_overrides_the_key_and_is_part_of_the_puzzle() {
    let folder = fireflies("seeds-override");
    let keyed = fs::read_to_string(folder.join("game.toml")).expect("the puzzle") + "seed = 1\n";
    fs::write(folder.join("keyed.toml"), keyed).expect("written");
    let moves = |arguments: &[&str]| good(&folder, &[&["solve", "--format", "moves"][..], arguments].concat());
    assert_eq!(moves(&["keyed.toml"]), moves(&["game.toml", "--seed", "1"]));
    assert_eq!(moves(&["keyed.toml", "--seed", "2"]), moves(&["game.txt", "--seed", "2"]));
    assert_ne!(moves(&["keyed.toml"]), moves(&["keyed.toml", "--seed", "2"]));
    good(&folder, &["solve", "keyed.toml", "--seed", "2", "--certificate", "two.json", "--quiet"]);
    good(&folder, &["verify", "keyed.toml", "--certificate", "two.json", "--seed", "2"]);
    let (status, out, error) = run(&folder, &["verify", "keyed.toml", "--certificate", "two.json"]);
    assert!(status == 1 && out.contains("another puzzle"), "{out}{error}");
    let (_, out, _) = run(&folder, &["verify", "keyed.toml", "--certificate", "two.json", "--seed", "2"]);
    assert!(out.contains("lower bound") && !out.contains("no independent rules"), "{out}");
}

#[test]
fn an_imported_level_of_a_random_game_has_its_seed() {
    let folder = fireflies("seeds-import");
    fs::write(folder.join("level.toml"), good(&folder, &["import", "game.txt", "--seed", "2", "--quiet"]))
        .expect("written");
    let solved = |arguments: &[&str]| good(&folder, &[&["solve", "--format", "text"][..], arguments].concat());
    assert_eq!(solved(&["level.toml"]), solved(&["game.txt", "--seed", "2"]));
}
