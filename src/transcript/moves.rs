//! The moves alone: on one line, or one move a line if their names contain spaces.

use super::{BlankLine, Solved, TranscriptFormat, TranscriptWriter, each_route};
use crate::domain::Route;
use crate::puzzle::{Notation, Puzzle, Solution};
use std::io::{self, Write};

/// The format `moves`.
pub const MOVES: TranscriptFormat = TranscriptFormat {
    name: "moves",
    summary: "the moves on one line; one move per line if moves have spaces",
    writer: TranscriptWriter { blank_line: BlankLine::AroundLists, ..TranscriptWriter::new(write) },
};

/// The format `lurd`.
pub const LURD: TranscriptFormat = TranscriptFormat {
    name: "lurd",
    summary: "the moves as one word of `uldrULDR`, as for Sokoban",
    writer: TranscriptWriter { notation: Some(Notation::LURD), ..TranscriptWriter::new(write) },
};

/// Returns whether lists of the moves have one move a line. That is so if a name may contain a space, since a space
/// would not show where a move ends.
#[must_use]
pub fn has_one_move_a_line(puzzle: &Puzzle, solution: &Solution, notation: Notation) -> bool {
    let mut has_spaces = puzzle.has_spaced_moves() && !notation.is_of_letters();
    let look = |_: Option<usize>, route: &dyn Route| {
        has_spaces = has_spaces || route.moves(notation).iter().any(|written| written.contains(char::is_whitespace));
        Ok(())
    };
    // The visitor writes nothing, so it cannot fail.
    let _ = each_route(solution, look);
    has_spaces
}

/// Writes the moves of each solution on one line; or one move a line, with a blank line between solutions.
fn write(out: &mut dyn Write, &Solved { puzzle, solution, notation, .. }: &Solved) -> io::Result<()> {
    let one_a_line = has_one_move_a_line(puzzle, solution, notation);
    let (between_moves, between_solutions) = match one_a_line {
        true => ("\n", "\n"),
        false if notation.is_of_letters() => ("", ""),
        false => (" ", ""),
    };
    each_route(solution, |number, route| {
        let before = if number.is_some_and(|number| number > 1) { between_solutions } else { "" };
        writeln!(out, "{before}{}", route.moves(notation).join(between_moves))
    })
}
