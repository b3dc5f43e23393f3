//! Tests the single changes that make an unsolvable puzzle solvable against a brute force, which draws each changed
//! start itself and solves it.

use crate::support::dice::{Dice, each_seed, is_full_run};
use engine::{Limits, Options, Outcome, Puzzle};
use std::cell::Cell;

/// The most changes that are reported.
const MOST: usize = 3;

type Rows = Vec<Vec<String>>;

/// A random puzzle that is drawn in a file.
struct Drawn {
    rows: Rows,
    /// The file with a drawing.
    file: Box<dyn Fn(&Rows) -> String>,
    /// The changes in reading order: their words, and the rows after them.
    changes: Vec<(String, Rows)>,
}

/// Returns the rows with other cells at some places.
fn with(rows: &Rows, cells: &[((usize, usize), &str)]) -> Rows {
    let mut rows = rows.clone();
    cells.iter().for_each(|&((row, column), cell)| rows[row][column] = cell.to_owned());
    rows
}

/// Returns the cells with their places, in reading order.
fn cells(rows: &Rows) -> Vec<((usize, usize), String)> {
    let cells = rows
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| cells.iter().cloned().enumerate().map(move |(column, cell)| ((row, column), cell)));
    cells.collect()
}

fn random_rows(dice: &mut Dice, height: usize, width: usize, symbols: &[&str]) -> Rows {
    (0..height).map(|_| (0..width).map(|_| dice.pick(symbols).to_owned()).collect()).collect()
}

fn drawing(rows: &Rows, between: &str) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.join(between)).collect();
    format!("\"\"\"\n{}\n\"\"\"", rows.join("\n"))
}

/// Returns the changes by which walls give way to empty cells.
fn without_walls(rows: &Rows) -> Vec<((usize, usize), String, Rows)> {
    let walls = cells(rows).into_iter().filter(|(_, cell)| cell == "#");
    let without = |(at @ (row, column), _): ((usize, usize), String)| {
        let words = format!("without the wall at row {}, column {}", row + 1, column + 1);
        (at, words, with(rows, &[(at, ".")]))
    };
    walls.map(without).collect()
}

fn maze(dice: &mut Dice) -> Drawn {
    let (height, width) = (dice.within(1, 4), dice.within(3, 5));
    let mut rows = random_rows(dice, height, width, &["#", "#", ".", "3"]);
    rows[0][0] = "S".to_owned();
    rows[height - 1][width - 1] = "G".to_owned();
    let moves = dice.pick(&["orthogonal", "diagonal"]);
    let file =
        move |rows: &Rows| format!("title = 'm'\ndomain = 'maze'\nmoves = '{moves}'\nmap = {}\n", drawing(rows, ""));
    let changes = without_walls(&rows).into_iter().map(|(_, words, rows)| (words, rows)).collect();
    Drawn { rows, file: Box::new(file), changes }
}

fn blocks(dice: &mut Dice) -> Drawn {
    let (height, width) = (dice.within(2, 3), dice.within(2, 4));
    let mut rows = random_rows(dice, height, width, &["#", ".", "b", "c", "d", "e"]);
    let mut place = || (dice.below(height), dice.below(width));
    let (start, (row, column)) = (place(), place());
    rows[start.0][start.1] = "a".to_owned();
    let file = move |rows: &Rows| {
        let start = drawing(rows, "");
        format!("title = 'b'\ndomain = 'klotski'\nstart = {start}\ngoal = {{ a = [{row}, {column}] }}\n")
    };
    let first = |name: &str| cells(&rows).into_iter().find(|(_, cell)| cell == name).map(|(at, _)| at);
    let pieces = ["b", "c", "d", "e"].into_iter().filter_map(|name| {
        let all: Vec<_> = cells(&rows).into_iter().filter(|(_, cell)| cell == name).map(|(at, _)| (at, ".")).collect();
        Some((first(name)?, format!("without the piece `{name}`"), with(&rows, &all)))
    });
    let mut changes: Vec<_> = without_walls(&rows).into_iter().chain(pieces).collect();
    changes.sort_by_key(|(at, ..)| *at);
    let changes = changes.into_iter().map(|(_, words, rows)| (words, rows)).collect();
    Drawn { rows, file: Box::new(file), changes }
}

