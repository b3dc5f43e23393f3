//! The answers to requests, as the protocol has them.

use super::document::{Document, is_right, key, position};
use super::work::COMMANDS;
use crate::analysis::{
    Analysis, CompletionKind, LevelPlace, OutlineEntry, TextKind, completions, fix, folds, formatted, hover, name_at,
    offset_of, outline, place_of, renamed,
};
use crate::diagnostic::{Diagnostic, Severity, SourceText};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::ops::Range;

/// The results of searches, in a few words, by the puzzles' keys.
pub(super) type Optima = FxHashMap<u64, Option<String>>;

/// The requests that concern a text.
pub(super) const METHODS: [&str; 10] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/documentSymbol",
];

/// Returns whether a request is answered by the analysis of a text, for which it waits.
pub(super) fn waits(method: &str) -> bool {
    ["codeAction", "codeLens", "inlayHint", "foldingRange", "documentSymbol"].iter().any(|end| method.ends_with(end))
}

/// The most code lenses of a text: those of long collections would only be in the way.
const MOST_LENSES: usize = 1000;

/// The most errors of a text that are sent.
const MOST_DIAGNOSTICS: usize = 1000;

/// Answers a request.
pub(super) fn answer(
    optima: &Optima,
    document: &Document,
    uri: &str,
    method: &str,
    params: &Value,
) -> Result<Value, String> {
    let (text, kind) = (&document.text, document.kind());
    let byte = || offset_of(text, position(&params["position"]));
    Ok(match method {
        "textDocument/completion" => {
            let all = completions(text, kind, byte());
            let item = |one: crate::analysis::Completion| {
                let number = match one.kind {
                    CompletionKind::Key => 10,
                    CompletionKind::Value => 12,
                    CompletionKind::Name => 6,
                };
                let is_quoted = one.text.starts_with('"');
                json!({
                    "label": one.label,
                    "kind": number,
                    "documentation": { "kind": "markdown", "value": one.documentation },
                    "filterText": if is_quoted { &one.text } else { &one.label },
                    "textEdit": edit(text, &one.span, &one.text),
                })
            };
            json!({ "isIncomplete": false, "items": all.into_iter().map(item).collect::<Vec<_>>() })
        }
        "textDocument/hover" => hover(text, kind, byte()).map_or(Value::Null, |found| {
            json!({ "contents": { "kind": "markdown", "value": found.text }, "range": range(text, &found.span) })
        }),
        "textDocument/codeAction" => json!(actions(document, uri, params)),
        "textDocument/codeLens" => json!(lenses(document, uri)),
        "textDocument/inlayHint" => json!(hints(optima, document)),
        "textDocument/prepareRename" => {
            let (name, place) = name_at(text, kind, byte()).ok_or("no symbol, piece or name of the puzzle stands here")?;
            json!({ "range": range(text, &place), "placeholder": name.name })
        }
        "textDocument/rename" => {
            let new = params["newName"].as_str().unwrap_or_default();
            let places = renamed(text, &document.path, kind, byte(), new)?;
            let edits: Vec<Value> = places.iter().map(|place| edit(text, place, new)).collect();
            json!({ "changes": { uri: edits } })
        }
        "textDocument/formatting" => {
            let changes = formatted(text, &document.path, kind);
            json!(changes.iter().map(|(span, new)| edit(text, span, new)).collect::<Vec<_>>())
        }
        "textDocument/foldingRange" => {
            let folds = document.current().map_or_else(Vec::new, |analysis| folds(analysis));
            let lines = folds.iter().map(|span| (place_of(text, span.start).line, place_of(text, span.end).line));
            json!(lines.map(|(start, end)| json!({ "startLine": start, "endLine": end })).collect::<Vec<_>>())
        }
        "textDocument/documentSymbol" => {
            let all = document.current().map_or_else(Vec::new, |analysis| outline(analysis));
            json!(all.iter().map(|entry| symbol(text, entry)).collect::<Vec<_>>())
        }
        _ => Value::Null,
    })
}

fn range(text: &SourceText, span: &Range<usize>) -> Value {
    let at = |byte| {
        let place = place_of(text, byte);
        json!({ "line": place.line, "character": place.column })
    };
    json!({ "start": at(span.start), "end": at(span.end.max(span.start)) })
}

fn edit(text: &SourceText, span: &Range<usize>, new: &str) -> Value {
    json!({ "range": range(text, span), "newText": new })
}

