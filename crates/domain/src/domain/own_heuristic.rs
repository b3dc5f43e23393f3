//! Heuristics that a puzzle file defines, as [expressions](crate::expression) over a position.
//!
//! A domain supplies a [`Vocabulary`] when it reads the file, and a [`Reading`] of each position. Nothing is known of such
//! a heuristic: its facts claim neither admissibility nor consistency, so no solution that it led to is proven.

use super::{FileContext, HeuristicFacts, Named};
use crate::diagnostic::Diagnostic;
use crate::document::{FromToml, Keys, Node, Spanned};
use crate::drawing::SourceMap;
use crate::expression::{Formula, Reading, Vocabulary, compile};
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
#[derive(Debug)]
pub struct OwnHeuristic {
    /// Its facts, under its name.
    pub facts: &'static HeuristicFacts,
    /// The expression, unless the domain evaluates it.
    formula: Option<Formula>,
    /// The number of evaluations whose value was undefined, negative, or above [`GREATEST_H`].
    changed: [AtomicU64; 3],
}

impl OwnHeuristic {
    /// Creates a heuristic whose expression the domain evaluates.
    #[must_use]
    pub fn new(name: &str) -> OwnHeuristic {
        OwnHeuristic { facts: HeuristicFacts::of_file(name), formula: None, changed: Default::default() }
    }

    /// Returns h of a position.
    #[must_use]
    pub fn h(&self, reading: &Reading) -> u32 {
        self.h_of(self.formula.as_ref().and_then(|formula| formula.value(reading).ok()))
    }

    /// Returns h of a position with this value, if it is defined: the value, or 0 if it is undefined or negative, or
    /// [`GREATEST_H`] if it is above that.
    #[must_use]
    pub fn h_of(&self, value: Option<i64>) -> u32 {
        let (h, changed) = match value {
            None => (0, 0),
            Some(..0) => (0, 1),
            Some(value) if value > GREATEST_H.into() => (GREATEST_H, 2),
            Some(value) => return value as u32,
        };
        self.changed[changed].fetch_add(1, Ordering::Relaxed);
        h
    }

    /// Returns the members of a set over which h is a sum, each with its term; none if h is no such sum.
    #[must_use]
    pub fn terms(&self, reading: &Reading) -> Vec<(i64, f64)> {
        let formula = self.formula.as_ref();
        let value =
            formula.and_then(|formula| formula.value(reading).ok()).filter(|h| (0..=GREATEST_H.into()).contains(h));
        let terms = formula.filter(|_| value.is_some()).and_then(|formula| formula.terms(reading));
        terms.unwrap_or_default().into_iter().map(|(member, term)| (member, term as f64)).collect()
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
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for (name, value) in own_expressions(keys, file)? {
        let locate = |at| SourceMap::of(&value, file.source).span(at);
        match compile(value.get_ref(), vocabulary) {
            Err(wrong) => {
                let error = Diagnostic::at(locate(wrong.at), wrong.message);
                errors.push(match wrong.help {
                    Some(help) => error.help(help),
                    None => error,
                });
            }
            Ok(formula) => match start.map_or(Ok(0), |start| formula.value(start)) {
                Err(undefined) => errors.push(without_value(&format!(": {undefined}"), locate(undefined.place()))),
                Ok(_) => all.push(Arc::new(OwnHeuristic { formula: Some(formula), ..OwnHeuristic::new(&name) })),
            },
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// Reads the names and expressions of the heuristics of a file, for a domain that evaluates them itself.
///
/// # Errors
/// Reports heuristics without an expression, and too many of them.
pub fn own_expressions(keys: &Keys, file: &FileContext) -> Result<Vec<(String, Spanned<String>)>, Vec<Diagnostic>> {
    let Some(OwnTable(entries)) = keys.take(OWN_HEURISTICS.name) else { return Ok(Vec::new()) };
    let mut errors = Vec::new();
    if let Some((name, _)) = entries.get(MOST) {
        errors.push(Diagnostic::at(name.span(), format!("more than {MOST} heuristics")).label("leave some out"));
    }
    let mut all = Vec::new();
    for (name, own) in entries.into_iter().take(MOST) {
        match own.value {
            Some(value) => all.push((name.into_inner(), value)),
            None if own.has_none => {
                let missing = Diagnostic::at(own.span, format!("missing key `value` of `{}`", name.get_ref()));
                errors.push(missing.help("add a line such as: value = \"sum(…)\""));
            }
            None => {}
        }
    }
    file.check_limits()?;
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// Returns the error that an expression has no value at the start; `why` follows the message.
#[must_use]
pub fn without_value(why: &str, at: std::ops::Range<usize>) -> Diagnostic {
    Diagnostic::at(at, format!("the value is undefined at the start{why}"))
        .help("test for the case with `condition ? value : other`")
}
