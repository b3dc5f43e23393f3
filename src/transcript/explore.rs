//! What is written of an exploration: as text for people, as JSON for programs.

use super::{Number, fact, heading};
use crate::diagnostic::json;
use crate::plot::{Histogram, thousands};
use crate::puzzle::{Exploration, Puzzle, Style};
use serde::Serialize;
use std::io::{self, Write};

/// Writes an exploration as text: the counts, the first of the hardest positions, the states by depth.
///
/// # Errors
/// Those of `out`.
pub fn write_text(out: &mut dyn Write, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    heading(out, puzzle)?;
    if let Some(limit) = found.limit {
        let name = limit.name();
        fact(out, "outcome", format!("stopped at the {name} limit; what follows is what was met until then"))?;
    }
    fact(out, "states", found.states())?;
    fact(out, "goals", found.goals)?;
    if let Some(dead_ends) = found.dead_ends {
        fact(out, "dead ends", dead_ends)?;
    }
    if let Some(hardest) = &found.hardest {
        let (unit, cost) = (if found.in_moves { "moves" } else { "in cost" }, Number(hardest.cost));
        fact(out, "hardest", format!("{cost} {unit} from a goal, {} of the states, such as", hardest.count))?;
        write!(out, "\n{}", hardest.example.last(Style::Drawn))?;
    }
    writeln!(out, "\n{:>5}  {:>12}", "depth", "states")?;
    for (depth, states) in found.by_depth.iter().enumerate() {
        writeln!(out, "{depth:>5}  {states:>12}")?;
    }
    Ok(())
}

/// Writes a chart of the states by depth.
///
/// # Errors
/// Those of `out`.
pub fn write_svg(out: &mut dyn Write, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    let count =
        |number: u64, one: &str, many: &str| format!("{} {}", thousands(number), if number == 1 { one } else { many });
    let mut told = vec![count(found.states(), "state", "states"), count(found.goals, "goal", "goals")];
    told.extend(found.dead_ends.map(|dead_ends| count(dead_ends, "dead end", "dead ends")));
    if let Some(hardest) = &found.hardest {
        let (cost, unit) =
            (Number((hardest.cost * 1e3).round() / 1e3), if found.in_moves { "moves" } else { "in cost" });
        let many = count(hardest.count, "state", "states");
        told.push(format!("hardest {cost} {unit} from a goal ({many})"));
    }
    if let Some(limit) = found.limit {
        told.push(format!("stopped at the {} limit: there is more", limit.name()));
    }
    let chart = Histogram {
        title: puzzle.title(),
        subtitle: &told.join(", "),
        across: if found.in_moves { "moves from the start" } else { "cost from the start, rounded down" },
        up: "states",
        counts: &found.by_depth,
    };
    out.write_all(chart.svg().as_bytes())
}

/// The fields of the JSON form.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    title: &'a str,
    domain: &'a str,
    metric: Option<&'a str>,
    limit: Option<&'a str>,
    states: u64,
    by_depth: &'a [u64],
    goals: u64,
    dead_ends: Option<u64>,
    hardest: Option<HardestRow>,
    seconds: f64,
    peak_memory_bytes: u64,
}

#[derive(Serialize)]
struct HardestRow {
    cost: Number,
    count: u64,
    example: String,
}

/// Writes an exploration as one JSON object on one line.
///
/// # Errors
/// Those of `out`.
pub fn write_json(out: &mut dyn Write, file: &str, puzzle: &Puzzle, exploration: &Exploration) -> io::Result<()> {
    let found = &exploration.found;
    let hardest = found.hardest.as_ref().map(|hardest| HardestRow {
        cost: Number(hardest.cost),
        count: hardest.count,
        example: hardest.example.last(Style::Drawn),
    });
    let row = Row {
        file,
        title: puzzle.title(),
        domain: puzzle.domain().name,
        metric: puzzle.metric(),
        limit: found.limit.map(|limit| limit.name()),
        states: found.states(),
        by_depth: &found.by_depth,
        goals: found.goals,
        dead_ends: found.dead_ends,
        hardest,
        seconds: exploration.time.as_secs_f64(),
        peak_memory_bytes: found.memory,
    };
    writeln!(out, "{}", json(&row)?)
}
