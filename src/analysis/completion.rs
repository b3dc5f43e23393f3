//! What may be written at a place: keys and values by the schema, names of the puzzle in drawings and expressions.

use super::TextKind;
use super::games;
use super::items::{Expected, Items, Spot, spot};
use super::names::{names, stands_in};
use super::parts::{Completion, CompletionKind, NameKind};
use super::schema_path::{domain_of, schema_for, schemas_at};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns what may be written at a byte, in the order of the names.
#[must_use]
pub fn completions(text: &str, kind: TextKind, byte: usize) -> Vec<Completion> {
    match kind {
        TextKind::Game => games::completions(text, byte),
        TextKind::Levels => Vec::new(),
        TextKind::Puzzle | TextKind::Other => of_puzzle(text, byte),
    }
}

fn of_puzzle(text: &str, byte: usize) -> Vec<Completion> {
    let items = Items::of(text);
    let spot = spot(text, byte);
    let facts = domain_of(text, &items);
    let schema = schema_for(facts);
    match spot.expected {
        Expected::Nothing => Vec::new(),
        Expected::Key | Expected::Header => keys(&items, &spot, &schema),
        Expected::Value => {
            // The schema of all domains has no heuristics: those of the domain are wanted.
            let mut found = values(text, &spot, &schemas_at(&schema, &spot.path));
            found.extend(names_in_string(text, &items, &spot, byte, facts.map_or("", |facts| facts.name)));
            found
        }
    }
}

/// Returns the keys of a table that are not written yet.
fn keys(items: &Items, spot: &Spot, schema: &Value) -> Vec<Completion> {
    let is_header = spot.expected == Expected::Header;
    let mut found = BTreeMap::new();
    for (key, property) in
        schemas_at(schema, &spot.path).into_iter().filter_map(|one| one["properties"].as_object()).flatten()
    {
        let is_table = property["type"] == "object";
        let is_array = property["type"] == "array" && property["items"]["type"] == "object";
        let is_there = items.keys_below(&spot.path).any(|item| {
            item.path.last() == Some(key)
                && item.span != spot.written
                && (item.table == spot.table || spot.path.is_empty() && !is_array)
        });
        if is_there || is_header && !(is_table || is_array) {
            continue;
        }
        let dotted = [&spot.path[..], std::slice::from_ref(key)].concat().join(".");
        let new = match () {
            () if is_header => key.clone(),
            () if spot.is_inline || !spot.path.is_empty() => format!("{key} = "),
            () if is_array => format!("[[{dotted}]]"),
            () if is_table => format!("[{dotted}]"),
            () => format!("{key} = "),
        };
        let documentation = property["description"].as_str().unwrap_or_default().to_owned();
        let completion = Completion {
            label: key.clone(),
            kind: CompletionKind::Key,
            documentation,
            span: spot.written.clone(),
            text: new,
        };
        found.entry(key.clone()).or_insert(completion);
    }
    found.into_values().collect()
}

/// Returns the values of which a key has one.
fn values(text: &str, spot: &Spot, schemas: &[&Value]) -> Vec<Completion> {
    let mut found: Vec<Completion> = Vec::new();
    for schema in schemas {
        let docs = schema["x-taplo"]["docs"]["enumValues"].as_array();
        let listed = schema["enum"].as_array().into_iter().flatten();
        let is_truth = schema["type"] == "boolean";
        let truths = [Value::Bool(true), Value::Bool(false)];
        let all: Vec<&Value> = listed.chain(truths.iter().filter(|_| is_truth)).collect();
        for (number, value) in all.into_iter().enumerate() {
            let label = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if found.iter().any(|known| known.label == label) {
                continue;
            }
            let documentation = docs.and_then(|docs| docs.get(number)?.as_str()).unwrap_or_default().to_owned();
            let new = if value.is_string() { format!("\"{label}\"") } else { label.clone() };
            let span = spot.written.clone();
            found.push(Completion { label, kind: CompletionKind::Value, documentation, span, text: new });
        }
    }
    let is_in_multi_line =
        text[spot.written.clone()].starts_with("\"\"\"") || text[spot.written.clone()].starts_with("'''");
    if is_in_multi_line { Vec::new() } else { found }
}

/// Returns the names that may stand in a string of written rules: variables in expressions, symbols in drawings.
fn names_in_string(text: &str, items: &Items, spot: &Spot, byte: usize, domain: &str) -> Vec<Completion> {
    let written = &text[spot.written.clone()];
    if !written.starts_with(['"', '\'']) || byte == spot.written.start {
        return Vec::new();
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = &text[spot.written.start + 1..byte];
    let start = byte - before.chars().rev().take_while(|letter| is_word(*letter)).map(char::len_utf8).sum::<usize>();
    let path: Vec<&str> = spot.path.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for name in names(text, items, domain) {
        let is_symbol = name.kind == NameKind::Symbol;
        if !stands_in(name.kind, domain, &path) {
            continue;
        }
        let span = if is_symbol { byte..byte } else { start..byte };
        let documentation = format!("{}, in {} places", name.kind.words(), name.places.len());
        found.push(Completion {
            label: name.name.clone(),
            kind: CompletionKind::Name,
            documentation,
            span,
            text: name.name,
        });
    }
    found
}
