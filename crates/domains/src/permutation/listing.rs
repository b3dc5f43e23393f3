//! Lists of labels in a puzzle file: a string, read letter by letter, or an array of numbers and strings.

use super::setup::{Label, MOST_PLACES};
use crate::diagnostic::{Diagnostic, MOST_SHOWN, did_you_mean, steers};
use crate::document::{DeValue, FromToml, Node, Spanned};
use crate::domain::LONGEST_NAME;
use crate::drawing::SourceMap;
use std::collections::HashMap;
use std::ops::Range;

/// The value of `solved` or `start`.
pub(super) enum Listing {
    /// A letter for each place; white space is ignored.
    Text(String),
    /// A label for each place.
    Listed(Vec<Spanned<Written>>),
    /// Several arrangements, for `solved` only.
    Several(Vec<Spanned<Listing>>),
}

/// A label: an integer or a string.
pub(super) struct Written(String);

impl FromToml for Listing {
    fn from_toml(node: Node) -> Option<Listing> {
        match node.value() {
            DeValue::String(_) => node.read().map(Listing::Text),
            DeValue::Array(items) if items.first().is_some_and(|item| item.get_ref().is_array()) => {
                node.read().map(Listing::Several)
            }
            DeValue::Array(_) => node.read().map(Listing::Listed),
            _ => node.wrong_type("a string with a letter for each place, or an array of labels"),
        }
    }
}

impl FromToml for Written {
    fn from_toml(node: Node) -> Option<Written> {
        match node.value() {
            DeValue::String(_) => node.read().map(Written),
            DeValue::Integer(_) => node.read().map(|number: i64| Written(number.to_string())),
            _ => node.wrong_type("an integer or a string"),
        }
    }
}

/// Returns the entries of a list, each with its span in the file.
fn entries(listing: &Spanned<Listing>, source: &str) -> Vec<(String, Range<usize>)> {
    match listing.get_ref() {
        Listing::Text(text) => {
            let places = SourceMap::of(&Spanned::new(listing.span(), text.clone()), source);
            let letters = text.char_indices().filter(|(_, letter)| !letter.is_whitespace());
            letters.map(|(at, letter)| (letter.to_string(), places.span(at..at + letter.len_utf8()))).collect()
        }
        Listing::Listed(labels) => labels.iter().map(|label| (label.get_ref().0.clone(), label.span())).collect(),
        Listing::Several(_) => Vec::new(),
    }
}

/// Returns the arrangements of `solved`, of which there is at least one. An array of strings is a list of arrangements
/// if the start is a string: such a start has labels of one letter.
pub(super) fn arrangements(solved: Spanned<Listing>, start: Option<&Listing>) -> Vec<Spanned<Listing>> {
    let span = solved.span();
    let is_long = |label: &Spanned<Written>| label.get_ref().0.chars().filter(|c| !c.is_whitespace()).count() > 1;
    match solved.into_inner() {
        Listing::Several(all) => all,
        Listing::Listed(labels)
            if matches!(start, Some(Listing::Text(_))) && !labels.is_empty() && labels.iter().all(is_long) =>
        {
            let text = |label: Spanned<Written>| Spanned::new(label.span(), Listing::Text(label.into_inner().0));
            labels.into_iter().map(text).collect()
        }
        one => vec![Spanned::new(span, one)],
    }
}

fn several(what: &str, listing: &Spanned<Listing>) -> Diagnostic {
    let error = Diagnostic::at(listing.span(), format!("{what} has an array in place of a label"));
    error.label("expected an integer or a string for each place")
}

/// The labels of the solved position.
pub(super) struct Labels {
    /// The names of the labels, in the order of their first occurrence.
    pub names: Vec<String>,
    /// The label of each place.
    pub solved: Vec<Label>,
    /// True if the list is a string.
    pub textual: bool,
}

