//! Transcripts of the differences between two versions of a puzzle.

use super::edits::answer_words;
use super::rating::{fields, shown};
use super::{Number, fact};
use crate::diagnostic::json;
use crate::editing::{Part, Side, align, common_prefix};
use crate::output_format::{Formats, OutputFormat};
use crate::rating::Rating;
use serde::Serialize;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Writes what differs between two versions.
pub type DifferenceWriter = fn(&mut dyn Write, &Side, &Side) -> io::Result<()>;

/// All formats of differences.
pub const FORMATS: Formats<DifferenceWriter> = &[
    &OutputFormat { name: "text", summary: "text for people", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object on one line", writer: write_json },
];

/// The lines around a change of the text that are shown.
const CONTEXT: usize = 2;

/// The spaces between two drawings.
const GAP: usize = 4;

/// A fact of both versions, in words.
type Fact = (&'static str, Option<String>, Option<String>);

/// Returns the facts that are compared, in the order in which they are printed.
fn facts(before: &Side, after: &Side) -> Vec<Fact> {
    let both = |name, of: &dyn Fn(&Side) -> Option<String>| (name, of(before), of(after));
    vec![
        both("optimum", &|side| Some(answer_words(side.answer))),
        both("moves", &|side| side.answer.cost().map(|_| side.moves.len().to_string())),
        both("solutions", &|side| side.solutions.map(|solutions| solutions.to_string())),
        both("states", &|side| side.states.map(|states| states.to_string())),
        both("dead ends", &|side| side.dead_ends.map(|dead_ends| dead_ends.to_string())),
        both("hardest", &|side| side.hardest.map(|hardest| Number(hardest).to_string())),
        both("rating", &|side| side.rating.as_ref()?.score.map(|score| format!("{score:.2}"))),
    ]
}

/// Writes the parts of the ratings that differ. Those that are facts of their own are left out.
fn write_parts(out: &mut dyn Write, before: &Side, after: &Side) -> io::Result<()> {
    let (Some(old), Some(new)) = (&before.rating, &after.rating) else { return Ok(()) };
    let new = fields(&new.parts);
    for (name, old) in fields(&old.parts).iter().filter(|(name, _)| !["states", "solutions"].contains(&name.as_str())) {
        let (old, new) = (shown(old), new.get(name).map(shown).unwrap_or_default());
        if old != new {
            let words = |value: String| if value.is_empty() { "not known".to_owned() } else { value };
            writeln!(out, "  {name:<18} {} -> {}", words(old), words(new))?;
        }
    }
    Ok(())
}

fn write_text(out: &mut dyn Write, before: &Side, after: &Side) -> io::Result<()> {
    writeln!(out, "--- {}\n+++ {}\n", before.name, after.name)?;
    if let (Some(old), Some(new)) = (&before.text, &after.text) {
        write_lines(out, old, new)?;
    }
    if let (Some(old), Some(new)) = (&before.drawing, &after.drawing) {
        let old: Vec<&str> = old.lines().collect();
        let new: Vec<&str> = new.lines().collect();
        let width = old.iter().map(|line| line.width()).max().unwrap_or(0) + GAP;
        for row in 0..old.len().max(new.len()) {
            let left = old.get(row).copied().unwrap_or_default();
            let line =
                format!("{left}{}{}", " ".repeat(width - left.width()), new.get(row).copied().unwrap_or_default());
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)?;
    }
    for (name, old, new) in facts(before, after) {
        match (old, new) {
            (None, None) => {}
            (old, new) if old == new => fact(out, name, old.unwrap_or_default())?,
            (old, new) => {
                let words = |side: Option<String>| side.unwrap_or_else(|| "not known".to_owned());
                fact(out, name, format!("{} -> {}", words(old), words(new)))?;
            }
        }
    }
    write_parts(out, before, after)?;
    if !before.moves.is_empty() && !after.moves.is_empty() {
        let parts = align(&before.moves, &after.moves);
        let common = parts.iter().map(|part| if let Part::Both(both) = part { both.len() } else { 0 }).sum::<usize>();
        let prefix = common_prefix(&before.moves, &after.moves);
        writeln!(out, "\nsolutions: the first {prefix} moves are the same, {common} in all")?;
        for part in parts {
            let (sign, moves) = match part {
                Part::Both(moves) => (' ', moves),
                Part::Before(moves) => ('-', moves),
                Part::After(moves) => ('+', moves),
            };
            writeln!(out, "{sign} {}", moves.join(" "))?;
        }
    }
    Ok(())
}

/// Writes the lines that differ, with some around them.
fn write_lines(out: &mut dyn Write, before: &str, after: &str) -> io::Result<()> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let parts = align(&lines(before), &lines(after));
    if let [Part::Both(_)] | [] = parts[..] {
        return writeln!(out, "the text is the same\n");
    }
    let last = parts.len() - 1;
    for (number, part) in parts.iter().enumerate() {
        match part {
            Part::Before(lines) => lines.iter().try_for_each(|line| writeln!(out, "-{line}"))?,
            Part::After(lines) => lines.iter().try_for_each(|line| writeln!(out, "+{line}"))?,
            Part::Both(lines) => {
                let head = if number == 0 { 0 } else { CONTEXT };
                let tail = if number == last { 0 } else { CONTEXT };
                if lines.len() <= head + tail {
                    lines.iter().try_for_each(|line| writeln!(out, " {line}"))?;
                    continue;
                }
                lines[..head].iter().try_for_each(|line| writeln!(out, " {line}"))?;
                writeln!(out, "…")?;
                lines[lines.len() - tail..].iter().try_for_each(|line| writeln!(out, " {line}"))?;
            }
        }
    }
    writeln!(out)
}

/// The fields of the JSON format.
#[derive(Serialize)]
struct Row<'a> {
    before: SideRow<'a>,
    after: SideRow<'a>,
    /// True if the texts are the same; null if one of the two has none.
    same_text: Option<bool>,
    same_answer: bool,
    common_prefix: usize,
    common_moves: usize,
    text: Vec<PartRow>,
    moves: Vec<PartRow>,
}

