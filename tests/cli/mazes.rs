//! Tests mazes whose walls part the goal from the start: the reason is found before a search or after it, and is the
//! same.

use crate::support::program::{folder, run};

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