/// Returns the bytes of a diagnostic: those of the first line, if it concerns the whole text.
fn span_of(text: &SourceText, one: &Diagnostic) -> Range<usize> {
    let first = || 0..text.lines().next().map_or(0, str::len);
    one.span.clone().unwrap_or_else(first)
}

fn diagnostic(text: &SourceText, one: &Diagnostic) -> Value {
    let severity = if one.severity == Severity::Error { 1 } else { 2 };
    let label = if one.label.is_empty() { String::new() } else { format!(": {}", one.label) };
    let help = one.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    let message = format!("{}{label}{help}", one.message);
    json!({ "range": range(text, &span_of(text, one)), "severity": severity, "source": "engine", "message": message })
}

/// Returns the errors and warnings of a text.
pub(super) fn diagnostics(analysis: &Analysis) -> Vec<Value> {
    let stopped = analysis.limit.map(|limit| Diagnostic::at_limit(limit).warning());
    let all = analysis.diagnostics.iter().take(MOST_DIAGNOSTICS).chain(&stopped);
    all.map(|one| diagnostic(&analysis.text, one)).collect()
}

/// Returns the fixes of the errors on the lines of a range.
fn actions(document: &Document, uri: &str, params: &Value) -> Vec<Value> {
    let Some(analysis) = document.current() else { return Vec::new() };
    let text = &document.text;
    let [start, end] = ["start", "end"].map(|end| position(&params["range"][end]).line);
    let touching = |one: &&Diagnostic| {
        let span = span_of(text, one);
        place_of(text, span.start).line <= end && start <= place_of(text, span.end).line
    };
    let action = |one: &Diagnostic| {
        let (span, new) = fix(text, one)?;
        Some(json!({
            "title": format!("Replace `{}` by `{new}`", &text[span.clone()]),
            "kind": "quickfix",
            "isPreferred": true,
            "diagnostics": [diagnostic(text, one)],
            "edit": { "changes": { uri: [edit(text, &span, &new)] } },
        }))
    };
    analysis.diagnostics.iter().filter(touching).filter_map(action).collect()
}

/// Returns the lenses of the puzzles in a text that are right.
fn lenses(document: &Document, uri: &str) -> Vec<Value> {
    let Some(analysis) = document.current() else { return Vec::new() };
    let levels = analysis.levels.iter().filter(|level| level.is_valid).take(MOST_LENSES);
    let of_level = |level: &LevelPlace| {
        // Above the file, or above the level.
        let start = if level.number.is_some() { level.span.start } else { 0 };
        let range = range(&document.text, &(start..start));
        COMMANDS.map(|(command, title)| {
            json!({
                "range": range,
                "command": { "title": title, "command": command, "arguments": [uri, level.number] },
            })
        })
    };
    levels.flat_map(of_level).collect()
}

/// Returns the puzzles on these lines.
pub(super) fn shown<'a>(analysis: &'a Analysis, lines: &Range<usize>) -> impl Iterator<Item = &'a LevelPlace> + use<'a> {
    let lines = lines.clone();
    let line = |byte| place_of(&analysis.text, byte).line;
    analysis.levels.iter().filter(move |level| line(level.span.start) < lines.end && lines.start <= line(level.span.end))
}

/// Returns the optima that are known of the puzzles on the lines that the editor shows.
fn hints(optima: &Optima, document: &Document) -> Vec<Value> {
    let (Some(analysis), Some(lines)) = (document.current(), &document.hinted) else { return Vec::new() };
    if analysis.kind == TextKind::Puzzle && !is_right(analysis) {
        return Vec::new();
    }
    let text = &document.text;
    let hint = |level: &LevelPlace| {
        let label = optima.get(&key(analysis, level.number, &level.span))?.as_ref()?;
        let mut place = place_of(text, level.span.start);
        // Behind the text of the line.
        place.column = usize::MAX;
        let place = place_of(text, offset_of(text, place));
        Some(json!({
            "position": { "line": place.line, "character": place.column },
            "label": label,
            "paddingLeft": true,
            "tooltip": "the least cost of a solution, from a search of a second",
        }))
    };
    shown(analysis, lines).filter_map(hint).collect()
}

fn symbol(text: &SourceText, entry: &OutlineEntry) -> Value {
    json!({
        "name": if entry.name.is_empty() { "?" } else { &entry.name },
        "kind": if entry.is_table { 19 } else { 7 },
        "range": range(text, &entry.whole),
        "selectionRange": range(text, &entry.span),
        "children": entry.children.iter().map(|child| symbol(text, child)).collect::<Vec<_>>(),
    })
}
