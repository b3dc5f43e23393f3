//! Sliding tiles in other formats: a plain board of numbers.

use crate::diagnostic::Diagnostic;
use crate::domain::import::{Foreign, Importer, drawing};

inventory::submit! {
    Importer {
        name: "tiles",
        summary: "a plain board of tiles: rows of numbers, 0 for the blank; before them perhaps the size, as N or as \
                  the numbers of rows and columns",
        recognizes: |foreign| {
            let mut words = foreign.text.split_whitespace().peekable();
            words.peek().is_some() && words.all(|word| word == "." || word.bytes().all(|c| c.is_ascii_digit()))
        },
        keys: plain_board,
    }
}

fn plain_board(foreign: &Foreign) -> Result<String, Diagnostic> {
    let lines: Vec<Vec<&str>> = foreign.text.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut lines = lines.into_iter().filter(|line: &Vec<&str>| !line.is_empty()).peekable();
    let all: Vec<&str> = foreign.text.split_whitespace().collect();
    let number = |word: &str| word.parse::<usize>().ok();
    let first = lines.peek().map(|line| line.iter().map(|word| number(word)).collect::<Vec<_>>()).unwrap_or_default();
    // A size stands on a line of its own; what comes after it is a board, while the whole is none.
    let is_board = |words: &[&str]| {
        let mut tiles: Vec<usize> = words.iter().map(|word| number(word).unwrap_or(0)).collect();
        tiles.sort_unstable();
        tiles.into_iter().eq(0..words.len())
    };
    let sized = |before: usize| all.len() > before && is_board(&all[before..]) && !is_board(&all);
    let size = match first[..] {
        [Some(side)] if sized(1) && side.checked_mul(side) == Some(all.len() - 1) => Some((side, 1)),
        [Some(rows), Some(columns)] if sized(2) && rows.checked_mul(columns) == Some(all.len() - 2) => {
            Some((columns, 2))
        }
        _ => None,
    };
    let rows: Vec<String> = match size {
        Some((columns, before)) => all[before..].chunks(columns.max(1)).map(|row| row.join(" ")).collect(),
        None => lines.map(|row| row.join(" ")).collect(),
    };
    Ok(format!("domain = \"sliding-tile\"\nstart = {}\n", drawing(&rows)))
}