#[derive(Serialize)]
struct SideRow<'a> {
    name: &'a str,
    outcome: &'a str,
    cost: Option<Number>,
    limit: Option<&'a str>,
    solutions: Option<String>,
    states: Option<u64>,
    dead_ends: Option<u64>,
    hardest: Option<Number>,
    /// The score and its parts, as `engine rate` has them.
    rating: Option<&'a Rating>,
    moves: &'a [String],
    drawing: Option<&'a str>,
}

/// A part that both have, or one alone.
#[derive(Serialize)]
struct PartRow {
    of: &'static str,
    items: Vec<String>,
}

fn part_rows(parts: Vec<Part<String>>) -> Vec<PartRow> {
    let row = |part| match part {
        Part::Both(items) => PartRow { of: "both", items },
        Part::Before(items) => PartRow { of: "before", items },
        Part::After(items) => PartRow { of: "after", items },
    };
    parts.into_iter().map(row).collect()
}

fn side_row(side: &Side) -> SideRow<'_> {
    SideRow {
        name: &side.name,
        outcome: side.answer.name(),
        cost: side.answer.cost().map(Number),
        limit: side.limit.map(|limit| limit.name()),
        solutions: side.solutions.map(|solutions| solutions.to_string()),
        states: side.states,
        dead_ends: side.dead_ends,
        hardest: side.hardest.map(Number),
        rating: side.rating.as_ref(),
        moves: &side.moves,
        drawing: side.drawing.as_deref(),
    }
}

fn write_json(out: &mut dyn Write, before: &Side, after: &Side) -> io::Result<()> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let texts = before.text.as_deref().zip(after.text.as_deref());
    let moves = align(&before.moves, &after.moves);
    let common = moves.iter().map(|part| if let Part::Both(both) = part { both.len() } else { 0 }).sum();
    let row = Row {
        before: side_row(before),
        after: side_row(after),
        same_text: texts.map(|(old, new)| old == new),
        same_answer: before.has_answer_of(after),
        common_prefix: common_prefix(&before.moves, &after.moves),
        common_moves: common,
        text: texts.map_or_else(Vec::new, |(old, new)| part_rows(align(&lines(old), &lines(new)))),
        moves: part_rows(moves),
    };
    writeln!(out, "{}", json(&row)?)
}
