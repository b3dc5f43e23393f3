//! Tests mazes whose walls part the goal from the start: the reason is found before a search or after it, and is the
//! same. Tests mazes with several goals, portals and costs of their own.

use crate::support::program::{folder, run};

#[test]
fn the_nearest_of_several_goals_is_reached() {
    let maze = |map: &str| format!("title = \"Exits\"\ndomain = \"maze\"\nmap = \"\"\"\n{map}\"\"\"\n");
    let files = [("exits.toml", maze("G.S....G\n")), ("one.toml", maze("G#S..G\n")), ("none.toml", maze("G#S#G\n"))];
    let folder = folder("exits", &files.each_ref().map(|(name, text)| (*name, text.as_str())));
    assert_eq!(run(&folder, &["solve", "exits.toml", "--format", "moves"]), (0, "l l\n".to_owned(), String::new()));
    let (status, _, warning) = run(&folder, &["check", "one.toml"]);
    assert!(status == 0 && warning.contains("walls part the goal at [0, 0] from the start"), "{warning}");
    let (status, out, _) = run(&folder, &["solve", "none.toml"]);
    assert!(status == 1 && out.contains("walls part all goals from the start"), "{out}");
    let (status, out, errors) = run(&folder, &["scramble", "exits.toml", "--seed", "1"]);
    let row = out.lines().find(|line| line.len() == 8 && line.bytes().all(|cell| b".SG".contains(&cell)));
    let row = row.unwrap_or_else(|| panic!("{out}{errors}"));
    assert_eq!((status, row.matches('G').count(), row.matches('S').count()), (0, 2, 1), "{row}");
}

#[test]
fn every_algorithm_takes_the_portal_round_the_dear_cells() {
    let maze = "title = \"m\"\ndomain = \"maze\"\nportals = \"A\"\ncosts = { \"~\" = 9999 }\n\
                map = \"\"\"\nS.~.G\nA.~.A\n\"\"\"\n";
    let folder = folder("portal", &[("maze.toml", maze)]);
    for algorithm in ["a-star", "ida-star", "iddfs", "weighted-a-star"] {
        let solve = ["solve", "maze.toml", "--format", "json", "--algorithm", algorithm];
        let (status, out, errors) = run(&folder, &solve);
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{errors}"));
        assert_eq!((status, answer["cost"].as_f64()), (0, Some(3.0)), "{algorithm}");
        assert_eq!(answer["moves"], serde_json::json!(["d", "t", "u"]), "{algorithm}");
    }
}

#[test]
fn a_goal_behind_walls_has_one_answer_by_every_search() {
    let maze = |moves: &str, cell: char| {
        format!("title = \"Walled off\"\ndomain = \"maze\"\nmoves = \"{moves}\"\nmap = \"S.#.\\n.{cell}#G\"\n")
    };
    for (moves, cell) in [("orthogonal", '.'), ("orthogonal", '3'), ("diagonal", '.'), ("diagonal", '3')] {
        let folder = folder("walled-off", &[("maze.toml", &maze(moves, cell))]);
        let algorithms = ["a-star", "ida-star", "bfs", "dfs", "bidirectional", "greedy", "weighted-a-star", "beam"];
        let mut searches: Vec<Vec<&str>> = algorithms.iter().map(|name| vec!["--algorithm", name]).collect();
        searches.extend([vec![], vec!["--algorithm", "bfs", "--disk", "tables"], vec!["--threads", "2"]]);
        for options in searches {
            let arguments = [&["solve", "maze.toml", "--format", "json"], options.as_slice()].concat();
            let (status, out, errors) = run(&folder, &arguments);
            let answer: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{errors}"));
            let found = (status, answer["outcome"].as_str(), answer["reason"].as_str());
            let expected = (1, Some("unsolvable"), Some("walls part the goal from the start"));
            assert_eq!(found, expected, "{moves}, `{cell}`, {options:?}: {errors}");
        }
    }
}
