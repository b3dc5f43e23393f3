//! Compares published figures with the library's answers.

use crate::support::root;
use engine::puzzle::{Notation, Style};
use engine::{Algorithm, Limits, Options, Outcome, Puzzle};

fn tiles(goal: &str, start: &str) -> Puzzle {
    let rows = start.replace('/', "\n");
    let text = format!("title = \"t\"\ndomain = \"sliding-tile\"\ngoal = \"{goal}\"\nstart = \"\"\"\n{rows}\n\"\"\"\n");
    Puzzle::parse(&text, "figures").unwrap_or_else(|report| panic!("{report}"))
}

fn h(puzzle: &Puzzle, heuristic: &str) -> f64 {
    puzzle.space(heuristic).expect("the puzzle has the heuristic").h()
}

fn cost(puzzle: &Puzzle) -> Option<f64> {
    let solution = puzzle.solve(&Options::default()).expect("no heuristic is named");
    assert_eq!(solution.cost().is_some(), solution.is_optimal());
    solution.cost()
}

#[test]
fn the_boards_of_the_courses_take_as_many_moves_as_published() {
    assert_eq!(cost(&tiles("blank-last", "4 1 3/2 0 7/6 8 5")), Some(18.0));
    assert_eq!(cost(&tiles("blank-last", "1 2/0 3")), Some(1.0));
    assert_eq!(cost(&tiles("blank-last", "0 1 3/4 2 5/7 8 6")), Some(4.0));
}

#[test]
fn the_heuristics_have_the_published_values() {
    let values = |start| {
        let puzzle = tiles("blank-last", start);
        (h(&puzzle, "hamming"), h(&puzzle, "manhattan"))
    };
    assert_eq!(values("8 1 3/4 0 2/7 6 5"), (5.0, 10.0));
    assert_eq!(values("9 5 6 4/13 3 1 11/0 10 12 7/14 2 15 8"), (12.0, 24.0));
    assert_eq!(values("3 2 4 8/1 6 0 12/5 10 7 11/9 13 14 15"), (12.0, 13.0));
}

#[test]
fn unsolvable_boards_need_no_search() {
    for (start, counts) in [
        (
            "3 2 4 8/1 6 0 12/5 10 7 11/9 13 14 15",
            "an even permutation of the goal (26 inversions), and the blank is 3 steps from",
        ),
        ("1 2 3/4 5 6/8 7 0", "an odd permutation of the goal (1 inversion), and the blank is 0 steps from"),
    ] {
        let solution = tiles("blank-last", start).solve(&Options::default()).expect("no heuristic is named");
        assert_eq!(solution.outcome(), Outcome::Unsolvable);
        assert_eq!(solution.stats().expanded, 0, "nothing is searched");
        let reason = solution.reason().expect("a reason");
        assert!(reason.contains(counts), "{reason}");
    }
}

#[test]
fn the_hardest_positions_are_as_hard_as_published() {
    let board = std::fs::read_to_string(root().join("puzzles/klotski7.toml")).expect("the puzzle is there");
    for (metric, cost) in [("step", 179.0), ("slide", 150.0), ("turn", 138.0)] {
        let text = board.replace("\"slide\"", &format!("\"{metric}\""));
        let puzzle = Puzzle::parse(&text, "figures").unwrap_or_else(|report| panic!("{report}"));
        let found = puzzle.explore(&Limits::default()).found;
        assert_eq!(found.hardest.map(|hardest| hardest.cost), Some(cost), "by {metric}");
        assert_eq!(found.dead_ends, Some(0));
    }
    let eight = tiles("blank-last", "1 2 3/4 5 6/7 8 0").explore(&Limits::default()).found;
    let hardest = eight.hardest.as_ref().map(|hardest| (hardest.cost, hardest.count));
    assert_eq!((eight.states(), eight.goals, hardest), (181_440, 1, Some((31.0, 2))));
}

#[test]
fn a_large_piece_on_an_empty_board_has_five_slides() {
    let text = "title = \"t\"\ndomain = \"klotski\"\nstart = \"\"\"\n.aa.\n.aa.\n....\n....\n....\n\"\"\"\n\
                goal = \"\"\"\n....\n....\n....\n.aa.\n.aa.\n\"\"\"\n";
    let puzzle = Puzzle::parse(text, "figures").unwrap_or_else(|report| panic!("{report}"));
    let moves = puzzle.space("zero").expect("every domain has the heuristic `zero`").legal_moves(Notation::STANDARD);
    assert_eq!(moves, ["ad1", "ad2", "ad3", "al1", "ar1"]);
}

