//! The schema of the values at a path of a puzzle file, where the documentation of keys and their values is.

use super::items::Items;
use crate::domain::{self, DomainFacts};
use crate::puzzle::schema::{schema, schema_of_all};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the facts of the domain that a text names, if there is one.
pub(super) fn domain_of(text: &str, items: &Items) -> Option<&'static DomainFacts> {
    domain::facts(items.string(text, &["domain"])?)
}

/// Returns the schema of the files of a domain, or of all domains. Each is made once.
pub(super) fn schema_for(facts: Option<&'static DomainFacts>) -> Arc<Value> {
    static MADE: Mutex<BTreeMap<&str, Arc<Value>>> = Mutex::new(BTreeMap::new());
    let name = facts.map_or("", |facts| facts.name);
    let make = || Arc::new(facts.map_or_else(schema_of_all, schema));
    Arc::clone(MADE.lock().entry(name).or_insert_with(make))
}

/// Returns the schemas of the value at a path: several if it may have several forms. Elements of arrays have the path of
/// the array.
pub(super) fn schemas_at<'s>(schema: &'s Value, path: &[String]) -> Vec<&'s Value> {
    let mut all = forms(schema);
    for key in path {
        all = all.into_iter().flat_map(|one| below(one, key)).flat_map(forms).collect();
    }
    all
}

/// Returns a schema, its alternatives and those of its elements, which are at the same path.
fn forms(schema: &Value) -> Vec<&Value> {
    let alternatives = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    let inner = alternatives.chain(schema.get("items")).filter(|one| one.is_object());
    std::iter::once(schema).chain(inner.flat_map(forms)).collect()
}

fn below<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    let patterns = || schema["patternProperties"].as_object()?.values().next();
    let others = || schema.get("additionalProperties").filter(|others| others.is_object());
    schema["properties"].get(key).or_else(patterns).or_else(others)
}