fn tiles(dice: &mut Dice) -> Drawn {
    let (height, width) = dice.pick(&[(2, 2), (2, 3), (1, 4), (3, 2)]);
    let mut tiles: Vec<String> = (0..height * width).map(|tile| tile.to_string()).collect();
    dice.shuffle(&mut tiles);
    let rows: Rows = tiles.chunks(width).map(<[String]>::to_vec).collect();
    let surface = dice.pick(&["plane", "cylinder"]);
    let file = move |rows: &Rows| {
        let start = drawing(rows, "  ");
        format!("title = 't'\ndomain = 'sliding-tile'\nsurface = '{surface}'\nstart = {start}\n")
    };
    let placed: Vec<_> = cells(&rows).into_iter().filter(|(_, tile)| tile != "0").collect();
    let mut changes = Vec::new();
    for (number, (at, tile)) in placed.iter().enumerate() {
        for (other_at, other) in &placed[number + 1..] {
            let swapped = with(&rows, &[(*at, other), (*other_at, tile)]);
            changes.push((format!("with {tile} and {other} swapped"), swapped));
        }
    }
    Drawn { rows, file: Box::new(file), changes }
}

/// Returns the changes by which symbols give way to the empty one.
fn emptied(rows: &Rows) -> Vec<(String, Rows)> {
    let filled = cells(rows).into_iter().filter(|(_, cell)| cell != ".");
    let emptied = |(at @ (row, column), cell): ((usize, usize), String)| {
        let words = format!("with `.` in place of the `{cell}` at row {}, column {}", row + 1, column + 1);
        (words, with(rows, &[(at, ".")]))
    };
    filled.map(emptied).collect()
}

fn sokoban(dice: &mut Dice) -> Drawn {
    let (height, width) = (dice.within(2, 3), dice.within(3, 5));
    let mut rows = random_rows(dice, height, width, &["#", ".", ".", "$"]);
    let (man, mark) = ((dice.below(height), dice.below(width)), (dice.below(height), dice.below(width)));
    rows[man.0][man.1] = "@".to_owned();
    let marks = with(&vec![vec![".".to_owned(); width]; height], &[(mark, "x")]);
    let as_table = dice.one_in(2);
    let file = move |rows: &Rows| {
        let start = drawing(rows, "");
        let start = if as_table { format!("{{ drawing = {start}, n = 0 }}") } else { start };
        let variables = if as_table { "[variables]\nn = \"0..1\"\n" } else { "" };
        format!(
            "title = 's'\ndomain = 'rules'\nstart = {start}\nmarks = {}\ngoal = {{ every = {{ '$' = 'x' }} }}\n{variables}\
             [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\nturns = true\n\
             [[rules]]\nname = 'push {{direction}}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n",
            drawing(&marks, "")
        )
    };
    Drawn { changes: emptied(&rows), rows, file: Box::new(file) }
}

/// The game that the levels of [`crates`] are of.
const GAME: &str = "title t\n\nOBJECTS\n\nBackground\ngreen\n\nTarget\nblue\n\nWall\nbrown\n\nPlayer\nblack\n\nCrate\n\
                    orange\n\nLEGEND\n\n. = Background\n# = Wall\nP = Player\n* = Crate\nO = Target\n\nSOUNDS\n\n\
                    COLLISIONLAYERS\n\nBackground\nTarget\nPlayer, Wall, Crate\n\nRULES\n\n\
                    [ > Player | Crate ] -> [ > Player | > Crate ]\n\nWINCONDITIONS\n\nAll Target on Crate\n\nLEVELS\n\n";