#[test]
fn a_solution_can_be_read_repeatedly_in_any_order() {
    let puzzle = Puzzle::load(root().join("puzzles/klotski2.toml")).unwrap_or_else(|report| panic!("{report}"));
    let solution = puzzle.solve(&Options::default()).expect("no heuristic is named");
    let positions = solution.positions();
    assert_eq!(solution.cost(), Some(18.0));
    assert_eq!(positions, solution.positions());
    assert_eq!(solution.moves(), solution.moves());
    assert_eq!(positions.len(), solution.moves().len() + 1);
    assert_eq!(positions[0].position, puzzle.draw(Style::Drawn));
    let actions: Vec<String> = positions.into_iter().filter_map(|step| step.action).collect();
    assert_eq!(actions, solution.moves());
}

#[test]
fn a_search_stops_at_each_limit_with_its_lower_bound() {
    let korf = tiles("blank-first", "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3");
    let run = |algorithm, limits| {
        let options = Options { algorithm: Some(algorithm), limits, ..Options::default() };
        korf.solve(&options).expect("no heuristic is named")
    };
    let nodes = run(Algorithm::AStar, Limits { nodes: Some(1000), ..Limits::default() });
    assert_eq!((nodes.outcome(), nodes.stats().expanded), (Outcome::Limit, 1000));
    assert!(nodes.lower_bound().is_some_and(|bound| (41.0..=57.0).contains(&bound)), "{:?}", nodes.lower_bound());
    for algorithm in [Algorithm::Bfs, Algorithm::AStar, Algorithm::Dfs] {
        let memory = run(algorithm, Limits { memory: Some(8 << 20), ..Limits::default() });
        assert_eq!(memory.limit().map(|limit| limit.name()), Some("memory"));
        assert!(memory.stats().memory <= 8 << 20, "{} bytes in {}", memory.stats().memory, algorithm.name());
        let time = run(algorithm, Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() });
        assert_eq!(time.limit().map(|limit| limit.name()), Some("time"));
    }
    let depth = run(Algorithm::Bfs, Limits { depth: Some(10), ..Limits::default() });
    assert_eq!((depth.limit().map(|limit| limit.name()), depth.lower_bound()), (Some("depth"), Some(11.0)));
}

/// Checks the numbers of positions at each depth from the solved position of a puzzle file.
fn has_levels(file: &str, solved: &str, levels: &[u64]) {
    let text = std::fs::read_to_string(root().join("puzzles/permutation").join(file)).expect("the puzzle is there");
    let from_start = |line: &&str| !line.starts_with("start = ") && !line.starts_with("scramble = ");
    let text: Vec<&str> = text.lines().filter(from_start).collect();
    let text = text.join("\n").replacen("\nsolved", &format!("\nstart = \"{solved}\"\nsolved"), 1);
    let puzzle = Puzzle::parse(&text, "figures").unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(puzzle.explore(&Limits::default()).found.by_depth, levels, "{file}");
}

#[test]
fn twisty_puzzles_have_as_many_positions_at_each_depth_as_published() {
    // OEIS A080615.
    let levels = [1, 4, 10, 24, 53, 64, 31, 4, 1];
    has_levels("floppy-cube.toml", "WWWWWWWWWOOOGGGRRRBBBYYYYYYYYY", &levels);
    // OEIS A079745.
    let levels = [1, 8, 48, 288, 1728, 10248, 59304, 315_198, 1_225_483, 1_455_856, 81_028, 90];
    has_levels("skewb.toml", "WWWWWOOGGRRBBOGRBOOGGRRBBYYYYY", &levels);
    // Jaap Scherphuis, Puzzle Pages.
    let levels = [1, 8, 48, 288, 1728, 9896, 51808, 220_111, 480_467, 166_276, 2457, 32];
    has_levels("pyraminx-without-tips.toml", "GYRBGGGYYYRRRBBBGGGGGYYYYYRRRRRBBBBB", &levels);
}
