//! The transcript: a header, then every position drawn with the move that led to it.

use super::{
    BlankLine, Content, Count, Number, Solved, TranscriptFormat, TranscriptWriter, counted, each_route, each_step,
    fact, has_one_move_a_line, heading, outcome,
};
use crate::puzzle::Style;
use std::io::{self, Write};

/// The format `text`.
pub const TEXT: TranscriptFormat = TranscriptFormat {
    name: "text",
    summary: "every position, drawn, with the move that led to it",
    writer: TranscriptWriter { content: Content::Count, blank_line: BlankLine::Always, ..TranscriptWriter::new(write) },
};

fn write(out: &mut dyn Write, &Solved { puzzle, solution, notation, .. }: &Solved) -> io::Result<()> {
    heading(out, puzzle)?;
    fact(out, "algorithm", solution.algorithm().name())?;
    if let Some(heuristic) = solution.heuristic() {
        fact(out, "heuristic", heuristic)?;
    }
    fact(out, if solution.cost().is_some() { "cost" } else { "outcome" }, outcome(solution))?;
    if let Some(solutions) = counted(solution) {
        fact(out, "solutions", solutions)?;
    }
    if let Some(table) = solution.refutation().and_then(|refutation| refutation.table.as_ref()) {
        write!(out, "\n{table}")?;
    }
    if solution.route().is_none() || !puzzle.is_drawn() {
        write!(out, "\nstart\n{}", puzzle.draw(Style::Drawn))?;
    }
    let between_moves = if !puzzle.is_drawn() && has_one_move_a_line(puzzle, solution, notation) { "\n" } else { " " };
    each_route(solution, |number, route| {
        if let (Some(number), Some(solutions)) = (number, solution.solutions()) {
            writeln!(out, "\nsolution {number} of {}", Count(solutions))?;
        }
        if !puzzle.is_drawn() {
            return writeln!(out, "\nmoves\n{}", route.moves(notation).join(between_moves));
        }
        each_step(route, notation, Style::Drawn, |number, step| {
            let head = match &step.action {
                None => "start".to_owned(),
                Some(action) => format!("{number}. {action}"),
            };
            let h = if solution.heuristic_was_named() { format!("  h = {}", Number(step.h)) } else { String::new() };
            write!(out, "\n{head}{h}\n{}", step.position)
        })
    })
}
