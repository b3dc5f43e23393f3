//! Several processes give the answer of one machine, byte for byte.

use crate::cluster::team::{PATIENCE, Team, puzzle, without_measurements};
use crate::support::program::run;
use std::fs;

/// Pieces that start in gates, can leave them, and never return.
const ONE_WAY: &str = "title = \"Out\"\ndomain = \"klotski\"\nstart = \"\"\"\nab..\ndd..\ne..g\n\"\"\"\n\
    gates = [[0, 0], [0, 1], [2, 0], [2, 1]]\ngoal = \"\"\"\n....\n....\ng...\n\"\"\"\n";
const TORUS: &str =
    "title = \"Torus\"\ndomain = \"sliding-tile\"\nsurface = \"torus\"\nstart = \"\"\"\n5 4 3\n2 1 0\n\"\"\"\n";
const WORDS: &str = "title = \"Words\"\ndomain = \"word-ladder\"\nwords = \"list.txt\"\nstart = \"cat\"\ngoal = \"chat\"\n\
    edits = [\"change\", \"insert\"]\n";
const LIST: &str = "cat\ncar\ncart\ncant\nchant\nchart\ncoat\ncot\nchat\nhat\nhot\nhoot\nthat\n";

/// Small puzzles of every domain with packed keys, and of every encoding: with and without a rank, of 16 to 128 bits,
/// with irreversible moves; with one goal, many, and none.
const PUZZLES: [&str; 11] = [
    "boards/one-cell",
    "boards/wide-3x2",
    "boards/one-row-unsolvable",
    "blocks/gate",
    "blocks/gate-unsolvable",
    "blocks/either-goal",
    "klotski1",
    "rules/frogs-and-toads",
    "rules/water-jugs",
    "words/one-way",
    "tutorial/three-pegs",
];

fn puzzles(team: &Team) -> Vec<String> {
    for (name, text) in [("one-way.toml", ONE_WAY), ("words.toml", WORDS), ("list.txt", LIST), ("torus.toml", TORUS)] {
        team.write(name, text);
    }
    PUZZLES.map(puzzle).into_iter().chain(["one-way.toml", "words.toml", "torus.toml"].map(str::to_owned)).collect()
}

/// Returns every command to compare.
fn questions(file: &str) -> Vec<Vec<&str>> {
    let mut questions = vec![vec!["explore", file], vec!["explore", file, "--format", "json"]];
    for format in ["text", "moves", "json"] {
        questions.push(vec!["solve", file, "--algorithm", "bfs", "--format", format]);
    }
    questions
}

/// Returns the comparable output: counts of a search depend on its course.
fn comparable(question: &[&str], out: &str) -> String {
    if question.contains(&"json") && !out.is_empty() { without_measurements(out).to_string() } else { out.to_owned() }
}

/// Asks all questions about a puzzle, with several processes and workers; twice if a folder stores the answer.
fn answers_are_the_same(team: &Team, file: &str, options: &[&str]) {
    for question in questions(file) {
        let (status, out, said) = run(&team.here, &question);
        let expected = (Some(status), comparable(&question, &out));
        let has_disk = options.contains(&"--disk");
        for time in 0..if has_disk { 2 } else { 1 } {
            for (process, ended) in team.all(&[&question[..], options].concat()).into_iter().enumerate() {
                let found = (ended.status, comparable(&question, &ended.out));
                assert!(
                    found == expected,
                    "{question:?} {options:?}, process {process}, time {time}: {found:?} instead of {expected:?}: {}",
                    ended.said
                );
                assert_eq!(ended.said, said, "{question:?} {options:?}");
            }
        }
        // A search cannot use the layers of an exploration.
        let _ = fs::remove_dir_all(team.here.join("on"));
    }
}

#[test]
fn one_process_of_several_workers_gives_the_answer_of_one_machine_in_every_domain() {
    let team = Team::new("workers", 1);
    for file in puzzles(&team) {
        for question in questions(&file) {
            let (status, out, _) = run(&team.here, &question);
            let expected = (Some(status), comparable(&question, &out));
            for workers in ["1", "2", "3"] {
                let ended = team.spawn("alone", &[&question[..], &["--workers", workers]].concat()).end(PATIENCE);
                assert_eq!((ended.status, comparable(&question, &ended.out)), expected, "{question:?} {workers}");
            }
        }
    }
}

#[test]
fn two_processes_give_the_answer_of_one_machine_in_every_domain() {
    let team = Team::new("two", 2);
    for file in puzzles(&team) {
        answers_are_the_same(&team, &file, &[]);
    }
}

#[test]
fn three_processes_of_two_workers_give_the_same_answer_with_layers_on_disk() {
    let team = Team::new("three", 3);
    for file in [puzzle("boards/wide-3x2"), puzzle("blocks/gate"), puzzle("rules/frogs-and-toads")] {
        answers_are_the_same(&team, &file, &["--workers", "2", "--disk", "on"]);
    }
    let team = Team::new("one-of-one", 1);
    puzzles(&team);
    for file in ["one-way.toml", "words.toml"] {
        answers_are_the_same(&team, file, &["--workers", "2", "--disk", "on"]);
    }
}

#[test]
fn limits_on_depth_give_the_same_answer_and_the_exploration_can_continue() {
    let team = Team::new("depth", 2);
    for depth in ["0", "3", "12", "30", "31"] {
        for question in [
            vec!["explore", "tiles.toml", "--depth-limit", depth],
            vec!["solve", "tiles.toml", "--algorithm", "bfs", "--format", "json", "--depth-limit", depth],
        ] {
            let (status, out, _) = run(&team.here, &question);
            let folder = format!("on-{}", question[0]);
            let expected = (Some(status), comparable(&question, &out));
            for options in [&["--workers", "2"][..], &["--disk", &folder]] {
                for ended in team.all(&[&question[..], options].concat()) {
                    assert_eq!((ended.status, comparable(&question, &ended.out)), expected, "{question:?} {options:?}");
                    assert!(!ended.said.contains("process "), "all end by themselves: {}", ended.said);
                }
            }
        }
    }
    let (_, out, _) = run(&team.here, &["explore", "tiles.toml"]);
    for ended in team.all(&["explore", "tiles.toml", "--disk", "on-explore"]) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*out), "{}", ended.said);
    }
}
