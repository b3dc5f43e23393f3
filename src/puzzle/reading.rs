//! Reads puzzle files: this module reads the shared keys, the domain reads all others, and every error is collected.

use super::fingerprint::Parts;
use super::known_puzzles::instead_of_domain;
use super::solve_error::unknown_heuristic;
use super::warnings::{Origin, Text};
use super::{About, Expect, Outcome, Puzzle, Search, SolveError, refusal};
use crate::diagnostic::{Diagnostic, expected_names, unknown_name};
use crate::document::{DeValue, Findings, FromToml, Keys, Node, Spanned};
use crate::domain::collection::Prepared;
use crate::domain::{self, BuildContext, Domain, DomainFacts, FileContext, Folder, HeuristicFacts, OWN_HEURISTICS};
use crate::domain::{OWN_NAME, ReadOptions};
use crate::search::{Algorithm, BeamWidth, Weight};
use std::cell::RefCell;
use std::num::NonZero;
use std::path::Path;

/// The keys that all puzzles share.
const SHARED_KEYS: [&str; 9] =
    ["title", "author", "source", "description", "tags", "search", "expect", "generate", "domain"];

/// The table `[search]`.
#[derive(Default)]
struct SearchKeys {
    algorithm: Option<Spanned<String>>,
    heuristic: Option<Spanned<String>>,
    depth_limit: Option<u32>,
    closed_limit: Option<NonZero<usize>>,
    weight: Option<Spanned<f64>>,
    width: Option<Spanned<u32>>,
    automaton: Option<bool>,
}

impl FromToml for SearchKeys {
    fn from_toml(node: Node) -> Option<SearchKeys> {
        let keys =
            node.keys(&["algorithm", "heuristic", "depth_limit", "closed_limit", "weight", "width", "automaton"])?;
        Some(SearchKeys {
            algorithm: keys.take("algorithm"),
            heuristic: keys.take("heuristic"),
            depth_limit: keys.take("depth_limit"),
            closed_limit: keys.take("closed_limit"),
            weight: keys.take("weight"),
            width: keys.take("width"),
            automaton: keys.take("automaton"),
        })
    }
}

/// The table `[expect]`.
#[derive(Default)]
struct ExpectKeys {
    outcome: Option<Outcome>,
    cost: Option<Spanned<f64>>,
    unique: Option<Spanned<bool>>,
}

impl FromToml for ExpectKeys {
    fn from_toml(node: Node) -> Option<ExpectKeys> {
        let keys = node.keys(&["outcome", "cost", "unique"])?;
        Some(ExpectKeys { outcome: keys.take("outcome"), cost: keys.take("cost"), unique: keys.take("unique") })
    }
}

impl FromToml for Outcome {
    fn from_toml(node: Node) -> Option<Outcome> {
        node.choice(&[Outcome::Solved, Outcome::Unsolvable].map(|outcome| (outcome.name(), outcome)))
    }
}

