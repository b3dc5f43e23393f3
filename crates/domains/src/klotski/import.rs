//! Importers of sliding blocks: Rush Hour boards in one string, and plain drawings.

use crate::diagnostic::Diagnostic;
use crate::domain::import::{ImportSource, Importer, drawing, escaped};
use std::collections::BTreeMap;
use std::ops::Range;

inventory::submit! {
    Importer {
        name: "rush-hour",
        summary: "a 6x6 board of cars: 36 characters on one line, or six lines of six; `o` or `.` empty, `x` a wall, \
                  `A` the red car, which leaves on the right",
        is_fallback: false,
        recognizes: |input| input.goals.is_empty() && !boards(input.text).is_empty(),
        keys: rush_hour,
    }
}

inventory::submit! {
    Importer {
        name: "drawing",
        summary: "a board as in a puzzle file; the goal is a second drawing after a blank line, or `--goal`",
        is_fallback: true,
        recognizes: |input| input.text.chars().any(char::is_alphabetic),
        keys: drawn,
    }
}

/// The length of a side of a Rush Hour board.
const SIDE: usize = 6;

/// A Rush Hour board: its cells, row by row, and its range in the text.
struct Cars {
    cells: Vec<char>,
    place: Range<usize>,
}

/// Returns whether a word is a Rush Hour board.
fn is_board(word: &str) -> bool {
    word.len() == SIDE * SIDE && word.bytes().all(|c| c.is_ascii_alphabetic() || c == b'.')
}

/// Returns the Rush Hour boards of a text: one on each line, which may also have numbers, or a single one on six lines.
fn boards(text: &str) -> Vec<Cars> {
    let place = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    let cell = |c: char| if matches!(c, 'o' | '.') { '.' } else { c };
    let board = |part: &str, cells: Vec<char>| Cars { cells, place: place(part) };
    let mut found = Vec::new();
    for line in text.lines() {
        found.extend(
            line.split_whitespace()
                .find(|word| is_board(word))
                .map(|word| board(word, word.chars().map(cell).collect())),
        );
    }
    let lines: Vec<&str> = text.split_whitespace().collect();
    if found.is_empty() && lines.len() == SIDE && lines.iter().all(|line| line.chars().count() == SIDE) {
        let cells: Vec<char> = lines.concat().chars().map(cell).collect();
        // A drawing with other pieces is not a board of cars.
        if !cells.contains(&'=') && cars(&cells).iter().all(|(_, cells)| is_car(cells)) {
            found.push(board(text.trim(), cells));
        }
    }
    found
}

/// Returns the cars by name, with the numbers of their cells.
fn cars(cells: &[char]) -> BTreeMap<char, Vec<usize>> {
    let mut cars: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (number, &cell) in cells.iter().enumerate().filter(|(_, cell)| !matches!(cell, '.' | 'x' | '#')) {
        cars.entry(cell).or_default().push(number);
    }
    cars
}

/// Returns whether the cells are two or more in a row or a column.
fn is_car(cells: &[usize]) -> bool {
    let across =
        cells.windows(2).all(|pair| pair[1] == pair[0] + 1) && cells[0] / SIDE == cells[cells.len() - 1] / SIDE;
    let down = cells.windows(2).all(|pair| pair[1] == pair[0] + SIDE);
    cells.len() > 1 && (across || down)
}

fn rush_hour(input: &ImportSource) -> Result<String, Diagnostic> {
    let boards = boards(input.text);
    let [Cars { cells, place }] = &boards[..] else {
        return Err(match boards.get(1) {
            Some(second) => Diagnostic::at(second.place.clone(), format!("the file has {} boards", boards.len()))
                .label("the second board")
                .help("choose one by its line: `--line 1`"),
            None => Diagnostic::whole("no Rush Hour board found")
                .help("a board is 36 characters: letters for cars, `o` or `.` for empty cells, `x` for walls"),
        });
    };
    let cars = cars(cells);
    let wrong = |message: String, help: &str| Err(Diagnostic::at(place.clone(), message).help(help));
    if let Some((name, _)) = cars.iter().find(|(_, cells)| !is_car(cells)) {
        return wrong(
            format!("the cells of `{name}` do not form a car"),
            "a car is two or more cells in a row or a column",
        );
    }
    let Some(red) = cars.get(&'A') else {
        return wrong("missing car `A`".to_owned(), "`A` is the red car, which leaves on the right");
    };
    if red[0] / SIDE != red[1] / SIDE {
        return wrong("the car `A` is vertical".to_owned(), "`A` is the red car, which leaves on the right");
    }
    let walls: Vec<char> = cells.iter().map(|&cell| if cell == 'x' { '#' } else { cell }).collect();
    let mut goal = vec!['.'; SIDE * SIDE];
    let end = (red[0] / SIDE + 1) * SIDE;
    goal[end - red.len()..end].fill('A');
    let rows = |cells: &[char]| cells.chunks(SIDE).map(|row| row.iter().collect()).collect::<Vec<String>>();
    Ok(format!(
        "domain = \"klotski\"\nmoves = \"lengthwise\"\nstart = {}\ngoal = {}\n",
        drawing(&rows(&walls)),
        drawing(&rows(&goal))
    ))
}

/// Returns the drawings of a text, separated by blank lines.
fn drawings(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let parts = lines.split(|line| line.is_empty()).filter(|part| !part.is_empty());
    parts.map(|part| part.iter().map(|line| (*line).to_owned()).collect()).collect()
}

fn drawn(input: &ImportSource) -> Result<String, Diagnostic> {
    let drawings = drawings(input.text);
    let goal = match (&drawings[..], input.goals) {
        ([_], []) => {
            let nowhere = Diagnostic::whole("missing goal");
            return Err(nowhere
                .help("add one, such as `--goal a=3,1`: row and column of the piece's upper left corner, from 0"));
        }
        ([_], goals) => goal_table(goals)?,
        ([_, goal], []) => drawing(goal),
        _ => {
            let many =
                Diagnostic::whole(format!("expected a board and at most one goal, found {} drawings", drawings.len()));
            return Err(many.help("with `--goal`, give only the board"));
        }
    };
    Ok(format!("domain = \"klotski\"\nstart = {}\ngoal = {goal}\n", drawing(&drawings[0])))
}

/// Returns the goals of the command line as a TOML table.
fn goal_table(goals: &[String]) -> Result<String, Diagnostic> {
    let mut entries = Vec::new();
    for goal in goals {
        let parts = goal.rsplit_once('=').and_then(|(name, place)| {
            let (row, column) = place.split_once(',')?;
            Some((name, row.trim().parse::<usize>().ok()?, column.trim().parse::<usize>().ok()?))
        });
        let Some((name, row, column)) = parts.filter(|(name, ..)| !name.is_empty()) else {
            let wrong = Diagnostic::whole(format!("invalid value `{goal}` for `--goal`"));
            return Err(wrong.help("expected NAME=ROW,COLUMN, such as `--goal a=3,1`"));
        };
        entries.push(format!("\"{}\" = [{row}, {column}]", escaped(name)));
    }
    Ok(format!("{{ {} }}", entries.join(", ")))
}
