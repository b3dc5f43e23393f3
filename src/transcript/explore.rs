//! Transcripts of explorations: as text for people, as JSON for programs.

use super::{Number, Subject, fact, heading};
use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::plot::Histogram;
use crate::plot::text::{counted, thousands};
use crate::puzzle::{Exploration, Puzzle, Style};
use crate::search::Explored;
use serde::Serialize;
use std::io::{self, Write};

/// Writes the exploration of the puzzle in a file.
pub type ExplorationWriter = fn(&mut dyn Write, &str, &Puzzle, &Exploration) -> io::Result<()>;

/// All formats of explorations.
pub const FORMATS: Formats<ExplorationWriter> = &[
    &OutputFormat { name: "text", summary: "text for people", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object on one line", writer: write_json },
];

/// Writes an exploration as text: the states by depth, then the counts and one of the hardest positions.
fn write_text(out: &mut dyn Write, _: &str, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    heading(out, puzzle)?;
    writeln!(out, "\n{:>5}  {:>12}", "depth", "states")?;
    // With costs other than 1, most depths may have no states.
    for (depth, states) in found.by_distance().filter(|(_, states)| *states > 0) {
        writeln!(out, "{depth:>5}  {states:>12}")?;
    }
    // The summary comes last: a terminal shows the end of a long table.
    writeln!(out)?;
    if let Some(limit) = found.limit {
        fact(out, "outcome", format!("{}; the results are partial", limit.words()))?;
    }
    fact(out, "states", found.states())?;
    fact(out, "goals", found.goals)?;
    if let Some(dead_ends) = found.dead_ends {
        fact(out, "dead ends", dead_ends)?;
    }
    if let Some(hardest) = &found.hardest {
        let (unit, cost) = (if found.is_in_moves() { "moves" } else { "in cost" }, Number(hardest.cost));
        fact(out, "hardest", format!("{cost} {unit} from a goal, {} of the states, such as", hardest.count))?;
        write!(out, "\n{}", hardest.example.last(Style::Drawn))?;
    }
    Ok(())
}

/// Writes a chart of the states by depth.
///
/// # Errors
/// Those of `out`.
pub fn write_svg(out: &mut dyn Write, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    let mut facts = vec![counted(found.states(), "state"), counted(found.goals, "goal")];
    facts.extend(found.dead_ends.map(|dead_ends| counted(dead_ends, "dead end")));
    if let Some(hardest) = &found.hardest {
        let (cost, unit) = (Number(hardest.cost).rounded(), if found.is_in_moves() { "moves" } else { "in cost" });
        facts.push(format!("hardest {cost} {unit} from a goal ({})", counted(hardest.count, "state")));
    }
    if let Some(limit) = found.limit {
        facts.push(format!("{}: partial results", limit.words()));
    }
    let (width, counts) = columns(found);
    let across = match (found.is_in_moves(), width) {
        (true, _) => "moves from the start".to_owned(),
        (false, 1) => "cost from the start, rounded down".to_owned(),
        (false, width) => format!("cost from the start, in steps of {}", thousands(width)),
    };
    let chart = Histogram {
        title: puzzle.title(),
        subtitle: &facts.join(", "),
        across: &across,
        up: "states",
        counts: &counts,
    };
    out.write_all(chart.svg().as_bytes())
}

/// The most columns of a chart of costs.
const MOST_COLUMNS: u64 = 10_000;

/// Returns the number of states in each column of a chart, and the distances that one column stands for.
fn columns<P>(found: &Explored<P>) -> (u64, Vec<u64>) {
    let deepest = found.by_distance().map(|(distance, _)| distance).max().unwrap_or(0);
    let width = if found.is_in_moves() { 1 } else { deepest / MOST_COLUMNS + 1 };
    let mut counts = vec![0; if found.by_depth.is_empty() { 0 } else { (deepest / width) as usize + 1 }];
    for (distance, states) in found.by_distance() {
        counts[(distance / width) as usize] += states;
    }
    (width, counts)
}

/// The fields of the JSON format.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    limit: Option<&'a str>,
    states: u64,
    by_depth: ByDepth<'a>,
    goals: u64,
    dead_ends: Option<u64>,
    hardest: Option<HardestRow>,
    seconds: f64,
    peak_memory_bytes: u64,
}

/// The states by distance: a number for each number of moves, or pairs of a cost that occurs and a number.
#[derive(Serialize)]
#[serde(untagged)]
enum ByDepth<'a> {
    Moves(&'a [u64]),
    Costs(Vec<(u64, u64)>),
}

#[derive(Serialize)]
struct HardestRow {
    cost: Number,
    count: u64,
    example: String,
}

/// Writes an exploration as one JSON object on one line.
fn write_json(out: &mut dyn Write, file: &str, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    let hardest = found.hardest.as_ref().map(|hardest| HardestRow {
        cost: Number(hardest.cost),
        count: hardest.count,
        example: hardest.example.last(Style::Drawn),
    });
    let row = Row {
        subject: Subject::new(file, puzzle),
        limit: found.limit.map(|limit| limit.name()),
        states: found.states(),
        by_depth: match found.is_in_moves() {
            true => ByDepth::Moves(&found.by_depth),
            false => ByDepth::Costs(found.by_distance().collect()),
        },
        goals: found.goals,
        dead_ends: found.dead_ends,
        hardest,
        seconds: exploration.time.as_secs_f64(),
        peak_memory_bytes: found.memory,
    };
    writeln!(out, "{}", json(&row)?)
}
