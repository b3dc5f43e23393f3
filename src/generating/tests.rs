//! Tests of generated levels: by brute force on small boards, and over whole runs.

use super::*;
use crate::puzzle::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// Runs a template to its end, and returns the run with the levels.
fn made<'a>(template: &'a Puzzle, count: usize, seed: u64, threads: usize) -> (Generator<'a>, Vec<Level>) {
    let limits = Limits { threads: std::num::NonZero::new(threads), ..Limits::default() };
    let mut generator = Generator::new(template, Task { count, seed }).expect("the template is valid");
    while !generator.is_finished() {
        generator.round(&limits).expect("there is no limit");
    }
    let levels = generator.levels(true, &limits).expect("the levels are valid");
    (generator, levels)
}

fn parsed(text: &str) -> Puzzle {
    Puzzle::parse(text, "template.toml").expect("the template is valid")
}

/// Returns the text of a puzzle of cars, with more lines at its end.
fn cars(start: &str, goal: &str, more: &str) -> String {
    let head = "title = \"Cars\"\ndomain = \"klotski\"\nmoves = \"lengthwise\"\n";
    format!("{head}start = \"\"\"\n{start}\n\"\"\"\ngoal = \"\"\"\n{goal}\n\"\"\"\n{more}")
}

fn cost(text: &str) -> Option<f64> {
    let solution = parsed(text).solve(&Options::default()).expect("it can be searched");
    if solution.outcome() == Outcome::Solved { solution.cost() } else { None }
}

const GOAL: &str = "....\n..AA\n....\n....";

/// All boards of cars of 2 and 3 cells and at most one wall, with this number of rows of 4 cells, as drawings: placed cell
/// by cell, by nothing else of this module.
fn all_boards(rows: usize, has_walls: bool) -> Vec<String> {
    fn place(cells: &mut Vec<u8>, from: usize, letter: u8, found: &mut Vec<String>) {
        let text: Vec<String> = cells.chunks(4).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        found.push(text.join("\n"));
        let size = cells.len();
        for at in from..size {
            for (length, step) in [(2, 1), (3, 1), (2, 4), (3, 4)] {
                let own: Vec<usize> = (0..length).map(|number| at + number * step).collect();
                let is_on = if step == 1 { at % 4 + length <= 4 && at / 4 != 1 } else { at / 4 + length <= size / 4 };
                if !is_on || own.iter().any(|cell| cells[*cell] != b'.') {
                    continue;
                }
                own.iter().for_each(|cell| cells[*cell] = letter);
                // No row is full of cars and walls, no column of cars.
                let lane: Vec<usize> = match step {
                    1 => (at / 4 * 4..at / 4 * 4 + 4).collect(),
                    _ => (at % 4..size).step_by(4).collect(),
                };
                let along = |cell: usize| {
                    let same = |other: Option<usize>| {
                        other.is_some_and(|other| lane.contains(&other) && cells[other] == cells[cell])
                    };
                    let is_wall = cells[cell] == b'#';
                    let is_car = cells[cell] != b'.' && !is_wall;
                    is_wall && step == 1
                        || is_car
                            && (same(cell.checked_sub(step)) || same(Some(cell + step).filter(|other| *other < size)))
                };
                if lane.iter().filter(|cell| along(**cell)).count() < lane.len() {
                    place(cells, at + 1, letter + 1, found);
                }
                own.iter().for_each(|cell| cells[*cell] = b'.');
            }
        }
    }
    let mut found = Vec::new();
    for column in 0..3 {
        for wall in std::iter::once(None).chain((0..rows * 4).map(Some).filter(|_| has_walls)) {
            let mut cells = vec![b'.'; rows * 4];
            cells[4 + column] = b'A';
            cells[5 + column] = b'A';
            if let Some(wall) = wall {
                // In the row of the goal, walls are behind the car.
                if cells[wall] != b'.' || wall / 4 == 1 && wall % 4 > column {
                    continue;
                }
                cells[wall] = b'#';
            }
            place(&mut cells, 0, b'B', &mut found);
        }
    }
    found
}

/// A board as the cells of its cars and walls.
type Shape = BTreeSet<Vec<usize>>;

/// The hardest board of a component: its cost and its place in the order of boards.
type Hardest<'a> = (u32, (u64, u64), &'a Shape);

