//! Random small puzzles: all algorithms and heuristics that claim the optimum give the same cost, and every solution
//! is replayed by rules written a second time. What breaks here is a move generator, a heuristic, or a search.

mod support;

use engine::domain;
use engine::puzzle::Notation;
use engine::search::{Algorithm, Limits, Weight};
use engine::{Options, Outcome, Puzzle, Solution, verify};
use std::collections::BTreeSet;
use std::num::NonZero;
use support::{Random, checker};

/// The rules, written a second time, lead from the start to a goal, at this cost.
fn verified(puzzle: &Puzzle, moves: &[String], cost: Option<f64>, how: &str, text: &str) {
    let replayed = verify::replay(puzzle, moves).map(|replayed| Some(replayed.cost));
    assert_eq!(replayed, Ok(cost), "{how}\n{text}");
}

/// Solves in many ways, in every way if asked for; checks that the answers agree; returns the cost.
fn agree(text: &str, in_every_way: bool) -> Option<f64> {
    let puzzle = Puzzle::parse(text, "random").unwrap_or_else(|report| panic!("{report}\n{text}"));
    let solve = |algorithm, heuristic: Option<&str>, depth| {
        let limits = Limits { depth, ..Limits::default() };
        let options = Options {
            algorithm: Some(algorithm),
            heuristic: heuristic.map(str::to_owned),
            limits,
            ..Options::default()
        };
        let solution = puzzle.solve(&options).expect("the heuristic is the domain's");
        if solution.outcome() == Outcome::Solved {
            let how = format!("{} {heuristic:?} {depth:?}", algorithm.name());
            verified(&puzzle, &solution.moves(), solution.cost(), &how, text);
        }
        solution
    };
    let plain = solve(Algorithm::Bfs, None, None);
    let same = |other: Solution, how: &str| {
        assert_eq!((other.outcome(), other.cost()), (plain.outcome(), plain.cost()), "{how}\n{text}");
        assert_eq!(other.is_optimal(), plain.is_optimal(), "{how}\n{text}");
    };
    let limits = Limits { threads: NonZero::new(3), ..Limits::default() };
    let shared = Options { algorithm: Some(Algorithm::Bfs), limits, ..Options::default() };
    let shared = puzzle.solve(&shared).expect("bfs searches everything");
    assert_eq!((shared.moves(), shared.stats().expanded), (plain.moves(), plain.stats().expanded), "threads\n{text}");
    let both_ends = Options { algorithm: Some(Algorithm::Bidirectional), ..Options::default() };
    if let Some(solution) = in_every_way.then(|| puzzle.solve(&both_ends).ok()).flatten() {
        if solution.cost().is_some() {
            verified(&puzzle, &solution.moves(), solution.cost(), "bidirectional", text);
        }
        same(solution, "bidirectional");
    }
    let heuristics = puzzle.domain().heuristics.iter().filter(|facts| facts.admissible).map(|facts| facts.name);
    let heuristics: Vec<&str> = heuristics.filter(|name| puzzle.space(name).is_ok()).collect();
    for heuristic in &heuristics {
        same(solve(Algorithm::AStar, Some(heuristic), None), heuristic);
    }
    if in_every_way {
        deepen(&puzzle, text, &heuristics, &same);
        for heuristic in &heuristics {
            let greedy = solve(Algorithm::Greedy, Some(heuristic), None);
            let weighted = solve(Algorithm::WeightedAStar(Weight::DEFAULT), Some(heuristic), None);
            assert_eq!([greedy.outcome(), weighted.outcome()], [plain.outcome(); 2], "{heuristic}\n{text}");
            let twice = plain.cost().map_or(0.0, |cost| 2.0 * cost);
            assert!(weighted.cost().unwrap_or(0.0) <= twice, "more than the weight allows: {heuristic}\n{text}");
        }
    }
    if let Some(cost) = plain.cost() {
        same(solve(Algorithm::Dfs, None, Some(cost as u32)), "dfs within the optimum");
        same(solve(Algorithm::Dfs, None, Some(cost as u32 + 3)), "dfs within a little more");
        same(solve(Algorithm::AStar, None, Some(cost as u32)), "a-star within the optimum");
    }
    assert_eq!(solve(Algorithm::Dfs, None, None).outcome(), plain.outcome(), "dfs\n{text}");
    plain.cost()
}

