//! Folds, and the layout of drawings: rows without blanks around them, numbers in columns. Nothing else of a text is
//! changed, and a drawing only if the puzzle stays the same.

use super::items::{Item, ItemKind, Items};
use super::{Analysis, TextKind, games};
use crate::domain::Style;
use crate::puzzle::{Loading, Puzzle};
use crate::search::Limits;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// The keys whose strings of several lines are drawings.
const DRAWINGS: [&str; 9] = ["start", "goal", "map", "marks", "fences", "from", "to", "on", "drawing"];

/// Returns the bytes of the parts that can be folded: values of several lines, tables, sections, levels.
#[must_use]
pub fn folds(analysis: &Analysis) -> Vec<Range<usize>> {
    let text = &analysis.text;
    let has_lines = |span: &Range<usize>| text[span.clone()].contains('\n');
    match analysis.kind {
        TextKind::Levels => analysis.levels.iter().map(|level| level.span.clone()).filter(has_lines).collect(),
        TextKind::Game => games::outline(text).into_iter().map(|entry| entry.whole).filter(has_lines).collect(),
        TextKind::Puzzle | TextKind::Other => {
            let items = Items::of(text);
            let values = items.all().iter().filter(|item| item.kind == ItemKind::Value).map(|item| item.span.clone());
            let tables = super::outline(analysis).into_iter().filter(|entry| entry.is_table).map(|entry| entry.whole);
            values.chain(tables).filter(has_lines).collect()
        }
    }
}

/// Returns the changes that lay out the drawings of a text: bytes, and what takes their place. None if the text is wrong,
/// unless they mend it.
#[must_use]
pub fn formatted(text: &str, path: &Path, kind: TextKind) -> Vec<(Range<usize>, String)> {
    let changes = match kind {
        TextKind::Other => return Vec::new(),
        TextKind::Game | TextKind::Levels => trailing_blanks(text),
        TextKind::Puzzle => {
            let items = Items::of(text);
            let is_drawing = |item: &&Item| {
                let is_long =
                    text[item.span.clone()].starts_with("\"\"\"") || text[item.span.clone()].starts_with("'''");
                item.kind == ItemKind::Value
                    && is_long
                    && item.path.last().is_some_and(|key| DRAWINGS.contains(&&**key))
            };
            items.all().iter().filter(is_drawing).filter_map(|item| laid_out(text, item)).collect()
        }
    };
    let Some(before) = drawn(text, path) else {
        // Blanks may be all that is wrong.
        return if drawn(&changed(text, &changes), path).is_some() { changes } else { Vec::new() };
    };
    let mut kept: Vec<(Range<usize>, String)> = Vec::new();
    // A change that is not safe leaves the others: those of collections are all alike.
    let singly = kind == TextKind::Puzzle;
    let groups: Vec<Vec<(Range<usize>, String)>> =
        if singly { changes.into_iter().map(|one| vec![one]).collect() } else { vec![changes] };
    for group in groups {
        let with = [&kept[..], &group].concat();
        if drawn(&changed(text, &with), path).as_ref() == Some(&before) {
            kept = with;
        }
    }
    kept
}

/// Returns a text with changes, which are in the order of their places.
fn changed(text: &str, changes: &[(Range<usize>, String)]) -> String {
    let mut after = text.to_owned();
    changes.iter().rev().for_each(|(span, new)| after.replace_range(span.clone(), new));
    after
}

/// Returns the puzzles of a text as they are drawn, and their warnings; `None` if one is wrong.
fn drawn(text: &str, path: &Path) -> Option<Vec<String>> {
    let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
    let loading = Loading { limits, ..Loading::default() };
    let sources = loading.sources_in(path, &text.into()).ok()?;
    let of = |puzzle: Puzzle| {
        let goal = format!("{:?}", puzzle.goal());
        let warnings: Vec<&str> = puzzle.warnings().diagnostics().iter().map(|one| &*one.message).collect();
        puzzle.draw(Style::Drawn) + &goal + &warnings.join("\n")
    };
    sources.iter().map(|source| loading.load_source(source).ok().map(of)).collect()
}

/// Returns the changes that remove blanks at the ends of lines.
fn trailing_blanks(text: &str) -> Vec<(Range<usize>, String)> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let kept = content.trim_end_matches([' ', '\t']).len();
        if kept < content.len() {
            found.push((at + kept..at + content.len(), String::new()));
        }
        at += line.len();
    }
    found
}

/// Returns a drawing with its rows laid out, if that changes it.
fn laid_out(text: &str, item: &Item) -> Option<(Range<usize>, String)> {
    let raw = &text[item.span.clone()];
    let quotes = raw.get(..3)?;
    let body = raw.strip_prefix(quotes)?.strip_suffix(quotes)?;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // Escapes may join lines.
    if !body.contains('\n') || quotes == "\"\"\"" && body.contains('\\') {
        return None;
    }
    let body = body.trim_start_matches(['\r', '\n']).trim_end();
    let indent = body
        .lines()
        .filter(|row| !row.trim().is_empty())
        .map(|row| row.len() - row.trim_start_matches([' ', '\t']).len())
        .min();
    let rows: Vec<&str> =
        body.lines().map(|row| row.get(indent?..).map(str::trim_end).or(Some(row.trim()))).collect::<Option<_>>()?;
    let words: Vec<Vec<&str>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
    let columns = words.first()?.len();
    let is_table = columns > 1 && words.iter().all(|row| row.len() == columns);
    let mut out = format!("{quotes}{line_end}");
    for (row, words) in rows.iter().zip(&words) {
        if is_table {
            let cell = |(column, word): (usize, &&str)| {
                let width = self::width(&rows, column);
                format!("{}{word}", " ".repeat(width.saturating_sub(word.chars().count())))
            };
            out += words.iter().enumerate().map(cell).collect::<Vec<_>>().join(" ").trim_end();
        } else {
            out += row;
        }
        out += line_end;
    }
    out += quotes;
    (out != raw).then(|| (item.span.clone(), out))
}

/// Returns the width of a column of words.
fn width(rows: &[&str], column: usize) -> usize {
    rows.iter().filter_map(|row| row.split_whitespace().nth(column)).map(|word| word.chars().count()).max().unwrap_or(0)
}
