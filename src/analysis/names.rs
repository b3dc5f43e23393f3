//! Names that a puzzle defines, with all places where they stand: variables, sets and piles of written rules, and the
//! symbols and pieces of drawings; and their renaming.
//!
//! Where a name may stand is a list of paths. That the list is right is not assumed: a renaming is refused if the text
//! with the new name has other errors, another size or another answer.

use super::fixes::word_places;
use super::items::{Item, ItemKind, Items};
use super::parts::{Name, NameKind};
use super::schema_path::domain_of;
use super::{TextKind, games};
use crate::puzzle::{Loading, Puzzle};
use crate::search::Limits;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// A renaming, or why there is none.
pub type Renaming = Result<Vec<Range<usize>>, String>;

/// Returns whether strings at a path are drawings, or lists of symbols.
fn is_drawing(domain: &str, path: &[&str]) -> bool {
    let of_rules = || {
        matches!(
            path,
            ["start" | "goal", "drawing" | "anywhere"]
                | ["rules" | "after", "from" | "to" | "shift" | "push" | "into"]
                | ["sets", _]
                | ["arrows" | "bodies"]
                | ["maps", _, _]
        )
    };
    matches!(path, ["start" | "goal"] | ["generate", ..]) || domain == "rules" && of_rules()
}

/// Returns whether strings at a path are expressions of written rules.
fn is_expression(domain: &str, path: &[&str]) -> bool {
    domain == "rules"
        && matches!(
            path,
            ["goal" | "never"]
                | ["rules" | "after", "when" | "cost"]
                | ["rules" | "after", "then", _]
                | ["rules" | "after", "carry", _]
                | ["rules" | "after", "for", _]
                | ["heuristics", _, "value"]
        )
}

/// Returns whether a name of this kind may stand in a string at a path.
pub(super) fn stands_in(kind: NameKind, domain: &str, path: &[&str]) -> bool {
    if kind.is_character() { is_drawing(domain, path) } else { is_expression(domain, path) }
}

/// Returns whether keys of a table at a path are characters of drawings.
fn has_character_keys(path: &[&str]) -> bool {
    matches!(
        path,
        ["goal", "count" | "every"] | ["colors" | "shapes" | "pieces" | "goal"] | ["maps", _]
    )
}

/// Returns the names of a puzzle file, by kind.
pub(super) fn names(text: &str, items: &Items, domain: &str) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    if domain == "rules" {
        for (table, kind) in
            [("variables", NameKind::Variable), ("maps", NameKind::Map), ("piles", NameKind::Pile), ("sets", NameKind::Set)]
        {
            let mut seen = BTreeSet::new();
            for item in items.keys_below(&[table.to_owned()]) {
                let key = item.path.last().map_or("", String::as_str);
                // An array of variables is `name[1..3]`.
                let name = key.split('[').next().unwrap_or_default();
                if !name.is_empty() && seen.insert(name.to_owned()) {
                    found.push(named(text, items, domain, name, kind));
                }
            }
        }
    }
    let kind = match domain {
        "rules" => NameKind::Symbol,
        "klotski" => NameKind::Piece,
        _ => return found,
    };
    let drawn = items.all().iter().filter(|item| {
        let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
        item.kind == ItemKind::Value && matches!(path[..], ["start"] | ["start", "drawing"])
    });
    let mut symbols = BTreeSet::new();
    drawn.for_each(|item| symbols.extend(text[item.inner(text)].chars().filter(|symbol| !symbol.is_whitespace())));
    symbols.retain(|symbol| kind == NameKind::Symbol || !".#=".contains(*symbol));
    // A drawing of more symbols is none: it has one for every cell.
    found.extend(symbols.into_iter().take(100).map(|symbol| named(text, items, domain, &symbol.to_string(), kind)));
    found
}

/// Returns a name with its places.
fn named(text: &str, items: &Items, domain: &str, name: &str, kind: NameKind) -> Name {
    let mut places: Vec<Range<usize>> = Vec::new();
    for item in items.all() {
        let path: Vec<&str> = item.path.iter().map(String::as_str).collect();
        places.extend(match item.kind {
            ItemKind::Value => in_value(text, item, &path, domain, name, kind),
            ItemKind::Key | ItemKind::Header => in_key(text, item, &path, name, kind).into_iter().collect(),
        });
    }
    if kind.has_value() {
        // Where it is defined comes first.
        let table = format!("{}s", kind.words());
        let is_definition = |place: &Range<usize>| {
            let key = items.all().iter().find(|item| item.kind != ItemKind::Value && item.span.contains(&place.start));
            key.is_some_and(|key| key.path.first() == Some(&table))
        };
        places.sort_by_key(|place| (!is_definition(place), place.start));
    }
    Name { name: name.to_owned(), kind, places }
}

fn in_key(text: &str, item: &Item, path: &[&str], name: &str, kind: NameKind) -> Option<Range<usize>> {
    let (key, table) = path.split_last()?;
    let is_place = match kind {
        NameKind::Variable => {
            matches!(table, ["variables" | "start" | "goal" | "layout" | "colors" | "shapes"] | ["rules" | "after", "then"])
        }
        NameKind::Pile => matches!(table, ["piles" | "start" | "goal" | "layout"]),
        NameKind::Map => matches!(table, ["maps"]),
        NameKind::Set => matches!(table, ["sets"]) || has_character_keys(table),
        NameKind::Symbol | NameKind::Piece => has_character_keys(table),
        NameKind::GameName => false,
    };
    if !is_place || key.split('[').next() != Some(name) {
        return None;
    }
    let inner = item.inner(text);
    Some(inner.start..inner.start + name.len()).filter(|place| text.get(place.clone()) == Some(name))
}