/// Searches by deepening, as far as some thousand states lead: the answer is the same, and so are the moves, whatever
/// guides the search and whatever it leaves out.
fn deepen(puzzle: &Puzzle, text: &str, heuristics: &[&str], same: &dyn Fn(Solution, &str)) {
    let by_default = puzzle.solve(&Options::default()).expect("no heuristic is named");
    let mut solutions = vec![(by_default, "by default")];
    let guided = heuristics.iter().map(|heuristic| (Algorithm::IdaStar, *heuristic));
    for (algorithm, heuristic) in guided.chain([(Algorithm::Iddfs, "zero")]) {
        for automaton in [false, true] {
            let options = Options {
                algorithm: Some(algorithm),
                heuristic: Some(heuristic.to_owned()),
                automaton: Some(automaton),
                limits: Limits { nodes: Some(3000), ..Limits::default() },
                ..Options::default()
            };
            solutions.push((puzzle.solve(&options).expect("the heuristic is the domain's"), heuristic));
        }
    }
    let mut first: Option<Vec<String>> = None;
    for (solution, how) in solutions.into_iter().filter(|(solution, _)| solution.outcome() != Outcome::Limit) {
        let deepened = [Algorithm::IdaStar, Algorithm::Iddfs].contains(&solution.algorithm());
        if deepened && solution.outcome() == Outcome::Solved {
            let moves = solution.moves();
            verified(puzzle, &moves, solution.cost(), how, text);
            assert_eq!(first.get_or_insert_with(|| moves.clone()), &moves, "{how}\n{text}");
        }
        same(solution, how);
    }
}

#[test]
fn random_boards_of_tiles() {
    let mut random = Random(0x5eed);
    let mut solved = 0;
    for round in 0..140 {
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
        let rules = [
            "",
            "metric = \"multi\"",
            "surface = \"cylinder\"",
            "surface = \"torus\"",
            "surface = \"mobius\"",
            "surface = \"klein-bottle\"",
            "surface = \"projective-plane\"",
        ][round / 10 % 7];
        let text = format!(
            "title = \"t\"\ndomain = \"sliding-tile\"\nrepresentation = \"{representation}\"\n{rules}\n\
             start = \"\"\"\n{start}\"\"\"\ngoal = \"\"\"\n{goal}\"\"\"\n"
        );
        solved += usize::from(agree(&text, true).is_some());
    }
    assert!((35..135).contains(&solved), "{solved} of 140 could be solved: too few, or too many, to mean anything");
}

/// A random small board of blocks: shapes with gaps and hollows, walls and gates in the drawing and beside it, one or
/// two goals that name one or two pieces, any metric, any freedom of moves.
fn random_blocks(random: &mut Random, round: usize) -> Option<String> {
    const SHAPES: [&[(usize, usize)]; 8] = [
        &[(0, 0)],
        &[(0, 0)],
        &[(0, 0), (0, 1)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (0, 1), (1, 0)],
        &[(0, 1), (1, 0), (1, 1)],
        &[(0, 0), (0, 2)],
        &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)],
    ];
    let (rows, columns) = (2 + random.below(2), 3 + random.below(3));
    let mut board = vec![vec!['.'; columns]; rows];
    let mut pieces: Vec<(char, Vec<(usize, usize)>)> = Vec::new();
    for name in ('a'..='z').take(2 + random.below(4)) {
        let shape = SHAPES[random.below(SHAPES.len())];
        let (row, column) = (random.below(rows), random.below(columns));
        let free = |&(r, c): &(usize, usize)| board.get(row + r).and_then(|line| line.get(column + c)) == Some(&'.');
        if shape.iter().all(free) {
            shape.iter().for_each(|&(r, c)| board[row + r][column + c] = name);
            pieces.push((name, shape.to_vec()));
        }
    }
    for sign in ['#', '=', '='] {
        let (row, column) = (random.below(rows), random.below(columns));
        if board[row][column] == '.' && random.below(2) == 0 {
            board[row][column] = sign;
        }
    }
    let mut goals = Vec::new();
    for _ in 0..1 + random.below(2) {
        let mut goal = vec![vec!['.'; columns]; rows];
        for (name, shape) in pieces.iter().take(1 + random.below(2)) {
            let (row, column) = (random.below(rows), random.below(columns));
            let fits = |&(r, c): &(usize, usize)| {
                let cell = |board: &Vec<Vec<char>>| board.get(row + r).and_then(|line| line.get(column + c)).copied();
                cell(&board).is_some_and(|cell| cell != '#') && cell(&goal) == Some('.')
            };
            if shape.iter().all(fits) {
                shape.iter().for_each(|&(r, c)| goal[row + r][column + c] = *name);
            }
        }
        if goal.iter().flatten().any(|&cell| cell != '.') {
            goals.push(goal);
        }
    }
    // Twice as wide, only the smallest are walked through quickly.
    if rows * columns == 6 && random.below(2) == 0 {
        board = beside_its_image(&board);
        for number in 0..pieces.len() {
            let (name, shape) = &pieces[number];
            let width = shape.iter().map(|cell| cell.1).max().unwrap_or(0);
            let mut image: Vec<(usize, usize)> = shape.iter().map(|&(row, column)| (row, width - column)).collect();
            image.sort_unstable();
            pieces.push((name.to_ascii_uppercase(), image));
        }
        let hidden = vec![vec!['.'; columns]; rows];
        let whole = |left: &[Vec<char>], right: &[Vec<char>]| -> Vec<Vec<char>> {
            let images = beside_its_image(right);
            left.iter().zip(&images).map(|(left, both)| [left, &both[columns..]].concat()).collect()
        };
        goals = goals.iter().flat_map(|goal| [whole(goal, &hidden), whole(&hidden, goal)]).collect();
    }
    let draw = |board: &Vec<Vec<char>>| {
        let rows: String = board.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
        format!("\"\"\"\n{rows}\"\"\"")
    };
    if !goals.is_empty() && random.below(3) == 0 {
        return Some(listed(random, round, &board, &pieces, &goals));
    }
    let goals: Vec<String> = goals.iter().map(draw).collect();
    let gates = if random.below(3) == 0 {
        format!("gates = [[{}, {}]]\n", random.below(rows), random.below(columns))
    } else {
        String::new()
    };
    (!goals.is_empty()).then(|| {
        format!(
            "title = \"t\"\ndomain = \"klotski\"\nmetric = \"{}\"\nmoves = \"{}\"\n{gates}start = {}\ngoal = [{}]\n",
            ["slide", "step", "turn"][round % 3],
            ["any", "any", "any", "lengthwise", "horizontal", "vertical"][random.below(6)],
            draw(&board),
            goals.join(", ")
        )
    })
}

