//! Random small puzzles: all algorithms and heuristics that claim the optimum give the same cost, and every solution
//! is replayed by rules written a second time. What breaks here is a move generator, a heuristic, or a search.

mod support;

use engine::domain;
use engine::search::{Algorithm, Limits};
use engine::{Options, Outcome, Puzzle, Solution};
use support::{Random, checker};

/// Solves in every way; checks that the answers agree; returns the cost.
fn agree(text: &str) -> Option<f64> {
    let puzzle = Puzzle::parse(text, "random").unwrap_or_else(|report| panic!("{report}\n{text}"));
    let solve = |algorithm, heuristic: Option<&str>, depth| {
        let limits = Limits { depth, ..Limits::default() };
        let options = Options { algorithm: Some(algorithm), heuristic: heuristic.map(str::to_owned), limits };
        let solution = puzzle.solve(&options).expect("the heuristic is the domain's");
        if solution.outcome() == Outcome::Solved {
            let replayed = checker::replay(text, &solution.moves());
            assert_eq!(replayed, Ok(()), "{} {heuristic:?} {depth:?}\n{text}", algorithm.name());
        }
        solution
    };
    let plain = solve(Algorithm::Bfs, None, None);
    let same = |other: Solution, how: &str| {
        assert_eq!((other.outcome(), other.cost()), (plain.outcome(), plain.cost()), "{how}\n{text}");
        assert_eq!(other.is_optimal(), plain.is_optimal(), "{how}\n{text}");
    };
    for heuristic in puzzle.domain().heuristics.iter().filter(|facts| facts.admissible) {
        same(solve(Algorithm::AStar, Some(heuristic.name), None), heuristic.name);
    }
    if let Some(cost) = plain.cost() {
        same(solve(Algorithm::Dfs, None, Some(cost as u32)), "dfs within the optimum");
        same(solve(Algorithm::Dfs, None, Some(cost as u32 + 3)), "dfs within a little more");
        same(solve(Algorithm::AStar, None, Some(cost as u32)), "a-star within the optimum");
    }
    assert_eq!(solve(Algorithm::Dfs, None, None).outcome(), plain.outcome(), "dfs\n{text}");
    plain.cost()
}

#[test]
fn random_boards_of_tiles() {
    let mut random = Random(0x5eed);
    let mut solved = 0;
    for round in 0..150 {
        let (rows, columns) = [(2, 2), (2, 3), (3, 2), (1, 4), (2, 4)][round % 5];
        let cells = rows * columns;
        let mut draw = || {
            let mut tiles: Vec<usize> = (0..cells).collect();
            random.shuffle(&mut tiles);
            let row = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
            tiles.chunks(columns).map(row).collect::<String>()
        };
        let (start, goal) = (draw(), draw());
        let representation = ["auto", "array"][round % 2];
        let text = format!(
            "title = \"t\"\ndomain = \"sliding-tile\"\nrepresentation = \"{representation}\"\n\
             start = \"\"\"\n{start}\"\"\"\ngoal = \"\"\"\n{goal}\"\"\"\n"
        );
        solved += usize::from(agree(&text).is_some());
    }
    assert!((30..150).contains(&solved), "{solved} of 150 could be solved: too few, or too many, to mean anything");
}

#[test]
fn random_boards_of_blocks() {
    let mut random = Random(0xb10c);
    let mut solved = 0;
    for round in 0..300 {
        let (rows, columns) = (2 + random.below(3), 3 + random.below(2));
        let mut board = vec![vec!['.'; columns]; rows];
        let mut names = 'a'..='z';
        for _ in 0..2 + random.below(5) {
            let shapes: [&[(usize, usize)]; 6] = [
                &[(0, 0)],
                &[(0, 0), (0, 1)],
                &[(0, 0), (1, 0)],
                &[(0, 0), (0, 1), (1, 0)],
                &[(0, 1), (1, 0), (1, 1)],
                &[(0, 0), (0, 2)],
            ];
            let shape = shapes[random.below(6)];
            let (row, column) = (random.below(rows), random.below(columns));
            let free =
                |&(r, c): &(usize, usize)| board.get(row + r).and_then(|line| line.get(column + c)) == Some(&'.');
            if shape.iter().all(free) {
                let name = names.next().expect("at most six pieces");
                shape.iter().for_each(|&(r, c)| board[row + r][column + c] = name);
            }
        }
        for sign in ['#', '='] {
            let (row, column) = (random.below(rows), random.below(columns));
            if board[row][column] == '.' && random.below(2) == 0 {
                board[row][column] = sign;
            }
        }
        // The goal is where a random walk of the first piece, alone, could stand.
        let cells: Vec<(usize, usize)> =
            (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).filter(|&(r, c)| board[r][c] == 'a').collect();
        let (top, left) = (cells.iter().map(|c| c.0).min().unwrap_or(0), cells.iter().map(|c| c.1).min().unwrap_or(0));
        let (to_row, to_column) = (random.below(rows), random.below(columns));
        let mut goal = vec![vec!['.'; columns]; rows];
        let fits = |&(r, c): &(usize, usize)| {
            board.get(r - top + to_row).and_then(|line| line.get(c - left + to_column)).is_some_and(|&cell| cell != '#')
        };
        if cells.is_empty() || !cells.iter().all(fits) {
            continue;
        }
        cells.iter().for_each(|&(r, c)| goal[r - top + to_row][c - left + to_column] = 'a');
        let draw =
            |board: &[Vec<char>]| board.iter().map(|row| row.iter().collect::<String>() + "\n").collect::<String>();
        let metric = ["slide", "step", "turn"][round % 3];
        let moves = ["any", "any", "lengthwise", "horizontal"][round % 4];
        let text = format!(
            "title = \"t\"\ndomain = \"klotski\"\nmetric = \"{metric}\"\nmoves = \"{moves}\"\n\
             start = \"\"\"\n{}\"\"\"\ngoal = \"\"\"\n{}\"\"\"\n",
            draw(&board),
            draw(&goal)
        );
        solved += usize::from(agree(&text).is_some_and(|cost| cost > 0.0));
    }
    assert!(solved >= 30, "only {solved} boards had anything to solve");
}

#[test]
fn every_domain_lists_itself_with_what_it_has() {
    for name in domain::registered() {
        let facts = domain::facts(name).unwrap_or_else(|| panic!("{name} has no facts"));
        assert_eq!(facts.name, name);
        assert!(!facts.notations.is_empty() && !facts.summary.is_empty(), "{name} says too little of itself");
    }
}
