//! What stands at a place, in words.

use super::TextKind;
use super::games;
use super::items::{ItemKind, Items};
use super::names::name_at;
use super::parts::Hover;
use super::schema_path::{domain_of, schema_for, schemas_at};
use crate::domain;
use crate::search::Algorithm;

/// Returns the explanation of what stands at a byte.
#[must_use]
pub fn hover(text: &str, kind: TextKind, byte: usize) -> Option<Hover> {
    match kind {
        TextKind::Game => games::hover(text, byte),
        TextKind::Levels => None,
        TextKind::Puzzle | TextKind::Other => of_puzzle(text, byte),
    }
}

fn of_puzzle(text: &str, byte: usize) -> Option<Hover> {
    let items = Items::of(text);
    let item = items.at(byte)?;
    let span = item.span.clone();
    let facts = domain_of(text, &items);
    let written = text.get(item.inner(text))?;
    if item.kind == ItemKind::Value {
        let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
        let words = match &path[..] {
            ["domain"] => Some(domain::facts(written)?.summary.to_owned()),
            ["search", "algorithm"] => Algorithm::named(written).map(|found| found.facts().summary.to_owned()),
            ["search", "heuristic"] => facts.and_then(|facts| facts.heuristic(written)).map(|facts| {
                let yes = |is: bool, word: &str| if is { word.to_owned() } else { format!("not {word}") };
                let claims = [yes(facts.admissible, "admissible"), yes(facts.consistent, "consistent")];
                format!("{} ({})", facts.summary, claims.join(", "))
            }),
            ["metric" | "moves"] => facts.and_then(|facts| {
                facts.metrics.iter().find(|metric| metric.name == written).map(|metric| metric.summary.to_owned())
            }),
            _ => None,
        };
        if let Some(words) = words {
            return Some(Hover { span, text: format!("`{written}`: {words}") });
        }
    }
    if let Some((name, span)) = name_at(text, TextKind::Puzzle, byte) {
        let count = name.places.len();
        let more = if count == 1 { String::new() } else { format!(", in {count} places") };
        let value = items.all().iter().find(|one| one.kind == ItemKind::Value && one.span.start > name.places[0].end);
        let is_defined = name.kind.has_value();
        let value = value.filter(|_| is_defined).and_then(|_| text[name.places[0].start..].lines().next());
        let value = value.map_or(String::new(), |line| format!("\n\n```toml\n{line}\n```"));
        return Some(Hover { span, text: format!("{} `{}`{more}{value}", name.kind.words(), name.name) });
    }
    if item.kind == ItemKind::Value {
        return None;
    }
    let schema = schema_for(facts);
    let described =
        schemas_at(&schema, &item.path).into_iter().find_map(|one| one["description"].as_str().map(str::to_owned));
    Some(Hover { span, text: described.filter(|text| !text.is_empty())? })
}