/// Reads and validates the puzzle in the file at `path`. `context` may end the reading. Spans are those of the origin's
/// source; `prepared` is of the collection that the puzzle is from.
pub(super) fn read_puzzle(
    origin: &Origin,
    path: &Path,
    options: &ReadOptions,
    prepared: Option<&Prepared>,
    context: &BuildContext,
) -> Result<Puzzle, Vec<Diagnostic>> {
    let document = origin.text.document()?;
    let (findings, names) = (Findings::default(), RefCell::default());
    let file = FileContext {
        source: &origin.source,
        text: &origin.text,
        folder: Folder::of(path, options.allow_paths),
        insertion: document.insertion,
        findings: &findings,
        context,
        names: &names,
        options,
        prepared,
    };
    let mut keys = document.keys(&findings);
    let mut errors = Vec::new();
    let domain = known_domain(&keys, &file).map_err(|error| errors.push(error)).ok();
    let facts = domain.as_ref().map(|domain| domain.facts());
    let own: Vec<&str> = facts.iter().flat_map(|facts| facts.keys).map(|key| key.name).collect();
    if let Some(facts) = facts {
        keys.expect(&own, &SHARED_KEYS);
        if options.seed.is_some() && !own.contains(&"seed") {
            let message = format!("the domain `{}` takes no seed", facts.name);
            errors.push(Diagnostic::whole(message).help("leave out `--seed`"));
        }
    }
    let title: Option<Spanned<String>> = keys.take("title");
    let mut about = About {
        author: keys.take("author"),
        // A domain may give the key another meaning.
        source: if own.contains(&"source") { None } else { keys.take("source") },
        description: keys.take("description"),
        tags: keys.take("tags").unwrap_or_default(),
    };
    let search_keys: SearchKeys = keys.take("search").unwrap_or_default();
    let of_file = facts.map(|facts| own_names(&keys, facts, &mut errors)).unwrap_or_default();
    let search = facts.map(|facts| known_search(&search_keys, facts, &of_file, &mut errors)).unwrap_or_default();
    let expect = claims(&keys.take("expect").unwrap_or_default(), &mut errors);
    let template = keys.take("generate");
    let mut instance = None;
    match domain.map(|domain| domain.read(&keys, &file)) {
        Some(Ok(opened)) => {
            let refused = search.heuristic.and_then(|named| refusal(&*opened, named, context).err());
            file.check_limits()?;
            about.description = about.description.or_else(|| opened.description().map(str::to_owned));
            if let (Some(SolveError { message, help }), Some(name)) = (refused, &search_keys.heuristic) {
                errors.push(Diagnostic::at(name.span(), message).help(help));
            }
            instance = Some(opened);
        }
        Some(Err(wrong)) => errors.extend(wrong),
        None => {}
    }
    let is_no_letter = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    if let Some(title) = title.as_ref().filter(|title| title.get_ref().contains(is_no_letter)) {
        errors
            .push(Diagnostic::at(title.span(), "the title has a control character").label("expected one line of text"));
    }
    let title = file.required("title", "title = \"A name for the puzzle\"", title);
    let title = title.map_err(|missing| errors.extend(missing));
    errors.extend(findings.take_errors());
    match (facts, instance, title) {
        (Some(facts), Some(instance), Ok(title)) if errors.is_empty() => {
            let goal = keys.span("goal");
            let is_its_own =
                |seed: &&String| keys.node("seed").is_some_and(|node| node.value().as_str() == Some(*seed));
            let seed = options.seed.as_ref().filter(|seed| !is_its_own(seed)).cloned();
            let parts = Parts { text: origin.written(), seed, named: names.take() };
            let text = Text::new(origin.clone(), goal);
            let (title, options) = (title.into_inner(), options.clone());
            Ok(Puzzle { title, about, facts, instance, search, expect, template, parts, text, options })
        }
        _ => Err(errors),
    }
}

/// Returns the domain that a file names.
fn known_domain(keys: &Keys, file: &FileContext) -> Result<Box<dyn Domain>, Diagnostic> {
    // A misspelt key is reported with the other unknown keys, once the domain is known, which defines the keys.
    let Some(value) = keys.node("domain").or_else(|| keys.near("domain", &SHARED_KEYS)) else {
        return Err(file.missing("domain", "").help(expected_names(domain::registered())));
    };
    let DeValue::String(name) = value.value() else { return Err(value.type_error("a string")) };
    domain::named(name).ok_or_else(|| {
        let message = format!("unknown domain `{name}`");
        Diagnostic::at(value.span(), message).help(instead_of_domain(name))
    })
}

