//! Replays solutions by the rules, written a second time, plainly: it shares no code with the engine but TOML.

use std::collections::HashSet;
use toml::{Table, Value};

/// Whether these moves lead from the start of a puzzle file to its goal, by its rules.
///
/// # Errors
/// Which move is wrong and why, or that the end is no goal.
pub fn replay(file: &str, moves: &[String]) -> Result<(), String> {
    let puzzle: Table = file.parse().map_err(|error| format!("{error}"))?;
    match text(&puzzle, "domain") {
        Some("sliding-tile") => tiles(&puzzle, moves),
        Some("klotski") => blocks(&puzzle, moves),
        domain => Err(format!("no rules for {domain:?}")),
    }
}

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Value::as_str)
}

fn tiles(puzzle: &Table, moves: &[String]) -> Result<(), String> {
    let board = |drawing: &str| -> Vec<Vec<u32>> {
        let tile = |word: &str| if word == "." { 0 } else { word.parse().expect("a tile is a number") };
        let rows = drawing.lines().filter(|line| !line.trim().is_empty());
        rows.map(|line| line.split_whitespace().map(tile).collect()).collect()
    };
    let mut cells = board(text(puzzle, "start").ok_or("no start")?);
    let (height, width) = (cells.len(), cells[0].len());
    let last = (height * width) as u32;
    let goal = match text(puzzle, "goal") {
        None | Some("blank-last") => (1..last).chain([0]).collect(),
        Some("blank-first") => (0..last).collect(),
        Some(drawing) => board(drawing).concat(),
    };
    for written in moves {
        let (number, direction) = written.split_at(written.len() - 1);
        let number: u32 = number.parse().map_err(|_| format!("{written} names no tile"))?;
        let mut places = (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
        let (r, c) = places.find(|&(r, c)| cells[r][c] == number).ok_or(format!("{written}: no such tile"))?;
        let (down, right) = direction_of(direction).ok_or(format!("{written}: no direction"))?;
        let (to_r, to_c) = (r as i32 + down, c as i32 + right);
        let inside = (0..height as i32).contains(&to_r) && (0..width as i32).contains(&to_c);
        if !inside || cells[to_r as usize][to_c as usize] != 0 || number == 0 {
            return Err(format!("{written}: the tile has no blank there"));
        }
        cells[to_r as usize][to_c as usize] = number;
        cells[r][c] = 0;
    }
    if cells.concat() == goal { Ok(()) } else { Err("the last position is no goal".to_owned()) }
}

fn blocks(puzzle: &Table, moves: &[String]) -> Result<(), String> {
    let mut board = rows(text(puzzle, "start").ok_or("no start")?);
    let goals: Vec<Vec<Vec<char>>> = match puzzle.get("goal").ok_or("no goal")? {
        Value::Array(drawings) => drawings.iter().filter_map(Value::as_str).map(rows).collect(),
        drawing => vec![rows(drawing.as_str().ok_or("no goal")?)],
    };
    let named: HashSet<char> = goals.iter().flatten().flatten().copied().filter(|c| !"#=.".contains(*c)).collect();
    let mut walls = HashSet::new();
    let mut gates = HashSet::new();
    for (r, row) in board.iter_mut().enumerate() {
        for (c, cell) in row.iter_mut().enumerate() {
            match *cell {
                '#' => _ = walls.insert((r as i32, c as i32)),
                '=' => _ = gates.insert((r as i32, c as i32)),
                _ => continue,
            }
            *cell = '.';
        }
    }
    for (key, cells) in [("walls", &mut walls), ("gates", &mut gates)] {
        for place in puzzle.get(key).and_then(Value::as_array).into_iter().flatten() {
            cells.insert((place[0].as_integer().unwrap() as i32, place[1].as_integer().unwrap() as i32));
        }
    }
    let metric = text(puzzle, "metric").unwrap_or("slide");
    let freedom = text(puzzle, "moves").unwrap_or("any");
    for written in moves {
        let mut letters = written.chars();
        let piece = letters.next().ok_or("an empty move")?;
        let path: Vec<(char, usize)> = segments(letters.as_str()).ok_or(format!("{written}: not a path"))?;
        let steps: usize = path.iter().map(|&(_, distance)| distance).sum();
        if path.is_empty() || metric == "step" && steps != 1 || metric == "slide" && path.len() != 1 {
            return Err(format!("{written} is not one {metric}"));
        }
        for (direction, distance) in path {
            let (down, right) = direction_of(&direction.to_string()).ok_or(format!("{written}: no direction"))?;
            for _ in 0..distance {
                let cells = cells_of(&board, piece);
                if cells.is_empty() {
                    return Err(format!("{written}: no such piece"));
                }
                may_move(&cells, freedom, right != 0)
                    .then_some(())
                    .ok_or(format!("{written}: the piece moves not so"))?;
                for &(r, c) in &cells {
                    board[r as usize][c as usize] = '.';
                }
                for &(r, c) in &cells {
                    let to = (r + down, c + right);
                    let cell = usize::try_from(to.0).ok().zip(usize::try_from(to.1).ok());
                    let free = cell.and_then(|(r, c)| board.get_mut(r)?.get_mut(c)).filter(|cell| **cell == '.');
                    let barred = gates.contains(&to) && !named.contains(&piece) && !cells.contains(&to);
                    match free {
                        Some(free) if !walls.contains(&to) && !barred => *free = piece,
                        _ => return Err(format!("{written}: something is in the way")),
                    }
                }
            }
        }
    }
    let reached = |goal: &Vec<Vec<char>>| {
        let pieces: HashSet<char> = goal.iter().flatten().copied().filter(|c| !"#=.".contains(*c)).collect();
        pieces.into_iter().all(|piece| cells_of(goal, piece) == cells_of(&board, piece))
    };
    if goals.iter().any(reached) { Ok(()) } else { Err("the last position is no goal".to_owned()) }
}

fn rows(drawing: &str) -> Vec<Vec<char>> {
    drawing.lines().filter(|line| !line.trim().is_empty()).map(|line| line.chars().collect()).collect()
}

fn cells_of(board: &[Vec<char>], piece: char) -> Vec<(i32, i32)> {
    let cells =
        board.iter().enumerate().flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, *cell)));
    cells.filter(|&(_, _, cell)| cell == piece).map(|(r, c, _)| (r as i32, c as i32)).collect()
}

fn may_move(cells: &[(i32, i32)], freedom: &str, sideways: bool) -> bool {
    let extent = |coordinate: fn(&(i32, i32)) -> i32| {
        cells.iter().map(coordinate).max().unwrap() - cells.iter().map(coordinate).min().unwrap()
    };
    let (height, width) = (extent(|cell| cell.0), extent(|cell| cell.1));
    match freedom {
        "any" => true,
        "horizontal" => sideways,
        "vertical" => !sideways,
        "lengthwise" => height == width || sideways == (width > height),
        _ => false,
    }
}

/// `l1d2` as its parts.
fn segments(path: &str) -> Option<Vec<(char, usize)>> {
    let mut parts: Vec<(char, String)> = Vec::new();
    for letter in path.chars() {
        if letter.is_ascii_digit() { parts.last_mut()?.1.push(letter) } else { parts.push((letter, String::new())) }
    }
    parts.into_iter().map(|(direction, distance)| Some((direction, distance.parse().ok()?))).collect()
}

fn direction_of(letter: &str) -> Option<(i32, i32)> {
    Some(match letter {
        "u" => (-1, 0),
        "d" => (1, 0),
        "l" => (0, -1),
        "r" => (0, 1),
        _ => return None,
    })
}