/// The cells of cars and walls without their letters: a car is its lane, its length and its place.
fn shape(drawing: &str) -> Shape {
    let cells: Vec<char> = drawing.chars().filter(|cell| *cell != '\n').collect();
    let mut cars: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (cell, letter) in cells.iter().enumerate().filter(|(_, letter)| !".#".contains(**letter)) {
        cars.entry(*letter).or_default().push(cell);
    }
    let walls = cells.iter().enumerate().filter(|(_, letter)| **letter == '#').map(|(cell, _)| vec![cell]);
    cars.into_values().chain(walls).collect()
}

#[test]
fn the_enumeration_of_a_small_board_is_that_of_brute_force() {
    check_enumeration(4, false);
}

#[test]
fn the_enumeration_with_walls_is_that_of_brute_force() {
    check_enumeration(3, true);
}

fn check_enumeration(rows: usize, has_walls: bool) {
    let boards = all_boards(rows, has_walls);
    let lines = |drawing: &str| drawing.lines().take(rows).collect::<Vec<_>>().join("\n");
    let goal = lines(GOAL);
    // The answer to each board, and its component, by the ordinary engine.
    let mut costs: BTreeMap<Shape, u32> = BTreeMap::new();
    let mut component: BTreeMap<Shape, usize> = BTreeMap::new();
    let shapes: BTreeMap<Shape, &String> = boards.iter().map(|board| (shape(board), board)).collect();
    for board in shapes.keys() {
        if component.contains_key(board) {
            continue;
        }
        let (number, mut open) = (component.len(), vec![board.clone()]);
        component.insert(board.clone(), number);
        while let Some(next) = open.pop() {
            for other in slid(&next, rows * 4) {
                if component.insert(other.clone(), number).is_none() {
                    open.push(other);
                }
            }
        }
    }
    let solve = |board: &Shape| cost(&cars(shapes[board], &goal, "")).map(|cost| cost as u32);
    for board in shapes.keys() {
        if let Some(cost) = solve(board) {
            costs.insert(board.clone(), cost);
        }
    }
    let mut hardest: BTreeMap<usize, Hardest> = BTreeMap::new();
    for (board, &cost) in &costs {
        let order = order(board);
        let entry = hardest.entry(component[board]).or_insert((cost, order, board));
        if cost > entry.0 || cost == entry.0 && order < entry.1 {
            *entry = (cost, order, board);
        }
    }
    let goal_car = |car: &Vec<usize>| car.len() > 1 && car.iter().all(|cell| cell / 4 == 1);
    let is_minimal = |(cost, _, board): &&Hardest| {
        *cost > 0
            && board.iter().filter(|car| !goal_car(car)).all(|car| {
                let less: Shape = board.iter().filter(|other| *other != car).cloned().collect();
                costs.get(&less).is_none_or(|other| other != cost)
            })
    };
    let wanted: BTreeSet<(u32, Shape)> =
        hardest.values().filter(is_minimal).map(|(cost, _, board)| (*cost, (*board).clone())).collect();
    let walls = if has_walls { "walls = [0, 1]\n" } else { "" };
    let table = format!("[generate]\nway = \"enumeration\"\nlengths = [2, 3]\nneeded = true\n{walls}");
    let template = parsed(&cars(&lines("....\nAA..\n....\n...."), &goal, &table));
    let (generator, levels) = made(&template, 1000, 0, 1);
    let found: BTreeSet<(u32, Shape)> = levels
        .iter()
        .map(|level| {
            let drawing = level.text.split("\"\"\"").nth(1).expect("there is a drawing").trim();
            (level.cost.unwrap_or(0.0) as u32, shape(drawing))
        })
        .collect();
    assert_eq!(found, wanted);
    assert_eq!(generator.found().map(|(_, count)| count).sum::<u64>() as usize, wanted.len());
}

/// The boards after one slide by one cell.
fn slid(board: &Shape, size: usize) -> Vec<Shape> {
    let taken: BTreeSet<usize> = board.iter().flatten().copied().collect();
    let mut after = Vec::new();
    for car in board.iter().filter(|car| car.len() > 1) {
        let step = car[1] - car[0];
        let (first, last) = (car[0], car[car.len() - 1]);
        let back = first.checked_sub(step).filter(|cell| step == 4 || cell / 4 == first / 4);
        let forth = Some(last + step).filter(|cell| *cell < size && (step == 4 || cell / 4 == last / 4));
        for (cell, is_forth) in [(back, false), (forth, true)] {
            if cell.is_some_and(|cell| !taken.contains(&cell)) {
                let moved = car.iter().map(|cell| if is_forth { cell + step } else { cell - step }).collect();
                let mut other = board.clone();
                other.remove(car);
                other.insert(moved);
                after.push(other);
            }
        }
    }
    after
}