impl Labels {
    /// Reads the solved position.
    ///
    /// # Errors
    /// Reports a wrong number of places, and labels that are invisible or too long.
    pub fn read(listing: &Spanned<Listing>, source: &str) -> Result<Labels, Vec<Diagnostic>> {
        if let Listing::Several(_) = listing.get_ref() {
            return Err(vec![several("the solved position", listing)]);
        }
        let entries = entries(listing, source);
        if entries.is_empty() || entries.len() > MOST_PLACES {
            let message = format!("the solved position has {} places", entries.len());
            let label = format!("expected 1 to {MOST_PLACES}");
            return Err(vec![Diagnostic::at(listing.span(), message).label(label)]);
        }
        let unseen = |name: &str| {
            !(1..=LONGEST_NAME).contains(&name.len()) || name.contains(|c: char| steers(c) || c.is_whitespace())
        };
        let wrong = entries.iter().filter(|(name, _)| unseen(name));
        let wrong = wrong.map(|(_, span)| {
            Diagnostic::at(span.clone(), "invalid label").label("expected a short, visible word without white space")
        });
        let errors: Vec<Diagnostic> = wrong.collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut numbers = HashMap::new();
        let mut names = Vec::new();
        let number = |(name, _): (String, _)| {
            *numbers.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                (names.len() - 1) as Label
            })
        };
        let solved = entries.into_iter().map(number).collect();
        Ok(Labels { names, solved, textual: matches!(listing.get_ref(), Listing::Text(_)) })
    }

    /// Reads another position of the same labels.
    ///
    /// # Errors
    /// Reports a wrong number of places, unknown labels, and labels that occur too often.
    pub fn position(
        &self,
        what: &str,
        listing: &Spanned<Listing>,
        source: &str,
    ) -> Result<Vec<Label>, Vec<Diagnostic>> {
        if let Listing::Several(_) = listing.get_ref() {
            return Err(vec![several(what, listing)]);
        }
        let entries = entries(listing, source);
        if entries.len() != self.solved.len() {
            let message = format!("{what} has {} places", entries.len());
            let label = format!("expected {}, as in the solved position", self.solved.len());
            return Err(vec![Diagnostic::at(listing.span(), message).label(label)]);
        }
        let numbers: HashMap<&str, usize> = self.names.iter().map(String::as_str).zip(0..).collect();
        // Only the first names, always in the same order, so that the suggestion is deterministic.
        let names = || self.names.iter().map(String::as_str).take(100);
        let mut copies = vec![0_i64; self.names.len()];
        self.solved.iter().for_each(|&label| copies[usize::from(label)] += 1);
        let mut left = copies.clone();
        let mut errors = Vec::new();
        let mut position = Vec::new();
        for (name, span) in entries {
            let Some(&number) = numbers.get(&*name) else {
                let error = Diagnostic::at(span, format!("unknown label `{name}`"));
                errors.push(match did_you_mean(&name, names().filter(|_| errors.len() < MOST_SHOWN)) {
                    Some(near) => error.label(format!("did you mean `{near}`?")),
                    None => error.label("expected a label of the solved position"),
                });
                continue;
            };
            left[number] -= 1;
            position.push(number as Label);
            if left[number] < 0 {
                let times = if copies[number] == 1 { "once".to_owned() } else { format!("{} times", copies[number]) };
                errors.push(
                    Diagnostic::at(span, format!("the label `{name}` appears too often"))
                        .label(format!("the solved position has it {times}")),
                );
            }
        }
        if let Some(first) = errors.first_mut() {
            let missing = (0..).zip(&left).filter(|&(_, &left)| left > 0);
            let missing: Vec<&str> =
                missing.map(|(number, _): (usize, _)| self.names[number].as_str()).take(20).collect();
            first.help = Some(missing)
                .filter(|missing| !missing.is_empty())
                .map(|missing| format!("missing: {}", missing.join(" ")));
            return Err(errors);
        }
        Ok(position)
    }
}
