//! Moves that a command is given: on the command line, or in a file.

use super::failure::Failure;
use crate::diagnostic::near_path;
use crate::document::into_composed;
use crate::puzzle::{Puzzle, read_text};
use crate::verify::moves_of;
use std::path::Path;

/// Returns whether a text names a file rather than moves: no move ends like the name of a file of moves.
pub(super) fn names_a_file(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    path.exists() || ["txt", "json", "moves"].map(Some).contains(&ending)
}

/// Returns the moves in a file, a transcript in the format text, moves or json, or the moves that `given` lists itself.
/// `name` is the puzzle's name.
///
/// # Errors
/// The file cannot be read, or a move is not legal.
pub(super) fn given(puzzle: &Puzzle, name: &str, given: &str) -> Result<Vec<String>, Failure> {
    let path = Path::new(given);
    if !path.exists() && names_a_file(path) {
        let near = near_path(path).map_or(String::new(), |near| format!("did you mean `{}`?", near.display()));
        return Err(Failure::refused(format!("{given}: there is no such file"), near));
    }
    let text = if path.is_file() {
        let unreadable = |message| Failure::refused(format!("{given}: {message}"), "");
        read_text(path, "a transcript").map_err(unreadable)?
    } else {
        given.to_owned()
    };
    let moves = moves_of(puzzle, name, &into_composed(text)).map_err(|why| {
        Failure::refused(why, "give a transcript that has a solution, or the moves themselves".to_owned())
    })?;
    let mut at = puzzle.space("zero")?;
    for (number, written) in (1..).zip(&moves) {
        at = at.after(written, puzzle.domain().notations).ok_or_else(|| {
            let message = format!("move {number}, `{written}`, is not legal there");
            Failure::refused(message, "give moves that follow each other from the start")
        })?;
    }
    Ok(moves)
}