/// The occupied cells of walls and horizontal cars, then of vertical ones, as bits.
fn order(board: &Shape) -> (u64, u64) {
    let mut bits = (0, 0);
    for car in board {
        let own = car.iter().fold(0, |bits, cell| bits | 1 << cell);
        *(if car.len() == 1 || car[1] - car[0] == 1 { &mut bits.0 } else { &mut bits.1 }) |= own;
    }
    bits
}

const ICE: &str = r##"
title = "Ice"
domain = "rules"
start = """
@...
....
..#.
....
"""
marks = """
....
....
....
..x.
"""
goal = { every = { "@" = "x" } }

[[rules]]
name = "{direction}"
from = "@."
to = ".@"
turns = true
repeat = true

[generate]
cells = """
????
????
????
????
"""
symbols = { "?" = { "." = 5, "#" = 2, "@" = 1, "x" = 1 } }
number = { "@" = 1, "x" = 1, "#" = [0, 5] }
unique = true
needed = true
cost = [3, 8]
"##;

#[test]
fn levels_are_as_wanted_whatever_the_threads() {
    let template = parsed(ICE);
    let (generator, levels) = made(&template, 5, 7, 1);
    assert_eq!(levels.len(), 5);
    let (other, same) = made(&template, 5, 7, 2);
    assert_eq!((generator.save(), &levels), (other.save(), &same));
    let (_, others) = made(&template, 5, 8, 1);
    assert_ne!(levels, others);
    for level in &levels {
        let puzzle = parsed(&level.text);
        let solution =
            puzzle.solve(&Options { all_shortest: Some(2), ..Options::default() }).expect("it can be searched");
        assert_eq!((solution.solutions(), solution.cost()), (Some(1), level.cost), "{}", level.text);
        assert!((3.0..=8.0).contains(&level.cost.unwrap_or(0.0)) && puzzle.expect().cost == level.cost);
        assert!(puzzle.template().is_none(), "{}", level.text);
        // Each wall is needed: without it, the cost is another one, or there are more solutions.
        let walls: Vec<usize> = level.text.match_indices('#').map(|(at, _)| at).collect();
        for wall in walls {
            let mut less = level.text.clone();
            less.replace_range(wall..=wall, ".");
            let solution = parsed(&less)
                .solve(&Options { all_shortest: Some(1), ..Options::default() })
                .expect("it can be searched");
            assert!(solution.cost() != level.cost || solution.solutions() != Some(1), "{less}");
        }
    }
    let drawings: BTreeSet<&str> =
        levels.iter().map(|level| level.text.split("generated").next().unwrap_or("")).collect();
    assert_eq!(drawings.len(), levels.len());
}

#[test]
fn an_interrupted_run_goes_on() {
    let template = parsed(ICE);
    let (whole, _) = made(&template, 5, 7, 1);
    let limits = Limits::default();
    let mut first = Generator::new(&template, Task { count: 5, seed: 7 }).expect("the template is valid");
    first.round(&limits).expect("there is no limit");
    let mut second = Generator::new(&template, Task { count: 5, seed: 7 }).expect("the template is valid");
    second.resume(&first.save()).expect("the state is of this run");
    while !second.is_finished() {
        second.round(&limits).expect("there is no limit");
    }
    assert_eq!(second.save(), whole.save());
    let mut other = Generator::new(&template, Task { count: 6, seed: 7 }).expect("the template is valid");
    assert!(other.resume(&first.save()).is_err());
}

#[test]
fn a_template_that_cannot_be_met_has_a_nearest() {
    let template = parsed(&ICE.replace("cost = [3, 8]", "cost = [40, 50]"));
    let (generator, levels) = made(&template, 2, 0, 1);
    assert!(levels.is_empty());
    let (_, lacks) = generator.nearest().expect("some candidate can be solved");
    assert!(lacks.starts_with("its least cost is ") && lacks.ends_with(", not from 40 to 50"), "{lacks}");
}