fn in_value(text: &str, item: &Item, path: &[&str], domain: &str, name: &str, kind: NameKind) -> Vec<Range<usize>> {
    let inner = item.inner(text);
    let raw = &text[item.span.clone()];
    if !raw.starts_with(['"', '\'']) {
        return Vec::new();
    }
    if !kind.is_character() {
        // Letters between quotes are symbols.
        let quoted = |at: usize| text[inner.start..at].matches('\'').count() % 2 == 1;
        let all = if is_expression(domain, path) { Some(word_places(text, &inner, name)) } else { None };
        return all.into_iter().flatten().filter(|place| !quoted(place.start)).collect();
    }
    let is_expression_only = is_expression(domain, path) && !raw.contains('\n');
    if is_drawing(domain, path) && !(is_expression_only && raw.contains(' ')) {
        return characters(text, &inner, raw.starts_with('"'), name);
    }
    if is_expression(domain, path) {
        let quoted = format!("'{name}'");
        let found = text[inner.clone()].match_indices(&quoted).map(|(at, _)| inner.start + at + 1);
        return found.map(|at| at..at + name.len()).collect();
    }
    Vec::new()
}

/// Returns the places of a character in a drawing, escapes left out.
fn characters(text: &str, inner: &Range<usize>, has_escapes: bool, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut letters = text[inner.clone()].char_indices();
    while let Some((at, letter)) = letters.next() {
        if has_escapes && letter == '\\' {
            letters.next();
        } else if name.chars().eq([letter]) {
            found.push(inner.start + at..inner.start + at + letter.len_utf8());
        }
    }
    found
}

/// Returns the name at a byte, and its place there.
#[must_use]
pub fn name_at(text: &str, kind: TextKind, byte: usize) -> Option<(Name, Range<usize>)> {
    let all = match kind {
        TextKind::Game => games::names(text),
        TextKind::Puzzle | TextKind::Other => {
            let items = Items::of(text);
            names(text, &items, domain_of(text, &items)?.name)
        }
        TextKind::Levels => return None,
    };
    let at = |name: &Name| {
        let touching = |place: &&Range<usize>| place.start <= byte && byte <= place.end;
        // Of two that touch, the one that begins there.
        name.places.iter().filter(touching).max_by_key(|place| place.start).cloned()
    };
    let found = all.into_iter().filter_map(|name| at(&name).map(|place| (name, place)));
    found.max_by_key(|(_, place)| place.start)
}

/// Returns the places where the name at a byte has to be replaced by a new one.
///
/// # Errors
/// There is no name, or the new one would change the puzzle.
pub fn renamed(text: &str, path: &Path, kind: TextKind, byte: usize, new: &str) -> Renaming {
    let (name, _) = name_at(text, kind, byte).ok_or("no symbol, piece or name of the puzzle stands here")?;
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let is_one_character = name.kind.is_character() || name.name.chars().count() == 1 && kind == TextKind::Game;
    match is_one_character {
        true if new.chars().count() != 1 || new.contains(|letter: char| letter.is_whitespace() || "?\"'\\".contains(letter)) => {
            return Err("the new name must be one visible character, and none of `?`, `\"`, `'` and `\\`".to_owned());
        }
        false if !is_word(new) => return Err("the new name must be a word of letters, digits and `_`".to_owned()),
        _ => {}
    }
    let mut places = name.places.clone();
    places.sort_by_key(|place| place.start);
    places.dedup();
    let mut after = text.to_owned();
    places.iter().rev().for_each(|place| after.replace_range(place.clone(), new));
    match (summary(text, path), summary(&after, path)) {
        (Err(wrong), Err(still)) if wrong == still => Ok(places),
        (Ok(old), Ok(new)) if old == new => Ok(places),
        (_, Err(wrong)) => Err(format!("with this name the puzzle would be wrong: {wrong}")),
        _ => Err(format!("`{new}` has another meaning in this puzzle already")),
    }
}

/// The most expanded states of a search that compares two texts.
const NODES: u64 = 5_000;

/// Returns what stays the same if only names change: the size and the least cost of each puzzle, if it is small, and the
/// number of warnings.
fn summary(text: &str, path: &Path) -> Result<Vec<(String, Option<f64>, usize)>, String> {
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let loading = Loading { limits: limits.clone(), ..Loading::default() };
    let sources = loading.sources_in(path, &text.into()).map_err(|report| report.messages())?;
    let of = |puzzle: Puzzle| {
        let cost = puzzle.solve_small(NODES, &limits).map(|found| found.map_or(-1.0, |(cost, _)| cost));
        (puzzle.size(), cost, puzzle.warnings().diagnostics().len())
    };
    let read = |source| loading.load_source(source).map(of).map_err(|report: crate::diagnostic::Report| report.messages());
    sources.iter().take(3).map(read).collect()
}
