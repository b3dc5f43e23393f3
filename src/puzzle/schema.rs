//! JSON Schema (draft 2020-12) of puzzle files, by which editors complete, explain and check them.
//!
//! A schema lists the keys, their types and their meanings. The types are beside the code that reads the keys, in a file
//! `schema.json` or in a table ([`DomainFacts::schema`] of a domain). The meanings are taken from the facts that
//! `engine domains` prints, so each fact is written once. A fragment that is used repeatedly is replaced by a name:
//! `"place"`, `"metrics"`, `"heuristics"`, `"own"`, `"algorithms"`, `"band"`.
//!
//! A schema refuses no file that the engine accepts, except for algorithms in capital letters. It accepts much that the
//! engine refuses, such as mistakes within a drawing.

use crate::domain::{self, DomainFacts, OWN_HEURISTICS};
use crate::search::Algorithm;
use serde_json::{Map, Value, json};

/// The draft that the schemas use.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The pattern of the name of a heuristic that a file defines.
const OWN_NAME: &str = "^[A-Za-z][A-Za-z0-9_-]{0,39}$";

/// The keys that all puzzles share.
const SHARED: &str = include_str!("schema.json");

/// Returns the schema of a domain's puzzle files.
///
/// # Panics
/// If the domain's `schema` is not JSON, which is a mistake in the program, not in a file.
#[must_use]
pub fn schema(facts: &DomainFacts) -> Value {
    let mut schema = object(&format!("a puzzle of the domain {}", facts.name), facts.summary);
    schema.extend(described(facts));
    finished(schema)
}

/// Returns one schema for the puzzle files of all domains: the value of `domain` selects the schema of the other keys.
#[must_use]
pub fn schema_of_all() -> Value {
    let all: Vec<&DomainFacts> = domain::registered().into_iter().filter_map(domain::facts).collect();
    let mut schema = object("a puzzle", "a puzzle file of the engine; `domain` selects the kind of puzzle");
    let names = all.iter().map(|facts| (facts.name, facts.summary));
    let mut properties = parsed(SHARED)["properties"].take();
    fill(&mut properties, None);
    properties["domain"] = one_of("the kind of puzzle", names);
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(["title", "domain"]));
    // Nested conditions, because taplo ignores the siblings of an `allOf`.
    let selected = all.iter().rev().fold(Map::new(), |others, facts| {
        let is_it = json!({ "properties": { "domain": { "const": facts.name } }, "required": ["domain"] });
        let chosen = [("if", is_it), ("then", described(facts).into()), ("else", others.into())];
        chosen.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    });
    schema.extend(selected);
    finished(schema)
}

/// Adds the draft and sorts the keys, so that their order depends on no library.
fn finished(mut schema: Map<String, Value>) -> Value {
    schema.insert("$schema".to_owned(), json!(DRAFT));
    let mut schema = Value::Object(schema);
    schema.sort_all_objects();
    schema
}

fn object(title: &str, description: &str) -> Map<String, Value> {
    let value = json!({ "title": title, "description": description, "type": "object" });
    value.as_object().cloned().unwrap_or_default()
}

/// Returns the schema of a domain's files: its own keys, the shared keys, and which of them are required.
fn described(facts: &DomainFacts) -> Map<String, Value> {
    let mut own = parsed(if facts.schema.is_empty() { "{}" } else { facts.schema });
    fill(&mut own["properties"], Some(facts));
    let mut properties = parsed(SHARED)["properties"].take();
    fill(&mut properties, Some(facts));
    properties["domain"] = one_of("the kind of puzzle", [(facts.name, facts.summary)]);
    for key in facts.keys {
        let mut property = own["properties"][key.name].take();
        if property.is_null() {
            property = json!({});
        }
        property["description"] = match property["description"].as_str() {
            None => json!(key.summary),
            Some(values) => json!(format!("{}\n\n{values}", key.summary)),
        };
        properties[key.name] = property;
    }
    let mut required = vec![json!("title"), json!("domain")];
    required.extend(own["required"].as_array().into_iter().flatten().cloned());
    own["properties"] = properties;
    if has_own_heuristics(facts) {
        // Only a file that defines heuristics may name another one than those of the domain.
        let names: Vec<&str> = facts.heuristics.iter().map(|heuristic| heuristic.name).collect();
        let known = json!({ "heuristic": { "enum": names } });
        own["if"] = json!({ "not": { "required": [OWN_HEURISTICS.name] } });
        own["then"] = json!({ "properties": { "search": { "properties": known } } });
    }
    own["required"] = required.into();
    own["additionalProperties"] = json!(false);
    match own {
        Value::Object(described) => described,
        _ => Map::new(),
    }
}

