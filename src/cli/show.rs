//! `engine show`: one puzzle, drawn, with its facts.

use super::Status;
use super::failure::Ended;
use super::loading::PuzzleFile;
use crate::diagnostic::printable;
use crate::puzzle::{Notation, Puzzle, Style};
use crate::search::Limits;
use crate::transcript::Number;
use clap::Args;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Show one puzzle, drawn, with its facts
#[derive(Args)]
pub(super) struct Show {
    #[command(flatten)]
    puzzle: PuzzleFile,
}

impl Show {
    pub fn run(&self) -> Ended {
        let puzzle = self.puzzle.load(&Limits::default())?;
        io::stdout().write_all(describe(&puzzle).as_bytes())?;
        Ok(Status::Good)
    }
}

fn describe(puzzle: &Puzzle) -> String {
    let start = puzzle.space("zero").expect("every domain has the heuristic zero");
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: &str| facts.push((name.to_owned(), value.to_owned()));
    fact("domain", puzzle.domain().name);
    fact("size", &puzzle.size());
    if let Some(summary) = puzzle.summary() {
        fact("compiled", &summary);
    }
    let about = puzzle.about();
    let said = [
        ("metric", puzzle.metric()),
        ("author", about.author.as_deref()),
        ("source", about.source.as_deref()),
        ("description", about.description.as_deref()),
    ];
    for (name, value) in said {
        if let Some(value) = value {
            fact(name, &printable(value.trim()));
        }
    }
    if !about.tags.is_empty() {
        fact("tags", &printable(&about.tags.join(", ")));
    }
    fact("is a goal", if start.is_goal() { "yes" } else { "no" });
    match (puzzle.unsolvable(), start.is_goal()) {
        (Some(reason), _) => fact("solvable", &format!("no: {reason}")),
        (None, true) => fact("solvable", "yes: it is solved"),
        (None, false) if puzzle.is_decided() => fact("solvable", "yes"),
        (None, false) => fact("solvable", "not known without a search"),
    }
    if let Some(states) = puzzle.states() {
        fact("states", &states);
    }
    let moves = start.legal_moves(Notation::STANDARD);
    fact("legal moves", &if moves.is_empty() { "none".to_owned() } else { moves.join(" ") });
    for heuristic in puzzle.domain().heuristics {
        let space = puzzle.space(heuristic.name);
        let value = space.map_or("none for this puzzle".to_owned(), |space| Number(space.h()).to_string());
        fact(&format!("h {}", heuristic.name), &value);
    }
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = format!("{}\n\n{}\n", puzzle.title(), puzzle.draw(Style::Drawn));
    for (name, value) in facts {
        let _ = writeln!(out, "{name:<width$} {value}");
    }
    out
}