#[test]
fn a_symmetric_maze_is_symmetric() {
    let text = "title = \"M\"\ndomain = \"maze\"\nmap = \"\"\"\nS....\n.....\n.....\n....G\n\"\"\"\n[generate]\ncells = \"\"\"\n.????\n?????\n?????\n????.\n\"\"\"\n\
        symbols = { \"?\" = { \".\" = 2, \"#\" = 1 } }\nsymmetry = \"half-turn\"\ncost = [7, 20]\n";
    let template = parsed(text);
    let (_, levels) = made(&template, 3, 0, 1);
    assert_eq!(levels.len(), 3);
    for level in levels {
        let drawing: String =
            level.text.split("\"\"\"").nth(1).expect("there is a drawing").split_whitespace().collect();
        let turned: String = drawing
            .chars()
            .rev()
            .map(|cell| match cell {
                'S' => 'G',
                'G' => 'S',
                other => other,
            })
            .collect();
        assert_eq!(drawing, turned);
    }
}

#[test]
fn templates_are_refused_with_places() {
    let refused = |text: &str| {
        let puzzle = Puzzle::parse(text, "template.toml");
        let report = match &puzzle {
            Ok(puzzle) => Generator::new(puzzle, Task::default()).err().expect("it is refused"),
            Err(report) => report.clone(),
        };
        report.messages()
    };
    let board = |more: &str| cars("....\nAA..\n....\n....", GOAL, more);
    for (text, message) in [
        (board(""), "is no template"),
        (board("[generate]\nwya = \"mutation\""), "unknown key `wya`"),
        (board("[generate]\nway = \"magic\""), "invalid value `magic` for `way`"),
        (board("[generate]\nway = \"mutation\""), "nothing varies"),
        (board("[generate]\nway = \"enumeration\""), "`enumeration` needs the lengths of cars"),
        (board("[generate]\nlengths = [1]"), "invalid value for `lengths`"),
        (
            board("[generate]\nlengths = [2]\nway = \"reverse\""),
            "`lengths` is for the ways `enumeration` and `mutation`",
        ),
        (board("[generate]\nlengths = [2]\ncost = [5, 2]"), "invalid value for `cost`"),
        (board("[generate]\nbag = [\"Z\"]"), "the drawing has no piece `Z`"),
        (
            board("[generate]\ncells = \"\"\"\n??\n\"\"\"\nsymbols = { \"?\" = { \".\" = 1 } }"),
            "`cells` has another size than the start: expected 4 rows of 4 marks",
        ),
        (ICE.replace("\"@\" = 1, \"x\" = 1 } }", "\"@\" = 1, \"Q\" = 1 } }"), "unknown symbol `Q`"),
        (ICE.replace("\"@\" = 1, \"x\" = 1, \"#\" =", "\"@\" = 99, \"x\" = 1, \"#\" ="), "`@` cannot be in 99 cells"),
    ] {
        let found = refused(&text);
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn a_board_with_one_more_car_does_not_count_as_another() {
    let start = "......\n......\nAA....\n......\n......\n......";
    let goal = "......\n......\n....AA\n......\n......\n......";
    let template = parsed(&cars(start, goal, "[generate]\nlengths = [2, 3]\n"));
    let mut generator = Generator::new(&template, Task { count: 2, seed: 0 }).expect("the template is valid");
    let one = "...B.C\n...B.C\nAA.D.E\nFFGD.E\n..GHH.\nIIG...";
    // The first car is new, so all others have other letters.
    let more = "BB.C.D\n...C.D\nAA.E.F\nGGHE.F\n..HII.\nJJH...";
    let other = ".BBBC.\n....C.\nAAD.CE\n..D..E\nFFDGGE\n...HHH";
    for (board, cost) in [(one, 1.0), (other, 2.0), (more, 3.0)] {
        let (board, lacks) = (board.to_owned(), String::new());
        let level = level::Level {
            board,
            whole: None,
            cost: Some(cost),
            rating: None,
            branching: 1.0,
            dead: 0.0,
            gap: 0.0,
            lacks,
        };
        generator.archive.take(level, None, 2, &mut crate::domain::SplitMix64::new(0));
    }
    let chosen = generator.archive.chosen(2, &|board| generator.way.images(board));
    let boards: Vec<&str> = chosen.iter().map(|level| &*level.board).collect();
    assert_eq!(boards, [one, other], "one of two boards that differ by one car is left out");
}

#[test]
fn no_two_permutations_are_alike() {
    let text = "title = \"P\"\ndomain = \"permutation\"\nsolved = [1, 2, 3]\nstart = [2, 1, 3]\n\
        [moves]\na = \"(1 2)\"\nb = \"(2 3)\"\n[generate]\ncost = [1, 3]\n";
    let (_, levels) = made(&parsed(text), 20, 0, 1);
    let starts: BTreeSet<&str> =
        levels.iter().filter_map(|level| level.text.lines().find(|line| line.starts_with("start"))).collect();
    assert_eq!((levels.len(), starts.len()), (5, 5), "all starts but the solved one, each once");
}

const SOKOBAN: &str = r##"
title = "Boxes"
domain = "rules"
start = """
######
#....#
#.$$.#
#..@.#
#....#
######
"""
marks = """
......
......
.x....
......
...x..
......
"""
goal = { every = { "$" = "x" } }

[[rules]]
name = "walk {direction}"
from = "@."
to = ".@"
turns = true
cost = 0

[[rules]]
name = "push {direction}"
from = "@$."
to = ".@$"
turns = true

[generate]
cells = """
######
#????#
#????#
#????#
#????#
######
"""
symbols = { "?" = { "." = 6, "#" = 1, "$" = 1, "@" = 1, "x" = 1 } }
number = { "$" = 2, "x" = 2, "@" = 1 }
cost = [3, 9]
solutions = [1, 6]
"##;

#[test]
fn solutions_are_counted_as_the_search_counts_them() {
    let template = parsed(SOKOBAN);
    let (_, levels) = made(&template, 12, 3, 1);
    assert_eq!(levels.len(), 12);
    let mut counts = BTreeSet::new();
    for level in &levels {
        let puzzle = parsed(&level.text);
        let solution =
            puzzle.solve(&Options { all_shortest: Some(0), ..Options::default() }).expect("it can be searched");
        let all = solution.solutions().expect("they are few");
        assert!((1..=6).contains(&all), "{all} solutions: {}", level.text);
        let canvas = crate::editing::Canvas::of(&puzzle).expect("it is drawn");
        let cost = level.cost.expect("it is solved");
        let count = |most| canvas.solutions(canvas.cells(), cost, most, &Limits::default()).map(u128::from);
        assert_eq!(count(1000), Some(all), "{}", level.text);
        assert_eq!(count(2), Some(all.min(2)), "counting ends at the given number");
        counts.insert(all);
    }
    assert!(counts.len() > 2, "levels with different numbers of solutions were compared: {counts:?}");
}

const ROBOTS: &str = r##"
title = "Two robots"
domain = "rules"
start = """
r....
.....
..#..
.....
b....
"""
marks = """
.....
.....
.....
...x.
.....
"""
goal = { every = { "r" = "x" } }

[sets]
R = "rb"

[[rules]]
name = "{R} {direction}"
from = "R."
to = ".R"
turns = true
repeat = true

[generate]
cells = """
?????
?????
?????
?????
?????
"""
symbols = { "?" = { "." = 5, "#" = 1, "r" = 1, "b" = 1, "x" = 1 } }
number = { "r" = 1, "b" = 1, "x" = 1, "#" = [1, 4] }
needed = true
cost = [3, 9]
"##;

const GATES: &str = r##"
title = "Gates"
domain = "maze"
portals = "PQ"
map = """
SP....
.#..Q.
......
..P#..
.Q...G
"""

[generate]
cells = """
.?????
??????
??????
??????
?????.
"""
symbols = { "?" = { "." = 5, "#" = 2, "P" = 0.1, "Q" = 0.1 } }
number = { "P" = 2, "Q" = 2 }
needed = true
cost = [3, 20]
"##;

#[test]
fn a_piece_or_a_pair_of_portals_that_is_demanded_is_needed_too() {
    for (template, drawing, demanded) in [(ROBOTS, "start = ", 'b'), (GATES, "map = ", 'P'), (GATES, "map = ", 'Q')] {
        let (_, levels) = made(&parsed(template), 5, 1, 1);
        assert_eq!(levels.len(), 5);
        for level in &levels {
            let (before, drawn) = level.text.split_at(level.text.find(drawing).expect("a level has its drawing"));
            let (drawn, after) = drawn.split_at(drawn.rfind("\"\"\"\n").expect("a drawing ends"));
            assert!(drawn.contains(demanded), "{demanded} is demanded: {}", level.text);
            let less = format!("{before}{}{after}", drawn.replace(demanded, "."));
            let solution = parsed(&less).solve(&Options::default()).expect("it can be searched");
            assert_ne!(solution.cost(), level.cost, "{demanded} changes nothing: {}", level.text);
        }
    }
}