/// Returns whether files of a domain may define heuristics.
fn has_own_heuristics(facts: &DomainFacts) -> bool {
    facts.keys.iter().any(|key| key.name == OWN_HEURISTICS.name)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the schema of a domain's keys is JSON")
}

/// Replaces names of fragments by the fragments.
fn fill(value: &mut Value, facts: Option<&DomainFacts>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                // The values of these keys are text.
                if !["title", "description", "type", "pattern", "default", "const"].contains(&&**key)
                    && let Some(fragment) = field.as_str().and_then(|name| fragment(name, facts))
                {
                    *field = fragment;
                } else {
                    fill(field, facts);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, facts)),
        _ => {}
    }
}

/// Returns the fragment with this name; without a domain, any heuristic is allowed.
fn fragment(name: &str, facts: Option<&DomainFacts>) -> Option<Value> {
    Some(match name {
        "place" => json!({
            "title": "[row, column], from 0",
            "type": "array",
            "items": { "type": "integer", "minimum": 0 },
            "minItems": 2,
            "maxItems": 2,
        }),
        "band" => json!({
            "description": "the least number and the greatest, or one number for both",
            "anyOf": [
                { "type": "number", "minimum": 0 },
                { "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 2, "maxItems": 2 },
            ],
        }),
        "algorithms" => {
            let mut schema = one_of(
                "the search algorithm; default: one that proves its solution shortest",
                Algorithm::ALL.iter().map(|facts| (facts.name, facts.summary)),
            );
            let aliases = Algorithm::ALL.iter().flat_map(|facts| facts.aliases).map(|alias| json!(alias));
            if let Some(names) = schema["enum"].as_array_mut() {
                names.extend(aliases);
            }
            schema
        }
        "heuristics" => match facts {
            None => json!({ "type": "string", "description": "the heuristic of an informed search" }),
            Some(facts) => {
                let heuristics = facts.heuristics.iter().map(|heuristic| (heuristic.name, heuristic.summary));
                let built_in = one_of("the heuristic of an informed search; default: chosen by the engine", heuristics);
                match has_own_heuristics(facts) {
                    true => json!({ "anyOf": [built_in, { "type": "string", "pattern": OWN_NAME }] }),
                    false => built_in,
                }
            }
        },
        "own" => json!({
            "type": "object",
            "patternProperties": {
                OWN_NAME: {
                    "type": "object",
                    "properties": {
                        "value": { "type": "string", "minLength": 1, "description": "the expression whose value is h" },
                    },
                    "required": ["value"],
                    "additionalProperties": false,
                },
            },
            "additionalProperties": false,
            "maxProperties": 100,
        }),
        "metrics" => {
            let metrics = facts.map_or(&[][..], |facts| facts.metrics);
            let mut schema = one_of("", metrics.iter().map(|metric| (metric.name, metric.summary)));
            if let Some(first) = metrics.first() {
                schema["default"] = json!(first.name);
            }
            schema
        }
        _ => return None,
    })
}

/// Returns a choice of names, each with its meaning: in the description, and where the language server taplo reads it.
fn one_of<'a>(what: &str, names: impl IntoIterator<Item = (&'a str, &'a str)>) -> Value {
    let names: Vec<(&str, &str)> = names.into_iter().collect();
    let lines = names.iter().map(|(name, summary)| format!("- `{name}`: {summary}"));
    let text: Vec<String> = (!what.is_empty()).then(|| format!("{what}\n")).into_iter().chain(lines).collect();
    json!({
        "enum": names.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "description": text.join("\n"),
        "x-taplo": { "docs": { "enumValues": names.iter().map(|(_, summary)| summary).collect::<Vec<_>>() } },
    })
}