/// Returns the names of the heuristics that the file defines.
fn own_names(keys: &Keys, facts: &DomainFacts, errors: &mut Vec<Diagnostic>) -> Vec<String> {
    let table = keys.node(OWN_HEURISTICS.name).filter(|_| facts.keys.iter().any(|key| key.name == OWN_HEURISTICS.name));
    let Some(DeValue::Table(table)) = table.map(Node::value) else { return Vec::new() };
    for (key, _) in table.iter() {
        let name: &str = key.get_ref();
        let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !(letters && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= OWN_NAME) {
            let message = format!("invalid name `{name}` of a heuristic");
            let help = format!(
                "a name has letters, digits, `-` and `_`, begins with a letter, and has at most {OWN_NAME} characters"
            );
            errors.push(Diagnostic::at(key.span(), message).help(help));
        } else if facts.heuristic(name).is_some() {
            let message = format!("the domain `{}` has a heuristic `{name}`", facts.name);
            errors.push(Diagnostic::at(key.span(), message).help("choose another name"));
        }
    }
    table.keys().map(|key| key.get_ref().to_string()).collect()
}

/// Returns the algorithm and heuristic that a file names, if they exist; `of_file` are the heuristics that it defines.
fn known_search(
    keys: &SearchKeys,
    facts: &'static DomainFacts,
    of_file: &[String],
    errors: &mut Vec<Diagnostic>,
) -> Search {
    let SearchKeys { depth_limit, closed_limit, automaton, .. } = *keys;
    let mut search = Search { depth_limit, closed_limit, automaton, ..Search::default() };
    if let Some(weight) = &keys.weight {
        search.weight = Weight::new(*weight.get_ref());
        if search.weight.is_none() {
            let message = format!("invalid value `{}` for `weight`", weight.get_ref());
            errors.push(Diagnostic::at(weight.span(), message).label("expected a number from 1 to 1000"));
        }
    }
    if let Some(width) = &keys.width {
        search.width = BeamWidth::new(*width.get_ref());
        if search.width.is_none() {
            let message = "invalid value `0` for `width`".to_owned();
            errors.push(Diagnostic::at(width.span(), message).label("expected a whole number of at least 1"));
        }
    }
    if let Some(name) = &keys.algorithm {
        search.algorithm = Algorithm::named(name.get_ref());
        if search.algorithm.is_none() {
            let known = Algorithm::ALL.iter().map(|facts| facts.name);
            let message = format!("unknown algorithm `{}`", name.get_ref());
            errors.push(Diagnostic::at(name.span(), message).help(unknown_name(name.get_ref(), known)));
        }
    }
    if let Some(name) = &keys.heuristic {
        let own = || of_file.contains(name.get_ref()).then(|| HeuristicFacts::of_file(name.get_ref()));
        search.heuristic = facts.heuristic(name.get_ref()).or_else(own);
        search.retired = facts.retired.contains(&name.get_ref().as_str()).then(|| name.span());
        if search.heuristic.is_none() {
            let SolveError { message, help } =
                unknown_heuristic(facts, of_file.iter().map(String::as_str), name.get_ref());
            errors.push(Diagnostic::at(name.span(), message).help(help));
        }
    }
    search
}

/// Returns the claims of `[expect]`, unless they contradict each other.
fn claims(keys: &ExpectKeys, errors: &mut Vec<Diagnostic>) -> Expect {
    let outcome = keys.outcome;
    let cost = keys.cost.as_ref().map(|cost| *cost.get_ref());
    if let Some(claim) = &keys.cost {
        if outcome == Some(Outcome::Unsolvable) {
            let message = "`cost` contradicts `outcome = \"unsolvable\"`";
            errors.push(Diagnostic::at(claim.span(), message).label("remove one of the two"));
        } else if !(0.0..f64::INFINITY).contains(claim.get_ref()) {
            let message = format!("invalid value `{}` for `cost`", claim.get_ref());
            errors.push(Diagnostic::at(claim.span(), message).label("expected a number of at least 0"));
        }
    }
    if let (Some(claim), Some(Outcome::Unsolvable)) = (&keys.unique, outcome) {
        let message = "`unique` contradicts `outcome = \"unsolvable\"`";
        errors.push(Diagnostic::at(claim.span(), message).label("remove one of the two"));
    }
    Expect { outcome, cost, unique: keys.unique.as_ref().map(|claim| *claim.get_ref()) }
}