/// A board twice as wide: on its right its image in a mirror, with pieces in capitals.
fn beside_its_image(board: &[Vec<char>]) -> Vec<Vec<char>> {
    let image = |row: &Vec<char>| row.iter().rev().map(char::to_ascii_uppercase).collect();
    board.iter().map(|row| [row.clone(), image(row)].concat()).collect()
}

/// The same board as a list, with names of several letters, moves piece by piece, and goals by shape among others.
fn listed(
    random: &mut Random,
    round: usize,
    board: &[Vec<char>],
    pieces: &[(char, Vec<(usize, usize)>)],
    goals: &[Vec<Vec<char>>],
) -> String {
    let (rows, columns) = (board.len(), board[0].len());
    let corner = |board: &[Vec<char>], name: char| {
        let places = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        let cells: Vec<(usize, usize)> = places.filter(|&(r, c)| board[r][c] == name).collect();
        let (top, left) = (cells.iter().map(|cell| cell.0).min()?, cells.iter().map(|cell| cell.1).min()?);
        Some(format!("[{top}, {left}]"))
    };
    let marked = |sign: char| {
        let places = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        places.filter(|&(r, c)| board[r][c] == sign).map(|(r, c)| format!("[{r}, {c}]")).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "title = \"t\"\ndomain = \"klotski\"\nmetric = \"{}\"\nrows = {rows}\ncolumns = {columns}\nwalls = [{}]\ngates = [{}]\n",
        ["slide", "step", "turn"][round % 3],
        marked('#'),
        marked('='),
    );
    let mut shapes: Vec<&Vec<(usize, usize)>> = Vec::new();
    let mut lines = String::new();
    for (name, shape) in pieces {
        let number = shapes.iter().position(|known| *known == shape).unwrap_or(shapes.len());
        if number == shapes.len() {
            shapes.push(shape);
        }
        let moves = ["any", "any", "vertical", "lengthwise"][random.below(4)];
        let at = corner(board, *name).expect("the piece is on the board");
        lines += &format!("{name}1 = {{ shape = \"s{number}\", at = {at}, moves = \"{moves}\" }}\n");
    }
    let goals: Vec<String> = goals
        .iter()
        .map(|goal| {
            let mut targets: Vec<String> = Vec::new();
            for (name, shape) in pieces {
                let Some(at) = corner(goal, *name) else { continue };
                let number = shapes.iter().position(|known| *known == shape).expect("every shape is listed");
                let by_shape = format!("s{number} = ");
                let who = if random.below(2) == 0 && !targets.iter().any(|known| known.starts_with(&by_shape)) {
                    by_shape
                } else {
                    format!("{name}1 = ")
                };
                targets.push(who + &at);
            }
            format!("{{ {} }}", targets.join(", "))
        })
        .collect();
    text += &format!("goal = [{}]\n[shapes]\n", goals.join(", "));
    for (number, shape) in shapes.iter().enumerate() {
        let height = shape.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let width = shape.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
        let row = |r: usize| (0..width).map(|c| if shape.contains(&(r, c)) { '#' } else { '.' }).collect::<String>();
        let rows: Vec<String> = (0..height).map(|r| format!("\"{}\"", row(r))).collect();
        text += &format!("s{number} = [{}]\n", rows.join(", "));
    }
    text + "[pieces]\n" + &lines
}

