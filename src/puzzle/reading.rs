//! From the text of a file to a puzzle: the shared keys are read here, all others by the domain, and every error is kept.

use super::document::Document;
use super::fingerprint::{Parts, digest};
use super::solve_error::unknown_heuristic;
use super::warnings::Text;
use super::{About, Expect, Outcome, Puzzle, Search, SolveError, refusal};
use crate::diagnostic::{Diagnostic, steers, unknown_name};
use crate::domain::{self, Domain, DomainFacts, FileContext, Folder, Means};
use crate::search::{Algorithm, Weight};
use serde::Deserialize;
use std::cell::RefCell;
use std::num::NonZero;
use toml::Spanned;

/// The keys that all puzzles share, but for `domain`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedKeys {
    title: Option<Spanned<String>>,
    author: Option<String>,
    source: Option<String>,
    description: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    search: SearchKeys,
    #[serde(default)]
    expect: ExpectKeys,
}

const SHARED_KEYS: [&str; 7] = ["title", "author", "source", "description", "tags", "search", "expect"];

/// The table `[search]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchKeys {
    algorithm: Option<Spanned<String>>,
    heuristic: Option<Spanned<String>>,
    depth_limit: Option<u32>,
    closed_limit: Option<NonZero<usize>>,
    weight: Option<Spanned<f64>>,
    automaton: Option<bool>,
}

/// The table `[expect]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectKeys {
    outcome: Option<Spanned<Outcome>>,
    cost: Option<Spanned<f64>>,
}

/// Reads and validates a puzzle; files that it names are looked for in the folder, and `means` may end it. Warnings will
/// call the file `name`.
pub(super) fn read_puzzle(text: &str, name: &str, folder: Folder, means: &Means) -> Result<Puzzle, Vec<Diagnostic>> {
    let mut document = Document::parse(text)?;
    let mut errors = Vec::new();
    let facts = known_domain(text, folder, &mut document).map_err(|error| errors.push(error)).ok();
    let shared = document.read_keys::<SharedKeys>(&SHARED_KEYS);
    errors.extend(shared.errors);
    let keys = shared.value.unwrap_or_default();
    let mut refused = shared.refused;
    let search = facts.map(|facts| known_search(&keys.search, facts, &mut errors)).unwrap_or_default();
    let expect = claims(&keys.expect, &mut errors);
    let names = RefCell::default();
    let goal = document.span_of("goal");
    let mut instance = None;
    if let Some(facts) = facts {
        let others: Vec<&str> = SHARED_KEYS.into_iter().chain(["domain"]).collect();
        let read = document.read_tagged::<Box<dyn Domain>>(facts.name, &others);
        errors.extend(read.errors);
        let context = FileContext {
            source: text,
            folder,
            insertion: document.insertion,
            refused: &read.refused,
            means,
            names: &names,
        };
        match read.value.map(|domain| domain.open(&context)) {
            Some(Ok(opened)) => {
                let refused = search.heuristic.and_then(|named| refusal(&*opened, named, means).err());
                context.may_go_on()?;
                if let (Some(SolveError { message, help }), Some(name)) = (refused, &keys.search.heuristic) {
                    errors.push(Diagnostic::at(name.span(), message).help(help));
                }
                instance = Some(opened);
            }
            Some(Err(wrong)) => errors.extend(wrong),
            None => {}
        }
        refused.extend(read.refused);
    }
    if let Some(title) = keys.title.as_ref().filter(|title| title.get_ref().contains(steers)) {
        errors.push(
            Diagnostic::at(title.span(), "the title has a control character").label("a title is one line of text"),
        );
    }
    if keys.title.is_none() && !refused.iter().any(|key| key == "title") {
        let context = FileContext {
            source: text,
            folder,
            insertion: document.insertion,
            refused: &refused,
            means,
            names: &names,
        };
        errors.push(context.missing("title", "title = \"A name for the puzzle\""));
    }
    match (facts, instance) {
        (Some(facts), Some(instance)) if errors.is_empty() => {
            let SharedKeys { author, source, description, tags, .. } = keys;
            let about = About { author, source, description, tags };
            let title = keys.title.map(Spanned::into_inner).unwrap_or_default();
            let parts = Parts { text: digest(text.as_bytes()), named: names.into_inner() };
            let text = Text::new(name, text, goal);
            Ok(Puzzle { title, about, facts, instance, search, expect, parts, text })
        }
        _ => Err(errors),
    }
}

/// The facts of the domain that a file names.
fn known_domain(text: &str, folder: Folder, document: &mut Document) -> Result<&'static DomainFacts, Diagnostic> {
    let Some(value) = document.take("domain") else {
        let context = FileContext {
            source: text,
            folder,
            insertion: document.insertion,
            refused: &[],
            means: &Means::default(),
            names: &RefCell::default(),
        };
        let names = domain::registered().into_iter().map(|name| format!("`{name}`"));
        let help = format!("the domains are {}", names.collect::<Vec<_>>().join(", "));
        return Err(context.missing("domain", "").help(help));
    };
    let Some(name) = value.get_ref().as_str() else {
        return Err(Diagnostic::at(value.span(), "invalid type for `domain`: expected a string"));
    };
    domain::facts(name).ok_or_else(|| {
        let message = format!("there is no domain `{name}`");
        Diagnostic::at(value.span(), message).help(unknown_name(name, domain::registered()))
    })
}

/// The algorithm and heuristic that a file names, if they exist.
fn known_search(keys: &SearchKeys, facts: &'static DomainFacts, errors: &mut Vec<Diagnostic>) -> Search {
    let SearchKeys { depth_limit, closed_limit, automaton, .. } = *keys;
    let mut search = Search { depth_limit, closed_limit, automaton, ..Search::default() };
    if let Some(weight) = &keys.weight {
        search.weight = Weight::new(*weight.get_ref());
        if search.weight.is_none() {
            errors.push(Diagnostic::at(weight.span(), "a weight is a number from 1 to 1000"));
        }
    }
    if let Some(name) = &keys.algorithm {
        search.algorithm = Algorithm::named(name.get_ref());
        if search.algorithm.is_none() {
            let known = Algorithm::ALL.iter().map(|facts| facts.name);
            let message = format!("there is no algorithm `{}`", name.get_ref());
            errors.push(Diagnostic::at(name.span(), message).help(unknown_name(name.get_ref(), known)));
        }
    }
    if let Some(name) = &keys.heuristic {
        search.heuristic = facts.heuristic(name.get_ref());
        if search.heuristic.is_none() {
            let SolveError { message, help } = unknown_heuristic(facts, name.get_ref());
            errors.push(Diagnostic::at(name.span(), message).help(help));
        }
    }
    search
}

/// What `[expect]` claims, if it does not contradict itself.
fn claims(keys: &ExpectKeys, errors: &mut Vec<Diagnostic>) -> Expect {
    let outcome = keys.outcome.as_ref().map(|outcome| *outcome.get_ref());
    let cost = keys.cost.as_ref().map(|cost| *cost.get_ref());
    if let Some(claim) = &keys.cost {
        if outcome == Some(Outcome::Unsolvable) {
            errors.push(Diagnostic::at(claim.span(), "an unsolvable puzzle has no cost"));
        } else if !(0.0..f64::INFINITY).contains(claim.get_ref()) {
            errors.push(Diagnostic::at(claim.span(), "a cost is a number of 0 or more"));
        }
    }
    Expect { outcome, cost }
}
