//! Heuristics that a puzzle file defines, as [expressions](crate::expression) over a position.
//!
//! A domain supplies a [`Vocabulary`] when it reads the file, and a [`Reading`] of each position. Nothing is known of such
//! a heuristic: its facts claim neither admissibility nor consistency, so no solution that it led to is proven.

use super::{FileContext, HeuristicFacts, Named};
use crate::diagnostic::Diagnostic;
use crate::document::{FromToml, Keys, Node, Spanned};
use crate::drawing::SourceMap;
use crate::expression::{Formula, Reading, Undefined, Vocabulary, compile};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The key of the table of such heuristics.
pub const OWN_HEURISTICS: Named = Named {
    name: "heuristics",
    summary: "heuristics of your own: tables `[heuristics.NAME]` with an expression `value`",
};

/// The greatest h of a heuristic of the file. It is far below the h of a state from which no goal is reachable.
pub const GREATEST_H: u32 = 1_000_000;

/// The most characters of the name of one.
pub const OWN_NAME: usize = 40;

/// The most of them in a file.
const MOST: usize = 100;

/// A heuristic of the file.
pub struct OwnHeuristic {
    /// Its facts, under its name.
    pub facts: &'static HeuristicFacts,
    formula: Formula,
    /// The number of evaluations whose value was undefined, negative, or above [`GREATEST_H`].
    changed: [AtomicU64; 3],
}

impl OwnHeuristic {
    /// Returns h of a position: the value, or 0 if it is undefined or negative, or [`GREATEST_H`] if it is above that.
    #[must_use]
    pub fn h(&self, reading: &Reading) -> u32 {
        let (h, changed) = match self.formula.value(reading) {
            Err(_) => (0, 0),
            Ok(negative @ ..0) => (negative.max(0), 1),
            Ok(value) if value > GREATEST_H.into() => (GREATEST_H.into(), 2),
            Ok(value) => return value as u32,
        };
        self.changed[changed].fetch_add(1, Ordering::Relaxed);
        h as u32
    }

    /// Returns the number of evaluations so far whose value was undefined, negative, or above [`GREATEST_H`].
    #[must_use]
    pub fn changed(&self) -> [u64; 3] {
        [0, 1, 2].map(|rule: usize| self.changed[rule].load(Ordering::Relaxed))
    }
}

/// The keys of a heuristic of the file.
struct OwnKeys {
    value: Option<Spanned<String>>,
    /// The bytes of the table.
    span: std::ops::Range<usize>,
    /// True if the key `value` is missing.
    has_none: bool,
}

impl FromToml for OwnKeys {
    const IS_TABLE: bool = true;

    fn from_toml(node: Node) -> Option<OwnKeys> {
        let keys = node.keys(&["value"])?;
        let has_none = keys.node("value").is_none();
        let value = keys.take("value");
        // A misspelt key is reported, and read in its place.
        Some(OwnKeys { has_none: has_none && value.is_none(), value, span: node.span() })
    }
}

struct OwnTable(Vec<(Spanned<String>, OwnKeys)>);

impl FromToml for OwnTable {
    fn from_toml(node: Node) -> Option<OwnTable> {
        node.entries().map(OwnTable)
    }
}

/// Reads the heuristics of a file; `start` reads the start, where each must have a value.
///
/// # Errors
/// Reports every wrong expression, at its place.
pub fn own_heuristics(
    keys: &Keys,
    file: &FileContext,
    vocabulary: &Vocabulary,
    start: Option<&Reading>,
) -> Result<Vec<Arc<OwnHeuristic>>, Vec<Diagnostic>> {
    let Some(OwnTable(entries)) = keys.take(OWN_HEURISTICS.name) else { return Ok(Vec::new()) };
    let mut errors = Vec::new();
    if let Some((name, _)) = entries.get(MOST) {
        errors.push(Diagnostic::at(name.span(), format!("more than {MOST} heuristics")).label("leave some out"));
    }
    let mut all = Vec::new();
    for (name, own) in entries.iter().take(MOST) {
        let Some(value) = &own.value else {
            if own.has_none {
                let missing = Diagnostic::at(own.span.clone(), format!("missing key `value` of `{}`", name.get_ref()));
                errors.push(missing.help("add a line such as: value = \"sum(…)\""));
            }
            continue;
        };
        let locate = |at| SourceMap::of(value, file.source).span(at);
        match compile(value.get_ref(), vocabulary) {
            Err(wrong) => {
                let error = Diagnostic::at(locate(wrong.at), wrong.message);
                errors.push(match wrong.help {
                    Some(help) => error.help(help),
                    None => error,
                });
            }
            Ok(formula) => match start.map_or(Ok(0), |start| formula.value(start)) {
                Err(undefined) => errors.push(without_value(&undefined, locate(undefined.place()))),
                Ok(_) => {
                    let facts = HeuristicFacts::of_file(name.get_ref());
                    all.push(Arc::new(OwnHeuristic { facts, formula, changed: Default::default() }));
                }
            },
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

fn without_value(undefined: &Undefined, at: std::ops::Range<usize>) -> Diagnostic {
    Diagnostic::at(at, format!("the value is undefined at the start: {undefined}"))
        .help("test for the case with `condition ? value : other`")
}