#[test]
fn random_boards_of_blocks() {
    let mut random = Random(0xb10c);
    let (mut solved, mut several, mut searched_in_vain, mut dead_ends) = (0, 0, 0, 0);
    for round in 0..4000 {
        let Some(text) = random_blocks(&mut random, round) else { continue };
        let cost = agree(&text, round % 8 == 0);
        let walk = checker::walk_all(&text);
        assert_eq!(cost, walk.cost.map(|moves| moves as f64), "a plain search finds another cost\n{text}");
        solved += usize::from(cost.is_some_and(|cost| cost > 0.0));
        searched_in_vain += usize::from(cost.is_none());

        let puzzle = Puzzle::parse(&text, "random").unwrap_or_else(|report| panic!("{report}"));
        let options = Options { all_shortest: Some(9), ..Options::default() };
        let all = puzzle.solve(&options).expect("the default proves its cost");
        assert_eq!(all.solutions().unwrap_or(0), walk.solutions, "the number of shortest solutions\n{text}");
        let told: Vec<_> = all.all_shortest().into_iter().flatten().map(|way| way.moves(Notation::STANDARD)).collect();
        assert_eq!(told.iter().collect::<BTreeSet<_>>().len() as u128, walk.solutions.min(9), "distinct\n{text}");
        for moves in &told {
            verified(&puzzle, moves, all.cost(), &format!("{moves:?}"), &text);
            assert_eq!(Some(moves.len()), walk.cost, "{moves:?}\n{text}");
        }
        several += usize::from(told.len() > 1);

        let found = puzzle.explore(&Limits::default()).found;
        assert_eq!(found.by_depth, walk.by_depth, "a plain walk meets other states\n{text}");
        assert_eq!((found.goals, found.dead_ends), (walk.goals, Some(walk.dead_ends)), "goals and dead ends\n{text}");
        let hardest = found.hardest.map(|hardest| (hardest.cost, hardest.count));
        let expected = walk.hardest.map(|(cost, count)| (f64::from(cost), count));
        assert_eq!(hardest, expected, "the hardest positions\n{text}");
        dead_ends += usize::from(walk.dead_ends > 0 && walk.goals > 0);
    }
    let enough = solved >= 200 && several >= 100 && searched_in_vain >= 100 && dead_ends >= 5;
    assert!(
        enough,
        "{solved} solved, {several} in several ways, {searched_in_vain} not, {dead_ends} with dead ends: too few"
    );
}

#[test]
fn random_word_ladders() {
    let mut random = Random(0x0dd);
    let mut solved = 0;
    for round in 0..200 {
        let word = |random: &mut Random| -> String {
            (0..1 + random.below(4)).map(|_| ['a', 'b', 'c'][random.below(3)]).collect()
        };
        let words: Vec<String> = (0..30).map(|_| word(&mut random)).collect();
        let edits: Vec<&str> = ["change", "insert", "delete"]
            .into_iter()
            .enumerate()
            .filter(|(edit, _)| (1 + round % 7) >> edit & 1 == 1)
            .map(|(_, name)| name)
            .collect();
        let (start, goal) = (random.below(30), random.below(30));
        let text = format!(
            "title = \"t\"\ndomain = \"word-ladder\"\nedits = {edits:?}\nwords = {words:?}\nstart = {:?}\ngoal = {:?}\n",
            words[start], words[goal]
        );
        solved += usize::from(agree(&text, true).is_some());
    }
    assert!((60..190).contains(&solved), "{solved} of 200 could be solved: too few, or too many, to mean anything");
}

#[test]
fn random_mazes() {
    let mut random = Random(0x3a2e);
    let mut solved = 0;
    for round in 0..120 {
        let (rows, columns) = [(4, 5), (1, 7), (6, 6), (9, 3)][round % 4];
        let cells = rows * columns;
        let mut map: Vec<char> = (0..cells).map(|_| if random.below(3) == 0 { '#' } else { '.' }).collect();
        let start = random.below(cells);
        map[start] = 'S';
        map[(start + 1 + random.below(cells - 1)) % cells] = 'G';
        let map: Vec<String> = map.chunks(columns).map(|row| row.iter().collect()).collect();
        let text = format!("title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\n{}\n\"\"\"\n", map.join("\n"));
        solved += usize::from(agree(&text, true).is_some());
    }
    assert!((40..110).contains(&solved), "{solved} of 120 could be solved: too few, or too many, to mean anything");
}

#[test]
fn every_domain_lists_itself_with_what_it_has() {
    for name in domain::registered() {
        let facts = domain::facts(name).unwrap_or_else(|| panic!("{name} has no facts"));
        assert_eq!(facts.name, name);
        assert!(!facts.notations.is_empty() && !facts.summary.is_empty(), "{name} says too little of itself");
    }
}