fn crates(dice: &mut Dice) -> Drawn {
    let (height, width) = (dice.within(2, 3), dice.within(3, 5));
    let mut rows = random_rows(dice, height, width, &["#", ".", ".", "*"]);
    for symbol in ["O", "P"] {
        rows[dice.below(height)][dice.below(width)] = symbol.to_owned();
    }
    let level = dice.within(1, 2);
    let file = move |rows: &Rows| {
        let rows: Vec<String> = rows.iter().map(|row| format!("  {}", row.concat())).collect();
        let (rows, other) = (rows.join("\n"), "P*O");
        let levels = if level == 1 { [&*rows, other] } else { [other, &*rows] };
        let source = format!("{GAME}message first\n\n{}\n", levels.join("\n\n"));
        format!("title = 'c'\ndomain = 'puzzlescript'\nlevel = {level}\nsource = '''\n{source}'''\n")
    };
    Drawn { changes: emptied(&rows), rows, file: Box::new(file) }
}

/// Solves the puzzle of a file; `None` if it is not valid.
fn solved(text: &str) -> Option<(Outcome, usize, Option<f64>)> {
    let solution = Puzzle::parse(text, "changed.toml").ok()?.solve(&Options::default()).expect("it can be searched");
    Some((solution.outcome(), solution.moves().len(), solution.cost()))
}

#[test]
fn the_changes_named_are_the_first_that_make_a_puzzle_solvable() {
    for (name, random) in [
        ("maze", maze as fn(&mut Dice) -> Drawn),
        ("klotski", blocks),
        ("sliding-tile", tiles),
        ("rules", sokoban),
        ("puzzlescript", crates),
    ] {
        let (remedied, hopeless) = (Cell::new(0), Cell::new(0));
        each_seed(150, |seed| {
            let Drawn { rows, file, changes } = random(&mut Dice::new(seed));
            let text = file(&rows);
            let Ok(puzzle) = Puzzle::parse(&text, "start.toml") else { return };
            let solution = puzzle.solve(&Options { explain: true, ..Options::default() }).expect("it can be searched");
            let named = solution.explanation().and_then(|explanation| explanation.changes.clone());
            if solution.outcome() != Outcome::Unsolvable {
                assert!(named.is_none(), "{text}");
                return;
            }
            let valid = changes.iter().filter_map(|(words, rows)| Some((words, solved(&file(rows))?)));
            let (mut tried, mut wanted) = (0, Vec::new());
            for (words, (outcome, moves, cost)) in valid {
                tried += 1;
                if outcome == Outcome::Solved && moves > 0 {
                    wanted.push((words.clone(), Some(moves), cost));
                }
                if wanted.len() == MOST {
                    break;
                }
            }
            let Some(named) = named else {
                assert_eq!((tried, wanted.len()), (0, 0), "{text}");
                return;
            };
            // Of shortest solutions of one cost in a maze, some have more moves.
            let of = |(words, moves, cost): (String, Option<usize>, Option<f64>)| {
                (words, moves.filter(|_| name != "maze"), cost)
            };
            let found: Vec<_> = named.found.iter().map(|one| of((one.change.clone(), one.moves, one.cost))).collect();
            assert_eq!(found, wanted.into_iter().map(of).collect::<Vec<_>>(), "{text}");
            // In mazes, walls that no path comes to are left out.
            assert!(named.tried == tried || name == "maze" && named.tried < tried, "{named:?} {text}");
            assert_eq!(named.undecided, 0, "{text}");
            for remedy in &named.found {
                let edited = puzzle.edited(&remedy.edit, &Limits::default());
                let edited = edited.unwrap_or_else(|report| panic!("{report}"));
                let solution = edited.solve(&Options::default()).expect("it can be searched");
                assert_eq!((solution.outcome(), solution.cost()), (Outcome::Solved, remedy.cost), "{text}");
            }
            let tally = if named.found.is_empty() { &hopeless } else { &remedied };
            tally.set(tally.get() + 1);
        });
        let (remedied, hopeless) = (remedied.get(), hopeless.get());
        let is_usual = remedied >= 10 && (hopeless >= 3 || ["sliding-tile", "puzzlescript"].contains(&name));
        assert!(!is_full_run() || is_usual, "{name}: {remedied} with a change, {hopeless} without");
    }
}
